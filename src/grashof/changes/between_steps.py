"""What happens between two steps: events, laws and couplings are enclosed along the motion.

An integrator sees a mechanism only at the stages of its steps. What happens between them for a short time, such as the
contact with a thin peg or a narrow lobe of a cam, can be missed by all of them. Functions that could hide such things
are therefore enclosed over all steps:

- coordinates of points and arrows, and measures that are as smooth as these, are interpolated in each step by the
  quintic through value, rate and second derivative at both ends. Its control points bound it and its derivatives; a
  margin covers the error of the interpolation;
- the rates of functions along the motion follow from these ranges by interval arithmetic. With the values at both ends
  they bound the functions;
- where that does not decide, the step is divided, and the motion is sampled there.

Three questions are asked. *Signs*: may an event, a stop, or a switch in a law have changed its sign twice without being
noticed? *Laws*: does the coefficient of a force change faster than the stages of a step can notice? *Couplings*: does
the step, whose ends satisfy a coupling, violate it in between? The answers are times at which steps have to end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grashof.changes.kinks import find_kinks
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.forms import Expression, curvature_of, rate_of
from grashof.formulation.natural.state import measure_parts
from grashof.formulation.natural.winding import nearest_turn
from grashof.model import laws
from grashof.model.events import Event
from grashof.model.measures import MeasureBase
from grashof.model.state import RATE
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.scalar.ranges import Interval
from grashof.tape import Tape, trace
from grashof.tape.tape import live

Array = NDArray[np.float64]
Whole = NDArray[np.intp]

PARTS, DEPTH = 8, 14
"""Number of parts into which an undecided cell is divided, and how often this is repeated."""

CELLS = 20_000
"""Largest number of cells that are examined at once; if more are needed, the question remains undecided."""

ZERO = 1e-11
"""A function has no sign where it is below this fraction of its largest value."""

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

DEGREE = 4
"""Polynomials of quantities up to this degree have no features that are shorter than those of the quantities
themselves."""

NARROW = ("exp", "log", "tan", "tanh", "divide", "where", "absolute", "sign", "minimum", "maximum", "floor")
"""Operations by which a function can change much while its arguments change little; waves, roots and angles alone do
so only by large factors."""

MARGIN = 0.5
"""The error of the quintic is taken to be at most this fraction of its difference from the cubic through the same
ends."""

NEGLIGIBLE = 1e-9
"""Features of couplings lower than this fraction of the mechanism's length, or 1 rad, are round-off."""

TINY = 1e-300
"""Avoids a division by zero where nothing changes."""

Sample = Callable[[int, Array], tuple[Array, Array]]
"""States and rates inside a step, given by its number, at times in the direction of the run."""


@dataclass(frozen=True, eq=False)
class Finding:
    """What was found in some steps.

    stops       times at which steps have to end, up to the first one that may change the motion
    undecided   a time near which the question remained open
    """

    stops: tuple[float, ...] = ()
    undecided: float | None = None


@dataclass
class _Traced:
    """The state of a mechanism as laws and events see it, whose quantities are inputs of a tape."""

    time: Scalar
    known: Mapping[str, Jet]
    tables: Mapping[str, Callable[[Scalar], Scalar]]

    def measure(self, name: str) -> Jet:
        """A quantity and its rate."""
        return self.known[name]


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
class _Points:
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

    def at(self, rows: Whole) -> _Points:
        """Some of them."""
        return _Points(*(getattr(self, x.name)[..., rows] for x in fields(self)))

    def joined(self, other: _Points) -> _Points:
        """Both, one after the other."""
        pairs = [(getattr(self, x.name), getattr(other, x.name)) for x in fields(self)]
        return _Points(*(np.concatenate(pair, axis=-1) for pair in pairs))

    def inside(self, step: int, ends: int) -> _Points:
        """Those of one step in ascending order, if the first `ends` points are the ends of all steps."""
        rows = np.concatenate([[step, step + 1], ends + np.flatnonzero(self.step[ends:] == step)])
        return self.at(rows[np.argsort(self.t[rows], kind="stable")])


