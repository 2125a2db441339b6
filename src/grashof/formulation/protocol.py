"""What everything above needs of a formulation: the equations of a mechanism in some kind of coordinates.

All functions are written in scalar Python, of x = [t, y], where y = [q, v, e] is described by `layout`: over floats,
arrays, jets or traced nodes. Numbers of the mechanism that are left open are nodes inside the formulation; they become
the coefficients c of its machine code.

Natural coordinates (`natural`) are one formulation, with q̇ = v. Another one, with q̇ = N(q) v, gives its own rates
(see `Sizes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from grashof.formulation.layout import Layout
from grashof.model.model import Model
from grashof.model.state import State
from grashof.scalar.functions import Scalar


class Rows(Protocol):
    """The constraints. Each row holds for velocities, J v + Φ_t = 0, and so for accelerations, J a = γ. Those that hold
    for positions, too, Φ = 0, come first: `violation` has a value for each of these, `jacobian`, `slip` and `bias` for
    every row.

    turns   the extra states on which rows depend, see `turns`
    """

    @property
    def count(self) -> int:
        """Number of rows."""

    @property
    def pattern(self) -> tuple[tuple[int, ...], ...]:
        """For each row, the velocities on which it can depend."""

    @property
    def closed(self) -> bool:
        """Whether rows can be linearly dependent somewhere."""

    def violation(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """Φ, m."""

    def jacobian(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """The entries of J that can be non-zero, row by row."""

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """Φ_t, m/s."""

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """γ, m/s²."""

    def turns(self, e: Sequence[Scalar]) -> Sequence[Scalar]:
        """The extra states on which rows depend."""


class Formulation(Protocol):
    """The equations of a mechanism."""

    @property
    def model(self) -> Model:
        """The description of the mechanism."""

    @property
    def length(self) -> float:
        """A typical length of the mechanism, m, in units of which errors of positions are judged."""

    @property
    def layout(self) -> Layout:
        """The components of a state, by name."""

    @property
    def rows(self) -> Rows:
        """The constraints: for ranks, singular positions and reactions."""

    def freedom(self, implied: int) -> int:
        """Degrees of freedom, if that many of the rows are implied by others."""

    def state(self, x: Sequence[Scalar]) -> State:
        """What forces, measures, quantities and pictures see."""

    def derivative(self, x: Sequence[Scalar]) -> Sequence[Scalar]:
        """The rates of a state."""

    def project(self, x: Sequence[Scalar]) -> Sequence[Scalar]:
        """The state on the constraints, for positions and velocities, then the remaining squared violation, m²."""

    def gradients(self, x: Sequence[Scalar]) -> Sequence[Scalar]:
        """`rows.jacobian` at a state."""

    def start_state(self, q: np.ndarray, v: np.ndarray, angles: Mapping[str, float]) -> np.ndarray:
        """y at the start of a motion, given coordinates, velocities and tracked angles."""
