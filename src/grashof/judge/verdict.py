"""Runs a benchmark problem and judges the result: by the problem's own rule, and against its independent solution.

These are different criteria: the rule judges the energy balance, the comparison with the solution the trajectory. Both
use the same code as for result files of other tools; one of our own runs has more rows, namely its steps, and must be
closer to the solution.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Any

import numpy as np

from grashof.common.errors import finite
from grashof.common.near import CLOSE
from grashof.common.progress import Part, Progress, silent
from grashof.freedoms.mobility import mobility
from grashof.judge.comparison import Comparison
from grashof.judge.comparison import compare as compare_columns
from grashof.judge.expected import solution_of
from grashof.judge.rows import ResultRows
from grashof.judge.rule import Rule, judge_rule
from grashof.motion.trajectory import Trajectory
from grashof.problems.base import Case, Column
from grashof.program import build
from grashof.simulation.options import TOLERANCE
from grashof.simulation.simulate import integrate
from grashof.simulation.trust import with_checked_status


class Compare(Enum):
    """At which times a run is compared with the reference; the reference of a large problem takes seconds."""

    NONE = "none"
    END = "end"
    ALL = "all"


@dataclass(frozen=True)
class VerdictOutcome:
    """A judged run.

    tol        tolerance of the integration
    t_end      requested end time, s
    rule       the judgement by the problem's rule, at the official times and at every step
    violation  largest norm of the joint equations (position in m, velocity in m/s), at the same times
    agreement  of its final quantities with the independent solution, within `near.CLOSE`, relative to their largest
               magnitudes over the whole run and the solution; None if it was not requested or the run is incomplete
    cpu_s      process CPU time of the integration, the best of `repeat` runs, s
    compile_s  wall time of compiling the mechanism and the method, s
    dof        degrees of freedom at the start
    redundant  number of redundant equations of the joints as modelled
    """

    case: Case
    run: Trajectory
    tol: float
    t_end: float
    rule: Rule
    violation: tuple[float | None, float | None]
    agreement: Comparison | None
    cpu_s: float
    compile_s: float
    repeat: int
    dof: int
    redundant: int

    @property
    def error(self) -> float | None:
        """The largest |error| by the problem's definition, J; None if there is nothing to judge."""
        return self.rule.error

    @property
    def passed(self) -> bool:
        """Whether the run is complete and its error within the bound, over the simulated time (see `whole`)."""
        return self.rule.passes is True

    @property
    def whole(self) -> bool:
        """Whether the run covers the problem's duration; only then can it pass or fail the problem's rule."""
        return self.run.status.ok and self.t_end >= self.case.t_end * (1.0 - 1e-12)

    @property
    def final(self) -> dict[str, float | None]:
        """The last official results by name, with t and the total energy; None for each if the run is incomplete."""
        names = ("t", *(column.name for column in self.case.final), "energy")
        if not self.run.status.ok:
            return dict.fromkeys(names)
        values = (self.run.t, *(column.value(self.run) for column in self.case.final), self.run["energy"])
        return {name: finite(value[-1]) for name, value in zip(names, values, strict=True)}

    def as_dict(self) -> dict[str, Any]:
        """All results as plain data, in full precision; numbers that are not finite become None."""
        status, counters, agreement = self.run.status, self.run.steps.counters, self.agreement
        return {
            "problem": self.case.problem,
            "variant": self.case.variant,
            "parameters": dict(self.case.parameters),
            "t_end": self.t_end,
            "tol": self.tol,
            "method": self.run.method.as_dict(),
            "status": status.code.name.lower(),
            "message": str(status),
            "t_reached": status.time,
            "error_J": self.error,
            "error_definition": self.case.error_text,
            "bound_J": self.case.bound,
            "passed": self.passed,
            "whole_duration": self.whole,
            "agreement": None
            if agreement is None
            else {
                "times": len(agreement.times),
                "worst": finite(agreement.deviation),
                "until": agreement.until,
                "relative_deviation": {name: finite(x) for name, x in agreement.by_column.items()},
            },
            "cpu_s": self.cpu_s,
            "repeat": self.repeat,
            "output_s": self.run.output_s,
            "compile_s": self.compile_s,
            "assemble_s": self.run.program.assemble_s,
            "steps": counters.steps,
            "rejected": counters.rejected,
            "evaluations": counters.evaluations,
            "crossings": [[x.begin, x.end] for x in self.run.steps.crossings],
            "projections": counters.projections,
            "dof": self.dof,
            "coordinates": self.run.program.system.n,
            "equations": self.run.program.system.m,
            "relations": len(self.run.program.relations),
            "redundant": self.redundant,
            "violation_max": dict(zip(("position", "velocity"), self.violation, strict=True)),
            "final": self.final,
            "notes": list(self.case.notes),
        }


