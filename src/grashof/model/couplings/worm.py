"""Worm and worm wheel."""

from __future__ import annotations

from typing import Literal

from grashof.model.couplings.sum import Transmission


class Worm(Transmission, tag_field="type", tag="worm", frozen=True, kw_only=True):
    """A worm with n starts that turns a wheel with z teeth: z θ_wheel ∓ n θ_worm = phase, − right-handed, +
    left-handed.

    With r from the worm to the wheel and e the axis about which the worm's angle is positive, the wheel's angle is
    positive about r × e.

    wheel, worm   angles
    teeth         z
    starts        n
    hand          handedness of the worm's thread
    """

    angles = ("wheel", "worm")
    positive = ("teeth", "starts")

    wheel: str
    worm: str
    teeth: float
    starts: float = 1.0
    hand: Literal["right", "left"] = "right"

    def weights(self) -> list[tuple[str, float]]:
        return [(self.wheel, self.teeth), (self.worm, -self.starts if self.hand == "right" else self.starts)]
