"""Named quantities of a motion of rigid bodies: the same as in `Trajectory`, computed from body poses alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.formulation.natural.winding import wound
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector, body_of, dot
from grashof.model.joints import Joint
from grashof.model.measures import MeasureBase
from grashof.model.model import Model
from grashof.model.quantities import moving_names
from grashof.program.program import closed_works, works_since
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.situation import Situation
from grashof.situation.motion import Motion


@dataclass(frozen=True)
class Placed:
    """The pose of a body: its origin and its unit axes in world components, with their rates."""

    origin: list[Jet]
    axes: list[list[Jet]]


@dataclass
class Bodies:
    """Rigid bodies as joints, measures and forces see them (`Fields` and `State`), over any scalars.

    Components are those of the model's dimension: x and y in the plane.
    """

    model: Model
    length: float
    time: Scalar
    placed: Mapping[str, Placed]
    turns: Mapping[str, Scalar] = field(default_factory=dict)

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return self.model.dimension

    @property
    def tables(self) -> Mapping[str, Callable[[Scalar], Scalar]]:
        """The names that laws can refer to."""
        return self.model.tables_by_name

    @property
    def joints(self) -> Mapping[str, Joint]:
        """The joints by name."""
        return self.model.joints_by_name

    def bearing(self, joint: str) -> Scalar:
        """Other engines do not return it; forces that depend on it are refused beforehand (see `known` and `loads`)."""
        raise KeyError(joint)

    def point(self, reference: str) -> list[Jet]:
        """Position and velocity of a point."""
        body = self._placed(body_of(reference))
        return [p + x for p, x in zip(body.origin, _along(body, self.model.points[reference]), strict=True)]

    def arrow(self, body: str, direction: Vector) -> list[Jet]:
        """A direction drawn with the mechanism's length."""
        return [x * self.length for x in _along(self._placed(body), direction)]

    def integral(self, name: str) -> Scalar:
        """Other engines do not return it, nor the joint reactions."""
        raise KeyError(name)

    def switch(self, force: str, active: bool) -> Scalar:
        """Nothing is switched by events here."""
        return 1.0 if active else 0.0

    def axes(self, body: str) -> list[list[Jet]]:
        """The body's own unit axes."""
        return self._placed(body).axes

    def measure(self, name: str) -> Jet:
        """A measure or coordinate with its rate; an angle whose whole turns are not known lies within ±π."""
        return self.jet_of(self.model.quantities[name])

    def jet_of(self, measure: MeasureBase) -> Jet:
        """The same of any measure."""
        value: Jet = measure.value(measure.parts(self))
        return Jet(self.turns[measure.name], value.first, 0.0) if measure.name in self.turns else value

    def _placed(self, body: str) -> Placed:
        return self.placed[body] if body != GROUND else _ground(self.dimension)


def _along(body: Placed, components: Vector) -> list[Jet]:
    return [dot(components, [e[i] for e in body.axes]) for i in range(len(body.origin))]


def _ground(dimension: int) -> Placed:
    def still(x: float) -> Jet:
        return Jet(x, 0.0, 0.0)

    eye = np.eye(dimension).tolist()
    return Placed([still(0.0)] * dimension, [[still(x) for x in row] for row in eye])


def placed_bodies(
    model: Model,
    names: Sequence[str],
    origins: Sequence[Sequence[Jet]],
    axes: Sequence[Sequence[Sequence[Scalar]]],
    spins: Sequence[Sequence[Scalar]],
) -> dict[str, Placed]:
    """Bodies from origins, rotation matrices (rows of columns) and angular velocities, by name."""
    size = model.dimension
    found = {}
    for name, origin, r, w in zip(names, origins, axes, spins, strict=True):
        columns = []
        for k in range(size):
            e = [r[0][k], r[1][k], r[2][k]]
            rate = [w[1] * e[2] - w[2] * e[1], w[2] * e[0] - w[0] * e[2], w[0] * e[1] - w[1] * e[0]]
            columns.append([Jet(x, dx, 0.0) for x, dx in zip(e[:size], rate[:size], strict=True)])
        found[name] = Placed(list(origin[:size]), columns)
    return found


_VIOLATIONS = ("violation.position", "violation.velocity")


