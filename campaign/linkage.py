"""A linkage of one freedom: where its bodies are is a function of one parameter, s.

    x_i(s) = o_b(s) + A_b(s) r_i        particle i of body b

The functions are analytic, so that dx/ds is the imaginary part of x(s + i·10⁻³⁰)/10⁻³⁰, exact to rounding (Squire and Trapp,
1998), and they go smoothly through singular positions: that, and nothing else, says which way a branch goes on. From them

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
"""Points in a period at which a linkage is surveyed."""

OFFSET = 0.318
"""Offset of the first of them, in units of their spacing."""


CHOICE = 4
"""Places, the farthest of which from singular positions is taken to start from."""


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
        """J(s), and V(s) − V(0), without the digits that V(0) would cost."""
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
        """s, J and V − V(0), all round; not where something special is likely to be."""
        s = (np.arange(SURVEY) + OFFSET) * (self.period / SURVEY)
        return s, *self.landscape(s)

    def clear_place(self, rng: np.random.Generator) -> float:
        """A place far from singular positions: the farthest of some."""
        places, period = rng.uniform(0.0, self.period, CHOICE), self.period
        apart = [np.abs((places - flat + 0.5 * period) % period - 0.5 * period) for flat in self.flats]
        return float(places[np.argmax(np.min(apart, axis=0))] if apart else places[0])
