"""Markers, the frames on parts that joints refer to, and how two of them are placed relative to each other."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product

import numpy as np

from grashof.exchange.draft import PlacedFrame
from grashof.exchange.moves import Frame

SIGNS = [np.diag(signs) for signs in product((1.0, -1.0), repeat=3) if math.prod(signs) > 0.0]
"""Half turns about the axes of a frame, and none."""


@dataclass(frozen=True)
class Marker:
    """A frame on a body."""

    body: str
    name: str
    frame: Frame

    def turned(self, axes: np.ndarray) -> Marker:
        """The same marker with other axes, given in its own."""
        return Marker(self.body, self.name, (self.frame[0], self.frame[1] @ axes + 0.0))


@dataclass(frozen=True)
class Between:
    """Marker J seen from marker I: places and rates in the axes of I.

    axes     those of J, as columns
    spin     the angular velocity of the body of J relative to that of I
    """

    i: Marker
    j: Marker
    place: np.ndarray
    axes: np.ndarray
    velocity: np.ndarray
    spin: np.ndarray

    @property
    def angle(self) -> float:
        """The angle of the x axis of J about the z axis of I."""
        return math.atan2(self.axes[1, 0], self.axes[0, 0])

    @property
    def angle_is_flat(self) -> bool:
        """Whether the axes z are so nearly parallel that the cosine of their angle hardly changes."""
        return abs(float(self.axes[2, 2])) > 1.0 - 1e-6

    def with_parallel_z(self) -> Between:
        """J turned half about its x axis if its z axis points against that of I, which the joints of the format
        allow."""
        return self._turned(np.diag((1.0, -1.0, -1.0))) if self.axes[2, 2] < 0.0 else self

    def with_like_axes(self) -> Between:
        """J turned half about one of its axes, so that all of them are as near as possible to those of I."""
        return self._turned(max(SIGNS, key=lambda turn: float(np.trace(self.axes @ turn))))

    def _turned(self, turn: np.ndarray) -> Between:
        return Between(self.i, self.j.turned(turn), self.place, self.axes @ turn, self.velocity, self.spin)


def between(i: Marker, j: Marker, placed: dict[str, PlacedFrame]) -> Between:
    """Two markers on bodies that are placed."""
    bodies = [placed[marker.body] for marker in (i, j)]
    arms = [body.axes @ np.array(marker.frame[0]) for body, marker in zip(bodies, (i, j), strict=True)]
    places = [body.origin + arm for body, arm in zip(bodies, arms, strict=True)]
    rates = [body.velocity + np.cross(body.spin, arm) for body, arm in zip(bodies, arms, strict=True)]
    axes = bodies[0].axes @ i.frame[1]
    apart = places[1] - places[0]
    return Between(
        i,
        j,
        axes.T @ apart,
        axes.T @ bodies[1].axes @ j.frame[1],
        axes.T @ (rates[1] - rates[0] - np.cross(bodies[0].spin, apart)),
        axes.T @ (bodies[1].spin - bodies[0].spin),
    )


def along_second(seen: Between) -> tuple[Marker, Marker]:
    """Axes for a universal joint: those of I turned about z until x is the axis z of J, and those of J that coincide
    with them."""
    x = seen.axes[:, 2] * (1.0, 1.0, 0.0)
    length = math.hypot(x[0], x[1])
    x = x / length if length > 1e-6 else np.array((1.0, 0.0, 0.0))
    turned = np.column_stack([x, (-x[1], x[0], 0.0), (0.0, 0.0, 1.0)])
    own = seen.axes.T @ turned
    own[:, 0] = (0.0, 0.0, 1.0)
    own[:, 2] = own[:, 2] * (1.0, 1.0, 0.0)
    own[:, 2] /= max(float(np.linalg.norm(own[:, 2])), 1e-300)
    own[:, 1] = np.cross(own[:, 2], own[:, 0])
    return seen.i.turned(turned), seen.j.turned(own)
