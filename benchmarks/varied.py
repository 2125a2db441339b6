"""Runs of a problem whose numbers are other ones in every run: `python -m benchmarks.varied [--only andrews] [--rounds
5]`.

The mechanism is compiled once with these numbers left open. The tolerance is the loosest of the ladder at which every
one of some runs keeps the problem's rule at the official times. CPU time of the process, best of several rounds in
turns. Contestants:

    simulated one by one    `simulate` of a mechanism built anew for each run, with all its checks
    one by one, folded      the time loop for single runs alone, of the nominal mechanism, whose numbers are part of its
                            code
    one by one              the same loop with the numbers left open
    one by one, all open    the nominal mechanism with all of its numbers left open that are neither those of the start
                            nor dampings that are zero; its masses if the others have to fit together
    4 lanes, 8 lanes        starts for the numbers, and runs in the lanes of vectors
    two threads             the widest lanes, half of the runs to each of two threads: wall seconds of the slower one,
                            less those in which it was ready and waited for a core (Linux tells them). Waiting for each
                            other counts: this is what two free cores would take
    MuJoCo                  `mujoco.rollout` of the same runs in one thread, if MuJoCo is installed
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.ladder import LADDER
from benchmarks.machine import facts
from benchmarks.rollout import Rollout
from benchmarks.sweep import STUDIES
from grashof.common.errors import ModelError
from grashof.integrate import Settings
from grashof.integrate.lanes import Ended, LaneIntegrator, LaneRuns
from grashof.model.forces import Torque
from grashof.model.model import Model
from grashof.model.parameters import numbers, with_numbers
from grashof.problems import make_case
from grashof.program import build
from grashof.program.open_code import OpenCode
from grashof.quantities.energy_balance import CHECKED
from grashof.simulation.options import Options
from grashof.simulation.simulate import simulate
from grashof.simulation.task import prepare, weights_of
from grashof.sweeps.outputs import Error, Samples

WIDTHS = (4, 8)
JUDGED, BUILT, SINGLE, MANY = 64, 4, 32, 4096
"""Numbers of runs that are judged, built and simulated, made one by one, and made in lanes."""

Array = np.ndarray


@dataclass
class Contestant:
    """A way to make runs: `run` returns seconds and the number of evaluations of the accelerations, if known."""

    name: str
    runs: int
    run: Callable[[], tuple[float, int]]
    seconds: list[float] = field(default_factory=list)
    evaluations: int = 0

    def measure(self) -> None:
        """One round."""
        seconds, self.evaluations = self.run()
        self.seconds.append(seconds)

    @property
    def rate(self) -> float:
        """Runs per second, in the best round."""
        return self.runs / min(self.seconds)


class Varied:
    """A problem with some of its numbers left open, and rows of values for them."""

    def __init__(self, name: str) -> None:
        self.case, self.rule = make_case(name), Error()
        bounds = STUDIES[name][0]
        # an observed angle is tracked through whole turns, which the work of a torque requires
        angles = [force.angle for force in self.case.model.forces if isinstance(force, Torque)]
        self.program = build(self.case.model, numbers=tuple(bounds), observe=angles)
        self.opened = self.program.opened
        lower, upper = np.transpose([*bounds.values()])
        self.rows = lower + (upper - lower) * np.random.default_rng(1).random((MANY, len(lower)))
        self.starts = self.opened.assemble(self.rows)
        assert self.starts.placed.all()
        self.begin, self.end = self.opened.time, self.case.t_end

    def model(self, row: int) -> Model:
        """The mechanism of a row."""
        return with_numbers(self.case.model, dict(zip(self.opened.names, self.rows[row].tolist(), strict=True)))

    def settings(self, tol: float) -> Settings:
        """How all runs are integrated."""
        task = prepare(self.program, self.end, Options(tol=tol))
        found = task.settings(task.attempt(tol))
        return replace(found, weights=weights_of(self.opened.dynamics.system))

    def tolerance(self) -> tuple[float, float]:
        """The loosest tolerance that passes, provided that everything finer passes, too; and the largest error
        there, J."""
        lanes, found = self.opened.lanes(WIDTHS[-1]), (0.0, 0.0)
        times = self.case.times(self.end)
        for tol in sorted(LADDER):
            y, c = self.starts.y[:JUDGED], self.starts.coefficients[:JUDGED]
            runs = lanes.run(y, self.begin, self.end, self.settings(tol), c, times)
            error = self._error(runs, times)
            if not error <= self.case.bound:
                break
            found = tol, error
        return found

    def _error(self, runs: LaneRuns, times: Array) -> float:
        """The largest error of all runs by the problem's rule, J."""
        if np.any(runs.codes != Ended.ARRIVED):
            return np.inf
        kinetic, potential, done, _ = np.moveaxis(runs.observed[..., -CHECKED:], -1, 0)
        balance = kinetic + potential - done
        known = {"kinetic": kinetic, "potential": potential, "balance": balance - balance[:, :1]}
        # a rule reads the work of at most one force, which is then the total work
        seen = {name: known.get(name, done - done[:, :1]) for name in self.rule.quantities(self.case)}
        samples = Samples(times, np.broadcast_to(times, runs.observed.shape[:2]), seen)
        return float(np.max(self.rule.find(samples, self.case).values))

    def simulated(self, tol: float) -> tuple[float, int]:
        """Some mechanisms, built and simulated."""
        clock = time.process_time()
        made = [simulate(self.model(k), self.end, tol=tol, times=2) for k in range(BUILT)]
        seconds = time.process_time() - clock
        assert all(run.status.ok for run in made)
        return seconds, 0

    def folded(self, settings: Settings) -> tuple[float, int]:
        """The nominal mechanism, run repeatedly."""
        program = build(self.case.model)
        task = prepare(program, self.end, Options(tol=settings.tol))
        own = replace(settings, weights=weights_of(program.system))
        made = [program.integrator.collect(task.program.y0, self.begin, self.end, own) for _ in range(SINGLE)]
        return sum(x.cpu_s for x in made), sum(x.counters.evaluations for x in made)

    @cached_property
    def all_open(self) -> OpenCode:
        """The program with as many open numbers as possible."""
        model = self.case.model
        known = numbers(model)
        every = [name for name in known if not name.startswith("start.") and not name.endswith(".damping")]
        try:
            return build(model, numbers=every).opened
        except ModelError:
            return build(model, numbers=[name for name in every if name.endswith(".mass")]).opened

    def unfolded(self, settings: Settings) -> tuple[float, int]:
        """The nominal mechanism with all numbers open, run repeatedly."""
        opened = self.all_open
        starts = opened.assemble(opened.nominal[None])
        integrator = opened.integrator(starts.coefficients[0])
        own = replace(settings, weights=weights_of(opened.dynamics.system))
        made = [integrator.collect(starts.y[0], self.begin, self.end, own) for _ in range(SINGLE)]
        return sum(x.cpu_s for x in made), sum(x.counters.evaluations for x in made)

    def one_by_one(self, settings: Settings) -> tuple[float, int]:
        """Some runs, one after another."""
        chosen = zip(self.starts.y[:SINGLE], self.starts.coefficients[:SINGLE], strict=True)
        made = [self.opened.integrator(c).collect(y, self.begin, self.end, settings) for y, c in chosen]
        return sum(x.cpu_s for x in made), sum(x.counters.evaluations for x in made)

    def in_lanes(self, lanes: LaneIntegrator, settings: Settings, part: slice = slice(None)) -> tuple[float, int]:
        """Starts and runs of rows: CPU seconds of this thread, and evaluations."""
        clock = time.thread_time()
        starts = self.opened.assemble(self.rows[part])
        runs = lanes.run(starts.y, self.begin, self.end, settings, starts.coefficients)
        assert np.all(runs.codes == Ended.ARRIVED)
        return time.thread_time() - clock, int(runs.counters["evaluations"].sum())

    def thread(self, lanes: LaneIntegrator, settings: Settings, part: slice) -> tuple[float, int]:
        """Rows in a thread: its wall seconds, less those in which it waited for a core, and evaluations.

        The system may report a wait late, so that it belongs to the time before the clock started: the result is never
        less than the CPU time.
        """
        clock, waited = time.perf_counter(), waited_s()
        spent, evaluations = self.in_lanes(lanes, settings, part)
        return max(time.perf_counter() - clock - (waited_s() - waited), spent), evaluations

    def threads(self, lanes: LaneIntegrator, settings: Settings, count: int) -> tuple[float, int]:
        """All runs, divided among threads: the seconds of the thread that took longest."""
        size = MANY // count
        parts = [slice(k * size, (k + 1) * size) for k in range(count)]
        with ThreadPoolExecutor(count) as pool:
            seconds, evaluations = zip(*pool.map(partial(self.thread, lanes, settings), parts), strict=True)
        return max(seconds), sum(evaluations)