@dataclass(eq=False)
class Extent:
    """How far the functions have extended so far in a run: the largest values of those whose signs count, and the
    ranges of laws."""

    signs: Array = field(default_factory=lambda: np.empty(0))
    low: Array = field(default_factory=lambda: np.empty(0))
    high: Array = field(default_factory=lambda: np.empty(0))

    def include(self, points: _Points) -> None:
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
class Between:
    """The functions of a mechanism that are examined between steps.

    quantities  measures, by name, on which they depend, and integrals (None)
    signs       functions whose sign counts: the margins of events, then the switches of laws and couplings
    laws        laws, then couplings
    count       number of laws
    resting     for each event the place in the state of the side on which its measure rests; −1 if it does not bounce
    acting      for each event whether it changes the motion
    """

    dynamics: Dynamics
    quantities: dict[str, MeasureBase | None]
    signs: Functions
    laws: Functions
    count: int
    resting: tuple[int, ...]
    acting: tuple[bool, ...]

    @property
    def may_hide(self) -> bool:
        """Whether laws or couplings contain functions that can have features much narrower than their arguments."""
        return any(statement[0] in NARROW for statement in self.laws.tape.statements)

    def look(self, t: Array, y: Array, rates: Array, sample: Sample, known: Sequence[Array], extent: Extent) -> Finding:
        """Examines the steps between the times t, with states y and rates [a, ė] there.

        known   for each event the times at which its sign is known to change
        """
        rows = self._seen(t, np.arange(len(t)), y, rates)
        extent.include(rows)
        changed, doubt = self._look_at_signs(rows, y, sample, known, extent) if self.signs.count else ([], None)
        passed, other = self._look_at_laws(rows, extent) if self.laws.count else ([], None)
        found = sorted([*changed, *((time, True) for time in passed)])
        until = next((time for time, acts in found if acts), np.inf)
        stops = [time for time, _ in found if time <= until or (time in passed and until in passed)]
        return Finding(tuple(stops), min([x for x in (doubt, other) if x is not None], default=None))

    def _look_at_signs(
        self, rows: _Points, y: Array, sample: Sample, known: Sequence[Array], extent: Extent
    ) -> tuple[list[tuple[float, bool]], float | None]:
        """Times at which signs have changed unnoticed, with whether that may change the motion; and a time near
        which this remains open."""
        points, doubt = rows, None
        step = np.flatnonzero(np.diff(rows.t) != 0.0)
        left, right = step, step + 1
        for depth in range(DEPTH):
            unsure = self._unsure_signs(points.at(left), points.at(right), extent)
            for k, place in enumerate(self.resting):
                unsure[k] &= (y[step, place] == 0.0) | (place < 0)
            open_ = np.any(unsure, axis=0) & _divisible(points.t[left], points.t[right])
            if not np.any(open_):
                break
            step, left, right = step[open_], left[open_], right[open_]
            if len(step) * PARTS > CELLS or depth == DEPTH - 1:
                doubt = float(points.t[left[0]])
                break
            inside, where, left, right = _divide_cells(points.t, step, left, right)
            step = np.repeat(step, PARTS)
            found = [sample(int(k), inside[where == k]) for k in np.unique(where)]
            states, slopes = (np.concatenate(x) for x in zip(*found, strict=True))
            new = self._seen(inside, where, states, slopes)
            extent.include(new)
            points = points.joined(new)
        changes: list[tuple[float, bool]] = []
        for k in np.unique(points.step[len(rows.t) :]).tolist():
            step_points = points.inside(k, len(rows.t))
            for i, values in enumerate(step_points.signs):
                if i < len(self.resting) and self.resting[i] >= 0 and y[k, self.resting[i]] != 0.0:
                    continue
                sign = np.where(np.abs(values) > ZERO * extent.signs[i], np.sign(values), 0.0)
                if i < len(known):
                    passed = np.searchsorted(known[i], step_points.t, side="right")
                    sign = np.where((passed - passed[0]) % 2, -sign, sign)
                acts = i >= len(self.acting) or self.acting[i]
                changes += [(time, acts) for time in _times_on_other_side(step_points.t, values, sign)]
        return changes, doubt

    def _look_at_laws(self, rows: _Points, extent: Extent) -> tuple[list[float], float | None]:
        """Times within the first step that passes over a feature of a law or coupling, and a time near which this
        remains open.

        The motion is that of the quintics, because samples satisfy couplings whatever a step has passed over.
        """
        points, doubt, t, count = rows, None, rows.t, self.count
        step = np.flatnonzero(np.diff(t) != 0.0)
        left, right = step, step + 1
        length = np.abs(np.diff(t))
        with np.errstate(all="ignore"):
            allowed = np.maximum(SUDDEN * self._wholes(rows, extent), TINY)[:, None] / length
        terms = self._terms(rows)
        allowed[count:] = np.maximum(allowed[count:], SLIP * np.maximum(terms[:, 1:], terms[:, :-1]))
        short, slips = np.zeros(len(length), bool), np.zeros(len(length), bool)
        for depth in range(DEPTH):
            most = allowed[:, step]
            rough = self._unsure_laws(points.at(left), points.at(right), most * length[step], most)
            width = np.abs(points.t[right] - points.t[left])
            short[step[np.any(rough[:count], axis=0) & (width < FINE * PARTS * length[step])]] = True
            slips[step[np.any(np.abs(points.laws[1, count:, right].T) > allowed[count:, step], axis=0)]] = True
            open_ = np.any(rough, axis=0) & _divisible(points.t[left], points.t[right])
            if np.any(short | slips):
                open_ &= step <= np.argmax(short | slips)
            if not np.any(open_):
                break
            step, left, right = step[open_], left[open_], right[open_]
            if len(step) * PARTS > CELLS or depth == DEPTH - 1:
                doubt = float(points.t[left[0]])
                break
            inside, where, left, right = _divide_cells(points.t, step, left, right)
            step = np.repeat(step, PARTS)
            new = self._interpolated(rows, where, inside)
            extent.include(new)
            points = points.joined(new)
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

    # -- the motion at points

    def _seen(self, t: Array, step: Whole, y: Array, rates: Array) -> _Points:
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

    def _interpolated(self, rows: _Points, step: Whole, t: Array) -> _Points:
        """The motion at times inside steps, on the quintics between their ends."""
        one, other = rows.at(step), rows.at(step + 1)
        w = other.t - one.t
        theta = (t - one.t) / w
        jets, given, first = {}, {}, 0
        for k, (name, measure) in enumerate(self.quantities.items()):
            a, b = one.quantities[:, k], other.quantities[:, k]
            if measure is None or measure.smooth:
                given[name] = Jet(
                    *_on_quintic(a, _unwound(a, b, w) if measure is not None and measure.winds else b, w, theta)
                )
                continue
            count = len(self._parts[name])
            pairs = zip(*(x.parts[:, first : first + count].swapaxes(0, 1) for x in (one, other)), strict=True)
            jets[name] = [Jet(*_on_quintic(p, q, w, theta)) for p, q in pairs]
            first += count
        return self._points(t, step, jets, given)

    def _points(self, t: Array, step: Whole, jets: Mapping[str, list[Jet]], given: Mapping[str, Jet]) -> _Points:
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
            inputs = _stack_values(quantities, t)
            signs = self.signs.at([t, *(x for m in range(inputs.shape[1]) for x in inputs[:2, m])])
            moving = [x for m in range(inputs.shape[1]) for x in (Dual(*inputs[:2, m]), Dual(*inputs[1:, m]))]
            found = [_as_dual(x) for x in self.laws.at([Dual(t, 1.0), *moving])]
        values = _stack_values([(x.value, x.slope) for x in found], t, 2)
        return _Points(t, step, inputs, _stack_values(parts, t), _stack_values([(x,) for x in signs], t, 1)[0], values)

    @cached_property
    def _parts(self) -> dict[str, list[Expression]]:
        system = self.dynamics.system
        return {name: measure_parts(system, x) for name, x in self.quantities.items() if x is not None}

    def _terms(self, points: _Points) -> Array:
        """The sum of the absolute rates of the terms of each coupling, one for each quantity and one for time,
        (couplings, points)."""
        total = np.zeros((self.laws.count - self.count, len(points.t)))
        values = [x for m in range(points.quantities.shape[1]) for x in points.quantities[:2, m]]
        for m in range(-1, points.quantities.shape[1] if len(total) else -1):
            moving: list[Scalar] = [Dual(points.t, 1.0 if m < 0 else 0.0)]
            moving += [Dual(x, points.quantities[1, m] if k == 2 * m else 0.0) for k, x in enumerate(values)]
            with np.errstate(all="ignore"):
                found = [_as_dual(x).slope for x in self.laws.at(moving)[self.count :]]
            total += np.abs(_stack_values([(x,) for x in found], points.t, 1)[0])
        return total

    # -- between points

    def _unsure_signs(self, left: _Points, right: _Points, extent: Extent) -> NDArray[np.bool_]:
        """Which functions may change their sign unnoticed in which cells, (signs, cells)."""
        w = right.t - left.t
        with np.errstate(all="ignore"):
            ranges = self._ranges(left, right, w)
            inputs = [x for value, first, second, _ in ranges for x in (Dual(value, first), Dual(first, second))]
            found = [_as_dual(x).slope for x in self.signs.over([Dual(_hull(left.t, right.t), 1.0), *inputs])]
            unsure = [
                _may_change(a, b, _bounds(slope, w), w, ZERO * size)
                for a, b, slope, size in zip(left.signs, right.signs, found, extent.signs, strict=True)
            ]
        return np.array(unsure)

    def _unsure_laws(self, left: _Points, right: _Points, change: Array, rate: Array) -> NDArray[np.bool_]:
        """Which laws may change by more than `change` unnoticed in which cells, or their rate by more than `rate`;
        and which couplings may have a larger rate than this; (laws, cells)."""
        w = right.t - left.t
        unsure = []
        with np.errstate(all="ignore"):
            ranges = self._ranges(left, right, w)
            inputs = [x for a, b, c, d in ranges for x in (Jet(a, b, c), Jet(b, c, d))]
            found = self.laws.over([Jet(_hull(left.t, right.t), 1.0, 0.0), *inputs])
            for k, x in enumerate(x if isinstance(x, Jet) else Jet(x, 0.0, 0.0) for x in found):
                first, second = _bounds(x.first, w), _bounds(x.second, w)
                low, high = _reach(left.laws[1, k], right.laws[1, k], *second, w)
                if k < self.count:
                    excess = _excess(left.laws[0, k], right.laws[0, k], first, w)
                    unsure.append(
                        ~(excess <= change[k]) | ~(_excess(left.laws[1, k], right.laws[1, k], second, w) <= rate[k])
                    )
                else:
                    unsure.append(~(np.maximum(low, first[0]) >= -rate[k]) | ~(np.minimum(high, first[1]) <= rate[k]))
        return np.array(unsure)

    def _ranges(self, left: _Points, right: _Points, w: Array) -> list[tuple[Interval, ...]]:
        """The ranges of each quantity and of its first three derivatives in cells of lengths w."""
        found: list[tuple[Interval, ...]] = []
        first = 0
        for k, (name, measure) in enumerate(self.quantities.items()):
            a, b = left.quantities[:, k], right.quantities[:, k]
            if measure is None:
                change = np.abs(b[1] - a[1])
                rate = _widen_bounds(_hull(a[1], b[1]), 0.5 * change)
                second = _widen_bounds(Interval(0.0 * w, 0.0 * w), 2.0 * change / np.abs(w))
                found.append((Interval(*_reach(a[0], b[0], rate.low, rate.high, w)), rate, second, _unknown(w)))
            elif measure.smooth:
                found.append(_quintic(a, _unwound(a, b, w) if measure.winds else b, w))
            else:
                count = len(self._parts[name])
                pairs = zip(*(x.parts[:, first : first + count].swapaxes(0, 1) for x in (left, right)), strict=True)
                first += count
                parts = [_quintic(p, q, w) for p, q in pairs]
                # each number with its own rate, so that the second derivative brings the third one along
                jet = measure.value([Jet(*(Dual(x, rate) for x, rate in pairwise(part))) for part in parts])
                slope, bend = _as_dual(jet.first), _as_dual(jet.second)
                value = Interval(*_reach(a[0], b[0], *_bounds(slope.value, w), w))
                found.append((value, slope.value, bend.value, bend.slope))
        return found

    def _wholes(self, rows: _Points, extent: Extent) -> Array:
        """The whole range of each law for any values of its quantities or, where that is not bounded, for all values
        that they have in these steps."""
        with np.errstate(all="ignore"):
            first, last = rows.at(np.arange(len(rows.t) - 1)), rows.at(np.arange(1, len(rows.t)))
            moving = first.t != last.t
            one, other = first.at(np.flatnonzero(moving)), last.at(np.flatnonzero(moving))
            ranges = self._ranges(one, other, other.t - one.t)
            boxes = [_hull(rows.t[:1], rows.t[-1:])]
            boxes += [
                Interval(np.min(x.low, keepdims=True), np.max(x.high, keepdims=True)) for y in ranges for x in y[:2]
            ]
            bounds = [_bounds(x, np.zeros(1)) for x in self.laws.over(boxes)]
        here = np.array([float(high[0] - low[0]) for low, high in bounds])
        here = np.maximum(np.where(np.isfinite(here), here, 0.0), extent.high - extent.low)
        least = np.where(np.arange(len(here)) < self.count, 0.0, NEGLIGIBLE * self.dynamics.length)
        return np.where(np.isfinite(self._bounded), self._bounded, np.maximum(here, least))

    @cached_property
    def _bounded(self) -> Array:
        """The range of each law for any values of its quantities; infinite where it is not bounded."""
        anything = Interval(np.array([-np.inf]), np.array([np.inf]))
        with np.errstate(all="ignore"):
            bounds = [_bounds(x, np.zeros(1)) for x in self.laws.over([anything] * self.laws.tape.inputs)]
        return np.array([float(high[0] - low[0]) for low, high in bounds])


