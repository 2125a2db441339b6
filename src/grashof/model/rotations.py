"""Rotations in space: quaternions w, x, y, z and matrices whose columns are the turned axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.algebra import norm


def rotation_matrix(quaternion: Sequence[float]) -> np.ndarray:
    """The rotation matrix of a quaternion w, x, y, z (of any length but zero)."""
    w, x, y, z = np.asarray(quaternion, float) / norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def quaternion(rotation: np.ndarray) -> tuple[float, float, float, float]:
    """The quaternion w, x, y, z of a rotation matrix, by its largest component (Shepperd, 1978)."""
    r = rotation
    squares = np.array([1 + np.trace(r), *(1 + 2 * np.diag(r) - np.trace(r))])
    k = int(np.argmax(squares))
    if k == 0:
        raw = [squares[0], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]]
    else:
        i, j, l = k - 1, k % 3, (k + 1) % 3
        raw = [r[l, j] - r[j, l], 0.0, 0.0, 0.0]
        raw[1 + i], raw[1 + j], raw[1 + l] = squares[k], r[j, i] + r[i, j], r[l, i] + r[i, l]
    w, x, y, z = (float(c) for c in np.array(raw) / norm(raw))
    return w, x, y, z
