"""The contents of a report, and the page that shows it. `python -m grashof.view.typescript` writes the TypeScript
types."""

from __future__ import annotations

import msgspec

from grashof.scene import Scene
from grashof.view.page import page


class Fact(msgspec.Struct, frozen=True):
    """A value with its unit; `meaning` defines it if the name does not. Code is written between backticks."""

    name: str
    value: str
    meaning: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """PASSED or FAILED by a problem's rule, and the rest of the sentence."""

    passed: bool
    word: str
    text: str


class Goal(msgspec.Struct, frozen=True):
    """A definition of the error of a run; `bound` is the largest error allowed, and `bound_name` its name."""

    name: str
    unit: str
    meaning: str
    bound: float | None = None
    bound_name: str = ""


class Attempt(msgspec.Struct, frozen=True):
    """A run at one tolerance: CPU time in s, evaluations of the equations of motion, and its error by each goal."""

    tol: float
    cpu_s: float
    evaluations: int
    errors: tuple[float | None, ...]


class MethodCurve(msgspec.Struct, frozen=True):
    """The runs of one integration method, from loose to tight tolerances."""

    method: str
    title: str
    attempts: tuple[Attempt, ...]


class WorkPrecision(msgspec.Struct, frozen=True):
    """A work-precision diagram of the integration methods; `notes` are sentences on how it was measured."""

    goals: tuple[Goal, ...]
    curves: tuple[MethodCurve, ...]
    notes: tuple[str, ...]


class Chapter(msgspec.Struct, frozen=True):
    """The description of one run.

    title      the problem or mechanism, in words
    command    the command that makes this run alone
    verdict    None for a mechanism without a rule
    summary    its row in the table at the top of the report; the names are the same in every chapter
    errors     errors of the run, with definitions
    making     how the run was made, and its cost
    mobility   the mobility in words, one entry per line
    """

    title: str
    command: str
    verdict: Verdict | None
    summary: tuple[Fact, ...]
    errors: tuple[Fact, ...]
    making: tuple[Fact, ...]
    mobility: tuple[str, ...]
    scene: Scene
    work_precision: WorkPrecision | None
    notes: tuple[str, ...]


class Report(msgspec.Struct, frozen=True, tag_field="kind", tag="report"):
    """A page on several runs; `machine` describes the hardware and software they were made with, `made` is the date."""

    title: str
    made: str
    command: str
    machine: tuple[Fact, ...]
    chapters: tuple[Chapter, ...]


def report_page(report: Report) -> str:
    """The report as a self-contained HTML page."""
    return page(report.title, report)
