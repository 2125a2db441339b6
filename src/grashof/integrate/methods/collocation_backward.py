"""A step of collocation backwards: from ȳ₁ to ȳ₀ through the equations that the stages satisfy (see `radau`).

With the weights w_i of the equations R_i = f(t_i, y₀ + Z_i) − Σ_j D_ij Z_j / h = 0 and y₁ = y₀ + Z_S,

    Σ_i D_ij w_i / h − J_jᵀ w_j = ȳ₁ if j = S, or else 0      ȳ₀ = ȳ₁ + Σ_i J_iᵀ w_i      c̄ += Σ_i w_i·∂f/∂c

where J_i is the Jacobian at stage i. Because the step solved its equations only approximately, and Jacobians of other
states served for that, these equations are not solved by the same iteration but at once. What has rates is coupled by
them, and the rest is eliminated, as in `reduced`: with A = D⁻¹, works need no equations, and of the direct coordinates

    w_q,j = h Σ_i A_ij ((ȳ₁)_q if i = S + (J_iᵀ w_i)_q)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.integrate.linear import Matrix, stride_of
from grashof.integrate.values import LANES
from grashof.scalar.algebra import exact_inverse

if TYPE_CHECKING:
    from grashof.integrate.backward import BackwardStep
    from grashof.integrate.methods.radau import Radau
    from grashof.integrate.values import Array, Value


class CollocationBackwards:
    """The equations for the weights of one step, whose Z are those that were recorded."""

    def __init__(self, method: Radau, back: BackwardStep) -> None:
        self.back, self.kernel, self.sizes, self.derivatives = back, back.kernel, back.sizes, method.derivatives
        self.integrals, self.stages = exact_inverse(method.derivatives), method.stages
        self.n = self.sizes.rates - self.sizes.works
        stages = range(self.stages)
        self.points = [back.vector(1 + self.sizes.size) for _ in stages]
        self.jacobians = [back.vector(self.sizes.rates * (1 + self.sizes.size) + LANES) for _ in stages]
        self.weights = [back.vector(self.sizes.rates) for _ in stages]
        self.of_q = [back.vector(self.sizes.direct) for _ in stages]
        count = self.stages * self.n
        self.matrix = Matrix(self.kernel, back.vector(Matrix.room(count)), count)
        self.right = back.vector(stride_of(count))
        start, times = back.step.start, [node * back.h for node in method.nodes]
        for point, time, z in zip(self.points, times, back.step.inner, strict=True):
            point[0] = start[0] + time
            back.kernel.copy(start.at(1), point.at(1), self.sizes.size)
            back.add(z, point.at(1), self.sizes.size)

    def pull(self) -> None:
        """ȳ₁ becomes ȳ₀."""
        back, sizes, n = self.back, self.sizes, self.n
        step, last = back.step, self.stages - 1
        back.kernel.copy(self.points[last], step.trial, 1 + sizes.size)
        back.project(step.trial)
        back.clear(self.right, stride_of(self.stages * n))
        for i, (of_q, weights) in enumerate(zip(self.of_q, self.weights, strict=True)):
            self._weigh_works(i, weights)
            back.clear(of_q, sizes.direct)
        back.add(back.adjoint, self.of_q[last], sizes.direct)
        back.add(back.adjoint.at(sizes.direct), self.right.at(last * n), n)
        if sizes.works:
            for i in range(self.stages):
                self._add_works(i)
        for j in range(self.stages):
            for i in range(self.stages):
                place = self.right.at(j * n + sizes.own)
                back.add(self.of_q[i], place, sizes.direct, self.integrals[i][j] * back.h)
        if n:
            self._solve()
        self._collect()

    def _weigh_works(self, i: int, weights: Array) -> None:
        """The weights of works, on which nothing depends."""
        n, part = self.n, self.integrals[self.stages - 1][i] * self.back.h
        works = self.back.adjoint.at(self.sizes.direct).at(n)
        self.back.clear(weights, self.sizes.rates)
        self.back.add(works, weights.at(n), self.sizes.works, part)

    def _add_works(self, i: int) -> None:
        """What the weights of works contribute to the other equations of a stage."""
        found = self.back.pull("derivative", self.points[i], self.weights[i], add=False)
        self.back.add(found, self.of_q[i], self.sizes.direct)
        self.back.add(found.at(self.sizes.direct), self.right.at(i * self.n), self.n)

    def _solve(self) -> None:
        """The weights of everything that has rates but works."""
        k, n = self.kernel, self.n
        over = 1.0 / self.back.h
        for point, jacobian in zip(self.points, self.jacobians, strict=True):
            self.back.step.call("jacobian", point, jacobian)
        for i in range(self.stages):
            for a in k.each(n, 1):
                row = self.matrix.row(a + i * n)
                for j in range(self.stages):
                    self._write(row.at(j * n), a, i, j)
                    row.at(j * n)[a] = row.at(j * n)[a] + self.derivatives[i][j] * over
                self.matrix.finish_row(a + i * n)
        self.matrix.factor()
        self.matrix.solve_transposed(self.right)
        for i, weights in enumerate(self.weights):
            k.copy(self.right.at(i * n), weights, n)

    def _write(self, row: Array, a: Value, i: int, j: int) -> None:
        """Row a of −J_i, in the columns of stage j: what has rates there if i = j, and the direct coordinates, which
        are integrals of velocities of all stages."""
        k, sizes = self.kernel, self.sizes
        rates = self.jacobians[i].at(a * (1 + sizes.size))
        for c in k.each(self.n):
            row[c] = rates.at(1 + sizes.direct)[c].negative() if i == j else k.constant(0.0)
        self.back.add(rates.at(1), row.at(sizes.own), sizes.direct, -self.integrals[i][j] * self.back.h)

    def _collect(self) -> None:
        """ȳ₀ and c̄, given the weights of everything that has rates."""
        back, sizes = self.back, self.sizes
        for of_q in self.of_q:
            back.clear(of_q, sizes.direct)
        back.add(back.adjoint, self.of_q[-1], sizes.direct)
        for point, weights, of_q in zip(self.points, self.weights, self.of_q, strict=True):
            found = back.pull("derivative", point, weights)
            back.add(found, of_q, sizes.direct)
            back.add(found, back.adjoint, sizes.size)
        for row, of_q in zip(self.integrals, self.of_q, strict=True):
            back.add(of_q, back.adjoint.at(sizes.nq), sizes.direct, sum(row) * back.h)
