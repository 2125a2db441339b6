"""Pair of gears."""

from __future__ import annotations

from typing import Annotated

from grashof.model.couplings.sum import OnCarrier
from grashof.model.units import named


class Gear(OnCarrier, tag_field="type", tag="gear", frozen=True, kw_only=True):
    """Two gears a and b with z_a and z_b teeth on a carrier c, which holds their axes at a constant distance:

        z_a (θ_a − θ_c) ± z_b (θ_b − θ_c) = phase          + external, − internal (a ring around a pinion)

    Bevel gears are external if both axes point away from where they meet.

    a, b       angles
    teeth      numbers of teeth, or pitch radii, or anything else in their ratio
    internal   whether one of them is a ring
    carrier    the carrier's angle; the ground does not turn. If a and b are angles against the carrier, leave it out
    """

    positive = ("teeth",)

    teeth: Annotated[tuple[float, float], named("a", "b")]
    internal: bool = False

    def pair(self) -> tuple[float, float]:
        first, second = self.teeth
        return first, -second if self.internal else second
