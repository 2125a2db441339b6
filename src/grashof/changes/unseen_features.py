"""Features of laws and couplings that are narrower than a step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from grashof.changes.enclosures import Array, as_dual, bounds_of, find_excess, hull_of, reach_between
from grashof.changes.watched_motion import (
    PARTS,
    Extent,
    Points,
    WatchedMotion,
    Whole,
    divide_where_unsure,
    stack_values,
)
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.scalar.ranges import Interval

FINE = 1.0 / 16.0
"""A step is too long if cells shorter than this fraction of it are needed to resolve a law."""

SUDDEN = 0.05
"""A law is resolved in a cell if it cannot leave the range of its values at the ends by more than this fraction of
its whole range, nor its rate by more than the rate at which it would pass this fraction within the step."""

SLIP = 0.5
"""Within a step, the rate of a coupling's equation, which is zero at both ends, may be this fraction of the rates of
its terms there; or the rate at which it would pass the fraction SUDDEN of its whole range within the step."""

WITHIN = 3
"""Number of stops inside a feature that a step has passed over, besides those at its beginning and its end."""

NARROW = ("exp", "log", "tan", "tanh", "divide", "where", "absolute", "sign", "minimum", "maximum", "floor")
"""Operations by which a function can change much while its arguments change little; waves, roots and angles alone do
so only by large factors."""

NEGLIGIBLE = 1e-9
"""Features of couplings lower than this fraction of the mechanism's length, or 1 rad, are round-off."""

TINY = 1e-300
"""Avoids a division by zero where nothing changes."""


