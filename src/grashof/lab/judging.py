"""The one judge of the laboratory: every run is compared with the same reference in the same way."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.errors import finite as finite_number
from grashof.judge.comparison import Comparison, compare
from grashof.judge.rows import ResultRows
from grashof.lab.member import Member, Performed
from grashof.lab.status import Ending, LabStatus
from grashof.lab.subject import Subject

DEPARTED = 0.1
"""A deviation from which on a motion is another one than that of the reference."""

DEFINITION = (
    "the largest |result − reference| beyond the reference's error bar, divided by the quantity's largest magnitude in "
    "the reference, over the compared rows"
)


@dataclass(frozen=True, eq=False)
class LabResult:
    """A judged run.

    formulation         its label, with parameters that differ from their defaults
    setting             the step, s, or the tolerance
    status              how it ended: look here first
    error               the deviation from the reference, see `DEFINITION`; None if it did not reach the end
    by_column           the same for each compared quantity
    energy_error        the largest energy-balance error as far as it got, J; None if it is not known
    position_violation, velocity_violation
                        the largest violations of the joint equations, and of those that keep bodies rigid in natural
                        coordinates, as far as it got, m and m/s; None if not known
    steps, evaluations, slopes, solutions, cpu_s
                        the work, see `Performed`
    """

    formulation: str
    setting: float
    status: LabStatus
    error: float | None
    by_column: Mapping[str, float]
    energy_error: float | None
    position_violation: float | None
    velocity_violation: float | None
    steps: int
    evaluations: int | None
    slopes: int | None
    solutions: int | None
    cpu_s: float

    def as_dict(self) -> dict[str, Any]:
        """Plain data; numbers that are not finite or not known are None."""
        return {
            "formulation": self.formulation,
            "setting": self.setting,
            "ending": self.status.ending.name.lower(),
            "status": str(self.status),
            "ok": self.status.ok,
            "time_s": self.status.time,
            "error": _finite(self.error),
            "error_by_column": {name: _finite(x) for name, x in self.by_column.items()},
            "energy_error_J": _finite(self.energy_error),
            "position_violation_m": _finite(self.position_violation),
            "velocity_violation_m_s": _finite(self.velocity_violation),
            "steps": self.steps,
            "evaluations": self.evaluations,
            "slopes": self.slopes,
            "solutions": self.solutions,
            "cpu_s": self.cpu_s,
        }


def judge(subject: Subject, member: Member, setting: float, made: Performed) -> LabResult:
    """Compares a run with the reference, and looks at its energy and at its joints."""
    status = LabStatus(made.ending, made.time, subject.t_end, made.why)
    known: dict[str, float | None] = dict.fromkeys(("energy", "position", "velocity"))
    comparison: Comparison | None = None
    if made.readings is not None and made.steps:
        with suppress(ModelError):
            known["energy"] = subject.energy_error(made.readings)
        for level, own in zip(("position", "velocity"), made.violations or (0.0, 0.0), strict=True):
            with suppress(ModelError):
                known[level] = max(own, float(np.max(np.abs(made.readings[f"violation.{level}"]))))
        try:
            comparison = _compared(subject, made)
        except ModelError as problem:
            status = replace(status, ending=Ending.UNREADABLE, why=str(problem))
    if status.ok and (comparison is None or not all(x is None or np.isfinite(x) for x in known.values())):
        status = replace(status, ending=Ending.NOT_FINITE)
    elif status.ok and comparison is not None and comparison.departed is not None:
        status = replace(status, ending=Ending.DEPARTED, time=comparison.departed)
    whole = comparison is not None and status.reached
    return LabResult(
        formulation=member.label,
        setting=setting,
        status=status,
        error=comparison.deviation if comparison is not None and whole else None,
        by_column=dict(comparison.by_column) if comparison is not None and whole else {},
        energy_error=known["energy"],
        position_violation=known["position"],
        velocity_violation=known["velocity"],
        steps=made.steps,
        evaluations=made.evaluations,
        slopes=made.slopes,
        solutions=made.solutions,
        cpu_s=made.cpu_s,
    )


def _compared(subject: Subject, made: Performed) -> Comparison | None:
    """The comparison at those rows of the run that are rows of the reference."""
    readings = made.readings
    if readings is None:
        return None
    place = (readings.t - subject.start) / subject.step
    official = np.abs(place - np.rint(place)) < 1e-6
    columns = {"t": subject.start + subject.step * np.rint(place[official])}
    columns |= {column.name: column.value(readings)[official] for column in subject.columns}
    if not all(np.isfinite(values).all() for values in columns.values()):
        return None
    return compare(subject.reference, ResultRows(columns, True), DEPARTED)[0]


def _finite(x: float | None) -> float | None:
    return None if x is None else finite_number(x)