def judge(
    case: Case,
    *,
    tol: float | None = None,
    method: str = "auto",
    step: float | None = None,
    relations: bool = True,
    t_end: float | None = None,
    repeat: int = 1,
    compare: Compare = Compare.END,
    progress: Progress = silent,
) -> VerdictOutcome:
    """Compiles, assembles and runs a case, and judges it.

    tol        tolerance of the integration; by default the case's, or else that of `simulate`
    method     integration method, with `step` if its step is fixed: see `simulate`
    relations  whether to use equations that hold on the branch: see `build`
    t_end      end time, s; by default the problem's own duration
    repeat     number of integrations; the CPU time is the best of them
    """
    end = case.t_end if t_end is None else float(t_end)
    tol = tol or case.tol or TOLERANCE
    program = build(case.model, relations=relations, progress=progress)
    best, compile_s = math.inf, program.compile_s
    for _ in range(repeat):
        steps = integrate(program, end, tol=tol, method=method, step=step, progress=progress)
        best, compile_s = min(best, steps.cpu_s), compile_s + steps.compile_s
        if not steps.status.ok:
            break
    run = with_checked_status(Trajectory(program, steps, case.times(steps.status.time)), tol)
    progress(Part(0.0, "judging"))
    report = mobility(program.joints)
    views = (run, run.at_steps())
    return VerdictOutcome(
        case=case,
        run=run,
        tol=tol,
        t_end=end,
        rule=judge_rule(case, _rows(case.balanced, views, run.status.ok)),
        violation=(
            _largest([view["violation.position"] for view in views]),
            _largest([view["violation.velocity"] for view in views]),
        ),
        agreement=_agreement(case, run, compare, progress) if run.status.ok else None,
        cpu_s=best,
        compile_s=compile_s,
        repeat=repeat,
        dof=report.dof,
        redundant=report.redundant,
    )


def _rows(columns: tuple[Column, ...], views: tuple[Trajectory, ...], whole: bool) -> ResultRows:
    """Columns of a run, as in a result file, from several views of it in order of time."""
    t = np.concatenate([view.t for view in views])
    order = np.argsort(t, kind="stable")
    values = {column.name: np.concatenate([column.value(view) for view in views])[order] for column in columns}
    return ResultRows({"t": t[order], **values}, whole)


def _agreement(case: Case, run: Trajectory, compare: Compare, progress: Progress) -> Comparison | None:
    if compare is Compare.NONE or not case.final:
        return None
    progress(Part(0.0, "computing the independent solution"))
    rows = _rows(case.final, (run,), whole=True)
    chosen = slice(None) if compare is Compare.ALL else slice(-1, None)
    some = ResultRows({name: values[chosen] for name, values in rows.columns.items()}, whole=True)
    solution = solution_of(case, some.t, bar=0.0)  # the whole difference counts against the run
    sizes = {}
    for column in case.final:
        both = np.concatenate([rows.columns[column.name], solution.columns[column.name]])
        sizes[column.name] = max(float(np.max(np.abs(both))), np.finfo(float).tiny)
    return compare_columns(solution, some, CLOSE, sizes)[0]


def _largest(parts: list[np.ndarray]) -> float | None:
    """The largest magnitude; None if there is none or it is not finite."""
    values = np.abs(np.concatenate(parts))
    return finite(np.max(values)) if values.size else None
