"""Pair of gears."""

from __future__ import annotations

from grashof.model.bodies import GROUND
from grashof.model.couplings.sum import Transmission


class Gear(Transmission, tag_field="type", tag="gear", frozen=True, kw_only=True):
    """Two gears a and b with z_a and z_b teeth on a carrier c, which holds their axes at a constant distance:

        z_a (θ_a − θ_c) ± z_b (θ_b − θ_c) = phase          + external, − internal (a ring around a pinion)

    Bevel gears are external if both axes point away from where they meet.

    a, b       angles
    teeth      numbers of teeth, or pitch radii, or anything else in their ratio
    internal   whether one of them is a ring
    carrier    the carrier's angle; the ground does not turn. If a and b are angles against the carrier, leave it out
    """

    angles = ("a", "b", "carrier")
    positive = ("teeth",)

    a: str
    b: str
    teeth: tuple[float, float]
    internal: bool = False
    carrier: str = GROUND

    def weights(self) -> list[tuple[str, float]]:
        first, second = self.teeth
        second = -second if self.internal else second
        return [(self.a, first), (self.b, second), (self.carrier, -(first + second))]
