"""Follows a start to other values of open numbers, as native code: for the rows of a table, for derivatives, and for
pages.

From values at which the start is known (`base`), the numbers move to those that are wanted (`target`) in small strides,
and Newton's method follows. The functions of the mechanism are those of `program.open_code`: `setup`, `place`, `keep`
and `launch`.

    find_start(target, base, begin, x, c, space)    x = [t, q, v, e] and the coefficients c; the first number of `space`
                                                    is 1 if there is a start, otherwise 0

Where a function also gives its derivative in one direction, all vectors have a second copy, with derivatives, behind
the first one.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import pi
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.layout import Sizes
from grashof.integrate.kernel import Kernel, declarations, offsets, table
from grashof.integrate.values import Array, Value
from grashof.tape import Library
from grashof.tape.arrays import address

Matrix = NDArray[np.float64]

STRIDE = 0.05
"""How far open numbers move in one stride from the values of the structure towards others, relative to their size."""

LONGEST = 256
"""Largest number of strides before shorter ones are tried."""

ATTEMPTS = (1, 4, 16)
"""Factors by which strides are shortened, tried one after the other until the start is found."""

PLACED = 1e-10
"""The equations of the start hold if their residual is below this fraction of the mechanism's length."""

ITERATIONS = 4
"""Pairs of Newton steps after the last stride: always the same number, so that a row does not depend on others."""

SETTLED, LAUNCHED = 1e-13, 1e-10
"""Newton steps shorter than this fraction of the mechanism's length, or of its speed, are round-off."""

CONTRACTS = 0.25
"""A Newton step is accepted if the next one is shorter by this factor."""

FUNCTIONS = ("setup", "place", "keep", "launch")
"""The functions of the mechanism, in the order of their addresses."""

ROUNDING = 1.5 * 2.0**52
"""A number added and subtracted again, which leaves the nearest integer."""


@dataclass(frozen=True)
class StartPath:
    """A mechanism with open numbers, as far as its start is concerned.

    sizes        of a state
    nominal      the open numbers at which its start is known
    scales       their magnitudes
    begin        x there, without velocities
    kept         the values that couplings keep from there
    count        number of coefficients
    early        number of outputs of the set-up: coefficients, guessed coordinates, and others
    length       the mechanism's length, m
    integrated   extra states that begin with a value that a coupling keeps: indices of both
    wrapped      extra states that are angles within ±π at a start
    copies       2 if the functions also give derivatives
    named        whether the functions are in the same module, and are called by name
    """

    sizes: Sizes
    nominal: Sequence[float]
    scales: Sequence[float]
    begin: Sequence[float]
    kept: Sequence[float]
    count: int
    early: int
    length: float
    integrated: Sequence[tuple[int, int]] = ()
    wrapped: Sequence[int] = ()
    copies: int = 1
    named: bool = False

    @property
    def numbers(self) -> int:
        """Number of open numbers."""
        return len(self.nominal)

    @property
    def point(self) -> int:
        """Number of components of x."""
        return 1 + self.sizes.size

    @cached_property
    def places(self) -> dict[str, int]:
        """Offsets in `space`: whether a start was found, addresses of functions, inputs and outputs of the set-up,
        guessed coordinates, values that couplings keep, and outputs; "all" is the total size."""
        return offsets(
            {
                "found": 1,
                "functions": len(FUNCTIONS),
                "p": self.copies * (self.numbers + len(self.kept)),
                "early": self.copies * self.early,
                "guess": self.copies * self.sizes.nq,
                "kept": self.copies * len(self.kept),
                "out": self.copies * max(self.sizes.nq + self.sizes.extra + 3, self.sizes.nv + 1),
            }
        )

    def text(self) -> str:
        """The code of all functions."""
        zeros = [0.0] * ((self.copies - 1) * self.point)
        tables = {
            "nominal": [*self.nominal, *zeros[: self.numbers]],
            "scales": self.scales,
            "begin_at": [*self.begin, *zeros],
            "kept_first": [*self.kept, *zeros[: len(self.kept)]],
        }
        parts = [table(name, numbers) for name, numbers in tables.items()]
        return "".join([*parts, *(part(self) for part in (_set_up_ir, _settle_ir, _follow_ir, _find_start_ir))])


