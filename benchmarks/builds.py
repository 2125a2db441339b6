"""How long it takes until a mechanism can run: `python -m benchmarks.builds [--threads N] [NAME …]`.

CPU seconds of whole processes, from the start of Python on: one that finds an empty cache, and the best of three that
find what it left. Arm trees with random axes, rings and chains in space, scissor lifts and grids; beside them, if it is
installed, how long MuJoCo takes to import, read and compile an arm tree of the same shape.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from grashof import Mechanism
    from grashof.model.handles import Handle
    from grashof.model.model import Model

TREE_SEED = 3


def arm_tree(count: int) -> Mechanism:
    """Bodies in space with revolute joints about random axes, in chains of four with some branches."""
    from grashof import Mechanism

    m = Mechanism(f"arm tree of {count}", gravity=(0.0, 0.0, -9.81))
    bodies: list[Handle] = []
    for k, (parent, base, along, axis) in enumerate(tree(count)):
        points: dict[str, Sequence[float]] = {"a": (0.0, 0.0, 0.0), "b": tuple(along)}
        body = m.body(
            f"l{k}",
            mass=1.0 + 0.2 * (k % 3),
            center=tuple(0.5 * along),
            inertia=(0.02, 0.025, 0.03),
            points=points,
            position=tuple(base),
        )
        m.revolute(m.ground.at(0, 0, 0) if parent < 0 else bodies[parent].b, body.a, axis=tuple(axis))
        bodies.append(body)
    return m


def tree(count: int) -> list[tuple[int, np.ndarray, np.ndarray, np.ndarray]]:
    """For each body: its parent, where it begins, where it leads, and its axis."""
    rng = np.random.default_rng(TREE_SEED)
    found: list[tuple[int, np.ndarray, np.ndarray, np.ndarray]] = []
    for k in range(count):
        parent = k - 1 if k < 4 else max(0, k - 4) if k % 9 else int(rng.integers(0, k))
        base = np.zeros(3) if parent < 0 else found[parent][1] + found[parent][2]
        along = rng.normal(size=3) + (0.0 if parent < 0 else 5.0 * found[parent][2])
        along /= np.linalg.norm(along)
        axis = rng.normal(size=3)
        axis -= 0.5 * along * (axis @ along)  # not along the body
        found.append((parent, base, 0.3 * along, axis / np.linalg.norm(axis)))
    return found


def scissor_lift(stages: int) -> Mechanism:
    """Bars of 1 m, pinned in the middle and at their ends."""
    from grashof import Mechanism

    m = Mechanism(f"scissor lift of {stages}", gravity=(0.0, -9.81))
    w, h = float(np.cos(0.7)), float(np.sin(0.7))
    below = None
    for k in range(stages):
        up = m.bar(f"up{k}", mass=1.0, start=(0, k * h), end=(w, (k + 1) * h))
        down = m.bar(f"down{k}", mass=1.0, start=(w, k * h), end=(0, (k + 1) * h))
        m.revolute(up.at(0.5, 0), down.at(0.5, 0))
        if below is None:
            m.revolute(m.ground.at(0, 0), up.start)
            m.slider(m.ground.line((0, 0), (1, 0)), down.start)
        else:
            m.revolute(below[1].end, up.start)
            m.revolute(below[0].end, down.start)
        below = up, down
    return m


def _ring(count: int) -> Mechanism:
    from benchmarks import chains

    return chains.ring(count)


def _grid(side: int) -> Model:
    from benchmarks.growth import grid

    return grid(side)


FAMILIES: dict[str, Callable[[int], Mechanism | Model]] = {
    "arm-tree": arm_tree,
    "ring": _ring,
    "scissor-lift": scissor_lift,
    "grid": _grid,
}

BEFORE: dict[str, tuple[float, float]] = {
    "arm-tree 30": (3.8, 4.5),
    "arm-tree 100": (22.3, 21.5),
    "ring 100": (21.5, 22.2),
    "scissor-lift 60": (1.9, 1.9),
    "scissor-lift 100": (5.0, 4.6),
    "grid 10": (2.2, 2.0),
}
"""Times before relations were found from velocities and whole programs were cached (2026-11-16, AMD EPYC with other
work on it, one BLAS thread). The relations of the lift of 100 stages were not found then."""


def measure(name: str) -> dict[str, object]:
    """Builds the mechanism in this process, and returns the measurements."""
    from grashof.program import build

    family, size = name.split()
    program = build(FAMILIES[family](int(size)))
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {"cpu": used.ru_utime + used.ru_stime, "left": program.system.n, "modelled": program.joints.n}


def mujoco(name: str) -> dict[str, object]:
    """The arm tree in MuJoCo, in this process."""
    import mujoco

    size = int(name.split()[1])
    parts = tree(size)

    def body(k: int) -> str:
        parent, _, along, axis = parts[k]
        place = np.zeros(3) if parent < 0 else parts[parent][2]
        inside = "".join(body(j) for j in range(size) if parts[j][0] == k)
        text = " ".join
        return (
            f'<body pos="{text(map(str, place))}"><joint axis="{text(map(str, axis))}"/><inertial '
            f'mass="{1.0 + 0.2 * (k % 3)}" '
            f'pos="{text(map(str, 0.5 * along))}" diaginertia="0.02 0.025 0.03"/>{inside}</body>'
        )

    model = mujoco.MjModel.from_xml_string(f"<mujoco><worldbody>{body(0)}</worldbody></mujoco>")
    mujoco.mj_forward(model, mujoco.MjData(model))
    used = resource.getrusage(resource.RUSAGE_SELF)
    return {"cpu": used.ru_utime + used.ru_stime, "left": model.nv, "modelled": model.nv}


def apart(name: str, kind: str, folder: str, threads: int) -> dict[str, object] | None:
    """One measurement in a separate process; None if it is not possible."""
    environment = os.environ | {"GRASHOF_CACHE": folder, "OPENBLAS_NUM_THREADS": str(threads)}
    command = [sys.executable, "-m", "benchmarks.builds", "--one", json.dumps([kind, name])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    return json.loads(done.stdout) if done.returncode == 0 else None


def main() -> None:
    """Measures, and prints a table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", default=list(BEFORE), help="a family and a size each, such as 'ring 100'")
    options.add_argument("--threads", type=int, default=1, help="BLAS threads")
    options.add_argument("--one", help=argparse.SUPPRESS)
    given = options.parse_args()
    if given.one:
        kind, name = json.loads(given.one)
        print(json.dumps({"grashof": measure, "mujoco": mujoco}[kind](name)))
        return
    for name in given.names:
        if not re.fullmatch(rf"({'|'.join(FAMILIES)}) [1-9]\d*", name):
            options.error(f"'{name}' is not a family ({', '.join(FAMILIES)}) and a size, such as 'ring 100'")
    heads = ("", "coordinates", "first, s", "before, s", "again, s", "before, s", "MuJoCo, s")
    table = Table(*heads, title="CPU time of the process until the mechanism can run")
    for name in given.names:
        with tempfile.TemporaryDirectory() as folder:
            runs = [apart(name, "grashof", folder, given.threads) for _ in range(4)]
            peers = [apart(name, "mujoco", folder, given.threads) for _ in range(2)] if name.startswith("arm") else []
        first, *again = [float(str(run["cpu"])) if run else np.inf for run in runs]
        peer = min((float(str(run["cpu"])) for run in peers if run), default=None)
        sizes = f"{runs[0]['modelled']} → {runs[0]['left']}" if runs[0] else "refused"
        before = [f"{x:.1f}" for x in BEFORE[name]] if name in BEFORE else ["–", "–"]
        table.add_row(
            name,
            sizes,
            f"{first:.2f}",
            before[0],
            f"{min(again):.2f}",
            before[1],
            "–" if peer is None else f"{peer:.2f}",
        )
    Console().print(table)


if __name__ == "__main__":
    main()
