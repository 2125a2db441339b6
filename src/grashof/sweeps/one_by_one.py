"""Rows by plain simulation: each mechanism is described, built and run on its own. Slow and simple."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from grashof.analysis.start import angles_near
from grashof.errors import ModelError
from grashof.model.parameters import check_numbers
from grashof.program import Program, build
from grashof.simulation import simulate
from grashof.sweeps.branch import NominalBranch
from grashof.sweeps.engine import Observed
from grashof.sweeps.hermite import slopes
from grashof.sweeps.quantities import rate_name
from grashof.sweeps.statuses import GOOD, NOT_ASSEMBLED, NOT_DEFINED, NUMBERS, OTHER_BRANCH, OUTSIDE_BOUNDS, REFUSED
from grashof.sweeps.study import Study
from grashof.trajectory import Trajectory

Array = np.ndarray


@dataclass(frozen=True)
class Start:
    """Labelled coordinates and velocities at a start."""

    labels: tuple[str, ...]
    q: Array
    v: Array


def started(program: Program, q: Array, v: Array) -> Program:
    """The program with another start, its angles included."""
    angles = angles_near(program.system, program.assembly.time, q)
    return replace(program, assembly=replace(program.assembly, q=q, v=v, angles=angles))


class OneByOne:
    """The engine that uses `simulate`: the error over each whole run is estimated and kept within the tolerance."""

    batch: ClassVar[int] = 8
    concurrency: ClassVar[str] = "processes"

    def __init__(self, study: Study) -> None:
        self._study = study
        self._branch = NominalBranch(study.model, study.paths)

    def observe(self, rows: Array, starts: Sequence[Start | None] | None = None) -> Observed:
        """Runs rows, from the given starts if the rebuilt mechanism has the same coordinates."""
        study = self._study
        shape = (len(rows), len(study.times), len(study.quantities))
        seen = Observed(np.zeros(len(rows), np.uint8), np.zeros(len(rows)), np.zeros(shape), np.zeros(shape))
        for i, row in enumerate(rows):
            status, run = self._run(row, starts[i] if starts else None)
            if run is not None and NUMBERS[status] in GOOD:
                seen.end[i] = run.status.time
                try:
                    for k, name in enumerate(study.quantities):
                        seen.values[i, :, k], seen.rates[i, :, k] = self._read(run, name)
                except ModelError:
                    status = NOT_DEFINED
            seen.codes[i] = NUMBERS[status]
        return seen

    def _run(self, row: Array, start: Start | None) -> tuple[str, Trajectory | None]:
        """The status of a row, and its run if there was one."""
        try:
            return self._made(row, start)
        except (ModelError, ArithmeticError, np.linalg.LinAlgError):
            return REFUSED, None

    def _made(self, row: Array, start: Start | None) -> tuple[str, Trajectory | None]:
        study = self._study
        try:
            model = check_numbers(study.model, dict(zip(study.paths, row.tolist(), strict=True)))
        except ModelError:
            return OUTSIDE_BOUNDS, None
        try:
            program = build(model)
        except ModelError:
            return NOT_ASSEMBLED, None
        if start is not None and start.labels == program.system.labels:
            program = started(program, start.q, start.v)
        elif not self._branch.leads_to(row, program):
            return OTHER_BRANCH, None
        run = self._simulated(program)
        return run.status.code.name.lower(), run

    def _simulated(self, program: Program) -> Trajectory:
        study = self._study
        return simulate(
            program,
            study.t_end,
            tol=study.tol,
            method=study.method,
            times=study.times,
            check_error=study.check_error,
        )

    def _read(self, run: Trajectory, name: str) -> tuple[Array, Array]:
        """Values and rates at all times of the study, those at the end of the run where it ended before."""
        times, end = self._study.times, run.status.time
        if end < times[-1]:
            run = Trajectory(run.program, run.steps, np.append(times[times < end], end))
        values, rate = run[name], rate_name(run.program.model, name)
        rates = np.ones(len(run.t)) if name == "t" else slopes(run.t, values) if rate is None else run[rate]
        places = np.minimum(np.arange(len(times)), len(run.t) - 1)
        return values[places], rates[places]