@lru_cache(maxsize=32)
def make_between(dynamics: Dynamics, events: tuple[Event, ...]) -> Between | None:
    """What has to be examined between the steps of a run with these events; None if there is nothing."""
    system, model, layout = dynamics.system, dynamics.model, dynamics.layout
    ruled = [(force, law) for force in model.forces for law in force.laws() if isinstance(law, str)]
    texts = [name for event in events for name in event.expression.quantities]
    texts += [name for force, law in ruled for name in laws.quantities([law], force.name, force.parameters)]
    measures: dict[str, MeasureBase | None] = {}
    for name in (text.removesuffix(RATE) for text in texts):
        measures[name] = None if name in model.integrals else model.quantities[name]
    measures |= {x.name: x for row in system.couplings for x in row.measures}
    varied = {coupling: coupling.measures(model.quantities) for coupling in model.velocity_couplings}
    measures |= {x.name: x for tied in varied.values() for x in tied}

    def state(x: list[Scalar]) -> Any:
        known = {name: Jet(x[1 + 2 * k], x[2 + 2 * k], 0.0) for k, name in enumerate(measures)}
        return _Traced(x[0], known, model.tables_by_name)

    def functions(x: list[Scalar]) -> list[Scalar]:
        motion = state(x)
        coupled = [
            row.coupling.equation([motion.measure(m.name).value for m in row.measures], motion.time)
            for row in system.couplings
        ]
        for coupling, tied in varied.items():
            coupled += coupling.rate_factors([motion.measure(m.name).value for m in tied], motion.time)
        return [*(force.now(law, motion) for force, law in ruled), *coupled]

    size = 1 + 2 * len(measures)
    every = trace(functions, size)
    degrees, called = _degrees(every), _depends_on(every, "call")
    examined = [degrees[k] > DEGREE and not called[k] for k in every.outputs]
    chosen = tuple(k for k, is_examined in zip(every.outputs, examined, strict=True) if is_examined)
    rules = live(Tape(every.sizes, every.words, every.constants, every.lists, chosen, every.blocks))
    kinks = find_kinks(rules)
    switches = [switch for switch in kinks.in_motion if not switch.whole]

    def signs(x: list[Scalar]) -> list[Scalar]:
        motion, switched = state(x), kinks.tape.evaluate(x) if switches else []
        margins = [event.margin(motion) for event in events]
        return margins + [switched[a] - (0.0 if b is None else switched[b]) for a, b, _ in switches]

    if not events and not chosen:
        return None
    resting = tuple(
        layout.of_resting.start + layout.resting.index(event.name) if event.name in layout.resting else -1
        for event in events
    )
    acting = tuple(event.does != "record" for event in events)
    count = sum(examined[: len(ruled)])
    looked_up = _depends_on(rules, "interval")

    def chosen_functions(x: list[Scalar]) -> list[Scalar]:
        return [value for value, is_examined in zip(functions(x), examined, strict=True) if is_examined]

    return Between(
        dynamics,
        measures,
        Functions(trace(signs, size), signs if any(event.expression.tables for event in events) else None),
        Functions(rules, chosen_functions if any(looked_up) else None),
        count,
        resting,
        acting,
    )


