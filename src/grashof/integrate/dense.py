"""The dense output as native code: `sample` evaluates a run at given times.

Only times and states of the steps are recorded. Inside a step, with θ from 0 to 1, u = θ(1−θ) and s = θ − ½, positions
are

    q(θ) = q₀ + θ F₀ + u F₁ + uθ F₂ + u² F₃ + u²θ F₄ + u³ (F₅ + s F₆ + s² F₇)        v(θ) = q′(θ)/h

F₀ … F₄ make it the quintic through position, velocity and acceleration at both ends; F₅ … F₇ give it the accelerations
at three points between. These are evaluated on the best polynomial known so far (bootstrapping: Enright, Jackson,
Nørsett, Thomsen: Interpolants for Runge–Kutta formulas, ACM Trans. Math. Softw. 12 (1986) 193–218), projected onto the
constraints if there are extra states, so that angles agree with the positions:

- at s = 0 on the quintic, whose position has an error of O(h⁶), as has its velocity because (u³)′ = 0 there;
- at s = ±1/√28 on the resulting polynomial of degree 6, where (u³s)′ = 0: both errors are O(h⁷);
- at s = 0 again, on the polynomial of degree 8.

So the error of q inside a step is O(h⁹) and that of v is O(h⁸), whatever the method; both ends are reproduced as
recorded. Extra states have the same form without F₇, of degree 7, from their rates at these points and at s = ±1/√12,
where (u³s³)′ = 0, so that the error of v is O(h⁹) there, too; their error is O(h⁸). As the points are symmetric, their
rates and those at the ends fit a polynomial of degree 6, whose integral also fits the ends.

A sample is projected onto the constraints, and its derivative is evaluated. This takes 5 evaluations, or 7 with extra
states, for a step that contains samples; DOP853's own output of order 7 takes 16.

If one of the points is at a singular position, accelerations vary wildly there. The second visit to s = 0 reveals this:
in regular steps it changes the acceleration by far less than the first visit changed that of the quintic, and in
irregular ones by far more (docs/measurements.md). From a ratio of one half on (`SETTLED`), samples are computed by a
step of the method from the start of the step to their time. The same is done in steps that are a very small part of the
run, such as those across a kink, where the rounding error of positions, divided by h, would become that of velocities.

In stiff equations a small error of a position is a large one of its acceleration, and none of this would work. Methods
for these have polynomials of their own, from the stages of their steps (see `inner`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce
from math import sqrt
from operator import add

from grashof.integrate.inner import interpolate, recall, width
from grashof.integrate.kernel import Kernel
from grashof.integrate.step import EXTRA_BASIS, NODES, Others, Step, Workspace
from grashof.integrate.values import Array, Value
from grashof.scalar.algebra import exact_inverse
from grashof.scalar.jet import Jet

APART, FARTHER = 1.0 / sqrt(28.0), 1.0 / sqrt(12.0)
INSIDE = (0.5, 0.5 - APART, 0.5 + APART, 0.5 - FARTHER, 0.5 + FARTHER)
SETTLED = 0.5
SHORT = 1e-6
"""Fraction of the run below which a step is short. With positions rounded to 1e-16 of a length ℓ, the rounding error
of velocities in longer steps is at most 1e-10 of ℓ divided by the run's time."""
SWEEPS = 4
"""Visits to all points where forces depend on what has only rates: the cubic has an error of O(h⁴), and the last
polynomial has one of O(h⁸)."""
QUINTIC, CUBIC = 5, 3
"""Number of coefficients that the ends of a step determine: for q, and for extra states."""


def basis(theta: float | Value) -> list[Jet]:
    """The basis functions that multiply F₀ … F₇, with their first two derivatives."""
    left = Jet(theta, 1.0, 0.0)
    u, s = left * (1.0 - left), left - 0.5
    return [left, u, u * left, u * u, u * u * left, u * u * u, u * u * u * s, u * u * u * s * s]


FIRST = [[b.first for b in basis(theta)] for theta in INSIDE]
SECOND = [[b.second for b in basis(theta)] for theta in INSIDE]
FROM_ACCELERATIONS = exact_inverse([row[QUINTIC:] for row in SECOND[:NODES]])
"""F₅ … F₇ from the deficit of the quintic in h²a at the three points."""
FROM_RATES = exact_inverse([row[CUBIC:EXTRA_BASIS] for row in FIRST])
"""F₃ … F₆ of extra states from the deficit of the cubic in hė at all five points, whose values are consistent."""


