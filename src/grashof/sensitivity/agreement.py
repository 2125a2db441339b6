"""Whether derivatives are to be believed: runs that know nothing of them have to agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from grashof.sensitivity.estimate import FINE, TINY, Estimate, values_of
from grashof.sensitivity.runs import Runs
from grashof.sweeps.outputs import Output
from grashof.trajectory import Trajectory

Array = np.ndarray

UNCERTAIN = 0.01
"""A derivative whose estimated error is a larger part of what all numbers together do to the output, by their own sizes, is in doubt."""

MISSED = 100.0
"""The runs with numbers left open and without may differ by this many tolerances, and by ten times what the latter errs."""

STRIDES = (1e-3, 1e-5)
"""How far values next to the given ones are, relative to their sizes: the second is used where the first is too far for a straight line. And if that is so again, so far that
no output changes by more than the first of its own size."""

DIFFERENCES = 1e-3
"""The tolerance of the runs with these values, relative to that of the others."""

AGREES = 1e-4
"""Differences agree with derivatives up to this part of the sum of all changes along the direction, beside what they err themselves."""

STRAIGHT = 0.3
"""Differences over one stride and over half of it are comparable if they differ by less than this part."""


def missed(runs: Runs, run: Trajectory) -> str:
    """By how much the end of the run with numbers left open misses that of the run without, as a sentence; nothing if they agree."""
    tol, opened = runs.task.tol, runs.opened
    motion = runs.plain(runs.starts.at(opened.nominal), FINE * tol)
    for k, name in enumerate(opened.observes):
        values, end = motion.on_grid.values[:, k], float(run[name][-1])
        allowed = MISSED * tol * max(float(np.ptp(values)), abs(end)) + 10.0 * run.error_estimate(name)[-1]
        if not abs(values[-1] - end) <= allowed:
            return f"With numbers left open, '{name}' ends at {values[-1]:.8g}, without at {end:.8g}."
    return ""


def uncertain(runs: Runs, outputs: Sequence[Output], found: Estimate) -> dict[str, str]:
    """Outputs whose derivatives have large estimated errors, each with a sentence."""
    scales = runs.opened.structure.scales
    effects, worst = np.sum(np.abs(found.slopes) * scales, axis=1), np.max(found.slope_errors * scales, axis=1)
    return {
        str(output): f"The derivatives are known to {worst[k] / effects[k]:.1%} of what the numbers do to it."
        for k, output in enumerate(outputs)
        if not worst[k] <= UNCERTAIN * effects[k] + runs.task.tol * found.sizes[k]
    }


def contradicted(runs: Runs, outputs: Sequence[Output], found: Estimate) -> dict[str, str]:
    """Outputs whose derivatives are contradicted by runs with values next to the given ones, each with a sentence."""

    def values_at(moved: Array) -> Array | None:
        start = runs.starts.at(runs.opened.nominal + moved)
        motion = runs.plain(start, DIFFERENCES * runs.task.tol) if start.placed else None
        if motion is None or not motion.steps.status.ok:
            return None
        return np.array([x.value for x in values_of(runs, outputs, motion)])

    noise = 10.0 * DIFFERENCES * runs.task.tol * found.sizes
    sentences = contradictions(values_at, runs.opened.structure.scales, found, noise)
    return {str(output): sentence for output, sentence in zip(outputs, sentences, strict=True) if sentence}


def contradictions(
    values_at: Callable[[Array], Array | None], scales: Array, found: Estimate, noise: Array
) -> tuple[str, ...]:
    """What contradicts derivatives along one random direction, a sentence for each of K outputs; empty where nothing does.

    values_at   outputs (K,) where numbers moved by so much; None if there is no run
    scales      the sizes of the numbers (P,)
    noise       what the outputs err (K,)
    """
    signs = np.random.default_rng(0).choice([-1.0, 1.0], len(scales))
    effects = np.sum(np.abs(found.slopes) * scales, axis=1)
    gentle = STRIDES[0] * float(np.min(found.sizes / np.maximum(effects, TINY)))
    sentences: tuple[str, ...] = ()
    for stride in (*STRIDES, *([gentle] if gentle < STRIDES[1] else [])):
        sentences = _along(values_at, stride * signs * scales, found, noise)
        if not any(sentences):
            break
    return sentences


def _along(values_at: Callable[[Array], Array | None], way: Array, found: Estimate, noise: Array) -> tuple[str, ...]:
    ends = [values_at(part * way) for part in (1.0, -1.0, 0.5, -0.5)]
    if any(x is None for x in ends):
        near = "With values nearby the mechanism cannot be assembled, or does not get to the end of the run."
        return (near,) * len(found.values)
    one, minus_one, half, minus_half = (np.asarray(x) for x in ends)
    whole, halves = 0.5 * (one - minus_one), half - minus_half
    limit, expected = (4.0 * halves - whole) / 3.0, found.slopes @ way
    changes = np.abs(found.slopes) @ np.abs(way)
    allowed = np.abs(halves - whole) + found.slope_errors @ np.abs(way) + AGREES * changes + noise
    bent = np.abs(halves - whole) > STRAIGHT * np.maximum(np.abs(halves), changes) + noise
    wrong = bent | ~(np.abs(limit - expected) <= allowed)
    return tuple(
        f"Runs with values nearby change it by {a:.6g} where the derivatives say {b:.6g}: a force may jump, or an event or a singular "
        "position lie near."
        if is_wrong
        else ""
        for a, b, is_wrong in zip(limit, expected, wrong, strict=True)
    )
