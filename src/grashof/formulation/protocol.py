"""What everything above needs of a formulation: the equations of a mechanism in some kind of coordinates.

All functions are written in scalar Python, of x = [t, y], where y = [q, v, e] is described by `layout`: over floats,
arrays, jets or traced nodes. Numbers of the mechanism that are left open are nodes inside the formulation; they become
the coefficients c of its machine code.

Natural coordinates (`natural`) are one formulation, with q̇ = v, relative coordinates (`relative`) another one. One with
q̇ = N(q) v gives its own rates (see `Sizes`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Protocol

import numpy as np

from grashof.formulation.layout import Layout
from grashof.model.model import Model
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.formulation.natural.equations import Dynamics
    from grashof.formulation.natural.state import SystemState


class VelocityRows(Protocol):
    """Constraints that hold for velocities, J v + b = 0, and so for accelerations, J a = γ.

    turns   the extra states on which rows depend, see `Rows.turns`
    """

    @property
    def count(self) -> int:
        """Number of rows."""

    @property
    def pattern(self) -> tuple[tuple[int, ...], ...]:
        """For each row, the velocities on which it can depend."""

    def jacobian(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """The entries of J that can be non-zero, row by row."""

    def slip(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """b, m/s."""

    def bias(self, t: Scalar, q: Sequence[Scalar], v: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """γ, m/s²."""


class Rows(VelocityRows, Protocol):
    """Constraints that hold for positions, Φ = 0, and so for velocities, with b = Φ_t."""

    @property
    def closed(self) -> bool:
        """Whether rows can be linearly dependent somewhere."""

    def violation(self, t: Scalar, q: Sequence[Scalar], turns: Sequence[Scalar] = ()) -> list[Scalar]:
        """Φ, m."""

    def turns(self, e: Sequence[Scalar]) -> Sequence[Scalar]:
        """The extra states on which rows depend."""


class Impacts(Protocol):
    """Impacts, and limits against which measures rest; states are x = [t, y]."""

    @property
    def rows(self) -> int:
        """Number of multipliers Λ; the last are those of limits."""

    def answer(self, x: Sequence[Scalar], pulls: Sequence[tuple[str, Scalar]]) -> list[Scalar]:
        """∇g, the change of the velocities by a unit impulse, the response of the free masses, and Λ, for the sum of
        measures with weights."""

    def pressing(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The forces that press against limits, N along their rows, then the same with a margin."""

    def gaps(self, x: Sequence[float]) -> list[float]:
        """How far the measures are from their limits, m."""

    def driving_slips(self, x: Sequence[float]) -> list[tuple[str, int, float]]:
        """The couplings that depend on time: name, number of the row, and Φ_t, m/s."""


class Grips(Protocol):
    """Joints that stick by dry friction; states are x = [t, y]."""

    def look(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The numbers of these joints (see `natural.grips.GripState`), one after another; then v̇."""

    def margins(self, x: Sequence[Scalar]) -> list[Scalar]:
        """What must stay positive while nothing changes (see `natural.grips.margins`)."""


class Formulation(Protocol):
    """The equations of a mechanism."""

    def __hash__(self) -> int:
        """Functions of formulations are compiled once and kept."""

    @property
    def natural(self) -> Dynamics:
        """The same mechanism in natural coordinates, in which forces, quantities and results are seen."""

    @property
    def n(self) -> int:
        """Number of coordinates."""

    @property
    def unheld(self) -> float:
        """Constraints with smaller singular values are not enforced."""

    @property
    def impacts(self) -> Impacts:
        """Impacts, and limits against which measures rest."""

    @property
    def grips(self) -> Grips:
        """Joints that stick by dry friction."""

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
        """The constraints of positions: for ranks, singular positions and reactions."""

    @property
    def slips(self) -> VelocityRows:
        """The constraints of velocities that restrict no position, such as those of rolling without slipping."""

    def freedom(self, implied: int) -> int:
        """Degrees of freedom of the positions, if that many of the rows are implied by others."""

    def state(self, x: Sequence[Scalar]) -> SystemState:
        """What forces, measures, quantities and pictures see."""

    def derivative(self, x: Sequence[Scalar]) -> Sequence[Scalar]:
        """The rates of a state."""

    def certainty(self, x: Sequence[Scalar]) -> Scalar:
        """Positive only where the rates are known: the equations for friction and joint reactions have exactly one
        solution, and all motions are determined firmly; constant if that cannot change."""

    def natural_rates(self, x: Sequence[Scalar], rates: Sequence[Scalar]) -> Sequence[Scalar]:
        """The rates in natural coordinates, given those of a state x = [t, y]."""

    def own_state(self, x: Sequence[Scalar]) -> Sequence[Scalar]:
        """y in the coordinates of this formulation, of a state x = [t, y] in natural ones."""

    def over(self, natural: Dynamics) -> Formulation:
        """The same equations of a mechanism with other values of its numbers, which may be open, or with further
        loads."""

    def project(self, x: Sequence[Scalar]) -> Sequence[Scalar]:
        """The state on the constraints, for positions and velocities, then the remaining squared violation, m²."""

    def gradients(self, x: Sequence[Scalar]) -> Sequence[Scalar]:
        """`rows.jacobian` at a state."""

    def jacobians(self, t: np.ndarray, q: np.ndarray, turns: np.ndarray | None = None) -> np.ndarray:
        """J of the rows of positions at many positions, (k, m, n).

        turns   tracked angles, (k, angles), if rows may depend on their whole turns
        """

    def start_state(self, q: np.ndarray, v: np.ndarray, angles: Mapping[str, float]) -> np.ndarray:
        """y at the start of a motion, given coordinates, velocities and tracked angles."""
