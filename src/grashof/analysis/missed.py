"""Whether equations that seem to hold along a motion lead a mechanism through a singular position that it narrowly misses.

Lengths that differ from those of a parallelogram or a kite by 1e-12 cannot be told from them at any position but the singular ones: the equations of the
special linkage hold to round-off, and lead straight through where the mechanism itself turns off. There the gap tells (see `nodes`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from grashof.analysis.closing import Positions, close, is_closed
from grashof.analysis.nodes import NODE, Surroundings
from grashof.dynamics.equations import Dynamics, make_dynamics

STRIDE, STRIDES = 0.25, 24
"""The way along which singular positions are looked for: strides in lengths of the mechanism, and how many in either direction."""

FEW = 6
"""Positions, at most, from which a critical point is looked for."""

LARGEST = 24
"""Rows: with more, looking would take longer than the rest of the build, and nothing is looked for."""

CLEAR = 1e-6
"""A gap larger than this, relative to the mechanism's length, is no narrow miss: equations would not have held."""


def narrowly_missed(joints: Dynamics, q: np.ndarray, redundant: int) -> bool:
    """Whether there is a critical point, on the way from the position q on, that the joints come near to and do not reach.

    redundant   rows of the joints that others imply at every position
    """
    if joints.kkt.m > LARGEST:
        return False
    alone = make_dynamics(replace(joints.system, couplings=()))
    around = Surroundings(alone, redundant)
    for way in (1.0, -1.0):
        places = np.array([*_walked(Positions(alone, 0.0), q, way)])
        distances = around.distances(np.zeros(len(places)), places)
        lowest = 1 + np.flatnonzero((distances[1:-1] <= distances[:-2]) & (distances[1:-1] <= distances[2:]))
        for k in lowest[np.argsort(distances[lowest])][:FEW]:
            found = around.critical_point(0.0, np.concatenate([places[k], np.zeros(alone.n)]), 0.0)
            if found is not None and NODE < found.gap / alone.system.length < CLEAR:
                return True
    return False


def _walked(positions: Positions, q: np.ndarray, way: float) -> Iterator[np.ndarray]:
    """Positions on a way from q, which keeps its direction in the main."""
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
