"""The motion of a linkage of one freedom by quadrature: no differential equation is solved.

    t = ∫ √(J/2(E − V)) ds

Where E exceeds V everywhere the integrand is periodic in s; between two turning points s₁ and s₂ the substitution
s = ½(s₁ + s₂) + ½(s₂ − s₁) sin χ makes it periodic in χ. Either way its Fourier series, from equidistant samples, converges
geometrically and is integrated term by term.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from campaign.linkage import OFFSET, SURVEY, Linkage
from campaign.structure import Array

EXACT = 1e-12
"""What of the Fourier series may be missing, relative to its mean."""

MOST_SAMPLES = 1 << 13


class NotJudged(Exception):
    """The quadrature cannot say where this motion goes: too near to a separatrix."""


@dataclass(frozen=True)
class Orbit:
    """A motion along the branch.

    energy     E − V(0), J
    turning    (s₁, s₂), or None if it goes round
    phase      at the start: s itself if it goes round, χ of a swing
    direction  in which the phase goes
    clock      time as a function of the phase
    """

    linkage: Linkage
    energy: float
    turning: tuple[float, float] | None
    phase: float
    direction: int
    clock: Clock

    def at(self, times: Array) -> tuple[Array, Array]:
        """s and ṡ at the times, s."""
        (begin,), _ = self.clock.read(np.array([self.phase]))
        phase = self.clock.phase(begin + self.direction * np.asarray(times, float))
        _, slowness = self.clock.read(phase)
        if self.turning is None:
            return phase, self.direction / slowness
        # not from E − V, which has no digits left at a turning point
        return _swung(self.turning, phase), _swing(self.turning)[1] * np.cos(phase) / slowness


@dataclass(frozen=True)
class Clock:
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


def orbit(linkage: Linkage, start: float, rate: float, energy: float | None = None) -> Orbit:
    """The motion from s = start with ṡ = rate; or with another energy, in the direction of that rate."""
    (inertia,), (potential,) = linkage.landscape(np.array([start]))
    if energy is None:
        energy = float(0.5 * inertia * rate**2 + potential)
    direction = int(np.sign(rate) or np.sign(linkage.downhill(start)))
    at_rest = energy == potential
    turning = _turning_points(linkage, start, energy, direction, at_rest)
    if turning is None:
        clock = _clock(lambda s: _slowness(linkage, s, energy), linkage.period)
        return Orbit(linkage, energy, None, start, direction, clock)
    middle, amplitude = _swing(turning)

    def slowness(chi: Array) -> Array:
        result: Array = amplitude * np.abs(np.cos(chi)) * _slowness(linkage, _swung(turning, chi), energy)
        return result

    # near 1 an arcsine has half its digits
    chi = -0.5 * np.pi * direction if at_rest else float(np.arcsin(np.clip((start - middle) / amplitude, -1.0, 1.0)))
    return Orbit(linkage, energy, turning, chi if direction > 0 else np.pi - chi, 1, _clock(slowness, 2.0 * np.pi))


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
    """The nearest zeros of E − V on both sides of the start; None if there is none at all."""

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


def _clock(f: Callable[[Array], Array], period: float) -> Clock:
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
            return Clock(mean, wave, orders, weights, ticks)
    raise NotJudged("the Fourier series of the energy integral converges too slowly")
