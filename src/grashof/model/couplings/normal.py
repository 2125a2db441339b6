"""Direction at right angles to a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grashof.model.couplings.profile import OnCurve
from grashof.model.fields import body_of
from grashof.model.measures import Angle, Measure
from grashof.scalar.functions import Scalar, atan2, cos, sin


class Normal(OnCurve, tag_field="type", tag="normal", frozen=True, kw_only=True):
    """The x axis of the point's body is normal to the curve at the point, and points to the curve's inner side.

    Together with a `curve` through the same point, the body touches the curve there, as a roller or a flat face does.
    With ψ the angle of the body relative to that of the curve, and ν the angle of −∇g: ψ − ν = 0, within half a turn.

    inside   whether the axis points to the outer side instead, as for a roller inside a ring
    """

    inside: bool = False

    @property
    def contact_point(self) -> str:
        return self.point

    def measures(self, known: Mapping[str, Measure]) -> tuple[Measure, ...]:
        return Angle(f"{self.name}.angle", body_of(self.point), self.body), *self.coordinates()

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        psi, x, y = values
        across, up = self.gradient(x, y)
        if not self.inside:
            across, up = -across, -up
        return atan2(across * sin(psi) - up * cos(psi), across * cos(psi) + up * sin(psi))
