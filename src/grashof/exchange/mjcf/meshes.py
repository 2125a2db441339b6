"""Masses of meshes in MJCF, from OBJ and binary STL files beside the document or from vertices and faces in it.

A closed surface of triangles is a sum of tetrahedra with a common apex. With edges a, b, c from the apex,

    V = a · (b × c) / 6,   ∫ x dV = V (a + b + c) / 4,   ∫ x xᵀ dV = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ) / 20,   s = a + b + c

`inertia="exact"` takes volumes with their sign. The default of MuJoCo, "legacy", takes all of them as positive, with
the apex first at the centre of the surface and then at the centre of mass so found, which gives the same for convex
meshes and too much for others. "shell" spreads the mass over the surface.
"""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.mjcf.include import FileFolder, beside
from grashof.exchange.parsing import direction, numbers
from grashof.exchange.torques import NotOurs
from grashof.exchange.xml import Element
from grashof.model.rotations import rotation_matrix

MOST_FACES = 1_000_000


class Meshes:
    """The meshes of a document, each read when it is asked for.

    given    attributes of an element with those of its default class
    folder   that of the document, and the one in it that meshes are in
    """

    def __init__(
        self, listed: list[tuple[Element, dict[str, str]]], folder: FileFolder | None, inside: str, strip: bool
    ) -> None:
        self._folder, self._inside, self._strip = folder, inside, strip
        self._meshes = {
            element.name or Path(given.get("file", "").replace("\\", "/")).stem: (element, given)
            for element, given in listed
        }
        self._found: dict[str, tuple[float, np.ndarray, np.ndarray]] = {}

    def mass_properties(self, name: str) -> tuple[float, np.ndarray, np.ndarray]:
        """Volume (area of a shell), its centre, and ∫ (x − centre)(x − centre)ᵀ over it; raises NotOurs with the reason
        if they are not available.
        """
        if name not in self._meshes:
            raise NotOurs(f"there is no mesh '{name}' among the assets")
        if name not in self._found:
            element, given = self._meshes[name]
            kind = given.get("inertia", "legacy")
            if kind not in ("exact", "legacy", "shell"):
                raise NotOurs(f"the mass of mesh '{name}' with inertia=\"{kind}\" is not supported")
            found = _integrate_volume(self._triangles(name, element, given), kind)
            if not found[0] > 0.0 or not np.isfinite(found[2]).all():
                raise NotOurs(f"mesh '{name}' has no volume, or is open")
            self._found[name] = found
        return self._found[name]

    def _triangles(self, name: str, element: Element, given: dict[str, str]) -> np.ndarray:
        """Corners, (n, 3, 3), as the mesh is used."""
        if "file" in given:
            triangles = self._from_file(name, given["file"])
        elif "vertex" in given and "face" in given:
            vertices = np.array(numbers(element, "vertex", given["vertex"]))
            faces = np.array(numbers(element, "face", given["face"]))
            if len(vertices) % 3 or len(faces) % 3:
                raise ModelError(f"{element.place}: each vertex and each face of a mesh must have three numbers.")
            try:
                triangles = _corners(vertices.reshape(-1, 3), faces.reshape(-1, 3))
            except ModelError as problem:
                raise NotOurs(f"mesh '{name}': {str(problem).rstrip('.')}") from None
        else:
            raise NotOurs(f"mesh '{name}' is given without faces, and its convex hull is not supported")
        place = np.array(numbers(element, "refpos", given.get("refpos", "0 0 0"), 3))
        turned = direction(element, "refquat", numbers(element, "refquat", given.get("refquat", "1 0 0 0"), 4))
        scale = np.array(numbers(element, "scale", given.get("scale", "1 1 1"), 3))
        found: np.ndarray = ((triangles - place) @ rotation_matrix(turned)) * scale
        return found

    def _from_file(self, name: str, file: str) -> np.ndarray:
        path = Path(file.replace("\\", "/"))
        path = Path(path.name) if self._strip else path
        try:
            content = beside(self._folder, [Path(self._inside) / path])
            match path.suffix.lower():
                case ".obj":
                    return _obj(content)
                case ".stl":
                    return _stl(content)
        except ModelError as problem:
            raise NotOurs(f"mesh '{name}': {str(problem).rstrip('.')}") from None
        raise NotOurs(f"mesh '{name}' is in '{path.name}', and meshes are read from OBJ and binary STL files")


