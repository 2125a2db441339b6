"""Rotations in space: quaternions w, x, y, z, and matrices whose columns are the rotated axes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.scalar.algebra import norm


def rotation_matrix(quaternion: Sequence[float]) -> np.ndarray:
    """The rotation matrix of a quaternion w, x, y, z (of any nonzero length), whose components may be open numbers."""
    length = norm(quaternion)
    w, x, y, z = (component / length for component in quaternion)
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


def quaternions(rotations: np.ndarray) -> np.ndarray:
    """The quaternions (rows, 4) of many rotation matrices (rows, 3, 3), identical to those of `quaternion`."""
    r, trace = rotations, np.trace(rotations, axis1=1, axis2=2)
    spins = np.stack([r[:, 2, 1] - r[:, 1, 2], r[:, 0, 2] - r[:, 2, 0], r[:, 1, 0] - r[:, 0, 1]], axis=1)
    # 4 q qᵀ, whose rows are multiples of the quaternion; the longest row is the most accurate
    products = np.empty((len(r), 4, 4))
    products[:, 0, 0] = 1 + trace
    products[:, 0, 1:] = products[:, 1:, 0] = spins
    products[:, 1:, 1:] = r + np.swapaxes(r, 1, 2)
    for i in range(3):
        products[:, 1 + i, 1 + i] = 1 + 2 * r[:, i, i] - trace
    largest = np.argmax(np.diagonal(products, axis1=1, axis2=2), axis=1)
    raw = products[np.arange(len(r)), largest]
    return np.asarray(raw / np.linalg.norm(raw, axis=1, keepdims=True))