@dataclass(frozen=True, eq=False)
class UnseenFeatures:
    """Looks for them.

    count   number of laws; the other functions are couplings
    """

    motion: WatchedMotion
    count: int

    @property
    def may_hide(self) -> bool:
        """Whether laws or couplings contain functions that can have features much narrower than their arguments."""
        return any(statement[0] in NARROW for statement in self.motion.laws.tape.statements)

    def look(self, rows: Points, extent: Extent) -> tuple[list[float], float | None]:
        """Times within the first step that passes over a feature of a law or coupling, and a time near which this
        remains open.

        The motion is that of the quintics, because samples satisfy couplings whatever a step has passed over.
        """
        t, count = rows.t, self.count
        length = np.abs(np.diff(t))
        with np.errstate(all="ignore"):
            allowed = np.maximum(SUDDEN * self._wholes(rows, extent), TINY)[:, None] / length
        terms = self._terms(rows)
        allowed[count:] = np.maximum(allowed[count:], SLIP * np.maximum(terms[:, 1:], terms[:, :-1]))
        short, slips = np.zeros(len(length), bool), np.zeros(len(length), bool)

        def unsure(points: Points, step: Whole, left: Whole, right: Whole) -> NDArray[np.bool_]:
            most = allowed[:, step]
            rough = self._unsure_laws(points.at(left), points.at(right), most * length[step], most)
            width = np.abs(points.t[right] - points.t[left])
            short[step[np.any(rough[:count], axis=0) & (width < FINE * PARTS * length[step])]] = True
            slips[step[np.any(np.abs(points.laws[1, count:, right].T) > allowed[count:, step], axis=0)]] = True
            found = np.any(rough, axis=0)
            return np.asarray(found & (step <= np.argmax(short | slips)) if np.any(short | slips) else found)

        points, doubt = divide_where_unsure(
            rows, unsure, lambda where, inside: self.motion.interpolate(rows, where, inside), extent
        )
        if not np.any(short | slips):
            return [], doubt
        k = int(np.argmax(short | slips))
        there = points.inside(k, len(t))
        times = _short(there.t) if short[k] else []
        if slips[k]:
            slip = np.max(np.abs(there.laws[1, count:]) / allowed[count:, [k]], axis=0)
            beyond = np.flatnonzero(slip > 1.0)
            times += [float(there.t[i]) for i in (beyond[0], np.argmax(slip), beyond[-1])]
        return sorted(set(times) - {float(t[k]), float(t[k + 1])}), None

    def _terms(self, points: Points) -> Array:
        """The sum of the absolute rates of the terms of each coupling, one for each quantity and one for time,
        (couplings, points)."""
        total = np.zeros((self.motion.laws.count - self.count, len(points.t)))
        values = [x for m in range(points.quantities.shape[1]) for x in points.quantities[:2, m]]
        for m in range(-1, points.quantities.shape[1] if len(total) else -1):
            moving: list[Scalar] = [Dual(points.t, 1.0 if m < 0 else 0.0)]
            moving += [Dual(x, points.quantities[1, m] if k == 2 * m else 0.0) for k, x in enumerate(values)]
            with np.errstate(all="ignore"):
                found = [as_dual(x).slope for x in self.motion.laws.at(moving)[self.count :]]
            total += np.abs(stack_values([(x,) for x in found], points.t, 1)[0])
        return total

    def _unsure_laws(self, left: Points, right: Points, change: Array, rate: Array) -> NDArray[np.bool_]:
        """Which laws may change by more than `change` unnoticed in which cells, or their rate by more than `rate`;
        and which couplings may have a larger rate than this; (laws, cells)."""
        w = right.t - left.t
        unsure = []
        with np.errstate(all="ignore"):
            ranges = self.motion.enclose(left, right, w)
            inputs = [x for a, b, c, d in ranges for x in (Jet(a, b, c), Jet(b, c, d))]
            found = self.motion.laws.over([Jet(hull_of(left.t, right.t), 1.0, 0.0), *inputs])
            for k, x in enumerate(x if isinstance(x, Jet) else Jet(x, 0.0, 0.0) for x in found):
                first, second = bounds_of(x.first, w), bounds_of(x.second, w)
                low, high = reach_between(left.laws[1, k], right.laws[1, k], *second, w)
                if k < self.count:
                    excess = find_excess(left.laws[0, k], right.laws[0, k], first, w)
                    unsure.append(
                        ~(excess <= change[k]) | ~(find_excess(left.laws[1, k], right.laws[1, k], second, w) <= rate[k])
                    )
                else:
                    unsure.append(~(np.maximum(low, first[0]) >= -rate[k]) | ~(np.minimum(high, first[1]) <= rate[k]))
        return np.array(unsure)

    def _wholes(self, rows: Points, extent: Extent) -> Array:
        """The whole range of each law for any values of its quantities or, where that is not bounded, for all values
        that they have in these steps."""
        with np.errstate(all="ignore"):
            first, last = rows.at(np.arange(len(rows.t) - 1)), rows.at(np.arange(1, len(rows.t)))
            moving = first.t != last.t
            one, other = first.at(np.flatnonzero(moving)), last.at(np.flatnonzero(moving))
            ranges = self.motion.enclose(one, other, other.t - one.t)
            boxes = [hull_of(rows.t[:1], rows.t[-1:])]
            boxes += [
                Interval(np.min(x.low, keepdims=True), np.max(x.high, keepdims=True)) for y in ranges for x in y[:2]
            ]
            bounds = [bounds_of(x, np.zeros(1)) for x in self.motion.laws.over(boxes)]
        here = np.array([float(high[0] - low[0]) for low, high in bounds])
        here = np.maximum(np.where(np.isfinite(here), here, 0.0), extent.high - extent.low)
        blur = np.max(self.motion.round_off(self.motion.laws, rows, extent.speed), axis=1)
        coupled = np.arange(len(here)) >= self.count
        least = np.where(coupled, NEGLIGIBLE * self.motion.dynamics.length, blur / SUDDEN)
        return np.where(np.isfinite(self._bounded), self._bounded, np.maximum(here, least))

    @cached_property
    def _bounded(self) -> Array:
        """The range of each law for any values of its quantities; infinite where it is not bounded."""
        anything = Interval(np.array([-np.inf]), np.array([np.inf]))
        with np.errstate(all="ignore"):
            bounds = [
                bounds_of(x, np.zeros(1)) for x in self.motion.laws.over([anything] * self.motion.laws.tape.inputs)
            ]
        return np.array([float(high[0] - low[0]) for low, high in bounds])


def _short(times: Array) -> list[float]:
    """Some of the times within a step that has been divided into short cells; these are dense where much happens."""
    width = np.diff(times)
    short = np.flatnonzero(width < max(FINE * (times[-1] - times[0]), 1.5 * np.min(width)))
    chosen = [short[0], *short[np.linspace(0, len(short) - 1, WITHIN + 2).astype(int)[1:-1]], short[-1] + 1]
    return [float(times[k]) for k in chosen]
