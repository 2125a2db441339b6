"""Four-bars next to a change point, where all bars lie in one line, and their positions in closed form."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

import grashof as gr


@dataclass(frozen=True)
class FourBar:
    """Ground, crank, coupler and rocker, m; the elbow is on one side of the diagonal from the crank's tip to the
    rocker's pivot."""

    ground: float
    crank: float
    coupler: float
    rocker: float
    side: int = 1

    def elbow(self, angle: np.ndarray) -> np.ndarray:
        """Where coupler and rocker meet, (…, 2), with the crank at an angle: two circles meet there."""
        tip = self.crank * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
        across = np.array([self.ground, 0.0]) - tip
        diagonal = np.linalg.norm(across, axis=-1)[..., None]
        along = (self.coupler**2 - self.rocker**2 + diagonal**2) / (2.0 * diagonal)
        normal = np.stack([-across[..., 1], across[..., 0]], axis=-1)
        height = np.sqrt(np.maximum(self.coupler**2 - along**2, 0.0))
        return np.asarray(tip + (along * across + self.side * height * normal) / diagonal)

    def at(self, angle: float) -> gr.Mechanism:
        """The mechanism, falling, assembled with its crank at an angle."""
        tip = (self.crank * math.cos(angle), self.crank * math.sin(angle))
        elbow = tuple(self.elbow(np.array(angle)))
        m = gr.Mechanism("four-bar", gravity=(0, -9.81))
        crank = m.bar("crank", start=(0, 0), end=tip, mass=1)
        coupler = m.bar("coupler", start=tip, end=elbow, mass=1)
        rocker = m.bar("rocker", start=(self.ground, 0), end=elbow, mass=1)
        m.revolute(m.ground.at(0, 0), crank.start)
        m.revolute(crank.end, coupler.start)
        m.revolute(coupler.end, rocker.end)
        m.revolute(m.ground.at(self.ground, 0), rocker.start)
        return m

    def driven(self, angle: float, rate: float) -> gr.Mechanism:
        """The same with a motor that turns the crank."""
        m = self.at(angle)
        m.motor("crank.angle", f"{angle!r} + {rate!r}*t")
        return m


def nearly_flat(rng: np.random.Generator, smallest: float, largest: float) -> FourBar:
    """A four-bar whose crank turns round; coupler and rocker miss one line, outstretched or folded, by a margin
    between these, m."""
    while True:
        ground, crank, coupler = rng.uniform(0.5, 3.0, 3).tolist()
        margin = math.exp(rng.uniform(math.log(smallest), math.log(largest)))
        longest, shortest = ground + crank, abs(ground - crank)
        rocker = (longest - coupler + margin, coupler - shortest + margin, coupler + shortest - margin)[
            int(rng.integers(3))
        ]
        if 0.2 < rocker < 4.0 and coupler + rocker > longest and abs(coupler - rocker) < shortest:
            return FourBar(ground, crank, coupler, rocker, int(rng.choice([-1, 1])))
