"""Instant centres: the points about which bodies of a planar mechanism momentarily rotate relative to each other.

If c_i is the velocity of the point of body i at the origin and ω_i its angular velocity, its velocity at x is c_i + ω_i
ẑ × x. Bodies i and j have the same velocity at

    x = ẑ × (c_i − c_j) / (ω_i − ω_j),        which is at infinity, perpendicular to c_i − c_j, if ω_i = ω_j.

The three instant centres of three bodies lie on a line (Aronhold–Kennedy theorem).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from grashof.formulation.natural.system import System
from grashof.model.bodies import GROUND
from grashof.questions.equations import Array

ALIKE = 1e-9
"""Angular velocities that differ by a smaller fraction of the largest count as equal."""


@dataclass(frozen=True)
class Centre:
    """Where two bodies have the same velocity: a point (m); or a direction in which it lies at infinity (relative
    translation); or neither (no relative motion)."""

    point: tuple[float, float] | None
    direction: tuple[float, float] | None

    def __str__(self) -> str:
        if self.point is not None:
            return f"({self.point[0]:.6g}, {self.point[1]:.6g}) m"
        if self.direction is not None:
            return f"at infinity along ({self.direction[0]:.6g}, {self.direction[1]:.6g})"
        return "no relative motion"


def instant_centres(system: System, q: Array, along: Array) -> dict[tuple[str, str], Centre]:
    """By pairs of bodies, at position q with velocities `along`."""
    twists = {GROUND: (0.0, np.zeros(2))}
    for body in system.model.bodies:
        frame = system.frames[body.name]
        place, speed, arrow, turning = (
            np.array([form.at(q) for form in frame.origin], float),
            np.array([form.rate(along) for form in frame.origin], float),
            np.array([form.at(q) for form in frame.directions[0]], float),
            np.array([form.rate(along) for form in frame.directions[0]], float),
        )
        rate = float(arrow[0] * turning[1] - arrow[1] * turning[0]) / float(arrow @ arrow)
        twists[body.name] = rate, speed - rate * np.array([-place[1], place[0]])
    fastest = max(abs(rate) for rate, _ in twists.values())
    moving = max(fastest * system.length, *(float(np.linalg.norm(speed)) for _, speed in twists.values()))
    found = {}
    for a, b in combinations(twists, 2):
        rate, speed = twists[b][0] - twists[a][0], twists[b][1] - twists[a][1]
        across = np.array([-speed[1], speed[0]])
        if abs(rate) > ALIKE * fastest:
            x, y = (across / rate).tolist()
            found[a, b] = Centre((x, y), None)
        elif np.linalg.norm(speed) > ALIKE * moving:
            x, y = (across / np.linalg.norm(speed)).tolist()
            found[a, b] = Centre(None, (x, y))
        else:
            found[a, b] = Centre(None, None)
    return found
