"""Named quantities of a motion of rigid bodies: the same as in `Trajectory`, computed from body poses alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from grashof.formulation.natural.energies import stored_energies
from grashof.formulation.natural.system import center, matter
from grashof.formulation.natural.turning import angular_velocity
from grashof.formulation.natural.winding import wind_angles
from grashof.model.bodies import GROUND, Body
from grashof.model.fields import Vector, body_of, dot
from grashof.model.joints import Joint
from grashof.model.measures import MeasureBase
from grashof.model.model import Model
from grashof.quantities.catalog import Catalog, catalog_of
from grashof.quantities.snapshot import Matter, closed_works
from grashof.scalar.functions import Scalar, sqrt
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

    def slipping(self, event: str) -> Scalar:
        """0: other engines do not have rigid contacts with friction."""
        return 0.0

    def bearing(self, joint: str) -> Scalar:
        """Other engines do not return it; forces that depend on it are refused beforehand (see `known` and `loads`)."""
        raise KeyError(joint)

    def point(self, reference: str) -> list[Jet]:
        """Position and velocity of a point."""
        return self.place(body_of(reference), self.model.points[reference])

    def place(self, body: str, local: Vector) -> list[Jet]:
        """Position and velocity of a place in the axes of a body."""
        placed = self._pose_of(body)
        return [p + x for p, x in zip(placed.origin, _along(placed, local), strict=True)]

    def arrow(self, body: str, direction: Vector) -> list[Jet]:
        """A direction drawn with the mechanism's length."""
        return [x * self.length for x in _along(self._pose_of(body), direction)]

    def integral(self, name: str) -> Scalar:
        """Other engines do not return it, nor the joint reactions."""
        raise KeyError(name)

    def switch(self, force: str, active: bool) -> Scalar:
        """Nothing is switched by events here."""
        return 1.0 if active else 0.0

    def axes(self, body: str) -> list[list[Jet]]:
        """The body's own unit axes."""
        return self._pose_of(body).axes

    def measure(self, name: str) -> Jet:
        """A measure or coordinate with its rate; an angle whose whole turns are not known lies within ±π."""
        return self.jet_of(self.model.quantities[name])

    def jet_of(self, measure: MeasureBase) -> Jet:
        """The same of any measure."""
        value: Jet = measure.value(measure.parts(self))
        return Jet(self.turns[measure.name], value.first, 0.0) if measure.name in self.turns else value

    def _pose_of(self, body: str) -> Placed:
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


@dataclass(frozen=True, eq=False)
class BodySnapshot:
    """A mechanism in motion, given by the poses of its bodies: nothing is known of accelerations and forces of
    constraints.

    state   the bodies, as forces see them
    """

    state: Bodies
    complete: ClassVar[bool] = False
    determined: ClassVar[tuple[str, ...]] = ()

    @property
    def model(self) -> Model:
        """Its description."""
        return self.state.model

    @property
    def accounted(self) -> bool:
        """Whether all forces have works in closed form, and no motor drives."""
        model = self.model
        return not model.motors and all(force.work(self.state) is not None for force in model.forces)

    @cached_property
    def kinetic(self) -> Scalar:
        """½ Σ w |ẋ|², J."""
        places = [pair for body in self.model.bodies for pair in self.matter(body)]
        return sum((0.5 * weight * x.first * x.first for weight, place in places for x in place), 0.0)

    @cached_property
    def potential(self) -> Scalar:
        """The potential energy of gravity and springs, J."""
        total: Scalar = 0.0
        for body in self.model.bodies:
            for g, x in zip(self.model.gravity, center(body, self.state), strict=False):
                total = total - body.mass * g * x.value
        return sum(stored_energies(self.model, self.state), total)

    @cached_property
    def works(self) -> dict[str, Scalar]:
        """The works that have closed forms, up to a constant, J."""
        return {name: work.value for name, work in closed_works(self.model, self.state).items()}

    @cached_property
    def violations(self) -> list[Scalar]:
        """The norms of all joint equations and of their first time derivatives."""
        model, state = self.model, self.state
        rows: list[Jet] = [row for joint in model.joints for row in joint.equations(state)]
        time = Jet(state.time, 1.0, 0.0)
        rows += [coupling.error(model.quantities, state, time, state.turns) for coupling in model.all_couplings]
        levels = [row.value for row in rows], [row.first for row in rows]
        return [sqrt(sum((x * x for x in level), 0.0)) for level in levels]

    @property
    def powers(self) -> dict[str, Scalar]:
        """Unknown."""
        return {}

    @property
    def pushes(self) -> dict[str, Scalar]:
        """Unknown."""
        return {}

    @property
    def frictions(self) -> dict[str, Scalar]:
        """Unknown."""
        return {}

    @property
    def efforts(self) -> dict[str, Scalar]:
        """Unknown."""
        return {}

    @property
    def reactions(self) -> dict[str, Scalar]:
        """Unknown."""
        return {}

    def measure(self, name: str) -> Jet:
        """A measure or coordinate with its rate."""
        return self.state.measure(name)

    def accelerating(self, name: str) -> Jet:
        """Unknown."""
        raise KeyError(name)

    def matter(self, body: Body) -> Matter:
        """Where the mass of a body is."""
        return matter(body, self.state)

    def spin(self, body: str) -> list[Scalar]:
        """The angular velocity of a body in space."""
        return angular_velocity(self.state.axes(body))


