"""The grid in two derivations: by the angles of its rows, and by the positions of their pins."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext
from typing import cast

import numpy as np

from grashof.precise.derivation import DIGITS, Columns, Derivations, change_number, effects, exact
from grashof.precise.extrapolation import Done
from grashof.precise.pins import SENTENCE, ZERO, PreciseMoment
from grashof.problems.base import Case
from grashof.problems.four_bar.chain import PinChain
from grashof.problems.multiple_four_bar import reference

CHAOTIC = 40
"""Number of digits for the standing grid, in which a perturbation grows by a factor of 2e18 in 10 s."""


def derivations(case: Case) -> Derivations:
    """R rows of C windows, hanging or standing."""
    rows, columns, gravity = int(case.parameters["R"]), int(case.parameters["C"]), str(reference.GRAVITY)
    variant = cast(reference.Variant, case.variant)
    digits = CHAOTIC if variant == "upright" else DIGITS

    def first(times: Sequence[str], gravity: str = gravity, pace: str = "1") -> Columns:
        motion = reference.precise_solution(times, rows, columns, variant, digits, gravity, pace)
        names = ("phi_1", "phidot_1", "y_A", "z_A", "energy")
        return {name: [exact(x) for x in values] for name, values in zip(names, motion.columns.T[1:], strict=True)}

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=digits + 12):
            chain = PinChain(rows, columns, gravity)
            motion = chain.pins.motion(_start(rows, variant, digits), times, digits, done)
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
            first([change_number(time, change) for time in times]),
            first(times, gravity=change_number(gravity, change)),
            first(times, pace=change_number("1", change)),
        ]
        return effects(columns, others, change)

    angles = (
        "First: Lagrange's equations of the angles that the verticals of a row share, in Taylor series with "
        f"{digits} digits."
    )
    return Derivations(first, second, effect, (angles, SENTENCE.format(digits)), "g, the initial rate, the time")


def _start(rows: int, variant: reference.Variant, digits: int) -> PreciseMoment:
    """Hanging straight down, or standing; the first row turns at 2π/3 rad/s: towards +y where it hangs, −y where it
    stands."""
    import mpmath

    with mpmath.workdps(digits + 12):
        pi = exact(+mpmath.pi)
    up = 1 if variant == "upright" else -1
    place, velocity = [], []
    for row in range(1, rows + 1):
        place += [ZERO, Decimal(up * row)]
        velocity += [-up * 2 * pi / 3 * (row if variant == "all-rows" else 1), ZERO]
    return PreciseMoment(place, velocity, pi if up == 1 else ZERO)
