"""What surrounds the time loop: `python -m benchmarks.around`.

For some mechanisms: CPU time of the native time loop alone, and of `simulate` as a whole (program compiled, nothing
asked of the result), without the second run that estimates the error, and with it, compared with the time loops of
both; and how much faster two threads make as many runs as one. Then the same for the benchmark problems, each at the
loosest tolerance that satisfies its rule, as ratios to the native time loop, and with the error estimate also to the
time loops of all its runs, which are up to eight; and the first call for a description,
which also builds the program, with machine code from the cache and without it. Then output: joint violations, joint
reactions and a CSV file, with the memory that each of them takes at most. Best of several, interleaved.
"""

from __future__ import annotations

import argparse
import hashlib
import math
import os
import tempfile
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import chains
from benchmarks.contests import CONTESTS, Contest
from benchmarks.engine import GrashofContestant
from benchmarks.ladder import climb
from grashof import Mechanism
from grashof.formulation.natural.rigid import violations
from grashof.integrate import Steps
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory
from grashof.problems import make_case
from grashof.program import Program, build
from grashof.show.tables import save_table
from grashof.simulation.simulate import integrate, simulate

REPEAT = 15
"""Number of measurements, of which the best counts."""

WIDTH = 140
"""Width of the tables, in columns, if the output is not a terminal."""

RUNS = 24
"""Number of runs that one thread makes, or two threads share."""


def stewart() -> Mechanism:
    """A platform on six legs with springs, each a cylinder and a rod, released with a velocity near its rest
    position."""
    m = Mechanism("Stewart platform", gravity=(0, 0, -9.81))
    start = (0.03, 0.02, 1.0)
    feet = [(math.cos(a), math.sin(a), 0.0) for a in np.radians((10, 110, 130, 230, 250, 350))]
    heads = [(0.6 * math.cos(a), 0.6 * math.sin(a), 0.0) for a in np.radians((50, 70, 170, 190, 290, 310))]
    corners: dict[str, Sequence[float]] = {f"p{k}": head for k, head in enumerate(heads)}
    top = m.body("top", mass=10.0, center=(0, 0, 0.05), inertia=(0.9, 1.0, 1.8), points=corners, position=start)
    for k, (foot, head) in enumerate(zip(feet, heads, strict=True)):
        span = np.add(start, head) - foot
        along = span / np.linalg.norm(span)
        across = np.cross(along, (0.0, 0.0, 1.0))
        across /= np.linalg.norm(across)
        low = m.body(
            f"cylinder{k}",
            mass=1.0,
            center=(0.25 * along).tolist(),
            inertia=(0.03, 0.031, 0.032),
            points={"a": (0, 0, 0), "b": (0.3 * along).tolist()},
            position=foot,
        )
        high = m.body(
            f"rod{k}",
            mass=0.5,
            center=(-0.25 * along).tolist(),
            inertia=(0.02, 0.021, 0.022),
            points={"a": (-0.3 * along).tolist(), "b": (0, 0, 0)},
            position=np.add(start, head).tolist(),
        )
        ground, corner = m.ground.at(*foot), getattr(top, f"p{k}")
        m.universal(ground, low.a, axis_a=tuple(across), axis_b=tuple(np.cross(along, across)))
        m.prismatic(low.b, high.a, axis=tuple(along))
        m.spherical(high.b, corner)
        m.spring(ground, corner, stiffness=2000.0, length=1.02 * float(np.linalg.norm(span)), name=f"spring{k}")
    return m


MECHANISMS: dict[str, tuple[Callable[[], Model | Mechanism], float]] = {
    "Andrews' squeezer": (lambda: make_case("andrews").model, 0.05),
    "5 × 5 four-bar": (lambda: make_case("multiple-four-bar").model, 10.0),
    "Stewart platform": (stewart, 2.0),
    "50 spherical pendulums": (lambda: chains.pendulums(50), 1.0),
    "ring of 25 bodies": (lambda: chains.ring(25), 1.0),
}
"""What is run, and for how many simulated seconds."""


def best(*tasks: Callable[[], object], repeat: int = REPEAT) -> list[float]:
    """The shortest CPU time of each task, s."""
    least = [math.inf] * len(tasks)
    for _ in range(repeat):
        for k, task in enumerate(tasks):
            began = time.process_time()
            task()
            least[k] = min(least[k], time.process_time() - began)
    return least


