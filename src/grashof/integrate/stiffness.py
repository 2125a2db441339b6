"""Stiffness, noticed during a run: the steps of an explicit method are limited by stability, not by accuracy.

An explicit method damps a fast motion e^(λt) only if |hλ| is at most some number β of the method, whatever the
tolerance. So a run is stiff if hρ is near β at several times, where ρ is the spectral radius of the Jacobian of the
rates. It is found by power iteration with differences of the rates, which needs few evaluations and no derivatives.
"""

from __future__ import annotations

import ctypes
import math
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.layout import Sizes
from grashof.integrate.kernel import Kernel, declarations
from grashof.integrate.native import NativeEquations, address
from grashof.integrate.values import LANES
from grashof.tape import Library

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
) -> list[tuple[float, float]]:
    """|J u| and uᵀJ u for unit vectors u, in units of the scales, each of which is J times the one before; components
    without a scale stay zero. Fewer where J u is zero or not finite."""
    sizes = equations.sizes
    first = np.ascontiguousarray(_direction(sizes.size) * (scales > 0.0))
    numbers = np.zeros((4, sizes.size + LANES))
    x, found = np.array([t, *y]), np.empty((count, 2))
    steps = APART * scales
    numbers[0, : sizes.size] = np.divide(1.0, steps, out=np.zeros_like(scales), where=scales > 0.0)
    places = (x, equations.coefficients, steps, first, numbers, np.empty(sizes.size + 1 + LANES), found)
    whole = (sizes.direct, sizes.nq, sizes.size, numbers.shape[1], count)
    _iterations()(equations.library.address("derivative"), *map(address, places), *whole)
    last = next((k for k, size in enumerate(found[:, 0]) if not 0.0 < size < math.inf), count)
    return [(size, along) for size, along in found[:last].tolist()]


@lru_cache(maxsize=64)
def _direction(size: int) -> Vector:
    """Some direction, always the same."""
    return np.random.default_rng(1).normal(size=size)


@cache
def _iterations() -> Any:
    pointer, whole = ctypes.c_void_p, ctypes.c_int64
    library = Library(declarations() + _iterations_ir())
    return library.function("iterations", None, *[pointer] * 8, *[whole] * 5)


def _iterations_ir() -> str:
    """`iterations(derivative, x, c, steps, u, numbers, moved, found, direct, nq, size, stride, count)`

    steps     by how much the components of y change, for u = 1
    numbers   their inverses; then room for the rates here, for those at the changed state, and for J u
    """
    k = Kernel("iterations", 1)
    derivative = k.number("derivative", "ptr")
    x, c, steps, u, numbers, moved, found = (
        k.array(name) for name in ("x", "c", "steps", "u", "numbers", "moved", "found")
    )
    direct, nq, size, stride, count = (k.number(name, "i64") for name in ("direct", "nq", "size", "stride", "count"))
    inverse, here, there, change = (numbers.at(stride * row) for row in range(4))
    v, w = x.at(1).at(nq), moved.at(1).at(nq)
    k.call(derivative, x, c, here)
    moved[0] = x[0]
    for j in k.count(count):
        (square,) = k.fold(size, [k.constant(0.0)], lambda i, so_far: [so_far[0] + u[i] * u[i]])
        part = 1.0 / k.math("sqrt", square)
        for i in k.count(size):
            u[i] = part * u[i]
            moved.at(1)[i] = x.at(1)[i] + steps[i] * u[i]
        k.call(derivative, moved, c, there)
        for i in k.count(direct):
            change[i] = inverse[i] * (w[i] - v[i])
        for i in k.count(size - direct):
            change.at(direct)[i] = inverse.at(direct)[i] * (there[i] - here[i])
        zero = [k.constant(0.0)] * 2
        grown, along = k.fold(
            size, zero, lambda i, so_far: [so_far[0] + change[i] * change[i], so_far[1] + u[i] * change[i]]
        )
        found[j * 2], found[j * 2 + 1] = k.math("sqrt", grown), along
        for i in k.count(size):
            u[i] = change[i]
    return k.text()
