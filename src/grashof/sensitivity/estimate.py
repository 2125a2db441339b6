"""Outputs and their derivatives, with errors estimated from two runs at different tolerances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grashof.integrate import Spacing
from grashof.sensitivity.motion import MotionWithDerivatives
from grashof.sensitivity.reductions import ReducedOutput, reduce_output
from grashof.sensitivity.runs import TIGHTEST, Runs
from grashof.simulation.accuracy import COARSER, first_tolerance, space_steps
from grashof.sweeps.outputs import Output, TimeOf

Array = np.ndarray

SAFETY, SHARED = 5.0, 0.3
"""The estimated error of the finer run is the first times the difference between the two runs. For each derivative of
an output it is at least the second times the largest of these errors, each scaled by the magnitude of its number,
because a single difference may be small by chance (docs/measurements.md)."""

TIGHTER, ROUNDS = 1.0 / 30.0, 3
"""If the estimated errors of derivatives exceed the tolerance, both runs are repeated with tolerances that are smaller
by the first factor. The second is the largest number of rounds."""

SEEN = 1e-3
"""The tolerance of derivatives is relative to the combined effect of all numbers on an output, each changed by its own
magnitude, or to this fraction of the magnitude of the output if that is larger."""

TINY = 1e-300
"""Avoids a division by zero if nothing moves."""

ROUNDING = 1e-14
"""Relative rounding error of the results of a few hundred steps."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """K outputs, their derivatives with respect to P numbers, and estimated errors.

    sizes    the largest magnitude along the run of the quantity that each output is computed from, (K,)
    doubts   for each output the reason to doubt it; empty if there is none
    """

    values: Array
    slopes: Array
    value_errors: Array
    slope_errors: Array
    sizes: Array
    doubts: tuple[str, ...]


def values_of(runs: Runs, outputs: Sequence[Output], motion: MotionWithDerivatives) -> list[ReducedOutput]:
    """The outputs of a run."""
    return [reduce_output(output, runs.place(output), motion) for output in outputs]


def estimate_outputs(runs: Runs, outputs: Sequence[Output]) -> Estimate | None:
    """The outputs at the nominal values.

    The tolerances of the runs are reduced until the derivatives satisfy the given tolerance, as far as possible.
    None if a run does not reach its end.
    """
    start, spacing = runs.starts.at(runs.opened.nominal), Spacing(parts=2)
    at = max(first_tolerance(runs.task, runs.method), TIGHTEST)
    best, least = None, np.inf
    for _ in range(ROUNDS):
        fine = runs.moved(start, at, spacing=spacing)
        coarse = runs.moved(start, COARSER * at, spacing=space_steps(spacing, COARSER, runs.method))
        if not (fine.steps.status.ok and coarse.steps.status.ok):
            break
        found = _compare_runs(runs, outputs, fine, coarse)
        error = _relative(found, runs.opened.scales)
        if best is None or error < least:
            best, least = found, error
        tighter = max(TIGHTER * at, TIGHTEST)
        if (
            error <= runs.task.tol or error > least or tighter > 0.5 * at
        ):  # near singular positions shorter steps may increase the error
            break
        at, spacing = tighter, space_steps(spacing, tighter / at, runs.method)
    return best


def _relative(found: Estimate, scales: Array) -> float:
    """The largest relative error of a derivative, for comparison with the tolerance."""
    effects = np.sum(np.abs(found.slopes) * scales, axis=1)
    worst = np.max(found.slope_errors * scales, axis=1)
    return float(np.max(worst / np.maximum(np.maximum(effects, SEEN * found.sizes), TINY)))


def _compare_runs(
    runs: Runs, outputs: Sequence[Output], fine: MotionWithDerivatives, coarse: MotionWithDerivatives
) -> Estimate:
    found, other = (values_of(runs, outputs, motion) for motion in (fine, coarse))
    values, coarser = (np.array([x.value for x in each]) for each in (found, other))
    slopes, coarser_slopes = (np.array([x.slopes for x in each]) for each in (found, other))
    differences, scales = np.abs(slopes - coarser_slopes), runs.opened.scales
    largest_difference = np.max(differences * scales, axis=1, keepdims=True)
    largest = np.max(np.abs(fine.on_grid.values), axis=0, initial=0.0)
    span = float(fine.steps.t[-1] - fine.steps.t[0])
    return Estimate(
        values,
        slopes,
        SAFETY * np.abs(values - coarser) + ROUNDING * np.abs(values),
        SAFETY * np.maximum(differences, SHARED * largest_difference / scales) + ROUNDING * np.abs(slopes),
        np.array([span if isinstance(x, TimeOf) else largest[runs.place(x)] for x in outputs]),
        tuple(x.doubt for x in found),
    )
