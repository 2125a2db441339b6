"""Direction at right angles to a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grashof.model.couplings.profile import OnCurve
from grashof.model.fields import body_of
from grashof.model.measures import Angle, Measure
from grashof.scalar.functions import Scalar, atan2, cos, sin


class Normal(OnCurve, tag_field="type", tag="normal", frozen=True, kw_only=True):
    """The x axis of the point's body is at right angles to the curve where the point is, and points to its inner side.

    With a `curve` through the same point, the body touches the curve there, and carries a roller or a flat face. With ψ the angle of the
    body against that of the curve, and ν that of −∇g: ψ − ν = 0, within half a turn.

    inside   whether it points to the outer side instead, as that of a roller inside a ring does
    """

    inside: bool = False

    def measures(self, known: Mapping[str, Measure]) -> tuple[Measure, ...]:
        return Angle(f"{self.name}.angle", body_of(self.point), self.body), *self.coordinates()

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        psi, x, y = values
        across, up = self.gradient(x, y)
        if not self.inside:
            across, up = -across, -up
        return atan2(across * sin(psi) - up * cos(psi), across * cos(psi) + up * sin(psi))
