"""Pin on a curve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grashof.model.couplings.profile import OnCurve
from grashof.model.measures import Measure
from grashof.scalar.functions import Scalar, hypot


class Curve(OnCurve, tag_field="type", tag="curve", frozen=True, kw_only=True):
    """A point stays on a curve of another body: g(x, y) = 0. An implicit curve uses g/|∇g|, which is in metres whatever
    the unit of g.

    Its effort is the normal force on the point, N, positive towards the outer side.
    """

    symbol = "cam"

    def measures(self, known: Mapping[str, Measure]) -> tuple[Measure, ...]:
        return self.coordinates()

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        x, y = values
        return self.g(x, y) if self.implicit is None else self.g(x, y) / hypot(*self.gradient(x, y))

    def shares(self, values: Sequence[Scalar], time: Scalar) -> list[Scalar]:
        across, up = self.gradient(*values)
        size = hypot(across, up)
        return [across / size, up / size]
