"""Runs mechanisms in processes of their own, so that even one that takes its process down is only one finding."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool

from campaign.draw import RUNS, TOLERANCES, Drawn, family_of
from campaign.energy_integral import NotJudged
from campaign.engine import Task
from campaign.judge import Outcome, Verdict, judge


def run_seeds(mechanism: int, seeds: Sequence[int]) -> list[Verdict]:
    """The runs of one mechanism; starts that cannot be judged are left out."""
    try:
        drawn = Drawn(mechanism)
    except Exception as problem:  # a mechanism that cannot be built is a finding
        return [_crashed(seed, f"{type(problem).__name__}: {problem}") for seed in seeds]
    verdicts = []
    for start in dict.fromkeys(seed % RUNS // len(TOLERANCES) for seed in seeds):
        try:
            trial = drawn.trial(start)
        except NotJudged:
            continue
        for seed in seeds:
            if seed % RUNS // len(TOLERANCES) == start:
                task = trial.task(seed)
                verdicts.append(judge(seed, trial.family, drawn.machine, trial.program, trial.truth, task))
    return verdicts


def run_all(mechanisms: Sequence[int], workers: int | None = None) -> Iterator[list[Verdict]]:
    """All runs of the mechanisms, as they are done."""
    left = dict.fromkeys(mechanisms)
    with ProcessPoolExecutor(workers or os.cpu_count()) as pool:
        waiting = {pool.submit(run_seeds, m, _seeds(m)): m for m in mechanisms}
        for future in as_completed(waiting):
            try:
                verdicts = future.result()
            except BrokenProcessPool:
                break
            del left[waiting[future]]
            yield verdicts
    # a process died: the rest one by one, each in a process of its own, to find out which it was
    for m in left:
        with ProcessPoolExecutor(1) as pool:
            try:
                yield pool.submit(run_seeds, m, _seeds(m)).result()
            except BrokenProcessPool:
                yield [_crashed(seed, "the process died") for seed in _seeds(m)]


def _seeds(mechanism: int) -> list[int]:
    return [mechanism * RUNS + k for k in range(RUNS)]


def _crashed(seed: int, message: str) -> Verdict:
    task = Task(TOLERANCES[seed % len(TOLERANCES)])
    return Verdict(seed, family_of(seed // RUNS), "", task, Outcome.CRASHED, message=message)
