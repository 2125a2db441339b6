"""The judge's model of a mechanism: rigid bodies made of particles, and hinges between them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

Array = np.ndarray
Pose = tuple[Array, Array]
"""Origin (k, d) and axes as columns (k, d, d) of a body, at k moments."""

Poses = Mapping[str, Pose]
"""The poses of all bodies."""

GROUND = "ground"


@dataclass(frozen=True)
class Solid:
    """A rigid body, given by particles in its own axes.

    masses, places   of the particles, kg (p,) and m (p, d)
    pins             positions of joints, m
    slender          a uniform bar from pin `start` at 0 to pin `end` on its x axis, represented by Simpson's three
                     particles
    """

    name: str
    masses: Array
    places: Array
    pins: Mapping[str, Array]
    slender: bool = False

    @cached_property
    def watched(self) -> Array:
        """Particles, then pins, (p + pins, d)."""
        return np.vstack([self.places, *self.pins.values()])

    @property
    def mass(self) -> float:
        return float(self.masses.sum())

    @property
    def center(self) -> Array:
        result: Array = self.masses @ self.places / self.mass
        return result

    @property
    def second_moments(self) -> Array:
        """∫ r rᵀ dm about the centre of mass, (d, d)."""
        arms = self.places - self.center
        result: Array = (self.masses[:, None] * arms).T @ arms
        return result


@dataclass(frozen=True)
class Hinge:
    """A revolute joint between two bodies, at a pin of each; the ground's pin is a position.

    axis   in space: in the axes of body b
    """

    a: str
    b: str
    at_a: str | Array
    at_b: str
    axis: Array | None = None


@dataclass(frozen=True)
class Slot:
    """A line fixed to the ground, on which a pin of a body stays (plane)."""

    body: str
    pin: str
    through: Array
    along: Array


@dataclass(frozen=True)
class Structure:
    """Bodies, hinges and slots.

    gravity  m/s², (d,)
    length   typical link, m
    """

    name: str
    bodies: tuple[Solid, ...]
    hinges: tuple[Hinge, ...]
    gravity: Array
    length: float
    slots: tuple[Slot, ...] = field(default=(), kw_only=True)

    @property
    def dimension(self) -> int:
        return len(self.gravity)

    def watched(self, poses: Poses) -> Array:
        """All watched points of all bodies, (k, points, d)."""
        parts = []
        for body in self.bodies:
            origin, axes = poses[body.name]
            parts.append(origin[:, None, :] + np.einsum("kij,pj->kpi", axes, body.watched))
        return np.concatenate(parts, axis=1)

    @cached_property
    def weights(self) -> Array:
        """Mass of each watched point, kg: zero for pins."""
        return np.concatenate([np.append(body.masses, np.zeros(len(body.pins))) for body in self.bodies])

    def inertia(self, slopes: Array) -> Array:
        """Σ m |x′|² of any derivative of the watched points, (k,): of their velocities, twice the kinetic energy."""
        result: Array = np.einsum("p,kpi,kpi->k", self.weights, slopes, slopes)
        return result

    def potential(self, places: Array) -> Array:
        """V of the watched points, J, (k,)."""
        result: Array = -np.einsum("p,kpi,i->k", self.weights, places, self.gravity)
        return result
