"""One long step by collocation.

The motion during the step is a polynomial that satisfies the equations of motion at s points, the nodes c of Gauss
quadrature, wherever these are not singular. Its order is 2s (Hairer, Nørsett, Wanner I, II.7):

    q(t₀ + θh) = q₀ + θh v₀ + h² ∬ a
    a(t₀ + c_i h) = the accelerations there, at q and v projected onto the constraints

The accelerations are found by Picard iteration from a guess. Steps with different numbers of points have to agree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import pi
from typing import Protocol

import numpy as np
from numpy.polynomial import legendre
from numpy.typing import NDArray

from grashof.formulation.layout import Sizes
from grashof.scalar import cos
from grashof.scalar.algebra import product

Vector = NDArray[np.float64]

Guess = Callable[[Vector], Vector]
"""A guess of the rates at given times."""

POINTS = (6, 8, 10, 12, 14, 16)
"""Numbers of points, tried in turn until two results agree."""

AGREE, AGREE_INSIDE = 10.0, 100.0
"""Two polynomials agree if they differ by at most this many permitted step errors: the first at the end of the step;
the second inside it and from the steps already made. Inside, the order is only s, and the difference is the error of
the coarser polynomial; that of the finer one is smaller by the ratio of their last coefficients."""

COMPARED = np.linspace(0.2, 1.0, 5)
"""Where they are compared, as fractions of the step."""

GIVE_UP = 2
"""Give up after the iteration has failed to converge for this many numbers of points."""

ITERATIONS, SETTLED, NOISE = 25, 1e-13, 1e-6
"""At most the first number of iterations. They have converged when the relative change of the rates is below the
second, or below the third and no longer decreasing."""

NODES = 6
"""Steps of Newton's method for the nodes; it converges to round-off in four."""

TINY = 1e-300
"""Avoids a division by zero where nothing moves."""


class Flow(Protocol):
    """The equations of motion."""

    sizes: Sizes

    def derivative(self, t: float, y: Vector) -> Vector:
        """The rates."""

    def projected(self, t: float, y: Vector) -> Vector:
        """The state projected onto the constraints."""


@dataclass(frozen=True, eq=False)
class Crossing:
    """The motion during a collocation step from a state y = [q, v, e].

    length   of the whole step, s
    rates    Legendre coefficients of the rates, (s, rates)
    sizes    of the state and its rates
    until    when the run left the step, if that was before its end, s
    """

    begin: float
    length: float
    start: Vector
    rates: Vector
    sizes: Sizes
    until: float | None = None

    @property
    def end(self) -> float:
        """The time at which it ends, s."""
        return self.begin + self.length if self.until is None else self.until

    def at(self, times: Vector) -> tuple[Vector, Vector]:
        """States (m, size) and their rates (m, rates) at m times."""
        sizes, h = self.sizes, self.length
        theta = (times - self.begin) / h
        value, once, twice = _basis(theta, len(self.rates))
        drift = self.start[: sizes.direct] + (h * theta)[:, None] * self.start[sizes.of_direct_v]
        q = drift + h * h * product(twice, self.rates[:, sizes.of_direct_a])
        return np.hstack([q, self.start[sizes.direct :] + h * product(once, self.rates)]), product(value, self.rates)


def converge_step(
    flow: Flow, times: Vector, states: Vector, h: float, guess: Guess, error: Callable[[Vector], float]
) -> tuple[Crossing, Vector] | None:
    """The step of length h from the first of these states, with as many points as convergence requires, and the
    state at its end."""
    t, y = float(times[0]), states[0]
    coarser: tuple[Vector, float] | None = None
    failed = 0
    for s in POINTS:
        crossing = collocate(flow, t, y, h, s, guess)
        if crossing is None:
            failed += 1
            if failed == GIVE_UP:
                return None
            continue
        seen, rest = crossing.at(t + h * COMPARED)[0], float(np.max(np.abs(crossing.rates[-2:])))
        seen[-1] = flow.projected(crossing.end, seen[-1])
        if coarser is not None:
            errors = [error(difference) for difference in seen - coarser[0]]
            inside = max(errors) * min(1.0, rest / max(coarser[1], TINY))
            from_steps = max(map(error, crossing.at(times)[0] - states))
            if errors[-1] <= AGREE and max(inside, from_steps) <= AGREE_INSIDE:
                return crossing, seen[-1]
        coarser = seen, rest
    return None


def collocate(flow: Flow, t: float, y: Vector, h: float, s: int, guess: Guess) -> Crossing | None:
    """The step of length h with s points; None if the iteration does not converge."""
    c, coefficients, once, twice = _points(s)
    sizes, times = flow.sizes, t + h * c
    drift, rates, change = y[: sizes.direct] + (h * c)[:, None] * y[sizes.of_direct_v], guess(times), np.inf
    for count in range(ITERATIONS):
        before = rates, change
        q = drift + h * h * product(twice, rates[:, sizes.of_direct_a])
        states = np.hstack([q, y[sizes.direct :] + h * product(once, rates)])
        rates = np.array([flow.derivative(at, flow.projected(at, x)) for at, x in zip(times, states, strict=True)])
        change = float(np.max(np.abs(rates - before[0])) / max(np.max(np.abs(rates)), TINY))
        if change < SETTLED or 0.5 * before[1] < change < NOISE:
            return Crossing(t, h, y, product(coefficients, rates), sizes)
        if count > 3 and not change < before[1]:
            return None
    return None


@cache
def _points(s: int) -> tuple[Vector, Vector, Vector, Vector]:
    """The nodes c, and the matrices that turn values there into Legendre coefficients and into single and double
    integrals from 0 to c."""
    x = np.array([-cos((k + 0.75) / (s + 0.5) * pi) for k in range(s)])
    for _ in range(NODES):  # Newton's method for the roots of the Legendre polynomial
        slope = s * (legendre.legvander(x, s)[:, s - 1] - x * legendre.legvander(x, s)[:, s]) / (1.0 - x * x)
        x = x - legendre.legvander(x, s)[:, s] / slope
    c, weights = (x + 1.0) / 2.0, 1.0 / ((1.0 - x * x) * slope * slope)
    value, once, twice = _basis(c, s)
    coefficients = (2.0 * np.arange(s)[:, None] + 1.0) * value.T * weights
    return c, coefficients, product(once, coefficients), product(twice, coefficients)


def _basis(theta: Vector, s: int) -> tuple[Vector, Vector, Vector]:
    """Legendre polynomials on [0, 1] at θ, (m, s), their integrals from 0, and their double integrals."""
    polynomials = legendre.legvander(2.0 * theta - 1.0, s + 1)
    value, once, twice = (product(polynomials[:, : len(table)], table) for table in _integrals(s))
    return value, once, twice


@cache
def _integrals(s: int) -> tuple[Vector, Vector, Vector]:
    """Legendre coefficients of s polynomials on [0, 1], of their integrals and of their double integrals from 0; one
    column per polynomial."""
    value, once, twice = (np.asarray(legendre.legint(np.eye(s), m, lbnd=-1) / 2.0**m, float) for m in range(3))
    return value, once, twice
