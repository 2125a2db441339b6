"""Outlines that touch: gap and slip of a corner or a circle against a line or a circle, with their derivatives."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from campaign.maximal import Place
from campaign.structure import Array

TINY = 1e-30
"""Complex steps."""


@dataclass(frozen=True)
class Outline:
    """A corner or circle (`b`, `radius_b`) against a line through `a`, with the direction `along` fixed in the body of
    a and the free side on its left, or against a circle about `a`, around it if `inside`."""

    a: Place
    b: Place
    along: tuple[float, float] | None
    radius_a: float = 0.0
    radius_b: float = 0.0
    inside: bool = False
    restitution: float = 0.0
    mu: float = 0.0
    poisson: bool = False

    def normal(self, q: Array) -> tuple[complex, complex]:
        """The direction in which b leaves a."""
        if self.along is not None:
            turn = 0.0 if self.a.body is None else q[3 * self.a.body + 2]
            c, s = np.cos(turn), np.sin(turn)
            dx, dy = self.along
            return -(s * dx + c * dy), c * dx - s * dy
        (ax, ay), (bx, by) = _point(self.a, q), _point(self.b, q)
        away = (-1.0 if self.inside else 1.0) / np.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        return (bx - ax) * away, (by - ay) * away

    def gap(self, q: Array) -> complex:
        """The distance of the outlines, m."""
        (ax, ay), (bx, by) = _point(self.a, q), _point(self.b, q)
        nx, ny = self.normal(q)
        radii = self.radius_b - self.radius_a if self.inside else self.radius_a + self.radius_b
        return complex(nx * (bx - ax) + ny * (by - ay) - radii)

    def slip(self, q: Array, v: Array) -> complex:
        """The velocity of b relative to a where they touch, to the right of the normal, m/s."""
        nx, ny = self.normal(q)
        bx, by = _point(self.b, q)
        x, y = bx - self.radius_b * nx, by - self.radius_b * ny

        def along(body: int | None) -> complex:
            if body is None:
                return 0.0
            k = 3 * body
            return complex(ny * (v[k] - v[k + 2] * (y - q[k + 1])) - nx * (v[k + 1] + v[k + 2] * (x - q[k])))

        return along(self.b.body) - along(self.a.body)

    def gradients(self, q: Array) -> tuple[Array, Array]:
        """Those of the gap by the position, and of the slip by the velocity."""
        gap, slip = np.zeros(len(q)), np.zeros(len(q))
        for body in {self.a.body, self.b.body} - {None}:
            for k in range(3 * body, 3 * body + 3):  # type: ignore[operator]
                unit = np.eye(len(q))[k]
                gap[k], slip[k] = self.gap(q + 1j * TINY * unit).imag / TINY, np.real(self.slip(q, unit))
        return gap, slip

    def curvatures(self, q: Array, v: Array) -> tuple[float, float]:
        """The accelerations of gap and slip that the velocity alone causes."""
        (ax, ay), (bx, by) = _point(self.a, q), _point(self.b, q)
        changed = q + 1j * TINY * v
        if self.along is not None:
            nx, ny = self.normal(q)
            turning = 0.0 if self.a.body is None else float(v[3 * self.a.body + 2])
            (ux, uy), (wx, wy) = self._relative(q, v)
            # n̈ = −ω² n, ṅ = ω (−n_y, n_x)
            bend = wx * nx + wy * ny + 2.0 * turning * (uy * nx - ux * ny)
            bend -= turning**2 * (nx * (bx - ax) + ny * (by - ay))
        else:
            (ux, uy), (wx, wy) = self._relative(q, v)
            dx, dy = bx - ax, by - ay
            distance = np.sqrt(dx * dx + dy * dy)
            radial = (dx * ux + dy * uy) / distance
            bend = (ux * ux + uy * uy - radial**2 + dx * wx + dy * wy) / distance
            bend = -bend if self.inside else bend
        return float(np.real(bend)), float(np.imag(self.slip(changed, v)) / TINY)

    def _relative(self, q: Array, v: Array) -> tuple[tuple[float, float], tuple[float, float]]:
        """The velocity of b relative to a, and its rate without accelerations."""
        velocity, rate = np.zeros(2), np.zeros(2)
        for place, sign in ((self.a, -1.0), (self.b, 1.0)):
            if place.body is not None:
                *_, rx, ry = place.at(q)
                k, w = 3 * place.body, v[3 * place.body + 2]
                velocity += sign * np.array([v[k] - w * ry, v[k + 1] + w * rx])
                rate -= sign * w * w * np.array([rx, ry])
        return (float(velocity[0]), float(velocity[1])), (float(rate[0]), float(rate[1]))


def _point(place: Place, q: Array) -> tuple[complex, complex]:
    """The position of a point, at a position that may be complex."""
    if place.body is None:
        return place.x, place.y
    k = 3 * place.body
    c, s = np.cos(q[k + 2]), np.sin(q[k + 2])
    return q[k] + c * place.x - s * place.y, q[k + 1] + s * place.x + c * place.y
