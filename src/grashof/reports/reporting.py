"""One report on several runs."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime

from grashof.bench.machine import machine_facts
from grashof.common.progress import Part, Progress, silent
from grashof.common.wording import count_of
from grashof.reports.chapters import Subject, chapter
from grashof.simulation.options import TOLERANCE
from grashof.view.report import Fact, Report

_NAMES = {"numpy": "NumPy", "llvmlite": "llvmlite"}


def report(
    subjects: Sequence[Subject],
    *,
    tol: float = TOLERANCE,
    work_precision: bool = True,
    command: str = "",
    progress: Progress = silent,
) -> tuple[Report, bool]:
    """Simulates the subjects one by one; returns the report, and whether every run is complete and passes its rule.

    command  the command that makes this report, shown in it
    """
    chapters, well = [], True
    for number, subject in enumerate(subjects):

        def said(part: Part, name: str = subject.name, number: int = number) -> None:
            progress(Part((number + part) / len(subjects), f"{name}: {part.doing}", part.detail))

        made, good = chapter(subject, tol=tol, work_precision=work_precision, progress=said)
        chapters.append(made)
        well = well and good
    facts = [Fact(_NAMES.get(name, name.capitalize()), value) for name, value in machine_facts().items()]
    return (
        Report(
            title=f"Report on {count_of(len(chapters), 'run')}"
            if len(chapters) != 1
            else f"Report on {chapters[0].title}",
            made=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"),
            command=command,
            machine=tuple(facts),
            chapters=tuple(chapters),
        ),
        well,
    )
