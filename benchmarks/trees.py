"""Open trees, compared with engines that are made for them: `python -m benchmarks.trees [SIZE …]`, with the extra
`grashof[engines]`.

Arms in space of 7, 30 and 100 bodies, joined by revolute joints about random axes, at rest under gravity, for one
second. Relative coordinates need one number a body here and no constraint at all; Grashof's natural coordinates need
several and their constraints: these are mechanisms where it is behind. For each engine: the least CPU time of the
integration alone, in one thread, that is within a goal of the reference (positions over the size, orientations in rad,
energies over the energy of the motion, at eleven times), with everything that is coarser failing. All engines take
turns, and the best of some rounds counts.

The reference is Grashof's finest run; Pinocchio's and Exudyn's finest runs show how far it can be trusted. No goal is
below ten times that.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from grashof import Mechanism
from grashof.bench.process import ONE_THREAD
from grashof.engines import ENGINES
from grashof.engines.base import EngineFailed, NotInstalled, Prepared, Setting
from grashof.engines.comparison import MotionNorms
from grashof.situation import Situation, situation
from grashof.situation.motion import Motion

SIZES = (7, 30, 100)
GOALS = (1e-3, 1e-6, 1e-9)
CONTESTANTS = ("grashof", "mujoco", "pinocchio", "exudyn", "opensim", "drake")
WITNESSES = ("pinocchio", "exudyn")
T_END = 1.0
TIMES = np.linspace(0.0, T_END, 11)
ALONE = "pinocchio, aba alone"
"""The time of the calls of `aba` without the surrounding Python: the least that the same method would take in C++."""


def arm(count: int) -> Mechanism:
    """An arm of bodies of 0.3 m in space: up to ten bodies form one chain, more form a tree with branches at random
    places."""
    rng = np.random.default_rng(3)
    m = Mechanism(f"arm of {count} bodies", gravity=(0.0, 0.0, -9.81))
    bodies: list[Any] = []
    ends, ways = [np.zeros(3)], [np.zeros(3)]
    for k in range(count):
        parent = k - 1
        if count > 10 and k >= 4:
            parent = k - 4 if k % 9 else int(rng.integers(0, k))
        way = _unit(rng.normal(size=3) + 1.5 * ways[parent + 1])
        body = m.body(
            f"link{k}",
            mass=1.0 + 0.2 * (k % 3),
            center=tuple(0.15 * way + 0.01 * rng.normal(size=3)),
            inertia=tuple(np.array([0.02, 0.025, 0.03]) * (1.0 + 0.1 * rng.random())),
            points={"start": (0.0, 0.0, 0.0), "end": tuple(0.3 * way)},
            position=tuple(ends[parent + 1]),
        )
        axis = rng.normal(size=3)
        m.revolute(
            m.ground.at(0, 0, 0) if parent < 0 else bodies[parent].end,
            body.start,
            axis=tuple(_unit(axis - 0.5 * way * (axis @ way))),
        )
        bodies.append(body)
        ends.append(ends[parent + 1] + 0.3 * way)
        ways.append(way)
    return m


def _unit(x: np.ndarray) -> np.ndarray:
    unit: np.ndarray = x / np.linalg.norm(x)
    return unit


@dataclass
class EngineFound:
    """An engine's cheapest setting within a goal: its difference from the reference, steps, and least CPU time, s."""

    engine: str
    goal: float
    setting: str
    apart: float
    steps: int
    cpu_s: float


def measure(size: int, rounds: int, limit_s: float) -> dict[str, Any]:
    """One arm, in this process."""
    s = situation(arm(size).model)
    prepared, build, absent = _prepared(s)
    finest = {name: _finest(s, name, prepared[name], limit_s) for name in ("grashof", *WITNESSES) if name in prepared}
    reference = finest.pop("grashof")
    comparison = MotionNorms(s, reference)
    witnesses = {name: comparison.between(reference, motion).largest for name, motion in finest.items()}
    chosen: list[tuple[EngineFound, Setting]] = []
    for name, one in prepared.items():
        goals, ran = [goal for goal in GOALS if goal >= 10.0 * max(witnesses.values(), default=0.0)], False
        for setting in ENGINES[name].ladder(s, T_END):
            if not goals:
                break
            try:
                result = one.run(setting, TIMES, limit_s)
            except EngineFailed:
                if ran:
                    break  # too slow, and finer ones are slower
                continue  # too coarse
            ran = True
            apart = comparison.between(reference, result.motion).largest
            while goals and apart <= goals[0]:
                chosen.append(
                    (EngineFound(name, goals.pop(0), str(setting), apart, result.steps, result.cpu_s), setting)
                )
    for turn in range(rounds):
        for found, setting in chosen[:: 1 if turn % 2 else -1]:
            found.cpu_s = min(found.cpu_s, prepared[found.engine].run(setting, TIMES).cpu_s)
    if "pinocchio" in prepared:
        call_s = _aba_s(prepared["pinocchio"])
        for found, _ in list(chosen):
            if found.engine == "pinocchio":
                alone = EngineFound(
                    ALONE, found.goal, found.setting, found.apart, found.steps, 12 * found.steps * call_s
                )
                chosen.append((alone, Setting("")))
    return {
        "bodies": size,
        "witnesses": witnesses,
        "build_s": build,
        "absent": absent,
        "found": [asdict(found) for found, _ in chosen],
    }


