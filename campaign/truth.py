"""The reference for a run: the correct positions of all watched points, and how much a small error may grow."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from campaign.energy_integral import NotJudged, Orbit, orbit
from campaign.linkage import Linkage
from campaign.structure import Array, Structure

NUDGE = 1e-6
"""Relative change of the start by which sensitivity is measured."""

ORDINARY = 100.0
"""Sensitivity of an ordinary motion of about ten swings, whose phase error grows with time."""


@dataclass(frozen=True)
class Truth:
    """The correct motion.

    times         at which runs are judged, s (k,); the last is the end
    places, rates watched points, m and m/s (k, points, d)
    sensitivity   how much the distance of a neighbouring motion has grown since the start, in units of length and speed
                  (k,)
    energy        E, J
    vigour        largest kinetic energy, J
    deviation     distance of watched points (k, points, d) from the branch, m (k,)
    """

    structure: Structure
    times: Array
    places: Array
    rates: Array
    sensitivity: Array
    energy: float
    vigour: float
    deviation: Callable[[Array], Array]

    @property
    def speed(self) -> float:
        """The largest speed of a point, m/s."""
        return float(np.max(np.linalg.norm(self.rates, axis=-1)))

    def distance(self, places: Array, rates: Array) -> Array:
        """The distance of a motion from the correct one, in positions and velocities of points, in units of length
        and speed, (k,)."""
        k = len(places)
        away = np.linalg.norm(places - self.places[:k], axis=-1).max(axis=-1) / self.structure.length
        faster = np.linalg.norm(rates - self.rates[:k], axis=-1).max(axis=-1) / self.speed
        result: Array = np.maximum(away, faster)
        return result

    def total(self, places: Array, rates: Array) -> Array:
        """Kinetic and potential energy of the particles, J."""
        result: Array = 0.5 * self.structure.inertia(rates) + self.structure.potential(places)
        return result


def along_branch(linkage: Linkage, start: float, rate: float, times: Array) -> Truth:
    """The motion of a linkage with one degree of freedom; its sensitivity is that to the energy."""
    right = orbit(linkage, start, rate)
    vigour = right.energy - _lowest(right)
    places, rates = _motion(right, times)
    truth = Truth(
        linkage,
        times,
        places,
        rates,
        np.ones(len(times)),
        right.energy + float(linkage.potential(linkage.reference)[0]),
        vigour,
        lambda seen: from_branch(linkage, seen),
    )
    growth = truth.distance(*_motion(_neighbour(right, start, rate, 2.0 * NUDGE * vigour), times)) / NUDGE
    return replace(truth, sensitivity=np.maximum.accumulate(growth))


def _motion(orbit: Orbit, times: Array) -> tuple[Array, Array]:
    """Watched points and their velocities."""
    s, rate = orbit.at(times)
    places, slopes = orbit.linkage.tangents(s)
    return places, slopes * rate[:, None, None]


def _neighbour(right: Orbit, start: float, rate: float, more: float) -> Orbit:
    """A motion with more energy: faster at the start, or, if it starts slowly, higher."""
    linkage = right.linkage
    (inertia,), _ = linkage.landscape(np.array([start]))
    if 0.5 * inertia * rate**2 > 1e3 * more:
        return orbit(linkage, start, rate, right.energy + more)
    higher = more / abs(linkage.downhill(start) or 1e-300)
    if higher > 0.01:
        raise NotJudged("it starts nearly at rest, nearly in equilibrium")
    return orbit(linkage, start - higher * float(np.sign(linkage.downhill(start))), rate)


def _lowest(motion: Orbit) -> float:
    """The lowest potential along the motion."""
    _, _, potential = motion.linkage.survey
    if motion.turning is None:
        return float(potential.min())
    first, last = motion.turning
    met = motion.linkage.landscape(np.linspace(first, last, 257))[1]
    return float(met.min())


def from_branch(linkage: Linkage, places: Array) -> Array:
    """Distance to the nearest position on the branch: the best of a survey, improved by Gauss–Newton."""
    grid = np.linspace(0.0, linkage.period, 721)
    surveyed = linkage.tangents(grid)[0]
    s = np.array([grid[np.argmin(np.sum((surveyed - x) ** 2, axis=(1, 2)))] for x in places])
    for _ in range(10):
        there, slopes = linkage.tangents(s)
        s = s + np.sum(slopes * (places - there), axis=(1, 2)) / np.sum(slopes**2, axis=(1, 2))
    result: Array = np.linalg.norm(places - linkage.tangents(s)[0], axis=-1).max(axis=-1)
    return result
