"""Mass properties of bodies: centres of mass and moments of inertia."""

from __future__ import annotations

import numpy as np

from grashof.model.bodies import Bar, Body
from grashof.model.fields import Vector
from grashof.scalar.algebra import plain, principal


def mass_center(body: Body, dimension: int) -> Vector:
    """The centre of mass in the body's axes."""
    if isinstance(body, Bar):
        return (0.5 * body.length, *(0.0,) * (dimension - 1))
    return body.center or (0.0,) * dimension


def planar_inertia(body: Body) -> float:
    """I_z about the centre of mass, in kg m²."""
    if isinstance(body, Bar):
        return body.mass * (body.length * body.length) / 12.0
    return body.inertia[0] if isinstance(body.inertia, tuple) else body.inertia


def second_moments(body: Body) -> list[tuple[float, np.ndarray]]:
    """∫ x xᵀ dm about the centre of mass, as principal values and axes: S = ½ tr(I) 1 − I, in kg m²."""
    if isinstance(body, Bar):
        return [(body.mass * (body.length * body.length) / 12.0, np.array([1.0, 0.0, 0.0]))]
    inertia = body.inertia_matrix
    second = 0.5 * np.trace(inertia) * np.eye(3) - inertia
    if not np.any(second - np.diag(np.diag(second))):
        values, axes = np.diag(second), np.eye(3)
    else:
        values, axes = principal(second) if second.dtype != object else _squares(second)
    largest = max(*values, 0.0)
    return [(plain(s), axes[:, k]) for k, s in enumerate(values) if s > 1e-12 * largest]


def _squares(second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """S = Σ s_k x_k x_kᵀ with x_k that need not be orthogonal: L D Lᵀ, which is rational in the numbers that are left symbolic."""
    axes, values, rest = np.zeros((3, 3), object), [], second.copy()
    for k in range(3):
        values.append(rest[k, k])
        axes[:, k] = rest[:, k] / rest[k, k]
        rest = rest - np.outer(axes[:, k], axes[:, k]) * values[k]
    return np.array(values), np.tril(axes)
