"""Killed processes: everything written before is complete, and nothing half-written is mistaken for complete.

Each case is a process, so there is one for every ten cases requested.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import random
import signal
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from unittest.mock import patch

from fuzz import finding, scratch
from fuzz._command import COMMANDS
from grashof.bench.messages import Excuse
from grashof.bench.store import Store, new_measurement
from grashof.bench.subject import subject
from grashof.tape import cache

EACH = 10

CRANK = """
format = "grashof 1"
name = "pendulum"
gravity = [0.0, -9.81]
ground = { O = [0.0, 0.0] }
bodies = [{ type = "bar", name = "rod", length = 1.0, mass = 1.0 }]
joints = [{ type = "revolute", name = "pin", a = "ground.O", b = "rod.start" }]
"""


def run(cases: int, seed: int) -> list[str]:
    """Writers of the cache and of a store, and runs that write their results, each killed at a random moment."""
    found = []
    for case in range(max(1, cases // EACH)):
        draw = random.Random(f"{seed} processes {case}")
        what = f"processes, case {case}"
        with scratch() as folder, patch.dict(os.environ, GRASHOF_CACHE=f"{folder}/kept"):
            place = Path(folder)
            kind = (_cache, _store, _cache, _store, _results)[case % 5]
            sentence = finding(partial(kind, place, draw), what)
        if sentence is not None:
            found.append(sentence)
    return found


def _killed(work: Callable[[], object], after: float) -> None:
    """Does the work in a process that is killed after this many seconds, finished or not."""
    child = os.fork()
    if child == 0:
        try:
            with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
                work()
        finally:
            os._exit(0)
    time.sleep(after)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)


def _content(number: int) -> bytes:
    return random.Random(number).randbytes(1000 * (1 + number % 300))


def _cache(place: Path, draw: random.Random) -> None:
    """Objects are complete or absent; leftovers of the killed process are removed."""

    def write() -> None:
        for number in range(10_000):
            cache.put(str(number), _content(number))

    _killed(write, draw.uniform(0.0, 0.03))
    for _, _, path in cache.contents():
        if cache.get(path.stem) != _content(int(path.stem)):
            raise ValueError(f"object {path.stem} is damaged")
    cache.clear()
    left = [path.name for path in (place / "kept").glob("*")] if (place / "kept").exists() else []
    if set(left) - {".written"}:
        raise ValueError(f"left over: {left}")


def _store(place: Path, draw: random.Random) -> None:
    """Committed data are present, and the store can be used again."""
    path, done = place / "store.sqlite", place / "done"
    about = subject("andrews")

    def write() -> None:
        with Store(path) as store:
            machine = store.add_machine({"cores": "2"})
            with done.open("wb", buffering=0) as committed:
                for _ in range(10_000):
                    made = new_measurement(
                        machine, about, "one", "1", ("n" * 500,), None, Excuse("failed", "It broke.")
                    )
                    store.add(made)
                    committed.write(made.id.encode() + b"\n")

    _killed(write, draw.uniform(0.0, 0.1))
    with Store(path) as store:
        known = {measurement.id for measurement in store.measurements()}
        missing = set(done.read_text().split()) - known if done.exists() else set()
        if missing:
            raise ValueError(f"{len(missing)} measurements that were kept are lost")
        store.add_machine({"cores": "4"})


def _results(place: Path, draw: random.Random) -> None:
    """Files of a run are complete or absent."""
    (place / "it.toml").write_text(CRANK)
    out = place / "out"
    command = ["simulate", str(place / "it.toml"), "--t-end", "5", "--out", str(out)]
    _killed(lambda: COMMANDS(command, standalone_mode=False), draw.uniform(0.0, 3.0))
    if (out / "run.json").exists():
        if json.loads((out / "run.json").read_text())["status"] != "success":
            raise ValueError("run.json tells something else")
        absent = {"trajectory.csv", "histories.png", "mechanism.png"} - {path.name for path in out.iterdir()}
        if absent:  # it is written last
            raise ValueError(f"run.json is there, and not {absent}")
    if (out / "trajectory.csv").exists():
        lines = (out / "trajectory.csv").read_text().splitlines()
        if len(lines) != 1002 or len({line.count(",") for line in lines}) != 1:
            raise ValueError(f"trajectory.csv has {len(lines)} lines")
    for picture in out.glob("*.png"):
        if picture.name[0] != "." and not picture.read_bytes().endswith(b"IEND\xaeB`\x82"):
            raise ValueError(f"{picture.name} is cut off")
