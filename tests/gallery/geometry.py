"""Plane geometry with complex numbers, which knows nothing of the engine: what the mechanisms of the gallery are
compared with."""

from __future__ import annotations

import numpy as np

import grashof as gr

Complex = np.ndarray
"""Places in the plane, x + iy, one for each time."""


def place(run: gr.Trajectory, point: str) -> Complex:
    """Where a point is in a run."""
    return np.asarray(run[f"{point}.x"] + 1j * run[f"{point}.y"])


def dyad(a: Complex | complex, ra: float, b: Complex | complex, rb: float, side: int) -> Complex:
    """The intersection of two circles that is to the left (side 1) or right (−1) of the way from a to b."""
    gap = np.asarray(b) - a
    d = np.abs(gap)
    along = (d * d + ra * ra - rb * rb) / (2 * d)
    across = np.sqrt(ra * ra - along * along)
    return np.asarray(a + (along + 1j * side * across) * gap / d)


def side_of(a: complex, b: complex, point: complex) -> int:
    """On which side of the way from a to b a point is."""
    return 1 if ((point - a) * np.conj(b - a)).imag > 0 else -1


def numbers(name: str) -> dict[str, float]:
    """The declared parameters of a mechanism of the gallery, with their nominal values."""
    return dict(gr.example(name).parameter_values)
