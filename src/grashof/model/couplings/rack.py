"""Rack and pinion."""

from __future__ import annotations

from grashof.model.couplings.sum import Transmission
from grashof.model.units import Length


class Rack(Transmission, tag_field="type", tag="rack", frozen=True, kw_only=True):
    """A rack driven by a pinion, or a wheel that rolls on a line without slipping: x − r θ = phase.

    rack      x: a coordinate or distance
    pinion    θ: an angle
    radius    r, m: radius of the pitch circle, negative if x decreases as θ increases
    """

    symbol = "rack"

    angles = ("pinion",)
    lengths = ("rack",)
    not_zero = ("radius",)

    rack: str
    pinion: str
    radius: Length

    def weights(self) -> list[tuple[str, float]]:
        return [(self.rack, 1.0), (self.pinion, -self.radius)]

    @property
    def rolling_radius(self) -> float:
        return self.radius