def waited_s() -> float:
    """How long this thread has been ready and waited for a core, s; zero where the system does not report it."""
    try:
        return 1e-9 * int(Path("/proc/thread-self/schedstat").read_text().split()[1])
    except OSError:
        return 0.0


def contestants(varied: Varied, tol: float) -> tuple[list[Contestant], str]:
    """All contestants that can be measured here, and which are missing."""
    settings = varied.settings(tol)
    wide = varied.opened.lanes(WIDTHS[-1])
    found = [
        Contestant("simulated one by one", BUILT, partial(varied.simulated, tol)),
        Contestant("one by one, folded", SINGLE, partial(varied.folded, settings)),
        Contestant("one by one, all open", SINGLE, partial(varied.unfolded, settings)),
        Contestant("one by one", SINGLE, partial(varied.one_by_one, settings)),
    ]
    for width in WIDTHS:
        lanes = varied.opened.lanes(width)
        found.append(Contestant(f"{width} lanes", MANY, partial(varied.in_lanes, lanes, settings)))
    for count, name in ((1, "one thread"), (2, "two threads")):
        found.append(Contestant(name, MANY, partial(varied.threads, wide, settings, count)))
    missing = Rollout.missing(varied.case)
    if not missing:
        rollout = Rollout(varied.case, [varied.model(row) for row in range(Rollout.RUNS)])
        missing = f"MuJoCo: {rollout.setting.name}, largest error {rollout.error:.1e} J."
        found.append(Contestant("MuJoCo", Rollout.RUNS, rollout.run))
    return found, missing


