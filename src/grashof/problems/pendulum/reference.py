"""The simple pendulum in closed form, by Jacobi's elliptic functions.

With χ, half the angle from hanging, χ̇² = k²(sin² χ₀ − sin² χ) and k² = g/l, which is the swinging motion of
`grashof.problems.four_bar.reference` with φ = 2χ + π from upright. Released at rest at (−1, 0), the angle from hanging
is −90°, and φ = 90°: x = −sin φ, y = cos φ. The period is 4 K(½)/k = 2.367841947576237 s.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from grashof.problems.four_bar.reference import pendulum

GRAVITY = 9.81
"""m/s², downwards."""


def places(times: Sequence[Any], digits: int, gravity: str = str(GRAVITY), length: str = "1") -> Iterator[Any]:
    """x and y [m] of the mass at the times [s], as numbers of mpmath."""
    import mpmath

    context = mpmath.MPContext()
    context.dps = digits + 15
    size, right_angle = context.mpf(length), +context.pi / 2
    there = pendulum(context.sqrt(context.mpf(gravity) / size), right_angle, context.mpf(0), context)
    for time in times:
        phi, _ = there(context.mpf(time))
        yield -size * context.sin(phi), size * context.cos(phi)


def solution(times: np.ndarray, gravity: float = GRAVITY, length: float = 1.0) -> dict[str, np.ndarray]:
    """The same as doubles.

    >>> place = solution(np.array([2.367841947576237]))
    >>> round(float(place["x"][0]), 12), abs(round(float(place["y"][0]), 12))
    (-1.0, 0.0)
    """
    found = np.array(list(places([str(t) for t in times.tolist()], 17, str(gravity), str(length))), float)
    return dict(zip(("x", "y"), found.reshape(-1, 2).T, strict=True))
