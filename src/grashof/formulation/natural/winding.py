"""Whole turns of an angle along a motion: how its path winds about the origin.

An angle is given by its cosine and sine, scaled by a length ρ that may vary:

    z(t) = ρ (cos θ + i sin θ)

Where a direction swings past its angle's axis, z passes close to the origin, and θ changes by almost half a turn within
a time that may be a small part of a step. Rates at the ends of the step do not show this, but the path of z does, and
it is smooth there. Between two times it is replaced by the cubic through both ends and their rates. Its value and slope
at the midpoint are compared with the motion: where they differ by more than a fraction of the distance from the origin,
the halves are examined in the same way.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

Array = np.ndarray

CLEAR = 4.0
"""The path is known where its distance from the origin is at least this many times the error of the cubic at the
midpoint of a piece that is twice as long, and whose error is therefore 16 times as large."""

SHORT = 0.25
"""A piece is short if its length is at most this fraction of its distance from the origin."""

CHORDS = 8
"""Number of chords with which the path between two times is followed."""

EVENLY = np.linspace(0.0, 1.0, CHORDS + 1)
"""Where the chords end, as fractions of the interval."""

HERMITE = np.stack(
    [
        np.square(1.0 - EVENLY) * (1.0 + 2.0 * EVENLY),
        np.square(EVENLY) * (3.0 - 2.0 * EVENLY),
        EVENLY * np.square(1.0 - EVENLY),
        np.square(EVENLY) * (EVENLY - 1.0),
    ]
).astype(complex)
"""The cubics there that belong to the values at both ends and to their rates."""

LITTLE = 2.5
"""Chords whose total length is at most this fraction of their distance from the origin turn by less than half a turn
about it."""

TINY = np.finfo(float).tiny
"""Avoids a division by zero."""

AT_ONCE = 100_000
"""Number of times whose chords are computed in one batch, which bounds the memory."""

Path = Callable[[Array], tuple[Array, Array]]
"""From times (ascending) to z and its rate."""


class UndefinedAngleError(Exception):
    """The path passes through the origin at this time."""

    def __init__(self, time: float) -> None:
        super().__init__(f"z is zero at t = {time!r} s")
        self.time = time


@dataclass(frozen=True, eq=False)
class Winding:
    """A path at times t (ascending), with its rate and its angle including whole turns; all (times,)."""

    t: Array
    z: Array
    rate: Array
    angle: Array

    def at(self, t: Array, z: Array) -> Array:
        """The angle at other times within the path, at which z is given."""
        pieces = [self._at(t[k : k + AT_ONCE], z[k : k + AT_ONCE]) for k in range(0, len(t), AT_ONCE)]
        return np.concatenate([np.empty(0), *pieces])

    def _at(self, t: Array, z: Array) -> Array:
        if len(self.t) == 1:
            return np.full(t.shape, self.angle[0])
        k = np.searchsorted(self.t, t, side="right") - 1
        k = np.minimum(np.maximum(k, 0), len(self.t) - 2)
        passed = np.zeros(t.shape)
        between = np.flatnonzero(t != self.t[k])
        if between.size:
            left = k[between]
            h = self.t[left + 1] - self.t[left]
            ends = (self.z[left], self.z[left + 1], self.rate[left], self.rate[left + 1])
            upto = (t[between] - self.t[left]) / np.where(h > 0.0, h, 1.0)
            passed[between] = _turn_angles(_chords(h, *ends, upto=upto))
        here: Array = self.angle[k] + nearest_turn(_angle(z) - _angle(self.z[k]), passed)
        return here


def require_defined(t: Array, z: Array, least: float) -> Array:
    """z, if |z| is nowhere below `least`; raises UndefinedAngleError otherwise."""
    for k in np.flatnonzero(np.abs(z) < least):
        raise UndefinedAngleError(float(t[k]))
    return z


def wind_angles(start: float, t: Array, z: Array, rate: Array) -> Winding:
    """The angle at each time from the previous one, beginning with `start`: along the cubics, or by the mean of the
    angular rates where the times are too far apart for cubics.
    """
    h, ends = t[1:] - t[:-1], (z[:-1], z[1:], rate[:-1], rate[1:])
    along = np.flatnonzero(~(_is_far(h, *ends) | _is_short(h, *ends)))
    return _along(start, t, z, rate, along, _chords(h[along], *(x[along] for x in ends)))


def _along(start: float, t: Array, z: Array, rate: Array, which: Array, points: Array) -> Winding:
    """The same, given which pieces follow their cubics, and the points of these."""
    turning = np.imag(np.conj(z) * rate) / np.maximum(np.square(np.abs(z)), TINY)
    advance = 0.5 * (t[1:] - t[:-1]) * (turning[:-1] + turning[1:])
    advance[which] = _turn_angles(points)
    angle = _angle(z)
    turned = nearest_turn(angle[1:] - angle[:-1], advance)
    return Winding(t, z, rate, start + np.concatenate([[0.0], np.cumsum(turned)]))


def follow(start: float, t: Array, path: Path, least: float) -> Winding:
    """The angle at times t, and at as many times between as are needed to determine its whole turns with certainty.

    Raises UndefinedAngleError with the first time at which |z| is less than `least`.
    """
    z, rate = path(t)
    doubtful = np.flatnonzero(~_is_short(t[1:] - t[:-1], z[:-1], z[1:], rate[:-1], rate[1:]))
    ends: list[float] = []
    resolution = 8.0 * math.ulp(max(abs(t[0]), abs(t[-1])))
    while True:
        lost = ~(np.abs(z) >= least)  # or NaN
        lost[doubtful[t[doubtful + 1] - t[doubtful] <= resolution]] = True
        nowhere = np.flatnonzero(lost)
        if nowhere.size:  # there may be an earlier one
            ends, doubtful = [float(t[nowhere[0]])], doubtful[doubtful < nowhere[0] - 1]
            t, z, rate = (x[: nowhere[0]] for x in (t, z, rate))
        if not doubtful.size:
            break
        h = t[doubtful + 1] - t[doubtful]
        middle = t[doubtful] + 0.5 * h
        z_middle, rate_middle = path(middle)
        missed = _midpoint_error(
            h, z[doubtful], z[doubtful + 1], rate[doubtful], rate[doubtful + 1], z_middle, rate_middle
        )
        first = doubtful + np.arange(len(doubtful))  # the two halves begin here and at the next one
        t, z, rate = _insert_elements(first + 1, (t, middle), (z, z_middle), (rate, rate_middle))
        halves = np.stack([first, first + 1])
        sides = (z[halves], z[halves + 1], rate[halves], rate[halves + 1])
        h = t[halves + 1] - t[halves]
        distance, longest = _clearance(_chords(h, *sides))
        distance, longest = np.minimum(*distance), np.maximum(*longest)
        known = (CLEAR * missed <= distance) & (longest <= distance) & ~np.logical_or(*_is_far(h, *sides))
        doubtful = halves[:, ~known].T.ravel()
    h, sides = t[1:] - t[:-1], (z[:-1], z[1:], rate[:-1], rate[1:])
    long = np.flatnonzero(~_is_short(h, *sides))
    points = _chords(h[long], *(x[long] for x in sides))
    near = _are_within(points, least)
    for time in [*t[long[near]].tolist(), *ends]:
        raise UndefinedAngleError(time)
    along = ~_is_far(h, *sides)[long]
    return _along(start, t, z, rate, long[along], points[along])


def _insert_elements(places: Array, *each: tuple[Array, Array]) -> list[Array]:
    """Arrays with new elements, which are at these places afterwards."""
    found = []
    for x, new in each:
        longer = np.empty(len(x) + len(new), x.dtype)
        others = np.ones(len(longer), bool)
        others[places] = False
        longer[places], longer[others] = new, x
        found.append(longer)
    return found


def nearest_turn(angle: Array, expected: Array) -> Array:
    """The angle plus the whole turns that bring it nearest to the expected one."""
    turn = 2.0 * np.pi
    nearest: Array = angle + turn * np.round((expected - angle) / turn)
    return nearest


def _midpoint_error(h: Array, z0: Array, z1: Array, rate0: Array, rate1: Array, middle: Array, rate: Array) -> Array:
    """The error of the cubic at the midpoint, in its value and in its slope, which reveals an error where the value
    agrees by symmetry."""
    value = 0.5 * (z0 + z1) + 0.125 * h * (rate0 - rate1)
    slope = 1.5 * (z1 - z0) - 0.25 * h * (rate0 + rate1)
    missed: Array = np.abs(value - middle) + 0.25 * np.abs(slope - h * rate)
    return missed


def _is_far(h: Array, z0: Array, z1: Array, rate0: Array, rate1: Array) -> Array:
    """Whether a path with these rates is too long for a cubic to follow: on a circle, longer than 4 rad."""
    far: Array = h * (np.abs(rate0) + np.abs(rate1)) > 4.0 * (np.abs(z0) + np.abs(z1))
    return far


def _is_short(h: Array, z0: Array, z1: Array, rate0: Array, rate1: Array) -> Array:
    """Whether a path is so short, judged by its ends and their rates, in comparison with its distance from the
    origin that it stays clear of it."""
    away = SHORT * np.minimum(np.abs(z0), np.abs(z1))
    short: Array = (h * np.maximum(np.abs(rate0), np.abs(rate1)) <= away) & (np.abs(z1 - z0) <= away)
    return short


def _chords(h: Array, z0: Array, z1: Array, rate0: Array, rate1: Array, upto: Array | None = None) -> Array:
    """Evenly spaced points of the cubics between two times, or up to a given fraction of the interval: (…, CHORDS +
    1)."""
    if upto is None:
        points: Array = np.stack((z0, z1, h * rate0, h * rate1), axis=-1) @ HERMITE
        return points
    h, z0, z1, rate0, rate1, s = (x[..., None] for x in (h, z0, z1, rate0, rate1, upto))
    s = s * EVENLY
    points = z0 + s * s * (3.0 - 2.0 * s) * (z1 - z0) + h * s * (1.0 - s) * ((1.0 - s) * rate0 - s * rate1)
    return points


def _angle(z: Array) -> Array:
    """The angle of complex numbers, rad."""
    angle: Array = np.arctan2(z.imag, z.real)
    return angle


def _turn_angles(points: Array) -> Array:
    """The angles by which sequences of points, (pieces, CHORDS + 1), turn about the origin."""
    distance, longest = _clearance(points)
    turned = _angle(points[..., -1] * np.conj(points[..., 0]))
    # a chord that is shorter than its distance d from the origin turns by less than 1.05 times its length divided by d
    far = np.flatnonzero(~(CHORDS * longest <= LITTLE * distance))
    if far.size:
        turned[far] = np.sum(_angle(points[far, 1:] * np.conj(points[far, :-1])), axis=-1)
    return turned


def _are_within(points: Array, least: float) -> Array:
    """Whether the chords between consecutive points (pieces, CHORDS + 1) come nearer to the origin than this."""
    within = np.zeros(len(points), bool)
    distance, longest = _clearance(points)
    near = np.flatnonzero(~(distance - longest >= least))  # no chord is farther from its ends than it is long
    if near.size:
        begin, along = points[near, :-1], points[near, 1:] - points[near, :-1]
        squares = np.maximum(np.square(np.abs(along)), TINY)
        foot = np.clip(-np.real(np.conj(along) * begin) / squares, 0.0, 1.0)
        within[near] = np.min(np.abs(begin + foot * along), axis=-1) < least
    return within


def _clearance(points: Array) -> tuple[Array, Array]:
    """For the chords between consecutive points (…, CHORDS + 1): the smallest distance of an end from the origin,
    and the longest chord."""
    return np.abs(points).min(axis=-1), np.abs(points[..., 1:] - points[..., :-1]).max(axis=-1)
