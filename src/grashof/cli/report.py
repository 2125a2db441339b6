"""`grashof report`."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grashof.cli.console import Activity, echo
from grashof.cli.options import (
    AllowCode,
    Tolerance,
    case_or_model,
    check_page,
    duration,
    is_file,
    time_option,
    tolerance,
)
from grashof.common.errors import ModelError

if TYPE_CHECKING:
    from grashof.reports import Subject


def report(
    runs: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="RUN…", help="Problems, as NAME or NAME:VARIANT, mechanisms of the gallery, or TOML files."
        ),
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="All benchmark problems.")] = False,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the page, which ends in .html.")] = Path(
        "report.html"
    ),
    t_end: Annotated[
        float | None, time_option("--t-end", "End time in s; the problems' own by default, needed for files.")
    ] = None,
    tol: Tolerance = None,
    work_precision: Annotated[
        bool,
        typer.Option(
            "--work-precision/--no-work-precision",
            help="Measure the CPU time that each integration method takes for a given accuracy.",
        ),
    ] = True,
    allow_code: AllowCode = False,
) -> int:
    """Writes a report about runs: verdicts, mobility, animations with plots, work-precision data, and the machine.

    Examples: `grashof report --all -o report.html`, `grashof report andrews multiple-four-bar:all-rows`, `grashof
    report crank.toml --t-end 10`
    """
    if everything == bool(runs):
        raise ModelError("Name what the report is about, or give --all for all benchmark problems.")
    check_page("--out", out)
    with Activity() as say:
        say("loading")
        from grashof.common.writing import write_atomically
        from grashof.problems import PROBLEMS
        from grashof.reports import report as make
        from grashof.view.report import report_page

        subjects = [_subject(text, t_end, allow_code) for text in (PROBLEMS if everything else runs or ())]
        found, well = make(
            subjects,
            tol=tolerance(tol),
            work_precision=work_precision,
            command=_command(runs, out, t_end, tol, work_precision, allow_code),
            progress=say.progress,
        )
        say(f"writing {out}")
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, report_page(found))
    for made in found.chapters:
        verdict = made.errors[0].value if made.verdict is None else f"{made.verdict.word}{made.verdict.text}"
        echo(f"{made.summary[0].value}: {verdict}")
    echo(f"wrote {out}")
    return 0 if well else 1


def _subject(text: str, t_end: float | None, allow_code: bool) -> Subject:
    """What RUN refers to; invalid names are refused before anything is run."""
    from grashof.reports import Subject

    name, _, variant = (text, "", "") if is_file(text) else text.partition(":")
    case, model = case_or_model(name, variant or None, None, allow_code)
    end = duration(name, case, t_end)
    if end is None:
        raise ModelError(f"{text} does not say how long its motion lasts; give --t-end.")
    return Subject(text, model, end, case)


def _command(
    runs: list[str] | None, out: Path, t_end: float | None, tol: float | None, work_precision: bool, allow_code: bool
) -> str:
    """The command line that repeats the report."""
    words = ["grashof", "report", *(runs or ["--all"]), "-o", out.name]
    words += [] if t_end is None else ["--t-end", f"{t_end:g}"]
    words += [] if tol is None else ["--tol", f"{tol:g}"]
    words += [] if work_precision else ["--no-work-precision"]
    words += ["--allow-code"] if allow_code else []
    return shlex.join(words)
