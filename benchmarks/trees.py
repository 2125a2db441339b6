"""Open trees, compared with engines that are made for them: `python -m benchmarks.trees [NAME …]`, with the packages
`mujoco`, `pin` and `cmeel-eigen` and a C++ compiler.

Arms of 7, 30 and 100 bodies, a quadruped of 13 and a humanoid of 15 (`robots.py`), for one second. Grashof computes
them in natural and in relative coordinates; Pinocchio's `aba` runs from C++ with the adaptive DOP853 of the programs
written by hand (`pinocchio_cpp.py`); MuJoCo by its RK4 and `implicitfast`, with constant steps, from its own `rollout`;
other installed engines as in `grashof second-opinion`. For each: the least CPU time of the integration alone, in one
thread, whose final positions (of all points of all bodies, over the size of the mechanism) and orientations (rad) are
within a goal of the reference, with everything that is coarser failing. All take turns, and the best of some rounds
counts.

The reference is Grashof's run in natural coordinates at 1e-11; Pinocchio's own finest runs, from C++ and by way of the
adapter of `second-opinion`, which translates the mechanism on its own, show how far it can be trusted. No goal is below
ten times that.

`--growth` measures how long it takes to build and to run arms of 100, 300 and 1,000 bodies instead.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks.hand_written import Unavailable
from benchmarks.pinocchio_cpp import PinocchioInC, compile_library
from benchmarks.robots import TREES, arm
from grashof.bench.process import ONE_THREAD
from grashof.engines import ENGINES
from grashof.engines.base import EngineFailed, NotInstalled, Prepared, Setting
from grashof.engines.comparison import MotionNorms
from grashof.engines.grashof import TOLERANCES, PreparedGrashof, by_tolerance
from grashof.program import Program, build
from grashof.simulation.simulate import integrate
from grashof.situation import Situation, situation
from grashof.situation.motion import Motion
from grashof.tape.arrays import over_rows

GOALS = (1e-3, 1e-6)
T_END = 1.0
TIMES = np.array([0.0, T_END])
OURS = ("grashof, relative", "grashof, natural")
CPP, FAST = "pinocchio, C++", "mujoco, implicitfast"
OTHERS = ("mujoco", "pinocchio", "exudyn", "opensim", "drake")
GROWTH = (100, 300, 1000)


@dataclass
class Contestant:
    """What takes part: a mechanism prepared by an engine, its settings from coarse to fine, CPU seconds to build it,
    and those of one evaluation of the accelerations, if they can be measured."""

    prepared: Prepared
    ladder: tuple[Setting, ...]
    build_s: float = math.nan
    call_s: float = math.nan


@dataclass
class EngineFound:
    """An engine's cheapest setting within a goal: its difference from the reference, steps, and CPU times, s."""

    engine: str
    goal: float
    setting: str
    apart: float
    steps: int
    cpu_s: float
    samples: list[float] = field(default_factory=list)


def measure(name: str, rounds: int, limit_s: float, library: str | None = None) -> dict[str, Any]:
    """One tree, in this process."""
    s = situation(TREES[name]().model)
    contestants, absent = _contestants(s, library)
    reference = contestants[OURS[1]].prepared.run(by_tolerance(TOLERANCES[-1]), TIMES).motion
    comparison = MotionNorms(s, reference)

    def distance(motion: Motion) -> float:
        kinds = comparison.between(reference, motion).by_kind
        return max(kinds["position"], kinds["orientation"])

    witnesses = {
        who: distance(_finest(one, limit_s)) for who, one in contestants.items() if who in (OURS[0], CPP, "pinocchio")
    }
    chosen: list[tuple[EngineFound, Setting]] = []
    for who, one in contestants.items():
        if who == "pinocchio" and CPP in contestants:
            continue  # the same steps, slowed down by Python
        goals, ran = [goal for goal in GOALS if goal >= 10.0 * max(witnesses.values())], False
        for setting in one.ladder:
            if not goals:
                break
            try:
                result = one.prepared.run(setting, TIMES, limit_s)
            except EngineFailed:
                if ran:
                    break  # too slow, and finer ones are slower
                continue  # too coarse
            ran = True
            apart = distance(result.motion)
            while goals and apart <= goals[0]:
                chosen.append(
                    (EngineFound(who, goals.pop(0), str(setting), apart, result.steps, result.cpu_s), setting)
                )
    for turn in range(rounds):
        for found, setting in chosen[:: 1 if turn % 2 else -1]:
            found.samples.append(contestants[found.engine].prepared.run(setting, TIMES).cpu_s)
    for found, _ in chosen:
        found.cpu_s = min(found.cpu_s, *found.samples)
    return {
        "tree": name,
        "auto": build(s.original).chosen,
        "witnesses": witnesses,
        "build_s": {who: one.build_s for who, one in contestants.items()},
        "call_s": {who: one.call_s for who, one in contestants.items()},
        "absent": absent,
        "found": [asdict(found) for found, _ in chosen],
    }