def two_threads(task: Callable[[], object], count: int) -> float:
    """How many times faster two threads are than one, in wall time."""

    def some(count: int) -> None:
        for _ in range(count):
            task()

    ratios = []
    for _ in range(3):
        began = time.perf_counter()
        some(count)
        alone = time.perf_counter() - began
        with ThreadPoolExecutor(2) as pool:
            began = time.perf_counter()
            list(pool.map(some, [count // 2] * 2))
            ratios.append(alone / (time.perf_counter() - began))
    return max(ratios)


def loops_of(run: Trajectory) -> float:
    """The CPU time of the time loops of a run and of the one that it was compared with, s."""
    companion = run.steps.companion
    return run.steps.cpu_s + (0.0 if companion is None else companion.steps.cpu_s)


def all_loops(program: Program, t_end: float, tol: float) -> float:
    """The least CPU time of the time loops of all runs that `simulate` makes until its error is within tol, s."""
    collect, spent = program.integrator.collect, [0.0]

    def counted(*given: Any) -> Steps:
        steps = collect(*given)
        spent[-1] += steps.cpu_s
        return steps

    with patch.object(program.integrator, "collect", counted):
        for _ in range(REPEAT):
            spent.append(0.0)
            simulate(program, t_end, tol=tol)
    return min(spent[1:])


def runs(names: list[str]) -> Table:
    """The first table."""
    table = Table("mechanism", "time loop", "simulate", "ratio", "with error", "ratio to its two loops", "two threads")
    for name in names:
        make, t_end = MECHANISMS[name]
        program = build(make())
        plain, checked = best(partial(simulate, program, t_end, check_error=False), partial(simulate, program, t_end))
        loop = min(integrate(program, t_end).cpu_s for _ in range(REPEAT))
        loops = min(loops_of(simulate(program, t_end)) for _ in range(REPEAT))
        cells = [f"{1e3 * loop:.3g} ms"]
        for whole, part in ((plain, loop), (checked, loops)):
            cells += [f"{1e3 * whole:.3g} ms", f"{whole / part:.2g}"]
        speed = two_threads(partial(simulate, program, t_end, check_error=False), RUNS)
        table.add_row(name, *cells, f"{speed:.2g} ×")
    possible = two_threads(lambda: hashlib.pbkdf2_hmac("sha256", b"", b"", 20_000), RUNS)
    table.caption = f"Two threads make hashes, which need no interpreter, {possible:.2g} × as fast as one."
    return table


@contextmanager
def nothing_cached() -> Iterator[None]:
    """Nothing is taken from the cache on disk."""
    before = os.environ.get("GRASHOF_CACHE")
    os.environ["GRASHOF_CACHE"] = "off"
    try:
        yield
    finally:
        os.environ.pop("GRASHOF_CACHE")
        if before is not None:
            os.environ["GRASHOF_CACHE"] = before


def first_call(contest: Contest, tol: float) -> float:
    """The CPU time of `simulate` for a description of which nothing is built yet, s."""
    case = contest.case()
    return best(partial(simulate, case.model, case.t_end, tol=tol), repeat=1)[0]


def problems() -> Table:
    """The second table."""
    columns = (
        "tol",
        "time loop",
        "integrate",
        "simulate",
        "ratio",
        "to all its loops",
        "no error",
        "ratio",
        "first",
        "not cached",
    )
    table = Table("problem", *columns)
    for contest in CONTESTS:
        engine = GrashofContestant(contest.case())
        program, t_end, rule = engine.program, engine.case.t_end, climb(engine.run, engine.case.bound).loosest
        assert rule is not None, "every problem is solved at some tolerance"
        loop = math.inf

        def bare(program: Program = program, t_end: float = t_end, tol: float = rule.tol) -> None:
            nonlocal loop
            loop = min(loop, integrate(program, t_end, tol=tol).cpu_s)

        checked = partial(simulate, program, t_end, tol=rule.tol)
        times = best(bare, checked, partial(checked, check_error=False), repeat=4 * REPEAT)
        firsts = [min(first_call(contest, rule.tol) for _ in range(3))]
        with nothing_cached():
            firsts.append(min(first_call(contest, rule.tol) for _ in range(2)))
        cells = [f"{rule.tol:.3g}", f"{1e3 * loop:.3g} ms", f"{1e3 * times[0]:.3g} ms"]
        for whole in times[1:]:
            cells += [f"{1e3 * whole:.3g} ms", f"{whole / loop:.3g}"]
        cells.insert(5, f"{times[1] / all_loops(program, t_end, rule.tol):.3g}")
        table.add_row(contest.title, *cells, *(f"{1e3 * x:.3g} ms" for x in firsts))
    return table


def output() -> Table:
    """The third table, of the 5 × 5 four-bar."""
    program = build(make_case("multiple-four-bar").model)
    many = simulate(program, 10.0, times=100_000, check_error=False)
    few = simulate(program, 10.0, times=1001, check_error=False)
    names = [name for name in many.names if name != "t"][:19]
    for name in names:
        many[name]
    few.reactions(few.t[:2])
    with tempfile.TemporaryDirectory() as folder:
        tasks: dict[str, Callable[[], object]] = {
            "violations at 100,000 times": lambda: violations(program.dynamics, many.t, many.y, many.a),
            "reactions at 1,001 times": few.reactions,
            "CSV of 100,000 × 20 numbers": lambda: save_table(many, Path(folder) / "table.csv", names),
        }
        seconds = best(*tasks.values(), repeat=3)
        table = Table("output", "CPU time", "memory at most")
        for (name, task), spent in zip(tasks.items(), seconds, strict=True):
            tracemalloc.start()
            task()
            table.add_row(name, f"{spent:.2g} s", f"{tracemalloc.get_traced_memory()[1] / 2**20:.0f} MB")
            tracemalloc.stop()
    return table


def main() -> None:
    """Measures, and prints the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("mechanisms", nargs="*", default=list(MECHANISMS), help=f"of {', '.join(MECHANISMS)}")
    options.add_argument("--problems", action="store_true", help="only the benchmark problems")
    given = options.parse_args()
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    if not given.problems:
        console.print(runs(given.mechanisms))
    console.print(problems())
    if not given.problems:
        console.print(output())


if __name__ == "__main__":
    main()
