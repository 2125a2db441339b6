"""The spatial slider-crank as a quadrature over its crank angle.

The pin B = (0, y, z) of the crank determines everything else: with ρ² = y² + z² and the rod's length L,

    x = √(L² − ρ²),     cos β = x/L,  sin β = ρ/L,     η = atan2(−y, z)

the position of the slider and the angles of the rod, R = Rx(η) Ry(β): β about the pin of the universal joint, η about
X. With primes for d/dθ, the rod turns at (η′ cos β, β′, η′ sin β) in its own axes (along the rod, about the pin,
across), its middle moves at (x′, y′, z′)/2, and

    T = ½ m(θ) θ̇²,     m = I_A + m_rod (x′² + y′² + z′²)/4 + I·ω′² + m_slider x′²
    V(θ) = g (m_crank z_crank + m_rod z/2),     t = ∫ dθ √(m/(2 (E − V)))

as long as the crank does not reverse, which is checked. Composite Gauss–Legendre quadrature integrates it, and Newton's
method inverts t(θ).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grashof.precise.quadrature import gauss_legendre

READINGS: dict[str, tuple[str, str, str]] = {
    "axial": ("0.0004", "0.004", "0.004"),
    "third": ("0.004", "0.004", "0.0004"),
    "literal": ("0.004", "0.0004", "0.004"),
}
"""The rod's inertia [kg m²] along the rod, about the pin of the universal joint, and about the third axis."""
DATA = {
    "g": "9.81",
    "crank": "0.08",
    "rod": "0.3",
    "y_A": "0.1",
    "z_A": "0.12",
    "m_crank": "0.12",
    "m_rod": "0.5",
    "m_slider": "2",
    "I_crank": "0.0001",
    "rate": "6",
}
"""Lengths [m], masses [kg], inertia of the crank [kg m²], and its rate at the start [rad/s]."""
PANEL = 0.25
"""Length of the panels of the quadrature, rad."""


def data_of(reading: str) -> dict[str, str]:
    """The data of a reading."""
    names = ("I_along", "I_pin", "I_third")
    return DATA | dict(zip(names, READINGS[reading], strict=True))


class Crank:
    """The mechanism as a function of its crank angle; `data` are numbers of one kind, `sin`, `cos`, `sqrt` theirs."""

    def __init__(self, data: Mapping[str, Any], functions: Any) -> None:
        self.d, self.f = data, functions
        self.energy = self.mass(data["g"] * 0) * data["rate"] ** 2 / 2 + self.potential(data["g"] * 0)

    def pin(self, theta: Any) -> tuple[Any, Any, Any, Any]:
        """y, z and their derivatives."""
        d = self.d
        sine, cosine = d["crank"] * self.f.sin(theta), d["crank"] * self.f.cos(theta)
        return d["y_A"] - sine, d["z_A"] + cosine, -cosine, -sine

    def place(self, theta: Any) -> Any:
        """x of the slider."""
        y, z, _, _ = self.pin(theta)
        return self.f.sqrt(self.d["rod"] ** 2 - y * y - z * z)

    def mass(self, theta: Any) -> Any:
        """m(θ), kg m²."""
        d = self.d
        y, z, dy, dz = self.pin(theta)
        square = y * y + z * z
        radius, x = self.f.sqrt(square), self.place(theta)
        change = y * dy + z * dz  # ρ ρ′
        dx = -change / x
        bend = change / (radius * x)  # L cos β β′ = ρ′
        swing = (y * dz - z * dy) / square
        along, across = swing * x / d["rod"], swing * radius / d["rod"]
        turning = d["I_along"] * along**2 + d["I_pin"] * bend**2 + d["I_third"] * across**2
        crank = d["I_crank"] + d["m_crank"] * d["crank"] ** 2 / 4
        return crank + d["m_rod"] * (dx**2 + dy**2 + dz**2) / 4 + turning + d["m_slider"] * dx**2

    def potential(self, theta: Any) -> Any:
        """V(θ), J."""
        d = self.d
        rise = d["crank"] * self.f.cos(theta)
        return d["g"] * (d["m_crank"] * (d["z_A"] + rise / 2) + d["m_rod"] * (d["z_A"] + rise) / 2)

    def rate(self, theta: Any) -> Any:
        """dt/dθ, s."""
        left = self.energy - self.potential(theta)
        if not np.all(np.asarray(left > 0)):
            raise ValueError("the crank does not turn on: its energy does not suffice")
        return self.f.sqrt(self.mass(theta) / (2 * left))


def angles(crank: Crank, times: Sequence[Any], rule: Sequence[tuple[Any, Any]], panel: Any, enough: Any) -> list[Any]:
    """θ at times that increase."""

    def between(low: Any, high: Any) -> Any:
        return (high - low) * sum(w * crank.rate(low + (high - low) * x) for x, w in rule)

    border, since, found = panel * 0, panel * 0, []
    lasts = between(border, border + panel)
    for time in times:
        while time > since + lasts:
            border, since = border + panel, since + lasts
            lasts = between(border, border + panel)
        theta = border + panel * (time - since) / lasts
        for _ in range(50):
            step = (since + between(border, theta) - time) / crank.rate(theta)
            theta -= step
            if abs(step) <= enough:
                break
        found.append(theta)
    return found


def precise_motion(times: Sequence[str], data: Mapping[str, str], digits: int) -> tuple[list[Any], list[Any]]:
    """x and θ as numbers of mpmath; every datum is the decimal number that was written."""
    import mpmath

    context = mpmath.MPContext()
    context.dps = digits + 10
    crank = Crank({name: context.mpf(value) for name, value in data.items()}, context)
    rule = gauss_legendre(digits, context)
    found = angles(crank, [context.mpf(t) for t in times], rule, context.mpf(PANEL), context.mpf(10) ** -(digits + 2))
    return [crank.place(theta) for theta in found], found


def motion(times: np.ndarray, data: Mapping[str, str]) -> dict[str, np.ndarray]:
    """x and θ in doubles, some 13 digits, in a tenth of a second."""
    crank = Crank({name: float(value) for name, value in data.items()}, np)
    nodes, weights = np.polynomial.legendre.leggauss(20)
    rule = (1 + nodes) / 2, weights / 2
    borders, ticks = [0.0], [0.0]

    def between(low: np.ndarray, high: np.ndarray) -> np.ndarray:
        total: np.ndarray = (high - low) * (crank.rate(low[:, None] + (high - low)[:, None] * rule[0]) @ rule[1])
        return total

    until = float(np.max(times, initial=0.0))
    while ticks[-1] <= until:
        borders.append(borders[-1] + PANEL)
        ticks.append(ticks[-1] + between(np.array(borders[-2:-1]), np.array(borders[-1:])).item())
    panel = np.clip(np.searchsorted(ticks, times) - 1, 0, None)
    low, since = np.array(borders)[panel], np.array(ticks)[panel]
    theta = np.interp(times, ticks, borders)
    for _ in range(8):
        theta = theta - (since + between(low, theta) - times) / crank.rate(theta)
    return {"x": np.asarray(crank.place(theta)), "theta": theta}
