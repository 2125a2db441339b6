"""Angles, vectors and numbers on which functions are tried."""

from __future__ import annotations

import math

import mpmath
import numpy as np

QUARTERS = np.random.default_rng(1).integers(1, 2**26, size=300).tolist()


def angles(limit: float) -> list[float]:
    """Small and large ones, and the doubles next to multiples of π/4, where one of the functions or their difference
    is small."""
    rng = np.random.default_rng(2)
    with mpmath.workprec(200):
        special = [float(k * mpmath.pi / 4) for k in [*range(-20, 20), *QUARTERS]]
    scales = 10.0 ** rng.uniform(-300.0, 0.0, size=100)
    return [*special, *rng.uniform(-10.0, 10.0, 500), *rng.uniform(-limit, limit, 300), *scales, 0.0]


def vectors() -> list[tuple[float, float]]:
    rng = np.random.default_rng(4)
    scales = 10.0 ** rng.uniform(-100.0, 100.0, size=(300, 2))
    near_axes = [(float(s), float(c)) for s, c in rng.integers(-4, 5, size=(100, 2))]
    return [*map(tuple, rng.normal(size=(1000, 2)).tolist()), *map(tuple, scales.tolist()), *near_axes]


def numbers() -> dict[str, list[float]]:
    """Arguments of each function: over its whole range, and where its parts meet."""
    rng = np.random.default_rng(5)
    tiny = 10.0 ** rng.uniform(-300.0, 0.0, 100)
    steps = [0.5 * k * math.log(2.0) for k in range(-200, 200)]
    near_one = [1.0 + k * 2.0**-52 for k in range(-20, 20)]
    powers = [2.0**k * share for k in range(-1022, 1023, 31) for share in (1.0, 1.0 - 2.0**-53)]
    found = {
        "exp": [*rng.uniform(-2.0, 2.0, 300), *rng.uniform(-707.0, 709.0, 300), *tiny, *-tiny, *steps],
        "log": [*rng.uniform(0.5, 2.0, 300), *10.0 ** rng.uniform(-307.0, 308.0, 300), *near_one, *powers, 5e-324],
        "tanh": [*rng.uniform(-3.0, 3.0, 500), *rng.uniform(-30.0, 30.0, 100), *tiny, *-tiny, 0.55],
    }
    return {name: [float(x) for x in values] for name, values in found.items()}
