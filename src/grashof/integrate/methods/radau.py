"""Radau IIA: collocation methods of order 5, 9 and 13 with 3, 5 and 7 stages, for stiff equations and small tolerances.

| | |
|---|---|
| order | 2S − 1 with S stages; S inside a step |
| stability | L-stable and stiffly accurate: what decays within a step has decayed at its end |
| with stiff equations | of v̇ = −λ (v − g(t)) + ġ(t), q̇ = v: errors of v O(h^S/λ), of q O(h^(2S−1)) + O(h^S/λ²) |
| evaluations per step | S for each iteration of Newton's method, usually two to six; a Jacobian if the last one fails |
| error estimate | an embedded quadrature of order S: err = O(h^(S+1)) |
| reference | Hairer, Wanner: Stiff differential equations solved by Radau methods, JCAM 111 (1999) 93–111 |
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import add, mul
from typing import TYPE_CHECKING

from grashof.integrate.kernel import offsets
from grashof.integrate.linear import stride_of
from grashof.integrate.methods.base import Method
from grashof.integrate.reduced import Reduced, Shift
from grashof.integrate.values import LANES
from grashof.scalar.algebra import exact_inverse

if TYPE_CHECKING:
    from grashof.formulation.layout import Sizes
    from grashof.integrate.step import Step, Vectors
    from grashof.integrate.values import Array, Value

Row = tuple[float, ...]

ITERATIONS, AGAIN = 15, 60
"""Largest number of Newton iterations: in a run, and where a step is made again, to all digits."""
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

FACTS = ("evaluations", "known", "past", "size", "rate", "slowest", "change", "state", "fresh", "most", "left")
"""Numbers that are kept: the evaluations of the last step; whether J is known; whether the polynomial of the step
before may be used, and the size of that step; by which factor the last change was smaller than the one before, and the
largest such factor in a step; the last change; whether the iteration GOES on, is DONE or LOST; whether J is that of
this step; how many iterations there may be, and how many are left."""
GOES, DONE, LOST = 0.0, 1.0, 2.0
GIVEN = 2.0
"""The first guess is given: there is no polynomial of the step before."""

OFF, ROUND_OFF = 1e-2, 1e8
"""A step that is made again ends where it did before if the squared difference is at most so much of the squared
motion, plus so many squared units of the last digits to which equations are solved then."""


@dataclass(frozen=True, eq=False)
class Radau(Method):
    """The polynomial u(t) of degree S with u(t₀) = y₀ satisfies u′ = f(t, u) at S times t₀ + c_i h, the last of which
    is the end of the step. With Z_i = u(t₀ + c_i h) − y₀ and the derivatives D_ij of its Lagrange polynomials,

        R_i = f(t₀ + c_i h, y₀ + Z_i) − Σ_j D_ij Z_j / h = 0        y₁ = y₀ + Z_S

    Simplified Newton iterations solve (D/h ⊗ 1 − 1 ⊗ J) ΔZ = R, with J = ∂f/∂y at the start of this step or of an
    earlier one. D has one real eigenvalue and (S − 1)/2 pairs: with D = T Λ T⁻¹ these are as many linear systems with
    the shifts λ/h (see `reduced`). The iteration begins with the polynomial of the step before.

    The embedded result with weight 1/λ₀ of f(t₀, y₀), λ₀ being the real eigenvalue, estimates the error, which a
    solution of (λ₀/h − J) e = f(t₀, y₀) + Σ_j E_j Z_j λ₀/h makes suitable for stiff equations.

    nodes    c
    poles    λ: the real one, and the others with positive imaginary parts
    solved   permitted error of the solution of a step's equations, in units of the permitted error of the step
    """

    nodes: Row
    poles: tuple[complex, ...]
    solved: float = 0.001

    slopes, estimates, closes, interpolates = 3, 1, False, True
    needs = ("jacobian",)

    @property
    def stages(self) -> int:
        """S."""
        return len(self.nodes)

    @property
    def evaluations(self) -> int:
        return self.stages  # of one iteration

    @property
    def estimate_order(self) -> int:
        return self.stages + 1

    # -- tables: computed in rational numbers, so that they are the same on every machine

    @cached_property
    def derivatives(self) -> list[Row]:
        """D."""
        places = [Fraction(0), *map(Fraction, self.nodes)]
        lead = [reduce(mul, (x - y for y in places if y != x)) for x in places]
        rows = []
        for i, x in enumerate(places[1:], 1):
            others = [lead[i] / (lead[j] * (x - y)) if j != i else Fraction(0) for j, y in enumerate(places)]
            others[i] = sum((1 / (x - y) for y in places if y != x), Fraction(0))
            rows.append(tuple(map(float, others[1:])))
        return rows

    @cached_property
    def columns(self) -> list[Row]:
        """T, by rows: real eigenvectors, and real and imaginary parts of complex ones. A polynomial with u(0) = 0 and
        u′ − λu = −Π(x − c_i) is u = Σ_k M⁽ᵏ⁾/λ^(k+1), where M is that product."""
        product = [Fraction(1)]
        for node in map(Fraction, self.nodes):
            product = [a - node * b for a, b in zip([Fraction(0), *product], [*product, Fraction(0)], strict=True)]
        columns: list[list[Fraction]] = []
        for pole in self.poles:
            size = Fraction(pole.real) ** 2 + Fraction(pole.imag) ** 2
            inverse = Fraction(pole.real) / size, -Fraction(pole.imag) / size
            real, imaginary = [], []
            for node in map(Fraction, self.nodes):
                power, total, polynomial = (Fraction(1), Fraction(0)), (Fraction(0), Fraction(0)), product
                for _ in range(self.stages):
                    polynomial = [k * x for k, x in enumerate(polynomial)][1:]
                    power = (
                        power[0] * inverse[0] - power[1] * inverse[1],
                        power[0] * inverse[1] + power[1] * inverse[0],
                    )
                    value = sum((x * node**k for k, x in enumerate(polynomial)), Fraction(0))
                    total = total[0] + power[0] * value, total[1] + power[1] * value
                real.append(total[0])
                imaginary.append(total[1])
            columns += [real, imaginary] if pole.imag else [real]
        return [tuple(map(float, row)) for row in zip(*columns, strict=True)]

    @cached_property
    def rows(self) -> list[list[float]]:
        """T⁻¹."""
        return exact_inverse(self.columns)

    @cached_property
    def lacks(self) -> Row:
        """E: the embedded result less the result, in terms of Z."""
        nodes = [Fraction(x) for x in self.nodes]
        powers = exact_inverse([[x**k for x in nodes] for k in range(self.stages)])
        wanted = [1.0 / (k + 1) - (1.0 / self.poles[0].real if k == 0 else 0.0) for k in range(self.stages)]
        weights = [sum(x * y for x, y in zip(row, wanted, strict=True)) for row in powers]
        sums = [sum(w * row[j] for w, row in zip(weights, self.derivatives, strict=True)) for j in range(self.stages)]
        return (*sums[:-1], sums[-1] - 1.0)

    # -- vectors

    @property
    def systems(self) -> list[tuple[int, ...]]:
        """The columns of T that belong to each eigenvalue."""
        return [(0,), *((k, k + 1) for k in range(1, self.stages, 2))]

    def places(self, sizes: Sizes) -> dict[str, int]:
        """Where its vectors are in `step.own`."""
        vector = stride_of(sizes.size)
        matrices = {f"matrix {x[0]}": Reduced.room(sizes, len(x)) for x in self.systems}
        return offsets(
            {
                "facts": 3 * LANES,
                "jacobian": sizes.rates * (1 + sizes.size) + LANES,
                "scratch": sizes.rates * (1 + sizes.size) + LANES,
                **matrices,
                "right_q": 2 * stride_of(sizes.direct),
                "right": 2 * stride_of(sizes.rates),
                "error": vector,
                **dict.fromkeys(("z", "past z", "residual", "change"), self.stages * vector),
            }
        )

    def room(self, sizes: Sizes) -> int:
        return self.places(sizes)["all"]

    def stage_vectors(self, step: Step, name: str) -> list[Array]:
        """Vectors of the size of a state, one for each stage."""
        first = step.own.at(self.places(step.sizes)[name])
        return [first.at(i * stride_of(step.sizes.size)) for i in range(self.stages)]

    def fact(self, name: str) -> int:
        """Where one of the FACTS is in `step.own`."""
        return FACTS.index(name)

    # -- what the loop asks for

    def count_evaluations(self, step: Step) -> Value:
        return step.kernel.integer(step.own[self.fact("evaluations")])

    def forget(self, step: Step) -> None:
        step.own[self.fact("known")] = 0.0
        step.own[self.fact("past")] = 0.0
        step.own[self.fact("rate")] = 1.0
        step.own[self.fact("most")] = float(ITERATIONS)

    def accept(self, step: Step, h: Value) -> None:
        k, own = step.kernel, step.own
        places = self.places(step.sizes)
        k.copy(own.at(places["z"]), own.at(places["past z"]), self.stages * stride_of(step.sizes.size))
        slowest, one, zero = own[self.fact("slowest")], k.constant(1.0), k.constant(0.0)
        own[self.fact("size")] = h
        own[self.fact("past")] = k.choose(slowest < SMOOTH, one, zero)
        own[self.fact("known")] = k.choose(slowest < SERVES, one, zero)

    def limit_growth(self, step: Step) -> Value:
        k = step.kernel
        limit = k.math("maxnum", QUICK / step.own[self.fact("slowest")], SLOWER)
        return k.math("minnum", limit, LONGER)

    def recall(self, step: Step, h: Value) -> None:
        self._put_cubic(step, h)
        self.forget(step)
        step.own[self.fact("past")] = GIVEN
        step.own[self.fact("most")] = float(AGAIN)

    def settle(self, step: Step, h: Value) -> None:
        """Where no solution was found, or one with another end, the cubic has to do."""
        k, direct, z = step.kernel, step.sizes.direct, self.stage_vectors(step, "z")[-1]
        (q0, r0), (q1, r1) = step.parts(step.start), step.parts(step.end)
        missed, moved = step.squares(
            2,
            lambda i: [z[i] - (q1[i] - q0[i]), q1[i] - q0[i]],
            lambda i: [z.at(direct)[i] - (r1[i] - r0[i]), r1[i] - r0[i]],
        )
        there = missed <= OFF * moved + ROUND_OFF
        with k.when(~(there & step.own[self.fact("state")].equals(DONE))):
            self._put_cubic(step, h)

    def _put_cubic(self, step: Step, h: Value) -> None:
        """Z by the cubic through both ends, with their slopes."""
        k, direct = step.kernel, step.sizes.direct
        (q0, r0), (q1, r1) = step.parts(step.start), step.parts(step.end)
        v0, v1 = (x.at(1 + step.sizes.nq) for x in (step.start, step.end))
        first, last = step.known[:2]
        for node, z in zip(self.nodes, self.stage_vectors(step, "z"), strict=True):
            whole = node * node * (3.0 - 2.0 * node)
            one, two = (k.splat(x * h) for x in (node * (1.0 - node) ** 2, node * node * (node - 1.0)))
            for i in k.each(direct):
                z[i] = whole * (q1[i] - q0[i]) + one * v0[i] + two * v1[i]
            for i in k.each(step.sizes.rates):
                z.at(direct)[i] = whole * (r1[i] - r0[i]) + one * first[i] + two * last[i]

    def make_step(self, step: Step, h: Value) -> None:
        _Newton(self, step, h).solve()

    def estimate(self, step: Step, h: Value) -> tuple[Vectors, Vectors]:
        error, part = step.own.at(self.places(step.sizes)["error"]), step.kernel.splat(1.0 / h)
        return lambda i: [part * error[i]], lambda i: [part * error.at(step.sizes.direct)[i]]

    def interpolate(self, step: Step, theta: Value) -> None:
        k, z = step.kernel, self.stage_vectors(step, "z")
        weights, wide = [k.splat(x) for x in self.basis(theta)], k.splat(theta)
        y0, y1, y = (x.at(1) for x in (step.start, step.end, step.trial))
        for i in k.each(step.sizes.size):
            moved = y1[i] - (y0[i] + z[-1][i])  # by the projection
            y[i] = y0[i] + wide * moved + _combination(weights, z, i)

    def basis(self, x: Value) -> list[Value]:
        """The Lagrange polynomials of 0 and c at x, without the first."""
        lengths = [c * reduce(mul, (c - d for d in self.nodes if d != c)) for c in self.nodes]
        apart = [x - c for c in self.nodes]
        before = [x]
        for y in apart[:-1]:
            before.append(before[-1] * y)
        found, after = [], None
        for i in range(self.stages - 1, -1, -1):
            product = before[i] if after is None else before[i] * after
            found.append((1.0 / lengths[i]) * product)
            after = apart[i] if after is None else after * apart[i]
        return found[::-1]


def _combination(weights: Sequence[float | Value], vectors: Sequence[Array], i: Value, first: int = 0) -> Value:
    """Σ_j w_j x_j, elements i after the first."""
    return reduce(add, (w * x.at(first)[i] for w, x in zip(weights, vectors, strict=True)))


class _Newton:
    """The equations of one step and their solution."""

    def __init__(self, method: Radau, step: Step, h: Value) -> None:
        self.method, self.step, self.h, self.kernel, self.sizes = method, step, h, step.kernel, step.sizes
        places = method.places(step.sizes)
        self.own, self.jacobian = step.own, step.own.at(places["jacobian"])
        self.error, self.scratch = step.own.at(places["error"]), step.own.at(places["scratch"])
        self.z, self.past, self.residual, self.change = (
            method.stage_vectors(step, x) for x in ("z", "past z", "residual", "change")
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
                self.set("left", self.get("most"))
                for _ in k.count(k.constant(AGAIN, "i64")):
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
        """J at the start or, if a guess is given, in the middle; among runs in lanes, only that of those which ask for
        it."""
        k, step, middle = self.kernel, self.step, self.method.stages // 2
        k.copy(step.start, step.trial, 1 + self.sizes.size)
        with k.when(self.get("past").equals(GIVEN)):
            self._move(step.trial, self.z[middle], step.start[0] + self.method.nodes[middle] * self.h)
        into = self.jacobian if k.mask is None else self.scratch
        step.call("jacobian", step.trial, into)
        if k.mask is not None:
            k.copy(self.scratch, self.jacobian, self.sizes.rates * (1 + self.sizes.size))

    def _guess(self) -> None:
        """Z by the polynomial of the step before, or by the linearised equations."""
        k, size = self.kernel, self.sizes.size
        ratio = self.h / self.get("size")
        near = self.get("past").equals(1.0) & (ratio < NEAR)
        with k.when(near):
            for node, z in zip(self.method.nodes, self.z, strict=True):
                weights = self.method.basis(1.0 + node * ratio)
                weights[-1] = weights[-1] - 1.0
                wide = [k.splat(x) for x in weights]
                for i in k.each(size):
                    z[i] = _combination(wide, self.past, i)
        with k.when(~near & ~self.get("past").equals(GIVEN)):
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
            method.stages,
            lambda i: [x[i] for x in self.residual],
            lambda i: [x.at(direct)[i] for x in self.residual],
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
        # where a step is made again, there is a solution
        limit = k.choose(self.get("most") > float(ITERATIONS), k.constant(float("inf")), k.constant(STALLED))
        with k.when(~(self.get("left") > 0.0) | ~(norm < float("inf")) | (~first & ~(rate < limit) & (norm > ROUNDED))):
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


RADAU5 = Radau(
    "radau5",
    "Radau IIA of order 5, implicit",
    order=5,
    share=0.03,
    nodes=(0.15505102572168219, 0.64494897427831781, 1.0),
    poles=(3.6378342527444957 + 0j, 2.6810828736277521 + 3.0504301992474106j),
)
RADAU9 = Radau(
    "radau9",
    "Radau IIA of order 9, implicit",
    order=9,
    share=0.03,
    nodes=(0.057104196114517682, 0.27684301363812383, 0.58359043236891682, 0.86024013565621945, 1.0),
    poles=(
        6.2867047517292766 + 0j,
        5.7009532986717894 + 3.2102656003085499j,
        3.6556943254635723 + 6.5437368993600773j,
    ),
)
RADAU13 = Radau(
    "radau13",
    "Radau IIA of order 13, implicit",
    order=13,
    share=0.03,
    nodes=(
        0.029316427159784892,
        0.14807859966848429,
        0.3369846902811543,
        0.55867151877155013,
        0.7692338620300545,
        0.92694567131974111,
        1.0,
    ),
    poles=(
        8.9368327884052163 + 0j,
        8.5118348251029457 + 3.2810136243250588j,
        7.1410552191876401 + 6.623045922639276j,
        4.378693561506806 + 10.169693283795012j,
    ),
)
