"""Two derivations of a mechanism in space: by coordinates of its own (`jets`), and by its free bodies (`rigid`).

A problem gives both, each as a function of its data, which are decimal numbers by name. The effect of rounding them is
found with the first, in fewer digits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext
from typing import Any

import numpy as np

from grashof.precise.collocation import integrate_second_order
from grashof.precise.derivation import HALF_UNIT, Columns, Derivations
from grashof.precise.extrapolation import Done, Slope, State, integrate
from grashof.precise.jets import Describe, Jet, accelerate, coordinates
from grashof.precise.pins import solve
from grashof.precise.rigid import SENTENCE

Row = list[Decimal]
Data = Mapping[str, Decimal]
GUARD = 12
COARSE = 9
"""Digits with which the effect of rounded data is calculated; two of them would do."""
CHANGE = Decimal("1e-4")
SPARSE = 8
"""Every how many official times that effect is calculated."""


@dataclass(frozen=True)
class ByCoordinates:
    """A mechanism in coordinates q.

    describe  its bodies at a position
    q, v      the start
    observe   the official columns that are not zero, from t, q and q̇
    driven    how many of the last coordinates are functions of time, with constant rates
    """

    describe: Describe
    q: Row
    v: Row
    observe: Callable[[Decimal, Row, Row], dict[str, Decimal]]
    driven: int = 0

    def acceleration(self, t: Decimal, q: Row, v: Row) -> Row:
        """q̈"""
        return accelerate(self.describe(t, coordinates(q, v)), len(q), self.driven)


@dataclass(frozen=True)
class ByBodies:
    """The same mechanism as an equation ẏ = slope(y) from a start, and the columns from t and y."""

    slope: Slope
    start: State
    observe: Callable[[Decimal, State], dict[str, Decimal]]


def derive_twice(
    data: Mapping[str, str],
    coordinates_of: Callable[[Data], ByCoordinates],
    bodies_of: Callable[[Data], ByBodies],
    *,
    step: str,
    words: str,
    vary: Sequence[str],
    digits: int = 17,
    second_words: str = SENTENCE,
    sensitivity: Callable[[Sequence[str]], Mapping[str, np.ndarray]] | None = None,
) -> Derivations:
    """The derivations; `step` [s] is the first's, `words` say what its coordinates are, and `vary` are the data whose
    rounding counts; by `sensitivity`, if it is given: a function of the times."""

    def first(times: Sequence[str]) -> Columns:
        with localcontext(prec=digits + GUARD):
            made = coordinates_of({name: Decimal(value) for name, value in data.items()})
            moments = [Decimal(time) for time in times]
            states = integrate_second_order(made.acceleration, made.q, made.v, moments, Decimal(step), digits + 2)
            return columns_of([made.observe(t, *state) for t, state in zip(moments, states, strict=True)])

    def second(times: Sequence[str], done: Done) -> Columns:
        with localcontext(prec=digits + GUARD):
            made = bodies_of({name: Decimal(value) for name, value in data.items()})
            moments = [Decimal(time) for time in times]
            states = integrate(made.slope, made.start, moments, digits, done)
            return columns_of([made.observe(t, state) for t, state in zip(moments, states, strict=True)])

    def effect(times: Sequence[str], columns: Columns) -> Mapping[str, np.ndarray]:
        if sensitivity is not None:
            return sensitivity(times)
        base = _floats(columns)
        moments = np.array([float(time) for time in times])
        found = {
            name: HALF_UNIT * np.abs(moments * (np.gradient(x, moments) if len(x) > 1 else 0.0))
            for name, x in base.items()
        }
        some = sorted({*range(0, len(times), SPARSE), len(times) - 1})
        place = np.searchsorted(some, np.arange(len(times)))  # the next of these times
        few = [times[i] for i in some]
        rough = roughly(coordinates_of, data, few, step)
        for name in vary:
            changed = str(Decimal(data[name]) * (1 + CHANGE))
            other = roughly(coordinates_of, {**data, name: changed}, few, step)
            for column, total in found.items():
                apart = [float((x - y) / CHANGE) for x, y in zip(rough[column], other[column], strict=True)]
                total += HALF_UNIT * np.maximum.accumulate(np.abs(apart))[place]
        return found

    how = (
        f"First: {words}, integrated by collocation at Gauss points (order 16) with {digits} digits in decimal "
        "floating point."
    )
    return Derivations(first, second, effect, (how, second_words.format(digits)), ", ".join([*vary, "the time"]))


def roughly(
    coordinates_of: Callable[[Data], ByCoordinates], data: Mapping[str, str], times: Sequence[str], step: str
) -> Columns:
    """The columns of the first with few digits."""
    with localcontext(prec=COARSE + GUARD):
        made = coordinates_of({name: Decimal(value) for name, value in data.items()})
        moments = [Decimal(time) for time in times]
        states = integrate_second_order(made.acceleration, made.q, made.v, moments, Decimal(step), COARSE, stages=4)
        return columns_of([made.observe(t, *state) for t, state in zip(moments, states, strict=True)])


def columns_of(rows: Sequence[Mapping[str, Decimal]]) -> dict[str, list[Decimal]]:
    """Columns of rows."""
    return {name: [row[name] for row in rows] for name in rows[0]}


def _floats(columns: Columns) -> dict[str, np.ndarray]:
    return {name: np.array([float(x) for x in values]) for name, values in columns.items()}


def rounded(columns: Columns) -> dict[str, np.ndarray]:
    """The columns as doubles."""
    return _floats(columns)


def consistent_rates(constraints: Sequence[Jet], known: Mapping[int, Decimal]) -> Row:
    """The rates of all coordinates with ∇φ·q̇ = 0, given those of some; as many constraints as unknown rates, or more
    that agree."""
    n = len(constraints[0].g)
    unknown = [i for i in range(n) if i not in known]
    right = [-sum((phi.g[i] * rate for i, rate in known.items()), Decimal(0)) for phi in constraints]
    normal = [[sum((phi.g[i] * phi.g[k] for phi in constraints), Decimal(0)) for k in unknown] for i in unknown]
    side = [sum((phi.g[i] * r for phi, r in zip(constraints, right, strict=True)), Decimal(0)) for i in unknown]
    found = dict(zip(unknown, solve(normal, [side])[0], strict=True))
    return [known[i] if i in known else found[i] for i in range(n)]


def angle_of(sine: Decimal, cosine: Decimal) -> Decimal:
    """The angle with this sine and cosine, within half a turn."""
    import mpmath

    from grashof.precise.derivation import exact

    with mpmath.workdps(100):
        return exact(mpmath.atan2(mpmath.mpf(str(sine)), mpmath.mpf(str(cosine))))


def quaternion_of(rotation: Sequence[Sequence[Any]]) -> Row:
    """The unit quaternion of a rotation matrix, scalar first; not for half turns."""
    (a, b, c), (d, e, f), (g, h, i) = rotation
    w = (1 + a + e + i).sqrt() / 2
    return [w, (h - f) / (4 * w), (c - g) / (4 * w), (d - b) / (4 * w)]
