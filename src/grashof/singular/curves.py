"""How the configuration curve of a mechanism continues through a singular position.

Where branches cross at an angle, velocities tell them apart. Where they touch, they do not: only higher derivatives do,
and next to that position no step of an integrator can resolve them. But a branch is an analytic curve, and at some
distance from the singular position its points are known to round-off. So the curve is followed towards the singular
position until the equations become too ill-conditioned to go on, and all curves that leave on the other side are
followed away from it. Of these, the continuation is the one that forms a single polynomial with the curve before:

    q(u) on both sides of a gap around the singular position,    u = Tᵀ (q − q_c),    T the tangent there

With motors, time is a coordinate of the curve. With several degrees of freedom there are many curves. One of them is
cut out by linear equations that hold everything but the present direction of motion; where branches touch, the curves
in which this cut meets them touch, too. If the coordinates on which the singular rows depend have only one degree of
freedom, time included, they are the same functions of u on all these curves, and the motion can be followed on them. So
can those of a pendulum on a mechanism whose branches touch: the pendulum is free, and the mechanism is on its curve.

The others belong to another branch, and the derivative of some order jumps where they are joined. If none fits clearly
better than all others, the continuation is unknown. If no curve leaves on the other side, and the two arms on this side
form one polynomial in the square root of the distance, they meet in a cusp. Both arms then end there: a mechanism that
arrives with some speed has no position to go to.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from grashof.formulation.natural.equations import Dynamics
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

EXTENTS = (2.0, 2.5, 3.0, 5.0, 8.0, 13.0, 21.0, 34.0)
"""How far the polynomials extend, in multiples of half the gap: as far as they fit."""

SHIFTS = np.linspace(-0.5, 0.5, 41)
"""The place of a cusp is known only roughly, and tried in these multiples of half the gap."""

SAMPLES, DEGREES = 16, range(3, 14)
"""Number of points on each side of the gap through which polynomials are fitted, and their degrees."""

FITS, BETTER = 1e-10, 0.03
"""A polynomial fits if it misses no point by more than the first number, relative to the mechanism's length; it fits
clearly better than another if its error is smaller than the second number times the other's."""

ORDERS = np.arange(2, 17) / 2.0
"""Powers of the distance with which the smallest singular value may vanish: 1 where branches cross, 2, 3, … where
they touch, 3/2, 5/2, … at cusps."""

ADVANCES = 0.3
"""A path advances in a direction if the cosine of the angle between them is at least this."""

ITERATIONS, CONVERGED, FARTHEST = 12, 1e-9, 0.5
"""Newton's method: largest number of iterations; size of a step after which it ends as soon as steps no longer
shrink; longest step."""

SETTLING, MOST, LATEST = 4, 6, 6
"""Number of iterations to come near the positions on the other side; largest number of curves that are followed on
the other side; number of points from which the distance to the singular position is estimated."""

TOUCHES = 1e-9
"""The polynomial has to satisfy the constraints inside the gap, relative to the mechanism's length: otherwise the
singular position is narrowly missed."""


INVOLVED, APART, EXAMINED = 1e-3, 1e-8, 3
"""A row takes part in a singular position if its weight exceeds the first fraction of the largest. A coordinate does
not move with others if its share in a velocity is below the second number. Number of positions, those farthest from
singular, at which this is examined."""

CUTS = 4
"""How often another curve is cut out of those of several degrees of freedom, because the previous one could not be
followed far enough."""

CLOCK = 1.0
"""With motors, the unit of time is this multiple of the time in which the mechanism moves by its length."""


