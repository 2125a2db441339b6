"""Whether equations that seem to hold along a motion lead a mechanism through a singular position that it narrowly
misses.

If lengths differ from those of a parallelogram or a kite by 1e-12, the mechanism cannot be distinguished from these
except at singular positions: the equations of the special linkage hold to round-off, but lead straight through where
the real mechanism turns away. There the gap decides (see `critical_points`).
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from grashof.formulation.natural.closing import Positions, close, is_closed
from grashof.formulation.natural.equations import Dynamics
from grashof.singular.critical_points import NODE, Surroundings

STRIDE, STRIDES = 0.25, 24
"""The path along which singular positions are looked for: length of a stride, in lengths of the mechanism, and
number of strides in each direction."""

FEW = 6
"""Largest number of positions from which a critical point is looked for."""

LARGEST = 24
"""Largest number of rows for which this is examined; with more it would take longer than the rest of the build."""

CLEAR = 1e-6
"""A gap larger than this, relative to the mechanism's length, is not a narrow miss: the equations would not have
seemed to hold."""


def narrowly_missed(joints: Dynamics, q: np.ndarray, redundant: int) -> bool:
    """Whether on the path from the position q there is a critical point that the mechanism approaches closely but does
    not reach.

    redundant   number of rows of the joints that other rows imply at every position
    """
    if joints.rows.count > LARGEST:
        return False
    alone = joints.uncoupled
    around = Surroundings(alone, redundant)
    for way in (1.0, -1.0):
        places = np.array([*_walk_branch(Positions(alone, 0.0), q, way)])
        distances = around.distances(np.zeros(len(places)), places)
        lowest = 1 + np.flatnonzero((distances[1:-1] <= distances[:-2]) & (distances[1:-1] <= distances[2:]))
        for k in lowest[np.argsort(distances[lowest])][:FEW]:
            found = around.critical_point(0.0, np.concatenate([places[k], np.zeros(alone.n)]), 0.0)
            if found is not None and NODE < found.gap / alone.system.length < CLEAR:
                return True
    return False


def _walk_branch(positions: Positions, q: np.ndarray, way: float) -> Iterator[np.ndarray]:
    """Positions on a path from q that roughly keeps its direction."""
    ahead = way * np.random.default_rng(1).normal(size=len(q))
    yield q
    for _ in range(STRIDES):
        ahead = positions.free_part(q, ahead)
        largest = float(np.max(np.abs(ahead), initial=0.0))
        if not largest > 0.0:
            return
        there, _, error = close(positions, q + ahead * (STRIDE * positions.length / largest))
        if not is_closed(positions, error):
            return
        ahead, q = there - q, there
        yield q
