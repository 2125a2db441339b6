"""Screw and nut."""

from __future__ import annotations

import math

from grashof.model.couplings.sum import Transmission
from grashof.model.units import Length


class Screw(Transmission, tag_field="type", tag="screw", frozen=True, kw_only=True):
    """A thread of lead p, which turns a cylindrical joint into a screw joint: x − p θ/2π = phase.

    travel   x: a coordinate or distance along the axis
    turn     θ: an angle about the axis
    lead     p, m per turn: positive for a right-handed thread, negative for a left-handed one
    """

    angles = ("turn",)
    lengths = ("travel",)
    not_zero = ("lead",)

    travel: str
    turn: str
    lead: Length

    def weights(self) -> list[tuple[str, float]]:
        return [(self.travel, 1.0), (self.turn, -self.lead / (2.0 * math.pi))]
