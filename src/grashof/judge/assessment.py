"""Judges official columns: by the problem's rule, against its reference, and by what else they could be.

Three criteria, which are always reported separately: the rule judges the energy balance, the comparison with the
reference judges the trajectory, and the columns of constraint violation show whether the joints hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.common.errors import ModelError, finite
from grashof.judge.branch import BranchVerdict, find_branch
from grashof.judge.comparison import Comparison, compare
from grashof.judge.expected import reference_of
from grashof.judge.levels import Levels, judge_levels
from grashof.judge.rows import select
from grashof.judge.rule import Rule, judge_rule
from grashof.judge.suspicions import suspicions
from grashof.judge.violations import Violations, judge_violations
from grashof.problems import Case


@dataclass(frozen=True)
class Assessment:
    """The judgement on a result.

    rows        number of rows judged
    rule        whether its energy balance passes the rule
    comparison  with the reference, column by column; None if nothing could be compared
    violations  whether the joints hold, by the columns of constraint violation
    branch      whether the motion stayed on the branch of the reference
    suspicions  hints at what the result could be instead, each checked by comparing with exactly that
    missing     official columns that the result does not have
    remarks     what else is unusual, and how it was handled
    levels      the precision level that it reaches; None if the problem has none
    """

    problem: str
    variant: str
    parameters: Mapping[str, float]
    rows: int
    rule: Rule
    comparison: Comparison | None
    violations: Violations
    branch: BranchVerdict
    suspicions: tuple[str, ...]
    missing: tuple[str, ...]
    remarks: tuple[str, ...]
    levels: Levels | None = None

    @property
    def passes(self) -> bool | None:
        """Whether the rule is met over the whole duration; None: not judged, because columns are missing."""
        return self.rule.passes

    @property
    def error(self) -> float | None:
        """The rule's error, J; None if it cannot be calculated."""
        return self.rule.error

    @property
    def deviation(self) -> float | None:
        """The largest deviation from the reference of any column, relative to the column's largest magnitude."""
        return None if self.comparison is None else self.comparison.deviation

    @property
    def agrees(self) -> bool | None:
        """Whether no compared value deviates from the reference by more than `near.AGREES`."""
        return None if self.comparison is None else self.comparison.agrees

    @property
    def verdict(self) -> bool | None:
        """Whether the result passes; None: it cannot be judged.

        It passes if its trajectory agrees with the reference and nothing else that can be judged fails. Columns of
        constraint violation may be missing, and so may those of energy where the reference holds over the whole
        duration; without any column that the reference has, there is nothing to judge.
        """
        if False in (self.passes, self.agrees, self.violations.hold):
            return False
        if self.comparison is None or (self.passes is None and not self.comparison.whole):
            return None
        return True

    @property
    def digits(self) -> Mapping[str, float]:
        """Digits that agree with the reference, by column, at the official times if there are any."""
        return {} if self.comparison is None else self.comparison.digits

    @property
    def departed(self) -> float | None:
        """The first time at which a column deviates from the reference by more than `near.AGREES`, s."""
        return None if self.comparison is None else self.comparison.departed

    def as_dict(self) -> dict[str, Any]:
        """Plain data; numbers that are not finite become None."""
        rule, found, branch = self.rule, self.comparison, self.branch
        return {
            "problem": self.problem,
            "variant": self.variant,
            "parameters": dict(self.parameters),
            "rows": self.rows,
            "rule": {
                "passes": rule.passes,
                "error_J": rule.error,
                "bound_J": rule.bound,
                "definition": rule.definition,
                "not_judged": rule.not_judged,
            },
            "reference": None
            if found is None
            else {
                "agrees": self.agrees,
                "deviation": finite(found.deviation),
                "deviation_by_column": {name: finite(x) for name, x in found.by_column.items()},
                "digits": dict(found.digits),
                "departed_s": found.departed,
                "compared_until_s": float(found.times[-1]),
                "rows": len(found.times),
                "official_times": found.official,
                "definition": found.definition,
            },
            "violations": {
                "hold": self.violations.hold,
                "largest": {name: finite(x) for name, x in self.violations.largest.items()},
                "allowed": dict(self.violations.allowed),
                "definition": self.violations.definition,
            },
            "verdict": self.verdict,
            "precision_level": None
            if self.levels is None
            else {
                "reached": self.levels.reached,
                "difference": self.levels.difference,
                "definition": self.levels.definition,
            },
            "branch": {"kept": branch.kept, "left_s": branch.left, "definition": branch.definition},
            "suspicions": list(self.suspicions),
            "missing": list(self.missing),
            "remarks": list(self.remarks),
        }


@np.errstate(over="ignore", invalid="ignore")  # numbers may be of any size; a result that is not finite does not pass
def assess(
    case: Case, table: Mapping[str, np.ndarray], lines: np.ndarray | None = None, suspect: bool = True
) -> Assessment:
    """Judges a table of official columns by name. "t" is required; others may be missing.

    lines    the line of the file that each row stands in, for remarks
    suspect  whether to look for what a wrong result could be instead, which takes up to a second
    """
    if "t" not in table:
        raise ModelError(f"Problem '{case.problem}': the table has no column t; add the times.")
    rows, remarks = select(case, table, lines)
    reference = reference_of(case)
    comparison, more = compare(reference, rows)
    rule = judge_rule(case, rows, reference)
    return Assessment(
        problem=case.problem,
        variant=case.variant,
        parameters=case.parameters,
        rows=len(rows.t),
        rule=rule,
        comparison=comparison,
        violations=judge_violations(case, rows, reference),
        branch=find_branch(case, comparison, rows, rule.drift),
        suspicions=suspicions(case, table, reference, rows, comparison) if suspect else (),
        missing=tuple(column.name for column in case.columns if column.name not in table),
        remarks=(*remarks, *more, *rule.remarks),
        levels=judge_levels(case, rows, reference),
    )
