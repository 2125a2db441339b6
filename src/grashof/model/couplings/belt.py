"""Belt or chain around two wheels."""

from __future__ import annotations

from grashof.model.bodies import GROUND
from grashof.model.couplings.sum import Transmission


class Belt(Transmission, tag_field="type", tag="belt", frozen=True, kw_only=True):
    """A belt that does not slip around two wheels a and b, whose axes a carrier c holds at a constant distance:

        r_a (θ_a − θ_c) ∓ r_b (θ_b − θ_c) = phase          − open, + crossed

    a, b       angles
    radii      r_a and r_b, m
    crossed    whether the wheels turn in opposite directions
    carrier    the carrier's angle; the ground does not turn. If a and b are angles against the carrier, leave it out
    """

    angles = ("a", "b", "carrier")
    positive = ("radii",)

    a: str
    b: str
    radii: tuple[float, float]
    crossed: bool = False
    carrier: str = GROUND

    def weights(self) -> list[tuple[str, float]]:
        first, second = self.radii
        second = second if self.crossed else -second
        return [(self.a, first), (self.b, second), (self.carrier, -(first + second))]