def _contestants(s: Situation, library: str | None) -> tuple[dict[str, Contestant], dict[str, str]]:
    """Those that can run, and why others cannot."""
    found: dict[str, Contestant] = {}
    absent: dict[str, str] = {}
    for who in OURS:
        began = time.process_time()
        program = build(s.original, formulation=who.split(", ")[1])
        built = time.process_time() - began
        for tol in (TOLERANCES[0], TOLERANCES[-1]):
            integrate(program, T_END, tol=tol, max_steps=1)  # compiles the methods
        ladder = tuple(map(by_tolerance, TOLERANCES))
        found[who] = Contestant(PreparedGrashof(program), ladder, built, _evaluation_s(program))
        if who == OURS[0] and library:
            try:
                cpp = PinocchioInC(program, Path(library), Path(library).parent / s.original.name.replace(" ", "-"))
                found[CPP] = Contestant(cpp, cpp.ladder(), call_s=cpp.call_s())
            except Unavailable as problem:
                absent[CPP] = str(problem)
    for who in OTHERS:
        engine = ENGINES[who]
        try:
            engine.version()
            began = time.process_time()
            prepared = engine.prepare(s)
            built = time.process_time() - began
            found[who] = Contestant(prepared, engine.ladder(s, T_END), built)
            if who == "mujoco":
                found[FAST] = Contestant(make_implicit(engine.prepare(s)), halve_steps(engine.ladder(s, T_END)))
        except (NotInstalled, EngineFailed) as problem:
            absent[who] = str(problem)
    return found, absent


def make_implicit(prepared: Any, integrator: str = "implicitfast") -> Any:
    """MuJoCo with one of its implicit integrators, of first order; it recommends this one."""
    import mujoco

    prepared.model.opt.integrator = getattr(mujoco.mjtIntegrator, f"mjINT_{integrator.upper()}")
    return prepared


def halve_steps(ladder: tuple[Setting, ...], integrator: str = "implicitfast") -> tuple[Setting, ...]:
    """Steps down to 2¹⁴ times as short as the first one, for a method of first order."""
    first = ladder[0]
    steps = [float(first.values["timestep"]) * 2.0**-k for k in range(15)]
    return tuple(Setting(f"{integrator}, h = {h:.3g} s", {**first.values, "timestep": h}) for h in steps)


def _finest(one: Contestant, limit_s: float) -> Motion:
    """The motion at the finest setting within the time limit."""
    for setting in reversed(one.ladder):
        try:
            return one.prepared.run(setting, TIMES, limit_s).motion
        except EngineFailed:
            continue
    raise EngineFailed(f"No setting takes less than {limit_s:g} s.")


def evaluate_often(program: Program) -> Callable[[int], None]:
    """A function that evaluates the accelerations that many times, in a loop of machine code."""
    view = program.integrator.view
    y = program.y0 if view is None else view.own(0.0, program.y0)
    address = program.integrator.library.address("derivative")

    def repeat(times: int) -> None:
        rows = np.tile(np.concatenate([[0.0], y]), (times, 1))
        rows[:, 1] += 1e-6 * np.arange(times)
        over_rows(address, rows, np.empty((times, 0)), program.formulation.layout.sizes.rates)

    return repeat


def _evaluation_s(program: Program) -> float:
    """CPU seconds of one evaluation of the accelerations."""
    repeat = evaluate_often(program)
    best = math.inf
    for _ in range(9):
        began = time.process_time()
        repeat(1000)
        best = min(best, 1e-3 * (time.process_time() - began))
    return best


