"""`grashof kinematics`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.console import Activity, echo, print_json, print_report
from grashof.cli.options import (
    AllowCode,
    Fit,
    Json,
    Picture,
    Settings,
    Strict,
    Subject,
    Variant,
    case_or_model,
    check_folder,
    check_picture,
    duration,
    positive,
)
from grashof.common.errors import ModelError


def kinematics(
    subject: Subject,
    t_end: Annotated[
        float | None, typer.Option("--t-end", help="End time in s; problems and the gallery have their own.")
    ] = None,
    variant: Variant = None,
    given: Settings = None,
    times: Annotated[int, typer.Option(min=2, help="Number of evenly spaced output times.")] = 1001,
    fit: Fit = None,
    plot: Picture = None,
    names: Annotated[
        list[str] | None, typer.Option("--show", metavar="QUANTITY", help="A quantity to plot, such as rod.end.x.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File for the table: .csv, .parquet or .txt.")] = None,
    allow_code: AllowCode = False,
    strict: Strict = False,
    as_json: Json = False,
) -> int:
    """Computes the motion that motors prescribe, and the forces and torques that it requires; masses may be omitted.

    Examples: `grashof kinematics crank.toml --t-end 2`, `grashof kinematics crank.toml --t-end 2 --plot crank.png
    --show rod.end.x`
    """
    positive("--t-end", t_end)
    check_picture(plot)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.questions.kinematics import kinematics as follow

        if out is not None:
            from grashof.show.tables import check_table

            check_table(out)
            check_folder("--out", out.absolute().parent)
        case, model = case_or_model(subject, variant, given, allow_code, strict)
        end = duration(subject, case, t_end)
        if end is None:
            raise ModelError(f"{subject} has no duration of its own; give the end time with --t-end, in s.")
        say(f"compiling {model.name}")
        run = follow(model, end, times=times, fit=fit, progress=say.progress)
        written = [path for path in (plot, out) if path is not None]
        if plot is not None:
            run.plot(names or None, plot)
        if out is not None:
            from grashof.show.tables import save_table

            save_table(run, out)
    if as_json:
        print_json(run.as_dict())
    else:
        print_report(str(run))
        for path in written:
            echo(f"wrote {path}")
    return 0 if run.status.ok else 1
