"""Grashof as the judged one: from a structure to a program, from poses to a start, from a start to a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from campaign.structure import GROUND, Array, Poses, Solid, Structure
from grashof.analysis.guess import starting_coordinates
from grashof.integrate import Steps
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.model.rotations import quaternion, rotation_matrix
from grashof.model.start import Pose
from grashof.program import Program, build
from grashof.simulation import simulate

MAX_STEPS = 200_000

MOST_STEPS = 400
"""Steps that are looked at."""

NUDGE = 1.5e-3
"""Distance over which coordinates are differenced, with an error of its sixth power."""

DIFFERENCES = {1: 3 / 4, 2: -3 / 20, 3: 1 / 60}
"""f′ ≈ Σ c_k (f(kh) − f(−kh))/h."""


@dataclass(frozen=True)
class Seen:
    """A run as the judge sees it: watched points and their velocities, m and m/s, (k, points, d).

    places, rates   at the judged times, most of which lie between steps
    at_steps        the same at steps, evenly chosen if there are many
    """

    steps: Steps
    places: Array
    rates: Array
    at_steps: tuple[Array, Array]


class Machine:
    """A structure compiled once, drawn in its home position, to be run from many starts."""

    def __init__(self, structure: Structure, home: Poses) -> None:
        self.structure, self.home = structure, home
        self.program = build(describe(structure, home))
        system = self.program.system
        forms = [
            form
            for body in structure.bodies
            for k in range(len(body.watched))
            for form in system.point(f"{body.name}.{_point_name(body, k)}")
        ]
        self._matrix = np.zeros((len(forms), system.n))
        for row, form in zip(self._matrix, forms, strict=True):
            row[list(form.terms)] = list(form.terms.values())
        self._constant = np.array([form.constant for form in forms])

    def started(self, along: Callable[[float], Poses], rate: float = 1.0) -> Program:
        """The program with another start: at along(0), with `rate` times the velocity of `along` there."""
        q = self._coordinates(along(0.0))
        v = np.zeros(len(q))
        for k, weight in DIFFERENCES.items():
            ahead, behind = (self._coordinates(along(side * k * NUDGE)) for side in (1.0, -1.0))
            v += weight / NUDGE * (ahead - behind)
        v = rate * _admissible(self.program, q, v)
        return replace(self.program, assembly=replace(self.program.assembly, q=q, v=v))

    def _coordinates(self, poses: Poses) -> Array:
        """q with the bodies at these poses."""
        model = self.program.model
        guesses = {}
        for name, guess in model.start.guesses.items():
            (origin,), (axes,) = poses[name]
            turn = axes @ self.home[name][1][0].T
            if self.structure.dimension == 2:
                angle = guess.angle + float(np.arctan2(turn[1, 0], turn[0, 0]))
                guesses[name] = Pose(tuple(origin), angle)
            else:
                guesses[name] = Pose(tuple(origin), 0.0, quaternion(turn @ rotation_matrix(guess.rotation)))
        start = msgspec.structs.replace(model.start, guesses=guesses)
        moved = msgspec.structs.replace(model, start=start)
        return starting_coordinates(replace(self.program.system, model=moved))

    def run(self, program: Program, tol: float, times: Array) -> Seen:
        """Simulates to the last of the times, and looks at those that were reached."""
        run = simulate(program, float(times[-1]), tol=tol, times=times, max_steps=MAX_STEPS)
        chosen = np.unique(np.linspace(0, len(run.steps.t) - 1, MOST_STEPS).astype(int))
        return Seen(run.steps, *self._watched(run.y), self._watched(run.steps.y[chosen]))

    def _watched(self, y: Array) -> tuple[Array, Array]:
        n, shape = self.program.system.n, (len(y), len(self.structure.weights), self.structure.dimension)
        places = y[:, :n] @ self._matrix.T + self._constant
        return places.reshape(shape), (y[:, n : 2 * n] @ self._matrix.T).reshape(shape)


def _admissible(program: Program, q: Array, v: Array) -> Array:
    """v without what the constraints forbid."""
    jacobian = np.zeros((program.system.m, program.system.n))
    rows = program.dynamics.kkt.rows(program.dynamics.jacobian(0.0, q.tolist()))
    for row, entries in zip(jacobian, rows, strict=True):
        row[list(entries)] = list(entries.values())
    _, sizes, right = np.linalg.svd(jacobian, full_matrices=False)
    held = right[sizes > 1e-7 * sizes.max(initial=0.0)]
    for _ in range(2):
        v = v - held.T @ (held @ v)
    return v


# -- the model


def describe(structure: Structure, home: Poses) -> Model:
    """The model a person would write, drawn in its home position."""
    m = Mechanism(structure.name, gravity=tuple(structure.gravity))
    handles = {GROUND: m.ground}
    for body in structure.bodies:
        (origin,), (axes,) = home[body.name]
        if body.slender:
            start, end = (tuple(origin + axes @ body.pins[pin]) for pin in ("start", "end"))
            handle = m.bar(body.name, length=float(body.pins["end"][0]), mass=body.mass, start=start, end=end)
            handle.at(*body.places[1], name="middle")
        else:
            flat = structure.dimension == 2
            handle = m.body(
                body.name,
                mass=body.mass,
                center=tuple(body.center),
                inertia=_inertia(body),
                points={_point_name(body, k): tuple(place) for k, place in enumerate(body.watched)},
                position=tuple(origin),
                angle=float(np.arctan2(axes[1, 0], axes[0, 0])) if flat else 0.0,
                rotation=None if flat else quaternion(axes),
            )
        handles[body.name] = handle
    for hinge in structure.hinges:
        a, b = handles[hinge.a], handles[hinge.b]
        at_a = a.point(hinge.at_a) if isinstance(hinge.at_a, str) else a.at(*hinge.at_a)
        axis = None if hinge.axis is None else tuple(home[hinge.b][1][0] @ hinge.axis)
        m.revolute(at_a, b.point(hinge.at_b), axis=axis)
    return m.model


def _point_name(body: Solid, k: int) -> str:
    """The name of a watched point."""
    particles = len(body.masses)
    if k >= particles:
        return list(body.pins)[k - particles]
    return ("start", "middle", "end")[k] if body.slender else f"particle{k}"


def _inertia(body: Solid) -> float | tuple[float, ...]:
    """About the centre of mass: I_z in the plane, I_xx, I_yy, I_zz, I_xy, I_xz, I_yz in space."""
    second = body.second_moments
    if len(second) == 2:
        return float(np.trace(second))
    matrix = np.trace(second) * np.eye(3) - second
    return tuple(float(matrix[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
