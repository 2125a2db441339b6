"""Linear equations A x = b of a fixed size as native code: dense, by Gaussian elimination with partial pivoting.

The matrices of implicit methods are dense, because joints pass every force on to all bodies. A has n rows, which are
`stride` numbers apart; loops over rows may run past column n by less than a vector, where A has zeros.

Where A is singular, results are not finite, and the step that asked for them is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from grashof.integrate.kernel import Kernel
from grashof.integrate.values import LANES, Array, Value


def stride_of(n: int) -> int:
    """How far the rows of a matrix with n columns are apart."""
    return -(-n // LANES) * LANES + LANES


@dataclass(frozen=True)
class Matrix:
    """A of n × n, and its factors P A = L U, in an array of `room(n)` numbers, which are zero at first.

    U replaces A on and above the diagonal; below, L has an array of its own, with zeros on and above its diagonal.
    """

    kernel: Kernel
    place: Array
    n: int

    @staticmethod
    def room(n: int) -> int:
        """How many numbers it takes."""
        return (2 * n + 2) * stride_of(n)

    @property
    def stride(self) -> int:
        return stride_of(self.n)

    @property
    def lower(self) -> Array:
        """L."""
        return self.place.at(self.n * self.stride)

    @property
    def inverses(self) -> Array:
        """1/U_jj."""
        return self.place.at(2 * self.n * self.stride)

    @property
    def pivots(self) -> Array:
        """With which row each row was exchanged."""
        return self.place.at((2 * self.n + 1) * self.stride)

    def row(self, i: Value | int) -> Array:
        """A row of A."""
        return self.place.at(i * self.stride)

    def finish_row(self, i: Value) -> None:
        """To be called after a row was written: clears what loops may have written past its end, and the row of L."""
        k = self.kernel
        past = self.row(i).at(self.n)
        for j in k.each(LANES, 1):
            past[j] = 0.0
        row = self.lower.at(i * self.stride)
        for j in k.each(self.stride):
            row[j] = k.zeros()

    def factor(self) -> None:
        """P A = L U."""
        k, n = self.kernel, self.n
        for j in self._rows():
            rest = (n - 1) - j  # rows below
            self.pivots[j] = pivot = self._find_pivot(j, rest)
            self._with_other(rest, pivot, lambda i, j=j: self._exchange(j, j + i))  # type: ignore[misc]
            row = self.row(j).at(j)
            self.inverses[j] = inverse = 1.0 / row[0]
            for i in k.each(rest, 1):
                below = self.row(j + i + 1).at(j)
                factor = below[0] * inverse
                self.lower.at((j + i + 1) * self.stride).at(j)[0] = factor
                wide = k.splat(factor)
                for c in k.each(rest):
                    below.at(1)[c] = below.at(1)[c] - wide * row.at(1)[c]
        self.inverses[n - 1] = 1.0 / self.row(n - 1)[n - 1]

    def solve(self, b: Array) -> None:
        """Replaces b by x. What follows b, by less than a vector, must be finite."""
        n = self.n
        for j in self._rows():
            self._with_other((n - 1) - j, self.pivots[j], lambda i, j=j: _swap(b.at(j), b.at(j + i)))  # type: ignore[misc]
        for j in self._rows():
            row, place = self.lower.at((j + 1) * self.stride), b.at(j + 1)
            place[0] = place[0] - self._dot(row, b, j + 1)
        b[n - 1] = b[n - 1] * self.inverses[n - 1]
        for j in self._rows():
            i = (n - 2) - j
            row, place = self.row(i).at(i), b.at(i)
            place[0] = (place[0] - self._dot(row.at(1), place.at(1), j + 1)) * self.inverses[i]

    def solve_transposed(self, b: Array) -> None:
        """Replaces b by x with Aᵀ x = b. What follows b, by less than a vector, must be finite, and may be changed by
        nothing but zeros."""
        k, n = self.kernel, self.n

        def subtract(factor: Value, row: Array, place: Array, count: Value | int) -> None:
            wide = k.splat(factor)
            for c in k.each(count):
                place[c] = place[c] - wide * row[c]

        for j in self._rows():
            b.at(j)[0] = x = b[j] * self.inverses[j]
            subtract(x, self.row(j).at(j).at(1), b.at(j).at(1), (n - 1) - j)
        b[n - 1] = b[n - 1] * self.inverses[n - 1]
        for j in self._rows():
            i = (n - 1) - j
            subtract(b[i], self.lower.at(i * self.stride), b, i)
        for j in self._rows():
            i = (n - 2) - j
            self._with_other(j + 1, self.pivots[i], lambda m, i=i: _swap(b.at(i), b.at(i + m)))  # type: ignore[misc]

    def _rows(self) -> Iterator[Value | int]:
        """All but the last: known numbers if there are few, otherwise those of a loop."""
        few = self.n <= self.kernel.unrolled
        return iter(range(self.n - 1)) if few else self.kernel.count(self.kernel.constant(self.n - 1, "i64"))

    def _find_pivot(self, j: Value | int, rest: Value | int) -> Value:
        """How far below row j the largest element of column j is."""
        k, column = self.kernel, self.row(j).at(j)

        def update(i: Value, so_far: list[Value]) -> list[Value]:
            best, at, number = so_far
            x = k.math("fabs", column[(i + 1) * self.stride])
            larger = x > best
            return [k.choose(larger, x, best), k.choose(larger, number, at), number + 1.0]

        start = [k.math("fabs", column[0]), k.constant(0.0), k.constant(1.0)]
        return k.fold(rest, start, update, lanes=1)[1]

    def _with_other(self, rest: Value | int, pivot: Value, act: Callable[[Value], None]) -> None:
        """Acts on the row that is so far below, unless that is none."""
        k = self.kernel
        if k.runs.count == 1:
            with k.when(pivot > 0.0):
                act(k.integer(pivot))
            return

        def look(i: Value, so_far: list[Value]) -> list[Value]:
            with k.when(pivot.equals(so_far[0])):  # in some of the lanes
                act(i + 1)
            return [so_far[0] + 1.0]

        k.fold(rest, [k.constant(1.0)], look, lanes=1)

    def _exchange(self, one: Value | int, other: Value | int) -> None:
        k = self.kernel
        for first in (self.place, self.lower):
            a, b = first.at(one * self.stride), first.at(other * self.stride)
            for c in k.each(self.stride):
                a[c], b[c] = b[c], a[c]

    def _dot(self, a: Array, b: Array, count: Value | int) -> Value:
        k = self.kernel
        return k.total(k.fold(count, [k.zeros()], lambda c, so_far: [so_far[0] + a[c] * b[c]])[0])


def _swap(a: Array, b: Array) -> None:
    a[0], b[0] = b[0], a[0]
