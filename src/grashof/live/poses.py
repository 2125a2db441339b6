"""Poses of the bodies of a live mechanism, as tapes.

The function `frames` gives for each body one of its points and its directions, each followed by the same vector in the
body's own axes. From these follow

    poses    x, y, z (m), qw, qx, qy, qz of each body; then a normal of each body
    weights  for each vector of each body w, so that Σ w p is the point of one of the bodies that has given coordinates
             in its own axes

Both are functions of the frames, of the normals that bodies had before, of these coordinates and of the number of that
body. The rotation of a slender bar in space about its own axis is undetermined: its normal stays as near as possible to
what it was. In the plane, a body has a second direction, at right angles to its first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from grashof.model.fields import Vector, cross, dot
from grashof.scalar.functions import Scalar, absolute, sqrt, where
from grashof.tape import Tape, trace

POSE = 7
"""Numbers of a pose."""

PARALLEL = 1e-12
"""Two directions are parallel if the square of the sine of their angle is smaller."""


@dataclass(frozen=True)
class PoseSpace:
    """The sizes of frames, and of all that follows from them.

    directions   number of directions of each body's frame
    """

    directions: Sequence[int]
    dimension: int

    @property
    def frames(self) -> int:
        """Number of values of `frames`."""
        return sum(2 * self.dimension * (1 + count) for count in self.directions)

    @property
    def inputs(self) -> int:
        """Number of values with which poses are computed."""
        return self.frames + 3 * len(self.directions) + 4

    def tapes(self) -> dict[str, Tape]:
        """`poses` and `weights`."""
        bodies = len(self.directions)

        def poses(x: list[Scalar], _: list[Scalar]) -> list[Scalar]:
            normals = [tuple(x[self.frames + 3 * k :][:3]) for k in range(bodies)]
            found = [_pose(vectors, near) for vectors, near in zip(self._vectors(x), normals, strict=True)]
            return [y for pose, _ in found for y in pose] + [y for _, normal in found for y in normal]

        def weights(x: list[Scalar], _: list[Scalar]) -> list[Scalar]:
            *own, body = x[-4:]
            found: list[Scalar] = []
            for number, vectors in enumerate(self._vectors(x)):
                chosen = 0.5 - absolute(body - float(number))
                found += [where(chosen, w, 0.0) for w in _weights_of(vectors, tuple(own))]
            return found

        return {name: trace(function, self.inputs, 0) for name, function in (("poses", poses), ("weights", weights))}

    def _vectors(self, x: Sequence[Scalar]) -> list[list[tuple[Vector, Vector]]]:
        """For each body its point and its directions, in space: where they are, and what they are in the body's own
        axes. In the plane, a second direction is perpendicular to the first."""
        size, bodies, at = self.dimension, [], 0
        for count in self.directions:
            parts = [(*x[at + size * k :][:size], *(0.0,) * (3 - size)) for k in range(2 * (1 + count))]
            at += 2 * size * (1 + count)
            if size == 2 and count:
                parts += [(-parts[k][1], parts[k][0], 0.0) for k in (2, 3)]
            bodies.append(list(pairwise(parts))[::2])
        return bodies


def _pose(vectors: Sequence[tuple[Vector, Vector]], near: Vector) -> tuple[list[Scalar], Vector]:
    (place, own_place), *directions = vectors
    if not directions:
        return [*(x - y for x, y in zip(place, own_place, strict=True)), 1.0, 0.0, 0.0, 0.0], near
    own = _triad([own for _, own in directions], (0.0, 0.0, 0.0))
    unknown = PARALLEL - dot(near, near)
    there = _triad([x for x, _ in directions], tuple(where(unknown, a, b) for a, b in zip(own[1], near, strict=True)))
    rotation = [[sum(x[i] * y[j] for x, y in zip(there, own, strict=True)) for j in range(3)] for i in range(3)]
    origin = [x - dot(row, own_place) for x, row in zip(place, rotation, strict=True)]
    return [*origin, *_quaternion(rotation)], there[1]


def _weights_of(vectors: Sequence[tuple[Vector, Vector]], own: Vector) -> list[Scalar]:
    """w of the vectors of a body, for the point with these coordinates in its axes."""
    (_, own_place), *directions = vectors
    rest = tuple(x - y for x, y in zip(own, own_place, strict=True))
    return [1.0, *_weights([x for _, x in directions], rest)[: len(directions)]]


def _weights(directions: Sequence[Vector], v: Vector) -> list[Scalar]:
    """The c with Σ c_k d_k = v, or nearest to it, for up to three directions."""
    if len(directions) < 2:
        return [dot(d, v) / dot(d, d) for d in directions]
    first, second, third = [*directions, cross(*directions[:2])][:3]
    volume = dot(cross(first, second), third)
    return [
        dot(x, y) / volume for x, y in ((cross(v, second), third), (cross(first, v), third), (cross(first, second), v))
    ]


def _triad(directions: Sequence[Vector], near: Vector) -> list[Vector]:
    """Orthonormal axes: the first along the first direction, the second in the plane of both; of a single direction,
    the second is as near as possible to a normal."""
    first = _unit(directions[0])
    if len(directions) > 1:
        second = _across(first, directions[1])
    else:
        sideways = [where(0.9 - absolute(first[0]), *pair) for pair in ((1.0, 0.0), (0.0, 1.0))]
        wanted, other = _across(first, near), _across(first, (*sideways, 0.0))
        second = tuple(where(dot(wanted, wanted) - PARALLEL, x, y) for x, y in zip(wanted, other, strict=True))
    second = _unit(second)
    return [first, second, cross(first, second)]


def _across(first: Vector, v: Vector) -> Vector:
    """The part of v that is perpendicular to a unit vector."""
    along = dot(first, v)
    return tuple(x - along * y for x, y in zip(v, first, strict=True))


def _unit(v: Vector) -> Vector:
    size = sqrt(dot(v, v))
    return tuple(x / size for x in v)


def _quaternion(r: Sequence[Sequence[Scalar]]) -> Vector:
    """w, x, y, z of a rotation matrix: the longest row of 4 q qᵀ, which are multiples of it (Shepperd, 1978)."""
    trace_of = r[0][0] + r[1][1] + r[2][2]
    spins = [r[2][1] - r[1][2], r[0][2] - r[2][0], r[1][0] - r[0][1]]
    best, longest = [1.0 + trace_of, *spins], 1.0 + trace_of
    for i in range(3):
        square = 1.0 + 2.0 * r[i][i] - trace_of
        row = [spins[i], *(square if i == j else r[i][j] + r[j][i] for j in range(3))]
        best = [where(square - longest, x, y) for x, y in zip(row, best, strict=True)]
        longest = where(square - longest, square, longest)
    return _unit(tuple(best))
