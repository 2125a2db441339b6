"""Sweeps that used to fail or to fall back to slow runs: `python -m benchmarks.fallback [--trees 30 100] [--rows 108]`.

- A Stewart platform on six springs at a tolerance of 1e-2. Before 2026-11-18 a row took 134 ms on average where the
  lanes took 0.38 ms: one row in nine needed a closer look, for which its mechanism was built anew (1.1 s each).
- Arm trees of 30 and 100 bodies, which ended in a ValueError: programs of that size are not unrolled.

CPU time of the process, without compiling.
"""

from __future__ import annotations

import argparse
import math
import time

import numpy as np

from benchmarks.machine import facts
from benchmarks.robots import arm
from grashof import Mechanism
from grashof.model.mechanism import as_model
from grashof.model.parameters import numbers
from grashof.simulation.options import Options
from grashof.sweeps.asked import read_study
from grashof.sweeps.compiled import CompiledEngine


def stewart() -> Mechanism:
    """Six legs with universal, prismatic and ball joints, and springs along them; the platform starts at rest, away
    from equilibrium."""
    m = Mechanism("Stewart platform", gravity=(0, 0, -9.81))
    top_at = np.array([0.03, 0.02, 1.0])
    ends = [
        np.array([0.6 * math.cos(math.radians(a)), 0.6 * math.sin(math.radians(a)), 0.0])
        for a in (50, 70, 170, 190, 290, 310)
    ]
    feet = [
        np.array([math.cos(math.radians(a)), math.sin(math.radians(a)), 0.0]) for a in (10, 110, 130, 230, 250, 350)
    ]
    points = {f"p{i}": tuple(x) for i, x in enumerate(ends)}
    top = m.body(
        "platform", mass=10.0, center=(0, 0, 0.05), inertia=(0.9, 1.0, 1.8), points=points, position=tuple(top_at)
    )
    for i, (foot, end) in enumerate(zip(feet, ends, strict=True)):
        way = end + top_at - foot
        u = way / np.linalg.norm(way)
        low = m.body(
            f"low{i}",
            mass=1.0,
            center=tuple(0.25 * u),
            inertia=(0.03, 0.031, 0.032),
            points={"a": (0, 0, 0), "m": tuple(0.3 * u)},
            position=tuple(foot),
        )
        high = m.body(
            f"high{i}",
            mass=0.5,
            center=tuple(-0.25 * u),
            inertia=(0.02, 0.021, 0.022),
            points={"b": (0, 0, 0), "m": tuple(-0.3 * u)},
            position=tuple(end + top_at),
        )
        x = np.cross(u, [0, 0, 1.0])
        x /= np.linalg.norm(x)
        m.universal(m.ground.at(*foot), low.a, axis_a=tuple(x), axis_b=tuple(np.cross(u, x)))
        m.prismatic(low.m, high.m, axis=tuple(u))
        m.spherical(high.b, getattr(top, f"p{i}"))
        m.spring(
            m.ground.at(*foot),
            getattr(top, f"p{i}"),
            stiffness=2000.0,
            length=1.02 * float(np.linalg.norm(way)),
            name=f"s{i}",
        )
    return m


def measure(name: str, mechanism: Mechanism, path: str, output: str, end: float, tol: float, rows: int) -> None:
    """Prints the CPU time of a row, and how many rows needed a closer look."""
    model = as_model(mechanism)
    study = read_study(model, None, (path,), [output], end, 3, None, Options(tol=tol), "compiled")
    clock = time.process_time()
    engine = CompiledEngine(study)
    built, value = time.process_time() - clock, float(numbers(model)[path].value)
    clock = time.process_time()
    seen = engine.observe(np.linspace(0.8 * value, 1.2 * value, rows)[:, None])
    each = 1e3 * (time.process_time() - clock) / rows
    print(f"{name}: {each:.2f} ms a row, {seen.single} of {rows} rows needed a closer look; compiled in {built:.1f} s")


def main() -> None:
    """Measures them all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trees", type=int, nargs="*", default=[30, 100])
    parser.add_argument("--rows", type=int, default=108)
    asked = parser.parse_args()
    measure("Stewart platform at 1e-2", stewart(), "platform.mass", "platform.p0.z at end", 2.0, 1e-2, asked.rows)
    for count in asked.trees:
        rows = max(8, asked.rows // 8)
        measure(f"arm tree of {count} at 1e-4", arm(count), "link3.mass", "kinetic at end", 0.2, 1e-4, rows)
    print(", ".join(f"{key} {value}" for key, value in facts().items()))


if __name__ == "__main__":
    main()
