"""Configuration curves of a mechanism: found through a position, and followed in strides."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.singular.scaled_constraints import Scaled

Array = NDArray[np.float64]

FLOOR = 1e-5
"""The curve is followed until the smallest singular value is below this: round-off then displaces its points by
about 1e-11 of the mechanism's length, and other branches are about this far away."""

FIRST, LONGEST, SHORTEST = 0.01, 0.05, 1e-7
"""Strides along the curve, in lengths of the mechanism."""

REACH, STRIDES = 1.5, 400
"""How far a curve is followed, in lengths of the mechanism, and in how many strides at most."""

FALLS = 0.1
"""The least ratio of the smallest singular values at the end and at the beginning of a stride, so that the singular
position is not passed over."""

CERTAIN = 0.02
"""A stride is accepted if Newton's method corrects it by less than this fraction of the distance at which there may
be another solution."""

ADVANCES = 0.3
"""A path advances in a direction if the cosine of the angle between them is at least this."""

ITERATIONS, CONVERGED, FARTHEST = 12, 1e-9, 0.5
"""Newton's method: largest number of iterations; size of a step after which it ends as soon as steps no longer
shrink; longest step."""

SETTLING, MOST, LATEST = 4, 6, 6
"""Number of iterations to come near the positions on the other side; largest number of curves that are followed on
the other side; number of points from which the distance to the singular position is estimated."""

INVOLVED, APART, EXAMINED = 1e-3, 1e-8, 3
"""A row takes part in a singular position if its weight exceeds the first fraction of the largest. A coordinate does
not move with others if its share in a velocity is below the second number. Number of positions, those farthest from
singular, at which this is examined."""


