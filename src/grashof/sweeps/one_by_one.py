"""Rows by plain simulation: each mechanism is described, built and run on its own. Slow and simple."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.status import AS_ASKED, Code
from grashof.integrate import Steps, comparable
from grashof.model.parameters import check_numbers
from grashof.motion.trajectory import Trajectory
from grashof.program import Program, build
from grashof.simulation.accuracy import VISIBLE, largest_energy, largest_speed
from grashof.simulation.simulate import simulate
from grashof.sweeps.branch import NominalBranch
from grashof.sweeps.curves import OutputCurves, refine_curves
from grashof.sweeps.engine import ObservedRows
from grashof.sweeps.outputs import OutputColumns, Samples
from grashof.sweeps.scales import Scales
from grashof.sweeps.statuses import GOOD, NOT_ASSEMBLED, NOT_DEFINED, NUMBERS, OTHER_BRANCH, OUTSIDE_BOUNDS, REFUSED
from grashof.sweeps.study import Study

Array = np.ndarray

TIGHTER, TIGHTEST = (1.0, 0.1, 0.01), 1e-12
"""Tolerances of the runs of a row, relative to the given one, until all outputs are accurate enough; and the
smallest tolerance."""

FOUND = 0.05
"""How accurately extremes and means are found from the motion, relative to the tolerance."""

AT_REST = 1e-6
"""What moves the mechanism by less than this fraction of its length, or changes its energy by less than this
fraction of the potential energy, is rest."""


class OneByOne:
    """The engine that uses `simulate`: the error over each whole run is estimated and kept within the tolerance."""

    batch: ClassVar[int] = 8
    concurrency: ClassVar[str] = "processes"

    def __init__(self, study: Study) -> None:
        self._study = study
        self._branch = NominalBranch(study.model, study.paths)

    def observe(self, rows: Array, programs: Sequence[Program] | None = None) -> ObservedRows:
        """Runs rows; `programs` if they are known."""
        seen = ObservedRows.nothing(self._study, len(rows))
        for i, row in enumerate(rows):
            seen.codes[i] = NUMBERS[self._observe(row, programs[i] if programs else None, seen, np.array([i]))]
        return seen

    def _observe(self, row: Array, program: Program | None, seen: ObservedRows, place: Array) -> str:
        """Stores the outputs of a row, and returns its status."""
        try:
            status, program = ("", program) if program else self._build(row)
            return status if program is None else self._find(program, seen, place)
        except (ModelError, ArithmeticError, np.linalg.LinAlgError):
            return REFUSED

    def _find(self, program: Program, seen: ObservedRows, place: Array) -> str:
        """Runs the mechanism, and once more with a smaller tolerance if an output is not accurate enough; the others
        are not changed by that."""
        study, left, status = self._study, set(range(len(self._study.parsed_outputs))), ""
        for part in TIGHTER if study.options.check_error else TIGHTER[:1]:
            run = self._simulate(program, max(part * study.options.tol, TIGHTEST))
            status = status or run.status.code.name.lower()
            if run.status.code not in AS_ASKED:
                break
            try:
                found, errors, sizes = observe_outputs(study, run)
            except ModelError:
                return NOT_DEFINED
            adaptive = run.method.method.adaptive
            allowed = study.options.tol if adaptive else max(study.options.tol, VISIBLE)
            for k in [k for k in left if errors[k] <= allowed * sizes[k]]:
                seen.put(k, place, found[k], errors[k : k + 1])
                left.remove(k)
            if not left or not adaptive:
                break
        unmet = left and NUMBERS[status] in GOOD
        return Code.TOLERANCE_UNMET.name.lower() if unmet else status

    def _build(self, row: Array) -> tuple[str, Program | None]:
        """The mechanism of a row; or the status of the row, if it cannot be run."""
        study = self._study
        try:
            model = check_numbers(study.model, dict(zip(study.paths, row.tolist(), strict=True)))
        except ModelError:
            return OUTSIDE_BOUNDS, None
        try:
            program = build(model)
        except ModelError:
            return NOT_ASSEMBLED, None
        return ("", program) if self._branch.leads_to(row, program) else (OTHER_BRANCH, None)

    def _simulate(self, program: Program, tol: float) -> Trajectory:
        study = self._study
        return simulate(
            program, study.t_end, tol=tol, method=study.options.method, times=2, check_error=study.options.check_error
        )


def observe_outputs(study: Study, run: Trajectory) -> tuple[list[OutputColumns], Array, Array]:
    """The outputs of a run, their estimated errors, and the sizes with which these are compared, (outputs,) each."""
    program, companion = run.program, run.steps.companion
    speed, energy = largest_speed(program, run.steps), largest_energy(program, run.steps)
    length, span = program.system.length, study.span[1] - study.span[0]
    potential = np.max(np.abs(run.at_steps()["potential"]))
    scales = Scales(
        *(np.array([x]) for x in (length, max(speed, AT_REST * length / span), energy + AT_REST * potential, span))
    )
    view = RowView(study, program, run.steps, scales)
    samples, magnitudes = view.samples(), view.magnitudes
    found = study.find(samples)
    errors = np.array([x.errors[0] for x in found])
    if companion:
        known = comparable(run.steps, companion.steps, np.minimum(study.times, samples.t[0]))
        others = RowView(study, program, companion.steps, scales).samples()
        same = {name: np.where(known, others.values[name], x) for name, x in samples.values.items()}
        coarser = study.find(replace(others, t=samples.t, values=same))
        errors += [companion.share * _apart(x.values, y.values) for x, y in zip(found, coarser, strict=True)]
    sizes = [
        scales.of(
            study.unit(x), np.array([max((magnitudes.get(n, 0.0) for n in x.quantities(study.case)), default=0.0)])
        )
        for x in study.parsed_outputs
    ]
    return found, errors, np.concatenate(sizes)


def _apart(one: Array, other: Array) -> float:
    """The largest difference of values; infinite if only one of two is defined."""
    unknown = np.isnan(one), np.isnan(other)
    if not np.array_equal(*unknown):
        return np.inf
    return float(np.max(np.abs(one - other)[~unknown[0]], initial=0.0))


class RowView:
    """A run as samples at the times of a study, and as curves over its whole time."""

    def __init__(self, study: Study, program: Program, steps: Steps, scales: Scales) -> None:
        self._study, self._program, self._steps, self._scales = study, program, steps, scales
        self._last = Trajectory(program, steps, steps.t[-1:])
        self.magnitudes: dict[str, float] = {}

    def samples(self) -> Samples:
        """What outputs are found from."""
        study, end = self._study, float(self._steps.t[-1])
        times = np.minimum(study.times, end)
        values = {name: self._read(times, name)[None] for name in study.quantities}
        curves = {name: self._curve(name) for name in study.courses}
        for name, x in [*((n, v) for n, v in values.items()), *((n, c.size) for n, c in curves.items())]:
            self.magnitudes[name] = max(self.magnitudes.get(name, 0.0), float(np.nanmax(np.abs(x), initial=0.0)))
        ties = {name: study.options.tol * self._size(name) for name in study.courses}
        return Samples(study.times, times[None], values, curves, ties)

    def _size(self, name: str) -> Array:
        return self._scales.of(self._study.catalog[name].unit, np.array([self.magnitudes[name]]))

    def _read(self, times: Array, name: str) -> Array:
        if not np.array_equal(self._last.t, times):
            self._last = Trajectory(self._program, self._steps, times)
        return self._last[name]

    def _curve(self, name: str) -> OutputCurves:
        """A quantity over the run, between its steps: at their ends it may jump."""
        t, unit = self._steps.t, self._study.catalog[name].unit

        def allowed_error(values: Array) -> Array:
            return FOUND * self._study.options.tol * self._scales.of(unit, np.array([np.max(np.abs(values))]))

        return refine_curves(t[:-1], np.diff(t), lambda times: self._read(times, name), allowed_error)
