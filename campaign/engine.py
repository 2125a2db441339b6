"""Grashof as the engine under test: from a structure to a program, from poses to a start, from a start to a run."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campaign.linkage import STEP
from campaign.structure import GROUND, Array, Poses, Solid, Structure
from grashof.integrate import Steps
from grashof.model.handles import Handle
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.model.rotations import quaternion, rotation_matrix
from grashof.model.start import Pose
from grashof.program import Program, build
from grashof.simulation.simulate import simulate

MAX_STEPS = 200_000

MOST_STEPS = 400
"""Largest number of steps that are examined."""


@dataclass(frozen=True)
class RunSettings:
    """How a run is made.

    step        the fixed step of rk4, s
    max_steps   largest number of steps
    """

    tol: float
    method: str = "auto"
    step: float | None = None
    max_steps: int = MAX_STEPS


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
            for form in system.point(f"{body.name}.{point_name(body, k)}")
        ]
        self._matrix = np.zeros((len(forms), system.n))
        for row, form in zip(self._matrix, forms, strict=True):
            row[list(form.terms)] = list(form.terms.values())
        self._constant = np.array([form.constant for form in forms])

    def started(self, moving: Poses) -> Program:
        """The program with another start: at these poses, with the velocities that are their imaginary parts over STEP.

        Coordinates are affine functions of poses, and a turn by θ about k less one by −θ is 2 sin θ [k]: a difference
        between two poses of bodies turned by ± arcsin(hω) is exact, and h need not be small.
        """
        spins = {name: axes[0].imag / STEP @ axes[0].real.T for name, (_, axes) in moving.items()}
        rates = {name: float(np.linalg.norm(spin)) / np.sqrt(2.0) for name, spin in spins.items()}
        h = 1.0 / max(*rates.values(), 1e-300)

        def turned(way: float) -> Poses:
            poses = {}
            for name, (origin, axes) in moving.items():
                spin, sine = way * h * spins[name], h * rates[name]
                turn = np.eye(len(spin)) + spin + spin @ spin / (1.0 + np.sqrt(max(0.0, 1.0 - sine**2)))
                poses[name] = (origin.real + way * h * origin.imag / STEP, turn @ axes.real)
            return poses

        q, ahead, behind = (self._coordinates(turned(way)) for way in (0.0, 1.0, -1.0))
        v = (ahead - behind) / (2.0 * h)
        return self.program.started(q, v)

    def _coordinates(self, poses: Poses) -> Array:
        """q with the bodies at these poses."""
        guesses = {}
        for name, guess in self.program.model.start.guesses.items():
            (origin,), (axes,) = poses[name]
            turn = axes @ self.home[name][1][0].T
            if self.structure.dimension == 2:
                angle = guess.angle + float(np.arctan2(turn[1, 0], turn[0, 0]))
                guesses[name] = Pose(tuple(origin), angle)
            else:
                guesses[name] = Pose(tuple(origin), 0.0, quaternion(turn @ rotation_matrix(guess.rotation)))
        return self.program.coordinates_at(guesses)

    def run(self, program: Program, task: RunSettings, times: Array) -> Seen:
        """Simulates to the last of the times, and evaluates the run at those that were reached."""
        run = simulate(
            program,
            float(times[-1]),
            tol=task.tol,
            times=times,
            method=task.method,
            step=task.step,
            max_steps=task.max_steps,
        )
        chosen = np.unique(np.linspace(0, len(run.steps.t) - 1, MOST_STEPS).astype(int))
        return Seen(run.steps, *self._watched(run.y), self._watched(run.steps.y[chosen]))

    def _watched(self, y: Array) -> tuple[Array, Array]:
        n, shape = self.program.system.n, (len(y), len(self.structure.weights), self.structure.dimension)
        places = y[:, :n] @ self._matrix.T + self._constant
        return places.reshape(shape), (y[:, n : 2 * n] @ self._matrix.T).reshape(shape)


# -- the model


def describe(structure: Structure, home: Poses) -> Model:
    """The model a user would write, drawn in its home position."""
    return mechanism_of(structure, home)[0].model


def mechanism_of(structure: Structure, home: Poses) -> tuple[Mechanism, dict[str, Handle]]:
    """The mechanism under construction, with its bodies by name."""
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
                inertia=inertia_of(body),
                points={point_name(body, k): tuple(place) for k, place in enumerate(body.watched)},
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
    for slot in structure.slots:
        line = m.ground.line(tuple(slot.through), tuple(slot.through + slot.along))
        m.slider(line, handles[slot.body].point(slot.pin))
    return m, handles


def point_name(body: Solid, k: int) -> str:
    """The name of a watched point."""
    particles = len(body.masses)
    if k >= particles:
        return list(body.pins)[k - particles]
    return ("start", "middle", "end")[k] if body.slender else f"particle{k}"


def inertia_of(body: Solid) -> float | tuple[float, ...]:
    """About the centre of mass: I_z in the plane, I_xx, I_yy, I_zz, I_xy, I_xz, I_yz in space."""
    second = body.second_moments
    if len(second) == 2:
        return float(np.trace(second))
    matrix = np.trace(second) * np.eye(3) - second
    return tuple(float(matrix[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)))
