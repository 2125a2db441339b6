"""Reads result files of any tool and judges them: by the problem's rule, and against its certified reference."""

from grashof.common.near import AGREES
from grashof.judge.assessment import Assessment, assess
from grashof.judge.branch import BranchVerdict
from grashof.judge.comparison import Comparison
from grashof.judge.reading import ResultTable, read_table
from grashof.judge.rule import Rule
from grashof.judge.violations import Violations

__all__ = [
    "AGREES",
    "Assessment",
    "BranchVerdict",
    "Comparison",
    "ResultTable",
    "Rule",
    "Violations",
    "assess",
    "read_table",
]
