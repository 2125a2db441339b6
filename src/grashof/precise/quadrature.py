"""Gauss–Legendre quadrature of any precision."""

from __future__ import annotations

from typing import Any

import numpy as np


def gauss_legendre(count: int, context: Any) -> list[tuple[Any, Any]]:
    """Nodes and weights on [0, 1] in mpmath: the double nodes, polished by Newton's method on P_n."""
    rule = []
    for guess in np.polynomial.legendre.leggauss(count)[0]:
        x, step = context.mpf(float(guess)), context.mpf(1)
        while abs(step) > context.eps * count:
            below, here = context.mpf(1), x
            for k in range(2, count + 1):
                below, here = here, ((2 * k - 1) * x * here - (k - 1) * below) / k
            slope = count * (x * here - below) / (x * x - 1)
            step = here / slope
            x -= step
        rule.append(((1 + x) / 2, 1 / ((1 - x * x) * slope**2)))
    return rule