def measure_growth() -> list[dict[str, float]]:
    """CPU seconds to build arms of many bodies, and to simulate one second at a tolerance of 1e-6."""
    found = []
    for count in GROWTH:
        m = arm(count)
        began = time.process_time()
        program = build(m)
        built = time.process_time() - began
        runs = [integrate(program, T_END, tol=1e-6) for _ in range(3)]
        best = min(run.cpu_s for run in runs)
        evaluations = runs[0].counters.evaluations
        found.append({"bodies": count, "build_s": built, "run_s": best, "evaluations": evaluations})
    return found


def apart(arguments: list[Any]) -> Any:
    """A measurement in a separate process with one thread and without the cache."""
    settings = ONE_THREAD | {"GRASHOF_CACHE": "off"}
    command = [sys.executable, "-W", "ignore", "-m", "benchmarks.trees", "--one", json.dumps(arguments)]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=os.environ | settings, check=True)
    return json.loads(done.stdout.splitlines()[-1])


def show(console: Console, measured: dict[str, Any]) -> None:
    """A table: each engine's time at each goal, and Grashof's time in relative coordinates divided by it."""
    goals = sorted({found["goal"] for found in measured["found"]}, reverse=True)
    columns = ("engine", "build", "evaluation", *(f"{goal:.0e}" for goal in goals))
    table = Table(*columns, title=f"{measured['tree']} ({measured['auto']})")
    times = {(found["engine"], found["goal"]): found for found in measured["found"]}
    for name in measured["build_s"]:
        cells = []
        for goal in goals:
            found = times.get((name, goal))
            if found is None:
                cells.append("–")
                continue
            ours = times[OURS[0], goal]["cpu_s"] / found["cpu_s"]
            ratio = "" if name == OURS[0] else f"  (relative {ours:.2f} times that)"
            cells.append(f"{1e3 * found['cpu_s']:.3g} ms{ratio}")
        build_s, call_s = measured["build_s"][name], measured["call_s"][name]
        table.add_row(
            name,
            "" if math.isnan(build_s) else f"{build_s:.2g} s",
            "" if math.isnan(call_s) else f"{1e6 * call_s:.3g} µs",
            *cells,
        )
    console.print(table)
    said = ", ".join(f"{name} {value:.1e}" for name, value in measured["witnesses"].items())
    console.print(f"The reference differs from the finest runs of others: {said}.")
    for name, reason in measured["absent"].items():
        console.print(f"{name}: {reason}")


def main() -> None:
    """Measures, and prints the tables."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("names", nargs="*", default=list(TREES), help=f"some of {', '.join(TREES)}")
    options.add_argument("--rounds", type=int, default=5, help="number of rounds; the fastest counts")
    options.add_argument("--limit-s", type=float, default=2.0, help="CPU seconds that a run may take")
    options.add_argument("--library", help="the compiled tree_aba.cpp, if it exists already")
    options.add_argument("--growth", action="store_true", help="measure large arms instead")
    options.add_argument("--json", help="write everything measured to this file")
    options.add_argument("--one", help=argparse.SUPPRESS)
    given = options.parse_args()
    console = Console()
    if given.one:
        arguments = json.loads(given.one)
        print(json.dumps(measure(*arguments) if arguments else measure_growth()))
        return
    if given.growth:
        for row in apart([]):
            console.print(
                f"{row['bodies']:5} bodies: built in {row['build_s']:.3g} s, run in {1e3 * row['run_s']:.3g} ms, "
                f"{1e6 * row['run_s'] / row['evaluations'] / row['bodies']:.3g} µs per evaluation and body"
            )
        return
    measured = []
    with tempfile.TemporaryDirectory() as folder:
        library = given.library
        try:
            library = library or str(compile_library(Path(folder)))
        except Unavailable as problem:
            console.print(f"{CPP}: {problem}")
        for name in given.names:
            console.print(f"measuring {name} …", style="dim")
            measured.append(apart([name, given.rounds, given.limit_s, library]))
            show(console, measured[-1])
    if given.json:
        Path(given.json).write_text(json.dumps(measured, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