def _depends_on(tape: Tape, what: str) -> list[bool]:
    """Which values of a tape depend on an operation of this kind."""
    found: list[bool] = []
    for operation, *operands in tape.statements:
        simple = operation not in ("input", "constant", "call", "result")
        found.append(operation == what or (simple and any(found[k] for k in operands)))
    return found


def _degrees(tape: Tape) -> list[float]:
    """The degree of each value of a tape as a polynomial of quantities of the motion; infinite if it is not one."""
    found: list[float] = []
    for operation, *operands in tape.statements:
        if operation == "input":
            found.append(1.0 if operands[0] else 0.0)
        elif operation == "constant":
            found.append(0.0)
        elif operation in ("call", "result"):
            found.append(np.inf)
        elif operation in ("add", "subtract", "negate"):
            found.append(max(found[k] for k in operands))
        elif operation == "multiply":
            found.append(found[operands[0]] + found[operands[1]])
        elif operation == "divide" and found[operands[1]] == 0.0:
            found.append(found[operands[0]])
        else:
            found.append(0.0 if all(found[k] == 0.0 for k in operands) else np.inf)
    return found


def _times_on_other_side(times: Array, values: Array, sign: Array) -> list[float]:
    """The times of the largest values in the pieces in which a function is on another side than at first; not in the
    last piece, whose end shows it."""
    told = np.flatnonzero(sign)
    if not told.size:
        return []
    other = sign == -sign[told[0]]
    edges = np.flatnonzero(np.diff(np.concatenate([[False], other, [False]]).astype(int))).reshape(-1, 2)
    return [float(times[a + np.argmax(np.abs(values[a:b]))]) for a, b in edges if b < len(times)]


