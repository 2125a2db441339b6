"""The start for other values of open numbers: equations that native code solves, one Newton step or two at a time.

    positions    Φ(t, q) = 0 and the values that the start requires, with the least change in the metric of M
    velocities   J v = −Φ_t and the rates that it requires, with the least kinetic energy

The start requires its needs and wants. Whatever these leave undetermined stays as near to the
nominal start as possible.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grashof.assembly.positions import fixed_angles
from grashof.formulation.natural.couplings import CouplingRow, row_of
from grashof.formulation.natural.equations import Dynamics, make_dynamics
from grashof.formulation.natural.state import SystemState, measure_parts
from grashof.formulation.natural.system import System
from grashof.formulation.natural.turning import turning_rows
from grashof.model.couplings import CouplingBase, Motor
from grashof.model.couplings.base import CoupledPlace
from grashof.model.fields import dot
from grashof.model.start import Condition
from grashof.scalar.functions import Scalar, minimum

STEPS = 2
"""Newton steps with one factorisation."""

TURNED = 1e-9
"""Weight of each radian by which a tracked angle misses its required value, in lengths of the mechanism: a whole
turn is noticed, round-off is not."""


class StartEquations:
    """The equations of a start, over any scalars.

    conditions   what the start requires
    keeping      couplings that keep the value they have there
    """

    def __init__(self, dynamics: Dynamics, conditions: Sequence[Condition], keeping: Sequence[CouplingBase]) -> None:
        self.dynamics, self.system, self.keeping = dynamics, dynamics.system, keeping
        self.rated = [x for x in conditions if x.rate is not None]
        self.turning = [x for x in conditions if x.angular_velocity]
        names = {coupling.name for coupling in keeping}
        rows = [row for row in self.system.couplings if row.owner not in names]
        rows += [_held(self.system, x) for x in conditions if x.value is not None]
        self._placing = make_dynamics(replace(self.system, couplings=tuple(rows)))

    def placed(self, t: Scalar, q: Sequence[Scalar], e: Sequence[Scalar]) -> list[Scalar]:
        """q moved towards a solution of the equations, e with the tracked angles there; then the squares of the last
        move, of the previous one, and of the residual of the equations, m²."""
        placing = self._placing
        turns, q = placing.rows.turns(e), list(q)
        jacobian = placing.rows.jacobian(t, q, turns)
        correction, sizes = placing.corrections(jacobian), []
        for _ in range(STEPS):
            moves = correction(placing.rows.violation(t, q, turns))
            q = [x + dx for x, dx in zip(q, moves, strict=True)]
            sizes.append(dot(moves, moves))
        e = list(e)
        for k, name in enumerate(self.system.tracked):
            angle = self.system.model.quantities[name]
            if angle.winds:
                parts = [part.at(q) for part in measure_parts(self.system, angle)]
                e[k] = e[k] + angle.ahead(parts, e[k])
        free = [coupling.name for coupling in self.keeping]  # the values they keep are found here
        asked = {angle.name: value for angle, value in fixed_angles(self.system, t, free)}
        turned = [x - asked[name] for x, name in zip(e, self.system.tracked, strict=False) if name in asked]
        missed = [
            *placing.rows.violation(t, q, placing.rows.turns(e)),
            *(TURNED * self.system.length * x for x in turned),
        ]
        frames = (frame for frame in self.system.frames.values() if frame.mirrorable)
        missed += [self.system.length * minimum(frame.handedness(q), 0.0) for frame in frames]  # a mirror image
        return [*q, *e, *reversed(sizes), dot(missed, missed) if missed else 0.0]

    def kept(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The values that couplings keep."""
        motion = self.dynamics.state(x)
        found = []
        for coupling in self.keeping:
            names = [measure.name for measure in coupling.measures(self.system.model.quantities)]
            found.append(coupling.equation([motion.measure(name).value for name in names], motion.time))
        return found

    def launched(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], e: Sequence[Scalar]) -> list[Scalar]:
        """v with the required rates, changed as little as possible; then the square of the last move, (m/s)²."""
        dynamics = self._moving(t, q)
        turns = dynamics.rows.turns(e)
        jacobian = dynamics.velocity_rows.jacobian(t, q, turns, ())
        slip = dynamics.velocity_rows.slip(t, q, turns)
        correction, rows, v = dynamics.corrections(jacobian), dynamics.moving.rows(jacobian), list(v)
        moves: list[Scalar] = []
        for _ in range(STEPS):
            rest = [sum((x * v[a] for a, x in row.items()), drift) for row, drift in zip(rows, slip, strict=True)]
            moves = correction(rest)
            v = [x + dx for x, dx in zip(v, moves, strict=True)]
        return [*v, dot(moves, moves)]

    def _moving(self, t: Scalar, q: Sequence[Scalar]) -> Dynamics:
        """The dynamics with additional rows that prescribe the rates of quantities at their present values."""
        system, state = self.system, SystemState(self.system, t, q, [0.0] * self.system.n)
        rows = []
        for condition in self.rated:
            here, rate = state.measure(condition.quantity).value, condition.rate
            motor = Motor(condition.quantity, condition.quantity, speed=rate, offset=here - rate * t)
            rows.append(_row(system, motor))
        for condition in self.turning:
            for row in turning_rows(system, condition, q):
                coupling = _Turning(condition.quantity, row.factors, row.rate)
                rows.append(CouplingRow(coupling, (), (row.parts,), (), system.length))
        return make_dynamics(replace(system, couplings=(*system.couplings, *rows)))


class _Turning(CouplingBase, frozen=True):
    """A row of an angular velocity, as the rate of an expression that holds at one position."""

    factors: tuple[Scalar, ...]
    rate: Scalar

    @property
    def timed(self) -> bool:
        return True

    def miss(self, place: CoupledPlace) -> Scalar:
        return (dot(self.factors, place.parts[0]) - self.rate * place.time) * place.length


def _held(system: System, condition: Condition) -> CouplingRow:
    return _row(system, Motor(condition.quantity, condition.quantity, speed=0.0, offset=condition.value))


def _row(system: System, motor: Motor) -> CouplingRow:
    return row_of(system, motor, system.model.quantities[motor.target])