@dataclass(frozen=True, eq=False)
class Continuation:
    """The curve around a singular position, as a polynomial q(u), m, for u between `low` and `high`.

    columns         the coordinates q that move along the curve with one degree of freedom, whatever the others do
    centre, along   u = along · (q − centre), m; it grows in the direction of the motion
    timed, time     ±1 if motors move the mechanism along the curve: then u = ±(t − time), s; otherwise 0
    gap             the constraints are singular at u = 0, and nearly so up to this distance
    coefficients    those of Chebyshev polynomials, (degree + 1, columns)
    passes          whether the curve continues beyond the singular position; if not, it is known up to the gap
    """

    columns: NDArray[np.int64]
    centre: Array
    along: Array
    timed: float
    time: float
    gap: float
    low: float
    high: float
    coefficients: Array
    passes: bool

    def of(self, t: float, q: Array) -> float:
        """The u of a position of all coordinates at a time."""
        return self.timed * (t - self.time) if self.timed else float(self.along @ (q[self.columns] - self.centre))

    def rate(self, v: Array) -> float:
        """The rate of u for velocities of all coordinates."""
        return self.timed or float(self.along @ v[self.columns])

    def at(self, u: float) -> tuple[Array, Array, Array]:
        """q and its first two derivatives with respect to u."""
        z = (2.0 * u - self.low - self.high) / (self.high - self.low)
        angle = np.arccos(np.clip(z, -1.0, 1.0))
        q, once, twice = np.split(np.cos(np.arange(len(self.coefficients)) * angle) @ self._derived, 3)
        return q, once, twice

    @cached_property
    def _derived(self) -> Array:
        """The coefficients of q and of its first two derivatives, side by side."""
        scale, degree = 2.0 / (self.high - self.low), len(self.coefficients)
        found = [chebyshev.chebder(self.coefficients, k, scl=scale) for k in range(3)]
        return np.hstack([np.vstack([x, np.zeros((degree - len(x), x.shape[1]))]) for x in found])


class Unknown(Exception):
    """It cannot be found out how the curve continues."""


def continuation(
    dynamics: Dynamics, t: float, q: Array, v: Array, forward: float, redundant: int, turns: Array
) -> Continuation | None:
    """The curve through the singular position that lies ahead of the position q with velocities v; None if there is
    none within reach.

    Raises `Unknown` if there is one, but the continuation is not certain, or depends on more than one degree of
    freedom.

    forward   −1 if the run goes backwards in time
    """
    speed = float(np.linalg.norm(v)) / dynamics.length
    system = Scaled.around(dynamics, t, q, redundant, speed / CLOCK if dynamics.system.driving else 0.0, turns)
    start, way = np.zeros(system.size), np.zeros(system.size)
    start[: dynamics.n], way[: dynamics.n] = q / dynamics.length, forward * v / dynamics.length
    if system.clock:
        way[dynamics.n] = forward / system.clock
    found = _approach(system, start, way)
    if found is None:
        return None
    curve, near = found
    moving = curve.moving(near)
    if moving is None:
        raise Unknown
    along, end = near.tangents[-1] * moving, near.points[-1]
    if system.clock and moving[-1]:
        along = np.copysign(np.eye(system.size)[-1], along[-1])
    along /= np.linalg.norm(along)
    near = near.advancing(along, moving)
    if not len(near.points):  # it turns back before the singular position
        raise Unknown
    order, half = _vanishing(near, along)
    if order == 1.0:  # branches cross at an angle, and velocities tell them apart
        return None
    back = curve.follow(near.points[0], -near.tangents[0], min(EXTENTS[-1] * half, FARTHEST))
    around = _Around(curve, along, end + half * along, half, near.after(back).advancing(along, moving), moving)
    others = around.beyond(1.0)
    ends = not others and not around.beyond(2.0) and order % 1.0 == 0.5
    result = around.passing(others) if others else around.ending() if ends else None
    if result is None:
        raise Unknown
    return result


def _approach(system: Scaled, x: Array, way: Array) -> tuple[_Curve, _Path] | None:
    """A curve from x in the direction `way` to a singular position; None if there is none within reach."""
    for _ in range(CUTS):
        curve = _Curve.through(system, x, way)
        if curve is None:
            return None
        path = curve.follow(x, way, REACH)
        if path.distances[-1] > FLOOR and not path.stuck:
            return None
        if _tangent(system.slopes(path.points[-1]), way)[1] < FLOOR / FALLS:
            return curve, path
        if not len(curve.cut):
            break
        # the cut, and not the mechanism, is singular there
        k = int(np.flatnonzero(path.distances > 0.5 * np.max(path.distances))[-1])
        x, way = path.points[k], path.tangents[k]
    raise Unknown