def _short(times: Array) -> list[float]:
    """Some of the times within a step that has been divided into short cells; these are dense where much happens."""
    width = np.diff(times)
    short = np.flatnonzero(width < max(FINE * (times[-1] - times[0]), 1.5 * np.min(width)))
    chosen = [short[0], *short[np.linspace(0, len(short) - 1, WITHIN + 2).astype(int)[1:-1]], short[-1] + 1]
    return [float(times[k]) for k in chosen]


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


def _stack_values(rows: Sequence[tuple[Scalar, ...]], t: Array, depth: int = 3) -> Array:
    """(depth, rows, times)"""
    if not rows:
        return np.empty((depth, 0, len(t)))
    return np.array([[np.broadcast_to(np.asarray(x, float), t.shape) for x in row] for row in rows]).swapaxes(0, 1)


def _control_points(a: Array, b: Array, w: Array) -> list[Array]:
    """The control points, in Bernstein's form, of the quintic through value, rate and second derivative at both ends
    of cells of lengths w."""
    begin = [a[0], a[0] + 0.2 * w * a[1], a[0] + 0.4 * w * a[1] + 0.05 * w * w * a[2]]
    return [*begin, b[0] - 0.4 * w * b[1] + 0.05 * w * w * b[2], b[0] - 0.2 * w * b[1], b[0]]


