"""Judges one run, solely by positions and velocities of points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from campaign.engine import Machine, RunSettings, Seen
from campaign.structure import Array
from campaign.truth import ORDINARY, Truth
from grashof.program import Program

FACTOR = 1000.0
"""A run is wrong if its error, or that of its energy, exceeds its target by this factor."""

VISIBLE = 0.05
"""An error of this fraction of the length is wrong at any tolerance; where sensitivity allows more, nothing is
compared."""

OFF = 0.02
"""A structure has left its branch if it is at least this far, in lengths, from every position on it."""

SPARSELY = 5
"""One in this many of the examined steps is compared with the branch."""

BETWEEN = 10.0
"""An energy error between steps that is this many times the error at the steps cannot be caused by the steps."""


class Fate(Enum):
    """The outcome of a run; all but STOPPED and CRASHED had the status success."""

    RIGHT = "right"
    STOPPED = "stopped, and said so"
    WRONG = "wrong"
    BETWEEN = "wrong between steps"
    OFF_BRANCH = "off its branch"
    NOT_FINITE = "not finite"
    CRASHED = "an exception"


BAD = (Fate.WRONG, Fate.BETWEEN, Fate.OFF_BRANCH, Fate.NOT_FINITE, Fate.CRASHED)


@dataclass(frozen=True)
class Verdict:
    """A run, judged.

    error        largest distance from the correct motion, in lengths and speeds, divided by the sensitivity beyond the
                 ordinary
    energy       largest error of the energy divided by twice the largest kinetic energy
    aim          the reference for the error: the tolerance or, for a fixed step, the change caused by halving it, if
                 that is more
    message      of the status if stopped, of the exception if crashed
    doubt        largest ratio of the true error to the run's own estimate, if it has one
    seconds      processor time of the run and of judging it
    """

    seed: int
    family: str
    what: str
    task: RunSettings
    outcome: Fate
    error: float = float("nan")
    energy: float = float("nan")
    aim: float = float("nan")
    evaluations: int = 0
    message: str = ""
    doubt: float = float("nan")
    seconds: float = 0.0

    @property
    def excess(self) -> float:
        """The error in units of the aim."""
        return max(self.error, self.energy) / self.aim


def judge(seed: int, family: str, machine: Machine, program: Program, truth: Truth, task: RunSettings) -> Verdict:
    """Runs the program and judges the result."""
    verdict = Verdict(seed, family, truth.structure.name, task, Fate.CRASHED)
    try:
        seen = machine.run(program, task, truth.times)
        verdict = replace(verdict, evaluations=seen.steps.counters.evaluations)
        if not seen.steps.status.ok:
            return replace(verdict, outcome=Fate.STOPPED, message=str(seen.steps.status))
        aim = task.tol if task.step is None else max(task.tol, _halved(machine, program, truth, task, seen))
    except Exception as problem:  # whatever it is, it is a finding
        return replace(verdict, message=f"{type(problem).__name__}: {problem}")
    error, energy = _error(seen, truth), _drift(truth, seen.places, seen.rates)
    outcome = _outcome(seen, truth, aim, error, energy)
    return replace(verdict, outcome=outcome, error=float(error.max()), energy=float(energy.max()), aim=aim)


def _halved(machine: Machine, program: Program, truth: Truth, task: RunSettings, seen: Seen) -> float:
    """The change caused by halving the step: about 15/16 of the error of the step, where it is small enough for its
    order to apply."""
    assert task.step is not None
    finer = machine.run(program, replace(task, step=0.5 * task.step), truth.times)
    if not finer.steps.status.ok:
        return 0.0
    return float(_error(seen, replace(truth, places=finer.places, rates=finer.rates)).max())


def _error(seen: Seen, truth: Truth) -> Array:
    """The error of Verdict, at the judged times."""
    surplus = np.maximum(1.0, truth.sensitivity / ORDINARY)
    compared = VISIBLE * surplus < 0.5  # beyond, neighbouring motions have diverged
    result: Array = np.where(compared, truth.distance(seen.places, seen.rates) / surplus, 0.0)
    return result


def _drift(truth: Truth, places: Array, rates: Array) -> Array:
    result: Array = np.abs(truth.total(places, rates) - truth.energy) / (2.0 * truth.vigour)
    return result


def _outcome(seen: Seen, truth: Truth, aim: float, error: Array, energy: Array) -> Fate:
    bound, limit = min(FACTOR * aim, VISIBLE), OFF * truth.structure.length
    if not (np.isfinite(seen.places).all() and np.isfinite(seen.rates).all()):
        return Fate.NOT_FINITE
    if max(error.max(), energy.max()) <= bound:
        return Fate.RIGHT
    at_steps, rates = seen.at_steps
    if truth.distance(seen.places, seen.rates).max() > OFF and truth.deviation(at_steps[::SPARSELY]).max() > limit:
        return Fate.OFF_BRANCH
    # the last judged time is that of the last step
    drift = _drift(truth, at_steps, rates).max()
    if max(error[-1], drift) <= bound and energy.max() > BETWEEN * drift:
        return Fate.BETWEEN
    return Fate.WRONG
