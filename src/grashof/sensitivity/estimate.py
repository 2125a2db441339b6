"""Outputs and their derivatives, with errors that two runs at different tolerances tell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from grashof.sensitivity.motion import Motion
from grashof.sensitivity.reductions import Found, reduced
from grashof.sensitivity.runs import Runs
from grashof.sweeps.outputs import Output, TimeOf

Array = np.ndarray

FINE, COARSE = 0.3, 3.0
"""Parts of the tolerance that the two runs are made with."""

SAFETY, SHARED = 5.0, 0.3
"""The estimated error of the finer one is their difference times the first. For each derivative of an output it is at least the second times the largest among them, each by the size of
its number: the difference of one alone may be small by luck (docs/measurements.md)."""

TIGHTER, ROUNDS = 1.0 / 30.0, 3
"""Where the estimated errors of derivatives exceed the tolerance, both runs are made again with smaller tolerances, so often at most."""

SEEN = 1e-3
"""Derivatives are held to the tolerance relative to what all numbers together do to an output by their own sizes, or to this part of its own size if that is larger."""

TINY = 1e-300
"""No division by zero where nothing moves."""

ROUNDING = 1e-14
"""Of results of some hundred steps, relatively."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """K outputs, their derivatives with respect to P numbers, and estimated errors.

    sizes    of the quantities that the outputs are made of: the largest magnitude along the run, (K,)
    doubts   one for each output; empty if there is none
    """

    values: Array
    slopes: Array
    value_errors: Array
    slope_errors: Array
    sizes: Array
    doubts: tuple[str, ...]


def values_of(runs: Runs, outputs: Sequence[Output], motion: Motion) -> list[Found]:
    """The outputs of a run."""
    return [reduced(output, runs.place(output), motion) for output in outputs]


def estimated(runs: Runs, outputs: Sequence[Output]) -> Estimate | None:
    """The outputs at the nominal values, with tolerances so small that derivatives are known to the one asked for, if that can be.

    None if a run does not get to its end.
    """
    start, at = runs.starts.at(runs.opened.nominal), runs.task.tol
    best, least = None, np.inf
    for _ in range(ROUNDS):
        fine, coarse = (runs.moved(start, part * at) for part in (FINE, COARSE))
        if not (fine.steps.status.ok and coarse.steps.status.ok):
            break
        found = _compared(runs, outputs, fine, coarse)
        error = _relative(found, runs.opened.structure.scales)
        if best is None or error < least:
            best, least = found, error
        if error <= runs.task.tol or error > least:  # near singular positions shorter steps may be worse
            break
        at *= TIGHTER
    return best


def _relative(found: Estimate, scales: Array) -> float:
    """The largest error of a derivative, as it is held to the tolerance."""
    effects = np.sum(np.abs(found.slopes) * scales, axis=1)
    worst = np.max(found.slope_errors * scales, axis=1)
    return float(np.max(worst / np.maximum(np.maximum(effects, SEEN * found.sizes), TINY)))


def _compared(runs: Runs, outputs: Sequence[Output], fine: Motion, coarse: Motion) -> Estimate:
    found, other = (values_of(runs, outputs, motion) for motion in (fine, coarse))
    values, coarser = (np.array([x.value for x in each]) for each in (found, other))
    slopes, coarser_slopes = (np.array([x.slopes for x in each]) for each in (found, other))
    differences, scales = np.abs(slopes - coarser_slopes), runs.opened.structure.scales
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
