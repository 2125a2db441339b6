"""How fast the judge is: `python -m benchmarks.judge [--rows N] [PROBLEM …]`.

For each problem a result file with this many rows, with 17 digits per number, is written to a temporary folder and
given to `grashof verify` in a process of its own: CPU seconds of all of it (starting, reading, judging), rows a CPU
second, and the largest memory.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from grashof.motion.trajectory import Trajectory
from grashof.problems import make_case
from grashof.program import build
from grashof.simulation.simulate import integrate

PIECE = 50_000
"""Number of rows written at a time, which bounds the memory."""


def write(problem: str, rows: int, path: Path) -> None:
    """A result file with evenly spaced times."""
    case = make_case(problem)
    program = build(case.model)
    steps = integrate(program, case.t_end, tol=1e-9)
    times = np.linspace(0.0, case.t_end, rows)
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join(column.name for column in case.columns) + "\n")
        for start in range(0, rows, PIECE):
            run = Trajectory(program, steps, times[start : start + PIECE])
            table = np.column_stack([column.value(run) for column in case.columns])
            np.savetxt(file, table, fmt="%.16e", delimiter=",")


def verify(problem: str, path: Path) -> tuple[float, float]:
    """CPU seconds and memory (MB) of the command, which must accept the file."""
    command = (sys.executable, "-c", "from grashof.cli import main; main()", "verify", problem, str(path), "--json")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"`grashof verify {problem}` ended with {process.returncode}.")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024.0


def main() -> None:
    """Measures, and prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("problems", nargs="*", default=["andrews", "multiple-four-bar"], metavar="PROBLEM")
    parser.add_argument("--rows", type=int, default=1_000_000)
    chosen = parser.parse_args()
    table = Table("problem", "file", "CPU", "rows/s", "memory", title=f"grashof verify, {chosen.rows:,} rows")
    with tempfile.TemporaryDirectory() as folder:
        for problem in chosen.problems:
            path = Path(folder) / f"{problem}.csv"
            write(problem, chosen.rows, path)
            cpu_s, memory = verify(problem, path)
            size = path.stat().st_size / 1e6
            table.add_row(
                problem, f"{size:.0f} MB", f"{cpu_s:.2f} s", f"{chosen.rows / cpu_s:,.0f}", f"{memory:.0f} MB"
            )
    Console().print(table)


if __name__ == "__main__":
    main()
