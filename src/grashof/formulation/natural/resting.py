"""Limits against which a measure rests.

A measure m that bounces at a value c (see `model.events`) may come to rest there. While it rests, it is held by a row
of its own:

    s (m − c) = 0        s = 1: it is free above c, s = −1: below c, s = 0: it does not rest there, and the row is empty

If it is pressed against the limit with friction, the slide along it (see `forces.base.Rub`) may be held, too: while it
sticks, its rate is held at zero by a row for velocities.

The quasi-definite system (see `kkt`) can be solved with empty rows, too: their multipliers are zero. The limit pushes
the bodies with −s λ ∇(m − c), in the free direction. It cannot pull: where −λ, the force that presses the bodies
against it, falls to zero, the measure is released.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grashof.formulation.natural.couplings import CouplingRow, row_of
from grashof.formulation.natural.system import System
from grashof.model.couplings import CouplingBase
from grashof.model.couplings.base import CoupledPlace
from grashof.model.measures import Measure
from grashof.scalar.functions import Scalar, absolute, where

if TYPE_CHECKING:
    from grashof.formulation.natural.equations import Dynamics
    from grashof.formulation.natural.state import SystemState

STICKS = 1e-10
"""A measure leaves a limit that would have to pull with more than this fraction of all forces: less is round-off."""

TINY = 1e-300
"""N: a measure at rest stays there if there is no force at all."""


class Resting(CouplingBase, frozen=True):
    """m − c = 0, for a measure that is within half a turn of c if it is an angle that winds."""

    measure: str
    limit: float

    def miss(self, place: CoupledPlace) -> Scalar:
        (measure,) = place.measures
        value = measure.value(place.parts[0], self.limit if measure.winds else None)
        return (value - self.limit) * unit(measure, place.length)


class Sticking(CouplingBase, frozen=True):
    """ṁ = 0, for the slide m of what rests, or the displacement m in a joint with dry friction."""

    slide: str

    def miss(self, place: CoupledPlace) -> Scalar:
        return place.measures[0].value(place.parts[0]) * unit(place.measures[0], place.length)


def held_by_row(sticks: Scalar) -> Scalar:
    """The factor of the row of what sticks: 1 while it is held by this row, 0 while it slips (0), or is held by other
    rows (2; see `grips`)."""
    return sticks * (2.0 - sticks)


def unit(measure: Measure, length: float) -> float:
    """The length in metres that corresponds to one unit of a measure: ∂(row)/∂m."""
    return length if measure.unit == "rad" else 1.0


def resting_rows(system: System) -> tuple[CouplingRow, ...]:
    """The rows m − c of all bounces, in the order of `Model.bouncing`; in metres, and not yet multiplied by s."""
    rows = []
    for event in system.model.all_events:
        if event.bounces is not None:
            measure = system.model.quantities[event.quantity]
            rows.append(row_of(system, Resting(event.name, event.quantity, event.crosses), measure))
    return tuple(rows)


def sticking_rows(system: System) -> tuple[CouplingRow, ...]:
    """The rows of the slides of all that bounces with friction, for velocities only, in the order of `Model.rubs`; then
    those of the joints that stick by dry friction, in the order of `Model.grips`."""
    model = system.model
    slides = [(rub.event, rub.slide) for rub in model.rubs] + [(grip.name, grip.measure) for grip in model.grips]
    return tuple(row_of(system, Sticking(name, slide), model.quantities[slide]) for name, slide in slides)


def rubbing(dynamics: Dynamics, motion: SystemState) -> list[Scalar]:
    """For each bounce, the force that presses against its limit, N along its row, and the acceleration of the row, in
    m/s²; then, for each one with friction, the force along its slide if it sticks, N, and the rate and the acceleration
    of the slide; then a force that is round-off, N, also where all forces cancel."""
    a, multipliers = dynamics.accelerations(motion)
    forces = dynamics.single_forces(dynamics.loaded(motion))
    limited, found = dynamics.limited, list[Scalar]()

    def acceleration(row: CouplingRow) -> Scalar:
        total = -row.bias(motion.time, motion.q, motion.v, ())
        for i, x in row.gradient(motion.time, motion.q, ()).items():
            total = total + x * a[i]
        return total

    for k, row in enumerate(limited.limits, limited.first_limit):
        found += [-multipliers[k], acceleration(row)]
    for k, (row, rub) in enumerate(zip(limited.sticks, dynamics.model.rubs, strict=False), limited.first_stick):
        found += [multipliers[k], motion.measure(rub.slide).first, acceleration(row)]
    return [*found, round_off(forces, multipliers)]


def pressing(dynamics: Dynamics, motion: SystemState) -> list[Scalar]:
    """For each bounce, the force with which the bodies press against its limit, N along its row; then, again for each
    bounce, this force with a margin for round-off: a measure stays at rest while that is positive. It is 1 where the
    measure does not rest.
    """
    _, multipliers = dynamics.accelerations(motion)
    forces = dynamics.forces(dynamics.loaded(motion))
    return with_margin(dynamics, motion, forces, multipliers, dynamics.limited.first_limit)


def with_margin(
    dynamics: Dynamics, motion: SystemState, forces: Sequence[Scalar], multipliers: Sequence[Scalar], first: int
) -> list[Scalar]:
    """The result of `pressing`, given all forces and multipliers, and the number of the first limit's multiplier."""
    total = round_off(forces, multipliers)
    pressed = [-x for x in multipliers[first:]]
    sides = [motion.resting.get(row.owner, 0.0) for row in dynamics.limits]
    return [*pressed, *(where(s * s, x + total, 1.0) for s, x in zip(sides, pressed, strict=True))]


def round_off(forces: Sequence[Scalar], multipliers: Sequence[Scalar]) -> Scalar:
    """A force that is small compared with all forces, N."""
    total: Scalar = TINY
    for x in (*forces, *multipliers):
        total = total + STICKS * absolute(x)
    return total


def pushes(dynamics: Dynamics, motion: SystemState) -> list[tuple[str, Scalar]]:
    """Forces and torques of the limits against which measures rest: the measure, and the effort along it, N or N m."""
    if not dynamics.limits:
        return []
    _, multipliers = dynamics.accelerations(motion)
    found = []
    for row, multiplier in zip(dynamics.limits, multipliers[dynamics.limited.first_limit :], strict=True):
        measure, side = row.measures[0], motion.resting.get(row.owner, 0.0)
        found.append((measure.name, -multiplier * side * unit(measure, row.length)))
    return found
