"""What a formulation says about itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Card:
    """The identity of a formulation.

    title       in a few words
    equations   what is solved, in the notation of docs/notation.md
    order       of convergence of positions and velocities with the step; None if steps are chosen by a tolerance
    holds       what it satisfies at the end of each step to rounding or to its own tolerance: "positions",
                "velocities", both, or nothing
    reference   author, year, equation numbers
    """

    title: str
    equations: str
    order: int | None
    holds: tuple[str, ...]
    reference: str

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "title": self.title,
            "equations": self.equations,
            "order": self.order,
            "holds": list(self.holds),
            "reference": self.reference,
        }