def sample_ir(space: Workspace) -> str:
    """`sample(work, steps, t, y, inner, count, times, states, derivatives)`, times sorted in the direction of t; a row
    of `inner` is that of the step which ends there (see `inner`)."""
    k = space.kernel("sample")
    work, steps, t, y = k.array("work"), k.number("steps", "i64"), k.array("t"), k.array("y")
    inner, count, times = k.array("inner"), k.number("count", "i64"), k.array("times")
    states, derivatives = k.array("states"), k.array("derivatives")
    step, sizes = Step(k, space, work), space.sizes
    direction = t[steps] - t[0]
    zero = k.constant(0, "i64")
    i, s, built, trusted = k.local(zero), k.local(zero), k.local(zero - 2), k.local(zero)

    def load(row: Value, x: Array) -> None:
        x[0] = t[row]
        k.copy(y.at(row * sizes.size), x.at(1), sizes.size)

    with k.forever():
        with k.when(~(s.value < count)):
            k.exit()
        time = times[s.value]
        with k.when(i.value < steps), k.when(~(direction * (time - t[i.value + 1]) < 0.0)):
            i.value += 1
            k.again()

        with k.when(time.equals(t[i.value])):
            load(i.value, step.inside)
        with k.when(~time.equals(t[i.value])):
            h = t[i.value + 1] - t[i.value]
            with k.when(~built.value.equals(i.value)):
                load(i.value, step.start)
                load(i.value + 1, step.end)
                if step.inner:
                    recall(step, inner.at((i.value + 1) * width(step.method, sizes)))
                    trusted.value = zero + 1
                else:
                    with k.when((built.value + 1).equals(i.value)):
                        k.copy(step.known[1], step.known[0], sizes.rates)
                    with k.when(~(built.value + 1).equals(i.value)):
                        step.evaluate(step.start, step.known[0])
                    step.evaluate(step.end, step.known[1])
                    settled = k.choose(build(k, step, work, h), zero + 1, zero)
                    short = h * h < (SHORT * SHORT) * (direction * direction)
                    trusted.value = k.choose(short, zero, settled)
                built.value = i.value
            with k.when(trusted.value.equals(1)):
                k.call("interpolate", h, (time - t[i.value]) / h, work)
            if not step.inner:
                with k.when(trusted.value.equals(0)):
                    k.copy(step.known[0], step.slopes[0], sizes.rates)
                    k.call("stages", time - t[i.value], work)
            step.trial[0] = time
            step.project(step.inside)

        k.copy(step.inside.at(1), states.at(s.value * sizes.size), sizes.size)
        step.evaluate(step.inside, derivatives.at(s.value * sizes.rates))
        s.value += 1
    return k.text()


def through_ends(k: Kernel, step: Step, h: Value, first: Array, last: Array) -> None:
    """The quintic of the step from start to end, whose rates are these, and the cubic of what has only rates: F₀ …
    F₄; the others are zero."""
    (q0, r0), (q1, r1) = step.parts(step.start), step.parts(step.end)
    wide_h, half = k.splat(h), k.splat(0.5 * (h * h))
    v0, v1, a0, a1 = (vector.at(step.sizes.own) for vector in (r0, r1, first, last))
    f = step.dense_q
    for i in k.each(step.sizes.direct):
        f[0][i] = f0 = q1[i] - q0[i]
        f[1][i] = f1 = wide_h * v0[i] - f0
        f[2][i] = f2 = f0 - f1 - wide_h * v1[i]
        f[3][i] = f3 = half * a0[i] + f1 - f2
        f[4][i] = half * a1[i] + f1 + 2.0 * f2 - f3
        for vector in f[QUINTIC:]:
            vector[i] = k.zeros()
    for part in step.others:
        e0, e1, rate0, rate1 = (vector.at(part.first) for vector in (r0, r1, first, last))
        g = part.of(step.dense_e)
        for i in k.each(part.count):
            g[0][i] = g0 = e1[i] - e0[i]
            g[1][i] = g1 = wide_h * rate0[i] - g0
            g[2][i] = g0 - g1 - wide_h * rate1[i]
            for vector in g[CUBIC:]:
                vector[i] = k.zeros()


def build(k: Kernel, step: Step, work: Array, h: Value) -> Value:
    """F₀ … F₇ of the step from start to end, whose rates are the first two known; returns whether to trust them."""
    sizes, f = step.sizes, step.dense_q
    first, last, *inside, before = step.known
    projected = sizes.rates > sizes.direct
    through_ends(k, step, h, first, last)

    def visit(node: int) -> None:
        theta = k.constant(INSIDE[node])
        step.trial[0] = step.start[0] + theta * h
        k.call("interpolate", h, theta, work)
        if projected:
            step.project(step.inside)
        step.evaluate(step.inside if projected else step.trial, inside[node])

    if sizes.coupled:
        return _sweep(k, step, h, work, visit)
    visit(0)
    square = k.splat(h * h)
    for i in k.each(sizes.direct):
        f[QUINTIC][i] = (1.0 / SECOND[0][QUINTIC]) * _lack(step, square, 0, i)
    visit(1)
    visit(2)
    k.call("solve", h, work)
    k.copy(inside[0], before, sizes.rates)
    visit(0)
    k.call("solve", h, work)

    def settling(i: Value, so_far: list[Value]) -> list[Value]:
        change, lack = inside[0][i] - before[i], before[i] - _sum(SECOND[0][:QUINTIC], _at(f, i)) / (h * h)
        return [so_far[0] + change * change, so_far[1] + lack * lack]

    change, lack = k.fold(sizes.direct, [k.constant(0.0)] * 2, settling, lanes=1)
    if projected:
        for node in range(NODES, len(INSIDE)):
            visit(node)
        _fit_rates(k, step, h)
    return change <= SETTLED**2 * lack


