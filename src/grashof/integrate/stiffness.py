"""Stiffness, noticed during a run: the steps of an explicit method are limited by stability, not by accuracy.

An explicit method damps a fast motion e^(λt) only if |hλ| is at most some number β of the method, whatever the
tolerance. So a run is stiff if hρ is near β at several times, where ρ is the spectral radius of the Jacobian of the
rates. It is found by power iteration with differences of the rates, which needs few evaluations and no derivatives.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.layout import Sizes
from grashof.integrate.native import NativeEquations

Vector = NDArray[np.float64]

NEAR = 0.5
"""Steps are so limited if hρ is above this part of β."""
MANY = 5_000
"""Number of explicit steps to the end from which an implicit method is worth its compilation (docs/measurements.md)."""
SETTLING, AVERAGED = 8, 12
"""Power iterations before the growth is measured, and those over which it is averaged."""
APART = 1e-7
"""Size of the differences, relative to the scales of positions and velocities."""


def scale_of(sizes: Sizes, length: float, speed: float) -> Vector:
    """The scales of the components of a state; works, on which nothing depends, have none."""
    scales = np.ones(sizes.size)
    scales[sizes.of_q], scales[sizes.of_v] = length, speed
    scales[sizes.size - sizes.works :] = 0.0
    return scales


def spectral_radius(equations: NativeEquations, t: float, y: Vector, scales: Vector) -> float:
    """The largest |λ| of the Jacobian of y′ = f(t, y), 1/s, to some per cent; zero if it cannot be found."""
    growth = [size for size, _ in power_iterations(equations, t, y, scales, SETTLING + AVERAGED)]
    if len(growth) < SETTLING + AVERAGED:
        return 0.0
    return math.exp(sum(map(math.log, growth[SETTLING:])) / AVERAGED)


def power_iterations(
    equations: NativeEquations, t: float, y: Vector, scales: Vector, count: int
) -> Iterator[tuple[float, float]]:
    """|J u| and uᵀJ u for unit vectors u, in units of the scales, each of which is J times the one before; components
    without a scale stay zero. Ends early where J u is zero or not finite."""
    sizes = equations.sizes
    inverse = np.divide(1.0, scales, out=np.zeros_like(scales), where=scales > 0.0)

    def slope(y: Vector) -> Vector:
        return np.concatenate([y[sizes.of_direct_v], equations.derivative(t, y)])

    here = slope(y)
    direction = np.random.default_rng(1).normal(size=sizes.size) * (scales > 0.0)
    for _ in range(count):
        direction /= np.linalg.norm(direction)
        change = (slope(y + APART * scales * direction) - here) * inverse / APART
        size = float(np.linalg.norm(change))
        if not 0.0 < size < math.inf:
            return
        yield size, float(direction @ change)
        direction = change
