"""Events, stops and switches whose sign changes twice within a step without having been noticed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.changes.enclosures import Array, as_dual, bounds_of, hull_of, may_change_sign
from grashof.changes.watched_motion import Extent, Points, WatchedMotion, Whole, divide_where_unsure
from grashof.scalar.dual import Dual

ZERO = 1e-11
"""A function has no sign where it is below this fraction of its largest value, or no larger than round-off."""

SLOW = 1e-8
"""The same for rates of joints with dry friction, and the largest of these, or typical ones if these are larger: a slip
begins with no acceleration, and round-off of enclosures in short cells would hide the sign of smaller rates."""

Sample = Callable[[int, Array], tuple[Array, Array]]
"""States and rates inside a step, given by its number, at times in the direction of the run."""


@dataclass(frozen=True, eq=False)
class UnseenSigns:
    """Looks for them.

    resting     for each event the place in the state of the side on which its measure rests; −1 if it does not bounce
    acting      for each event whether it changes the motion
    sticking    for each event whether it is the rate of a joint with dry friction: a typical rate; otherwise zero
    """

    motion: WatchedMotion
    resting: tuple[int, ...]
    acting: tuple[bool, ...]
    sticking: tuple[float, ...]

    def look(
        self, rows: Points, y: Array, sample: Sample, known: Sequence[Array], extent: Extent
    ) -> tuple[list[tuple[float, bool]], float | None]:
        """Times at which signs have changed unnoticed, with whether that may change the motion; and a time near
        which this remains open."""

        blur = self.motion.round_off(self.motion.signs, rows, extent.speed)
        small, rates = ZERO * extent.signs, np.flatnonzero(self.sticking)
        small[rates] = SLOW * np.maximum(np.array(self.sticking)[rates], np.max(extent.signs[rates], initial=0.0))
        zero = np.maximum(small[:, None], np.minimum(blur[:, :-1], blur[:, 1:]))  # (signs, steps)

        def unsure(points: Points, step: Whole, left: Whole, right: Whole) -> NDArray[np.bool_]:
            found = self._unsure_signs(points.at(left), points.at(right), zero[:, step])
            for k, place in enumerate(self.resting):
                found[k] &= (y[step, place] == 0.0) | (place < 0)
            return np.asarray(np.any(found, axis=0))

        def sample_points(where: Whole, inside: Array) -> Points:
            found = [sample(int(k), inside[where == k]) for k in np.unique(where)]
            return self.motion.see(inside, where, *(np.concatenate(x) for x in zip(*found, strict=True)))

        points, doubt = divide_where_unsure(rows, unsure, sample_points, extent)
        changes: list[tuple[float, bool]] = []
        for k in np.unique(points.step[len(rows.t) :]).tolist():
            step_points = points.inside(k, len(rows.t))
            for i, values in enumerate(step_points.signs):
                if i < len(self.resting) and self.resting[i] >= 0 and y[k, self.resting[i]] != 0.0:
                    continue
                sign = np.where(np.abs(values) > zero[i, k], np.sign(values), 0.0)
                if i < len(known):
                    passed = np.searchsorted(known[i], step_points.t, side="right")
                    sign = np.where((passed - passed[0]) % 2, -sign, sign)
                acts = i >= len(self.acting) or self.acting[i]
                changes += [(time, acts) for time in _times_on_other_side(step_points.t, values, sign)]
        return changes, doubt

    def _unsure_signs(self, left: Points, right: Points, zero: Array) -> NDArray[np.bool_]:
        """Which functions may change their sign unnoticed in which cells; values up to `zero` have no sign; (signs,
        cells)."""
        w = right.t - left.t
        with np.errstate(all="ignore"):
            ranges = self.motion.enclose(left, right, w)
            inputs = [x for value, first, second, _ in ranges for x in (Dual(value, first), Dual(first, second))]
            found = [as_dual(x) for x in self.motion.signs.over([Dual(hull_of(left.t, right.t), 1.0), *inputs])]
            unsure = []
            for a, b, x, small in zip(left.signs, right.signs, found, zero, strict=True):
                low, high = bounds_of(x.value, w)
                unsure.append((low <= 0.0) & (high > 0.0) & may_change_sign(a, b, bounds_of(x.slope, w), w, small))
        return np.array(unsure)


def _times_on_other_side(times: Array, values: Array, sign: Array) -> list[float]:
    """The times of the largest values in the pieces in which a function is on another side than at first; not in the
    last piece, whose end shows it."""
    told = np.flatnonzero(sign)
    if not told.size:
        return []
    other = sign == -sign[told[0]]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], other, [False]]).astype(int))).reshape(-1, 2)
    return [float(times[a + np.argmax(np.abs(values[a:b]))]) for a, b in edges if b < len(times)]
