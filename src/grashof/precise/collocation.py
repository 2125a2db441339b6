"""Integration of q̈ = a(t, q, q̇) in decimal arithmetic of any precision, by collocation at Gauss points.

With s points c_i in a step h, the accelerations A_i at them determine a polynomial that is integrated exactly,

    v_i = v₀ + h Σ a_ij A_j,     q_i = q₀ + h c_i v₀ + h² Σ a²_ij A_j,     A_i = a(t_i, q_i, v_i)

which is the implicit Runge–Kutta method of Gauss of order 2s (E. Hairer, G. Wanner, Solving Ordinary Differential
Equations II, IV.5). The equations are solved by iteration, which begins with the polynomial of the step before.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import ROUND_CEILING, Decimal, localcontext
from functools import cache

from grashof.precise.extrapolation import Done
from grashof.precise.pins import solve

Vector = list[Decimal]
Acceleration = Callable[[Decimal, Vector, Vector], Vector]
"""q̈ = a(t, q, q̇)"""

_Coefficients = tuple[Vector, list[Vector], list[Vector], Vector, Vector, list[Vector]]

STAGES = 8
_EXTRA = 40
"""Digits with which the coefficients are calculated beyond those of the integration, because of cancellation."""


def integrate_second_order(
    acceleration: Acceleration,
    q: Vector,
    v: Vector,
    times: Sequence[Decimal],
    step: Decimal,
    digits: int,
    done: Done = lambda part: None,
    stages: int = STAGES,
    stiff: bool = False,
) -> list[tuple[Vector, Vector]]:
    """q and q̇ at the times, which begin at zero or later and increase; steps are at most `step`, shorter where the
    iteration does not converge, and end at these times.

    Iterations end at a change of 10^−digits of the largest acceleration. Whether the step is short enough is for the
    caller to check, by comparison. `stiff` begins with short steps, whose length grows by half each time, and solves
    the equations by Newton's method.
    """
    chosen = _Newton if stiff else _Gauss
    method = chosen(acceleration, Decimal(10) ** -digits, _coefficients(stages, digits + _EXTRA))
    now, found = Decimal(0), []
    longest, step = step, min(step, SHORTEST) if stiff else step
    for time in times:
        while step < longest and now + 2 * step < time:
            there = method.step(now, q, v, step)
            if there is None:
                raise ArithmeticError(f"collocation does not converge at t = {float(now):g} s")
            (q, v), now, step = there, now + step, min(longest, step * 3 / 2)
        left = int(((time - now) / step).to_integral_value(ROUND_CEILING))
        while left:
            h = (time - now) / left
            there = method.step(now, q, v, h)
            if there is None:  # the iteration did not converge
                left *= 2
                if h < step / 1024:
                    raise ArithmeticError(f"collocation does not converge at t = {float(now):g} s: shorten the step")
                continue
            q, v = there
            now, left = now + h, left - 1
        now = time
        done(float(now / times[-1]) if times[-1] else 1.0)
        found.append((q, v))
    return found


SHORTEST = Decimal("1e-6")
"""The first step of a stiff motion, s: what decays in a thousandth of a second is followed."""


class _Gauss:
    """The method, with the accelerations of its last step."""

    def __init__(self, acceleration: Acceleration, least: Decimal, coefficients: _Coefficients) -> None:
        self.acceleration, self.least, self.coefficients = acceleration, least, coefficients
        self.stages: list[Vector] = []
        self.before = Decimal(0)

    def step(self, now: Decimal, q: Vector, v: Vector, h: Decimal) -> tuple[Vector, Vector] | None:
        """q and v at now + h; None if the iteration does not converge."""
        nodes, first, second, weights, double, onward = self.coefficients
        if self.stages and abs(h - self.before) <= self.least * h:
            stages = [_combine(row, self.stages) for row in onward]
        else:
            stages = [self.acceleration(now, q, v)] * len(nodes)
        base = [[x + c * h * u for x, u in zip(q, v, strict=True)] for c in nodes]
        previous: Decimal | None = None
        self.prepare(now, q, v, h)
        while True:
            change, size, again = Decimal(0), Decimal(1), []
            for i, c in enumerate(nodes):
                there = [x + h * h * y for x, y in zip(base[i], _combine(second[i], stages), strict=True)]
                rate = [u + h * y for u, y in zip(v, _combine(first[i], stages), strict=True)]
                value = self.acceleration(now + c * h, there, rate)
                change = max(change, *(abs(x - y) for x, y in zip(value, stages[i], strict=True)))
                size = max(size, *map(abs, value))
                again.append(value)
            stages = self.improve(h, stages, again)
            if change <= self.least * size:
                break
            if previous is not None and change > previous / 2:  # too slow, or only rounding is left
                if change > self.least * size * 1000:
                    self.stages = []
                    return None
                break
            previous = change
        self.stages, self.before = stages, h
        q = [x + h * u + h * h * y for x, u, y in zip(q, v, _combine(double, stages), strict=True)]
        return q, [u + h * y for u, y in zip(v, _combine(weights, stages), strict=True)]

    def prepare(self, now: Decimal, q: Vector, v: Vector, h: Decimal) -> None:
        """What a step needs beforehand."""

    def improve(self, h: Decimal, stages: list[Vector], found: list[Vector]) -> list[Vector]:
        """Better accelerations than those from which others were found."""
        return found


class _Newton(_Gauss):
    """The same, with Newton's method: a and A − a(A) with the derivatives of a at the beginning of the step,

    (1 − h² a² ∂a/∂q − h a ∂a/∂v) ΔA = a(A) − A
    """

    inverse: list[Vector]

    def prepare(self, now: Decimal, q: Vector, v: Vector, h: Decimal) -> None:
        n, (nodes, first, second, *_) = len(q), self.coefficients
        base = self.acceleration(now, q, v)
        by_q: list[Vector] = []
        by_v: list[Vector] = []
        for k in range(n):
            for columns, which in ((by_q, 0), (by_v, 1)):
                place = [list(q), list(v)]
                change = self.least.sqrt() * max(abs(place[which][k]), Decimal(1))
                place[which][k] += change
                value = self.acceleration(now, *place)
                columns.append([(x - y) / change for x, y in zip(value, base, strict=True)])
        size = len(nodes) * n
        matrix = [
            [
                Decimal(row == column)
                - h * h * second[row // n][column // n] * by_q[column % n][row % n]
                - h * first[row // n][column // n] * by_v[column % n][row % n]
                for column in range(size)
            ]
            for row in range(size)
        ]
        units = [[Decimal(i == k) for i in range(size)] for k in range(size)]
        self.inverse = solve(matrix, units)  # its columns

    def improve(self, h: Decimal, stages: list[Vector], found: list[Vector]) -> list[Vector]:
        n = len(stages[0])
        flat = [x - y for new, old in zip(found, stages, strict=True) for x, y in zip(new, old, strict=True)]
        change = _combine(flat, self.inverse)
        return [[x + change[n * i + k] for k, x in enumerate(row)] for i, row in enumerate(stages)]


def _combine(row: Sequence[Decimal], vectors: Sequence[Vector]) -> Vector:
    """Σ row_j vectors_j"""
    return [sum((a * x for a, x in zip(row, column, strict=True)), Decimal(0)) for column in zip(*vectors, strict=True)]


@cache
def _coefficients(count: int, digits: int) -> _Coefficients:
    """Nodes c, the matrices a and a², the weights of v and q at the end, and the extrapolation to the next step."""
    import mpmath

    with mpmath.workdps(digits), localcontext(prec=digits):
        roots = mpmath.polyroots(mpmath.taylor(lambda x: mpmath.legendre(count, x), 0, count)[::-1], 200, extraprec=400)
        nodes = sorted(Decimal(mpmath.nstr((1 + mpmath.re(root)) / 2, digits)) for root in roots)
        # the polynomial that is one at node j and zero at the others, by its coefficients
        lagrange = []
        for j, c in enumerate(nodes):
            poly = [Decimal(1)]
            for k, d in enumerate(nodes):
                if k != j:
                    scaled = [x / (c - d) for x in poly]
                    poly = [
                        (scaled[i - 1] if i else Decimal(0)) - (d * scaled[i] if i < len(scaled) else Decimal(0))
                        for i in range(len(scaled) + 1)
                    ]
            lagrange.append(poly)

        def at(poly: Vector, x: Decimal, times: int) -> Decimal:
            """The polynomial, integrated so many times from zero, at x."""
            total = Decimal(0)
            for power, coefficient in enumerate(poly):
                divisor = Decimal(1)
                for k in range(1, times + 1):
                    divisor *= power + k
                total += coefficient * x ** (power + times) / divisor if power + times else coefficient
            return total

        first = [[at(poly, c, 1) for poly in lagrange] for c in nodes]
        second = [[at(poly, c, 2) for poly in lagrange] for c in nodes]
        weights = [at(poly, Decimal(1), 1) for poly in lagrange]
        double = [at(poly, Decimal(1), 2) for poly in lagrange]
        onward = [[at(poly, 1 + c, 0) for poly in lagrange] for c in nodes]
    return nodes, first, second, weights, double, onward
