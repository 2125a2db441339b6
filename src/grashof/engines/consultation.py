"""One engine asked about a mechanism: what it says, and how sure it is of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import process_time

import numpy as np

from grashof.engines.base import Engine, EngineFailed, NotInstalled, Prepared, Result, Setting, families
from grashof.engines.comparison import Difference, MotionNorms
from grashof.engines.observed import Observed
from grashof.engines.orphans import end_with_parent
from grashof.model.forces import UserForce
from grashof.model.forces.user_force import allow, home
from grashof.model.model import Model
from grashof.near import CLOSE
from grashof.situation import situation
from grashof.situation.motion import Motion

RUNGS = 9
"""Settings tried at most. An engine has converged as long as two successive ones differ by at most `CLOSE`. They are at most 0.71 apart in the
step, so that even a method of first order errs by less than 2.5 times that."""


@dataclass(frozen=True, eq=False)
class Opinion:
    """What one engine says.

    reason      why it did not run (not installed, refused, failed); then all that follows is None
    setting     the last one that ran; cpu_s what it cost
    coarser     its difference from the setting before it, None if there was none that differs
    idle        whether every setting took the same steps to the same motion, to the last bit
    difference  from Grashof
    balance     energy gained that no work explains, at most, J; None if some work has no closed form
    violation   of the joint equations, at most, m
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
        """The largest difference from its setting before."""
        return None if self.coarser is None else self.coarser.largest

    @property
    def settled(self) -> bool:
        """Whether it has converged all the time."""
        return self.own is not None and self.own <= CLOSE

    @property
    def sure(self) -> int:
        """At how many of the times, from the first on, it has converged."""
        if self.coarser is None:
            return 0
        off = ~(self.coarser.overall <= CLOSE)  # also where it is no number
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
    """Where a walk down an engine's ladder ended; see `Opinion` for coarser and idle."""

    setting: Setting
    result: Result
    coarser: Difference | None = None
    idle: bool = False

    @property
    def own(self) -> float:
        """The largest difference from the setting before; infinite if there is none."""
        return math.inf if self.coarser is None else self.coarser.largest


def consult(comparison: MotionNorms, engine: Engine, ours: Motion, limit_s: float) -> Opinion:
    """An engine's opinion, or the reason why it has none."""
    here, name, version = comparison.situation, engine.name, None
    try:
        version = engine.version()
        refusal = engine.refuses(here)
        if refusal is not None:
            return Opinion(name, version, f"refused: {refusal}")
        return opinion_of(comparison, engine, walked(comparison, engine, ours.times, limit_s), ours)
    except NotInstalled as problem:
        return Opinion(name, reason=f"not installed: {problem}")
    except EngineFailed as problem:
        return Opinion(name, version, f"failed: {problem}")
    except Exception as problem:  # an engine may raise anything
        return Opinion(name, version, f"failed: {type(problem).__name__}: {problem}")


def walked(comparison: MotionNorms, engine: Engine, times: np.ndarray, limit_s: float) -> Walk:
    """Down one family of settings after the other until two successive ones agree, or the CPU time is used up; else the nearest to that.

    Only settings of one family, some way apart, tell each other's errors; and only if they are not one and the same run.
    """
    here = comparison.situation
    prepared = engine.prepare(here)
    ladder = engine.ladder(here, float(times[-1]))
    began = process_time()
    found: list[Walk] = []
    trouble = EngineFailed("It has no settings to try.")
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
    """Down the settings of one family, while there is time left."""
    found: Walk | None = None
    trouble = EngineFailed("The limit of its CPU time was reached.")
    for setting in rungs:
        if left() <= 0.0:
            break
        try:
            result = prepared.run(setting, times, left())
        except EngineFailed as problem:
            trouble = problem  # often too coarse: the next one may do
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
    """For engines that stop at every time asked for, and may not step farther with any setting: the same, asked for every other time."""
    try:
        rare = prepared.run(walk.setting, times[::2], left)
    except EngineFailed:
        return walk
    if rare.steps == walk.result.steps:
        return walk
    difference = comparison.between(rare.motion, walk.result.motion.at(slice(None, None, 2)))
    return Walk(walk.setting, walk.result, difference.held(2, len(times)))


def _same(first: Result, second: Result) -> bool:
    """Whether two runs are the same: as many steps to the same motion, to the last bit."""
    a, b = first.motion, second.motion
    return (
        first.steps == second.steps
        and np.array_equal(a.positions, b.positions)
        and np.array_equal(a.rotations, b.rotations)
    )


def opinion_of(comparison: MotionNorms, engine: Engine, walk: Walk, ours: Motion) -> Opinion:
    """What an engine says by the last of its runs."""
    seen = Observed(comparison.situation, walk.result.motion)
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
    """An engine's opinion from a process of its own, which is ended after so many wall seconds."""
    away = get_context("spawn")
    answer, theirs = away.Pipe(duplex=False)
    # functions that the person allowed: with the folders to find them in, which may be that of the mechanism's file
    code = {force.function: home(force.function) for force in model.forces if isinstance(force, UserForce)}
    process = away.Process(target=_in_process, args=(theirs, model, code, engine, ours, limit_s))
    process.start()
    theirs.close()  # so that its end is the end of the pipe
    try:
        if not _answers(answer, wall_s):
            reason = f"failed: it had not answered after {wall_s:g} s of wall time, and was ended."
            return Opinion(engine.name, reason=reason)
        opinion: Opinion = answer.recv()
        return opinion
    except EOFError:
        return Opinion(engine.name, reason="failed: its process ended without an answer, as after a crash.")
    finally:
        process.kill()
        process.join()
        answer.close()


def _answers(answer: Connection, wall_s: float) -> bool:
    """Whether something comes within so many seconds: an answer, or the end of the process."""
    return answer.poll(wall_s)


def _in_process(
    answer: Connection, model: Model, code: Mapping[str, str | None], engine: Engine, ours: Motion, limit_s: float
) -> None:
    end_with_parent()
    for function, folder in code.items():
        allow(function, folder)
    answer.send(consult(MotionNorms(situation(model), ours), engine, ours, limit_s))
