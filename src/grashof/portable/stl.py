"""Plates as solids, in the binary form of STL: triangles with their outward normals, in single precision."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.portable.plates import Plate

Array = np.ndarray

RECORD = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])


def stl_bytes(plates: Sequence[Plate], thickness: float, scale: float) -> bytes:
    """The file; `scale` is the factor from m to its unit."""
    solid = scale * np.concatenate([_solid(plate, thickness) for plate in plates])
    across = np.cross(solid[:, 1] - solid[:, 0], solid[:, 2] - solid[:, 0])
    records = np.zeros(len(solid), RECORD)
    records["normal"] = across / np.linalg.norm(across, axis=1, keepdims=True)
    records["corners"] = solid
    return b"plates written by grashof".ljust(80) + np.uint32(len(solid)).tobytes() + records.tobytes()


def _solid(plate: Plate, thickness: float) -> Array:
    """The surface of a plate between z = 0 and its thickness as triangles, (n, 3, 3), m."""
    face = plate.triangles()
    bottom = np.concatenate([face[:, ::-1], np.zeros((len(face), 3, 1))], axis=2)
    top = np.concatenate([face, np.full((len(face), 3, 1), thickness)], axis=2)
    return np.concatenate([bottom, top, *(_wall(line, thickness) for line in (plate.polygon, *plate.circles))])


def _wall(line: Array, thickness: float) -> Array:
    """The wall above a closed line that has the solid on its left."""
    below = np.column_stack([line, np.zeros(len(line))])
    ahead = np.roll(below, -1, axis=0)
    up = np.array([0.0, 0.0, thickness])
    first = np.stack([below, ahead, ahead + up], axis=1)
    second = np.stack([below, ahead + up, below + up], axis=1)
    return np.concatenate([first, second])
