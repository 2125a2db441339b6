"""The motion of a linkage with one degree of freedom by quadrature: no differential equation is solved.

    t = ∫ √(J/2(E − V)) ds

Where E exceeds V everywhere the integrand is periodic in s; between two turning points s₁ and s₂ the substitution s =
½(s₁ + s₂) + ½(s₂ − s₁) sin χ makes it periodic in χ. Either way its Fourier series, from equidistant samples, converges
geometrically and is integrated term by term. Where a rotating linkage narrowly misses a singular position, its
velocities change within a narrow interval of s; there, Chebyshev series on panels that become shorter towards it are
used instead.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.polynomial import chebyshev
from scipy.optimize import brentq

from campaign.linkage import OFFSET, SURVEY, Linkage
from campaign.structure import Array

EXACT = 1e-12
"""Largest truncation error of the Fourier series, relative to its mean."""

MOST_SAMPLES = 1 << 13

NODES = 24
"""Number of samples per panel."""

SHORTEST = 1e-12
"""Shortest length of a panel, in periods."""


class NotJudged(Exception):
    """The quadrature cannot determine this motion, which is too near to a separatrix."""


@dataclass(frozen=True)
class Orbit:
    """A motion along the branch.

    energy     E − V(0), J
    turning    (s₁, s₂), or None if it goes round
    phase      at the start: s itself if it goes round, χ if it swings
    direction  in which the phase goes
    clock      time as a function of the phase
    """

    linkage: Linkage
    energy: float
    turning: tuple[float, float] | None
    phase: float
    direction: int
    clock: EnergyClock | Panels

    def at(self, times: Array) -> tuple[Array, Array]:
        """s and ṡ at the times, s."""
        (begin,), _ = self.clock.read(np.array([self.phase]))
        phase = self.clock.phase(begin + self.direction * np.asarray(times, float))
        _, slowness = self.clock.read(phase)
        if self.turning is None:
            return phase, self.direction / slowness
        # not from E − V, which cancels completely at a turning point
        return _swung(self.turning, phase), _swing(self.turning)[1] * np.cos(phase) / slowness


@dataclass(frozen=True)
class EnergyClock:
    """t(x) = ∫₀^x f = mean·x + Re Σ aₖ (e^(ikwx) − 1), f > 0 of period 2π/w; ticks are some (x, t)."""

    mean: float
    wave: float
    orders: Array
    weights: Array
    ticks: tuple[Array, Array]

    def read(self, x: Array) -> tuple[Array, Array]:
        """t and f at x."""
        turned = np.exp(1j * self.wave * np.multiply.outer(x, self.orders))
        t = self.mean * x + ((turned - 1.0) @ self.weights).real
        f = self.mean + (turned @ (1j * self.wave * self.orders * self.weights)).real
        return t, f

    def phase(self, t: Array) -> Array:
        """x at the times t: Newton from between the ticks."""
        period = 2.0 * np.pi / self.wave
        whole = np.floor(t / (self.mean * period))
        rest = t - whole * self.mean * period
        places, times = self.ticks
        x = np.interp(rest, times, places)
        for _ in range(20):
            now, f = self.read(x)
            step = np.clip((rest - now) / f, -places[1], places[1])
            x = x + step
            if np.max(np.abs(step), initial=0.0) < 1e-14 * period:
                break
        result: Array = x + whole * period
        return result


@dataclass(frozen=True)
class Panels:
    """t(x) = ∫₀^x f by Chebyshev series on panels of a period.

    edges    of the panels, from 0 to the period, (p + 1,)
    values   coefficients of f, (nodes, p)
    sums     coefficients of ∫ f, which is zero at the left edge, (nodes + 1, p)
    times    t at the edges, (p + 1,)
    """

    edges: Array
    values: Array
    sums: Array
    times: Array

    def read(self, x: Array) -> tuple[Array, Array]:
        """t and f at x."""
        period = self.edges[-1]
        whole = np.floor(x / period)
        rest = x - whole * period
        k = np.clip(np.searchsorted(self.edges, rest, side="right") - 1, 0, len(self.edges) - 2)
        place = 2.0 * (rest - self.edges[k]) / (self.edges[k + 1] - self.edges[k]) - 1.0
        t = whole * self.times[-1] + self.times[k] + chebyshev.chebval(place, self.sums[:, k], tensor=False)
        return t, chebyshev.chebval(place, self.values[:, k], tensor=False)

    def phase(self, t: Array) -> Array:
        """x at the times t: Newton within the panel, by bisection where it leaves it."""
        whole = np.floor(t / self.times[-1])
        rest = t - whole * self.times[-1]
        k = np.clip(np.searchsorted(self.times, rest, side="right") - 1, 0, len(self.times) - 2)
        low, high = self.edges[k], self.edges[k + 1]
        x = 0.5 * (low + high)
        for _ in range(60):
            now, f = self.read(x)
            low, high = np.where(now < rest, x, low), np.where(now < rest, high, x)
            better = x + (rest - now) / f
            x, before = np.where((better >= low) & (better <= high), better, 0.5 * (low + high)), x
            if np.max(np.abs(x - before)) < 1e-15 * self.edges[-1]:
                break
        result: Array = x + whole * self.edges[-1]
        return result


def panels(f: Callable[[Array], Array], period: float, narrows: Sequence[float]) -> Panels:
    """Panels between the narrow places, halved until the series on each has converged."""
    nodes = np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)[::-1]
    to_series = np.linalg.inv(chebyshev.chebvander(nodes, NODES - 1))
    cuts = sorted({0.0, period, *(x % period for x in narrows)})
    left = list(pairwise(cuts))[::-1]
    whole = float(np.mean(f((np.arange(SURVEY) + OFFSET) * (period / SURVEY)))) * period
    done = []
    while left:
        low, high = left.pop()
        sampled = f(0.5 * (low + high) + 0.5 * (high - low) * nodes)
        coefficients = to_series @ sampled
        if np.max(np.abs(coefficients[-4:])) * (high - low) < EXACT * whole:
            done.append((low, high, coefficients))
        elif high - low < SHORTEST * period:
            raise NotJudged("the integrand of the energy integral changes too quickly")
        else:
            middle = 0.5 * (low + high)
            left += [(middle, high), (low, middle)]
    values = np.array([c for _, _, c in done]).T
    edges = np.array([*(low for low, _, _ in done), period])
    sums = 0.5 * np.diff(edges) * chebyshev.chebint(values, lbnd=-1.0)
    spans = chebyshev.chebval(1.0, sums)
    return Panels(edges, values, sums, np.concatenate([[0.0], np.cumsum(spans)]))


def orbit(linkage: Linkage, start: float, rate: float, energy: float | None = None) -> Orbit:
    """The motion from s = start with ṡ = rate; or with another energy, in the direction of that rate."""
    (inertia,), (potential,) = linkage.landscape(np.array([start]))
    if energy is None:
        energy = float(0.5 * inertia * rate**2 + potential)
    direction = int(np.sign(rate) or np.sign(linkage.downhill(start)))
    at_rest = energy == potential
    turning = _turning_points(linkage, start, energy, direction, at_rest)
    if turning is None:
        clock = going_round(lambda s: _slowness(linkage, s, energy), linkage.period, linkage.flats)
        return Orbit(linkage, energy, None, start, direction, clock)
    middle, amplitude = _swing(turning)

    def slowness(chi: Array) -> Array:
        result: Array = amplitude * np.abs(np.cos(chi)) * _slowness(linkage, _swung(turning, chi), energy)
        return result

    # near 1 an arcsine loses half its digits
    chi = -0.5 * np.pi * direction if at_rest else float(np.arcsin(np.clip((start - middle) / amplitude, -1.0, 1.0)))
    return Orbit(linkage, energy, turning, chi if direction > 0 else np.pi - chi, 1, series(slowness, 2.0 * np.pi))


def _slowness(linkage: Linkage, s: Array, energy: float) -> Array:
    inertia, potential = linkage.landscape(s)
    left = energy - potential
    if np.min(left) <= 0.0:
        raise NotJudged("the energy is within rounding of the potential's maximum")
    result: Array = np.sqrt(0.5 * inertia / left)
    return result


def _turning_points(
    linkage: Linkage, start: float, energy: float, direction: int, at_rest: bool
) -> tuple[float, float] | None:
    """The nearest zeros of E − V on both sides of the start; None if there are none."""

    def left(s: float) -> float:
        return float(energy - linkage.landscape(np.array([s]))[1][0])

    pitch = linkage.period / SURVEY
    beyond = energy < linkage.survey[2]
    here = int(np.floor(start / pitch - OFFSET))
    ends: dict[int, float] = {}
    for side in (-direction, direction):
        if at_rest and side == -direction:
            ends[side] = start
            continue
        first = here + 1 if side > 0 else here
        ahead = beyond[(first + side * np.arange(SURVEY)) % SURVEY]
        if not ahead.any():
            return None
        k = int(np.argmax(ahead))
        near = pitch * (first + side * (k - 1) + OFFSET) if k else start + (1e-9 * side * pitch if at_rest else 0.0)
        if not left(near) > 0.0:
            raise NotJudged("it starts too near to a turning point")
        ends[side] = float(brentq(left, near, pitch * (first + side * k + OFFSET), xtol=1e-15, rtol=1e-15))
    return ends[-1], ends[1]


def _swing(turning: tuple[float, float]) -> tuple[float, float]:
    """Middle and amplitude."""
    return 0.5 * (turning[0] + turning[1]), 0.5 * (turning[1] - turning[0])


def _swung(turning: tuple[float, float], chi: Array) -> Array:
    middle, amplitude = _swing(turning)
    result: Array = middle + amplitude * np.sin(chi)
    return result


def going_round(f: Callable[[Array], Array], period: float, narrows: Sequence[float]) -> EnergyClock | Panels:
    """The integral of a periodic function that may change quickly at some narrow places."""
    try:
        return series(f, period)
    except NotJudged:
        return panels(f, period, narrows)


def series(f: Callable[[Array], Array], period: float) -> EnergyClock:
    """The Fourier series of a smooth periodic function, with as many samples as it needs."""
    wave = 2.0 * np.pi / period
    samples = 128
    while samples < MOST_SAMPLES:
        samples *= 2
        x = (np.arange(samples) + 0.5) * (period / samples)  # never at a turning point, where f is 0/0
        spectrum = np.fft.rfft(f(x)) / samples
        mean = float(spectrum[0].real)
        tail = np.abs(spectrum[samples // 3 : samples // 2])
        if tail.max() < EXACT * mean:
            orders = 1 + np.flatnonzero(np.abs(spectrum[1 : samples // 3]) > 1e-15 * mean)
            integrated = np.zeros_like(spectrum)
            integrated[orders] = spectrum[orders] / (1j * wave * orders)
            weights = 2.0 * integrated[orders] * np.exp(-1j * np.pi / samples * orders)
            t = mean * x + samples * np.fft.irfft(integrated) - weights.real.sum()
            ticks = np.concatenate([[0.0], x, [period]]), np.concatenate([[0.0], t, [mean * period]])
            return EnergyClock(mean, wave, orders, weights, ticks)
    raise NotJudged("the Fourier series of the energy integral converges too slowly")
