"""One row of four-bars in two derivations: by the angle that all uprights share, and by the position of the pin."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

import numpy as np

from grashof.precise.derivation import DIGITS, Columns, Derivations, change_number, effects, exact
from grashof.precise.extrapolation import Done
from grashof.precise.pins import SENTENCE, ZERO, PreciseMoment
from grashof.problems.base import Case
from grashof.problems.four_bar import reference
from grashof.problems.four_bar.chain import PinChain


def derivations(case: Case) -> Derivations:
    """One row that starts upright; E − E₀ is zero, because energy is conserved."""
    windows, speed, gravity = int(case.parameters["N"]), str(case.parameters["speed"]), str(reference.GRAVITY)

    def first(times: Sequence[str], speed: str = speed, gravity: str = gravity) -> Columns:
        pin = reference.precise_motion(times, windows, speed, digits=DIGITS, gravity=gravity)
        return {"x_1": [exact(x) for x in pin.x], "xdot_1": [exact(x) for x in pin.xdot]}

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=DIGITS + 12):
            begin = PreciseMoment([ZERO, Decimal(1)], [Decimal(speed), ZERO], ZERO)
            motion = PinChain(1, windows, gravity).pins.motion(begin, times, DIGITS, done)
            return {"x_1": [now.place[0] for now in motion], "xdot_1": [now.velocity[0] for now in motion]}

    def effect(times: Sequence[str], columns: Columns) -> dict[str, np.ndarray]:
        change = Decimal(10) ** -(DIGITS * 2 // 3)
        others = [
            first([change_number(time, change) for time in times]),
            first(times, speed=change_number(speed, change)),
            first(times, gravity=change_number(gravity, change)),
        ]
        return effects(columns, others, change)

    angle = (
        f"First: the angle that all uprights share is a pendulum's, in Jacobi's elliptic functions with {DIGITS} "
        "digits."
    )
    return Derivations(first, second, effect, (angle, SENTENCE.format(DIGITS)), "g, the initial speed, the time")