def measure(all_of: Sequence[Contestant], rounds: int) -> None:
    """Measures them in turn, every other round in reverse order."""
    for k in range(rounds):
        for contestant in all_of[::-1] if k % 2 else all_of:
            contestant.measure()


def main() -> None:
    """Measures, and prints a table for each problem."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=sorted(STUDIES))
    parser.add_argument("--rounds", type=int, default=7)
    asked, console = parser.parse_args(), Console(width=120)
    os.environ["GRASHOF_CACHE"] = "off"  # each mechanism is built
    for name in [asked.only] if asked.only else STUDIES:
        varied = Varied(name)
        tol, error = varied.tolerance()
        found, remark = contestants(varied, tol)
        measure(found, asked.rounds)
        base = next(x for x in found if x.name == "one by one")
        rule = f"largest error {error:.1e} J (rule: {varied.case.bound:g} J)"
        table = Table(title=f"{name}, {', '.join(STUDIES[name][0])} varied: tolerance {tol:g}, {rule}")
        for title in ("", "runs/s", "ns an evaluation", "against one by one"):
            table.add_column(title, justify="right" if title else "left")
        for x in found:
            cost = f"{1e9 * min(x.seconds) / x.evaluations:.1f}" if x.evaluations else "–"
            table.add_row(x.name, f"{x.rate:,.0f}", cost, f"{x.rate / base.rate:.2f}")
        console.print(table)
        console.print(f"All open: {len(varied.all_open.names)} numbers. {remark}")
    console.print(", ".join(f"{key} {value}" for key, value in facts().items()), highlight=False)


if __name__ == "__main__":
    main()
