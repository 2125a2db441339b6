"""Distance joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars, dot
from grashof.model.joints.base import JointBase, coincide
from grashof.model.units import Length
from grashof.model.validation import check_positive


class Distance(JointBase, tag="distance", frozen=True):
    """A massless rod of `length` L (m) between two points: (|P_b − P_a|² − L²) / 2L = 0.

    Removes one degree of freedom.
    """

    symbol = "rod"
    dimensions = (2, 3)

    length: Length

    @property
    def motions(self) -> None:
        return None

    @property
    def rod(self) -> float:
        return self.length

    def properties(self) -> list[tuple[str, str]]:
        return [("length", f"{self.length:.6g} m")]

    def check_numbers(self, owner: str) -> None:
        check_positive(f"{owner}: length", self.length, "m")

    def equations(self, fields: Fields) -> Scalars:
        span = coincide(self, fields)
        return [(dot(span, span) - self.length * self.length) * (0.5 / self.length)]