class ObservedMotion:
    """The motion of a situation's bodies as named quantities: `observed["rod.end.x"]` is an array.

    Names are those of `Trajectory`, as far as positions and velocities of the bodies determine them: not accelerations,
    reactions and integrals, and of the works only those with closed forms; `balance` if all of them have one and no
    motor drives. `names` lists those that a table of a run shows.
    """

    def __init__(self, situation: Situation, motion: Motion) -> None:
        self.situation = situation
        self.motion = motion
        self.t: np.ndarray = np.asarray(motion.times, float)
        self._known: dict[str, np.ndarray] = {"t": self.t}

    @cached_property
    def names(self) -> tuple[str, ...]:
        """All quantities but those that are computed on request."""
        return tuple(name for name, quantity in self._quantities.items() if not quantity.on_request)

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._known:
            quantity = self._quantities[name]
            value = quantity.value(self._snapshot)
            if quantity.since_start:
                value = value - quantity.value(self._start)
            self._known[name] = np.broadcast_to(np.asarray(value, float), self.t.shape)
        return self._known[name]

    @cached_property
    def _quantities(self) -> Catalog:
        return catalog_of(self.situation.original).known(self._start)

    # -- bodies as forces and joints see them

    @cached_property
    def _snapshot(self) -> BodySnapshot:
        bodies = self._bodies_at(self.motion)
        bodies.turns = self._follow_turns(bodies)
        return BodySnapshot(bodies)

    @cached_property
    def _start(self) -> BodySnapshot:
        bodies = self._bodies_at(self._start_motion)
        bodies.turns = {name: np.array([x]) for name, x in self.situation.assembly.angles.items()}
        return BodySnapshot(bodies)

    @cached_property
    def _start_motion(self) -> Motion:
        s = self.situation
        return Motion(np.array([s.time]), s.positions[None], s.rotations[None], s.velocities[None], s.spins[None])

    def _bodies_at(self, motion: Motion) -> Bodies:
        s = self.situation
        origins = [
            [Jet(motion.positions[:, k, i], motion.velocities[:, k, i], 0.0) for i in range(3)]
            for k in range(len(s.bodies))
        ]
        axes = [[list(row) for row in motion.rotations[:, k].transpose(1, 2, 0)] for k in range(len(s.bodies))]
        spins = [list(motion.spins[:, k].T) for k in range(len(s.bodies))]
        placed = placed_bodies(s.original, s.bodies, origins, axes, spins)
        return Bodies(s.original, s.system.length, motion.times, placed)

    def _follow_turns(self, bodies: Bodies) -> dict[str, np.ndarray]:
        """Angles with their whole turns, which are counted along a cubic from one time to the next, since engines
        return nothing in between.
        """
        t = np.concatenate([[self.situation.time], self.t])
        before, now = self._paths(self._bodies_at(self._start_motion)), self._paths(bodies)
        found = {}
        for name, start in self.situation.assembly.angles.items():
            z, rate = (
                np.concatenate([a, np.broadcast_to(b, self.t.shape)])
                for a, b in zip(before[name], now[name], strict=True)
            )
            found[name] = wind_angles(start, t, z, rate).angle[1:]
        return found

    def _paths(self, bodies: Bodies) -> dict[str, tuple[np.ndarray, np.ndarray]]:
        """ℓ² (cos θ + i sin θ) of every angle, and its rate."""
        measures = self.situation.original.all_measures.items()
        parts = {name: angle.parts(bodies) for name, angle in measures if angle.winds}
        return {name: (c.value + 1j * s.value, c.first + 1j * s.first) for name, (s, c) in parts.items()}