@dataclass(frozen=True, eq=False)
class Path:
    """Points on the curve, the unit tangents there, and the smallest singular values; `stuck` if it could not be
    followed any farther."""

    points: Array
    tangents: Array
    distances: Array
    stuck: bool = False

    def after(self, back: Path) -> Path:
        """This path after another one that leads back from its start."""
        return Path(
            np.vstack([back.points[:0:-1], self.points]),
            np.vstack([-back.tangents[:0:-1], self.tangents]),
            np.concatenate([back.distances[:0:-1], self.distances]),
        )

    def reversed(self) -> Path:
        """The same path in the other direction."""
        return Path(self.points[::-1], -self.tangents[::-1], self.distances[::-1])

    def advancing(self, along: Array, moving: NDArray[np.bool_]) -> Path:
        """The last part of it in which it advances in a direction, as far as some coordinates are concerned."""
        slow = np.flatnonzero(self._slow(along, moving))
        return self._part(slice(int(slow[-1]) + 1 if slow.size else 0, None))

    def beginning(self, along: Array, moving: NDArray[np.bool_]) -> Path:
        """The first such part of it."""
        slow = np.flatnonzero(self._slow(along, moving))
        return self._part(slice(int(slow[0]) if slow.size else None))

    def _slow(self, along: Array, moving: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray(self.tangents @ along < ADVANCES * np.linalg.norm(self.tangents[:, moving], axis=1))

    def _part(self, rows: slice) -> Path:
        return Path(self.points[rows], self.tangents[rows], self.distances[rows])


@dataclass(frozen=True, eq=False)
class Curve:
    """The equations of a curve: those of the constraints, and cut · (x − origin) = 0, with as many rows as there are
    further degrees of freedom."""

    system: Scaled
    cut: Array
    origin: Array

    @classmethod
    def through(cls, system: Scaled, x: Array, way: Array) -> Curve | None:
        """A curve through x in the direction `way`; None if there is none."""
        slopes = system.slopes(x)
        free = np.linalg.svd(slopes)[2][len(slopes) :]
        if len(free) <= 1:
            return cls(system, np.empty((0, len(x))), x) if len(free) else None
        share = free @ way
        if not float(np.linalg.norm(share)) > 0.0:
            return None
        return cls(system, np.linalg.svd(share[None])[2][1:] @ free, x)

    def slopes(self, x: Array) -> Array:
        """The gradients of the equations."""
        return np.vstack([self.system.slopes(x), self.cut])

    def errors(self, x: Array) -> Array:
        """The violations of the equations, relative to the length."""
        return np.append(self.system.errors(x), self.cut @ (x - self.origin))

    def moving(self, path: Path) -> NDArray[np.bool_] | None:
        """Which coordinates move with those on which the singular rows at the end of a path depend, whatever the
        others do; None if these have several degrees of freedom."""
        if not len(self.cut):
            return np.ones(len(self.origin), bool)
        slopes = self.system.slopes(path.points[-1])
        left = np.linalg.svd(slopes)[0]
        rows = np.abs(left[:, -1]) > INVOLVED * np.max(np.abs(left[:, -1]))
        involved = np.any(np.abs(slopes[rows]) > APART, axis=0)
        apart = np.ones(len(self.origin), bool)
        for k in np.argsort(-path.distances)[:EXAMINED].tolist():
            slopes = self.system.slopes(path.points[k])
            involved |= np.any(np.abs(slopes[rows]) > APART, axis=0)
            free = np.linalg.svd(slopes)[2][len(slopes) :]
            _, s, shares = np.linalg.svd(free[:, involved].T)
            if len(s) > 1 and not s[1] < APART * s[0]:
                return None
            apart &= np.all(np.abs(shares[1:] @ free) < APART, axis=0)
        return apart

    def solved(self, x: Array, along: Array) -> tuple[Array, float] | None:
        """The position near x with the same u that satisfies the rows, and by how much the first iteration of
        Newton's method moved x."""
        u, first, last = along @ x, 0.0, np.inf
        for count in range(ITERATIONS):
            try:
                step = np.linalg.solve(np.vstack([self.slopes(x), along]), np.append(self.errors(x), along @ x - u))
            except np.linalg.LinAlgError:
                return None
            size = float(np.linalg.norm(step))
            if not size < FARTHEST:
                return None
            x, first = x - step, first if count else size
            if size < CONVERGED and not size < 0.1 * last:
                return x, first
            last = size
        return None

    def follow(self, x: Array, way: Array, reach: float) -> Path:
        """The curve from x in the direction `way`, to a distance, or until the smallest singular value falls below
        `FLOOR`."""
        slopes = self.slopes(x)
        tangent, distance = tangent_along(slopes, way)
        points, tangents, distances = [x], [tangent], [distance]
        stride, gone, bend = FIRST, 0.0, 1.0
        while gone < reach and len(points) < STRIDES and stride > SHORTEST:
            if len(points) > 1 and distances[-1] < min(FLOOR, distances[-2]):
                break
            found = self.solved(_ahead(points, tangents, stride), tangents[-1])
            if found is None or not found[1] * bend < CERTAIN * distances[-1]:
                stride *= 0.5
                continue
            new, moved = found
            before, slopes = slopes, self.slopes(new)
            tangent, distance = tangent_along(slopes, tangents[-1])
            if distance < FALLS * min(distances[-1], FLOOR / FALLS**0.5):
                slopes = before
                stride *= 0.5
                continue
            step = float(np.linalg.norm(new - points[-1]))
            bend = max(0.9 * bend, float(np.linalg.norm(slopes - before, 2)) / max(step, SHORTEST))
            points.append(new)
            tangents.append(tangent)
            distances.append(distance)
            gone += step
            if moved * bend < 0.25 * CERTAIN * distance:
                stride = min(1.5 * stride, LONGEST)
            if distance < distances[-2]:  # half of the way to where it would vanish at its present rate
                stride = min(stride, max(0.5 * distance * step / (distances[-2] - distance), 2.0 * SHORTEST))
        return Path(np.array(points), np.array(tangents), np.array(distances), stride <= SHORTEST)

    def sampled(self, path: Path, along: Array, u: Array) -> Array | None:
        """The points with these u on a path that advances; None if it does not extend so far."""
        at = path.points @ along
        if len(at) < 2 or not (at[0] - SHORTEST <= np.min(u) and np.max(u) <= at[-1] + SHORTEST):
            return None
        slopes = path.tangents / (path.tangents @ along)[:, None]
        found = []
        for x in u:
            k = int(np.clip(np.searchsorted(at, x), 1, len(at) - 1))
            width, z = at[k] - at[k - 1], (x - at[k - 1]) / (at[k] - at[k - 1])
            a, b = path.points[k - 1 : k + 1]
            da, db = width * slopes[k - 1 : k + 1]
            guess = a + z * (b - a) + z * (1.0 - z) * ((1.0 - z) * (da - b + a) + z * (b - a - db))
            guess += along * (x - along @ guess)
            exact = self.solved(guess, along)
            if exact is None:
                return None
            found.append(exact[0])
        return np.array(found)

    def all_near(self, x: Array, along: Array, within: float) -> list[Array]:
        """The positions with the same u as x, at most this far away, that satisfy the rows."""
        middle, u = x, float(along @ x)
        for _ in range(SETTLING):  # in all directions but the one in which the rows change least
            left, s, right = np.linalg.svd(np.vstack([self.slopes(middle), along]))
            rest = np.append(self.errors(middle), along @ middle - u)
            middle = middle - right[:-1].T @ ((left[:, :-1].T @ rest) / s[:-1])
        found: list[Array] = []
        waiting = self._roots(middle, along)
        while waiting and len(found) < MOST:
            new = self.solved(waiting.pop(0), along)
            if new is None or not float(np.linalg.norm(new[0] - x)) < within:
                continue
            s = np.linalg.svd(np.vstack([self.slopes(new[0]), along]), compute_uv=False)
            if all(float(np.linalg.norm(new[0] - other)) > 0.1 * s[-1] for other in found):
                found.append(new[0])
                waiting += self._roots(new[0], along)
        return found

    def _roots(self, x: Array, along: Array) -> list[Array]:
        """The positions near x at which the rows would vanish if they were a parabola in the direction in which they
        change least."""
        slopes = self.slopes(x)
        left, s, right = np.linalg.svd(np.vstack([slopes, along]))
        way, pull = right[-1], left[:-1, -1]
        bend = float(pull @ (self.slopes(x + FIRST * way) - slopes) @ way) / FIRST
        slope, value = float(s[-1]), float(pull @ self.errors(x))
        square = slope * slope - 2.0 * bend * value
        if square < 0.0 or not bend:
            return []
        return [x + (sign * np.sqrt(square) - slope) / bend * way for sign in (-1.0, 1.0)]


def tangent_along(slopes: Array, way: Array) -> tuple[Array, float]:
    """The unit tangent in the direction of `way`, and the smallest singular value."""
    _, s, vt = np.linalg.svd(slopes)
    return np.asarray(vt[-1] * np.copysign(1.0, vt[-1] @ way)), float(s[-1])


def _ahead(points: list[Array], tangents: list[Array], stride: float) -> Array:
    """The next point, extrapolated from the last four points and tangents."""
    last, ways = np.array(points[-4:]), np.array(tangents[-4:])
    at = np.append(0.0, np.cumsum(np.linalg.norm(np.diff(last, axis=0), axis=1)))
    at = (at - at[-1]) / stride
    powers = np.arange(2 * len(at))
    values = at[:, None] ** powers
    slopes = np.hstack([np.zeros((len(at), 1)), powers[1:] * values[:, :-1]])
    fit = np.linalg.solve(np.vstack([values, slopes]), np.vstack([last, stride * ways]))
    return np.asarray(np.sum(fit, axis=0))