def _quintic(a: Array, b: Array, w: Array) -> tuple[Interval, ...]:
    """The ranges of a function and its first three derivatives in cells of lengths w, from value, rate and second
    derivative at both ends.

    The control points of a polynomial bound it. The second derivatives by which the quintic differs from the cubic at
    the ends determine the margins for its error.
    """
    points = _control_points(a, b, w)
    mean = 6.0 * (b[0] - a[0]) / w
    lack = np.abs(a[2] - (mean - 4.0 * a[1] - 2.0 * b[1]) / w) + np.abs(b[2] + (mean - 2.0 * a[1] - 4.0 * b[1]) / w)
    found = []
    margins = 0.018 * w * w, 0.07 * np.abs(w), np.full(w.shape, 0.5), 4.0 / np.abs(w)
    for order, largest in enumerate(margins):
        bounds = Interval(np.min(points, axis=0), np.max(points, axis=0))
        found.append(_widen_bounds(bounds, MARGIN * largest * lack))
        points = [(5 - order) * (y - x) / w for x, y in pairwise(points)]
    return tuple(found)


def _on_quintic(a: Array, b: Array, w: Array, theta: Array) -> list[Array]:
    """Value, rate and second derivative on the quintic at a fraction of the cell."""
    found, points = [], _control_points(a, b, w)
    for order in range(3):
        level = points
        while len(level) > 1:
            level = [x + theta * (y - x) for x, y in pairwise(level)]
        found.append(level[0])
        points = [(5 - order) * (y - x) / w for x, y in pairwise(points)]
    return found


