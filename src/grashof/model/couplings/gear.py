"""Pair of gears."""

from __future__ import annotations

from typing import Annotated

from grashof.model.couplings.sum import OnCarrier
from grashof.model.units import component_names


class Gear(OnCarrier, tag_field="type", tag="gear", frozen=True, kw_only=True):
    """Two gears a and b with z_a and z_b teeth, whose axes are held at a constant distance by a carrier c:

        z_a (θ_a − θ_c) ± z_b (θ_b − θ_c) = phase          + external, − internal (a ring around a pinion)

    Bevel gears are external if both axes point away from their intersection.

    a, b       angles
    teeth      numbers of teeth, or pitch radii, or any other numbers in the same ratio
    internal   whether one of the gears is a ring
    carrier    the carrier's angle; omit it for the ground, or if a and b are angles relative to the carrier
    """

    symbol = "gears"

    positive = ("teeth",)

    teeth: Annotated[tuple[float, float], component_names("a", "b")]
    internal: bool = False

    def pair(self) -> tuple[float, float]:
        first, second = self.teeth
        return first, -second if self.internal else second
