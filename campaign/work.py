"""Runs mechanisms in separate processes, so that even one that crashes its process is only one finding."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from campaign.engine import RunSettings
from campaign.judge import Fate, Verdict
from campaign.stops import Stop, try_others
from campaign.suite import Cases, Suite
from campaign.suites import SUITES


def run_seeds(suite: str, mechanism: int, seeds: Sequence[int]) -> list[Verdict]:
    """The runs of one mechanism; starts that cannot be judged are left out."""
    chosen = SUITES[suite]
    try:
        return chosen.run(mechanism, seeds)
    except Exception as problem:  # a mechanism that cannot be built is a finding
        return [_crashed(chosen, seed, f"{type(problem).__name__}: {problem}") for seed in seeds]


def run_all(suite: str, mechanisms: Sequence[int], workers: int | None = None) -> Iterator[list[Verdict]]:
    """All runs of the mechanisms, as they finish."""
    chosen = SUITES[suite]
    seeds = {m: [m * chosen.runs + k for k in range(chosen.runs)] for m in mechanisms}
    left = dict.fromkeys(mechanisms)
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        waiting = {pool.submit(run_seeds, suite, m, seeds[m]): m for m in mechanisms}
        for future in as_completed(waiting):
            try:
                verdicts = future.result()
            except BrokenProcessPool:
                break
            del left[waiting[future]]
            yield verdicts
    # a process died: the remaining ones run one by one, each in a separate process, to find out which it was
    for m in left:
        with ProcessPoolExecutor(1) as pool:
            try:
                yield pool.submit(run_seeds, suite, m, seeds[m]).result()
            except BrokenProcessPool:
                yield [_crashed(chosen, seed, "the process died") for seed in seeds[m]]


def try_all(suite: Cases, verdicts: Sequence[Verdict], workers: int | None = None) -> Iterator[Stop]:
    """The runs that stopped, made again with other settings, as they finish."""
    stopped = [verdict for verdict in verdicts if verdict.outcome is Fate.STOPPED]
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        waiting = [pool.submit(_try_seed, suite.name, verdict) for verdict in stopped]
        for future in as_completed(waiting):
            yield future.result()


def _try_seed(suite: str, verdict: Verdict) -> Stop:
    chosen = SUITES[suite]
    assert isinstance(chosen, Cases)
    return try_others(chosen, verdict)


def _crashed(suite: Suite, seed: int, message: str) -> Verdict:
    task = RunSettings(suite.tolerance(seed))
    return Verdict(seed, suite.family_of(seed // suite.runs), "", task, Fate.CRASHED, message=message)
