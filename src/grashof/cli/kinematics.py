"""`grashof kinematics`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, print_answer
from grashof.cli.options import Fit, Json, Picture, check_folder, check_picture, time_option


@about_a_mechanism
def kinematics(
    chosen: Chosen,
    t_end: Annotated[
        float | None, time_option("--t-end", "End time in s; problems and the gallery have their own.")
    ] = None,
    times: Annotated[int, typer.Option(min=2, help="Number of evenly spaced output times.")] = 1001,
    fit: Fit = None,
    plot: Picture = None,
    names: Annotated[
        list[str] | None, typer.Option("--show", metavar="QUANTITY", help="A quantity to plot, such as rod.end.x.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="File for the table: .csv, .parquet or .txt.")] = None,
    as_json: Json = False,
) -> int:
    """Computes the motion that motors prescribe, and the forces and torques that it requires; masses may be omitted.

    Examples: `grashof kinematics crank.toml --t-end 2`, `grashof kinematics crank.toml --t-end 2 --plot crank.png
    --show rod.end.x`
    """
    check_picture(plot)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.questions.kinematics import kinematics as follow

        if out is not None:
            from grashof.show.tables import check_table

            check_table(out)
            check_folder("--out", out.absolute().parent)
        case, model = chosen.case_and_model()
        end = chosen.end(case, t_end)
        say(f"compiling {model.name}")
        run = follow(model, end, times=times, fit=fit, progress=say.progress)
        if plot is not None:
            run.plot(names or None, plot)
        if out is not None:
            from grashof.show.tables import save_table

            save_table(run, out)
    print_answer(run, as_json, plot, out)
    return 0 if run.status.ok else 1