class Observed:
    """The motion of a situation's bodies as named quantities: `observed["rod.end.x"]` is an array.

    Names are those of the original mechanism and of `Trajectory`: `t`; `body.point.x`; measures; these with `.rate`; `kinetic`,
    `potential`, `energy`; `work.NAME` of the forces whose work has a closed form; `balance` if all of them have one and no
    motor drives; `violation.position` and `.velocity` (norms of the joint equations of the rigid bodies, m and m/s).
    """

    def __init__(self, situation: Situation, motion: Motion) -> None:
        self.situation = situation
        self.motion = motion
        self.t: np.ndarray = np.asarray(motion.times, float)
        self._known: dict[str, np.ndarray] = {"t": self.t}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All quantities."""
        moving = moving_names(self.situation.original)
        works = [f"work.{name}" for name in self._works]
        balance = ["balance"] if self._accounted else []
        return ("t", *moving, "kinetic", "potential", "energy", *works, *balance, *_VIOLATIONS)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._known:
            self._known |= self._compute(name)
        return self._known[name]

    def _compute(self, name: str) -> dict[str, np.ndarray]:
        if name not in self.names:
            hint = did_you_mean(name, self.names, at_most=3)
            raise ModelError(f"The quantity '{name}' cannot be computed from the motion of the bodies; {hint}")
        if name == "kinetic":
            return {name: self._kinetic(self.motion)}
        if name == "potential":
            return {name: self._potential(self.motion, self._bodies)}
        if name == "energy":
            return {name: self["kinetic"] + self["potential"]}
        if name.startswith("work."):
            return {name: self._works[name.removeprefix("work.")]}
        if name == "balance":
            start = self._start_motion
            before = self._kinetic(start) + self._potential(start, self._start)
            return {name: self["energy"] - before - sum(self._works.values(), np.zeros(len(self.t)))}
        if name in _VIOLATIONS:
            return dict(zip(_VIOLATIONS, self._violations(), strict=True))
        quantity = name.removesuffix(".rate")
        jet = self._bodies.measure(quantity)
        return {quantity: self._full(jet.value), f"{quantity}.rate": self._full(jet.first)}

    def _full(self, x: Scalar) -> np.ndarray:
        return np.broadcast_to(np.asarray(x, float), self.t.shape)

    # -- bodies as forces and joints see them

    @cached_property
    def _start_motion(self) -> Motion:
        s = self.situation
        return Motion(np.array([s.time]), s.positions[None], s.rotations[None], s.velocities[None], s.spins[None])

    @cached_property
    def _bodies(self) -> Bodies:
        bodies = self._seen(self.motion)
        bodies.turns = self._followed(bodies)
        return bodies

    @cached_property
    def _start(self) -> Bodies:
        bodies = self._seen(self._start_motion)
        bodies.turns = {name: np.array([x]) for name, x in self.situation.assembly.angles.items()}
        return bodies

    def _seen(self, motion: Motion) -> Bodies:
        s = self.situation
        origins = [
            [Jet(motion.positions[:, k, i], motion.velocities[:, k, i], 0.0) for i in range(3)]
            for k in range(len(s.bodies))
        ]
        axes = [[list(row) for row in motion.rotations[:, k].transpose(1, 2, 0)] for k in range(len(s.bodies))]
        spins = [list(motion.spins[:, k].T) for k in range(len(s.bodies))]
        placed = placed_bodies(s.original, s.bodies, origins, axes, spins)
        return Bodies(s.original, s.system.length, motion.times, placed)

    def _followed(self, bodies: Bodies) -> dict[str, np.ndarray]:
        """Angles with their whole turns, which are counted along a cubic from one time to the next, since engines
        return nothing in between.
        """
        t = np.concatenate([[self.situation.time], self.t])
        before, now = self._paths(self._seen(self._start_motion)), self._paths(bodies)
        found = {}
        for name, start in self.situation.assembly.angles.items():
            z, rate = (
                np.concatenate([a, np.broadcast_to(b, self.t.shape)])
                for a, b in zip(before[name], now[name], strict=True)
            )
            found[name] = wound(start, t, z, rate).angle[1:]
        return found

    def _paths(self, bodies: Bodies) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """ℓ² (cos θ + i sin θ) of every angle, and its rate."""
        measures = self.situation.original.all_measures.items()
        parts = {name: angle.parts(bodies) for name, angle in measures if angle.winds}
        return {name: (c.value + 1j * s.value, c.first + 1j * s.first) for name, (s, c) in parts.items()}

    # -- energies, works, violations

    def _kinetic(self, motion: Motion) -> np.ndarray:
        s = self.situation
        arms = np.einsum("tbij,bj->tbi", motion.rotations, s.centers)
        center = motion.velocities + np.cross(motion.spins, arms)
        own = np.einsum("tbji,tbj->tbi", motion.rotations, motion.spins)
        moving = np.einsum("b,tbi,tbi->t", s.masses, center, center)
        turning = np.einsum("tbi,bij,tbj->t", own, s.inertias, own)
        energy: np.ndarray = 0.5 * (moving + turning)
        return energy

    def _potential(self, motion: Motion, bodies: Bodies) -> np.ndarray:
        s = self.situation
        centers = motion.positions + np.einsum("tbij,bj->tbi", motion.rotations, s.centers)
        total: np.ndarray = -np.einsum("b,tbi,i->t", s.masses, centers, s.gravity)
        for force in s.original.forces:
            stored = force.potential(bodies)
            total = total + (stored.value if isinstance(stored, Jet) else stored)
        return total

    @cached_property
    def _works(self) -> dict[str, np.ndarray]:
        model = self.situation.original
        works = works_since(closed_works(model, self._start), model, self._bodies)
        return {name: self._full(x) for name, x in works.items()}

    @property
    def _accounted(self) -> bool:
        model = self.situation.original
        return not model.motors and all(force.work(self._start) is not None for force in model.forces)

    def _violations(self) -> tuple[np.ndarray, np.ndarray]:
        model, bodies = self.situation.original, self._bodies
        rows: list[Jet] = [row for joint in model.joints for row in joint.equations(bodies)]
        time = Jet(self.t, 1.0, 0.0)
        rows += [coupling.error(model.quantities, bodies, time, bodies.turns) for coupling in model.all_couplings]
        squares = [
            sum((np.square(self._full(x)) for x in level), np.zeros(len(self.t)))
            for level in ([row.value for row in rows], [row.first for row in rows])
        ]
        return np.sqrt(squares[0]), np.sqrt(squares[1])
