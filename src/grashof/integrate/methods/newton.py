"""Simplified Newton iterations for the equations of a collocation step (see `radau`), as native code."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from operator import add
from typing import TYPE_CHECKING

from grashof.integrate.inner import lagrange
from grashof.integrate.linear import stride_of
from grashof.integrate.reduced import Reduced, Shift

if TYPE_CHECKING:
    from grashof.integrate.methods.radau import Radau
    from grashof.integrate.step import Step
    from grashof.integrate.values import Array, Value

ITERATIONS = 15
"""Largest number of Newton iterations."""
STALLED, ROUNDED = 0.7, 0.1
"""Newton's method has failed if a change is larger than the first times the one before, unless it is below the second
in units of the permitted error: then round-off limits it."""
LEAST = 0.1
"""What is left after a change is assumed to be at least this part of it: the first changes, which are those of linear
equations, tell little about the others."""
SERVES, SMOOTH = 0.01, 0.05
"""If all changes of a step were smaller by these factors than those before, its Jacobian is used in the next one, too,
and the iteration begins there with the polynomial of the step."""
NEAR = 2.0
"""The polynomial is not used in a step that is longer by this factor."""
QUICK, SLOWER, LONGER = 0.4, 0.5, 3.0
"""Steps are so long that changes become smaller by the first factor; the next one is longer by a factor between the
other two."""
FAILED = 2.0
"""The estimated error of a step whose equations were not solved: it is repeated with about half its size."""

FACTS = ("evaluations", "known", "past", "size", "rate", "slowest", "change", "state", "fresh", "left")
"""Numbers that are kept: the evaluations of the last step; whether J is known; whether the polynomial of the step
before may be used, and the size of that step; by which factor the last change was smaller than the one before, and the
largest such factor in a step; the last change; whether the iteration GOES on, is DONE or LOST; whether J is that of
this step; how many iterations are left."""
GOES, DONE, LOST = 0.0, 1.0, 2.0


def _combination(weights: Sequence[float | Value], vectors: Sequence[Array], i: Value, first: int = 0) -> Value:
    """Σ_j w_j x_j, elements i after the first."""
    return reduce(add, (w * x.at(first)[i] for w, x in zip(weights, vectors, strict=True)))


class NewtonStep:
    """The equations of one step and their solution."""

    def __init__(self, method: Radau, step: Step, h: Value) -> None:
        self.method, self.step, self.h, self.kernel, self.sizes = method, step, h, step.kernel, step.sizes
        places = method.places(step.sizes)
        self.own, self.jacobian = step.own, step.own.at(places["jacobian"])
        self.error, self.scratch = step.own.at(places["error"]), step.own.at(places["scratch"])
        self.z = step.inner
        self.past, self.residual, self.change = (
            method.stage_vectors(step, x) for x in ("past z", "residual", "change")
        )
        self.right_q = [step.own.at(places["right_q"] + p * stride_of(step.sizes.direct)) for p in range(2)]
        self.right = [step.own.at(places["right"] + p * stride_of(step.sizes.rates)) for p in range(2)]
        self.systems = []
        for columns, pole in zip(method.systems, method.poles, strict=True):
            parts = [pole.real, -pole.imag][: len(columns)]  # of the conjugate: see `_solve_systems`
            size = pole.real**2 + pole.imag**2
            inverse = [pole.real / size, pole.imag / size][: len(columns)]
            shift = Shift(tuple(x / h for x in parts), tuple(x * h for x in inverse))
            place = step.own.at(places[f"matrix {columns[0]}"])
            self.systems.append(Reduced(step, self.jacobian, place, shift, self.right_q, self.right))

    def get(self, name: str) -> Value:
        return self.own[self.method.fact(name)]

    def set(self, name: str, value: Value | float) -> None:
        self.own[self.method.fact(name)] = value

    def solve(self) -> None:
        """Newton's method, with J of an earlier step at first, and with that of this one if that does not serve."""
        k = self.kernel
        self.set("evaluations", 0.0)
        self.set("state", LOST)
        self.set("fresh", 0.0)
        for _ in k.count(k.constant(2, "i64")):
            with k.when(self.get("state").equals(LOST)):
                with k.when(~self.get("known").equals(1.0)):
                    self._linearise()
                    self.set("known", 1.0)
                    self.set("fresh", 1.0)
                for system in self.systems:
                    system.factor()
                self._guess()
                self.set("state", GOES)
                self.set("change", 0.0)
                self.set("slowest", 0.0)
                self.set("left", float(ITERATIONS))
                for _ in k.count(k.constant(ITERATIONS, "i64")):
                    with k.when(self.get("state").equals(GOES)):
                        self._iterate()
                with k.when(self.get("state").equals(GOES)):
                    self.set("state", LOST)
                with k.when(self.get("state").equals(LOST)):
                    self.set("known", self.get("fresh"))
                    self.set("past", 0.0)
        self._move(self.step.trial, self.z[-1], self.step.start[0] + self.h)
        self._estimate()

    def _linearise(self) -> None:
        """J at the start; among runs in lanes, only that of those which ask for it."""
        k, step = self.kernel, self.step
        into = self.jacobian if k.mask is None else self.scratch
        step.call("jacobian", step.start, into)
        if k.mask is not None:
            k.copy(self.scratch, self.jacobian, self.sizes.rates * (1 + self.sizes.size))

    def _guess(self) -> None:
        """Z by the polynomial of the step before, or by the linearised equations."""
        k, size = self.kernel, self.sizes.size
        ratio = self.h / self.get("size")
        near = self.get("past").equals(1.0) & (ratio < NEAR)
        with k.when(near):
            for node, z in zip(self.method.nodes, self.z, strict=True):
                weights = lagrange(self.method.nodes, 1.0 + node * ratio)
                weights[-1] = weights[-1] - 1.0
                wide = [k.splat(x) for x in weights]
                for i in k.each(size):
                    z[i] = _combination(wide, self.past, i)
        with k.when(~near):
            v, slope, direct = self.step.start.at(1 + self.sizes.nq), self.step.slopes[0], self.sizes.direct
            for residual in self.residual:
                k.copy(v, residual, direct)
                k.copy(slope, residual.at(direct), self.sizes.rates)
            self._solve_systems()
            for row, z in zip(self.method.columns, self.z, strict=True):
                for i in k.each(size):
                    z[i] = _combination(row, self.change, i)

    def _iterate(self) -> None:
        """One change of Z."""
        k, sizes, method, step = self.kernel, self.sizes, self.method, self.step
        over, direct = k.splat(1.0 / self.h), sizes.direct
        for node, row, z, residual in zip(method.nodes, method.derivatives, self.z, self.residual, strict=True):
            self._move(step.trial, z, step.start[0] + node * self.h)
            step.evaluate(step.trial, step.slopes[1])
            v, slope = step.trial.at(1 + sizes.nq), step.slopes[1]
            for i in k.each(direct):
                residual[i] = v[i] - over * _combination(row, self.z, i)
            for i in k.each(sizes.rates):
                residual.at(direct)[i] = slope[i] - over * _combination(row, self.z, i, direct)
        self.set("evaluations", self.get("evaluations") + float(method.stages))
        self._solve_systems()
        for row, z, change in zip(method.columns, self.z, self.residual, strict=True):
            for i in k.each(sizes.size):
                change[i] = by = _combination(row, self.change, i)
                z[i] = z[i] + by
        self._judge()

    def _solve_systems(self) -> None:
        """ΔZ = T w. For a pair, with columns a and b of T, D a = α a − β b and D b = α b + β a for λ = α + iβ, and so
        (λ̄/h − J)(w_a + i w_b) = (T⁻¹R)_a + i (T⁻¹R)_b."""
        k, sizes, direct = self.kernel, self.sizes, self.sizes.direct
        for columns, system in zip(self.method.systems, self.systems, strict=True):
            for p, column in enumerate(columns):
                row = self.method.rows[column]
                for i in k.each(direct):
                    self.right_q[p][i] = _combination(row, self.residual, i)
                for i in k.each(sizes.rates):
                    self.right[p][i] = _combination(row, self.residual, i, direct)
            system.solve()
            for p, column in enumerate(columns):
                k.copy(self.right_q[p], self.change[column], direct)
                k.copy(self.right[p], self.change[column].at(direct), sizes.rates)

    def _judge(self) -> None:
        """Whether the iteration goes on, given the changes in `residual`."""
        k, method, direct = self.kernel, self.method, self.sizes.direct
        squares = self.step.squares(
            method.stages, lambda i: [x[i] for x in self.residual], lambda i: [x.at(direct)[i] for x in self.residual]
        )
        norm = k.math("sqrt", reduce(add, squares) * (1.0 / (method.stages * self._controlled)))
        before, first = self.get("change"), self.get("change").equals(0.0)
        rate = norm / before
        # at first, the rate of the step before tells how much is left
        left = k.choose(first, k.math("sqrt", self.get("rate")), rate / (1.0 - rate))
        self.set("change", k.math("maxnum", norm, 1e-300))
        self.set("rate", k.choose(first, left, rate))
        self.set("left", self.get("left") - 1.0)
        with k.when(~first):
            self.set("slowest", k.math("maxnum", self.get("slowest"), rate))
        with k.when(
            ~(self.get("left") > 0.0) | ~(norm < float("inf")) | (~first & ~(rate < STALLED) & (norm > ROUNDED))
        ):
            self.set("state", LOST)
        rounded = ~first & ~(rate < STALLED) & (norm <= ROUNDED)
        with k.when(
            (k.math("maxnum", left, LEAST) * norm <= method.solved) & (left > 0.0) | norm.equals(0.0) | rounded
        ):
            self.set("state", DONE)

    @property
    def _controlled(self) -> float:
        """Number of components over which norms are averaged."""
        return float(max(1, self.sizes.nq + self.sizes.nv + self.sizes.works))

    def _estimate(self) -> None:
        """The estimated error; solved for once more where it is large, which removes what decays within the step."""
        k, step, sizes = self.kernel, self.step, self.sizes
        error, direct = self.error, sizes.direct

        def solve(point: Array, slope: Array) -> None:
            v, scale = point.at(1 + sizes.nq), k.splat(self.systems[0].shift.of[0])
            for i in k.each(direct):
                self.right_q[0][i] = v[i] + scale * _combination(self.method.lacks, self.z, i)
            for i in k.each(sizes.rates):
                self.right[0][i] = slope[i] + scale * _combination(self.method.lacks, self.z, i, direct)
            self.systems[0].solve()
            k.copy(self.right_q[0], error, direct)
            k.copy(self.right[0], error.at(direct), sizes.rates)

        solve(step.start, step.slopes[0])
        (square,) = step.squares(1, lambda i: [error[i]], lambda i: [error.at(direct)[i]])
        with k.when(square > self._controlled):
            k.copy(step.trial, step.inside, 1 + sizes.size)
            self._move(step.trial, error, step.start[0])
            step.evaluate(step.trial, step.slopes[1])
            self.set("evaluations", self.get("evaluations") + 1.0)
            solve(step.trial, step.slopes[1])
            k.copy(step.inside, step.trial, 1 + sizes.size)
        with k.when(~self.get("state").equals(DONE)):
            self._fail(error, step.weights_q, direct)
            self._fail(error.at(direct), step.weights, sizes.rates)

    def _fail(self, error: Array, weights: Array, count: int) -> None:
        k = self.kernel
        for i in k.each(count, 1):
            error[i] = k.choose(weights[i] > 0.0, FAILED / weights[i], k.constant(0.0))

    def _move(self, point: Array, z: Array, time: Value) -> None:
        """point = [time, y₀ + z]."""
        point[0] = time
        y0, y = self.step.start.at(1), point.at(1)
        for i in self.kernel.each(self.sizes.size):
            y[i] = y0[i] + z[i]
