"""Runs one engine on a mechanism: its result, and an estimate of its own error."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import process_time

import numpy as np

from grashof.common.near import CLOSE
from grashof.engines.base import Engine, EngineFailed, NotInstalled, Prepared, Result, Setting, families
from grashof.engines.comparison import Difference, MotionNorms
from grashof.engines.observed import ObservedMotion
from grashof.engines.orphans import end_with_parent
from grashof.model.forces.user_force import allow, home
from grashof.model.model import Model
from grashof.situation import situation
from grashof.situation.motion import Motion

RUNGS = 9
"""The largest number of settings tried. An engine has converged while two successive settings differ by at most
`CLOSE`. Their steps have a ratio of at most 0.71, so that the error of even a first-order method is less than 2.5 times
that.
"""


NOT_INSTALLED = "not installed"
"""How the reason of an engine begins whose package is missing."""


@dataclass(frozen=True, eq=False)
class Opinion:
    """The result of one engine.

    reason      why it did not run (not installed, refused, failed); all other fields are then None
    setting     the last setting that ran; cpu_s is its CPU time
    coarser     its difference from the previous setting; None if there is no such setting with a different result
    idle        whether all settings took the same steps and gave the same motion, to the last bit
    difference  from Grashof
    balance     the largest energy-balance error, J; None if the work of some force has no closed form
    violation   the largest violation of the joint equations, m
    """

    engine: str
    version: str | None = None
    reason: str | None = None
    setting: str | None = None
    cpu_s: float | None = None
    coarser: Difference | None = None
    idle: bool = False
    difference: Difference | None = None
    balance: float | None = None
    violation: float | None = None

    @property
    def own(self) -> float | None:
        """The largest difference from the previous setting."""
        return None if self.coarser is None else self.coarser.largest

    @property
    def settled(self) -> bool:
        """Whether it has converged over the whole time."""
        return self.own is not None and self.own <= CLOSE

    @property
    def sure(self) -> int:
        """The number of times, counted from the first, up to which it has converged."""
        if self.coarser is None:
            return 0
        off = ~(self.coarser.overall <= CLOSE)  # a comparison with NaN is false, so NaN counts as not converged
        return int(np.argmax(off)) if off.any() else len(off)

    @property
    def apart(self) -> np.ndarray | None:
        """The largest difference from Grashof at each time."""
        return None if self.difference is None else self.difference.overall

    @property
    def largest(self) -> float | None:
        """The largest difference from Grashof."""
        return None if self.difference is None else self.difference.largest


@dataclass(frozen=True)
class Walk:
    """The last setting tried on an engine's ladder; `coarser` and `idle` are explained in `Opinion`."""

    setting: Setting
    result: Result
    coarser: Difference | None = None
    idle: bool = False

    @property
    def own(self) -> float:
        """The largest difference from the previous setting; infinite if there is none."""
        return math.inf if self.coarser is None else self.coarser.largest


def consult(comparison: MotionNorms, engine: Engine, ours: Motion, limit_s: float) -> Opinion:
    """The opinion of an engine, which may be the reason why it has none."""
    here, name, version = comparison.situation, engine.name, None
    try:
        version = engine.version()
        refusal = engine.refuses(here)
        if refusal is not None:
            return Opinion(name, version, f"refused: {refusal}")
        return opinion_of(comparison, engine, try_settings(comparison, engine, ours.times, limit_s), ours)
    except NotInstalled as problem:
        return Opinion(name, reason=f"{NOT_INSTALLED}: {problem}")
    except EngineFailed as problem:
        return Opinion(name, version, f"failed: {problem}")
    except Exception as problem:  # an engine may raise anything
        return Opinion(name, version, f"failed: {type(problem).__name__}: {problem}")


def try_settings(comparison: MotionNorms, engine: Engine, times: np.ndarray, limit_s: float) -> Walk:
    """Tries one family of settings after another until two successive settings agree or the CPU time is used up;
    returns the family that came closest to agreement.

    Only distinct settings of one family indicate each other's errors, and only if they do not give the same run.
    """
    here = comparison.situation
    prepared = engine.prepare(here)
    ladder = engine.ladder(here, float(times[-1]))
    began = process_time()
    found: list[Walk] = []
    trouble = EngineFailed("The engine has no settings to try.")
    for family in families(ladder):
        rungs = [ladder[k] for k in family[:: math.ceil(len(family) / RUNGS)]]
        try:
            found.append(_down(comparison, prepared, rungs, times, lambda: limit_s - (process_time() - began)))
        except EngineFailed as problem:
            trouble = problem
            continue
        if found[-1].own <= CLOSE:
            break
    if not found:
        raise trouble
    return min(found, key=lambda walk: walk.own)