def _prepared(s: Situation) -> tuple[dict[str, Prepared], dict[str, float], dict[str, str]]:
    """The available engines, their CPU seconds to build, and why others are not available."""
    prepared: dict[str, Prepared] = {}
    build, absent = {}, {}
    for name in CONTESTANTS:
        engine = ENGINES[name]
        try:
            engine.version()
            began = time.process_time()
            prepared[name] = engine.prepare(s)
            build[name] = time.process_time() - began
        except (NotInstalled, EngineFailed) as problem:
            absent[name] = str(problem)
    return prepared, build, absent


def _finest(s: Situation, name: str, prepared: Prepared, limit_s: float) -> Motion:
    """The motion at the finest setting within the time limit."""
    for setting in reversed(ENGINES[name].ladder(s, T_END)):
        try:
            return prepared.run(setting, TIMES, limit_s).motion
        except EngineFailed:
            continue
    raise EngineFailed(f"{name} has no setting that takes less than {limit_s:g} s.")


def _aba_s(prepared: Any) -> float:
    """CPU seconds of one call of `aba`."""
    import pinocchio

    model, data, still = prepared.model, prepared.model.createData(), np.zeros(prepared.model.nv)
    q, v = np.random.default_rng(0).normal(size=(2, model.nv))
    best = math.inf
    for _ in range(5):
        began = time.process_time()
        for _ in range(1000):
            pinocchio.aba(model, data, q, v, still)
        best = min(best, 1e-3 * (time.process_time() - began))
    return best


def apart(size: int, rounds: int, limit_s: float) -> dict[str, Any]:
    """One arm, in a separate process."""
    settings = ONE_THREAD | {"GRASHOF_CACHE": "off"}
    command = [sys.executable, "-m", "benchmarks.trees", "--one", json.dumps([size, rounds, limit_s])]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, env=os.environ | settings, check=True)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def show(console: Console, measured: dict[str, Any]) -> None:
    """A table: each engine's time at each goal, and Grashof's time divided by it."""
    goals = sorted({found["goal"] for found in measured["found"]}, reverse=True)
    table = Table("engine", "build", *(f"{goal:.0e}" for goal in goals), title=f"arm of {measured['bodies']} bodies")
    times = {(found["engine"], found["goal"]): found["cpu_s"] for found in measured["found"]}
    for name in (*CONTESTANTS[:3], ALONE, *CONTESTANTS[3:]):
        cells = []
        for goal in goals:
            cpu_s = times.get((name, goal))
            ours = times.get(("grashof", goal), math.nan)
            ratio = "" if name == "grashof" or cpu_s is None else f"  (Grashof {ours / cpu_s:.2g} times that)"
            cells.append("–" if cpu_s is None else f"{1e3 * cpu_s:.3g} ms{ratio}")
        build = measured["build_s"].get(name)
        table.add_row(name, "" if build is None else f"{build:.2g} s", *cells)
    console.print(table)
    said = ", ".join(f"{name} {value:.1e}" for name, value in measured["witnesses"].items())
    console.print(f"The reference differs from the finest runs of others: {said or 'there are none'}.")
    for name, reason in measured["absent"].items():
        console.print(f"{name}: {reason}")


def main() -> None:
    """Measures, and prints the tables."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("sizes", nargs="*", type=int, default=list(SIZES), help="numbers of bodies")
    options.add_argument("--rounds", type=int, default=5, help="number of rounds; the fastest counts")
    options.add_argument("--limit-s", type=float, default=10.0, help="CPU seconds that a run may take")
    options.add_argument("--json", help="write everything measured to this file")
    options.add_argument("--one", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.one:
        print(json.dumps(measure(*json.loads(given.one))))
        return
    console, measured = Console(), []
    for size in given.sizes:
        console.print(f"measuring an arm of {size} bodies …", style="dim")
        measured.append(apart(size, given.rounds, given.limit_s))
        show(console, measured[-1])
    if given.json:
        with open(given.json, "w", encoding="utf-8") as file:
            json.dump(measured, file, indent=1)


if __name__ == "__main__":
    main()
