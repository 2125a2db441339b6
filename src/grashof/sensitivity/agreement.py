"""Whether derivatives are to be believed: runs that know nothing of them have to agree."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.sensitivity.estimate import FINE, TIGHTEST, Estimate, values_of
from grashof.sensitivity.study import Study
from grashof.sweeps.outputs import Output
from grashof.trajectory import Trajectory

Array = np.ndarray

UNCERTAIN = 0.01
"""A derivative whose estimated error is a larger part of what all numbers together do to the output, by their own sizes, is in doubt."""

MISSED = 100.0
"""The runs with numbers left open and without may differ by this many tolerances, and by ten times what the latter errs."""

STRIDES = (1e-3, 1e-5)
"""How far values next to the given ones are, relative to their sizes: the second is used where the first is too far for a straight line."""

DIFFERENCES = 1e-3
"""The tolerance of the runs with these values, relative to that of the others."""

AGREES = 1e-4
"""Differences agree with derivatives up to this part of the sum of all changes along the direction, beside what they err themselves."""

STRAIGHT = 0.3
"""Differences over one stride and over half of it are comparable if they differ by less than this part."""


def missed(study: Study, run: Trajectory) -> str:
    """By how much the end of the run with numbers left open misses that of the run without, as a sentence; nothing if they agree."""
    tol, opened = study.task.tol, study.opened
    motion = study.plain(study.starts.at(opened.nominal), FINE * tol)
    for k, name in enumerate(opened.observes):
        values, end = motion.on_grid.values[:, k], float(run[name][-1])
        allowed = MISSED * tol * max(float(np.ptp(values)), abs(end)) + 10.0 * run.error_estimate(name)[-1]
        if not abs(values[-1] - end) <= allowed:
            return f"With numbers left open, '{name}' ends at {values[-1]:.8g}, without at {end:.8g}."
    return ""


def uncertain(study: Study, outputs: Sequence[Output], found: Estimate) -> dict[str, str]:
    """Outputs whose derivatives have large estimated errors, each with a sentence."""
    scales = study.opened.structure.scales
    effects, worst = np.sum(np.abs(found.slopes) * scales, axis=1), np.max(found.slope_errors * scales, axis=1)
    return {
        str(output): f"The derivatives are known to {worst[k] / effects[k]:.1%} of what the numbers do to it."
        for k, output in enumerate(outputs)
        if worst[k] > UNCERTAIN * effects[k] + study.task.tol * found.sizes[k]
    }


def contradicted(study: Study, outputs: Sequence[Output], found: Estimate) -> dict[str, str]:
    """Outputs whose derivatives are contradicted by runs with values next to the given ones, along one random direction."""
    scales = study.opened.structure.scales
    signs = np.random.default_rng(0).choice([-1.0, 1.0], len(scales))
    doubts: dict[str, str] = {}
    for stride in STRIDES:
        doubts = _along(study, outputs, found, stride * signs * scales)
        if not doubts:
            break
    return doubts


def _along(study: Study, outputs: Sequence[Output], found: Estimate, way: Array) -> dict[str, str]:
    ends = [_values_at(study, outputs, part * way) for part in (1.0, -1.0, 0.5, -0.5)]
    if any(x is None for x in ends):
        near = "With values nearby the mechanism cannot be assembled, or does not get to the end of the run."
        return dict.fromkeys(map(str, outputs), near)
    one, minus_one, half, minus_half = (np.asarray(x) for x in ends)
    whole, halves = 0.5 * (one - minus_one), half - minus_half
    limit, expected = (4.0 * halves - whole) / 3.0, found.slopes @ way
    changes = np.abs(found.slopes) @ np.abs(way)
    noise = 10.0 * DIFFERENCES * study.task.tol * found.sizes
    allowed = np.abs(halves - whole) + found.slope_errors @ np.abs(way) + AGREES * changes + noise
    bent = np.abs(halves - whole) > STRAIGHT * np.maximum(np.abs(halves), changes) + noise
    return {
        str(output): (
            f"Runs with values nearby change it by {limit[k]:.6g} where the derivatives say {expected[k]:.6g}: a force may jump, or an "
            "event or a singular position lie near."
        )
        for k, output in enumerate(outputs)
        if bent[k] or not abs(limit[k] - expected[k]) <= allowed[k]
    }


def _values_at(study: Study, outputs: Sequence[Output], moved: Array) -> Array | None:
    """The outputs with values next to the given ones; None if there is no run."""
    start = study.starts.at(study.opened.nominal + moved)
    if not start.placed:
        return None
    motion = study.plain(start, max(DIFFERENCES * study.task.tol, TIGHTEST))
    if not motion.steps.status.ok:
        return None
    return np.array([x.value for x in values_of(study, outputs, motion)])
