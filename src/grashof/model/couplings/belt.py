"""Belt or chain around two wheels."""

from __future__ import annotations

from typing import Annotated

from grashof.model.couplings.sum import OnCarrier
from grashof.model.units import Length, component_names


class Belt(OnCarrier, tag_field="type", tag="belt", frozen=True, kw_only=True):
    """A belt without slip around two wheels a and b, whose axes are held at a constant distance by a carrier c:

        r_a (θ_a − θ_c) ∓ r_b (θ_b − θ_c) = phase          − open, + crossed

    a, b       angles
    radii      r_a and r_b, m
    crossed    whether the wheels turn in opposite directions
    carrier    the carrier's angle; omit it for the ground, or if a and b are angles relative to the carrier
    """

    symbol = "belt"

    positive = ("radii",)

    radii: Annotated[tuple[Length, Length], component_names("a", "b")]
    crossed: bool = False

    def pair(self) -> tuple[float, float]:
        first, second = self.radii
        return first, second if self.crossed else -second
