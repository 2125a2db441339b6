"""The expected values at the times of a result file: the certified reference, interpolated between the official
times."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from grashof.problems.base import Case
from grashof.references import Reference, reference_for

POINTS = 16
FEWER = 12
CAUTION = 4.0
"""Number of neighbouring official times that are interpolated, a smaller number to estimate the error by comparison,
and a safety factor for that estimate."""
DOUBLES = 1e-12
"""Assumed relative error of an independent solution in double precision; those of the problems claim less."""
SAME = 1e-6
"""Fraction of an official step within which a time counts as official: times are often sums of steps."""
_ROWS = 1 << 13
"""Rows interpolated at a time, so that intermediate results stay in the cache."""


def reference_of(case: Case) -> Reference:
    """The stored reference or, if there is none, the problem's independent solution at the official times."""
    return reference_for(case) or solution_of(case, case.times(case.t_end), DOUBLES)


def solution_of(case: Case, times: np.ndarray, bar: float) -> Reference:
    """The problem's independent solution at times [s] as a reference, with an error bar relative to a column's
    largest magnitude."""
    columns = case.reference(times)
    return Reference(
        problem=case.problem,
        variant=case.variant,
        parameters=case.parameters,
        times=times,
        columns=columns,
        bars={name: np.full(len(times), bar * np.max(np.abs(values))) for name, values in columns.items()},
        until=float(times[-1]),
        provenance=(
            "The problem's independent solution in double precision, calculated for this comparison; no "
            "reference is stored.",
        ),
    )


@dataclass(frozen=True)
class Expected:
    """A reference at given times: values and error bars by column, and which of the times are official."""

    values: Mapping[str, np.ndarray]
    bars: Mapping[str, np.ndarray]
    official: np.ndarray


def expected_at(reference: Reference, times: np.ndarray) -> Expected:
    """The reference at its own times, or interpolated between them if they are evenly spaced.

    Between official times it is the polynomial through the nearest `POINTS` of them. The error bar there is that of the
    next official time plus `CAUTION` times the difference from the polynomial through `FEWER` of them, taken halfway
    between official times as the largest of this gap and its neighbours, and reduced next to an official time. Where
    the motion is fast compared with the official step, as in Andrews' squeezer, convergence with the number of points
    is slow, and the difference alone would be too optimistic.
    """
    grid = reference.times
    if np.array_equal(times, grid):
        return Expected(reference.columns, reference.bars, np.ones(len(grid), bool))
    place = (times - grid[0]) / (grid[1] - grid[0])
    nearest = np.clip(np.rint(place).astype(int), 0, len(grid) - 1)
    aside = np.abs(place - nearest)
    off = aside > 1e-11
    between = place[off]
    gap = np.clip(np.floor(between).astype(int), 0, len(grid) - 2)
    # the product of the distances to all points, relative to that halfway, is at most this (attained at the ends of the
    # grid)
    share = np.minimum(POINTS * aside[off], 1.0)
    values = {name: column[nearest] for name, column in reference.columns.items()}
    bars = {name: reference.bars[name][nearest] for name in values}
    if between.size:
        columns = np.array(list(reference.columns.values()))
        middles = np.arange(len(grid) - 1) + 0.5
        doubt = np.abs(_through(columns, middles, POINTS) - _through(columns, middles, FEWER))
        doubt = np.pad(doubt, ((0, 0), (1, 1)), "edge")
        doubt = np.max([doubt[:, :-2], doubt[:, 1:-1], doubt[:, 2:]], axis=0)
        for name, found, own in zip(values, _through(columns, between, POINTS), doubt, strict=True):
            values[name][off] = found
            bars[name][off] = reference.bars[name][gap + 1] + CAUTION * own[gap] * share
    return Expected(values, bars, aside <= SAME)


def _through(columns: np.ndarray, place: np.ndarray, points: int) -> np.ndarray:
    """The polynomials through the nearest points of columns (C, n), at places (P,) that are not whole numbers: (C, P).

    This is the barycentric formula; evenly spaced points have the weights (−1)ʲ C(points − 1, j) (J.-P. Berrut, L.
    Trefethen, SIAM Review 46, 2004, section 5).
    """
    numbers = np.arange(points)
    weights = np.array([(-1.0) ** j * comb(points - 1, j) for j in range(points)])
    nearby = sliding_window_view(columns, points, axis=1)
    found = np.empty((len(columns), len(place)))
    for start in range(0, len(place), _ROWS):
        rows = slice(start, start + _ROWS)
        here = place[rows]
        first = np.clip(np.floor(here).astype(int) - points // 2 + 1, 0, nearby.shape[1] - 1)
        shares = weights / ((here - first)[:, None] - numbers)
        shares /= np.sum(shares, 1, keepdims=True)
        for column, values in zip(nearby, found, strict=True):
            np.einsum("rp,rp->r", shares, column[first], out=values[rows])
    return found