def _sweep(k: Kernel, step: Step, h: Value, work: Array, visit: Callable[[int], None]) -> Value:
    """The same where forces depend on what has only rates: each visit to all points increases the order of the
    polynomials by one."""
    sizes, at_middle, before = step.sizes, step.known[2], step.known[-1]
    lack = change = k.constant(0.0)

    def difference(i: Value, so_far: list[Value]) -> list[Value]:
        x = at_middle.at(sizes.own)[i] - before.at(sizes.own)[i]
        return [so_far[0] + x * x]

    for _ in range(SWEEPS):
        k.copy(at_middle, before, sizes.rates)
        for node in range(len(INSIDE)):
            visit(node)
        if sizes.direct:
            k.call("solve", h, work)
        _fit_rates(k, step, h)
        (last,) = k.fold(sizes.nv, [k.constant(0.0)], difference, lanes=1)
        lack, change = change, last
    return change <= SETTLED**2 * lack


def _fit_rates(k: Kernel, step: Step, h: Value) -> None:
    """F₃ … F₆ of what has only rates, from those at all five points."""
    wide_h, inside = k.splat(h), step.known[2:-1]
    for part in step.others:
        g, rates = part.of(step.dense_e), [vector.at(part.first) for vector in inside]
        for i in k.each(part.count):
            lacks = [wide_h * rate[i] - _sum(FIRST[node][:CUBIC], _at(g, i)) for node, rate in enumerate(rates)]
            for row, vector in zip(FROM_RATES, g[CUBIC:], strict=True):
                vector[i] = _sum(row, lacks)


def interpolate_ir(space: Workspace) -> str:
    """`interpolate(h, theta, work)`: sets y of trial to its value at θ, by the polynomials or by the method."""
    k = space.kernel("interpolate", internal=True)
    h, theta = k.number("h"), k.number("theta")
    step = Step(k, space, k.array("work"))
    if step.inner:
        interpolate(step, theta)
        return k.text()
    (q0, r0), (q, r) = step.parts(step.start), step.parts(step.trial)
    polynomials = basis(theta)
    values, slopes = [_wide(k, b.value) for b in polynomials], [_wide(k, b.first / h) for b in polynomials]
    for i in k.each(space.sizes.direct):
        q[i] = q0[i] + _sum(values, _at(step.dense_q, i))

    def velocities() -> None:
        v = r.at(space.sizes.own)
        for i in k.each(space.sizes.direct):
            v[i] = _sum(slopes, _at(step.dense_q, i))

    def others(part: Others) -> None:
        e0, e, g = r0.at(part.first), r.at(part.first), part.of(step.dense_e)
        for i in k.each(part.count):
            e[i] = e0[i] + _sum(values, _at(g, i))

    before, after = step.others  # in this order, because loops overrun
    others(before)
    velocities()
    others(after)
    return k.text()


def solve_ir(space: Workspace) -> str:
    """`solve(h, work)`: F₅ … F₇ from the accelerations at the three points."""
    k = space.kernel("solve", internal=True)
    h = k.number("h")
    step = Step(k, space, k.array("work"))
    square = k.splat(h * h)
    for i in k.each(space.sizes.direct):
        lacks = [_lack(step, square, node, i) for node in range(NODES)]
        for row, vector in zip(FROM_ACCELERATIONS, step.dense_q[QUINTIC:], strict=True):
            vector[i] = _sum(row, lacks)
    return k.text()


def _lack(step: Step, square: Value, node: int, i: Value) -> Value:
    """The deficit of the quintic in h²a at a point."""
    return square * step.known[2 + node].at(step.sizes.own)[i] - _sum(SECOND[node][:QUINTIC], _at(step.dense_q, i))


def _wide(k: Kernel, x: float | Value) -> float | Value:
    return k.splat(x) if isinstance(x, Value) else x


def _at(vectors: Sequence[Array], i: Value) -> list[Value]:
    return [vector[i] for vector in vectors]


def _sum(coefficients: Sequence[float | Value], values: Sequence[Value]) -> Value:
    """Σ_k c_k x_k, up to the shorter of the two."""
    return reduce(add, (c * x for c, x in zip(coefficients, values, strict=False)))
