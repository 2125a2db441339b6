"""Sine and cosine of decimal numbers, to the precision of the current context."""

from __future__ import annotations

from decimal import Decimal, getcontext, localcontext
from functools import cache

GUARD = 12
"""Digits with which more is calculated than the context has."""


@cache
def pi(digits: int) -> Decimal:
    """π to this number of digits."""
    import mpmath

    with mpmath.workdps(digits + 5):
        return Decimal(mpmath.nstr(+mpmath.pi, digits))


def sine_and_cosine(x: Decimal) -> tuple[Decimal, Decimal]:
    """(sin x, cos x): Taylor's series within an eighth of a turn.

    >>> [round(float(value), 12) for value in sine_and_cosine(Decimal("0.5"))]
    [0.479425538604, 0.87758256189]
    """
    digits = getcontext().prec
    with localcontext(prec=digits + GUARD):
        quarter = pi(digits + 2 * GUARD) / 2
        turns = int((x / quarter).to_integral_value())
        y = x - turns * quarter
        square, least = y * y, Decimal(10) ** -(digits + 5)
        term, sine, cosine, k = Decimal(1), Decimal(0), Decimal(1), 0
        while True:
            odd = term * y / (k + 1)
            sine += odd
            term = -term * square / ((k + 1) * (k + 2))
            k += 2
            if abs(term) < least:
                break
            cosine += term
            # the sign of the odd term follows that of the even one
    sine, cosine = ((+sine, +cosine), (+cosine, -sine), (-sine, -cosine), (-cosine, +sine))[turns % 4]
    return sine, cosine
