"""Rotations as matrices and quaternions w, x, y, z, many at a time, in the last axes of arrays."""

from __future__ import annotations

import numpy as np

from grashof.model.rotations import quaternion

Array = np.ndarray


def cross(a: Array, b: Array) -> Array:
    """a × b"""
    return _bilinear(a, b, _CROSS)


def turns(axis: Array, angles: Array) -> Array:
    """Rotations (T, 3, 3) about a unit vector: 1 + sin θ A + (1 − cos θ) A², A x = axis × x."""
    x, y, z = axis
    across = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    sine, versine = np.sin(angles)[:, None, None], 2.0 * np.square(np.sin(0.5 * angles))[:, None, None]
    turned: Array = np.eye(3) + sine * across + versine * (across @ across)
    return turned


def matrices(quaternions: Array) -> Array:
    """Rotation matrices (…, 3, 3) of quaternions (…, 4) of any length: (w² − u²) 1 + 2 u uᵀ + 2 w [u×]"""
    unit = quaternions / np.sqrt(np.einsum("...i,...i->...", quaternions, quaternions))[..., None]
    return _bilinear(unit, unit, _TURNING).reshape(*quaternions.shape[:-1], 3, 3)


def quaternions_of(rotations: Array) -> Array:
    """Unit quaternions (B, 4) of rotation matrices."""
    return np.array([quaternion(rotation) for rotation in rotations]).reshape(len(rotations), 4)


def quaternion_rates(q: Array, spins: Array) -> Array:
    """½ (0, ω) ∘ q = ½ (−ω · u, w ω + ω × u), ω in world axes"""
    return _bilinear(q, spins, _SPINNING)


def _bilinear(a: Array, b: Array, table: Array) -> Array:
    """Σ aᵢ bⱼ tableᵢⱼₖ over the last axes: one product of arrays, where NumPy's own functions take many small ones."""
    products = a[..., :, None] * b[..., None, :]
    size = a.shape[-1] * b.shape[-1]
    result: Array = products.reshape(*products.shape[:-2], size) @ table.reshape(size, -1)
    return result


def _tables() -> tuple[Array, Array, Array]:
    """The coefficients of a × b (3, 3, 3), of the rotation matrix (4, 4, 3, 3) and of a quaternion's rate (4, 3, 4)."""
    one, across = np.eye(3), np.zeros((3, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        across[i, j, k], across[j, i, k] = 1.0, -1.0
    turning, spinning = np.zeros((4, 4, 3, 3)), np.zeros((4, 3, 4))
    turning[0, 0] = one
    turning[1:, 1:] = 2.0 * np.einsum("ik,jl->ijkl", one, one) - np.einsum("ij,kl->ijkl", one, one)
    turning[0, 1:] = 2.0 * across.transpose(0, 2, 1)  # (u × e)ₖ in column e
    spinning[0, :, 1:] = 0.5 * one
    spinning[1:, :, 0] = -0.5 * one
    spinning[1:, :, 1:] = -0.5 * across  # ω × u = −(u × ω)
    return across, turning, spinning


_CROSS, _TURNING, _SPINNING = _tables()
