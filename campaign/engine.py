"""Grashof as the judged one: from a linkage to a program, from a place on the branch to a start, from a start to a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import msgspec
import numpy as np

from campaign.linkage import GROUND, Array, Linkage, Solid
from grashof.analysis.guess import starting_coordinates
from grashof.integrate import Steps
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.model.rotations import quaternion, rotation_matrix
from grashof.model.start import Pose
from grashof.program import Program, build
from grashof.simulation import integrate

MAX_STEPS = 200_000

NUDGE = 1e-3
"""Distance in s over which velocities are differenced before they are made exact."""


@dataclass(frozen=True)
class Seen:
    """A run as the judge sees it: watched points and their velocities at given times, m and m/s, (k, points, d)."""

    steps: Steps
    times: Array
    places: Array
    rates: Array


class Machine:
    """A linkage compiled once, to be run from many starts.

    The model is drawn at s = home.
    """

    def __init__(self, linkage: Linkage, home: float) -> None:
        self.linkage, self.home = linkage, home
        self.program = build(describe(linkage, home))
        system = self.program.system
        forms = [
            form
            for body in linkage.bodies
            for k in range(len(body.watched))
            for form in system.point(f"{body.name}.{_point_name(body, k)}")
        ]
        self._matrix = np.zeros((len(forms), system.n))
        for row, form in zip(self._matrix, forms, strict=True):
            row[list(form.terms)] = list(form.terms.values())
        self._constant = np.array([form.constant for form in forms])

    def started(self, s: float, rate: float) -> Program:
        """The program with another start."""
        q = self.coordinates(s)
        along = (self.coordinates(s + NUDGE) - self.coordinates(s - NUDGE)) / (2.0 * NUDGE)
        v = _admissible(self.program, q, along)
        # the direction is exact now; the speed is the one that has the kinetic energy of the branch
        points = (self._matrix @ v).reshape(1, -1, self.linkage.dimension)
        (wanted,), _ = self.linkage.landscape(np.array([s]))
        v *= rate * np.sqrt(wanted / self.linkage.inertia(points)[0])
        return replace(self.program, assembly=replace(self.program.assembly, q=q, v=v))

    def coordinates(self, s: float) -> Array:
        """q at a place on the branch."""
        model = self.program.model
        now, home = (self.linkage.path(np.array([x])) for x in (s, self.home))
        guesses = {}
        for name, guess in model.start.guesses.items():
            origin, axes = now[name]
            turn = axes[0] @ home[name][1][0].T
            if self.linkage.dimension == 2:
                angle = guess.angle + float(np.arctan2(turn[1, 0], turn[0, 0]))
                guesses[name] = Pose(tuple(origin[0]), angle)
            else:
                guesses[name] = Pose(tuple(origin[0]), 0.0, quaternion(turn @ rotation_matrix(guess.rotation)))
        start = msgspec.structs.replace(model.start, guesses=guesses)
        moved = msgspec.structs.replace(model, start=start)
        return starting_coordinates(replace(self.program.system, model=moved))

    def run(self, program: Program, t_end: float, tol: float, times: Array) -> Seen:
        """Integrates, and looks at the times that were reached."""
        steps = integrate(program, t_end, tol=tol, max_steps=MAX_STEPS)
        reached = times[times <= steps.status.time]
        y, _ = program.integrator.sample(steps, reached)
        n, shape = program.system.n, (len(reached), -1, self.linkage.dimension)
        places = y[:, :n] @ self._matrix.T + self._constant
        rates = y[:, n : 2 * n] @ self._matrix.T
        return Seen(steps, reached, places.reshape(shape), rates.reshape(shape))


def _admissible(program: Program, q: Array, v: Array) -> Array:
    """v without what the constraints forbid."""
    jacobian = np.zeros((program.system.m, program.system.n))
    rows = program.dynamics.kkt.rows(program.dynamics.jacobian(0.0, q.tolist()))
    for row, entries in zip(jacobian, rows, strict=True):
        row[list(entries)] = list(entries.values())
    left, sizes, right = np.linalg.svd(jacobian, full_matrices=False)
    held = right[sizes > 1e-7 * sizes[0]]
    for _ in range(2):
        v = v - held.T @ (held @ v)
    return v


# -- the model


def describe(linkage: Linkage, s: float) -> Model:
    """The model a person would write, drawn at s."""
    m = Mechanism(linkage.name, gravity=tuple(linkage.gravity))
    poses = linkage.path(np.array([s]))
    handles = {GROUND: m.ground}
    for body in linkage.bodies:
        origin, axes = (x[0] for x in poses[body.name])
        if body.slender:
            start, end = (tuple(origin + axes @ body.pins[pin]) for pin in ("start", "end"))
            handle = m.bar(body.name, length=float(body.pins["end"][0]), mass=body.mass, start=start, end=end)
            handle.at(*body.places[1], name="middle")
        else:
            names = [_point_name(body, k) for k in range(len(body.watched))]
            points: Mapping[str, Array] = dict(zip(names, body.watched, strict=True))
            placing: dict[str, object] = (
                {"angle": float(np.arctan2(axes[1, 0], axes[0, 0]))}
                if linkage.dimension == 2
                else {"rotation": quaternion(axes)}
            )
            handle = m.body(
                body.name,
                mass=body.mass,
                center=tuple(body.center),
                inertia=_inertia(body),
                points=dict(points),  # type: ignore[arg-type]
                position=tuple(origin),
                **placing,  # type: ignore[arg-type]
            )
        handles[body.name] = handle
    for hinge in linkage.hinges:
        a, b = handles[hinge.a], handles[hinge.b]
        at_a = a.point(hinge.at_a) if isinstance(hinge.at_a, str) else a.at(*hinge.at_a)
        axis = None if hinge.axis is None else tuple(poses[hinge.b][1][0] @ hinge.axis)
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
