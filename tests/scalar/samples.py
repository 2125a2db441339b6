"""Angles and vectors on which functions of angles are tried."""

from __future__ import annotations

import mpmath
import numpy as np

QUARTERS = np.random.default_rng(1).integers(1, 2**26, size=300).tolist()


def angles(limit: float) -> list[float]:
    """Small and large ones, and the doubles next to multiples of π/4, where one of the functions or their difference is small."""
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
