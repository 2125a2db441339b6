"""A mechanism run in Grashof and elsewhere: where do the answers part?

Each engine walks its ladder of settings, from coarse to fine, until two successive ones agree with each other: only then is its own
error known, and a difference from Grashof means something.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from time import process_time
from typing import Any

import numpy as np

from grashof.engines import ENGINES
from grashof.engines.base import Engine, EngineFailed, NotInstalled, Prepared, Result, Setting, families
from grashof.engines.grashof import by_tolerance
from grashof.engines.motion import Motion
from grashof.engines.observed import Observed
from grashof.engines.situation import Situation, situation
from grashof.errors import ModelError
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.forces import UserForce
from grashof.model.forces.user_force import allow
from grashof.model.model import Model

PARTED = 1e-3
"""Answers part where matching points are farther apart than this, relative to the mechanism's size."""

RUNGS = 9
"""Settings tried at most."""

SETTLED = 1e-4
"""An engine has made up its mind if two of its settings are no farther apart than this."""

PREPARING = 180.0
"""Wall seconds that an engine's process may take to start, import, build and judge, beside its integrations."""


@dataclass(frozen=True)
class Opinion:
    """What one engine says. Distances are the largest between matching points, relative to the mechanism's size.

    reason     why there is none: not installed, refused, failed; then all that follows is None
    setting    the last one that ran; cpu_s what it cost
    own        distance from the setting before it, None if only one ran
    apart      distance from Grashof at each time
    balance    energy gained that no work explains, at most, J; None if some work has no closed form
    violation  of the joint equations, at most, m
    """

    engine: str
    version: str | None = None
    reason: str | None = None
    setting: str | None = None
    cpu_s: float | None = None
    own: float | None = None
    apart: np.ndarray | None = field(default=None, repr=False)
    balance: float | None = None
    violation: float | None = None

    @property
    def settled(self) -> bool:
        """Whether its own error is known to be small."""
        return self.own is not None and self.own <= SETTLED

    @property
    def largest(self) -> float | None:
        """The largest distance from Grashof."""
        return None if self.apart is None else float(np.max(self.apart))


@dataclass(frozen=True)
class Opinions:
    """All of them, Grashof's own first, at the same times; size in m."""

    name: str
    times: np.ndarray
    size: float
    all: tuple[Opinion, ...]

    def parts(self, opinion: Opinion) -> float | None:
        """When an engine's answer parts from Grashof's, s."""
        if opinion.apart is None or not np.any(opinion.apart > PARTED):
            return None
        return float(self.times[np.argmax(opinion.apart > PARTED)])

    def __str__(self) -> str:
        """In a sentence or two."""
        others = [x for x in self.all[1:] if x.reason is None]
        if not others:
            return "No other engine ran this mechanism."
        agree = [x.engine for x in others if self.parts(x) is None]
        settled = [x for x in others if self.parts(x) is not None and x.settled]
        unsettled = [x for x in others if self.parts(x) is not None and not x.settled]
        said = []
        if agree:
            said.append(f"Within {PARTED:g} of Grashof all the time: {', '.join(agree)}.")
        for x in settled:
            said.append(f"{x.engine} parts from Grashof at t = {self.parts(x):.4g} s, though its own settings agree.")
        for x in unsettled:
            said.append(
                f"{x.engine} parts from Grashof at t = {self.parts(x):.4g} s; its own settings do not agree either."
            )
        return " ".join(said)

    def as_dict(self) -> dict[str, Any]:
        """As plain data."""
        return {
            "mechanism": self.name,
            "t_end": float(self.times[-1]),
            "size_m": self.size,
            "parted": PARTED,
            "settled": SETTLED,
            "summary": str(self),
            "opinions": [
                {
                    "engine": x.engine,
                    "version": x.version,
                    "reason": x.reason,
                    "setting": x.setting,
                    "cpu_s": x.cpu_s,
                    "apart_max": x.largest,
                    "parts_at_s": self.parts(x),
                    "own": x.own,
                    "settled": x.settled,
                    "balance_max_J": x.balance,
                    "violation_max_m": x.violation,
                }
                for x in self.all
            ],
        }


def second_opinion(
    model: Model,
    t_end: float,
    engines: Sequence[str] | None = None,
    *,
    tol: float = 1e-6,
    limit_s: float = 20.0,
    wall_s: float | None = None,
    isolated: bool = False,
    progress: Callable[[str], None] = lambda text: None,
) -> Opinions:
    """Runs a mechanism in Grashof and in other engines (all of them unless named).

    limit_s   CPU time each engine may spend on its ladder; those that look at the clock keep to it
    wall_s    wall time after which an isolated engine is ended, stuck or not; `PREPARING` and twice the limit unless given
    isolated  each engine in a process of its own, which may crash or hang; not from a script that lacks
              `if __name__ == "__main__"`
    """
    # twice the limit: it is in CPU seconds, and the processor may have other things to do
    allowed = PREPARING + 2.0 * limit_s if wall_s is None else wall_s
    asked = list(ENGINES) if engines is None else list(dict.fromkeys(engines))
    for name in asked:
        if name not in ENGINES:
            raise ModelError(f"There is no engine '{name}'; there are {', '.join(ENGINES)}.")
    names = [name for name in asked if name != "grashof"]
    if not names:
        raise ModelError(f"A second opinion needs another engine; there are {', '.join(ENGINES)}.")
    progress("grashof")
    here = situation(model)
    if not (math.isfinite(t_end) and t_end > here.time):
        raise ModelError(f"The end time is {t_end} s; it must be a number beyond the start at {here.time:g} s.")
    times = np.linspace(here.time, t_end, 501)
    ours = ENGINES["grashof"]
    prepared = ours.prepare(here)
    try:
        result, finer = (prepared.run(by_tolerance(x), times) for x in (tol, 0.1 * tol))
    except EngineFailed as problem:
        raise ModelError(f"Mechanism '{model.name}': Grashof itself does not get through. {problem}") from problem
    size = _size(here, result.motion)
    own = _distance(here, result.motion, finer.motion) / size
    opinions = [_opinion(here, ours, by_tolerance(tol), result, own, np.zeros(len(times)))]
    for name in names:
        progress(name)
        if isolated:
            opinions.append(_elsewhere(model, name, result.motion, size, limit_s, allowed))
        else:
            opinions.append(_consult(here, ENGINES[name], result.motion, size, limit_s))
    return Opinions(model.name, times, size, tuple(opinions))


