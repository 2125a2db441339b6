"""Whole turns of angles at the start, such that couplings hold: positions determine angles only up to whole turns."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product

import numpy as np

from grashof.formulation.natural.state import measure_parts
from grashof.formulation.natural.system import System
from grashof.model.couplings import CouplingBase
from grashof.model.measures import Measure

MET = 1e-6
"""A coupling's equation holds with given whole turns if its residual is below this many radians times its largest
factor."""

FARTHEST, MOST = 2, 3
"""Largest number of whole turns that is tried, and largest number of angles of a coupling, of which all but one are
varied."""


def value_of(system: System, measure: Measure, q: np.ndarray) -> float:
    """The value of a coordinate or distance (m), or of an angle within ±π (rad); the measure need not be one of the
    mechanism."""
    return float(measure.value([float(part.at(q)) for part in measure_parts(system, measure)]))


def with_turns(
    system: System, time: float, q: np.ndarray, angles: dict[str, float], fixed: Iterable[str]
) -> dict[str, float]:
    """The angles with whole turns added to those that are not fixed: as few as needed for each coupling to hold, or
    to come nearest to it."""
    angles, known = dict(angles), set(fixed)
    for row in system.couplings:
        names = [measure.name for measure, turn in zip(row.measures, row.turns, strict=True) if turn is not None]
        free = [name for name in names if name not in known]
        known.update(names)
        if free and not row.coupling.open:
            values = {measure.name: angles.get(measure.name, value_of(system, measure, q)) for measure in row.measures}
            with suppress(ArithmeticError, ValueError):  # if it has no value, whole turns do not help
                angles |= _with_whole_turns(row.coupling, time, values, free)
    return angles


def _with_whole_turns(
    coupling: CouplingBase, time: float, values: dict[str, float], free: Sequence[str]
) -> dict[str, float]:
    """The free values with whole turns."""
    slopes = dict(zip(values, coupling.slopes(list(values.values()), time), strict=True))
    turning = sorted((name for name in free if slopes[name]), key=lambda name: abs(slopes[name]))
    if not turning or not all(map(math.isfinite, slopes.values())):
        return {}
    last, *others = turning
    nearest: dict[str, float] = {}
    for counts in _counts(len(others[: MOST - 1])):
        turned = values | {name: values[name] + 2.0 * math.pi * k for name, k in zip(others, counts, strict=False)}
        missed = float(coupling.equation(list(turned.values()), time))
        turned[last] -= 2.0 * math.pi * round(missed / (2.0 * math.pi * slopes[last]))
        found = {name: turned[name] for name in turning}
        if abs(coupling.equation(list(turned.values()), time)) <= MET * max(map(abs, slopes.values())):
            return found
        nearest = nearest or found
    return nearest


def _counts(size: int) -> Iterator[tuple[int, ...]]:
    """Combinations of whole turns of this many angles, the fewest first."""
    yield from sorted(product(range(-FARTHEST, FARTHEST + 1), repeat=size), key=lambda counts: sum(map(abs, counts)))
