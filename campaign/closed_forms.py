"""Motions that are known in closed form, for any length of time: pendulums, tops, and a ball between elastic walls."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ellipj, ellipk

from campaign.energy_integral import EnergyClock, Panels, going_round
from campaign.structure import Array


def jacobi(u: Array, m: float) -> tuple[Array, Array, Array, Array]:
    """sn, cn, dn and the amplitude, including whole turns, of any argument, which is first reduced to less than half
    a period."""
    half = 2.0 * float(ellipk(m))
    turns = np.round(u / half)
    sn, cn, dn, am = ellipj(u - turns * half, m)
    sign = np.where(turns % 2.0 == 0.0, 1.0, -1.0)
    return sign * sn, sign * cn, dn, am + np.pi * turns


@dataclass(frozen=True)
class Pendulum:
    """θ̈ = −ω₀² sin θ from θ = 0 with rate Ω, or from rest at θ₀ if there is no rate.

    from rest:  sin θ/2 = k cd(ω₀t),  k = sin θ₀/2
    turning:    θ = 2 am(Ωt/2, 4ω₀²/Ω²)
    """

    frequency: float
    rate: float = 0.0
    rest: float = 0.0

    def at(self, t: Array) -> tuple[Array, Array]:
        """θ and its rate."""
        if self.rate == 0.0:
            k = np.sin(0.5 * self.rest)
            sn, cn, _, _ = jacobi(self.frequency * t + float(ellipk(k * k)), k * k)
            return 2.0 * np.arcsin(k * sn), 2.0 * k * self.frequency * cn
        _, _, dn, am = jacobi(0.5 * self.rate * t, 4.0 * (self.frequency / self.rate) ** 2)
        return 2.0 * am, self.rate * dn


@dataclass(frozen=True)
class SphericalPendulum:
    """A unit vector with height ζ and azimuth φ, started at ζ₀, φ = 0 with a horizontal velocity ν, in a field ω₀²:

        ζ̇² = 2ω₀² (ζ − ζ₁)(ζ₂ − ζ)(ζ₃ − ζ),   φ̇ = h/(1 − ζ²),   h = ν √(1 − ζ₀²)

    ζ₀ is one root, the others are those of 2ω₀²ζ² − ν²ζ − ν²ζ₀ − 2ω₀² = 0; 1 + ζ₁ = h²/(2ω₀²(1 + ζ₂)(1 + ζ₃)) does not
    cancel. ζ = ζ₁ + (ζ₂ − ζ₁) sn², and φ is integrated from a series in time, of period 2K/κ.
    """

    frequency: float
    height: float
    speed: float

    @cached_property
    def roots(self) -> tuple[float, float, float, float]:
        """1 + ζ₁, ζ₂ − ζ₁, κ and m."""
        squared, nu = self.frequency**2, self.speed**2
        spread = np.sqrt(nu * nu + 8.0 * squared * (nu * self.height + 2.0 * squared))
        third = (nu + spread) / (4.0 * squared)
        other = -(nu * self.height + 2.0 * squared) / (2.0 * squared * third)
        upper = max(self.height, other)
        lowest = self.momentum**2 / (2.0 * squared * (1.0 + upper) * (1.0 + third))
        rise = 1.0 + upper - lowest
        return lowest, rise, float(np.sqrt(0.5 * squared * (1.0 + third - lowest))), rise / (1.0 + third - lowest)

    @property
    def momentum(self) -> float:
        """h"""
        return float(self.speed * np.sqrt(1.0 - self.height**2))

    @property
    def period(self) -> float:
        """The period of the height, s."""
        _, _, kappa, m = self.roots
        return float(2.0 * ellipk(m) / kappa)

    @property
    def least(self) -> float:
        """The least distance of the tip from the vertical axis, which it may also approach near the top."""
        lowest, rise, _, _ = self.roots
        return float(np.sqrt(min(lowest * (2.0 - lowest), (lowest + rise) * (2.0 - lowest - rise))))

    def _rise(self, t: Array) -> tuple[Array, Array]:
        """1 + ζ and its rate."""
        lowest, rise, kappa, m = self.roots
        late = float(ellipk(m)) if abs(1.0 + self.height - lowest) > 0.5 * rise else 0.0
        sn, cn, dn, _ = jacobi(kappa * t + late, m)
        return lowest + rise * sn * sn, 2.0 * rise * kappa * sn * cn * dn

    @cached_property
    def _clock(self) -> EnergyClock | Panels:
        def rate(t: Array) -> Array:
            above, _ = self._rise(t)
            result: Array = self.momentum / (above * (2.0 - above))
            return result

        narrows = (0.0, 0.5 * self.period)
        return going_round(rate, self.period, narrows)

    def at(self, t: Array) -> tuple[Array, Array, Array]:
        """The vector (k, 3), its velocity (k, 3), and φ with its whole turns."""
        above, climb = self._rise(t)
        phi, rate = self._clock.read(t)
        radius = np.sqrt(above * (2.0 - above))
        out = -(above - 1.0) * climb / radius
        c, s = np.cos(phi), np.sin(phi)
        place = np.stack([radius * c, radius * s, above - 1.0], axis=-1)
        velocity = np.stack([out * c - radius * rate * s, out * s + radius * rate * c, climb], axis=-1)
        return place, velocity, phi


@dataclass(frozen=True)
class Top:
    """A torque-free body, I₁ < I₂ < I₃, started with ω = (ω₁, 0, ω₃), fast enough about its third axis (Landau and
    Lifshitz, §37):

        ω₁ = ω₁(0) cn τ,   ω₂ = ± √(I₁(I₃ − I₁)/I₂(I₃ − I₂)) ω₁(0) sn τ,   ω₃ = ω₃(0) dn τ

    Its attitude is Q Rz(φ) Rx(θ) Rz(ψ), with z along the angular momentum: (sin θ sin ψ, sin θ cos ψ, cos θ) = (I₁ω₁,
    I₂ω₂, I₃ω₃)/L and φ̇ = L(I₁ω₁² + I₂ω₂²)/(I₁²ω₁² + I₂²ω₂²), integrated from its series.
    """

    inertia: tuple[float, float, float]
    first: float
    third: float

    @cached_property
    def _elliptic(self) -> tuple[float, float]:
        """τ/t and m."""
        one, two, three = self.inertia
        spare = three * (three - one) * self.third**2  # L² − 2EI₁
        lack = one * (three - one) * self.first**2  # 2EI₃ − L²
        return float(np.sqrt((three - two) * spare / (one * two * three))), (two - one) * lack / ((three - two) * spare)

    def spin(self, t: Array) -> Array:
        """ω in the body's axes, (k, 3)."""
        one, two, three = self.inertia
        pace, m = self._elliptic
        sn, cn, dn, _ = jacobi(pace * t, m)
        ratio = np.sign(self.third) * np.sqrt(one * (three - one) / (two * (three - two)))
        return np.stack([self.first * cn, ratio * self.first * sn, self.third * dn], axis=-1)

    def attitude(self, t: Array) -> Array:
        """The body's axes as columns, (k, 3, 3): those of the world at t = 0."""
        begin = self._turned(np.zeros(1))[0]
        result: Array = begin.T @ self._turned(t)
        return result

    @cached_property
    def _clock(self) -> EnergyClock | Panels:
        weights = np.array(self.inertia)
        momentum = np.hypot(weights[0] * self.first, weights[2] * self.third)

        def rate(t: Array) -> Array:
            spin = self.spin(t)[:, :2]
            result: Array = momentum * (spin**2 @ weights[:2]) / (spin**2 @ weights[:2] ** 2)
            return result

        pace, m = self._elliptic
        return going_round(rate, 2.0 * float(ellipk(m)) / pace, ())

    def _turned(self, t: Array) -> Array:
        """Rz(φ) Rx(θ) Rz(ψ)"""
        along = self.spin(t) * np.array(self.inertia)
        along /= np.linalg.norm(along, axis=-1, keepdims=True)
        across = np.hypot(along[:, 0], along[:, 1])
        phi, _ = self._clock.read(t)
        node = np.stack([np.cos(phi), np.sin(phi), 0.0 * phi], axis=-1)  # the line of nodes in the world
        up = np.broadcast_to(np.array([0.0, 0.0, 1.0]), node.shape)
        world = np.stack([node, np.cross(up, node), up], axis=-1)
        own = np.stack([along[:, 1] / across, -along[:, 0] / across, 0.0 * phi], axis=-1)  # and in the body
        body = np.stack([own, np.cross(along, own), along], axis=-1)
        result: Array = world @ np.swapaxes(body, 1, 2)
        return result


