"""Differential gear."""

from __future__ import annotations

from grashof.model.couplings.sum import Transmission


class Differential(Transmission, tag_field="type", tag="differential", frozen=True, kw_only=True):
    """A bevel-gear differential with two equal shafts in a carrier: θ_a + θ_b − 2 θ_c = phase.

    Each shaft receives half of the carrier's torque.

    a, b      angles of the shafts, both about the carrier's axis
    carrier   the carrier's angle
    """

    angles = ("a", "b", "carrier")

    a: str
    b: str
    carrier: str

    def weights(self) -> list[tuple[str, float]]:
        return [(self.a, 1.0), (self.b, 1.0), (self.carrier, -2.0)]
