"""`grashof show`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from grashof.cli import INTERRUPTED
from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, echo
from grashof.cli.options import Tolerance, check_page, duration, is_file, time_option, tolerance
from grashof.common.status import Code


@about_a_mechanism
def show(
    chosen: Chosen,
    tol: Tolerance = None,
    t_end: Annotated[
        float | None,
        time_option(
            "--t-end", "End time in s; the problem's own by default. Without it, a file is shown at its start."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out", "-o", help="File for the page, which ends in .html. [default: the problem's or file's name]"
        ),
    ] = None,
    opened: Annotated[
        bool,
        typer.Option("--open/--no-open", help="Open the page in the browser, if the command is run in a terminal."),
    ] = True,
) -> int:
    """Simulates a mechanism, writes a page with its animation and plots, and opens it in the browser.

    Examples: `grashof show andrews`, `grashof show crank.toml --t-end 5 -o crank.html --no-open`
    """
    page = out or Path(f"{Path(chosen.subject).stem if is_file(chosen.subject) else chosen.subject}.html")
    check_page("--out", page)
    status = None
    with Activity() as say:
        say("loading")
        from grashof.common.writing import write_atomically
        from grashof.simulation.simulate import simulate
        from grashof.view import motion_page

        case, model = chosen.case_and_model()
        end = duration(chosen.subject, case, t_end)
        if end is None:
            html = motion_page(model)
        else:
            run = simulate(model, end, tol=tolerance(tol), progress=say.progress)
            status = run.status
            if status.code is Code.INTERRUPTED:
                echo(str(status), err=True)
                return INTERRUPTED
            say("describing the motion")
            html = motion_page(run)
        say(f"writing {page}")
        page.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(page, html)
    if status is not None:
        echo(str(status), err=not status.ok)
    echo(f"wrote {page}")
    if opened and sys.stdout.isatty():
        import webbrowser

        webbrowser.open(page.resolve().as_uri())
    return 0 if status is None or status.ok else 1
