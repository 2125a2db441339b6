"""A mechanism in motion as its quantities see it, at one time or at many, over any scalars."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Protocol

from grashof.formulation.natural.couplings import CouplingRow
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Expression, curvature_of, rate_of
from grashof.formulation.natural.resting import pushes
from grashof.formulation.natural.rigid import squared_violations
from grashof.formulation.natural.slips import SlipRow
from grashof.formulation.natural.state import SystemState, measure_parts, sum_of_gradients
from grashof.formulation.natural.system import System, matter
from grashof.formulation.natural.turning import angular_velocity
from grashof.model.bodies import Body
from grashof.model.couplings import CouplingBase
from grashof.model.model import Model
from grashof.model.state import State
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
    def efforts(self) -> Mapping[str, Scalar]:
        """The forces or torques of couplings and motors along their first measures."""

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
        found = pushes(self.dynamics, self.state)
        return {name: x for name, (_, x) in zip(self.dynamics.layout.resting, found, strict=True)}

    @cached_property
    def efforts(self) -> dict[str, Scalar]:
        """The forces or torques of couplings and motors along their first measures."""
        system = self.dynamics.system
        multipliers = self.dynamics.accelerations(self.state)[1][len(system.rows) :]
        rows = zip(_tying(system), multipliers, strict=False)
        return {row.owner: self._effort(row.coupling, row, x) for row, x in rows if row.coupling is not None}

    def _effort(self, coupling: CouplingBase, row: CouplingRow | SlipRow, multiplier: Scalar) -> Scalar:
        """The effort E of a coupling, of which its loads on the measures are `shares`: −λ ∂Φ/∂q = E Σ shareᵢ ∂mᵢ/∂q."""
        state, turns = self.state, self.dynamics.rows.turns(self.extra)
        measures = coupling.measures(self.model.quantities)
        shares = coupling.shares([state.jet_of(measure).value for measure in measures], state.time)
        loads = sum_of_gradients([state.gradient(x, [y]) for x, y in zip(measures, shares, strict=True)])
        slope = row.gradient(state.time, state.q, turns)
        along = sum(x * slope[a] for a, x in loads.items() if a in slope)
        return -multiplier * along / sum(x * x for x in loads.values())

    def measure(self, name: str) -> Jet:
        """A measure or coordinate with its rate; or an integral."""
        return self.state.measure(name)

    def accelerating(self, name: str) -> Jet:
        """A measure or coordinate with its rate and its acceleration."""
        measure = self.model.quantities[name]
        value = measure.value([self._jet(part) for part in measure_parts(self.dynamics.system, measure)])
        return value if isinstance(value, Jet) else Jet(value, 0.0, 0.0)

    def matter(self, body: Body) -> Matter:
        """Where the mass of a body is."""
        return [(weight, [self._jet(x) for x in place]) for weight, place in matter(body, self.dynamics.system)]

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

    def _jet(self, expression: Expression) -> Jet:
        q, v = self.state.q, self.state.v
        bent = rate_of(expression, q, self._accelerations) + curvature_of(expression, v)
        return Jet(expression.at(q), rate_of(expression, q, v), bent)


def _tying(system: System) -> tuple[CouplingRow | SlipRow, ...]:
    """The rows of couplings, and those for velocities only."""
    return (*system.couplings, *system.slips)


def closed_works(model: Model, state: State) -> dict[str, Jet]:
    """The work of each force for which there is a closed form, J, up to a constant, with its rate."""
    works = {force.name: force.work(state) for force in model.acting}
    return {name: work for name, work in works.items() if isinstance(work, Jet)}
