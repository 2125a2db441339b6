"""Stiffness, noticed during a run: the steps of an explicit method are limited by stability, not by accuracy.

An explicit method damps a fast motion e^(λt) only if |hλ| is at most some number β of the method, whatever the
tolerance. So a run is stiff if hρ is near β at several times, where ρ is the spectral radius of the Jacobian of the
rates. It is found by power iteration with differences of the rates, which needs few evaluations and no derivatives.
"""

from __future__ import annotations

import ctypes
import math
from functools import cache, lru_cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.layout import Sizes
from grashof.integrate.kernel import Kernel, declarations
from grashof.integrate.native import NativeEquations
from grashof.integrate.values import LANES
from grashof.scalar import exp, log
from grashof.tape import Library
from grashof.tape.arrays import address

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


class PowerIteration:
    """Power iterations with the Jacobian of y′ = f(t, y), at any states of a run.

    scales   of the components of a state; those without one stay zero
    count    number of iterations
    """

    def __init__(self, equations: NativeEquations, scales: Vector, count: int = SETTLING + AVERAGED) -> None:
        sizes = equations.sizes
        self._first = _direction(sizes.size) * (scales > 0.0)
        self._u, self._x = np.empty(sizes.size), np.empty(1 + sizes.size)
        self._found, self._steps = np.empty((count, 2)), APART * scales
        numbers, moved = np.zeros((4, sizes.size + LANES)), np.empty(sizes.size + 1 + LANES)
        numbers[0, : sizes.size] = np.divide(1.0, self._steps, out=np.zeros_like(scales), where=scales > 0.0)
        self._kept = equations, numbers, moved
        arrays = (self._x, equations.coefficients, self._steps, self._u, numbers, moved, self._found)
        whole = (sizes.direct, sizes.nq, sizes.size, numbers.shape[1], count)
        self._call = partial(_iterations(), equations.library.address("derivative"), *map(address, arrays), *whole)

    def growth(self, t: float, y: Vector) -> list[tuple[float, float]]:
        """|J u| and uᵀJ u for unit vectors u, in units of the scales, each of which is J times the one before. Fewer
        where J u is zero or not finite."""
        self._x[0], self._x[1:], self._u[:] = t, y, self._first
        self._call()
        found = [(size, along) for size, along in self._found.tolist()]
        last = next((k for k, (size, _) in enumerate(found) if not 0.0 < size < math.inf), len(found))
        return found[:last]

    def spectral_radius(self, t: float, y: Vector) -> float:
        """The largest |λ|, 1/s, to some per cent; zero if it cannot be found."""
        growth = self.growth(t, y)
        if len(growth) < SETTLING + AVERAGED:
            return 0.0
        first = growth[SETTLING][0]
        relative = math.prod(size / first for size, _ in growth[SETTLING:])
        if relative == 0.0:  # the iteration has died away
            return 0.0
        mean: float = first * exp(log(relative) / AVERAGED)
        return mean


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