class SymmetricTop(Top):
    """A top with I₁ = I₂: ω = L/I₁ + (1 − I₃/I₁) ω₃ e₃, so that its attitude is Rot(L, Lt/I₁) Rot(e₃, (1 − I₃/I₁) ω₃
    t)."""

    def spin(self, t: Array) -> Array:
        own = self._own * t
        return np.stack([self.first * np.cos(own), -self.first * np.sin(own), self.third + 0.0 * t], axis=-1)

    def attitude(self, t: Array) -> Array:
        one, _, three = self.inertia
        momentum = np.array([one * self.first, 0.0, three * self.third])
        size = float(np.linalg.norm(momentum))
        result: Array = _about(momentum / size, size / one * t) @ _about(np.array([0.0, 0.0, 1.0]), self._own * t)
        return result

    @property
    def _own(self) -> float:
        return (1.0 - self.inertia[2] / self.inertia[0]) * self.third


def _about(axis: Array, angle: Array) -> Array:
    """Rodrigues' formula, (k, 3, 3)."""
    cross = np.array([[0.0, -axis[2], axis[1]], [axis[2], 0.0, -axis[0]], [-axis[1], axis[0], 0.0]])
    sine, less = np.sin(angle)[:, None, None], (1.0 - np.cos(angle))[:, None, None]
    result: Array = np.eye(3) + sine * cross + less * (cross @ cross)
    return result


@dataclass(frozen=True)
class Bounces:
    """A ball between walls at ±w that push back with k times the penetration depth; started in the middle with velocity
    V.

    Its motion consists of free flights of w/V and 2w/V, and of half oscillations of frequency √(k/m).
    """

    wall: float
    speed: float
    frequency: float

    @property
    def period(self) -> float:
        """The time to go there and back, s."""
        return 2.0 * (2.0 * self.wall / self.speed + np.pi / self.frequency)

    def at(self, t: Array) -> tuple[Array, Array]:
        """Place and velocity."""
        half = 0.5 * self.period
        turns = np.floor(t / half + 0.5)
        way = np.where(turns % 2.0 == 0.0, 1.0, -1.0)
        rest = t - turns * half  # between −half/2 and half/2: from the middle, to and from the walls
        side, ago = np.sign(rest), np.abs(rest) - self.wall / self.speed
        swing = self.frequency * np.maximum(ago, 0.0)
        free = ago <= 0.0
        place = np.where(free, self.speed * rest, side * (self.wall + self.speed / self.frequency * np.sin(swing)))
        return way * place, way * np.where(free, self.speed, self.speed * np.cos(swing))
