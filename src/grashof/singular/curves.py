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
from grashof.singular.configuration_curves import (
    FALLS,
    FARTHEST,
    FLOOR,
    LATEST,
    REACH,
    Array,
    Curve,
    Path,
    tangent_along,
)
from grashof.singular.scaled_constraints import Scaled

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

TOUCHES = 1e-9
"""The polynomial has to satisfy the constraints inside the gap, relative to the mechanism's length: otherwise the
singular position is narrowly missed."""

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


def _approach(system: Scaled, x: Array, way: Array) -> tuple[Curve, Path] | None:
    """A curve from x in the direction `way` to a singular position; None if there is none within reach."""
    for _ in range(CUTS):
        curve = Curve.through(system, x, way)
        if curve is None:
            return None
        path = curve.follow(x, way, REACH)
        if path.distances[-1] > FLOOR and not path.stuck:
            return None
        if tangent_along(system.slopes(path.points[-1]), way)[1] < FLOOR / FALLS:
            return curve, path
        if not len(curve.cut):
            break
        # the cut, and not the mechanism, is singular there
        k = int(np.flatnonzero(path.distances > 0.5 * np.max(path.distances))[-1])
        x, way = path.points[k], path.tangents[k]
    raise Unknown


@dataclass(frozen=True, eq=False)
class _Around:
    """The surroundings of the singular position at `centre`, which the path `before` approaches up to a distance of
    `half` the gap."""

    curve: Curve
    along: Array
    centre: Array
    half: float
    before: Path
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


def _vanishing(path: Path, along: Array) -> tuple[float, float]:
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