@dataclass(frozen=True, eq=False)
class _Path:
    """Points on the curve, the unit tangents there, and the smallest singular values; `stuck` if it could not be
    followed any farther."""

    points: Array
    tangents: Array
    distances: Array
    stuck: bool = False

    def after(self, back: _Path) -> _Path:
        """This path after another one that leads back from its start."""
        return _Path(
            np.vstack([back.points[:0:-1], self.points]),
            np.vstack([-back.tangents[:0:-1], self.tangents]),
            np.concatenate([back.distances[:0:-1], self.distances]),
        )

    def reversed(self) -> _Path:
        """The same path in the other direction."""
        return _Path(self.points[::-1], -self.tangents[::-1], self.distances[::-1])

    def advancing(self, along: Array, moving: NDArray[np.bool_]) -> _Path:
        """The last part of it in which it advances in a direction, as far as some coordinates are concerned."""
        slow = np.flatnonzero(self._slow(along, moving))
        return self._part(slice(int(slow[-1]) + 1 if slow.size else 0, None))

    def beginning(self, along: Array, moving: NDArray[np.bool_]) -> _Path:
        """The first such part of it."""
        slow = np.flatnonzero(self._slow(along, moving))
        return self._part(slice(int(slow[0]) if slow.size else None))

    def _slow(self, along: Array, moving: NDArray[np.bool_]) -> NDArray[np.bool_]:
        return np.asarray(self.tangents @ along < ADVANCES * np.linalg.norm(self.tangents[:, moving], axis=1))

    def _part(self, rows: slice) -> _Path:
        return _Path(self.points[rows], self.tangents[rows], self.distances[rows])


@dataclass(frozen=True, eq=False)
class _Curve:
    """The equations of a curve: those of the constraints, and cut · (x − origin) = 0, with as many rows as there are
    further degrees of freedom."""

    system: Scaled
    cut: Array
    origin: Array

    @classmethod
    def through(cls, system: Scaled, x: Array, way: Array) -> _Curve | None:
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

    def moving(self, path: _Path) -> NDArray[np.bool_] | None:
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

    def follow(self, x: Array, way: Array, reach: float) -> _Path:
        """The curve from x in the direction `way`, to a distance, or until the smallest singular value falls below
        `FLOOR`."""
        slopes = self.slopes(x)
        tangent, distance = _tangent(slopes, way)
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
            tangent, distance = _tangent(slopes, tangents[-1])
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
        return _Path(np.array(points), np.array(tangents), np.array(distances), stride <= SHORTEST)

    def sampled(self, path: _Path, along: Array, u: Array) -> Array | None:
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


@dataclass(frozen=True, eq=False)
class _Around:
    """The surroundings of the singular position at `centre`, which the path `before` approaches up to a distance of
    `half` the gap."""

    curve: _Curve
    along: Array
    centre: Array
    half: float
    before: _Path
    moving: NDArray[np.bool_]

    @property
    def _here(self) -> float:
        return float(self.along @ self.centre)

    @property
    def _far(self) -> float:
        return min(EXTENTS[-1] * self.half, FARTHEST)

    def passing(self, starts: list[Array]) -> Continuation | None:
        """The continuation beyond the singular position, given the positions on the other side of the gap; None if
        it is not clear which it is."""
        ways = [self.curve.follow(x, self.along, self._far).beginning(self.along, self.moving) for x in starts]
        best: tuple[float, float, Array] | None = None
        for extent in EXTENTS:
            u = self.half * _spread(extent)
            before = self._before(-u[::-1])
            sampled = [self.curve.sampled(way, self.along, self._here + u) for way in ways]
            both = [np.vstack([before, x]) for x in sampled if before is not None and x is not None]
            if len(both) < len(ways):
                break
            fits = sorted((_fit_polynomial(np.concatenate([-u[::-1], u]), x) for x in both), key=lambda x: x[0])
            error, rival = fits[0][0], fits[1][0] if len(fits) > 1 else 1.0
            if not error < FITS:
                break
            if error < BETTER * rival:
                best = -float(u[-1]), float(u[-1]), fits[0][1]
        if best is None:
            return None
        inside = [self.curve.errors(self._at(u, *best)) for u in self.half * np.linspace(-1.0, 1.0, 17)]
        return self._made(*best, passes=True) if float(np.max(np.abs(inside))) < TOUCHES else None

    def ending(self) -> Continuation | None:
        """The curve up to a cusp, where it ends; None if it is not certain that it does."""
        end = self.before.points[-1]
        others = [x for x in self.curve.all_near(end, self.along, self.half) if float(np.linalg.norm(x - end)) > 0.0]
        arms = [self.curve.follow(x, -self.along, self._far).reversed() for x in others]
        certain, best = False, None
        for extent in EXTENTS:
            spread = _spread(extent)
            u = -self.half * spread[::-1]
            before = self._before(u)
            if before is None:
                break
            error, coefficients = _fit_polynomial(u, before)
            if not error < FITS:
                break
            best = self._made(float(u[0]), float(u[-1]), coefficients, passes=False)
            for arm in arms if not certain else ():
                other = self.curve.sampled(arm.advancing(self.along, self.moving), self.along, self._here + u)
                if other is not None:
                    certain = _meet(spread, np.vstack([before, other[::-1]]))
        return best if certain else None

    def _before(self, u: Array) -> Array | None:
        return self.curve.sampled(self.before, self.along, self._here + u)

    def beyond(self, far: float) -> list[Array]:
        """The positions on the other side of the gap, at this many halves of it from the singular position."""
        u = self.half * np.linspace(-3.0, -1.0, 8)
        points = self._before(u)
        guess = self.centre + far * self.half * self.along
        if points is not None:
            guess = np.asarray(chebyshev.chebval(far, chebyshev.chebfit(u / self.half, points, 4)), float)
            guess = guess + (self._here + far * self.half - self.along @ guess) * self.along
        return self.curve.all_near(guess, self.along, self.half)

    def _at(self, u: float, low: float, high: float, coefficients: Array) -> Array:
        """The point with this u on a polynomial."""
        return np.asarray(chebyshev.chebval((2.0 * u - low - high) / (high - low), coefficients), float)

    def _made(self, low: float, high: float, coefficients: Array, *, passes: bool) -> Continuation:
        system, n = self.curve.system, self.curve.system.dynamics.n
        time, centre = system.located(self.centre)
        timed = float(self.along[n]) if system.clock else 0.0
        columns, x = np.flatnonzero(self.moving[:n]), system.dynamics.length
        unit = system.clock if timed else x
        return Continuation(
            columns,
            centre[columns],
            self.along[columns],
            timed,
            time,
            unit * self.half,
            unit * low,
            unit * high,
            x * coefficients[:, columns],
            passes,
        )


