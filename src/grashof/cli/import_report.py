"""`grashof import-report`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer

from grashof.cli.console import Activity, echo, print_json
from grashof.cli.options import positive, time_option


def import_report(
    folder: Annotated[Path, typer.Argument(metavar="FOLDER", help="A folder with model files.")],
    limit_s: Annotated[float, typer.Option("--limit-s", help="CPU time in s after which a file is given up.")] = 60.0,
    t_end: Annotated[float, time_option("--t-end", "How long each mechanism is simulated, in s.")] = 1.0,
    compare: Annotated[
        bool, typer.Option(help="Compare with the engine that the format belongs to, if it is installed.")
    ] = True,
    sample: Annotated[float, typer.Option(help="Fraction of the files that is tried, the same ones every time.")] = 1.0,
    record: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Keeps results; files that are in it are not tried again.")
    ] = None,
    form: Annotated[Literal["text", "markdown", "json"], typer.Option("--format", help="Output format.")] = "text",
) -> int:
    """Tries all model files of other programs in a folder: which are read, what is left out, and whether they move as
    in the engine that their format belongs to.

    Examples: `grashof import-report models`, `grashof import-report models --limit-s 20 --format markdown`,
    `grashof import-report models --record found.jsonl`
    """
    positive("--limit-s", limit_s)
    with Activity(quiet=form == "json") as say:
        say("loading")
        from grashof.reports.import_report import import_report as examine

        report = examine(
            folder, limit_s=limit_s, t_end=t_end, compare=compare, sample=sample, record=record, progress=say.progress
        )
    if form == "json":
        print_json(report.as_dict())
    elif form == "markdown":
        echo("\n".join(sheet.markdown() for sheet in report.sheets()))
    else:
        from grashof.cli.results import print_sheets

        print_sheets(report.sheets(), ())
    return 0
