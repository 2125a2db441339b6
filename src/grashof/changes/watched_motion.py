"""The motion of a mechanism at points inside its steps, and its ranges between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from grashof.changes.enclosures import (
    Array,
    as_dual,
    bounds_of,
    enclose_quintic,
    follow_quintic,
    hull_of,
    reach_between,
    unknown_range,
    unwind,
    widen_bounds,
)
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Expression, curvature_of, rate_of
from grashof.formulation.natural.state import measure_parts
from grashof.model.measures import MeasureBase
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.scalar.ranges import Interval
from grashof.tape import Tape

Whole = NDArray[np.intp]

PARTS, DEPTH = 8, 14
"""Number of parts into which an undecided cell is divided, and how often this is repeated."""

CELLS = 20_000
"""Largest number of cells that are examined at once; if more are needed, the question remains undecided."""


ROUND_OFF = 1e-14
"""Lengths are known to this fraction of the mechanism's length, angles to this fraction of 1 rad, and rates to this
fraction of the largest velocity."""


@dataclass(frozen=True, eq=False)
class Functions:
    """Functions [t, m₁, ṁ₁, …] → values of time, quantities and their rates.

    tape     evaluates them at points
    direct   the same functions in Python: a tape looks up tables piece by piece, which tells nothing about ranges
    """

    tape: Tape
    direct: Callable[[list[Scalar]], list[Scalar]] | None = None

    @property
    def count(self) -> int:
        """How many they are."""
        return len(self.tape.outputs)

    def at(self, inputs: Sequence[Scalar]) -> list[Scalar]:
        """The values at points."""
        return self.tape.evaluate(inputs)

    def over(self, inputs: Sequence[Scalar]) -> list[Scalar]:
        """Their ranges, for ranges of the inputs."""
        return self.tape.evaluate(inputs) if self.direct is None else self.direct([*inputs])


@dataclass(frozen=True, eq=False)
class Points:
    """The motion at some times (p,).

    t            the times
    step         the number of the step inside which each of them lies
    quantities   values, rates and second derivatives of the quantities, (3, quantities, p)
    parts        those of the parts of measures that are not smooth, (3, parts, p)
    signs        the functions whose signs count, (signs, p)
    laws         values and rates of laws and couplings, (2, laws, p)
    """

    t: Array
    step: Whole
    quantities: Array
    parts: Array
    signs: Array
    laws: Array

    def at(self, rows: Whole) -> Points:
        """Some of them."""
        return Points(*(getattr(self, x.name)[..., rows] for x in fields(self)))

    def joined(self, other: Points) -> Points:
        """Both, one after the other."""
        pairs = [(getattr(self, x.name), getattr(other, x.name)) for x in fields(self)]
        return Points(*(np.concatenate(pair, axis=-1) for pair in pairs))

    def inside(self, step: int, ends: int) -> Points:
        """Those of one step in ascending order, if the first `ends` points are the ends of all steps."""
        rows = np.concatenate([[step, step + 1], ends + np.flatnonzero(self.step[ends:] == step)])
        return self.at(rows[np.argsort(self.t[rows], kind="stable")])


@dataclass(eq=False)
class Extent:
    """How far the functions have extended so far in a run: the largest values of those whose signs count, the ranges
    of laws, and the largest velocity of any coordinate, m/s."""

    signs: Array = field(default_factory=lambda: np.empty(0))
    low: Array = field(default_factory=lambda: np.empty(0))
    high: Array = field(default_factory=lambda: np.empty(0))
    speed: float = 0.0

    def include(self, points: Points) -> None:
        """Extends it by some points."""
        signs = np.max(np.abs(points.signs), axis=1, initial=0.0, where=np.isfinite(points.signs))
        finite = np.isfinite(points.laws[0])
        low = np.min(points.laws[0], axis=1, initial=np.inf, where=finite)
        high = np.max(points.laws[0], axis=1, initial=-np.inf, where=finite)
        if len(self.signs) == len(signs) and len(self.low) == len(low):
            signs = np.maximum(signs, self.signs)
            low, high = np.minimum(low, self.low), np.maximum(high, self.high)
        self.signs, self.low, self.high = signs, low, high


@dataclass(frozen=True, eq=False)
class WatchedMotion:
    """The motion as the functions that are examined between steps see it.

    quantities  measures, by name, on which they depend, and integrals (None)
    signs       functions whose sign counts: the margins of events, then the switches of laws and couplings
    laws        laws, then couplings
    """

    dynamics: Dynamics
    quantities: dict[str, MeasureBase | None]
    signs: Functions
    laws: Functions

    def see(self, t: Array, step: Whole, y: Array, rates: Array) -> Points:
        """The motion at times, with states y and rates [a, ė]."""
        layout = self.dynamics.layout
        q, v, a = (list(x.T) for x in (y[:, layout.of_q], y[:, layout.of_v], rates[:, layout.of_a]))
        motion, slopes = (
            self.dynamics.state([t, *y.T]),
            self.dynamics.state([t, *q, *v, *rates[:, layout.of_a.stop :].T]),
        )
        jets = {name: [_jet(part, q, v, a) for part in parts] for name, parts in self._parts.items()}
        given = {
            name: Jet(motion.turns[name], 0.0, 0.0)
            if measure is not None
            else Jet(motion.integral(name), slopes.integral(name), 0.0)
            for name, measure in self.quantities.items()
            if measure is None or name in motion.turns
        }
        return self._points(t, step, jets, given)

    def interpolate(self, rows: Points, step: Whole, t: Array) -> Points:
        """The motion at times inside steps, on the quintics between their ends."""
        one, other = rows.at(step), rows.at(step + 1)
        w = other.t - one.t
        theta = (t - one.t) / w
        jets, given, first = {}, {}, 0
        for k, (name, measure) in enumerate(self.quantities.items()):
            a, b = one.quantities[:, k], other.quantities[:, k]
            if measure is None or measure.smooth:
                given[name] = Jet(
                    *follow_quintic(a, unwind(a, b, w) if measure is not None and measure.winds else b, w, theta)
                )
                continue
            count = len(self._parts[name])
            pairs = zip(*(x.parts[:, first : first + count].swapaxes(0, 1) for x in (one, other)), strict=True)
            jets[name] = [Jet(*follow_quintic(p, q, w, theta)) for p, q in pairs]
            first += count
        return self._points(t, step, jets, given)

    def _points(self, t: Array, step: Whole, jets: Mapping[str, list[Jet]], given: Mapping[str, Jet]) -> Points:
        """Points from the parts of measures or, if these are not given, from the quantities themselves; a given
        angle has whole turns."""
        quantities, parts = [], []
        with np.errstate(all="ignore"):
            for name, measure in self.quantities.items():
                if measure is None or name not in jets:
                    jet = given[name]
                else:
                    jet = measure.value(jets[name])
                    jet = Jet(given[name].value if name in given else jet.value, jet.first, jet.second)
                    parts += [(x.value, x.first, x.second) for x in jets[name]] if not measure.smooth else []
                quantities.append((jet.value, jet.first, jet.second))
            inputs = stack_values(quantities, t)
            signs = self.signs.at([t, *(x for m in range(inputs.shape[1]) for x in inputs[:2, m])])
            moving = [x for m in range(inputs.shape[1]) for x in (Dual(*inputs[:2, m]), Dual(*inputs[1:, m]))]
            found = [as_dual(x) for x in self.laws.at([Dual(t, 1.0), *moving])]
        values = stack_values([(x.value, x.slope) for x in found], t, 2)
        return Points(t, step, inputs, stack_values(parts, t), stack_values([(x,) for x in signs], t, 1)[0], values)

    @cached_property
    def _parts(self) -> dict[str, list[Expression]]:
        system = self.dynamics.system
        return {name: measure_parts(system, x) for name, x in self.quantities.items() if x is not None}

    def round_off(self, functions: Functions, points: Points, speed: float) -> Array:
        """By how much round-off may change each of these functions at points, (functions, p)."""
        length = self.dynamics.length
        inputs: list[Scalar] = [points.t]
        for measure, (value, rate, _) in zip(self.quantities.values(), points.quantities.swapaxes(0, 1), strict=True):
            size = length if measure is not None and measure.unit == "m" else 1.0
            for x, least in ((value, size), (rate, size * speed / length)):
                inputs.append(widen_bounds(Interval(x, x), ROUND_OFF * np.maximum(np.abs(x), least)))
        with np.errstate(all="ignore"):
            bounds = [bounds_of(x, points.t) for x in functions.over(inputs)]
            blur = np.array([0.5 * (high - low) for low, high in bounds]).reshape(-1, len(points.t))
        return np.where(np.isfinite(blur), blur, 0.0)

    def enclose(self, left: Points, right: Points, w: Array) -> list[tuple[Interval, ...]]:
        """The ranges of each quantity and of its first three derivatives in cells of lengths w."""
        found: list[tuple[Interval, ...]] = []
        first = 0
        for k, (name, measure) in enumerate(self.quantities.items()):
            a, b = left.quantities[:, k], right.quantities[:, k]
            if measure is None:
                change = np.abs(b[1] - a[1])
                rate = widen_bounds(hull_of(a[1], b[1]), 0.5 * change)
                second = widen_bounds(Interval(0.0 * w, 0.0 * w), 2.0 * change / np.abs(w))
                found.append(
                    (Interval(*reach_between(a[0], b[0], rate.low, rate.high, w)), rate, second, unknown_range(w))
                )
            elif measure.smooth:
                found.append(enclose_quintic(a, unwind(a, b, w) if measure.winds else b, w))
            else:
                count = len(self._parts[name])
                pairs = zip(*(x.parts[:, first : first + count].swapaxes(0, 1) for x in (left, right)), strict=True)
                first += count
                parts = [enclose_quintic(p, q, w) for p, q in pairs]
                # each number with its own rate, so that the second derivative brings the third one along
                jet = measure.value([Jet(*(Dual(x, rate) for x, rate in pairwise(part))) for part in parts])
                slope, bend = as_dual(jet.first), as_dual(jet.second)
                value = Interval(*reach_between(a[0], b[0], *bounds_of(slope.value, w), w))
                if not measure.winds:  # a distance that is nearly zero has rates of any size
                    low, high = bounds_of(as_dual(jet.value).value, w)
                    value = Interval(np.maximum(low, value.low), np.minimum(high, value.high))
                found.append((value, slope.value, bend.value, bend.slope))
        return found


def divide_where_unsure(
    rows: Points,
    unsure: Callable[[Points, Whole, Whole, Whole], NDArray[np.bool_]],
    sample: Callable[[Whole, Array], Points],
    extent: Extent,
) -> tuple[Points, float | None]:
    """Divides the cells between rows until nothing is unsure in them: all points, and a time near which the question
    remains open.

    unsure   in which cells it is, given all points and, for each cell, its step and the points at its ends
    sample   the motion inside steps, given by their numbers, at times
    """
    points = rows
    step = np.flatnonzero(np.diff(rows.t) != 0.0)
    left, right = step, step + 1
    for depth in range(DEPTH):
        open_ = unsure(points, step, left, right) & _divisible(points.t[left], points.t[right])
        if not np.any(open_):
            break
        step, left, right = step[open_], left[open_], right[open_]
        if len(step) * PARTS > CELLS or depth == DEPTH - 1:
            return points, float(points.t[left[0]])
        inside, where, left, right = _divide_cells(points.t, step, left, right)
        step = np.repeat(step, PARTS)
        new = sample(where, inside)
        extent.include(new)
        points = points.joined(new)
    return points, None


def _divisible(a: Array, b: Array) -> NDArray[np.bool_]:
    """Whether there are enough floating-point times in cells to divide them."""
    return np.abs(b - a) > 2 * PARTS * np.spacing(np.maximum(np.abs(a), np.abs(b)))


def _divide_cells(t: Array, step: Whole, left: Whole, right: Whole) -> tuple[Array, Whole, Whole, Whole]:
    """Divides cells, given by the points at their ends: the new times, their steps, and the ends of the new cells."""
    inside = np.linspace(t[left], t[right], PARTS + 1)[1:-1].T
    numbers = len(t) + np.arange(inside.size).reshape(inside.shape)
    ends = np.column_stack([left, numbers]).ravel(), np.column_stack([numbers, right]).ravel()
    return inside.ravel(), np.repeat(step, PARTS - 1), *ends


def _jet(part: Expression, q: list[Array], v: list[Array], a: list[Array]) -> Jet:
    """A part with its rate and second derivative."""
    second = curvature_of(part, v)
    for i, slope in part.gradient(q).items():
        second = second + slope * a[i]
    return Jet(part.at(q), rate_of(part, q, v), second)


def stack_values(rows: Sequence[tuple[Scalar, ...]], t: Array, depth: int = 3) -> Array:
    """(depth, rows, times)"""
    if not rows:
        return np.empty((depth, 0, len(t)))
    return np.array([[np.broadcast_to(np.asarray(x, float), t.shape) for x in row] for row in rows]).swapaxes(0, 1)
