"""Rows of four-bars, one or many above each other (the grid), in two derivations.

On their branch all verticals of a row are parallel and all horizontals stay horizontal, so that the pins of a level move
alike. Once the rows are described by their angles (see the problems' own `reference` modules), once by the pins: R moving
pins in a chain from the origin; C + 1 verticals join a pin to the one before it, C horizontals are carried by a pin.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from typing import cast

import numpy as np

from grashof.problems.base import Case
from grashof.problems.four_bar import reference as four_bar
from grashof.problems.multiple_four_bar import reference as grid
from grashof.references.derivation import Columns, Derivations, changed, effects, exact
from grashof.references.extrapolation import Done
from grashof.references.pins import SENTENCE, ZERO, Body, Moment, Pins, dot

DIGITS = 25
"""To calculate with for doubles that are right to the last place."""

CHAOTIC = 40
"""The same for the standing grid, where a difference grows 2e18-fold in 10 s."""


def four_bars(case: Case) -> Derivations:
    """One row that starts upright; E − E₀ is zero, as nothing takes energy away."""
    windows, speed, gravity = int(case.parameters["N"]), str(case.parameters["speed"]), str(four_bar.GRAVITY)

    def first(times: Sequence[str], speed: str = speed, gravity: str = gravity) -> Columns:
        pin = four_bar.precise_motion(times, windows, speed, digits=DIGITS, gravity=gravity)
        return {"x_1": [exact(x) for x in pin.x], "xdot_1": [exact(x) for x in pin.xdot]}

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=DIGITS + 12):
            begin = Moment([ZERO, Decimal(1)], [Decimal(speed), ZERO], ZERO)
            motion = Chain(1, windows, gravity).pins.motion(begin, times, DIGITS, done)
            return {"x_1": [now.place[0] for now in motion], "xdot_1": [now.velocity[0] for now in motion]}

    def effect(times: Sequence[str], columns: Columns) -> dict[str, np.ndarray]:
        change = Decimal(10) ** -(DIGITS * 2 // 3)
        others = [
            first([changed(time, change) for time in times]),
            first(times, speed=changed(speed, change)),
            first(times, gravity=changed(gravity, change)),
        ]
        return effects(columns, others, change)

    angle = f"First: the angle that all uprights share is a pendulum's, in Jacobi's elliptic functions with {DIGITS} digits."
    return Derivations(first, second, effect, (angle, SENTENCE.format(DIGITS)), "g, the initial speed, the time")


def many_rows(case: Case) -> Derivations:
    """The grid."""
    rows, columns, gravity = int(case.parameters["R"]), int(case.parameters["C"]), str(grid.GRAVITY)
    variant = cast(grid.Variant, case.variant)
    digits = CHAOTIC if variant == "upright" else DIGITS

    def first(times: Sequence[str], gravity: str = gravity, pace: str = "1") -> Columns:
        motion = grid.precise_solution(times, rows, columns, variant, digits, gravity, pace)
        names = ("phi_1", "phidot_1", "y_A", "z_A", "energy")
        return {name: [exact(x) for x in values] for name, values in zip(names, motion.columns.T[1:], strict=True)}

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=digits + 12):
            chain = Chain(rows, columns, gravity)
            motion = chain.pins.motion(_grid_start(rows, variant, digits), times, digits, done)
            return {
                "phi_1": [now.angle for now in motion],
                "phidot_1": [now.place[0] * now.velocity[1] - now.place[1] * now.velocity[0] for now in motion],
                "y_A": [columns + now.place[-2] for now in motion],
                "z_A": [now.place[-1] for now in motion],
                "energy": [chain.energy(now) for now in motion],
            }

    def effect(times: Sequence[str], columns: Columns) -> dict[str, np.ndarray]:
        change = Decimal(10) ** -(digits * 2 // 3)
        others = [
            first([changed(time, change) for time in times]),
            first(times, gravity=changed(gravity, change)),
            first(times, pace=changed("1", change)),
        ]
        return effects(columns, others, change)

    angles = f"First: Lagrange's equations of the angles that the verticals of a row share, in Taylor series with {digits} digits."
    return Derivations(first, second, effect, (angles, SENTENCE.format(digits)), "g, the initial rate, the time")


class Chain:
    """R rows of C windows, bars of 1 m and 1 kg, as pins: 0 to R − 1 move, R is the origin."""

    def __init__(self, rows: int, columns: int, gravity: str) -> None:
        verticals, horizontals = Decimal(columns + 1), Decimal(columns)
        levels = [(rows if pin == 0 else pin - 1, pin) for pin in range(rows)]
        bodies = [Body(*level, verticals, (Decimal("0.5"), ZERO), verticals / 12) for level in levels]
        bodies += [Body(pin, pin, horizontals, (ZERO, ZERO), ZERO) for pin in range(rows)]
        loads = [horizontals + (verticals / 2 if pin == rows - 1 else verticals) for pin in range(rows)]
        self.weight = [force for load in loads for force in (ZERO, -Decimal(gravity) * load)]
        self.pins = Pins(rows, [(ZERO, ZERO)], bodies, levels, lambda place: self.weight)

    def energy(self, now: Moment) -> Decimal:
        """T + V, J; V = 0 with all pins at the origin's height."""
        return self.pins.kinetic(now.velocity) - dot(self.weight, now.place)


def _grid_start(rows: int, variant: grid.Variant, digits: int) -> Moment:
    """Hanging straight down, or standing; the first row turns at 2π/3 rad/s: towards +y where it hangs, −y where it stands."""
    import mpmath

    with mpmath.workdps(digits + 12):
        pi = exact(+mpmath.pi)
    up = 1 if variant == "upright" else -1
    place, velocity = [], []
    for row in range(1, rows + 1):
        place += [ZERO, Decimal(up * row)]
        velocity += [-up * 2 * pi / 3 * (row if variant == "all-rows" else 1), ZERO]
    return Moment(place, velocity, pi if up == 1 else ZERO)
