"""Small motions of the upright bicycle, q̈ = A q + B q̇ with q = (roll, steer), and their eigenvalues.

The accelerations of the eight coordinates are differentiated by central differences in many digits. To first order, the
pitch is zero and both wheels keep their rates, and the steered front wheel determines the rate of the heading:

    ψ̇ = (v δ + c δ̇) cos λ/w     (J. Meijaard et al. 2007, equation 4.10)
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal, localcontext
from typing import Any

from grashof.precise.jets import accelerate, coordinates
from grashof.precise.pins import ZERO
from grashof.precise.trigonometry import sine_and_cosine
from grashof.problems.bicycle.case import DATA
from grashof.problems.bicycle.derivations import in_coordinates, numbers

DIGITS = 40
SMALL = Decimal("1e-12")


def eigenvalues(speed: str, given: Mapping[str, str] = DATA) -> list[Any]:
    """The four eigenvalues at a speed [m/s], as complex numbers of mpmath; some 20 digits are good."""
    import mpmath

    with localcontext(prec=DIGITS), mpmath.workdps(DIGITS):
        data = numbers({**given, "speed": speed, "rate": "0"})
        describe, v = in_coordinates(data), data["speed"]
        _, cosine = sine_and_cosine(data["tilt"])

        def change(x: list[Decimal]) -> list[Decimal]:
            """Roll and steer accelerations at roll, steer and their rates."""
            roll, steer, rollrate, steerrate = x
            heading = (v * steer + data["trail"] * steerrate) * cosine / data["base"]  # to the right
            q = [ZERO, ZERO, ZERO, roll, ZERO, steer, ZERO, ZERO]
            side = -rollrate * data["r_rear"]
            rates = [v, side, -heading, rollrate, ZERO, steerrate, v / data["r_rear"], v / data["r_front"]]
            found = accelerate(describe(coordinates(q, rates)), 8)
            return [found[3], found[5]]

        matrix = mpmath.matrix(4)
        matrix[0, 2] = matrix[1, 3] = 1
        for k in range(4):
            ahead, behind = (change([sign * SMALL if i == k else ZERO for i in range(4)]) for sign in (1, -1))
            for i in range(2):
                matrix[2 + i, k] = mpmath.mpf(str((ahead[i] - behind[i]) / (2 * SMALL)))
        found, _ = mpmath.eig(matrix)
        return sorted(found, key=lambda x: (x.real, x.imag))
