"""Distances and penetration depths of convex shapes, and polygons as convex parts."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.geometry.convex import convex_parts, gap, overlap, triangles
from grashof.scene.outlines import hull

Array = np.ndarray


def distance_by_minkowski(a: Array, b: Array) -> float:
    """The distance of the origin from the hull of all differences of corners: negative inside."""
    spatial = pytest.importorskip("scipy.spatial")
    hulls = spatial.ConvexHull((b[:, None] - a[None]).reshape(-1, 2))
    beyond = float(hulls.equations[:, 2].max())  # normals point outwards: n·x + c ≤ 0 inside
    if beyond <= 0.0:
        return beyond
    corners = hulls.points[hulls.vertices]
    side = np.roll(corners, -1, axis=0) - corners
    part = np.clip(-np.sum(corners * side, axis=1) / np.sum(side * side, axis=1), 0.0, 1.0)
    return float(np.linalg.norm(corners + part[:, None] * side, axis=1).min())


def random_polygon(rng: np.random.Generator, corners: int) -> Array:
    points = rng.normal(size=(corners, 2))
    return (hull(points) if corners > 2 else points) * rng.uniform(0.3, 2.0) + rng.normal(size=2)


def test_distance_and_depth_are_those_of_the_minkowski_difference() -> None:
    rng, signs = np.random.default_rng(1), set()
    for _ in range(300):
        a, b = (random_polygon(rng, int(rng.integers(1, 7))) for _ in range(2))
        if len(a) + len(b) < 4 or len({len(a), len(b)}) == 1 == len(a):
            continue
        found, wanted = float(gap(a[None], b[None])[0]), distance_by_minkowski(a, b)
        assert found == pytest.approx(wanted, abs=1e-12)
        signs.add(found > 0.0)
    assert signs == {True, False}


def test_lines_on_one_line() -> None:
    """Apart by 1, end to end, and one within the other: no displacement is needed to separate lines across them."""
    line = np.array([[[0.0, 0.0], [1.0, 0.0]]])
    for shift, wanted in ((2.0, 1.0), (1.0, 0.0), (0.5, 0.0)):
        assert gap(line, line + np.array([shift, 0.0]))[0] == wanted
    tilted = line @ np.array([[0.6, 0.8], [-0.8, 0.6]])
    assert gap(tilted, tilted + np.array([1.2, 1.6]))[0] == pytest.approx(1.0, abs=1e-15)


def test_points() -> None:
    assert gap(np.zeros((1, 1, 2)), np.array([[[3.0, 4.0]]]))[0] == 5.0


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_a_polygon_is_the_sum_of_its_convex_parts(mirror: float) -> None:
    """A comb of three teeth: its area is 7, in either direction round it, and each part is convex."""
    comb = [(0, 0), (5, 0), (5, 2), (4, 2), (4, 1), (3, 1), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)]
    polygon = np.array(comb, float) * [mirror, 1.0]
    parts = convex_parts(polygon)
    assert sum(area(part) for part in parts) == pytest.approx(8.0, abs=1e-12)
    assert 3 < len(parts) < 8
    for part in parts:
        sides = np.roll(part, -1, axis=0) - part
        after = np.roll(sides, -1, axis=0)
        assert np.all(sides[:, 0] * after[:, 1] - sides[:, 1] * after[:, 0] >= -1e-12)


def test_random_star_shaped_polygons() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        count = int(rng.integers(4, 30))
        angles = np.sort(rng.uniform(0.0, 2.0 * np.pi, count)) + np.linspace(0.0, 1e-3, count)
        star = rng.uniform(0.2, 1.0, count)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        if np.max(np.diff(angles, append=angles[0] + 2.0 * np.pi)) > 3.0:
            continue
        assert sum(area(part) for part in convex_parts(star)) == pytest.approx(area(star), abs=1e-12)
        assert sum(area(star[list(x)]) for x in triangles(star)) == pytest.approx(area(star), abs=1e-12)


def test_what_two_squares_share() -> None:
    square = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
    assert area(overlap(square, square + np.array([0.75, 0.5]))) == pytest.approx(0.125)
    assert len(overlap(square, square + np.array([2.0, 0.0]))) == 0


def area(polygon: Array) -> float:
    x, y = polygon.T
    return 0.5 * float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))
