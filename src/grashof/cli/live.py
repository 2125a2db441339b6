"""`grashof live`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, echo
from grashof.cli.options import Tolerance, check_folder, time_option, tolerance
from grashof.common.errors import ModelError


@about_a_mechanism
def live(
    chosen: Chosen,
    out: Annotated[Path, typer.Option("--out", "-o", help="File for the page, which ends in .html.")],
    tol: Tolerance = None,
    t_end: Annotated[
        float | None,
        time_option("--t-end", "The time of a run in s; the problem's own by default, and 10 s for a file."),
    ] = None,
    numbers: Annotated[
        list[str] | None,
        typer.Option(
            "--number", metavar="NAME", help="A number that can be changed in the page, such as crank.length."
        ),
    ] = None,
    observe: Annotated[
        list[str] | None,
        typer.Option("--show", metavar="QUANTITY", help="A quantity that the page plots, such as rod.end.x."),
    ] = None,
) -> int:
    """Writes an interactive page that simulates a mechanism: numbers can be changed, bodies dragged, and time reversed.

    The page is a single file that needs neither a network nor a server.

    Examples: `grashof live crank.toml -o crank.html`, `grashof live andrews -o andrews.html --number drive.torque`
    """
    if out.suffix.lower() not in (".html", ".htm"):
        raise ModelError(f"--out is {out}; name a file that ends in .html.")
    check_folder("--out", out.parent)
    with Activity() as say:
        say("loading")
        from grashof.common.writing import write_atomically
        from grashof.live import live_page

        case, model = chosen.case_and_model()
        end = case.t_end if case is not None and t_end is None else t_end
        say(f"compiling {model.name} for the page")
        page = live_page(model, end, numbers=numbers or None, observe=observe or None, tol=tolerance(tol))
        out.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(out, page)
    echo(f"Wrote {out}: open it in a browser.")
    return 0
