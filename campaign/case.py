"""A case: a mechanism as a user would describe it, and the correct values of named quantities.

The correct values come from a closed form, a quadrature or a differential equation in other coordinates, and are known
before the engine runs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from campaign.engine import RunSettings
from campaign.judge import OFF, VISIBLE, Fate, Verdict
from campaign.structure import Array
from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.motion.trajectory import Trajectory
from grashof.program import Program, build
from grashof.simulation.simulate import simulate

MOST_GROWTH = 10.0
"""Where an error may have grown by more than this beyond the ordinary, neighbouring motions have diverged: only the
branch is judged."""

DOUBTED = 4
"""Number of quantities whose estimated errors are checked."""


@dataclass(frozen=True)
class KnownMotion:
    """A mechanism and its correct motion.

    what        the mechanism, in a few words, for lists
    describe    creates the mechanism
    times       at which runs are judged, s (k,); the last is the end
    exact       quantities by name, (k,)
    scales      the unit in which the error of each is measured
    moment      time in which the motion changes by its own size, s
    growth      how much an error may have grown beyond the ordinary, at least 1, (k,)
    floor       error that rounding of the given numbers alone can cause, in units of the scales, (k,)
    astray      distance of a run from its branch in lengths at all its times, if there are other branches
    refused     whether a ModelError with this message is a correct answer; none is unless given
    fit         how far the geometry may be adjusted so that it fits together, if at all
    longest     the longest step allowed, s, if any
    compiled    the mechanism, if it is compiled already
    poles       for angles in space: how near, in lengths, the pole is passed. Where that is less than ten times the
                error of a run's points, the side on which it is passed is undetermined, and whole turns are not
                compared
    """

    what: str
    describe: Callable[[], Mechanism]
    times: Array
    exact: Mapping[str, Array]
    scales: Mapping[str, float | Array]
    moment: float
    growth: Array | float = 1.0
    floor: Array | float = 0.0
    astray: Callable[[Trajectory], Array] | None = None
    refused: Callable[[str], bool] = lambda words: False
    fit: float | None = None
    longest: float | None = None
    compiled: Program | None = None
    poles: Mapping[str, float] = field(default_factory=dict)

    @property
    def end(self) -> float:
        return float(self.times[-1])

    @cached_property
    def program(self) -> Program:
        """Compiled once for all runs."""
        return self.compiled or build(self.describe(), fit=self.fit)

    def run(self, task: RunSettings) -> Trajectory:
        """A run to the last of the judged times."""
        return simulate(
            self.program,
            self.end,
            tol=task.tol,
            times=self.times,
            method=task.method,
            step=task.step,
            max_step=self.longest,
            max_steps=task.max_steps,
        )

    def errors(self, seen: Mapping[str, Array]) -> dict[str, Array]:
        """The error of each quantity at the judged times, in units of its scale, less the rounding error, divided by
        the growth."""
        away = {name: np.abs(seen[name] - exact) for name, exact in self.exact.items()}
        points = [np.max(x / self.scales[name]) for name, x in away.items() if name not in self.poles]
        for name, least in self.poles.items():
            if least < 10.0 * np.max(points):
                away[name] = np.abs(away[name] - 2.0 * np.pi * np.round(away[name] / (2.0 * np.pi)))
        told = np.asarray(self.growth) < MOST_GROWTH
        return {
            name: np.where(told, np.maximum(0.0, x / self.scales[name] - self.floor) / self.growth, 0.0)
            for name, x in away.items()
        }


def judge_case(seed: int, family: str, case: KnownMotion, task: RunSettings, factor: float) -> Verdict:
    """Runs the case and judges it: a run with status success is wrong if an error exceeds `factor` tolerances, or
    VISIBLE if that is less."""
    verdict = Verdict(seed, family, case.what, task, Fate.CRASHED)
    try:
        run = case.run(task)
        verdict = replace(verdict, evaluations=run.steps.counters.evaluations)
        if not run.status.ok:
            return replace(verdict, outcome=Fate.STOPPED, message=str(run.status))
        seen = {name: run[name] for name in case.exact}
        aim = task.tol if task.step is None else max(task.tol, _halved(case, task, seen))
        doubt = _doubt(case, run, seen, task.tol)
        energies = [run[name] for name in run.names if name in ("energy", "balance") or name.startswith("work.")]
    except ModelError as problem:
        outcome = Fate.STOPPED if case.refused(str(problem)) else Fate.CRASHED
        return replace(verdict, outcome=outcome, message=f"ModelError: {problem}")
    except Exception as problem:  # whatever it is, it is a finding
        return replace(verdict, message=f"{type(problem).__name__}: {problem}")
    if not all(np.isfinite(x).all() for x in (*seen.values(), *energies)):
        return replace(verdict, outcome=Fate.NOT_FINITE)
    error = max(float(x.max()) for x in case.errors(seen).values())
    bound = min(factor * aim, max(VISIBLE, 10.0 * task.tol))
    outcome = Fate.OFF_BRANCH if _lost(case, run, seen) else Fate.WRONG if error > bound else Fate.RIGHT
    return replace(verdict, outcome=outcome, error=error, energy=0.0, aim=aim, doubt=doubt)


def _lost(case: KnownMotion, run: Trajectory, seen: Mapping[str, Array]) -> bool:
    """Whether the run is far from every position on its branch; checked only where its positions are wrong."""
    if case.astray is None or max(float(x.max()) for x in replace(case, growth=1.0).errors(seen).values()) < OFF:
        return False
    return float(np.max(case.astray(run))) > OFF


def _halved(case: KnownMotion, task: RunSettings, seen: Mapping[str, Array]) -> float:
    """The change caused by halving the step: about 15/16 of the error of the step, where it is small enough for its
    order to apply."""
    assert task.step is not None
    longest = None if case.longest is None else 0.5 * case.longest
    finer = replace(case, longest=longest).run(replace(task, step=0.5 * task.step))
    if not finer.status.ok:
        return 0.0
    return max(float(x.max()) for x in replace(case, exact={name: finer[name] for name in seen}).errors(seen).values())


def _doubt(case: KnownMotion, run: Trajectory, seen: Mapping[str, Array], tol: float) -> float:
    """The largest ratio of the true error to the run's own estimate, for some quantities, if the run estimates its
    error.

    Errors below a hundredth of the tolerance, and those caused by rounding, are disregarded.
    """
    worst = 0.0
    for name in list(case.exact)[:: max(1, len(case.exact) // DOUBTED)]:
        try:
            told = run.error_estimate(name)
        except ModelError:  # it was not estimated
            return float("nan")
        true = np.abs(seen[name] - case.exact[name])
        small = (0.01 * tol + np.asarray(case.floor)) * case.scales[name]
        worst = max(worst, float(np.max(true / (told + small))))
    return worst
