"""How loops that were cut to obtain a tree of joints are closed again in other engines.

Pins and balls are closed by points that coincide. At any other joint a body is split into parts, one for each cut and
one more. The parts share its mass, are attached to its neighbours by the joints, and are welded together.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from grashof.model.bodies import GROUND
from grashof.model.joints import Joint
from grashof.situation import Situation, closes_easily

Pair = tuple[np.ndarray, np.ndarray]


def cut_at(joint: Joint) -> tuple[str, str] | None:
    """The body to make in two parts, and the one that its second part hangs on; None if points or a distance close
    the loop."""
    if joint.rod is not None or (closes_easily(joint) and joint.motions):
        return None
    a, b = joint.bodies
    return (a, b) if b == GROUND else (b, a)


def parts(situation: Situation, welds: bool = True) -> Pair:
    """Mass (B,) and positive inertia (B, 3, 3) of one part of each body; without `welds` no body is split at a weld."""
    closures = [joint for joint in situation.closures if welds or joint.motions != ()]
    cuts = Counter(cut[0] for joint in closures if (cut := cut_at(joint)))
    shares = np.array([1.0 / (1 + cuts[name]) for name in situation.bodies])
    return shares * situation.masses, shares[:, None, None] * situation.positive_inertias()


def meeting(situation: Situation, joint: Joint) -> list[Pair]:
    """What a pin, a ball or a rod joins: places on its two bodies, in their own axes; of a pin in space, two on its
    axis."""
    a, b = (np.array(situation.model.points[end]) for end in (joint.a, joint.b))
    if situation.planar or joint.axle is None:
        return [(a, b)]
    along_a, along_b = (situation.system.length * np.array(axis) for axis in (joint.axle.axis_a, joint.axle.axis_b))
    return [(a, b), (a + along_a, b + along_b)]
