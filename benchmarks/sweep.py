"""Rows per second of a sweep: `python -m benchmarks.sweep [--problem andrews] [--rows N] [--engine NAME] [--workers
1,2] [--executors …]`.

Wall seconds of whole calls that write a file, with an empty cache on disk; what this process has compiled it keeps from
one call to the next. *Preparing* is the time until the first batch is done: compiling, starting worker processes or a
cluster, and that batch. Rows per second are those of all further batches, until the last one is done; there should be
many batches for each worker. The CPU seconds of the whole are those of this process. Every table is compared with the
first one, to the bit. *Collecting* is what the caller does for each row, whoever computes it: journal and file.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

STUDIES: dict[str, tuple[dict[str, tuple[float, float]], list[str]]] = {
    "andrews": (
        {
            "drive.torque": (0.0325, 0.0335),
            "spring.stiffness": (4475.0, 4575.0),
            "spring.length": (0.0775, 0.0782),
            "OF.F.x": (0.00698, 0.00702),
            "EF.F.x": (0.02798, 0.02802),
            "AG.G.x": (0.03998, 0.04002),
            "OF.mass": (0.0430, 0.0436),
        },
        ["OF.angle at end", "OF.F.x at end"],
    ),
    "double-four-bar": (
        {"upright0.mass": (0.9, 1.1), "top0.mass": (0.9, 1.1)},
        ["error", "upright0.end.x at end"],
    ),
}
"""The varied numbers of the problems with their bounds, and the outputs."""


@dataclass(frozen=True)
class Measured:
    """Wall seconds until the first batch is done, rows per second after that; wall and CPU seconds of the whole
    call; the file."""

    preparing: float
    rate: float
    whole: float
    cpu: float
    content: bytes


def measured(problem: str, rows: int, options: dict[str, Any]) -> Measured:
    """One sweep, with an empty cache."""
    from grashof.common.progress import Part
    from grashof.problems import make_case
    from grashof.sweeps.run import sweep

    vary, outputs = STUDIES[problem]
    told: list[tuple[float, float]] = []

    def tell(part: Part) -> None:
        told.append((time.perf_counter(), float(part) * rows))

    with tempfile.TemporaryDirectory() as folder:
        os.environ["GRASHOF_CACHE"] = f"{folder}/cache"
        path = Path(folder) / "table.parquet"
        began, cpu = time.perf_counter(), time.process_time()
        sweep(
            make_case(problem), vary, sample="sobol", count=rows, outputs=outputs, file=path, progress=tell, **options
        )
        whole, cpu = time.perf_counter() - began, time.process_time() - cpu
        content = path.read_bytes()
    batches = [(when, done) for when, done in told if done > 0.0]
    (first, begun), (last, done) = batches[0], batches[-1]
    rate = (done - begun) / (last - first) if last > first else float("nan")
    return Measured(first - began, rate, whole, cpu, content)


def collecting(problem: str, rows: int) -> float:
    """Seconds that journal and file take for each row."""
    from grashof.problems import make_case
    from grashof.simulation.options import Options
    from grashof.sweeps import parquet
    from grashof.sweeps.asked import describe, read_study
    from grashof.sweeps.batches import Batches
    from grashof.sweeps.journal import Journal
    from grashof.sweeps.study import StudyRows
    from grashof.sweeps.varied import read_design

    case = make_case(problem)
    vary, outputs = STUDIES[problem]
    paths, design = read_design(case.model, vary, "sobol", rows, 0)
    study = read_study(case.model, case, paths, outputs, None, 101, 201, Options(), "one by one")
    about, batches = describe(study, design, "sobol", 0), Batches(design, 1024)
    random = np.random.default_rng(0)
    with tempfile.TemporaryDirectory() as folder:
        began = time.perf_counter()
        with Journal(Path(folder) / "journal", about.fingerprint, resume=False) as journal:
            for index in range(batches.count):
                size = batches.size(index)
                columns = tuple(random.random(size).tobytes() for _ in outputs)
                journal.put(index, StudyRows(bytes(size), columns, (0.0,) * len(outputs)))
            parts = ((batches.numbers(index), journal.get(index)) for index in range(batches.count))
            parquet.write(Path(folder) / "table.parquet", about, parts)
        return (time.perf_counter() - began) / rows


def main() -> None:
    """Prints a table, a row for each executor and number of workers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problem", choices=sorted(STUDIES), default="andrews")
    parser.add_argument("--rows", type=int, default=96)
    parser.add_argument("--engine", default=None)
    parser.add_argument("--tol", type=float, default=1e-6)
    parser.add_argument("--workers", default="1,2")
    parser.add_argument("--executors", default="serial,threads,processes,dask")
    given = parser.parse_args()
    table = Table("executor", "workers", "preparing [s]", "rows/s", "whole [s]", "its CPU [s]", "the same bytes")
    first: bytes | None = None
    for executor in given.executors.split(","):
        for workers in (1,) if executor == "serial" else map(int, given.workers.split(",")):
            options = {"executor": executor, "workers": workers, "tol": given.tol}
            options |= {} if given.engine is None else {"engine": given.engine}
            found = measured(given.problem, given.rows, options)
            first = first or found.content
            same = "yes" if found.content == first else "NO"
            seconds = (f"{found.preparing:.2g}", f"{found.rate:.4g}", f"{found.whole:.3g}", f"{found.cpu:.3g}")
            table.add_row(executor, str(workers), *seconds, same)
    console = Console(width=100)
    console.print(table)
    console.print(f"collecting: {1e6 * collecting(given.problem, 200_000):.2g} µs for each row")


if __name__ == "__main__":
    main()
