"""Shapes in the plane as convex parts with round corners: how far apart they are, and how deep they overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

Array = np.ndarray

FLAT = 1e-12
"""Three corners are on a line if twice the area of their triangle is below this fraction of the square of the shape's
extent."""


@dataclass(frozen=True)
class ConvexPart:
    """All points within a radius of the convex hull of corners: a disc for one corner, a bar with round ends for two.

    corners   counter-clockwise, (n, 2), m
    """

    corners: Array
    radius: float = 0.0


def gap(a: Array, b: Array) -> Array:
    """The signed distance of two convex polygons at each of several times, (times,), m, from their corners
    (times, n, 2) in order around them.

    It is the distance of the polygons where they are apart. Where they overlap, it is −d, and d is the penetration
    depth: the length of the shortest displacement that separates them. That displacement is perpendicular to a side
    (the separating axis theorem; S. Cameron and R. K. Culley, 1986), so that

        −d = max over the normals n of all sides of (min over b of n·b − max over a of n·a).

    With radii, the sum of the radii is subtracted.
    """
    apart = np.maximum(_least_projection(a, b, _normals(a)), _least_projection(b, a, _normals(b)))
    distance = np.minimum(_corner_distance(a, b), _corner_distance(b, a))
    deep = (apart < 0.0) & (apart > -np.inf)  # two points have no sides
    return np.asarray(np.where(deep, apart, distance))


def _normals(corners: Array) -> Array:
    """The outward normals of a polygon, (times, k, 2). A line has two, and two more along it, without which the ends
    of two lines on top of each other would not be seen; a point has none."""
    if corners.shape[1] < 2:
        return corners[:, :0]
    sides = np.roll(corners, -1, axis=1) - corners
    sides = sides / np.linalg.norm(sides, axis=2, keepdims=True)
    across = np.stack([sides[..., 1], -sides[..., 0]], axis=2)
    return np.concatenate([across, sides], axis=1) if corners.shape[1] == 2 else across


def _least_projection(a: Array, b: Array, normals: Array) -> Array:
    """How far b is beyond a along the normal of a for which that is largest, (times,); −∞ without normals."""
    ahead = np.einsum("tkx,tnx->tkn", normals, b).min(axis=2) - np.einsum("tkx,tnx->tkn", normals, a).max(axis=2)
    return np.asarray(np.max(ahead, axis=1, initial=-np.inf))


def _corner_distance(points: Array, polygon: Array) -> Array:
    """The smallest distance of points from the sides of a polygon, (times,)."""
    start = polygon[:, None]
    side = np.roll(polygon, -1, axis=1)[:, None] - start
    away = points[:, :, None] - start
    length = np.sum(side * side, axis=3)
    part = np.clip(np.sum(away * side, axis=3) / np.where(length > 0.0, length, 1.0), 0.0, 1.0)
    distances = np.linalg.norm(away - part[..., None] * side, axis=3)
    return np.asarray(distances.min(axis=(1, 2)))


def convex_parts(corners: Sequence[Sequence[float]] | Array) -> list[Array]:
    """A polygon without crossings as convex polygons, counter-clockwise: triangles cut off one after another, and then
    joined along their common sides as long as the result is convex (S. Hertel and K. Mehlhorn, 1983)."""
    polygon = counter_clockwise(np.asarray(corners, float))
    small = FLAT * float(np.max(np.ptp(polygon, axis=0))) ** 2
    parts = [list(range(len(polygon)))]
    if not _is_convex(polygon, parts[0], small):
        parts = [list(triangle) for triangle in triangles(polygon)]
    while merged := _merge_two(polygon, parts, small):
        parts = merged
    return [polygon[part] for part in parts]


def counter_clockwise(polygon: Array) -> Array:
    """A polygon in counter-clockwise order, and without corners that repeat the one before."""
    different = polygon[np.any(polygon != np.roll(polygon, 1, axis=0), axis=1)]
    return different if signed_area(different) > 0.0 else different[::-1]


def triangles(polygon: Array) -> list[tuple[int, int, int]]:
    """A counter-clockwise polygon without crossings as triangles of its corners, by cutting off ears (G. H. Meisters,
    1975). Corners may coincide, as where a cut leads to a hole."""
    left, found = list(range(len(polygon))), []
    small = FLAT * float(np.max(np.ptp(polygon, axis=0))) ** 2
    while len(left) > 3:
        ear = _ear(polygon, left, small)
        around = left[ear - 1], left[ear], left[(ear + 1) % len(left)]
        if abs(_turn(polygon, *around)) > small:
            found.append(around)
        del left[ear]
    if abs(_turn(polygon, *left)) > small:
        found.append((left[0], left[1], left[2]))
    return found


def _ear(polygon: Array, left: list[int], small: float) -> int:
    """A corner at which a triangle can be cut off; if there is none, one on a line between its neighbours, or that
    with the largest angle inside."""
    turns = [_turn(polygon, left[k - 1], left[k], left[(k + 1) % len(left)]) for k in range(len(left))]
    for k, turn in enumerate(turns):
        if turn <= small:
            continue
        around = [left[k - 1], left[k], left[(k + 1) % len(left)]]
        corners, others = polygon[around], polygon[[i for i in left if i not in around]]
        others = others[~np.any(np.all(others[:, None] == corners, axis=2), axis=1)]
        sides = np.roll(corners, -1, axis=0) - corners
        away = others[:, None] - corners
        inside = sides[:, 0] * away[..., 1] - sides[:, 1] * away[..., 0]
        if not np.any(np.all(inside >= -small, axis=1)):
            return k
    flat = [k for k, turn in enumerate(turns) if abs(turn) <= small]
    return flat[0] if flat else int(np.argmax(turns))


def _merge_two(polygon: Array, parts: list[list[int]], small: float) -> list[list[int]] | None:
    """The parts with two of them joined along a common side; None if no two make a convex one."""
    owner = {(part[i - 1], part[i]): k for k, part in enumerate(parts) for i in range(len(part))}
    for (i, j), first in owner.items():
        second = owner.get((j, i), first)
        if second == first:
            continue
        one, other = parts[first], parts[second]
        at, there = one.index(j), other.index(i)
        whole = [*one[at:], *one[:at], *(other[there + 1 :] + other[:there])[:-1]]
        if _is_convex(polygon, whole, small):
            return [part for k, part in enumerate(parts) if k not in (first, second)] + [whole]
    return None


def _is_convex(polygon: Array, part: list[int], small: float) -> bool:
    around = [(part[k - 2], part[k - 1], part[k]) for k in range(len(part))]
    return len(set(part)) == len(part) and all(_turn(polygon, *corner) >= -small for corner in around)


def _turn(polygon: Array, a: int, b: int, c: int) -> float:
    """Twice the area of a triangle, positive if it is counter-clockwise."""
    (ux, uy), (vx, vy) = polygon[b] - polygon[a], polygon[c] - polygon[b]
    return float(ux * vy - uy * vx)


def signed_area(polygon: Array) -> float:
    """The area of a polygon, positive if its corners are counter-clockwise."""
    x, y = polygon.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def overlap(a: Array, b: Array) -> Array:
    """The polygon that two convex polygons have in common, (n, 2), empty if they are apart (I. E. Sutherland and
    G. W. Hodgman, 1974)."""
    found = a
    for start, end in zip(b, np.roll(b, -1, axis=0), strict=True):
        side = end - start
        inside = side[0] * (found[:, 1] - start[1]) - side[1] * (found[:, 0] - start[0])
        corners = []
        for k in range(len(found)):
            if inside[k - 1] * inside[k] < 0.0:
                part = inside[k - 1] / (inside[k - 1] - inside[k])
                corners.append(found[k - 1] + part * (found[k] - found[k - 1]))
            if inside[k] >= 0.0:
                corners.append(found[k])
        found = np.array(corners).reshape(-1, 2)
    return found