def _unwound(a: Array, b: Array, w: Array) -> Array:
    """The angle at the end of a cell with the whole turns that follow from the rates at both ends."""
    return np.array([a[0] + nearest_turn(b[0] - a[0], 0.5 * w * (a[1] + b[1])), b[1], b[2]])


def _reach(a: Array, b: Array, low: Array, high: Array, w: Array) -> tuple[Array, Array]:
    """The least and largest values of a function with values a and b at the ends of cells of lengths w, whose slope
    is within bounds."""
    low, high = np.where(w > 0.0, low, -high), np.where(w > 0.0, high, -low)
    size, steep = np.abs(w), np.where(high - low > 0.0, high - low, 1.0)
    lowest = np.where((low < 0.0) & (high > 0.0), (high * a - low * b + low * high * size) / steep, np.minimum(a, b))
    highest = np.where((low < 0.0) & (high > 0.0), (high * b - low * a - low * high * size) / steep, np.maximum(a, b))
    bounded = np.isfinite(low) & np.isfinite(high)
    least = np.where(bounded, np.minimum(lowest, np.minimum(a, b)), -np.inf)
    return least, np.where(bounded, np.maximum(highest, np.maximum(a, b)), np.inf)


def _may_change(a: Array, b: Array, slope: tuple[Array, Array], w: Array, zero: float) -> Any:
    """In which cells a function may have a sign, at some time, that its values at both ends do not show."""
    low, high = _reach(a, b, *slope, w)
    one_way = (slope[0] >= 0.0) | (slope[1] <= 0.0)
    clear = (low > 0.0) | (high <= 0.0) | ((np.abs(low) <= zero) & (np.abs(high) <= zero))
    return ~(one_way | clear)


def _excess(a: Array, b: Array, slope: tuple[Array, Array], w: Array) -> Array:
    """By how much a function may leave the range of its values at both ends."""
    low, high = _reach(a, b, *slope, w)
    return np.maximum(np.minimum(a, b) - low, high - np.maximum(a, b))


def _hull(a: Array, b: Array) -> Interval:
    return Interval(np.minimum(a, b), np.maximum(a, b))


def _widen_bounds(x: Interval, by: Array) -> Interval:
    return Interval(x.low - by, x.high + by)


def _unknown(w: Array) -> Interval:
    return Interval(np.full(w.shape, -np.inf), np.full(w.shape, np.inf))


def _as_dual(x: Scalar) -> Dual:
    return x if isinstance(x, Dual) else Dual(x, 0.0)


def _bounds(x: Scalar, like: Array) -> tuple[Array, Array]:
    """The bounds of an interval or number, infinite where they are not known."""
    low, high = (x.low, x.high) if isinstance(x, Interval) else (x, x)
    low, high = (np.broadcast_to(np.asarray(bound, float), like.shape) for bound in (low, high))
    return np.where(np.isnan(low), -np.inf, low), np.where(np.isnan(high), np.inf, high)