def _meet(spread: Array, points: Array) -> bool:
    """Whether two arms, of which points at some distances are given, form a polynomial in the square root of the
    distance from a cusp."""
    for shift in SHIFTS:
        roots = np.sqrt(spread + shift)
        if _fit_polynomial(np.concatenate([-roots[::-1], roots]), points)[0] < FITS:
            return True
    return False


def _tangent(slopes: Array, way: Array) -> tuple[Array, float]:
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


def _vanishing(path: _Path, along: Array) -> tuple[float, float]:
    """The power with which the singular values vanish, and the distance to the singular position from the last point
    of a path."""
    few = slice(-LATEST, None)
    u, s = (path.points[few] - path.points[-1]) @ along, path.distances[few]
    found = []
    for order in ORDERS.tolist():
        values = s ** (1.0 / order)
        value, slope = np.polynomial.polynomial.polyfit(u, values, 1, full=True)[0]
        rest = float(np.max(np.abs(value + slope * u - values)) / values[0])
        left = -value / slope if slope < 0.0 else np.inf
        if 0.0 < left < REACH:
            found.append((rest, order, float(left)))
    if not found:
        raise Unknown
    return min(found)[1:]


def _spread(extent: float) -> Array:
    """Numbers between 1 and `extent`, denser at both ends."""
    return np.asarray(0.5 * (1.0 + extent) - 0.5 * (extent - 1.0) * np.cos(np.pi * np.arange(SAMPLES) / (SAMPLES - 1)))


def _fit_polynomial(u: Array, points: Array) -> tuple[float, Array]:
    """The polynomial through points, and by how much polynomials through every other point miss the remaining ones: the
    least such error of all degrees.

    The Chebyshev coefficients refer to the interval of u.
    """
    z = (2.0 * u - u[0] - u[-1]) / (u[-1] - u[0])
    found = []
    for degree in DEGREES:
        if degree > len(z) // 2 - 1:
            break
        fit = chebyshev.chebfit(z[::2], points[::2], degree, full=True)[0]
        found.append((float(np.max(np.abs(chebyshev.chebval(z[1::2], fit).T - points[1::2]))), degree))
    error, degree = min(found)
    return error, np.asarray(chebyshev.chebfit(z, points, degree, full=True)[0], float)
