"""What a report holds, and the page that shows it. Its TypeScript twin is made by `python -m grashof.view.typescript`."""

from __future__ import annotations

import msgspec

from grashof.scene import Scene
from grashof.view.page import page


class Fact(msgspec.Struct, frozen=True):
    """Something known, with its unit; `meaning` says how it is defined where the name does not. Code stands between backticks."""

    name: str
    value: str
    meaning: str = ""


class Verdict(msgspec.Struct, frozen=True):
    """PASSED or FAILED by a problem's rule, and the rest of the sentence."""

    passed: bool
    word: str
    text: str


class Goal(msgspec.Struct, frozen=True):
    """How the error of a run is measured; `bound` is what it may be at most, and `bound_name` what that is called."""

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
    """The runs of one integration method, loose tolerances first."""

    method: str
    title: str
    attempts: tuple[Attempt, ...]


class WorkPrecision(msgspec.Struct, frozen=True):
    """What a precision costs with each integration method; `notes` are sentences on how it was measured."""

    goals: tuple[Goal, ...]
    curves: tuple[MethodCurve, ...]
    notes: tuple[str, ...]


class Chapter(msgspec.Struct, frozen=True):
    """All about one run.

    title    what was run, in words
    command  that makes this run alone
    verdict  None for a mechanism without a rule
    summary  what the table at the top of the report shows of it; each chapter has the same names
    errors   how good the run is, with definitions
    making   how it was made, and what that took
    mobility in words, a line each
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
    """A page with several runs; `machine` is what they were made on and with, `made` the date."""

    title: str
    made: str
    command: str
    machine: tuple[Fact, ...]
    chapters: tuple[Chapter, ...]


def report_page(report: Report) -> str:
    """The report as a page of HTML that needs nothing else."""
    return page(report.title, report)
