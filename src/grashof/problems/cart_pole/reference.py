"""The light cart-pole as a quadrature.

Nothing pushes horizontally, so that the centre of mass stays where it is, and with θ from hanging

    x = l m (1 − sin θ)/(M + m),     θ̇² = 2 g (M + m) cos θ/(l (M + m sin² θ))

from rest at θ = 90°. Between horizontal and hanging, the time to the vertical is the integral of dθ/|θ̇|. Its integrand
has branch points near θ = ± i √(M/m), which sin θ = √(M/m) sinh w removes, and a pole at 90°, which θ = 90° − s² does:

    dt = √(l/2g (M + m)) M/√m cosh² w / cos^{3/2} θ dw,     dt = 2 √(l (M + m sin² θ) / (2 g (M + m) sin(s²)/s²)) ds

The four quarters of a swing mirror each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from grashof.precise.quadrature import gauss_legendre

DATA = {"g": "9.81", "length": "1", "cart": "0.000001", "bob": "1"}
"""m/s², m, kg, kg"""

BORDER = "0.8"
"""sin θ at which one variable takes over from the other."""


@dataclass(frozen=True)
class _Panel:
    """A range of w (inner) or s (outer), with the time from the vertical at its lower end and its length in time."""

    inner: bool
    low: Any
    high: Any
    since: Any
    lasts: Any


class Swing:
    """A quarter of a swing, in the arithmetic of an mpmath context."""

    def __init__(self, data: Mapping[str, str], context: Any, nodes: int) -> None:
        self.c = context
        self.g, self.l, self.cart, self.bob = (context.mpf(data[name]) for name in ("g", "length", "cart", "bob"))
        self.rule = gauss_legendre(nodes, context)
        c, ratio = context, context.sqrt(self.cart / self.bob)
        self.ratio = ratio
        border = c.mpf(BORDER)
        inner = c.asinh(border / ratio)
        count = int(c.ceil(inner * 2))
        cuts = [inner * k / count for k in range(count + 1)]
        outer = c.sqrt(c.acos(border))
        self.panels: list[_Panel] = []
        now = c.mpf(0)
        for low, high in pairwise(cuts):
            lasts = self.between(True, low, high)
            self.panels.append(_Panel(True, low, high, now, lasts))
            now += lasts
        # s falls from the border to zero at the horizontal
        parts = [outer * (3 - k) / 3 for k in range(4)]
        for low, high in pairwise(parts):
            lasts = self.between(False, low, high)
            self.panels.append(_Panel(False, low, high, now, lasts))
            now += lasts
        self.quarter = now

    def rate(self, inner: bool, u: Any) -> Any:
        """dt/du, positive away from the vertical for w and negative for s."""
        c = self.c
        whole = self.cart + self.bob
        if inner:
            sine = self.ratio * c.sinh(u)
            cosine = c.sqrt(1 - sine * sine)
            factor = c.sqrt(self.l / (2 * self.g * whole)) * self.cart / c.sqrt(self.bob)
            return factor * c.cosh(u) ** 2 / (cosine * c.sqrt(cosine))
        square = u * u
        cosine = c.sin(square)
        sine2 = 1 - cosine * cosine
        mean = cosine / square if square else c.mpf(1)
        return -2 * c.sqrt(self.l * (self.cart + self.bob * sine2) / (2 * self.g * whole * mean))

    def between(self, inner: bool, low: Any, high: Any) -> Any:
        return (high - low) * sum(w * self.rate(inner, low + (high - low) * x) for x, w in self.rule)

    def sine_at(self, time: Any) -> tuple[Any, Any]:
        """sin θ and cos θ at a time [s] after the vertical, at most a quarter."""
        c = self.c
        panel = next((p for p in self.panels if time <= p.since + p.lasts), self.panels[-1])
        u = panel.low + (panel.high - panel.low) * (time - panel.since) / panel.lasts
        for _ in range(60):
            step = (panel.since + self.between(panel.inner, panel.low, u) - time) / self.rate(panel.inner, u)
            u -= step
            if abs(step) <= c.eps * 2**12 * (1 + abs(u)):
                break
        if panel.inner:
            sine = self.ratio * c.sinh(u)
            return sine, c.sqrt(1 - sine * sine)
        return c.cos(u * u), c.sin(u * u)

    def at(self, time: Any) -> tuple[Any, Any, Any, Any]:
        """x, θ, ẋ, θ̇ at a time [s] after the start."""
        c, quarter = self.c, self.quarter
        phase = time - 4 * quarter * c.floor(time / (4 * quarter))
        part = int(c.floor(phase / quarter))
        since = phase - part * quarter
        # 0: from the right to the vertical, 1: on to the left, 2: back, 3: to the right
        sine, cosine = self.sine_at(quarter - since if part % 2 == 0 else since)
        sign, way = (1 if part in (0, 3) else -1), (-1 if part in (0, 1) else 1)
        whole = self.cart + self.bob
        speed = way * c.sqrt(2 * self.g * whole * cosine / (self.l * (self.cart + self.bob * sine * sine)))
        theta = sign * c.atan2(sine, cosine)
        share = self.l * self.bob / whole
        return share * (1 - sign * sine), theta, -share * cosine * speed, speed


def motion(times: Sequence[str], data: Mapping[str, str], digits: int) -> list[tuple[Any, Any, Any, Any]]:
    """x, θ, ẋ, θ̇ at the times [s], as numbers of mpmath."""
    import mpmath

    context = mpmath.MPContext()
    context.dps = digits + 12
    swing = Swing(data, context, digits + 6)
    return [swing.at(context.mpf(time)) for time in times]
