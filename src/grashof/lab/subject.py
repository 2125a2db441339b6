"""What formulations are compared on: a mechanism with its duration, its output times, and a reference."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.common.errors import ModelError
from grashof.judge.expected import reference_of
from grashof.lab.equations import LabEquations
from grashof.model.given import Number, number
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.problems import PROBLEMS, Case, Column, make_case
from grashof.problems.base import Readings
from grashof.program import Program, build
from grashof.references import Reference
from grashof.simulation.simulate import simulate

TOLERANCE = 1e-11
"""Tolerance of the run with which mechanisms without a certified reference are compared."""

ROWS = 100
"""Number of output intervals of such mechanisms."""


@dataclass(frozen=True, eq=False)
class Subject:
    """A mechanism to be run.

    step       time between judged rows, s
    columns    the quantities that are compared with the reference
    reference  their values with error bars
    case       the benchmark problem, if it is one
    """

    name: str
    model: Model
    t_end: float
    step: float
    columns: tuple[Column, ...]
    reference: Reference
    case: Case | None = None

    @property
    def start(self) -> float:
        """The time of the start, s."""
        return float(self.reference.times[0])

    @cached_property
    def program(self) -> Program:
        """The mechanism in natural coordinates, with the equations of the joints alone: those of `gr.equations`."""
        return build(self.model, relations=False, formulation="natural")

    @cached_property
    def equations(self) -> LabEquations:
        """Its equations, compiled."""
        return LabEquations(self.program)

    @property
    def intervals(self) -> int:
        """Number of judged rows after the start."""
        return round((self.t_end - self.start) / self.step)

    def energy_error(self, readings: Readings) -> float:
        """The largest energy-balance error, J: by the problem's rule, or of the balance of energy and work."""
        error = readings["balance"] if self.case is None else self.case.error(readings)
        return float(np.max(np.abs(error)))


def subject(given: str | Case | Mechanism | Model, t_end: Number | None = None) -> Subject:
    """A benchmark problem by its name or as a case, or any mechanism up to t_end.

    The reference of a problem is its certified one, or its independent solution; that of any other mechanism is a run
    at tolerance 1e-11, with that run's own error estimate as error bars.
    """
    if isinstance(given, str):
        given = make_case(given)
    if isinstance(given, Case):
        return _of_case(given, t_end)
    model = as_model(given)
    if t_end is None:
        raise ModelError(f"Mechanism '{model.name}' does not say how long its motion lasts; give t_end.")
    return _of_model(model, number("t_end", t_end))


def _of_case(case: Case, t_end: Number | None) -> Subject:
    reference = reference_of(case)
    end = case.t_end if t_end is None else number("t_end", t_end)
    times = reference.times[reference.times <= end * (1.0 + 1e-9)]
    if len(times) < 2:
        raise ModelError(f"t_end is {end:g} s; problem '{case.problem}' has rows every {case.step:g} s, give more.")
    known = [column for column in (*case.columns, *case.final) if np.any(reference.columns.get(column.name, 0.0))]
    columns = tuple({column.name: column for column in known}.values())
    name = case.problem if len(PROBLEMS[case.problem].variants) == 1 else f"{case.problem} {case.variant}"
    return Subject(name, case.model, float(times[-1]), case.step, columns, reference.at(times.tolist()), case)


def _of_model(model: Model, t_end: float) -> Subject:
    run = simulate(model, t_end, tol=TOLERANCE, times=ROWS + 1)
    if not run.status.ok:
        raise ModelError(f"Mechanism '{model.name}': there is no reference, because our own run fails. {run.status}")
    axes = "xyz"[: model.dimension]
    names = [f"{point}.{axis}" for point in model.points if not point.startswith("ground.") for axis in axes]
    names = [name for name in names if name in run.names and np.ptp(run[name]) > 1e-9 * run.program.system.length]
    columns = tuple(Column(name, "m", lambda readings, name=name: readings[name]) for name in names)  # type: ignore[misc]
    reference = Reference(
        problem=model.name,
        variant="",
        parameters={},
        times=run.t,
        columns={name: run[name] for name in names},
        bars={name: run.error_estimate(name) for name in names},
        until=t_end,
        provenance=(f"A run of Grashof's at tolerance {TOLERANCE:g}; the bars are its error estimate.",),
    )
    return Subject(model.name, model, t_end, float(run.t[1] - run.t[0]), columns, reference)
