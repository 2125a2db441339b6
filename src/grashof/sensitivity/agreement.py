"""Checks of derivatives against runs that are made without derivatives."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from grashof.motion.trajectory import Trajectory
from grashof.sensitivity.estimate import TINY, Estimate, values_of
from grashof.sensitivity.runs import Runs
from grashof.simulation.accuracy import START
from grashof.sweeps.outputs import Output
from grashof.sweeps.scales import Scales

Array = np.ndarray

UNCERTAIN = 0.01
"""A derivative is doubtful if its estimated error exceeds this fraction of the combined effect of all numbers, each
changed by its own magnitude."""

MISSED = 100.0
"""The run with open numbers may differ from that of `simulate` by this many tolerances plus ten times the estimated
error of the latter."""

ROUNDING = 1e-10
"""It may also differ by this fraction of the mechanism's size, speed and energy: violations of joints are round-off, in
which no two programs agree."""

STRIDES = (1e-3, 1e-5)
"""Distances of nearby values, relative to the magnitudes of the numbers. The second is used if the outputs do not
change linearly over the first. If it is too large as well, the distance is chosen so that no output changes by more
than the first fraction of its own magnitude."""

DIFFERENCES = 1e-3
"""Tolerance of the runs with nearby values, relative to that of the other runs."""

AGREES = 1e-4
"""Differences agree with derivatives if they deviate, beyond their own errors, by less than this fraction of the sum
of all changes along the direction."""

STRAIGHT = 0.3
"""Differences over one distance and over half of it are comparable if they differ by less than this fraction."""


def end_difference(runs: Runs, run: Trajectory) -> str:
    """A sentence that says how the ends of the run with open numbers and of `simulate` differ; empty if they agree."""
    tol, opened = runs.task.tol, runs.opened
    motion = runs.plain(runs.starts.at(opened.nominal), START * tol)
    program, t = run.program, run.steps.t
    length = program.system.length
    speed = float(np.max(np.abs(run.steps.y[:, program.dynamics.layout.of_v]), initial=0.0))
    scales = Scales(*map(np.asarray, (length, speed, program.mass * speed**2, abs(t[-1] - t[0]))))
    for k, name in enumerate(opened.observes):
        values, end = motion.on_grid.values[:, k], float(run[name][-1])
        allowed = MISSED * tol * max(float(np.ptp(values)), abs(end)) + 10.0 * run.error_estimate(name)[-1]
        allowed += ROUNDING * float(scales.of(run.unit(name), np.asarray(0.0)))
        if not abs(values[-1] - end) <= allowed:
            return f"In the run with derivatives '{name}' ends at {values[-1]:.8g}, in the simulation at {end:.8g}."
    return ""


def uncertain(runs: Runs, outputs: Sequence[Output], found: Estimate) -> dict[str, str]:
    """Outputs whose derivatives have large estimated errors, each with a sentence that says so."""
    scales = runs.opened.scales
    effects, worst = np.sum(np.abs(found.slopes) * scales, axis=1), np.max(found.slope_errors * scales, axis=1)
    share = "The derivatives have an estimated error of {:.1%} of the combined effect of the numbers."
    return {
        str(output): share.format(worst[k] / effects[k])
        for k, output in enumerate(outputs)
        if not worst[k] <= UNCERTAIN * effects[k] + runs.task.tol * found.sizes[k]
    }


def contradicted_outputs(runs: Runs, outputs: Sequence[Output], found: Estimate) -> dict[str, str]:
    """Outputs whose derivatives are contradicted by runs with nearby values, each with a sentence that says so."""

    def values_at(moved: Array) -> Array | None:
        start = runs.starts.at(runs.opened.nominal + moved)
        motion = runs.plain(start, DIFFERENCES * runs.task.tol) if start.placed else None
        if motion is None or not motion.steps.status.ok:
            return None
        return np.array([x.value for x in values_of(runs, outputs, motion)])

    noise = 10.0 * DIFFERENCES * runs.task.tol * found.sizes
    sentences = contradictions(values_at, runs.opened.scales, found, noise)
    return {str(output): sentence for output, sentence in zip(outputs, sentences, strict=True) if sentence}


def contradictions(
    values_at: Callable[[Array], Array | None], scales: Array, found: Estimate, noise: Array
) -> tuple[str, ...]:
    """Compares derivatives with differences along one random direction.

    Returns a sentence for each of K outputs, which is empty if the two agree.

    values_at   outputs (K,) after a change of the numbers; None if the run fails
    scales      magnitudes of the numbers (P,)
    noise       errors of the outputs (K,)
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
        near = "With nearby values the mechanism cannot be assembled, or the run does not reach its end."
        return (near,) * len(found.values)
    one, minus_one, half, minus_half = (np.asarray(x) for x in ends)
    whole, halves = 0.5 * (one - minus_one), half - minus_half
    limit, expected = (4.0 * halves - whole) / 3.0, found.slopes @ way
    changes = np.abs(found.slopes) @ np.abs(way)
    allowed = np.abs(halves - whole) + found.slope_errors @ np.abs(way) + AGREES * changes + noise
    bent = np.abs(halves - whole) > STRAIGHT * np.maximum(np.abs(halves), changes) + noise
    wrong = bent | ~(np.abs(limit - expected) <= allowed)
    return tuple(
        f"Runs with nearby values change it by {a:.6g}, but the derivatives predict {b:.6g}: a force may jump, or an "
        "event or a singular position may be near."
        if is_wrong
        else ""
        for a, b, is_wrong in zip(limit, expected, wrong, strict=True)
    )
