"""Belt or chain around two wheels."""

from __future__ import annotations

from typing import Annotated

from grashof.model.couplings.sum import OnCarrier
from grashof.model.units import Length, named


class Belt(OnCarrier, tag_field="type", tag="belt", frozen=True, kw_only=True):
    """A belt that does not slip around two wheels a and b, whose axes a carrier c holds at a constant distance:

        r_a (θ_a − θ_c) ∓ r_b (θ_b − θ_c) = phase          − open, + crossed

    a, b       angles
    radii      r_a and r_b, m
    crossed    whether the wheels turn in opposite directions
    carrier    the carrier's angle; the ground does not turn. If a and b are angles against the carrier, leave it out
    """

    positive = ("radii",)

    radii: Annotated[tuple[Length, Length], named("a", "b")]
    crossed: bool = False

    def pair(self) -> tuple[float, float]:
        first, second = self.radii
        return first, second if self.crossed else -second
