"""The difference between two motions of the same bodies.

At each time three differences are computed. All are dimensionless, so that one limit applies to all of them:

    position      the largest distance between matching points of a body, divided by the size of the mechanism
    orientation   the angle of the rotation from one orientation of a body to the other, in rad
    energy        the difference of kinetic plus potential energy, divided by the energy of the motion

The centre of mass of every body is compared in addition to its points, so every body takes part in the comparison.
Where its inertia and its joints leave a rotation of a body undefined (a slender bar between ball joints may spin about
itself, a point mass in any way), the angle is that between the directions that are defined. Velocities enter through
the kinetic energy. Measures need no comparison, since they are functions of the above.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.engines.observed import ObservedMotion
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.situation import Situation
from grashof.situation.motion import Motion, known_directions

SMALL = 1e-3
"""A mechanism that moves by less than this fraction of its size is compared as if it moved by that much, since its
energy is not resolved any further.
"""


@dataclass(frozen=True, eq=False)
class Difference:
    """Two motions of B bodies at T times: `positions` and `angles` (T, B), `energies` (T,), as described in the
    module."""

    bodies: tuple[str, ...]
    positions: np.ndarray
    angles: np.ndarray
    energies: np.ndarray

    @cached_property
    def overall(self) -> np.ndarray:
        """The largest of all at each time, (T,)."""
        largest: np.ndarray = np.max(np.column_stack([self.positions, self.angles, self.energies]), axis=1)
        return largest

    @property
    def largest(self) -> float:
        """The largest of all at any time."""
        return float(np.max(self.overall))

    @property
    def by_kind(self) -> dict[str, float]:
        """The largest at any time of each kind."""
        kinds = {"position": self.positions, "orientation": self.angles, "energy": self.energies}
        return {kind: float(np.max(values)) for kind, values in kinds.items()}

    def describe_largest(self, k: int) -> str:
        """The quantity that differs most at the k-th time, and by how much."""
        value = float(self.overall[k])
        if self.energies[k] == value:
            return f"the energies differ by {value:.1e} of the energy of the motion"
        if np.max(self.angles[k]) == value:
            return f"the orientations of '{self.bodies[int(np.argmax(self.angles[k]))]}' differ by {value:.1e} rad"
        body = self.bodies[int(np.argmax(self.positions[k]))]
        return f"the positions of '{body}' differ by {value:.1e} of the size"

    def named_largest(self) -> str:
        """The largest difference of all, in words."""
        return self.describe_largest(int(np.argmax(self.overall)))

    def hold_until_next(self, every: int, count: int) -> Difference:
        """The same differences for `count` times, of which these are every `every`-th one: each difference is held
        until the next.
        """
        next_known = np.minimum(-(-np.arange(count) // every), len(self.energies) - 1)
        return Difference(self.bodies, self.positions[next_known], self.angles[next_known], self.energies[next_known])


class MotionNorms:
    """Compares motions of a situation; `reference` is the motion that sets the scales.

    size    the diagonal of the box in which all points and centres of mass stay, m; at least the largest radius of
            gyration
    energy  the largest kinetic energy and the range of the potential energy together, J
    """

    def __init__(self, situation: Situation, reference: Motion) -> None:
        self.situation = situation
        self._marks = [np.array(places) for places in _marks(situation)]
        self._directions = [known_directions(situation.system, name) for name in situation.bodies]
        self.size = self._size(reference)
        self.energy = self._energy(reference)

    def between(self, first: Motion, second: Motion) -> Difference:
        """The difference between two motions at the same times."""
        count = len(self.situation.bodies)
        positions, angles = np.empty((2, len(first.times), count))
        for k in range(count):
            apart = self._places(first, k) - self._places(second, k)
            positions[:, k] = np.max(np.linalg.norm(apart, axis=2), axis=1) / self.size
            angles[:, k] = _angles(first.rotations[:, k], second.rotations[:, k], self._directions[k])
        energies = (ObservedMotion(self.situation, motion)["energy"] for motion in (first, second))
        return Difference(self.situation.bodies, positions, angles, np.abs(np.subtract(*energies)) / self.energy)

    def _places(self, motion: Motion, k: int) -> np.ndarray:
        """The points of a body and its centre of mass, (T, P, 3)."""
        arms = np.einsum("tij,pj->tpi", motion.rotations[:, k], self._marks[k])
        places: np.ndarray = motion.positions[:, None, k] + arms
        return places

    def _size(self, motion: Motion) -> float:
        s = self.situation
        ground = [place for name, place in s.model.points.items() if body_of(name) == GROUND]
        everything = [self._places(motion, k).reshape(-1, 3) for k in range(len(s.bodies))]
        box = np.ptp(np.vstack([*everything, np.array(ground).reshape(-1, 3)]), axis=0)
        heavy = s.masses > 0.0
        gyration = np.sqrt(np.linalg.eigvalsh(s.inertias[heavy])[:, -1] / s.masses[heavy])
        return max(float(np.linalg.norm(box)), float(np.max(gyration, initial=0.0))) or 1.0

    def _energy(self, motion: Motion) -> float:
        s, seen = self.situation, ObservedMotion(self.situation, motion)
        moved = float(np.max(seen["kinetic"]) + np.ptp(seen["potential"]))
        # about an equilibrium, energy grows with the square of the distance
        least = SMALL**2 * float(np.sum(s.masses) * np.linalg.norm(s.gravity) * self.size)
        return moved + least or 1.0


def _marks(situation: Situation) -> list[list[np.ndarray]]:
    """The centre of mass and the points of each body, in its own axes."""
    found = [[center] for center in situation.centers]
    for reference, place in situation.model.points.items():
        if (body := body_of(reference)) != GROUND:
            found[situation.index[body]].append(np.array(place))
    return found


def _angles(first: np.ndarray, second: np.ndarray, known: np.ndarray) -> np.ndarray:
    """The angle (T,) between two orientations (T, 3, 3) of a body of which these directions (k, 3) are defined.

    ‖A − B‖ = 2√2 sin(θ/2) in the Frobenius norm, ‖A d − B d‖ = 2 sin(θ/2) for a single unit vector d: exact for small
    angles, too.
    """
    if len(known) == 0:
        return np.zeros(len(first))
    if len(known) == 1:
        chord = np.linalg.norm((first - second) @ (known[0] / np.linalg.norm(known[0])), axis=1)
    else:
        chord = np.linalg.norm(first - second, axis=(1, 2)) / np.sqrt(2.0)
    angles: np.ndarray = 2.0 * np.arcsin(np.clip(0.5 * chord, 0.0, 1.0))
    return angles
