"""Whether a motion stayed on the branch of the reference.

At a singular position a mechanism can continue in another shape (on another branch) with the same energy, which the
rule cannot detect. Errors of a method grow gradually, whereas a change of branch is sudden.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.common.near import AGREES, ELSEWHERE
from grashof.judge.comparison import Comparison
from grashof.judge.rows import ResultRows
from grashof.problems import Case

SUDDEN = 1.0 / 50.0
"""Fraction of the problem's duration within which a change of branch takes the deviation from `AGREES` to
`ELSEWHERE`; chaos takes longer (docs/measurements.md)."""
GROWTH = 1.5
"""Ratio of the times at which `ELSEWHERE` and `AGREES` are exceeded: errors that grow as tⁿ with n up to 9 exceed
it, since it is (ELSEWHERE/AGREES)^(1/n) for them."""


@dataclass(frozen=True)
class BranchVerdict:
    """kept  whether the motion stayed on its branch; None: undecided
    left  the first time at which it was on another one, s
    """

    kept: bool | None
    left: float | None
    definition: str


def find_branch(case: Case, comparison: Comparison | None, rows: ResultRows, drift: np.ndarray | None) -> BranchVerdict:
    """Looks for a sudden departure with the energy kept; `drift` is the energy balance at the rows, J."""
    window = SUDDEN * case.t_end
    definition = (
        f"kept if the deviation from the reference stays within {ELSEWHERE:g}; left if, with the energy within "
        "the rule, it rises from less "
        f"than {AGREES:g} at a time t to more than {ELSEWHERE:g} before both t + {window:g} s and {GROWTH:g} t"
    )
    if case.condition is not None:
        definition += f", or {case.condition.words}"
    if comparison is None or comparison.apart[0] > AGREES:
        return BranchVerdict(None, None, definition)
    found = [t for t in (_departure_time(comparison, window), _condition_violated(case, rows)) if t is not None]
    if found and drift is not None and np.all(np.abs(drift[rows.t <= min(found)]) <= case.bound):
        return BranchVerdict(False, min(found), definition)
    near = not found and np.max(comparison.apart) <= ELSEWHERE
    return BranchVerdict(True if near else None, None, definition)


def _departure_time(comparison: Comparison, window: float) -> float | None:
    """The time of a sudden departure from the reference."""
    off, far = comparison.apart > AGREES, comparison.apart > ELSEWHERE
    if not far.any():
        return None
    departed, arrived = int(np.argmax(off)), int(np.argmax(far))
    last = comparison.times[departed - 1]  # there is one: the first row agrees
    sudden = comparison.times[arrived] <= min(last + window, GROWTH * last)
    return float(comparison.times[departed]) if sudden else None


def _condition_violated(case: Case, rows: ResultRows) -> float | None:
    """The first time at which the problem's own condition is violated."""
    if case.condition is None or any(name not in rows.columns for name in case.condition.columns):
        return None
    out = case.condition.beyond(rows.columns) > AGREES
    return float(rows.t[np.argmax(out)]) if out.any() else None
