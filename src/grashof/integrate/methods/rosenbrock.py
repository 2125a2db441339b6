"""Rosenbrock methods: linearly implicit Runge–Kutta methods, for stiff equations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from grashof.integrate.kernel import offsets
from grashof.integrate.linear import Matrix, stride_of
from grashof.integrate.methods.base import Method
from grashof.integrate.values import LANES

if TYPE_CHECKING:
    from grashof.formulation.layout import Sizes
    from grashof.integrate.step import Step, Vectors
    from grashof.integrate.values import Array, Value

Row = tuple[float, ...]


@dataclass(frozen=True, eq=False)
class Rosenbrock(Method):
    """A method that solves a linear system with the same matrix in each of its S stages (Hairer, Wanner II, IV.7,
    equation 7.25), with J = ∂f/∂y at the start of the step:

        (1/(hγ) − J) u_s = f(t₀ + α_s h, y₀ + Σ_j A_sj u_j) + Σ_j C_sj u_j / h + γ_s h ∂f/∂t        s = 0 … S − 1
        y₁ = y₀ + Σ_j A_Sj u_j

    The last stage is the estimated error, as in methods that are stiffly accurate: e = u_{S−1}/h.

    gamma    γ
    a, c     the rows of A (one more than stages) and of C
    times    α
    drifts   γ_s
    inside   the rows D of the dense output: y(θ) = (1 − θ) y₀ + θ y₁ + θ(1 − θ) Σ_j (D_0j + θ (D_1j + θ D_2j)) u_j

    Coordinates with q′ = v and works, on which nothing depends, are eliminated (see `Sizes`). With r for everything
    else, what is solved has the size of the velocities if there are no other states:

        (1/(hγ) − F_r − hγ F_v̂ ) u_r = b_r + hγ F_q b_q        u_q = hγ (b_q + u_v)

    where F are the rates of r, b the right-hand sides, and F_v̂ the columns F_q at the places of the velocities.
    """

    gamma: float
    a: tuple[Row, ...]
    c: tuple[Row, ...]
    times: Row
    drifts: Row
    inside: tuple[Row, ...]

    slopes, estimates, closes, interpolates = 3, 1, False, True
    needs = ("jacobian",)

    @property
    def stages(self) -> int:
        """S."""
        return len(self.c)

    @property
    def evaluations(self) -> int:
        return self.stages - 1

    def places(self, sizes: Sizes) -> dict[str, int]:
        """Where its vectors are in `step.own`."""
        return offsets(
            {
                "jacobian": sizes.rates * (1 + sizes.size) + LANES,
                "matrix": Matrix.room(sizes.rates - sizes.works),
                "drift": stride_of(sizes.rates),
                "right_q": stride_of(sizes.direct),
                "right": stride_of(sizes.rates),
                "u": self.stages * stride_of(sizes.size),
            }
        )

    def room(self, sizes: Sizes) -> int:
        return self.places(sizes)["all"]

    def make_step(self, step: Step, h: Value) -> None:
        solver = _Solver(self, step, h)
        solver.linearise()
        for s in range(self.stages):
            if s:
                self._move(step, step.trial, self.a[s], step.start[0] + self.times[s] * h)
                step.evaluate(step.trial, step.slopes[1])
            solver.solve(s)
        self._move(step, step.trial, self.a[self.stages], step.start[0] + h)

    def estimate(self, step: Step, h: Value) -> tuple[Vectors, Vectors]:
        last, part = self.increments(step)[-1], step.kernel.splat(1.0 / h)
        return lambda i: [part * last[i]], lambda i: [part * last.at(step.sizes.direct)[i]]

    def interpolate(self, step: Step, theta: Value) -> None:
        k, rest = step.kernel, theta * (1.0 - theta)
        weights = [k.splat(rest * (x + theta * (y + theta * z))) for x, y, z in zip(*self.inside, strict=True)]
        wide, increments = k.splat(theta), self.increments(step)
        y0, y1, y = (x.at(1) for x in (step.start, step.end, step.trial))
        for i in k.each(step.sizes.size):
            line = y0[i] + wide * (y1[i] - y0[i])
            y[i] = line + reduce(add, (w * u[i] for w, u in zip(weights, increments, strict=True)))

    def increments(self, step: Step) -> list[Array]:
        """u_0 … u_{S−1}."""
        first = step.own.at(self.places(step.sizes)["u"])
        return [first.at(s * stride_of(step.sizes.size)) for s in range(self.stages)]

    def _move(self, step: Step, point: Array, row: Row, time: Value) -> None:
        """point = [time, y₀ + Σ_j row_j u_j]."""
        point[0] = time
        y0, y, increments = step.start.at(1), point.at(1), self.increments(step)
        for i in step.kernel.each(step.sizes.size):
            y[i] = y0[i] + _combination(increments, row, i)


class _Solver:
    """The linear systems of one step."""

    def __init__(self, method: Rosenbrock, step: Step, h: Value) -> None:
        self.method, self.step, self.h, self.kernel, self.sizes = method, step, h, step.kernel, step.sizes
        place: Mapping[str, Array] = {x: step.own.at(i) for x, i in method.places(step.sizes).items()}
        self.jacobian, self.drift = place["jacobian"], place["drift"]
        self.right_q, self.right = place["right_q"], place["right"]
        self.part = method.gamma * h
        self.matrix = Matrix(step.kernel, place["matrix"], step.sizes.rates - step.sizes.works)

    def row(self, i: Value) -> Array:
        """The derivatives of a rate with respect to [t, q, v, e]."""
        return self.jacobian.at(i * (1 + self.sizes.size))

    def linearise(self) -> None:
        """J, ∂f/∂t and the factors of the matrix."""
        k, sizes, matrix = self.kernel, self.sizes, self.matrix
        self.step.call("jacobian", self.step.start, self.jacobian)
        for i in k.each(sizes.rates, 1):
            self.drift[i] = self.row(i)[0]
        if not matrix.n:
            return
        inverse, part, own, direct = 1.0 / self.part, k.splat(self.part), sizes.own, sizes.direct
        for i in k.each(matrix.n, 1):
            of_q, of_r, row = self.row(i).at(1), self.row(i).at(1 + direct), matrix.row(i)
            for j in k.each(own):  # in this order, because loops overrun
                row[j] = (-1.0) * of_r[j]
            for j in k.each(direct):
                row.at(own)[j] = (-1.0) * of_r.at(own)[j] - part * of_q[j]
            for j in k.each(matrix.n - own - direct):
                row.at(own + direct)[j] = (-1.0) * of_r.at(own + direct)[j]
            row[i] = row[i] + inverse
            matrix.finish_row(i)
        matrix.factor()

    def solve(self, s: int) -> None:
        """u_s, given the state and the slope of its stage."""
        k, step, sizes, method = self.kernel, self.step, self.sizes, self.method
        increments, row = method.increments(step), method.c[s]
        point, slope = (step.trial, step.slopes[1]) if s else (step.start, step.slopes[0])
        v, over = point.at(1 + sizes.nq), k.splat(1.0 / self.h)
        for i in k.each(sizes.direct):
            self.right_q[i] = v[i] + over * _combination(increments, row, i) if row else v[i]
        self._clear_after(self.right_q, sizes.direct)
        shift = k.splat(method.drifts[s] * self.h)
        for i in k.each(sizes.rates):
            b = slope[i] + shift * self.drift[i] if method.drifts[s] else slope[i]
            self.right[i] = b + over * _combination(increments, row, i, sizes.direct) if row else b
        self._clear_after(self.right, sizes.rates)
        if self.matrix.n:
            for i in k.each(self.matrix.n, 1):
                self.right[i] = self.right[i] + self.part * self._of_q(i)
            self.matrix.solve(self.right)
        wide = k.splat(self.part)
        v = self.right.at(sizes.own)
        for i in k.each(sizes.direct):
            self.right_q[i] = wide * (self.right_q[i] + v[i])
        self._clear_after(self.right_q, sizes.direct)
        works, n = self.right.at(self.matrix.n), self.matrix.n
        for i in k.each(sizes.works, 1):
            works[i] = self.part * (works[i] + self._of_q(i + n) + self._of_rest(i + n))
        k.copy(self.right_q, increments[s], sizes.direct)
        k.copy(self.right, increments[s].at(sizes.direct), sizes.rates)

    def _of_q(self, i: Value) -> Value:
        """Row i of F_q times the part of the right-hand side, or of the solution, for q."""
        k, of_q = self.kernel, self.row(i).at(1)
        if not self.sizes.direct:
            return k.constant(0.0)
        start = [k.zeros()]
        return k.total(k.fold(self.sizes.direct, start, lambda j, x: [x[0] + of_q[j] * self.right_q[j]])[0])

    def _of_rest(self, i: Value) -> Value:
        """Row i of F_r times the solution for everything but q and works."""
        k, of_r = self.kernel, self.row(i).at(1 + self.sizes.direct)
        return k.fold(self.matrix.n, [k.constant(0.0)], lambda j, x: [x[0] + of_r[j] * self.right[j]], lanes=1)[0]

    def _clear_after(self, vector: Array, count: int) -> None:
        """Sets to zero what loops may have written past the end of a vector."""
        for j in range(LANES - 1):
            vector[count + j] = 0.0


def _combination(vectors: list[Array], row: Row, i: Value, first: int = 0) -> Value:
    """Σ_j row_j x_j, elements i after the first."""
    return reduce(add, (x * vectors[j].at(first)[i] for j, x in enumerate(row) if x))