def _obj(content: bytes) -> np.ndarray:
    vertices: list[tuple[float, float, float]] = []
    faces: list[tuple[int, int, int]] = []
    for line in content.decode(errors="replace").splitlines():
        match line.split():
            case ["v", x, y, z, *_]:
                vertices.append((_float(x), _float(y), _float(z)))
            case ["f", *corners]:
                found = [_corner(word, len(vertices)) for word in corners]
                if len(found) == 4 and _shorter(vertices, found[1], found[3], found[0], found[2]):
                    found = [*found[1:], found[0]]  # a quadrangle is cut along its shorter diagonal
                faces += [(found[0], found[k], found[k + 1]) for k in range(1, len(found) - 1)]
    return _corners(np.array(vertices).reshape(-1, 3), np.array(faces, int).reshape(-1, 3))


def _shorter(vertices: list[tuple[float, float, float]], *ends: int) -> bool:
    """Whether the line between the first two vertices is not longer than that between the last two."""
    a, b, c, d = (vertices[k] for k in ends)
    return math.dist(a, b) <= math.dist(c, d)


def _corner(word: str, count: int) -> int:
    """A corner `v`, `v/vt` or `v/vt/vn`: counted from 1, or backwards from the last."""
    try:
        k = int(word.partition("/")[0][:20])
    except ValueError:
        raise ModelError(f"a face of the OBJ file has the corner '{word[:20]}', which is not a number.") from None
    if not 0 < abs(k) <= count:
        raise ModelError("a face refers to a vertex that does not exist.")
    return k - 1 if k > 0 else count + k


def _float(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise ModelError(f"a vertex of the OBJ file has the coordinate '{word[:20]}', which is not a number.") from None


def _stl(content: bytes) -> np.ndarray:
    """Binary: a header of 80 bytes, the number of triangles, and for each a normal, three corners and two bytes."""
    count = int.from_bytes(content[80:84], "little")
    if len(content) < 84 or len(content) != 84 + 50 * count:
        raise ModelError("it is not a binary STL file, or it is truncated.")
    rows = np.frombuffer(content, np.uint8, 50 * count, 84).reshape(count, 50)
    found: np.ndarray = np.ascontiguousarray(rows[:, 12:48]).view("<f4").reshape(count, 3, 3).astype(float)
    return _bounded_count(found)


def _corners(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    if faces.size and not (faces.min() >= 0 and faces.max() < len(vertices)):
        raise ModelError("a face refers to a vertex that does not exist.")
    return _bounded_count(vertices[faces.astype(int)])


def _bounded_count(triangles: np.ndarray) -> np.ndarray:
    if not 4 <= len(triangles) <= MOST_FACES or not (np.abs(triangles) <= 1e30).all():
        raise ModelError(f"a mesh must have 4 to {MOST_FACES:,} triangles with finite corners.")
    return triangles


def _integrate_volume(triangles: np.ndarray, kind: str) -> tuple[float, np.ndarray, np.ndarray]:
    """Volume or area, centre, and second moments about it."""
    sides = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = 0.5 * np.linalg.norm(sides, axis=1)
    center = areas @ triangles.mean(axis=1) / areas.sum() if areas.sum() > 0.0 else np.zeros(3)
    if kind == "shell":
        return float(areas.sum()), center, _second(triangles - center, areas, 12.0)
    volumes = _volumes(triangles, center, kind)
    if not volumes.sum():
        return 0.0, center, np.zeros((3, 3))
    center = volumes @ (triangles.sum(axis=1) + center) / (4.0 * volumes.sum())
    volumes = _volumes(triangles, center, kind)
    sign = np.sign(volumes.sum())  # negative where a scale mirrors the mesh
    return float(sign * volumes.sum()), center, sign * _second(triangles - center, volumes, 20.0)


def _volumes(triangles: np.ndarray, apex: np.ndarray, kind: str) -> np.ndarray:
    a, b, c = (triangles[:, k] - apex for k in range(3))
    found: np.ndarray = np.einsum("ti,ti->t", a, np.cross(b, c)) / 6.0
    return np.abs(found) if kind == "legacy" else found


def _second(corners: np.ndarray, weights: np.ndarray, divisor: float) -> np.ndarray:
    """∫ x xᵀ over tetrahedra with the apex at the origin (divisor 20), or over triangles (12)."""
    s = corners.sum(axis=1)
    products = np.einsum("tki,tkj->tij", corners, corners) + np.einsum("ti,tj->tij", s, s)
    found: np.ndarray = np.einsum("t,tij->ij", weights, products) / divisor
    return found
