"""Solids, represented by surfaces of small faces."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray

SIDES = 14
"""Number of sides of a polygon that represents a circle."""


@dataclass(frozen=True)
class Mesh:
    """Vertices (n, 3), and faces (m, 4) as indices of vertices, counter-clockwise as seen from outside."""

    vertices: Array
    faces: Array

    def normals(self) -> Array:
        """Outward unit normals of the faces, (m, 3); zero for faces without area."""
        a, b, c, d = (self.vertices[self.faces[:, k]] for k in range(4))
        return _unit(np.cross(c - a, d - b))

    def swollen(self, amount: float) -> Mesh:
        """The surface moved outwards."""
        sums = np.zeros_like(self.vertices)
        for k in range(4):
            np.add.at(sums, self.faces[:, k], self.normals())
        return Mesh(self.vertices + amount * _unit(sums), self.faces)


def loft(rings: Array) -> Mesh:
    """The surface through rings (k, n, 3), each counter-clockwise about the direction from one ring to the next."""
    k, n, _ = rings.shape
    i, j = (x.ravel() for x in np.meshgrid(np.arange(k - 1), np.arange(n), indexing="ij"))
    following = (j + 1) % n
    faces = np.column_stack([i * n + j, i * n + following, (i + 1) * n + following, (i + 1) * n + j])
    return Mesh(rings.reshape(-1, 3), faces)


def extrude_outline(base: Array, axis: Array, outline: Array, profile: Array) -> Mesh:
    """The extrusion of a convex or star-shaped outline (n, 3) about the origin along a unit vector.

    profile   heights along the axis and scales of the outline, (k, 2)
    """
    heights, scales = profile.T
    return loft(base + heights[:, None, None] * axis + scales[:, None, None] * outline[None])


def prism(base: Array, axis: Array, outline: Array, height: float, rings: int = 3) -> Mesh:
    """A plate with an outline about the base and half its height on each side; its faces are divided by rings."""
    inward = np.linspace(0.0, 1.0, rings + 1)
    profile = [(-0.5 * height, part) for part in inward] + [(0.5 * height, part) for part in inward[::-1]]
    return extrude_outline(base, axis, outline, np.array(profile))


def revolve_profile(base: Array, axis: Array, profile: Array, sides: int = SIDES) -> Mesh:
    """A solid of revolution about an axis.

    profile   heights along the axis and radii, (k, 2)
    """
    across, up = basis(axis)
    turn = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)[:, None]
    return extrude_outline(base, axis, np.cos(turn) * across + np.sin(turn) * up, profile)


def cylinder(a: Array, b: Array, radius: float, step: float, sides: int = SIDES) -> Mesh:
    """A round bar from a to b, closed at both ends, with faces no longer than about `step`."""
    length = float(np.linalg.norm(b - a))
    if length == 0.0:
        return ball(a, radius)
    parts = np.linspace(0.0, length, max(2, int(length / step) + 2))
    profile = [(0.0, 0.0), *((part, radius) for part in parts), (length, 0.0)]
    return revolve_profile(a, (b - a) / length, np.array(profile), sides)


def ball(center: Array, radius: float) -> Mesh:
    """A sphere."""
    turn = np.linspace(-0.5 * np.pi, 0.5 * np.pi, 11)
    profile = radius * np.column_stack([np.sin(turn), np.cos(turn)])
    return revolve_profile(center, np.array([0.0, 0.0, 1.0]), profile, 20)


def sweep_wire(path: Array, radius: float, sides: int = 8, closed: bool = False) -> Mesh:
    """A round wire along a path (n, 3), with no more twist than the path requires."""
    ahead = _unit(np.roll(path, -1, axis=0) - np.roll(path, 1, axis=0) if closed else np.gradient(path, axis=0))
    across = basis(ahead[0])[0]
    turn = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    rings = []
    for place, along in zip(path, ahead, strict=True):
        across = across - along * (along @ across)
        across = across / np.linalg.norm(across)
        up = np.cross(along, across)
        rings.append(place + radius * (np.cos(turn)[:, None] * across + np.sin(turn)[:, None] * up))
    if closed:
        return loft(np.array([*rings, rings[0]]))
    first, last = (np.repeat(end[None], sides, axis=0) for end in (path[0], path[-1]))
    return loft(np.array([first, *rings, last]))


def basis(axis: Array) -> tuple[Array, Array]:
    """Two unit vectors that form a right-handed system with an axis."""
    across = np.cross(np.eye(3)[int(np.argmin(np.abs(axis)))], axis)
    across = across / np.linalg.norm(across)
    return across, np.cross(axis, across)


def _unit(vectors: Array) -> Array:
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    return np.asarray(np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0.0))
