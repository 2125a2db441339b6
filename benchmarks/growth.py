"""How the cost grows with the size of the mechanism: `python -m benchmarks.growth [--plot FILE] [FAMILY …]`.

Chains of N four-bars, grids of R × R four-bars in space, and chains in space (see `chains`). For each size, in a
process of its own: CPU seconds to build (describe, assemble, compile, nothing from the cache) and to run one simulated
second at default settings, and the largest memory. The exponents are fitted over bodies, to the larger half of the
sizes.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from benchmarks import chains
from grashof.model.model import Model


def four_bars(count: int) -> Model:
    """A chain of four-bars in the plane."""
    from grashof.problems import make_case

    return make_case("n-four-bar", None, {"N": count}).model


def grid(side: int) -> Model:
    """As many rows as columns of four-bars, in space."""
    from grashof.problems import make_case

    return make_case("multiple-four-bar", None, {"R": side, "C": side}).model


FAMILIES: dict[str, tuple[Callable[[int], Model], tuple[int, ...]]] = {
    "chain": (four_bars, (10, 40, 100, 400, 1000, 2000)),
    "grid": (grid, (3, 5, 10, 20, 30)),
    "pendulums": (lambda count: chains.pendulums(count).model, (10, 25, 50, 100, 200, 400)),
    "revolutes": (lambda count: chains.revolutes(count).model, (10, 25, 50, 100, 200)),
    "ring": (lambda count: chains.ring(count).model, (10, 25, 50, 100, 200)),
}
"""What is measured, and at which sizes."""


def measure(family: str, size: int) -> dict[str, Any]:
    """One size, in this process."""
    from grashof.program import build
    from grashof.simulation.simulate import integrate

    began = time.process_time()
    model = FAMILIES[family][0](size)
    program = build(model)
    built = time.process_time()
    steps = integrate(program, 1.0)
    return {
        "bodies": len(model.bodies),
        "build_s": built - began,
        "run_s": steps.cpu_s,
        "evaluations": steps.counters.evaluations,
        "status": steps.status.code.name,
        "memory_MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024.0,
    }


def apart(family: str, size: int) -> dict[str, Any]:
    """One size, in a separate process."""
    environment = os.environ | {"GRASHOF_CACHE": "off", "OPENBLAS_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "benchmarks.growth", "--one", json.dumps([family, size])]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def exponent(sizes: list[float], costs: list[float]) -> float:
    """The slope in logarithms, fitted to the larger half."""
    half = len(sizes) // 2
    slope, _ = np.polyfit(np.log(sizes[half:]), np.log(costs[half:]), 1)
    return float(slope)


def main() -> None:
    """Measures, prints the table and the exponents, and draws them if asked."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("families", nargs="*", default=list(FAMILIES), help=f"of {', '.join(FAMILIES)}; all if none")
    options.add_argument("--one", help=argparse.SUPPRESS)
    options.add_argument("--plot", type=Path, help="write a picture")
    options.add_argument("--quick", action="store_true", help="leave the largest sizes out")
    given = options.parse_args()
    if given.one:
        print(json.dumps(measure(*json.loads(given.one))))
        return
    console = Console()
    measured: dict[str, list[dict[str, Any]]] = {}
    for family in given.families:
        table = Table(
            "size", "bodies", "build, s", "one simulated second, s", "evaluations", "memory, MB", "status", title=family
        )
        rows = measured.setdefault(family, [])
        for size in FAMILIES[family][1][: -2 if given.quick else None]:
            console.print(f"measuring {family} {size} …", style="dim")
            row = apart(family, size)
            rows.append(row)
            cells = [f"{row['build_s']:.3g}", f"{row['run_s']:.3g}", str(row["evaluations"]), f"{row['memory_MB']:.0f}"]
            table.add_row(str(size), str(row["bodies"]), *cells, row["status"])
        console.print(table)
        total = [row["build_s"] + row["run_s"] for row in rows]
        console.print(f"{family}: total cost grows as bodies^{exponent([row['bodies'] for row in rows], total):.2f}")
    if given.plot:
        draw(measured, given.plot)


def draw(measured: dict[str, list[dict[str, Any]]], path: Path) -> None:
    """Cost against size, in logarithms."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for number, (name, rows) in enumerate(measured.items()):
        sizes = [row["bodies"] for row in rows]
        axes.loglog(sizes, [row["build_s"] for row in rows], f"C{number}o--", label=f"{name}: build")
        axes.loglog(sizes, [row["run_s"] for row in rows], f"C{number}o-", label=f"{name}: one simulated second")
    axes.set_xlabel("bodies")
    axes.set_ylabel("CPU time [s]")
    axes.grid(True, which="both", alpha=0.2)
    figure.legend(loc="outside right upper", frameon=False, fontsize="small")
    figure.savefig(path, dpi=150)


if __name__ == "__main__":
    main()
