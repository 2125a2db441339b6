"""`python -m grashof.bench.worker`: one measurement in its own process.

Reads a job as one line of JSON from standard input and writes messages as lines of JSON to standard output, as soon as
they are available: an excuse or a survey; if a setting was given, the judged first run and then the samples. Standard
input stays open during that time; when it is closed, the caller is gone, and the worker ends.
"""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
import time
from collections.abc import Callable
from statistics import fmean

import msgspec

from grashof.bench.calibration import calibrate
from grashof.bench.contestants import engine_named
from grashof.bench.messages import BenchJob, BenchRung, Excuse, Judged, Message, Sample, Survey
from grashof.common.errors import ModelError
from grashof.engines.base import Engine, EngineFailed, NotInstalled, Result, Setting
from grashof.engines.observed import ObservedMotion
from grashof.engines.orphans import end_with_parent
from grashof.judge import Assessment, assess
from grashof.problems import Case
from grashof.situation import Situation, situation

SAMPLES = range(3, 6)
"""Fewest and most integrations after the first one; not more than the fewest once PATIENCE is exceeded."""

SHORT = 5e-3
"""CPU seconds. If an integration is shorter, a sample is the mean of as many as take this long, within PATIENCE."""

PATIENCE = 0.5
"""CPU seconds. A first run that takes longer also counts as a sample, because its warm-up is negligible."""


def main() -> None:
    """Reserves standard output for messages; output of engines goes to standard error."""
    end_with_parent()
    out = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    job = msgspec.json.decode(sys.stdin.buffer.readline(), type=BenchJob)
    threading.Thread(target=_leave_with_the_asker, daemon=True).start()
    perform(job, lambda message: out.write(msgspec.json.encode(message) + b"\n"))


def _leave_with_the_asker() -> None:
    # not through sys.stdin: a thread that holds its lock would prevent an orderly shutdown of the interpreter
    while os.read(0, 1024):
        pass
    os._exit(1)


def perform(job: BenchJob, say: Callable[[Message], object]) -> None:
    """Executes the job."""
    engine = engine_named(job.engine)
    try:
        version = engine.version()
    except NotInstalled as problem:
        say(Excuse("absent", str(problem)))
        return
    case = job.subject.case()
    posed = situation(case.model)
    refusal = engine.refuses(posed)
    if refusal is not None:
        say(Excuse("refused", refusal, version))
        return
    ladder = engine.ladder(posed, case.t_end)
    if job.setting is None:
        rungs = tuple(BenchRung(setting.name, dict(setting.values), place) for place, setting in enumerate(ladder))
        say(Survey(version, tuple(engine.notes), rungs))
        return
    chosen = next(setting for setting in ladder if setting.name == job.setting)
    try:
        _measure(engine, posed, case, chosen, job.limit_s, say)
    except EngineFailed as problem:
        say(Excuse("failed", str(problem), version))


def _measure(
    engine: Engine, posed: Situation, case: Case, setting: Setting, limit_s: float, say: Callable[[Message], object]
) -> None:
    cpu, wall = time.process_time(), time.perf_counter()
    prepared = engine.prepare(posed)
    cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
    times = case.times(case.t_end)
    began = time.process_time()
    try:
        first = prepared.run(setting, times, limit_s)
    except EngineFailed as problem:
        too_long = time.process_time() - began >= limit_s
        say(Excuse("failed", str(problem), engine.version(), limit_s if too_long else 0.0))
        return
    spent = time.process_time() - began
    found = _assessment(case, posed, first)
    say(
        Judged(
            build_cpu_s=cpu,
            build_wall_s=wall,
            warm_up_cpu_s=first.cpu_s,
            calibration_s=calibrate(),
            steps=first.steps,
            passes=found.passes is True,
            error=found.error,
            deviation=found.deviation,
            assessment=found.as_dict(),
        )
    )
    if spent > PATIENCE:
        say(Sample(first.cpu_s, first.wall_s))
        return
    began = time.process_time()
    fits = int(PATIENCE / (SAMPLES.start * spent))
    together = max(1, min(math.ceil(SHORT / max(first.cpu_s, 1e-6)), fits))
    for count in range(1, SAMPLES.stop):
        runs = [prepared.run(setting, times, limit_s) for _ in range(together)]
        say(Sample(fmean(run.cpu_s for run in runs), fmean(run.wall_s for run in runs)))
        if count >= SAMPLES.start and time.process_time() - began > PATIENCE:
            break


def _assessment(case: Case, posed: Situation, result: Result) -> Assessment:
    """Judges the official columns at the official times, except those that a motion does not contain, such as
    accelerations."""
    observed = ObservedMotion(posed, result.motion)
    table = {}
    for column in case.columns:
        with contextlib.suppress(ModelError):
            table[column.name] = column.value(observed)
    return assess(case, table, suspect=False)


if __name__ == "__main__":
    main()
