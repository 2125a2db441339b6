"""Many runs in the lanes of vectors, against one after the other: `python -m benchmarks.lanes`.

Runs differ by their starts, which are a thousandth of the mechanism's length and speed apart. The tolerance is the
loosest of the ladder at which every one of some runs keeps the problem's rule, at the official times. Process CPU time
on one core, best of several rounds, interleaved. *one by one, loop* is the time that the loop for single runs takes by
itself, *one by one, whole* that of the calls that make these runs, from Python.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.ladder import LADDER
from grashof.integrate import Settings, Steps
from grashof.integrate.lanes import Ended, LaneIntegrator, LaneRuns, lanes_of
from grashof.motion.trajectory import Trajectory
from grashof.problems import Case, make_case
from grashof.program import Program, build
from grashof.simulation.options import Options
from grashof.simulation.task import Task, prepare

PROBLEMS = {"andrews": "iftomm", "double-four-bar": None}
"""The problems and their variants."""

WIDTHS = (1, 4, 8)
APART = 1e-3
JUDGED, SINGLE, MANY = 32, 16, 1024
"""Numbers of runs that are judged, made one by one, and made in lanes."""
OBSERVED = 101
"""Number of times at which states are observed, if they are."""


@dataclass
class Contestant:
    """A way to make runs: `run` returns CPU seconds and evaluations."""

    name: str
    runs: int
    run: Callable[[], tuple[float, int]]
    best: float = np.inf
    evaluations: int = 0

    def measure(self) -> None:
        """One round."""
        seconds, self.evaluations = self.run()
        self.best = min(self.best, seconds)


class Problem:
    """A problem with many starts."""

    def __init__(self, name: str) -> None:
        self.case: Case = make_case(name, PROBLEMS[name])
        self.program: Program = build(self.case.model)
        self.times = self.case.times(self.case.t_end)
        self.begin, self.end = self.program.assembly.time, self.case.t_end
        self.starts = self._starts(MANY)

    def task(self, tol: float) -> Task:
        """The task at a tolerance."""
        return prepare(self.program, self.end, Options(tol=tol))

    def settings(self, tol: float) -> Settings:
        """How all runs are integrated."""
        task = self.task(tol)
        return task.settings(task.attempt(tol))

    def in_lanes(self, width: int) -> LaneIntegrator:
        """The integrator in lanes, which observes the state."""
        redundant = self.program.assembly.redundant
        return lanes_of(self.program.dynamics, redundant, lambda x: list(x[1:]), width)

    def _starts(self, count: int) -> np.ndarray:
        task, rng = self.task(LADDER[0]), np.random.default_rng(1)
        n, scales = self.program.system.n, (self.program.system.length, task.speed)
        starts = np.repeat(task.program.y0[None], count, axis=0)
        for part, scale in zip((slice(0, n), slice(n, 2 * n)), scales, strict=True):
            starts[:, part] += APART * scale * rng.normal(size=(count, n))
        for _ in range(6):
            starts = np.array([self.program.integrator.project(self.begin, y)[0] for y in starts])
        return starts

    def tolerance(self) -> tuple[float, float]:
        """The loosest tolerance that passes, provided that everything finer passes, too; and the largest error
        there, J."""
        lanes, found = self.in_lanes(WIDTHS[-1]), (0.0, 0.0)
        for tol in sorted(LADDER):
            settings = self.settings(tol)
            runs = lanes.run(self.starts[:JUDGED], self.begin, self.end, settings, times=self.times)
            error = max(self._error(runs, row, settings) for row in range(JUDGED))
            if not error <= self.case.bound:
                break
            found = tol, error
        return found

    def _error(self, runs: LaneRuns, row: int, settings: Settings) -> float:
        """The largest error of a run by the problem's rule, J."""
        if runs.codes[row] != Ended.ARRIVED:
            return np.inf
        n, y = self.program.system.n, self.starts[row]
        single = self._single(settings, y)
        seen = replace(single, t=self.times, y=runs.observed[row], crossings=())
        program = self.program.started(y[:n], y[n : 2 * n])
        return float(np.max(np.abs(self.case.error(Trajectory(program, seen, self.times)))))

    def _single(self, settings: Settings, y: np.ndarray) -> Steps:
        return self.program.integrator.collect(y, self.begin, self.end, settings)

    def one_by_one(self, settings: Settings, whole: bool) -> tuple[float, int]:
        """Some runs, one after another."""
        clock = time.process_time()
        steps = [self._single(settings, y) for y in self.starts[:SINGLE]]
        seconds = time.process_time() - clock
        return seconds if whole else sum(x.cpu_s for x in steps), sum(x.counters.evaluations for x in steps)

    def many(self, settings: Settings, lanes: LaneIntegrator, times: Sequence[float]) -> tuple[float, int]:
        """All runs, in lanes."""
        clock = time.process_time()
        runs = lanes.run(self.starts, self.begin, self.end, settings, times=times)
        seconds = time.process_time() - clock
        assert np.all(runs.codes == Ended.ARRIVED)
        return seconds, int(runs.counters["evaluations"].sum())


def measure(problem: Problem, tol: float, rounds: int) -> list[Contestant]:
    """All contestants, in turns."""
    settings = problem.settings(tol)
    at = np.linspace(problem.begin, problem.end, OBSERVED).tolist()
    contestants = [
        Contestant("one by one, loop", SINGLE, partial(problem.one_by_one, settings, whole=False)),
        Contestant("one by one, whole", SINGLE, partial(problem.one_by_one, settings, whole=True)),
    ]
    for width in WIDTHS:
        lanes = problem.in_lanes(width)
        plural = "s" if width > 1 else ""
        for name, times in ((f"{width} lane{plural}", []), (f"{width} lane{plural}, {OBSERVED} times", at)):
            contestants.append(Contestant(name, MANY, partial(problem.many, settings, lanes, times)))
    for k in range(rounds):
        for contestant in contestants if k % 2 else contestants[::-1]:
            contestant.measure()
    return contestants


def main() -> None:
    """Measures, and prints a table for each problem."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=[*PROBLEMS])
    parser.add_argument("--rounds", type=int, default=7)
    asked, console = parser.parse_args(), Console()
    for name in [asked.only] if asked.only else PROBLEMS:
        problem = Problem(name)
        tol, error = problem.tolerance()
        table = Table(title=f"{name}: tolerance {tol:g}, largest error {error:.1e} J (rule: {problem.case.bound:g} J)")
        for title in ("", "runs/s", "ns an evaluation", "against loop", "against whole"):
            table.add_column(title, justify="right" if title else "left")
        contestants = measure(problem, tol, asked.rounds)
        rates = [x.runs / x.best for x in contestants]
        for x, rate in zip(contestants, rates, strict=True):
            cost = 1e9 * x.best / x.evaluations
            table.add_row(x.name, f"{rate:,.0f}", f"{cost:.1f}", f"{rate / rates[0]:.2f}", f"{rate / rates[1]:.2f}")
        console.print(table)


if __name__ == "__main__":
    main()
