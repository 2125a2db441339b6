"""`sweep`: many runs of a mechanism with varied numbers."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.progress import Progress, ProgressLine, is_watched, silent
from grashof.model.given import Number
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.problems.base import Case
from grashof.simulation.options import TOLERANCE, Options
from grashof.sweeps.asked import AUTO, TIMES, describe, read_study, refuse_code, settle_study, whole
from grashof.sweeps.batches import Batches, Counter, Estimates
from grashof.sweeps.executors import Results, Setup, find_executor
from grashof.sweeps.journal import Journal
from grashof.sweeps.outputs import Output
from grashof.sweeps.study import StudyRows
from grashof.sweeps.table import About, InMemory, Sweep
from grashof.sweeps.varied import Vary, read_design

Array = np.ndarray

MEMORY = 2**32
"""Largest size of a table that is not in a file, bytes."""


def sweep(
    mechanism: Mechanism | Model | Case,
    vary: Vary,
    t_end: Number | None = None,
    *,
    outputs: Sequence[str | Output],
    sample: str = "grid",
    count: int | None = None,
    seed: int = 0,
    times: Sequence[float] | Array | int = TIMES,
    samples: int | None = None,
    tol: float = TOLERANCE,
    method: str = "auto",
    engine: str = AUTO,
    check_error: bool = True,
    executor: str | None = None,
    workers: int = 1,
    scheduler: Any = None,
    file: str | os.PathLike[str] | None = None,
    resume: bool = True,
    progress: Progress | None = None,
) -> Sweep:
    """Runs a mechanism with many values of its numbers, and collects the outputs in a table.

    vary      numbers by their paths (`gr.numbers(m)` lists them): values for a grid or zip; (lower, upper) for sobol;
              (mean, standard deviation) for normal. With sobol and normal, declared parameters that have bounds may be
              given by name alone
    t_end     end of each run, s or text with a unit; a benchmark problem has its own
    outputs   what to keep of each run, such as "max rod.end.y" (docs/sweeps.md)
    sample    grid: all combinations; zip: values side by side; sobol, normal: `count` rows, which depend on the seed
    times     output times of trajectories in s, or the number of evenly spaced ones
    samples   has no effect any more: extremes and means are found from all steps of a run
    tol, method  of each run, as in `simulate`
    engine    what makes the runs: "compiled" compiles the mechanism once, with the varied numbers as inputs, and runs
              the rows in the vector lanes of the processor; "one by one" builds and simulates each row on its own;
              "auto" uses the first for many rows if it can
    check_error  whether to estimate the error over each whole run by a second one, as in `simulate`
    executor  serial, threads, processes or dask; by default chosen by `workers`
    workers   number of threads or processes
    scheduler  address of a Dask scheduler, or a `distributed.Client`; by default a cluster on this machine
    file      a Parquet file for the table, which is then never held in memory as a whole. If the sweep is interrupted,
              the same call resumes it, unless `resume` is false. Or a .csv file, written in the end
    progress  is called from time to time with a `Part`; by default a terminal or notebook shows a line with the rows
              that are done and the time that is left, once a sweep takes longer than two seconds

    The table is bit-for-bit the same whatever the executor and the number of workers. A run that fails is a row with
    its status.

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> table = sweep(m, {"rod.length": [0.5, 1.0]}, 1.0, outputs=["min rod.end.y", "rod.angle at end"])
    >>> print(table)
    Sweep of 'pendulum': 2 rows (2 success)
    >>> table["min rod.end.y"].round(6), table.unit("min rod.end.y")
    (array([-0.5, -1. ]), 'm')
    """
    case = mechanism if isinstance(mechanism, Case) else None
    model = mechanism.model if isinstance(mechanism, Case) else as_model(mechanism)
    options = Options(tol=tol, method=method, check_error=bool(check_error))
    paths, design = read_design(model, vary, sample, count, seed)
    study = read_study(model, case, paths, outputs, t_end, times, samples, options, engine)
    study, remark = settle_study(study, design.count)
    about = describe(study, design, sample, seed, remark)
    workers = whole("workers", workers, 1)
    name = executor or ("serial" if workers == 1 else study.engine_class.concurrency)
    found = find_executor(name)
    if found.TRAVELS:
        refuse_code(model, name)
    path = None if file is None else Path(file)
    if path is not None:
        from grashof.sweeps.parquet import check

        check(path)
    text = path is not None and path.suffix.lower() == ".csv"
    if path is None or text:
        _refuse_large(about, design.count)
    batches = Batches(design, study.engine_class.batch)
    setup, line = Setup(workers, scheduler), ProgressLine(sys.stderr)
    shown = progress or (line if is_watched() else silent)
    alone = ", one by one" if study.engine == "one by one" and design.count > 1 else ""
    counter = Counter(shown, design.count, f"{model.name}{alone}")
    try:
        if path is not None and not text:
            return _in_file(about, batches, lambda missing: found.run(study, missing, setup), counter, path, resume)
        table = _in_memory(about, batches, found.run(study, batches.all(), setup), counter)
    finally:
        line.clear()
    if path is not None:
        table.to_csv(path)
    return table


def _refuse_large(about: About, rows: int) -> None:
    """Refuses a table that is too large for memory; in a file there is no limit."""
    size = 8 * rows * sum(max(1, len(column.times)) for column in about.columns)
    if size > MEMORY:
        raise ModelError(
            f"The table of {rows:,} rows would take {size / 2**30:.3g} GiB of memory; the limit is "
            f"{MEMORY / 2**30:g} GiB. Write it to a file with file= (-o)."
        )


def _in_memory(about: About, batches: Batches, results: Results, counter: Counter) -> Sweep:
    kept: dict[int, StudyRows] = {}
    for index, rows in results:
        kept[index] = rows
        counter.more(batches.size(index))
    parts = [(batches.numbers(index), *kept[index].arrays()) for index in sorted(kept)]
    estimates = Estimates(about)
    for rows in kept.values():
        estimates.add(rows)
    columns = [*np.concatenate([part[0] for part in parts]).T]
    columns += [np.concatenate(column) for column in zip(*(part[2] for part in parts), strict=True)]
    names = [column.name for column in about.columns]
    codes = np.concatenate([part[1] for part in parts])
    return Sweep(estimates.put_into(about), InMemory(dict(zip(names, columns, strict=True)), codes))


def _in_file(
    about: About,
    batches: Batches,
    execute: Callable[[Iterator[tuple[int, Array]]], Results],
    counter: Counter,
    path: Path,
    resume: bool,
) -> Sweep:
    """Computes the rows that the journal does not have, then writes the file from it, batch by batch."""
    from grashof.sweeps import parquet

    if resume and parquet.fingerprint(path) == about.fingerprint:
        return parquet.read(path)
    with Journal(path.with_name(f"{path.name}.journal"), about.fingerprint, resume) as journal:
        counter.begin(sum(batches.size(index) for index in journal))
        for index, rows in execute(batches.all(skip=journal)):
            journal.put(index, rows)
            counter.more(batches.size(index))
        estimates = Estimates(about)
        for index in range(batches.count):
            estimates.add(journal.get(index))
        parquet.write(
            path, estimates.put_into(about), ((batches.numbers(i), journal.get(i)) for i in range(batches.count))
        )
    journal.path.unlink()
    return parquet.read(path)