class _Vectors:
    """The vectors of a start inside a kernel, and statements on them."""

    def __init__(self, k: Kernel, path: StartPath, space: Array) -> None:
        self.kernel, self.path, self.space = k, path, space
        self.p, self.early, self.guess, self.kept, self.out, self.found = (
            space.at(path.places[name]) for name in ("p", "early", "guess", "kept", "out", "found")
        )

    def call(self, name: str, *arguments: Array) -> None:
        """Calls a function of the mechanism."""
        functions = self.space.at(self.path.places["functions"])
        function = name if self.path.named else functions.address(FUNCTIONS.index(name))
        self.kernel.call(function, *arguments)

    def copies(self, vector: Array, stride: int, first: int = 0) -> list[Array]:
        """A part of a vector, and the derivatives of that part."""
        return [vector.at(copy * stride + first) for copy in range(self.path.copies)]

    def fail_unless(self, condition: Value) -> None:
        with self.kernel.when(~condition):
            self.found[0] = 0.0
            self.kernel.exit()


def _set_up_ir(path: StartPath) -> str:
    """`set_up(target, base, part, kept, c, space)`: the coefficients, and all else that depends on the numbers, part
    of the way from base to target."""
    k = Kernel("set_up", 1, internal=True)
    target, base, part = k.array("target"), k.array("base"), k.number("part")
    kept, c, space = k.array("kept"), k.array("c"), k.array("space")
    vectors = _Vectors(k, path, space)
    inputs = path.numbers + len(path.kept)
    ways = (vectors.copies(x, path.numbers) for x in (target, base))
    for p, here, there, held in zip(
        vectors.copies(vectors.p, inputs), *reversed(list(ways)), vectors.copies(kept, len(path.kept)), strict=True
    ):
        for i in k.each(path.numbers):
            p[i] = here[i] + (there[i] - here[i]) * part
        k.copy(held, p.at(path.numbers), len(path.kept))
    vectors.call("setup", vectors.p, space, vectors.early)
    for source, into in zip(vectors.copies(vectors.early, path.early), vectors.copies(c, path.count), strict=True):
        k.copy(source, into, path.count)
    return k.text()


def _settle_ir(path: StartPath) -> str:
    """`settle(x, c, space)`: two Newton steps towards the start; `found` is 0 if the second one is not much shorter
    than the first."""
    k = Kernel("settle", 1, internal=True)
    x, c, space = k.array("x"), k.array("c"), k.array("space")
    vectors, n, extra = _Vectors(k, path, space), path.sizes.nq, path.sizes.extra
    vectors.call("place", x, c, vectors.out)
    for point, out in zip(vectors.copies(x, path.point), vectors.copies(vectors.out, n + extra + 3), strict=True):
        k.copy(out, point.at(1), n)
        k.copy(out.at(n), point.at(1 + path.sizes.of_e.start), extra)
    last, before = vectors.out[n + extra], vectors.out[n + extra + 1]
    contracting = k.math("maxnum", CONTRACTS**2 * before, (SETTLED * path.length) ** 2)
    vectors.found[0] = k.choose(last <= contracting, k.constant(1.0), k.constant(0.0))
    return k.text()


def _follow_ir(path: StartPath) -> str:
    """`follow(target, base, begin, strides, x, c, space)`: the start at `target`, if it is found in so many strides."""
    k = Kernel("follow", 1, internal=True)
    target, base, begin, strides = k.array("target"), k.array("base"), k.array("begin"), k.number("strides", "i64")
    x, c, space = k.array("x"), k.array("c"), k.array("space")
    vectors, sizes, kept, none = _Vectors(k, path, space), path.sizes, Array(k, "@kept_first"), k.constant(0.0)
    n, of_v, of_e = sizes.nq, 1 + sizes.of_v.start, 1 + sizes.of_e.start
    points = vectors.copies(x, path.point)

    k.copy(begin, x, path.copies * path.point)
    k.call("set_up", base, base, none, kept, c, space)
    ahead, behind = vectors.copies(vectors.early, path.early, path.count), vectors.copies(vectors.guess, n)
    for early, guess in zip(ahead, behind, strict=True):
        k.copy(early, guess, n)
    number, total = k.local(none), k.real(strides)
    for _ in k.count(strides):
        number.value += 1.0
        k.call("set_up", target, base, number.value / total, kept, c, space)
        for point, early, guess in zip(points, ahead, behind, strict=True):
            for i in k.each(n):
                point.at(1)[i] = point.at(1)[i] + (early[i] - guess[i])
                guess[i] = early[i]
        k.call("settle", x, c, space)
        with k.when(vectors.found[0].equals(0.0)):
            k.exit()
    for _ in range(ITERATIONS - 1):
        k.call("settle", x, c, space)
        with k.when(vectors.found[0].equals(0.0)):
            k.exit()
    vectors.fail_unless(vectors.out[n + sizes.extra + 2] <= (PLACED * path.length) ** 2)

    for number_wrapped in path.wrapped:
        angle = x[of_e + number_wrapped]
        turns = (angle / (2.0 * pi) + ROUNDING) - ROUNDING
        x[of_e + number_wrapped] = angle - 2.0 * pi * turns
    for point in points:
        for i in k.each(sizes.nv):
            point.at(of_v)[i] = 0.0
    vectors.call("keep", x, c, vectors.kept)
    k.call("set_up", target, target, none, vectors.kept, c, space)
    for point, values in zip(points, vectors.copies(vectors.kept, len(path.kept)), strict=True):
        for number_integrated, number_kept in path.integrated:
            point[of_e + number_integrated] = values[number_kept]
    for _ in range(ITERATIONS):
        vectors.call("launch", x, c, vectors.out)
        for point, out in zip(points, vectors.copies(vectors.out, sizes.nv + 1), strict=True):
            k.copy(out, point.at(of_v), sizes.nv)

    speed = k.largest(x.at(of_v), sizes.nv)
    vectors.fail_unless(vectors.out[sizes.nv] <= (LAUNCHED * speed) * (LAUNCHED * speed))
    vectors.fail_unless(k.are_finite(x, path.point))
    return k.text()


