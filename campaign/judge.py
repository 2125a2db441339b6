"""The judgement of one run, by nothing but positions and velocities of points."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np

from campaign.engine import Machine, RunSettings, Seen
from campaign.structure import Array
from campaign.truth import ORDINARY, Truth
from grashof.program import Program

FACTOR = 1000.0
"""A run is wrong if its error, or its energy's, exceeds so many times what it aims at."""

VISIBLE = 0.05
"""An error of this part of the length is wrong at any tolerance; where sensitivity allows more, nothing is compared."""

OFF = 0.02
"""A structure that is so far, in lengths, from every position on its branch has left it."""

SPARSELY = 5
"""Every so many of the steps looked at are compared with the branch."""

BETWEEN = 10.0
"""So many times its error at steps, the energy's error between them cannot come from the steps."""


class Fate(Enum):
    """What became of a run; all but STOPPED and CRASHED had the status success."""

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

    error        largest distance from the right motion, in lengths and speeds, over sensitivity beyond the ordinary
    energy       largest error of the energy over twice the largest kinetic energy
    aim          what the error is measured by: the tolerance or, of a fixed step, what halving it changes, if that is more
    message      of the status if stopped, of the exception if crashed
    doubt        largest true error over what the run itself estimates it to be, if it does
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

    @property
    def excess(self) -> float:
        """The error in units of the aim."""
        return max(self.error, self.energy) / self.aim


def judge(seed: int, family: str, machine: Machine, program: Program, truth: Truth, task: RunSettings) -> Verdict:
    """Runs, and judges."""
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
    """What half the step changes: about 15/16 of the error that the step makes, where it is not too large for its order."""
    assert task.step is not None
    finer = machine.run(program, replace(task, step=0.5 * task.step), truth.times)
    if not finer.steps.status.ok:
        return 0.0
    return float(_error(seen, replace(truth, places=finer.places, rates=finer.rates)).max())


def _error(seen: Seen, truth: Truth) -> Array:
    """The error of Verdict, at the judged times."""
    surplus = np.maximum(1.0, truth.sensitivity / ORDINARY)
    compared = VISIBLE * surplus < 0.5  # beyond, neighbouring motions have parted
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
