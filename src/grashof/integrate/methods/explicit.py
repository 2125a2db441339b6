"""Explicit Runge–Kutta methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add
from typing import TYPE_CHECKING

from grashof.integrate.methods.base import Method

if TYPE_CHECKING:
    from grashof.formulation.layout import Sizes
    from grashof.integrate.backward import BackwardStep
    from grashof.integrate.kernel import Kernel
    from grashof.integrate.step import Step, Vectors
    from grashof.integrate.values import Array, Value

Row = Mapping[int, float]
"""The nonzero coefficients of a row, {stage: coefficient}."""


@dataclass(frozen=True, eq=False)
class Explicit(Method):
    """A method given by its table:

        Y_s = y₀ + h Σ_j A_sj k_j      k_s = f(t₀ + C_s h, Y_s)      s = 0 … S − 1
        y₁  = Y_S                      e_i = Σ_j E_ij k_j

    The last row of A holds the weights b: the end of the step is one more stage. Rows of E that use its slope k_S
    (`closes`) are computed after the projection.

    errors   the rows of E

    Coordinates with q′ = v (see `Sizes`) need no slopes of their own:

        q_s = q₀ + h C_s v₀ + h² Σ_j (A·A)_sj a_j        v_s = v₀ + h Σ_j A_sj a_j
    """

    c: tuple[float, ...]
    a: tuple[Row, ...]
    errors: tuple[Row, ...] = ()

    @property
    def stages(self) -> int:
        """S: evaluations per accepted step."""
        return len(self.a) - 1

    @property
    def slopes(self) -> int:
        return self.stages + 1

    @property
    def evaluations(self) -> int:
        return self.stages - 1

    @property
    def estimates(self) -> int:
        return len(self.errors)

    @property
    def closes(self) -> bool:
        return any(self.stages in row for row in self.errors)

    @cached_property
    def twice(self) -> tuple[Row, ...]:
        """The rows of A·A."""
        return self._times_a(self.a)

    @cached_property
    def errors_twice(self) -> tuple[Row, ...]:
        """The rows of E·A: as Σ_j E_ij = 0, the estimate for q is h Σ_j (E·A)_ij a_j."""
        return self._times_a(self.errors)

    @cached_property
    def reach(self) -> float:
        """β: |R(−x)| ≤ 1 for 0 ≤ x ≤ β, where y₁ = R(hλ) y₀ for y′ = λ y, to a hundredth."""

        def amplified(x: float) -> float:
            slopes: list[float] = []
            for row in self.a:
                slopes.append(1.0 - x * sum(coefficient * slopes[j] for j, coefficient in row.items()))
            return abs(slopes[self.stages])

        return next(k / 100.0 for k in range(1, 10_000) if amplified((k + 1) / 100.0) > 1.0)

    def make_step(self, step: Step, h: Value) -> None:
        for s in range(1, self.stages):
            self.make_stage(step.kernel, step.sizes, s, h, step.start, step.trial, step.slopes)
            step.evaluate(step.trial, step.slopes[s])
        self.make_stage(step.kernel, step.sizes, self.stages, h, step.start, step.trial, step.slopes)

    def estimate(self, step: Step, h: Value) -> tuple[Vectors, Vectors]:
        wide_h, slopes, own = step.kernel.splat(h), step.slopes, step.sizes.own
        return (
            lambda i: [wide_h * combination(slopes, row, i, own) for row in self.errors_twice],
            lambda i: [combination(slopes, row, i) for row in self.errors],
        )

    def make_stage(
        self, k: Kernel, sizes: Sizes, s: int, h: Value, start: Array, point: Array, slopes: Sequence[Array]
    ) -> None:
        """point = [t₀ + C_s h, y₀ + h Σ_j A_sj k_j]."""
        point[0] = start[0] + self.c[s] * h
        (q0, r0), (q, r) = ((x.at(1), x.at(1 + sizes.direct)) for x in (start, point))
        wide_h, far, square = k.splat(h), k.splat(self.c[s] * h), k.splat(h * h)
        v0 = r0.at(sizes.own)
        for i in k.each(sizes.direct):
            drift = q0[i] + far * v0[i]
            q[i] = drift + square * combination(slopes, self.twice[s], i, sizes.own) if self.twice[s] else drift
        for i in k.each(sizes.rates):
            r[i] = r0[i] + wide_h * combination(slopes, self.a[s], i)

    def pull_step(self, back: BackwardStep) -> None:
        """With k_j = f(t₀ + C_j h, Y_j): k̄_j = h Σ_s A_sj Ȳ_s, Ȳ_s = f_yᵀ k̄_s, ȳ₀ = Σ_s Ȳ_s."""
        k, sizes, h, step, stages = back.kernel, back.sizes, back.h, back.step, self.stages
        points = [step.start, *(back.vector(1 + sizes.size) for _ in range(stages))]
        weights = [back.vector(sizes.rates) for _ in range(stages)]
        for s in range(stages):
            if s:
                self.make_stage(k, sizes, s, h, step.start, points[s], step.slopes)
            step.evaluate(points[s], step.slopes[s])
            back.clear(weights[s], sizes.rates)
        self.make_stage(k, sizes, stages, h, step.start, points[stages], step.slopes)
        back.project(points[stages])
        back.clear(back.adjoint, sizes.size)
        self.pull_stage(k, sizes, stages, h, back.found, back.adjoint, weights)
        for s in range(stages - 1, -1, -1):
            found = back.pull("derivative", points[s], weights[s])
            self.pull_stage(k, sizes, s, h, found, back.adjoint, weights)

    def pull_stage(
        self, k: Kernel, sizes: Sizes, s: int, h: Value, of_point: Array, of_start: Array, of_slopes: Sequence[Array]
    ) -> None:
        """The transpose of `make_stage`: adds what the derivatives with respect to the stage's state contribute to
        those with respect to y₀ and k_j."""
        far, square = self.c[s] * h, h * h
        v, rest, of_rest = of_start.at(sizes.nq), of_start.at(sizes.direct), of_point.at(sizes.direct)
        for i in k.each(sizes.direct):
            of_start[i] = of_start[i] + of_point[i]
            v[i] = v[i] + far * of_point[i]
        for i in k.each(sizes.rates):
            rest[i] = rest[i] + of_rest[i]
        for j, coefficient in self.twice[s].items():
            slope = of_slopes[j].at(sizes.own)
            for i in k.each(sizes.direct):
                slope[i] = slope[i] + (coefficient * square) * of_point[i]
        for j, coefficient in self.a[s].items():
            slope = of_slopes[j]
            for i in k.each(sizes.rates):
                slope[i] = slope[i] + (coefficient * h) * of_rest[i]

    def _times_a(self, rows: Sequence[Row]) -> tuple[Row, ...]:
        products = []
        for row in rows:
            total: dict[int, float] = {}
            for stage, x in row.items():
                for j, y in self.a[stage].items():
                    total[j] = total.get(j, 0.0) + x * y
            products.append(dict(sorted(total.items())))
        return tuple(products)


def combination(slopes: Sequence[Array], row: Row, i: Value, first: int = 0) -> Value:
    """Σ_j row_j k_j, elements i after the first."""
    return reduce(add, (coefficient * slopes[j].at(first)[i] for j, coefficient in row.items()))
