"""A linkage with one degree of freedom: the positions of its bodies are functions of one parameter, s.

    x_i(s) = o_b(s) + A_b(s) r_i        particle i of body b

The functions are analytic, so that dx/ds is the imaginary part of x(s + i·10⁻³⁰)/10⁻³⁰, exact to rounding (Squire and
Trapp, 1998), and they pass smoothly through singular positions: this alone defines how a branch continues. From them

    J(s) = Σ m_i |dx_i/ds|²,   V(s) = −Σ m_i g·x_i,   ½ J ṡ² + V = E
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from campaign.structure import Array, Poses, Structure

STEP = 1e-30

SURVEY = 2048
"""Number of points in a period at which a linkage is surveyed."""

OFFSET = 0.318
"""Offset of the first of them, in units of their spacing."""


CHOICE = 4
"""Number of candidates for a start, of which the one farthest from singular positions is taken."""


@dataclass(frozen=True)
class Linkage(Structure):
    """A structure and its branch.

    path     poses of the bodies at s (k,), which may be complex
    period   of everything in s
    flats    s of singular positions
    """

    path: Callable[[Array], Poses]
    period: float
    flats: tuple[float, ...]

    def tangents(self, s: Array) -> tuple[Array, Array]:
        """All watched points and their derivatives by s, (k, points, d)."""
        ahead = self.watched(self.path(np.asarray(s, float) + 1j * STEP))
        return ahead.real, ahead.imag / STEP

    def landscape(self, s: Array) -> tuple[Array, Array]:
        """J(s), and V(s) − V(0), computed without cancellation."""
        places, slopes = self.tangents(s)
        return self.inertia(slopes), self.potential(places - self.reference)

    @cached_property
    def reference(self) -> Array:
        """The watched points at s = 0."""
        return self.tangents(np.zeros(1))[0]

    def downhill(self, s: float) -> float:
        """−dV/ds, J."""
        return -float(self.potential(self.tangents(np.array([s]))[1])[0])

    @cached_property
    def survey(self) -> tuple[Array, Array, Array]:
        """s, J and V − V(0) over a whole period, at points that avoid special positions."""
        s = (np.arange(SURVEY) + OFFSET) * (self.period / SURVEY)
        return s, *self.landscape(s)

    def clear_place(self, rng: np.random.Generator) -> float:
        """A position far from singular ones: the farthest of several candidates."""
        places, period = rng.uniform(0.0, self.period, CHOICE), self.period
        apart = [np.abs((places - flat + 0.5 * period) % period - 0.5 * period) for flat in self.flats]
        return float(places[np.argmax(np.min(apart, axis=0))] if apart else places[0])
