"""The problem's own rule: a bound on the energy-balance error ΔU, calculated from the official columns alone."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grashof.judge.rows import ResultRows
from grashof.problems.base import Case
from grashof.references import Reference


@dataclass(frozen=True)
class Rule:
    """How a result does by the rule.

    passes      whether it is met over the whole duration; None: not judged, because columns are missing
    error       largest |ΔU|, J; None if it cannot be calculated
    bound       the largest error that passes, J
    drift       ΔU at the rows, J
    definition  how the error is calculated, and from which columns
    remarks     sentences on what is unusual
    not_judged  why it was not judged, such as "no energy columns"; None if it was
    """

    passes: bool | None
    error: float | None
    bound: float
    drift: np.ndarray | None
    definition: str
    remarks: tuple[str, ...]
    not_judged: str | None = None


def judge_rule(case: Case, rows: ResultRows, reference: Reference | None = None) -> Rule:
    """Calculates the rule's error from the columns of energy and work; the reference gives their initial values if
    the rows do not."""
    names = [column.name for column in case.balanced]
    definition = (
        f"{case.error_text}; from {', '.join(names)}, over rows that cover all {case.t_end:g} s: at most "
        f"{case.bound:g} J"
    )
    absent = [name for name in names if name not in rows.columns]
    if absent:
        sentence = f"The rule cannot be judged without {', '.join(absent)}."
        if not rows.whole:  # then it is not met, whatever the energy
            return Rule(False, None, case.bound, None, definition, (sentence,))
        reason = "no energy columns" if len(absent) == len(names) else f"no column {' or '.join(absent)}"
        return Rule(None, None, case.bound, None, definition, (sentence,), reason)
    energy = case.balance(rows.columns)
    if not energy.size:
        return Rule(False, None, case.bound, None, definition, ())
    start = energy[0]
    remarks: tuple[str, ...] = ()
    if rows.t[0] > 1e-9 * case.t_end:
        known = reference is not None and all(name in reference.columns for name in names)
        start = case.balance(reference.columns)[0] if reference is not None and known else start
        whose = "the reference" if known else "its first row"
        remarks = (
            f"There is no row at t = 0 (the first is at t = {rows.t[0]:g} s): the initial energy is taken from "
            f"{whose}.",
        )
    drift = energy - start
    error = float(np.max(np.abs(drift)))
    passes = rows.whole and error <= case.bound
    return Rule(passes, error if math.isfinite(error) else None, case.bound, drift, definition, remarks)
