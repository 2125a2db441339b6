"""Solids are closed, and their faces look outwards."""

from collections import Counter

import numpy as np
import pytest

from grashof.show import meshes

ORIGIN, X, Y, Z = np.zeros(3), *np.eye(3)
TILTED = np.array([1.0, 2.0, 2.0]) / 3.0


def volume(mesh: meshes.Mesh) -> float:
    """By the divergence theorem, from the two triangles of each face: positive if normals point outwards."""
    a, b, c, d = (mesh.vertices[mesh.faces[:, k]] for k in range(4))
    return float(np.sum(a * np.cross(b, c) + a * np.cross(c, d)) / 6.0)


def polygon(sides: int) -> float:
    """The area of a regular polygon in the unit circle."""
    return 0.5 * sides * np.sin(2.0 * np.pi / sides)


SOLIDS = {
    "cylinder": (meshes.cylinder(Z, Z + 2.0 * TILTED, 0.5, 0.3, 24), 0.25 * polygon(24) * 2.0, 1e-12),
    "ball": (meshes.ball(5.0 * X, 2.0), 4.0 / 3.0 * np.pi * 8.0, 0.05),
    "cone": (meshes.revolve_profile(Y, TILTED, np.array([(0.0, 0.0), (0.0, 1.0), (3.0, 0.0)])), polygon(14), 1e-12),
    "box": (meshes.prism(X, Z, np.array([(1, 2, 0), (-1, 2, 0), (-1, -2, 0), (1, -2, 0)]), 6.0), 48.0, 1e-12),
    "wire": (meshes.sweep_wire(np.outer(np.linspace(0.0, 2.0, 9), TILTED), 0.1, 8), 2.0 * 0.01 * polygon(8), 1e-12),
    "ring": (
        # Pappus: area times the way of its centre; a ring drawn by chords is smaller
        meshes.sweep_wire(
            np.column_stack([np.cos(t := np.linspace(0, 2 * np.pi, 200)[:-1]), np.sin(t), 0 * t]), 0.1, 8, True
        ),
        2.0 * np.pi * 0.01 * polygon(8),
        0.01,
    ),
}


@pytest.mark.parametrize("name", SOLIDS)
def test_solids_have_their_volume(name: str) -> None:
    mesh, expected, tolerance = SOLIDS[name]
    assert volume(mesh) == pytest.approx(expected, rel=tolerance)


@pytest.mark.parametrize("name", SOLIDS)
def test_every_edge_is_shared_by_two_faces_in_opposite_directions(name: str) -> None:
    mesh = SOLIDS[name][0]
    # vertices at one place are one: the ends of a profile are points
    numbers = {key: k for k, key in enumerate(dict.fromkeys(map(tuple, np.round(mesh.vertices, 9))))}
    same = np.array([numbers[tuple(vertex)] for vertex in np.round(mesh.vertices, 9)])
    edges: Counter[tuple[int, int]] = Counter()
    for face in same[mesh.faces]:
        for a, b in zip(face, np.roll(face, -1), strict=True):
            if a != b:
                edges[int(a), int(b)] += 1
    assert edges
    assert all(count == edges[b, a] for (a, b), count in edges.items())


def test_swelling_moves_surfaces_outwards() -> None:
    swollen = meshes.ball(ORIGIN, 1.0).swollen(0.1)
    assert np.allclose(np.linalg.norm(swollen.vertices, axis=1), 1.1, rtol=0.0, atol=2e-3)
