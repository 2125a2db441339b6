"""A mechanism in motion as its quantities see it, at one time or at many, over any scalars."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from grashof.formulation.natural.couplings import CouplingRow
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Expression, curvature_of, rate_of
from grashof.formulation.natural.grips import frictions, holds
from grashof.formulation.natural.resting import pushes
from grashof.formulation.natural.rigid import squared_violations
from grashof.formulation.natural.slips import SlipRow
from grashof.formulation.natural.state import SystemState, measure_parts, sum_of_gradients
from grashof.formulation.natural.system import System, center, matter
from grashof.formulation.natural.turning import angular_velocity
from grashof.model.bodies import GROUND, Body
from grashof.model.couplings import CouplingBase
from grashof.model.fields import Vector, body_of
from grashof.model.measures import MeasureBase
from grashof.model.model import Model
from grashof.model.state import State
from grashof.quantities.wrenches import COMPONENTS, Carriers, cross, solve_wrenches, unique_components
from grashof.scalar.functions import Scalar, sqrt
from grashof.scalar.jet import Jet

Matter = list[tuple[Scalar, list[Jet]]]
"""A body as weights w, kg, at vectors x, m: T = ½ Σ w |ẋ|², and its angular momentum is Σ w x × ẋ. The first is its
mass at the centre of mass."""


class Snapshot(Protocol):
    """A mechanism in motion."""

    @property
    def model(self) -> Model:
        """Its description."""

    @property
    def state(self) -> State:
        """Its points, measures and integrals, with their rates."""

    @property
    def complete(self) -> bool:
        """Whether it also knows accelerations, integrals and forces of constraints, not only positions and
        velocities."""

    @property
    def accounted(self) -> bool:
        """Whether the works of all forces, motors and bounces are known."""

    @property
    def determined(self) -> Container[str]:
        """The names of couplings and motors whose efforts are unique."""

    @property
    def kinetic(self) -> Scalar:
        """The kinetic energy, J."""

    @property
    def potential(self) -> Scalar:
        """The potential energy of gravity and springs, J."""

    @property
    def works(self) -> Mapping[str, Scalar]:
        """The work of each force, motor and bounce, up to a constant, J."""

    @property
    def powers(self) -> Mapping[str, Scalar]:
        """The rates of these works, W."""

    @property
    def violations(self) -> Sequence[Scalar]:
        """The norms of all joint equations, of their first and of their second time derivatives."""

    @property
    def pushes(self) -> Mapping[str, Scalar]:
        """The forces or torques of rigid stops and bounces along their measures."""

    @property
    def frictions(self) -> Mapping[str, Scalar]:
        """The dry friction of joints that stick exactly."""

    @property
    def efforts(self) -> Mapping[str, Scalar]:
        """The forces or torques of couplings and motors along their first measures."""

    @property
    def reactions(self) -> Mapping[str, Scalar]:
        """The components of joint reactions, N and N m."""

    def measure(self, name: str) -> Jet:
        """A measure or coordinate with its rate; or an integral."""

    def accelerating(self, name: str) -> Jet:
        """A measure or coordinate with its rate and its acceleration."""

    def matter(self, body: Body) -> Matter:
        """Where the mass of a body is."""

    def spin(self, body: str) -> list[Scalar]:
        """The angular velocity of a body in space."""


@dataclass(frozen=True, eq=False)
class CoordinateSnapshot:
    """A mechanism in motion, given by its coordinates.

    extra        the extra states (see `Layout`)
    find_rates   gives the accelerations and the rates of the extra states, which few quantities need
    """

    model: Model
    dynamics: Dynamics
    state: SystemState
    extra: Sequence[Scalar]
    find_rates: Callable[[], Sequence[Scalar]]
    complete: ClassVar[bool] = True
    accounted: ClassVar[bool] = True

    @property
    def determined(self) -> list[str]:
        """The names of couplings and motors whose efforts are unique: their rows take part in no dependency."""
        system, redundant = self.dynamics.system, self.dynamics.redundant
        rows = enumerate(_tying(system), start=len(system.rows))
        return [row.owner for k, row in rows if k not in redundant and row.coupling is not None]

    @cached_property
    def kinetic(self) -> Scalar:
        """The kinetic energy, J."""
        energies = self.dynamics.energies
        return energies.with_inerters(energies.kinetic(self.state.v), self.state)

    @cached_property
    def potential(self) -> Scalar:
        """The potential energy of gravity and springs, J."""
        return self.dynamics.energies.potential(self.state)

    @cached_property
    def works(self) -> dict[str, Scalar]:
        """The works that have closed forms, then those that are integrated, J."""
        found: dict[str, Scalar] = {name: work.value for name, work in closed_works(self.model, self.state).items()}
        count = len(self.dynamics.layout.works)
        return found | dict(zip(self.dynamics.layout.works, self.extra[len(self.extra) - count :], strict=True))

    @cached_property
    def powers(self) -> dict[str, Scalar]:
        """The rates of these works, W."""
        found: dict[str, Scalar] = {name: work.first for name, work in closed_works(self.model, self.state).items()}
        count = len(self.dynamics.layout.works)
        return found | dict(zip(self.dynamics.layout.works, self._rates[len(self._rates) - count :], strict=True))

    @cached_property
    def violations(self) -> Sequence[Scalar]:
        """The norms of all joint equations, of their first and of their second time derivatives."""
        system, state = self.dynamics.system, self.state
        turns = [state.turns[name] for name in system.tracked]
        squares = squared_violations(system, state.time, state.q, state.v, self._accelerations, turns)
        return [sqrt(x) for x in squares]

    @cached_property
    def pushes(self) -> dict[str, Scalar]:
        """The forces or torques of rigid stops and bounces along their measures."""
        found = pushes(self.dynamics, self._natural_state)
        return {name: x for name, (_, x) in zip(self.dynamics.layout.resting, found, strict=True)}

    @cached_property
    def frictions(self) -> dict[str, Scalar]:
        """The dry friction of joints that stick exactly."""
        return frictions(self.dynamics, self._natural_state)

    @cached_property
    def efforts(self) -> dict[str, Scalar]:
        """The forces or torques of couplings and motors along their first measures."""
        system = self.dynamics.system
        multipliers = self.dynamics.accelerations(self._natural_state)[1][len(system.rows) :]
        rows = zip(_tying(system), multipliers, strict=False)
        return {row.owner: self._effort(row.coupling, row, x) for row, x in rows if row.coupling is not None}

    @cached_property
    def _natural_state(self) -> SystemState:
        """The state whose gradients are those with respect to natural coordinates, whatever the motion is computed
        in."""
        state = self.state
        return self.dynamics.state([state.time, *state.q, *state.v, *self.extra])

    def _effort(self, coupling: CouplingBase, row: CouplingRow | SlipRow, multiplier: Scalar) -> Scalar:
        """The effort E of a coupling, of which its loads on the measures are `shares`: −λ ∂Φ/∂q = E Σ shareᵢ ∂mᵢ/∂q."""
        state, turns = self._natural_state, self.dynamics.rows.turns(self.extra)
        measures = coupling.measures(self.model.quantities)
        shares = coupling.shares([state.jet_of(measure).value for measure in measures], state.time)
        loads = sum_of_gradients([state.gradient(x, [y]) for x, y in zip(measures, shares, strict=True)])
        slope = row.gradient(state.time, state.q, turns)
        along = sum(x * slope[a] for a, x in loads.items() if a in slope)
        return -multiplier * along / sum(x * x for x in loads.values())

    @cached_property
    def reactions(self) -> dict[str, Scalar]:
        """The components of joint reactions on the second bodies, N and N m; the smallest ones if they are not
        unique."""
        length, size = self.dynamics.length, self.model.dimension
        found: dict[str, Scalar] = {}
        for joint, wrench in solve_wrenches(self._carriers, self._needs()).items():
            for k, (component, x) in enumerate(zip(COMPONENTS[size], wrench, strict=True)):
                found[f"{joint}.{component}"] = x if k < size else length * x
        return found

    @cached_property
    def unique_reactions(self) -> set[str]:
        """Those that the motion determines, at a position in numbers."""
        return unique_components(self._carriers, [body.name for body in self.model.bodies])

    @cached_property
    def _carriers(self) -> Carriers:
        system = self.dynamics.system
        centers = {body.name: [self.jet(x).value for x in center(body, system)] for body in self.model.bodies}
        return Carriers(self.model, _Moving(self), centers, self._shares, self.state.time)

    def _shares(self, coupling: CouplingBase) -> Sequence[Scalar]:
        """The efforts along the measures of a coupling in proportion to the one along the first."""
        measures = coupling.measures(self.model.quantities)
        return coupling.shares([self.state.jet_of(measure).value for measure in measures], self.state.time)

    def _needs(self) -> dict[str, list[Scalar]]:
        """By body, the wrench (f, m/ℓ) at its centre of mass that it needs beyond gravity and the forces of the model
        (Newton, Euler)."""
        model, carriers, length = self.model, self._carriers, self.dynamics.length
        needs: dict[str, list[Scalar]] = {body.name: [0.0] * carriers.size for body in model.bodies}

        def add(body: str, wrench: Sequence[Scalar]) -> None:
            if body != GROUND:
                needs[body] = [x + y for x, y in zip(needs[body], wrench, strict=True)]

        def add_along(measure: MeasureBase, effort: Scalar) -> None:
            for body in set(measure.bodies) - {GROUND}:
                add(body, [effort * x for x in carriers.gradient(measure, body)])

        for body in model.bodies:
            for k, (weight, place) in enumerate(self.matter(body)):
                second = [x.second for x in place]
                if k == 0:
                    pull = [weight * (a - g) for a, g in zip(second, (*model.gravity, 0.0, 0.0), strict=False)]
                    add(body.name, [*pull, *[0.0] * (carriers.size - len(pull))])
                else:
                    turning = cross([x.value for x in place], second)
                    add(body.name, [*[0.0] * len(place), *(weight / length * x for x in turning)])
        motion = self.dynamics.loaded(self.state)
        for force in model.acting:
            for target, effort in force.loads(motion):
                measure = model.target(target)
                if measure is not None:
                    add_along(measure, -effort[0])
                elif isinstance(target, str) and body_of(target) != GROUND:
                    place = [self.jet(x).value for x in self.dynamics.system.point(target)]
                    arm = [x - y for x, y in zip(place, carriers.centers[body_of(target)], strict=True)]
                    add(body_of(target), [*(-x for x in effort), *(-x / length for x in cross(arm, effort))])
        for name, inertance in model.inertances:
            add_along(model.quantities[name], inertance * self.accelerating(name).second)
        for name, push in (*pushes(self.dynamics, motion), *holds(self.dynamics, self._natural_state)):
            add_along(model.quantities[name], -push)
        return needs

    def measure(self, name: str) -> Jet:
        """A measure or coordinate with its rate; or an integral."""
        return self.state.measure(name)

    def accelerating(self, name: str) -> Jet:
        """A measure or coordinate with its rate and its acceleration."""
        measure = self.model.quantities[name]
        value = measure.value([self.jet(part) for part in measure_parts(self.dynamics.system, measure)])
        return value if isinstance(value, Jet) else Jet(value, 0.0, 0.0)

    def matter(self, body: Body) -> Matter:
        """Where the mass of a body is."""
        return [(weight, [self.jet(x) for x in place]) for weight, place in matter(body, self.dynamics.system)]

    def spin(self, body: str) -> list[Scalar]:
        """The angular velocity of a body in space."""
        directions = self.dynamics.system.frames[body].directions
        return angular_velocity([[self.state.jet(x) for x in d] for d in directions])

    @cached_property
    def _rates(self) -> Sequence[Scalar]:
        return self.find_rates()

    @property
    def _accelerations(self) -> Sequence[Scalar]:
        return self._rates[self.dynamics.layout.of_a]

    def jet(self, expression: Expression) -> Jet:
        """An expression's value, rate and acceleration."""
        q, v = self.state.q, self.state.v
        bent = rate_of(expression, q, self._accelerations) + curvature_of(expression, v)
        return Jet(expression.at(q), rate_of(expression, q, v), bent)


@dataclass(frozen=True, eq=False)
class _Moving:
    """The bodies of a snapshot as fields over jets."""

    now: CoordinateSnapshot

    @property
    def dimension(self) -> int:
        return self.now.dynamics.system.dimension

    @property
    def length(self) -> float:
        return self.now.dynamics.length

    def point(self, reference: str) -> list[Scalar]:
        """Position, velocity and acceleration of a point."""
        return [self.now.jet(x) for x in self.now.dynamics.system.point(reference)]

    def arrow(self, body: str, direction: Vector) -> list[Scalar]:
        """A direction fixed in a body."""
        return [self.now.jet(x) for x in self.now.dynamics.system.arrow(body, direction)]


def _tying(system: System) -> tuple[CouplingRow | SlipRow, ...]:
    """The rows of couplings, and those for velocities only."""
    return (*system.couplings, *system.slips)


def closed_works(model: Model, state: State) -> dict[str, Jet]:
    """The work of each force for which there is a closed form, J, up to a constant, with its rate."""
    works = {force.name: force.work(state) for force in model.acting}
    return {name: work for name, work in works.items() if isinstance(work, Jet)}
