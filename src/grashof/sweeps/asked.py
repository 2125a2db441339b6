"""The request of a sweep, read and checked before anything is run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import msgspec
import numpy as np

from grashof._version import __version__
from grashof.common.errors import ModelError, did_you_mean
from grashof.integrate import choose
from grashof.model.files import dumps
from grashof.model.given import Number, number, row
from grashof.model.model import Model
from grashof.model.parameters import numbers
from grashof.problems import PROBLEMS
from grashof.problems.base import Case
from grashof.simulation.options import Options
from grashof.sweeps.design import Design, Grid
from grashof.sweeps.outputs import Output, read_output
from grashof.sweeps.study import ENGINES, Study, StudyProblem
from grashof.sweeps.table import STATUS, About, TableColumn

Array = np.ndarray

AUTO = "auto"

MANY = 64
"""Number of rows from which compiling a mechanism with its numbers as inputs pays off: that takes as long as about
ten rows one by one."""

TIMES = 101
"""Number of output times of trajectories."""

MOST = 1_000_000
"""Largest number of times of either kind."""


def read_study(
    model: Model,
    case: Case | None,
    paths: tuple[str, ...],
    outputs: Sequence[str | Output],
    t_end: Number | None,
    times: Sequence[float] | Array | int,
    samples: int | None,
    options: Options,
    engine: str,
) -> Study:
    """The study; raises ModelError for anything that is wrong with it."""
    if engine not in (AUTO, *ENGINES):
        raise ModelError(f"engine is '{engine}'; {did_you_mean(engine, [AUTO, *ENGINES])}")
    begin, end = model.start.time, _end(case, t_end)
    if not end > begin:
        raise ModelError(f"t_end is {end:g} s, but the runs begin at {begin:g} s; give a later t_end.")
    if samples is not None:
        whole("samples", samples, 3, MOST)
    choose(options.method, options.tol, 1)  # which refuses an unknown method
    study = Study(
        model=model,
        problem=_problem(case),
        paths=paths,
        outputs=_outputs(outputs),
        span=(float(begin), float(end)),
        chosen=_choose_engine(times, begin, end),
        options=options,
        engine=engine,
    )
    for output in study.parsed_outputs:
        study.unit(output)
        study.times_of(output)
    return study


def settle_study(study: Study, count: int) -> tuple[Study, str]:
    """The study with its engine chosen, if that was left open: compiled for many rows if the mechanism permits; and
    a remark if it does not."""
    if study.engine != AUTO:
        return study, ""
    remark = ""
    if count >= MANY:
        compiled = msgspec.structs.replace(study, engine="compiled")
        try:
            compiled.make_engine()
        except ModelError as problem:
            remark = str(problem)
        else:
            return compiled, ""
    return msgspec.structs.replace(study, engine="one by one"), remark


def _problem(case: Case | None) -> StudyProblem | None:
    """A benchmark problem by its name; None if it is unknown."""
    if case is None or case.problem not in PROBLEMS:
        return None
    own = PROBLEMS[case.problem].parameters
    return StudyProblem(case.problem, case.variant, {name: x for name, x in case.parameters.items() if name in own})


def describe(study: Study, design: Design, sample: str, seed: int, remark: str = "") -> About:
    """The description of the table; `remark` is on the engine."""
    known = numbers(study.model)
    columns = [TableColumn(path, known[path].unit, "number") for path in study.paths]
    for output in study.parsed_outputs:
        times = study.chosen if output.many else ()
        columns.append(TableColumn(str(output), study.unit(output), "output", times))
    names = [STATUS, *(column.name for column in columns)]
    for k, name in enumerate(names):
        if name in names[:k]:
            raise ModelError(f"The table would have two columns '{name}'; rename the parameter.")
    facts = {
        "mechanism": study.model.name,
        "description": _description(study.model),
        "version": __version__,
        "sample": sample,
        "rows": str(design.count),
        "seed": str(seed),
        "t_end [s]": repr(study.t_end),
        "tol": repr(study.options.tol),
        "method": study.options.method,
        "engine": study.engine,
        "engine, remark": remark,
    }
    grid = tuple(tuple(values.tolist()) for values in design.values) if isinstance(design, Grid) else ()
    estimates = {str(output): 0.0 for output in study.parsed_outputs}
    return About(tuple(columns), sample, grid, estimates, facts, _fingerprint(study, design, sample, seed))


def refuse_code(model: Model, executor: str) -> None:
    """Refuses Python functions, which cannot be sent as data."""
    for force in model.forces:
        if force.code is not None:
            raise ModelError(
                f"Force '{force.name}' is a Python function, which cannot be sent to other processes; "
                f"choose executor='threads' or 'serial' instead of '{executor}'."
            )


def whole(what: str, given: Any, least: int, most: int | None = None) -> int:
    """A whole number."""
    if isinstance(given, bool) or not isinstance(given, int | np.integer) or given < least:
        raise ModelError(f"{what} is {given!r}; it must be a whole number, at least {least}.")
    if most is not None and given > most:
        raise ModelError(f"{what} is {given}; it must be at most {most:,}.")
    return int(given)


def _end(case: Case | None, t_end: Number | None) -> float:
    if t_end is not None:
        return number("t_end", t_end, "s")
    if case is None:
        raise ModelError("A mechanism has no duration of its own; give t_end (--t-end).")
    return case.t_end


def _outputs(given: Sequence[str | Output]) -> tuple[str, ...]:
    texts = tuple(str(read_output(output)) for output in ([given] if isinstance(given, str | Output) else given))
    if not texts:
        raise ModelError("There are no outputs; give at least one, such as 'max rod.end.y'.")
    for k, text in enumerate(texts):
        if text in texts[:k]:
            raise ModelError(f"Output '{text}' is given twice; give it once.")
    return texts


def _choose_engine(times: Sequence[float] | Array | int, begin: float, end: float) -> tuple[float, ...]:
    if isinstance(times, int | np.integer):
        return tuple(np.linspace(begin, end, whole("times", times, 2, MOST)).tolist())
    found = [number(f"times[{i}]", t, "s") for i, t in enumerate(row("times", times))]
    if len(found) < 2:
        raise ModelError(
            "Trajectories need at least two times; for a single time use an output such as 'rod.end.x at 0.3'."
        )
    if any(b <= a for a, b in pairwise(found)) or found[0] < begin or found[-1] > end:
        raise ModelError(f"The times of trajectories must increase and lie between {begin:g} s and {end:g} s.")
    return tuple(found)


def _description(model: Model) -> str:
    """The mechanism as TOML; nothing if it has Python functions that a file cannot name."""
    try:
        return dumps(model)
    except ModelError:
        return ""


def _fingerprint(study: Study, design: Design, sample: str, seed: int) -> str:
    found = hashlib.sha256(f"{study.fingerprint} {sample} {seed} {design.count}".encode())
    for value in vars(design).values():
        for x in value if isinstance(value, tuple) else (value,):
            if isinstance(x, np.ndarray):
                found.update(x.tobytes())
    return found.hexdigest()
