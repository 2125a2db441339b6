"""Outputs of one run (see `grashof.sweeps.outputs`), each with its derivatives.

For a quantity g(t, p), the derivative of an extreme at t* is ∂g/∂p at t*, because there ∂g/∂t is zero or t* is an end
of the run, which does not move. The derivative of t* itself is −(∂ġ/∂p)/g̈.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.sensitivity.motion import PARTS, MotionSamples, MotionWithDerivatives
from grashof.sweeps.curves import MEAN
from grashof.sweeps.outputs import At, Extreme, Mean, Output, TimeOf, read_output

Array = np.ndarray

ROUNDS, CLOSE = 8, 1e-10
"""Largest number of secant steps for the time of an extreme, which has converged when it changes by less than the
second, as a fraction of an interval."""

RIVALS = 4
"""Largest number of equal extremes that are compared."""

CURVED = 0.1
"""Time difference over which rates are compared to find the curvature, in units of the shortest step."""

STILL = 1e-11
"""A quantity whose range is below this fraction of its magnitude is constant up to round-off."""

TIED = 1e-7
"""Two extremes that differ by less than this fraction of the range of the quantity count as equal."""

ALIKE, TINY = 1e-3, 1e-12
"""Derivatives of equal extremes count as equal if they differ by less than the first (relative) or the second
(absolute)."""


@dataclass(frozen=True, eq=False)
class ReducedOutput:
    """A number and its derivatives with respect to P parameters, and the reason if these are doubtful."""

    value: float
    slopes: Array
    doubt: str = ""


def single(text: str) -> Output:
    """The single-valued output that a text describes; the name of a quantity means its value at the end of the run.

    >>> str(single("crank.angle")), str(single("max rod.end.y"))
    ('crank.angle at end', 'max rod.end.y')
    """
    output = parse_output(text) or read_output(f"{text} at end")
    if not isinstance(output, At | Extreme | TimeOf | Mean):
        raise ModelError(
            f"'{output}' cannot be differentiated; possible outputs are 'crank.angle at end', 'max …', 'min "
            "…', 'peak …', 'time of max …' and 'mean …'."
        )
    return output


def parse_output(text: str) -> Output | None:
    """The output that a text describes; None if it may be just the name of a quantity."""
    try:
        return read_output(text)
    except ModelError:
        return None


def quantities_of(outputs: Iterable[Output]) -> list[str]:
    """The quantities from which outputs are computed, each once."""
    return list(dict.fromkeys(name for output in outputs for name in output.quantities(None)))


def check_times(outputs: Iterable[Output], begin: float, end: float) -> None:
    """Raises ModelError if the time of an output is outside the run."""
    for output in outputs:
        if isinstance(output, At) and output.time is not None and not begin <= output.time <= end:
            raise ModelError(
                f"Output '{output}': its time is outside the run, which lasts from {begin:g} s to {end:g} s."
            )


def reduce_output(output: Output, place: int, motion: MotionWithDerivatives) -> ReducedOutput:
    """The value of an output along a run; `place` is the index of its quantity among those observed."""
    if isinstance(output, At):
        here = motion.exactly_at(float(motion.steps.t[-1]) if output.time is None else output.time)
        return ReducedOutput(float(here.values[0, place]), here.slopes[0, :, place])
    if isinstance(output, Mean):
        return _mean(motion.on_grid, place)
    assert isinstance(output, Extreme | TimeOf)
    when = isinstance(output, TimeOf)
    if output.kind != "peak":
        return _extreme(motion, place, 1.0 if output.kind == "max" else -1.0, when)
    return _peak(motion, place, when)


def _mean(samples: MotionSamples, place: int) -> ReducedOutput:
    """∫ g dt / T, with the polynomials of degree 9 through values and rates in each step that sweeps use, too (see
    `sweeps.curves`)."""
    count = len(PARTS)

    def integral(g: Array, rate: Array) -> Array:
        h = np.diff(samples.t[::count]).reshape(-1, *[1] * (g.ndim - 1))
        given = [x[j::count][: len(h)] for x in (g, rate) for j in range(count + 1)]
        values, rates = given[: count + 1], given[count + 1 :]
        mean = sum(w * x for w, x in zip(MEAN, [*values, *(0.5 * h * r for r in rates)], strict=True))
        return np.asarray(np.sum(h * mean, axis=0) / (samples.t[-1] - samples.t[0]))

    value = integral(samples.values[:, place], samples.rates[:, place])
    return ReducedOutput(float(value), integral(samples.slopes[:, :, place], samples.rate_slopes[:, :, place]))


def _peak(motion: MotionWithDerivatives, place: int, when: bool) -> ReducedOutput:
    """The largest magnitude of g, or the time at which it is reached."""
    high, low = _extreme(motion, place, 1.0, False), _extreme(motion, place, -1.0, False)
    sign = 1.0 if high.value >= -low.value else -1.0
    found = _extreme(motion, place, sign, True) if when else high if sign > 0.0 else low
    tied = abs(high.value + low.value) <= TIED * (high.value - low.value)
    doubt = found.doubt
    if tied and (when or not _alike(np.array([high.slopes, -low.slopes]))):
        doubt = (
            "The largest and the smallest value have the same magnitude: which of them is the peak may change with "
            "a parameter."
        )
    return ReducedOutput(
        found.value if when else sign * found.value, found.slopes if when else sign * found.slopes, doubt
    )


def _alike(slopes: Array) -> bool:
    """Whether equal extremes (rows) have equal derivatives."""
    return bool(np.all(np.ptp(slopes, axis=0) <= ALIKE * np.max(np.abs(slopes), axis=0) + TINY))


def _extreme(motion: MotionWithDerivatives, place: int, sign: float, when: bool) -> ReducedOutput:
    """The value of g where sign · g is largest, or the time of that maximum."""
    grid = motion.on_grid
    times, heights, cells = _peaks(grid.t, sign * grid.values[:, place], sign * grid.rates[:, place])
    order = np.argsort(-heights, kind="stable")
    tied = order[heights[order] >= heights[order[0]] - TIED * float(np.ptp(grid.values[:, place]))][:RIVALS]
    peaks = [_at_peak(motion, place, float(times[k]), int(cells[k])) for k in tied]
    best = max(peaks, key=lambda peak: sign * peak.values[0, place])
    slopes = np.array([peak.slopes[0, :, place] for peak in peaks])
    doubt = ""
    if len(peaks) > 1 and (when or not _alike(slopes)):
        first, second = sorted(float(peak.t[0]) for peak in peaks)[:2]
        doubt = (
            f"It is reached at t = {first:.6g} s and at t = {second:.6g} s: which of them is the extreme may "
            "change with a parameter."
        )
    if not when:
        return ReducedOutput(float(best.values[0, place]), best.slopes[0, :, place], doubt)
    time = float(best.t[0])
    still = np.ptp(grid.values[:, place]) <= STILL * np.max(np.abs(grid.values[:, place]))
    if time in (grid.t[0], grid.t[-1]) and not still:  # the ends do not move
        return ReducedOutput(time, np.zeros(slopes.shape[1]), doubt)
    curvature = 0.0 if still else _curvature(motion, place, time)
    if curvature == 0.0:
        flat = f"It is constant near t = {time:g} s, so the time of its extreme is not defined."
        return ReducedOutput(time, np.full(slopes.shape[1], np.nan), flat)
    return ReducedOutput(time, -best.rate_slopes[0, :, place] / curvature, doubt)


def _at_peak(motion: MotionWithDerivatives, place: int, time: float, cell: int) -> MotionSamples:
    """All quantities where the rate of g is zero in an interval of the grid, by the secant method.

    For cell −1, the end of the run at that time.
    """
    here = motion.exactly_at(time)
    if cell < 0:
        return here
    grid = motion.on_grid
    begin, end = float(grid.t[cell]), float(grid.t[cell + 1])
    curvature = (grid.rates[cell + 1, place] - grid.rates[cell, place]) / (end - begin)
    for _ in range(ROUNDS):
        if curvature == 0.0:  # g is constant there
            break
        later = float(np.clip(time - here.rates[0, place] / curvature, begin, end))
        if abs(later - time) < CLOSE * (end - begin):
            break
        there = motion.exactly_at(later)
        curvature = (there.rates[0, place] - here.rates[0, place]) / (later - time)
        time, here = later, there
    return here


def _curvature(motion: MotionWithDerivatives, place: int, time: float) -> float:
    """g̈ by fourth-order differences of the rate."""
    h = CURVED * float(np.min(np.diff(motion.steps.t)[np.diff(motion.steps.t) > 0.0]))
    h = min(h, 0.5 * (time - motion.steps.t[0]), 0.5 * (motion.steps.t[-1] - time))
    rates = [motion.exactly_at(time + k * h).rates[0, place] for k in (2, 1, -1, -2)]
    return float((8.0 * (rates[1] - rates[2]) - (rates[0] - rates[3])) / (12.0 * h))


def _peaks(t: Array, g: Array, rate: Array) -> tuple[Array, Array, Array]:
    """The local maxima of g: their times, values on the cubics between samples, and intervals (−1 for an end).

    The time is where the linear interpolation of the rates is zero.
    """
    inside = np.flatnonzero((rate[:-1] > 0.0) & (rate[1:] <= 0.0))
    h = np.diff(t)[inside]
    part = rate[inside] / (rate[inside] - rate[inside + 1])
    begin, slope, rise, end_slope = g[inside], h * rate[inside], np.diff(g)[inside], h * rate[inside + 1]
    square, cube = 3.0 * rise - 2.0 * slope - end_slope, slope + end_slope - 2.0 * rise
    values = begin + part * (slope + part * (square + part * cube))
    ends = [i for i, outward in ((0, -rate[0]), (-1, rate[-1])) if outward > 0.0 or not inside.size]
    times = np.concatenate([t[inside] + part * h, t[ends]])
    cells = np.concatenate([inside, np.full(len(ends), -1)])
    return times, np.concatenate([values, g[ends]]), cells.astype(int)
