"""The linear equations of implicit methods, (μ − J) u = b with J = ∂f/∂y, as native code.

Coordinates with q′ = v and works, on which nothing depends, are eliminated (see `Sizes`). With r for everything else,
what is solved has the size of the velocities if there are no other states:

    (μ − F_r − F_v̂/μ) u_r = b_r + F_q b_q/μ        u_q = (b_q + u_v)/μ

where F are the rates of r and F_v̂ the columns F_q at the places of the velocities. The shift μ is real or complex; a
complex system of n equations is solved as 2n real ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grashof.integrate.linear import Matrix, stride_of
from grashof.integrate.values import LANES, Array, Value

if TYPE_CHECKING:
    from grashof.formulation.layout import Sizes
    from grashof.integrate.step import Step


@dataclass(frozen=True)
class Shift:
    """μ and 1/μ: their real parts and, if they are complex, their imaginary parts."""

    of: tuple[Value, ...]
    inverse: tuple[Value, ...]

    def divide(self, x: Sequence[Value]) -> list[Value]:
        """x/μ."""
        c = self.inverse
        if len(c) == 1:
            return [c[0] * x[0]]
        return [c[0] * x[0] - c[1] * x[1], c[0] * x[1] + c[1] * x[0]]


class Reduced:
    """The equations for one shift.

    jacobian   the derivatives of the rates with respect to [t, q, v, e], row by row
    place      room for the matrix (see `room`)
    right_q, right   b for q and for everything that has rates, which `solve` replaces by u; real and imaginary parts,
               in vectors of `stride_of` their lengths
    """

    def __init__(
        self, step: Step, jacobian: Array, place: Array, shift: Shift, right_q: Sequence[Array], right: Sequence[Array]
    ) -> None:
        self.kernel, self.sizes, self.jacobian, self.shift = step.kernel, step.sizes, jacobian, shift
        self.right_q, self.right, self.parts = right_q, right, len(shift.of)
        self.n = step.sizes.rates - step.sizes.works
        self.matrix = Matrix(step.kernel, place, self.parts * self.n)
        self.both = place.at(Matrix.room(self.parts * self.n))

    @staticmethod
    def room(sizes: Sizes, parts: int) -> int:
        """How many numbers the matrix takes; they are zero at first."""
        n = parts * (sizes.rates - sizes.works)
        return Matrix.room(n) + (stride_of(n) if parts > 1 else 0)

    def row(self, i: Value) -> Array:
        """The derivatives of a rate with respect to [t, q, v, e]."""
        return self.jacobian.at(i * (1 + self.sizes.size))

    def factor(self) -> None:
        """The factors of the matrix."""
        k, n, matrix = self.kernel, self.n, self.matrix
        if not n:
            return
        lines = [[(0, 1.0)]] if self.parts == 1 else [[(0, 1.0), (1, -1.0)], [(1, 1.0), (0, 1.0)]]
        for i in k.each(n, 1):
            for p, line in enumerate(lines):
                row = matrix.row(i + p * n)
                for block, (part, sign) in enumerate(line):
                    self._write(row.at(block * n), i, part, sign)
                matrix.finish_row(i + p * n)
        matrix.factor()

    def _write(self, row: Array, i: Value, part: int, sign: float) -> None:
        """The real or the imaginary part of a row of μ − F_r − F_v̂/μ, with a sign."""
        k, sizes = self.kernel, self.sizes
        own, direct = sizes.own, sizes.direct
        of_q, of_r = self.row(i).at(1), self.row(i).at(1 + direct)
        inverse = k.splat(self.shift.inverse[part])

        def of_rest(first: int, count: int) -> None:
            for j in k.each(count):
                row.at(first)[j] = (-1.0) * of_r.at(first)[j] if part == 0 else k.zeros()

        of_rest(0, own)  # in this order, because loops overrun
        for j in k.each(direct):
            if part == 0:
                row.at(own)[j] = (-1.0) * of_r.at(own)[j] - inverse * of_q[j]
            else:
                row.at(own)[j] = (-sign) * (inverse * of_q[j])
        of_rest(own + direct, self.n - own - direct)
        row[i] = row[i] + (self.shift.of[part] if sign > 0.0 else self.shift.of[part].negative())

    def solve(self) -> None:
        """Replaces b by u."""
        k, sizes, n, parts = self.kernel, self.sizes, self.n, range(self.parts)
        for p in parts:
            clear_after(self.right_q[p], sizes.direct)
            clear_after(self.right[p], sizes.rates)
        if n:
            for i in k.each(n, 1):
                divided = self.shift.divide([self._of_q(i, p) for p in parts])
                for p in parts:
                    self.right[p][i] = self.right[p][i] + divided[p]
            if self.parts == 1:
                self.matrix.solve(self.right[0])
            else:
                for p in parts:
                    k.copy(self.right[p], self.both.at(p * n), n)
                clear_after(self.both, 2 * n)
                self.matrix.solve(self.both)
                for p in parts:
                    k.copy(self.both.at(p * n), self.right[p], n)
        for i in k.each(sizes.direct):
            sums = [self.right_q[p][i] + self.right[p].at(sizes.own)[i] for p in parts]
            for p, x in enumerate(self._divide_wide(sums)):
                self.right_q[p][i] = x
        for p in parts:
            clear_after(self.right_q[p], sizes.direct)
        for i in k.each(sizes.works, 1):
            sums = [self.right[p].at(n)[i] + self._of_q(i + n, p) + self._of_rest(i + n, p) for p in parts]
            for p, x in enumerate(self.shift.divide(sums)):
                self.right[p].at(n)[i] = x

    def solve_transposed(self) -> None:
        """Replaces b by w with (μ − Jᵀ) w = b, for a real shift. Without works:

        (μ − F_rᵀ − F_v̂ᵀ/μ) w_r = b_r + b_q/μ at the places of the velocities      w_q = (b_q + F_qᵀ w_r)/μ
        """
        k, sizes, n = self.kernel, self.sizes, self.n
        of_q, of_r, inverse = self.right_q[0], self.right[0], self.shift.inverse[0]

        def add(factor: Value, row: Array, target: Array, count: int) -> None:
            for j in k.each(count, 1):
                target[j] = target[j] + factor * row[j]

        for i in k.each(sizes.works, 1):
            of_r.at(n)[i] = work = inverse * of_r.at(n)[i]
            add(work, self.row(i + n).at(1), of_q, sizes.direct)
            add(work, self.row(i + n).at(1 + sizes.direct), of_r, n)
        add(inverse, of_q, of_r.at(sizes.own), sizes.direct)
        if n:
            self.matrix.solve_transposed(of_r)
        for i in k.each(n, 1):
            add(of_r[i], self.row(i).at(1), of_q, sizes.direct)
        for j in k.each(sizes.direct, 1):
            of_q[j] = inverse * of_q[j]

    def _divide_wide(self, x: Sequence[Value]) -> list[Value]:
        wide = Shift(self.shift.of, tuple(self.kernel.splat(y) for y in self.shift.inverse))
        return wide.divide(x)

    def _of_q(self, i: Value, part: int) -> Value:
        """Row i of F_q times the part of the right-hand side, or of the solution, for q."""
        k, of_q, vector = self.kernel, self.row(i).at(1), self.right_q[part]
        if not self.sizes.direct:
            return k.constant(0.0)
        return k.total(k.fold(self.sizes.direct, [k.zeros()], lambda j, x: [x[0] + of_q[j] * vector[j]])[0])

    def _of_rest(self, i: Value, part: int) -> Value:
        """Row i of F_r times the solution for everything but q and works."""
        k, of_r, vector = self.kernel, self.row(i).at(1 + self.sizes.direct), self.right[part]
        return k.fold(self.n, [k.constant(0.0)], lambda j, x: [x[0] + of_r[j] * vector[j]], lanes=1)[0]


def clear_after(vector: Array, count: int) -> None:
    """Sets to zero what loops may have written past the end of a vector."""
    for j in range(LANES - 1):
        vector[count + j] = 0.0
