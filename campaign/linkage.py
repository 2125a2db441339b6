"""A linkage of one freedom as the judge knows it: rigid bodies made of particles, whose poses are functions of one parameter.

    x_i(s) = o_b(s) + A_b(s) r_i        particle i of body b, s the parameter along the branch

The functions are analytic, so that dx/ds is the imaginary part of x(s + i·10⁻³⁰)/10⁻³⁰, exact to rounding (Squire and Trapp,
1998), and they go smoothly through singular positions: that, and nothing else, says which way a branch goes on. From them

    J(s) = Σ m_i |dx_i/ds|²,   V(s) = −Σ m_i g·x_i,   ½ J ṡ² + V = const.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np

Array = np.ndarray
Pose = tuple[Array, Array]
"""Origin (k, d) and axes as columns (k, d, d), for k values of the parameter."""

GROUND = "ground"
STEP = 1e-30

SURVEY = 2048
"""Points in a period at which a linkage is surveyed."""


@dataclass(frozen=True)
class Solid:
    """A rigid body, by particles in its own axes.

    masses, places   of the particles, kg (p,) and m (p, d)
    pins             where joints are, m
    slender          a uniform bar from pin `start` at 0 to pin `end` on its x axis: Simpson's three particles stand for it
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
    """A revolute joint between two bodies, at a pin of each; the ground's pin is a place.

    axis   in space: in the axes of body b
    """

    a: str
    b: str
    at_a: str | Array
    at_b: str
    axis: Array | None = None


@dataclass(frozen=True)
class Linkage:
    """Bodies, hinges, and where the bodies are along the branch.

    path     poses of the bodies at complex s (k,)
    period   of everything in s
    flats    s of the singular positions
    length   typical link, m
    """

    name: str
    bodies: tuple[Solid, ...]
    hinges: tuple[Hinge, ...]
    gravity: Array
    path: Callable[[Array], Mapping[str, Pose]]
    period: float
    flats: tuple[float, ...]
    length: float

    @property
    def dimension(self) -> int:
        return len(self.gravity)

    def places(self, s: Array) -> Array:
        """All watched points, (k, points, d); complex if s is."""
        poses = self.path(s)
        parts = []
        for body in self.bodies:
            origin, axes = poses[body.name]
            parts.append(origin[:, None, :] + np.einsum("kij,pj->kpi", axes, body.watched))
        return np.concatenate(parts, axis=1)

    def tangents(self, s: Array) -> tuple[Array, Array]:
        """All watched points and their derivatives by s."""
        ahead = self.places(np.asarray(s, float) + 1j * STEP)
        return ahead.real, ahead.imag / STEP

    @cached_property
    def weights(self) -> Array:
        """Mass of each watched point, kg: zero for pins."""
        return np.concatenate([np.append(body.masses, np.zeros(len(body.pins))) for body in self.bodies])

    def inertia(self, slopes: Array) -> Array:
        """Σ m |x′|² of the derivatives of the watched points, (k,): J(s), or twice the kinetic energy."""
        result: Array = np.einsum("p,kpi,kpi->k", self.weights, slopes, slopes)
        return result

    def potential(self, places: Array) -> Array:
        """V of the watched points, J, (k,)."""
        result: Array = -np.einsum("p,kpi,i->k", self.weights, places, self.gravity)
        return result

    def landscape(self, s: Array) -> tuple[Array, Array]:
        """J(s) and V(s)."""
        places, slopes = self.tangents(s)
        return self.inertia(slopes), self.potential(places)

    @cached_property
    def survey(self) -> tuple[Array, Array, Array]:
        """s, J and V, all round."""
        s = np.arange(SURVEY) * (self.period / SURVEY)
        return s, *self.landscape(s)
