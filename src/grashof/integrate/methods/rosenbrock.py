"""Rosenbrock methods: linearly implicit Runge–Kutta methods, for stiff equations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from grashof.integrate.kernel import offsets
from grashof.integrate.linear import stride_of
from grashof.integrate.methods.base import Method
from grashof.integrate.reduced import Reduced, Shift
from grashof.integrate.values import LANES

if TYPE_CHECKING:
    from grashof.formulation.layout import Sizes
    from grashof.integrate.backward import BackwardStep
    from grashof.integrate.step import Step, Vectors
    from grashof.integrate.values import Array, Value
    from grashof.integrate.work import Dimensions

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

    What is solved has the size of the velocities if there are no other states (see `reduced`).
    """

    gamma: float
    a: tuple[Row, ...]
    c: tuple[Row, ...]
    times: Row
    drifts: Row
    inside: tuple[Row, ...]

    slopes, estimates, closes = 3, 1, False
    needs = ("jacobian",)

    @property
    def stages(self) -> int:
        """S."""
        return len(self.c)

    @property
    def evaluations(self) -> int:
        return self.stages - 1

    def predict_work(self, mechanism: Dimensions, evaluations: float) -> float:
        return mechanism.step(evaluations, jacobians=1.0, systems=(1,), solutions=self.stages)

    def places(self, sizes: Sizes) -> dict[str, int]:
        """Where its vectors are in `step.own`."""
        return offsets(
            {
                "jacobian": sizes.rates * (1 + sizes.size) + LANES,
                "matrix": Reduced.room(sizes, 1),
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

    @property
    def inner(self) -> Row:
        return (0.25, 0.5, 0.75, 1.0)  # the dense output has degree 4

    def keep_inside(self, step: Step) -> None:
        increments = self.increments(step)
        for x, z in zip(self.inner, step.inner, strict=True):
            rest = x * (1.0 - x)
            row = tuple(
                x * b + rest * (d0 + x * (d1 + x * d2)) for b, d0, d1, d2 in zip(self.a[-1], *self.inside, strict=True)
            )
            for i in step.kernel.each(step.sizes.size):
                z[i] = _combination(increments, row, i)

    def pull_step(self, back: BackwardStep) -> None:
        """With the weights w of the equations of the stages, from the last to the first,

        (1/(hγ) − Jᵀ) w_s = ū_s      Ȳ_s = f_yᵀ w_s      ū_j = A_Sj Ȳ_S + Σ_s (A_sj Ȳ_s + C_sj w_s / h)
        ȳ₀ = Ȳ_S + Σ_s (Ȳ_s + ∂/∂y₀ w_s·(J u_s + γ_s h ∂f/∂t))
        """
        sizes, h, step, direct = back.sizes, back.h, back.step, back.sizes.direct
        solver, increments = _Solver(self, step, h), self.increments(step)
        step.evaluate(step.start, step.slopes[0])
        self.make_step(step, h)
        back.project(step.trial)
        of_u = [back.vector(sizes.size) for _ in range(self.stages)]
        for j, vector in enumerate(of_u):
            back.clear(vector, sizes.size)
            back.add(back.adjoint, vector, sizes.size, self.a[self.stages][j])
        way, over = back.vector(1 + sizes.size), 1.0 / h
        for s in range(self.stages - 1, -1, -1):
            w_q, w = solver.solve_transposed(of_u[s])
            point = step.start
            if s:
                point = step.trial
                self._move(step, point, self.a[s], step.start[0] + self.times[s] * h)
            found = back.pull("derivative", point, w)
            back.add(w_q, found.at(sizes.nq), direct)
            back.add(found, back.adjoint, sizes.size)
            for j, (a, c) in enumerate(zip(self.a[s], self.c[s], strict=True)):
                back.add(found, of_u[j], sizes.size, a)
                back.add(w_q, of_u[j], direct, c * over)
                back.add(w, of_u[j].at(direct), sizes.rates, c * over)
            way[0] = self.drifts[s] * h
            back.kernel.copy(increments[s], way.at(1), sizes.size)
            back.add(back.pull("slope", step.start, w, way), back.adjoint, sizes.size)

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
        part = method.gamma * h
        shift = Shift((1.0 / part,), (part,))
        self.system = Reduced(step, self.jacobian, place["matrix"], shift, [self.right_q], [self.right])

    def linearise(self) -> None:
        """J, ∂f/∂t and the factors of the matrix."""
        self.step.call("jacobian", self.step.start, self.jacobian)
        for i in self.kernel.each(self.sizes.rates, 1):
            self.drift[i] = self.system.row(i)[0]
        self.system.factor()

    def solve(self, s: int) -> None:
        """u_s, given the state and the slope of its stage."""
        k, step, sizes, method = self.kernel, self.step, self.sizes, self.method
        increments, row = method.increments(step), method.c[s]
        point, slope = (step.trial, step.slopes[1]) if s else (step.start, step.slopes[0])
        v, over = point.at(1 + sizes.nq), k.splat(1.0 / self.h)
        for i in k.each(sizes.direct):
            self.right_q[i] = v[i] + over * _combination(increments, row, i) if row else v[i]
        shift = k.splat(method.drifts[s] * self.h)
        for i in k.each(sizes.rates):
            b = slope[i] + shift * self.drift[i] if method.drifts[s] else slope[i]
            self.right[i] = b + over * _combination(increments, row, i, sizes.direct) if row else b
        self.system.solve()
        k.copy(self.right_q, increments[s], sizes.direct)
        k.copy(self.right, increments[s].at(sizes.direct), sizes.rates)

    def solve_transposed(self, b: Array) -> tuple[Array, Array]:
        """w with (1/(hγ) − Jᵀ) w = b, for the direct coordinates and for everything that has rates."""
        k, sizes = self.kernel, self.sizes
        k.copy(b, self.right_q, sizes.direct)
        k.copy(b.at(sizes.direct), self.right, sizes.rates)
        self.system.solve_transposed()
        return self.right_q, self.right


def _combination(vectors: list[Array], row: Row, i: Value, first: int = 0) -> Value:
    """Σ_j row_j x_j, elements i after the first."""
    return reduce(add, (x * vectors[j].at(first)[i] for j, x in enumerate(row) if x))
