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

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, reduce
from operator import mul
from typing import TYPE_CHECKING

from grashof.integrate.kernel import offsets
from grashof.integrate.linear import stride_of
from grashof.integrate.methods.base import Method
from grashof.integrate.methods.collocation_backward import CollocationBackwards
from grashof.integrate.methods.newton import FACTS, LONGER, QUICK, SERVES, SLOWER, SMOOTH, NewtonStep
from grashof.integrate.reduced import Reduced
from grashof.integrate.values import LANES
from grashof.scalar.algebra import exact_inverse

if TYPE_CHECKING:
    from grashof.formulation.layout import Sizes
    from grashof.integrate.backward import BackwardStep
    from grashof.integrate.step import Step, Vectors
    from grashof.integrate.values import Array, Value
    from grashof.integrate.work import Dimensions


Row = tuple[float, ...]

JACOBIANS = 0.5
"""Jacobians in a step where the equations are stiff, about."""


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

    slopes, estimates, closes = 3, 1, False
    needs = ("jacobian",)

    @property
    def inner(self) -> Row:
        return self.nodes

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

    def predict_work(self, mechanism: Dimensions, evaluations: float) -> float:
        sizes = [len(columns) for columns in self.systems]
        return mechanism.step(evaluations, JACOBIANS, sizes, evaluations / self.stages + 1.0)

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
                **dict.fromkeys(("past z", "residual", "change"), self.stages * vector),
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

    def forget_past(self, step: Step) -> None:
        step.own[self.fact("past")] = 0.0

    def accept(self, step: Step, h: Value) -> None:
        k, own = step.kernel, step.own
        places = self.places(step.sizes)
        k.copy(step.inner[0], own.at(places["past z"]), self.stages * stride_of(step.sizes.size))
        slowest, one, zero = own[self.fact("slowest")], k.constant(1.0), k.constant(0.0)
        own[self.fact("size")] = h
        own[self.fact("past")] = k.choose(slowest < SMOOTH, one, zero)
        own[self.fact("known")] = k.choose(slowest < SERVES, one, zero)

    def limit_growth(self, step: Step) -> Value:
        k = step.kernel
        limit = k.math("maxnum", QUICK / step.own[self.fact("slowest")], SLOWER)
        return k.math("minnum", limit, LONGER)

    def make_step(self, step: Step, h: Value) -> None:
        NewtonStep(self, step, h).solve()

    def estimate(self, step: Step, h: Value) -> tuple[Vectors, Vectors]:
        error, part = step.own.at(self.places(step.sizes)["error"]), step.kernel.splat(1.0 / h)
        return lambda i: [part * error[i]], lambda i: [part * error.at(step.sizes.direct)[i]]

    def pull_step(self, back: BackwardStep) -> None:
        CollocationBackwards(self, back).pull()


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