def _find_start_ir(path: StartPath) -> str:
    """`find_start(target, base, begin, x, c, space)`: the start at `target`, followed from `base`, whose start is at
    `begin`."""
    k = Kernel("find_start", 1)
    target, base, begin = k.array("target"), k.array("base"), k.array("begin")
    x, c, space = k.array("x"), k.array("c"), k.array("space")
    vectors, scales = _Vectors(k, path, space), Array(k, "@scales")
    vectors.fail_unless(k.are_finite(target, path.numbers))

    def farthest(i: Value, so_far: list[Value]) -> list[Value]:
        return [k.math("maxnum", so_far[0], k.math("fabs", target[i] - base[i]) / (STRIDE * scales[i]))]

    (far,) = k.fold(path.numbers, [k.constant(1.0)], farthest)
    far = k.math("minnum", far, float(LONGEST))
    whole = k.integer(far)
    strides = k.choose(k.real(whole) < far, whole + 1, whole)
    for attempt in ATTEMPTS:
        k.call("follow", target, base, begin, strides * attempt, x, c, space)
        with k.when(vectors.found[0].equals(1.0)):
            k.exit()
    return k.text()


def _rows_ir(path: StartPath) -> str:
    """`find_starts(count, targets, x, c, found, space)`: the starts for rows of numbers, from the nominal ones."""
    k = Kernel("find_starts", 1)
    count, targets = k.number("count", "i64"), k.array("targets")
    x, c, found, space = k.array("x"), k.array("c"), k.array("found"), k.array("space")
    sizes = (path.copies * size for size in (path.numbers, path.point, path.count))
    numbers, points, coefficients = sizes
    base, begin = Array(k, "@nominal"), Array(k, "@begin_at")
    for row in k.count(count):
        place = targets.at(row * numbers), base, begin, x.at(row * points), c.at(row * coefficients)
        k.call("find_start", *place, space)
        found[row] = space[path.places["found"]]
    return k.text()


@dataclass(frozen=True, eq=False)
class FoundStarts:
    """Starts for rows of values: x = [t, q, v, e] (B, …) and coefficients (B, …), each with derivatives behind the
    values if there are any; whether each was found."""

    x: Matrix
    c: Matrix
    found: NDArray[np.bool_]


class StartFinder:
    """Finds the starts of a mechanism for rows of its open numbers; the library has its functions."""

    def __init__(self, path: StartPath, functions: Library) -> None:
        self._path, self._functions = path, functions

    @cached_property
    def _native(self) -> Any:
        library = Library(declarations() + self._path.text() + _rows_ir(self._path))
        pointer = ctypes.c_void_p
        return library.function("find_starts", None, ctypes.c_int64, *[pointer] * 5)

    def find(self, targets: Matrix) -> FoundStarts:
        """The starts for rows of numbers, with the directions of derivatives behind them if there are any."""
        path, rows = self._path, len(targets)
        targets = np.ascontiguousarray(targets, dtype=float)
        x, c = (np.zeros((rows, path.copies * size)) for size in (path.point, path.count))
        found, space = np.zeros(rows), np.zeros(path.places["all"])
        functions = np.array([self._functions.address(name) for name in FUNCTIONS], np.uint64)
        space[path.places["functions"] :][: len(FUNCTIONS)] = functions.view(float)
        self._native(rows, *(address(array) for array in (targets, x, c, found, space)))
        return FoundStarts(x, c, found == 1.0)
