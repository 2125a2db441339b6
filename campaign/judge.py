"""The judgement of one run, by nothing but positions and velocities of points."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import numpy as np

from campaign.engine import Machine, Seen
from campaign.truth import ORDINARY, Truth
from grashof.program import Program

FACTOR = 1000.0
"""A run is wrong if its error, or its energy's, exceeds so many tolerances."""

VISIBLE = 0.05
"""An error of this part of the length is wrong at any tolerance; where sensitivity allows more, nothing is compared."""

OFF = 0.02
"""A structure that is so far, in lengths, from every position on its branch has left it."""


class Outcome(Enum):
    """What became of a run."""

    RIGHT = "right"
    STOPPED = "stopped, and said so"
    WRONG = "wrong, with status success"
    OFF_BRANCH = "off its branch, with status success"
    NOT_FINITE = "not finite, with status success"
    CRASHED = "an exception"


BAD = (Outcome.WRONG, Outcome.OFF_BRANCH, Outcome.NOT_FINITE, Outcome.CRASHED)


@dataclass(frozen=True)
class Verdict:
    """A run, judged.

    error        largest distance from the right motion, in lengths and speeds, over sensitivity beyond the ordinary
    energy       largest error of the energy over twice the largest kinetic energy
    message      of the status if stopped, of the exception if crashed
    """

    seed: int
    family: str
    what: str
    tol: float
    outcome: Outcome
    error: float = float("nan")
    energy: float = float("nan")
    evaluations: int = 0
    message: str = ""

    @property
    def excess(self) -> float:
        """The error in tolerances."""
        return max(self.error, self.energy) / self.tol


def judge(seed: int, family: str, machine: Machine, program: Program, truth: Truth, tol: float) -> Verdict:
    """Runs once, and judges."""
    what = truth.structure.name
    try:
        seen = machine.run(program, tol, truth.times)
    except Exception as problem:  # whatever it is, it is a finding
        return Verdict(seed, family, what, tol, Outcome.CRASHED, message=f"{type(problem).__name__}: {problem}")
    evaluations = seen.steps.counters.evaluations
    if not seen.steps.status.ok:
        message = str(seen.steps.status)
        return Verdict(seed, family, what, tol, Outcome.STOPPED, evaluations=evaluations, message=message)
    error, energy = _errors(seen, truth)
    outcome = _outcome(seen, truth, tol, error, energy)
    return Verdict(seed, family, what, tol, outcome, error, energy, evaluations)


def _errors(seen: Seen, truth: Truth) -> tuple[float, float]:
    """The two errors of Verdict."""
    surplus = np.maximum(1.0, truth.sensitivity / ORDINARY)
    distance = truth.distance(seen.places, seen.rates) / surplus
    compared = VISIBLE * surplus < 0.5  # beyond, neighbouring motions have parted
    drift = np.abs(truth.total(seen.places, seen.rates) - truth.energy) / (2.0 * truth.vigour)
    return float(np.max(distance[compared], initial=0.0)), float(np.max(drift))


def _outcome(seen: Seen, truth: Truth, tol: float, error: float, energy: float) -> Outcome:
    if not (np.isfinite(seen.places).all() and np.isfinite(seen.rates).all()):
        return Outcome.NOT_FINITE
    suspicious = truth.distance(seen.places, seen.rates) > OFF
    if suspicious.any() and truth.deviation(seen.places[suspicious]).max() > OFF * truth.structure.length:
        return Outcome.OFF_BRANCH
    bound = min(FACTOR * tol, VISIBLE)
    return Outcome.RIGHT if error <= bound and energy <= bound else Outcome.WRONG
