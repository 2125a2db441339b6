"""The pendulum in two derivations: its angle in elliptic functions, and the position of its mass."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal, localcontext

import numpy as np

from grashof.precise.derivation import DIGITS, Columns, Derivations, change_number, effects, exact
from grashof.precise.extrapolation import Done
from grashof.precise.pins import SENTENCE, ZERO, Pins, PreciseBody, PreciseMoment
from grashof.problems.base import Case
from grashof.problems.pendulum import reference

GRAVITY = str(reference.GRAVITY)


def derivations(case: Case) -> Derivations:
    """Released at rest; E − E₀ is zero, because energy is conserved."""

    def first(times: Sequence[str], gravity: str = GRAVITY, length: str = "1") -> Columns:
        found = list(reference.places(times, DIGITS, gravity, length))
        return {"x": [exact(x) for x, _ in found], "y": [exact(y) for _, y in found]}

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=DIGITS + 12):
            bob = PreciseBody(1, 0, Decimal(1), (Decimal(1), ZERO), ZERO)
            pins = Pins(1, [(ZERO, ZERO)], [bob], [(1, 0)], lambda place: [ZERO, -Decimal(GRAVITY)])
            motion = pins.motion(PreciseMoment([Decimal(-1), ZERO], [ZERO, ZERO], ZERO), times, DIGITS, done)
            return {"x": [now.place[0] for now in motion], "y": [now.place[1] for now in motion]}

    def effect(times: Sequence[str], columns: Columns) -> dict[str, np.ndarray]:
        change = Decimal(10) ** -(DIGITS * 2 // 3)
        others = [
            first([change_number(time, change) for time in times]),
            first(times, gravity=change_number(GRAVITY, change)),
            first(times, length=change_number("1", change)),
        ]
        return effects(columns, others, change)

    angle = f"First: the angle in Jacobi's elliptic functions with {DIGITS} digits."
    return Derivations(first, second, effect, (angle, SENTENCE.format(DIGITS)), "g, the length, the time")