def _down(
    comparison: MotionNorms, prepared: Prepared, rungs: list[Setting], times: np.ndarray, left: Callable[[], float]
) -> Walk:
    """Tries the settings of one family while there is time left."""
    found: Walk | None = None
    trouble = EngineFailed("The limit on its CPU time was reached.")
    for setting in rungs:
        if left() <= 0.0:
            break
        try:
            result = prepared.run(setting, times, left())
        except EngineFailed as problem:
            trouble = problem  # often the setting is too coarse, and the next one succeeds
            continue
        if found is None:
            found = Walk(setting, result)
        elif _same(found.result, result):
            found = Walk(setting, result, found.coarser, idle=found.coarser is None)
        else:
            found = Walk(setting, result, comparison.between(found.result.motion, result.motion))
        if found.own <= CLOSE:
            break
    if found is None:
        raise trouble
    return _from_fewer_times(comparison, prepared, found, times, left()) if found.idle else found


def _from_fewer_times(comparison: MotionNorms, prepared: Prepared, walk: Walk, times: np.ndarray, left: float) -> Walk:
    """For engines that stop at every requested time, so that no setting can take longer steps: the same run with every
    other time requested.
    """
    try:
        rare = prepared.run(walk.setting, times[::2], left)
    except EngineFailed:
        return walk
    if rare.steps == walk.result.steps:
        return walk
    difference = comparison.between(rare.motion, walk.result.motion.at(slice(None, None, 2)))
    return Walk(walk.setting, walk.result, difference.hold_until_next(2, len(times)))


def _same(first: Result, second: Result) -> bool:
    """Whether two runs are identical: the same number of steps and the same motion, to the last bit."""
    a, b = first.motion, second.motion
    return (
        first.steps == second.steps
        and np.array_equal(a.positions, b.positions)
        and np.array_equal(a.rotations, b.rotations)
    )


def opinion_of(comparison: MotionNorms, engine: Engine, walk: Walk, ours: Motion) -> Opinion:
    """The opinion of an engine after its last run."""
    seen = ObservedMotion(comparison.situation, walk.result.motion)
    return Opinion(
        engine=engine.name,
        version=engine.version(),
        setting=str(walk.setting),
        cpu_s=walk.result.cpu_s,
        coarser=walk.coarser,
        idle=walk.idle,
        difference=comparison.between(ours, walk.result.motion),
        balance=float(np.max(np.abs(seen["balance"]))) if "balance" in seen.names else None,
        violation=float(np.max(seen["violation.position"])),
    )


# -- in a process of its own


def consult_isolated(model: Model, engine: Engine, ours: Motion, limit_s: float, wall_s: float) -> Opinion:
    """The opinion of an engine that runs in a separate process, which is terminated after `wall_s` seconds."""
    away = get_context("spawn")
    answer, theirs = away.Pipe(duplex=False)
    # functions that the person allowed: with the folders to find them in, which may be that of the mechanism's file
    code = {force.code: home(force.code) for force in model.forces if force.code is not None}
    process = away.Process(target=_in_process, args=(theirs, model, code, engine, ours, limit_s))
    process.start()
    theirs.close()  # closed here, so that the pipe ends when the process does
    try:
        if not _answers(answer, wall_s):
            reason = f"failed: it gave no answer within {wall_s:g} s of wall time and was terminated."
            return Opinion(engine.name, reason=reason)
        opinion: Opinion = answer.recv()
        return opinion
    except EOFError:
        return Opinion(engine.name, reason="failed: its process ended without an answer; it has probably crashed.")
    finally:
        process.kill()
        process.join()
        answer.close()


def _answers(answer: Connection, wall_s: float) -> bool:
    """Whether an answer, or the end of the process, arrives within this many seconds."""
    return answer.poll(wall_s)


def _in_process(
    answer: Connection, model: Model, code: Mapping[str, str | None], engine: Engine, ours: Motion, limit_s: float
) -> None:
    end_with_parent()
    for function, folder in code.items():
        allow(function, folder)
    answer.send(consult(MotionNorms(situation(model), ours), engine, ours, limit_s))
