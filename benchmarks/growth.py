"""How the cost grows with the size of the mechanism: `python -m benchmarks.growth [--plot FILE]`.

Chains of N four-bars and grids of R × R four-bars in space. For each size, in a process of its own: CPU seconds to build (describe,
assemble, compile, nothing from the cache) and to run one simulated second at default settings, and the largest memory. The exponents are
fitted to the larger half of the sizes, over windows for the chain and over bodies for the grid.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

CHAINS = (10, 40, 100, 400, 1000, 2000)
GRIDS = (3, 5, 10, 20, 30)


def measure(problem: str, parameters: dict[str, float]) -> dict[str, Any]:
    """One size, in this process."""
    from grashof.problems import make_case
    from grashof.program import build
    from grashof.simulation import integrate

    began = time.process_time()
    case = make_case(problem, None, parameters)
    program = build(case.model)
    built = time.process_time()
    steps = integrate(program, 1.0)
    return {
        "bodies": len(case.model.bodies),
        "build_s": built - began,
        "run_s": steps.cpu_s,
        "evaluations": steps.counters.evaluations,
        "status": steps.status.code.name,
        "memory_MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0,
    }


def apart(problem: str, parameters: dict[str, float]) -> dict[str, Any]:
    """One size, in a process of its own."""
    argument = json.dumps([problem, parameters])
    environment = os.environ | {"GRASHOF_CACHE": "off", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.growth", "--one", argument]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def exponent(sizes: list[float], costs: list[float]) -> float:
    """The slope in logarithms over the larger half."""
    half = len(sizes) // 2
    slope, _ = np.polyfit(np.log(sizes[half:]), np.log(costs[half:]), 1)
    return float(slope)


def main() -> None:
    """Measures, prints the table and the exponents, and draws them if asked."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--one", help=argparse.SUPPRESS)
    options.add_argument("--plot", type=Path, help="write a picture")
    options.add_argument("--quick", action="store_true", help="leave the largest sizes out")
    given = options.parse_args()
    if given.one:
        print(json.dumps(measure(*json.loads(given.one))))
        return
    console = Console()
    families: dict[str, list[tuple[float, dict[str, Any]]]] = {}
    cut = -2 if given.quick else None
    for name, problem, sizes in (("chain", "n-four-bar", CHAINS[:cut]), ("grid", "multiple-four-bar", GRIDS[:cut])):
        table = Table(
            "size", "bodies", "build, s", "one simulated second, s", "evaluations", "memory, MB", "status", title=name
        )
        rows = families.setdefault(name, [])
        for size in sizes:
            parameters: dict[str, float] = {"N": size} if name == "chain" else {"R": size, "C": size}
            console.print(f"measuring {name} {size} …", style="dim")
            row = apart(problem, parameters)
            rows.append((size if name == "chain" else row["bodies"], row))
            cells = [f"{row['build_s']:.3g}", f"{row['run_s']:.3g}", str(row["evaluations"]), f"{row['memory_MB']:.0f}"]
            table.add_row(str(size), str(row["bodies"]), *cells, row["status"])
        console.print(table)
        total = [row["build_s"] + row["run_s"] for _, row in rows]
        console.print(f"{name}: total cost grows as size^{exponent([size for size, _ in rows], total):.2f}")
    if given.plot:
        draw(families, given.plot)


def draw(families: dict[str, list[tuple[float, dict[str, Any]]]], path: Path) -> None:
    """Cost against size, in logarithms."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name, rows in families.items():
        sizes = [row["bodies"] for _, row in rows]
        axes.loglog(sizes, [row["build_s"] for _, row in rows], "o--", label=f"{name}: build")
        axes.loglog(sizes, [row["run_s"] for _, row in rows], "o-", label=f"{name}: one simulated second")
    axes.set_xlabel("bodies")
    axes.set_ylabel("CPU time [s]")
    axes.grid(True, which="both", alpha=0.2)
    axes.legend()
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