def _elsewhere(model: Model, name: str, ours: Motion, size: float, limit_s: float, wall_s: float) -> Opinion:
    """An engine's opinion from a process of its own, which is ended after so many wall seconds."""
    away = get_context("spawn")
    answer, theirs = away.Pipe(duplex=False)
    process = away.Process(target=_in_process, args=(theirs, model, ENGINES[name], ours, size, limit_s))
    process.start()
    theirs.close()  # so that its end is the end of the pipe
    try:
        if not answer.poll(wall_s):
            return Opinion(name, reason=f"failed: it had not answered after {wall_s:g} s of wall time, and was ended.")
        opinion: Opinion = answer.recv()
        return opinion
    except EOFError:
        return Opinion(name, reason="failed: its process ended without a word, as after a crash.")
    finally:
        process.kill()
        process.join()
        answer.close()


def _in_process(answer: Connection, model: Model, engine: Engine, ours: Motion, size: float, limit_s: float) -> None:
    for force in model.forces:
        if isinstance(force, UserForce):
            allow(force.function)  # the person allowed it before we came here
    answer.send(_consult(situation(model), engine, ours, size, limit_s))


def _consult(here: Situation, engine: Engine, ours: Motion, size: float, limit_s: float) -> Opinion:
    """An engine's opinion, or the reason why it has none."""
    name, version = engine.name, None
    try:
        version = engine.version()
        refusal = engine.refuses(here)
        if refusal is not None:
            return Opinion(name, version, f"refused: {refusal}")
        setting, result, own = _walk(here, engine, ours.times, size, limit_s)
    except NotInstalled as problem:
        return Opinion(name, reason=f"not installed: {problem}")
    except EngineFailed as problem:
        return Opinion(name, version, f"failed: {problem}")
    except Exception as problem:  # an engine may raise anything
        return Opinion(name, version, f"failed: {type(problem).__name__}: {problem}")
    return _opinion(here, engine, setting, result, own, _distances(here, ours, result.motion) / size)


def _walk(
    here: Situation, engine: Engine, times: np.ndarray, size: float, limit_s: float
) -> tuple[Setting, Result, float | None]:
    """Down the ladder until two successive settings agree, or the time is used up: the last setting, its result, and how far it
    is from the one before. Only settings of one family, some way apart, tell each other's errors."""
    prepared: Prepared = engine.prepare(here)
    found: tuple[Setting, Result, float | None] | None = None
    trouble = EngineFailed("It has no settings to try.")
    began = process_time()
    ladder = engine.ladder(here, float(times[-1]))
    places = families(ladder)[0] if ladder else []
    for setting in [ladder[k] for k in places[:: math.ceil(len(places) / RUNGS) or 1]]:
        left = limit_s - (process_time() - began)
        if left <= 0.0:
            break
        try:
            result = prepared.run(setting, times, left)
        except EngineFailed as problem:
            trouble = problem  # often too coarse: the next one may do
            continue
        own = None if found is None else _distance(here, found[1].motion, result.motion) / size
        found = setting, result, own
        if own is not None and own <= SETTLED:
            break
    if found is None:
        raise trouble
    return found


def _opinion(
    here: Situation, engine: Engine, setting: Setting, result: Result, own: float | None, apart: np.ndarray
) -> Opinion:
    seen = Observed(here, result.motion)
    return Opinion(
        engine=engine.name,
        version=engine.version(),
        setting=str(setting),
        cpu_s=result.cpu_s,
        own=own,
        apart=apart,
        balance=float(np.max(np.abs(seen["balance"]))) if "balance" in seen.names else None,
        violation=float(np.max(seen["violation.position"])),
    )


# -- how far apart


def _places(here: Situation, motion: Motion) -> np.ndarray:
    """All points of the bodies over time, (T, P, 3); of a body without points, its centre of mass."""
    found = []
    owners = {body_of(reference) for reference in here.model.points}
    marks = [(body_of(name), place) for name, place in here.model.points.items() if body_of(name) != GROUND]
    marks += [(name, tuple(here.centers[k])) for k, name in enumerate(here.bodies) if name not in owners]
    for body, place in marks:
        k = here.index[body]
        found.append(motion.positions[:, k] + motion.rotations[:, k] @ np.array(place))
    return np.stack(found, axis=1)


def _size(here: Situation, motion: Motion) -> float:
    """The diagonal of the box in which all points stay, m."""
    places = _places(here, motion).reshape(-1, 3)
    ground = [place for name, place in here.model.points.items() if body_of(name) == GROUND]
    everything = np.vstack([places, np.array(ground).reshape(-1, 3)])
    return float(np.linalg.norm(np.ptp(everything, axis=0))) or 1.0


def _distances(here: Situation, first: Motion, second: Motion) -> np.ndarray:
    """The largest distance between matching points at each time, m."""
    apart = np.linalg.norm(_places(here, first) - _places(here, second), axis=2)
    largest: np.ndarray = np.max(apart, axis=1)
    return largest


def _distance(here: Situation, first: Motion, second: Motion) -> float:
    return float(np.max(_distances(here, first, second)))
