"""`grashof plot`."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from grashof.cli import INTERRUPTED
from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, echo
from grashof.cli.options import Tolerance, Units, check_folder, time_option, tolerance
from grashof.common.status import Code


class FilmFormat(StrEnum):
    """File formats of animations."""

    GIF = "gif"
    MP4 = "mp4"
    WEBM = "webm"


@about_a_mechanism
def plot(
    chosen: Chosen,
    out: Annotated[Path, typer.Option(help="Folder for the pictures.")],
    tol: Tolerance = None,
    t_end: Annotated[
        float | None,
        time_option("--t-end", "End time in s. It may be left out for problems and the gallery, which have their own."),
    ] = None,
    names: Annotated[
        list[str] | None,
        typer.Option("--show", metavar="QUANTITY", help="A quantity to plot, such as rod.end.x. May be repeated."),
    ] = None,
    x: Annotated[
        str, typer.Option("--against", metavar="QUANTITY", help="Plot against this quantity instead of time.")
    ] = "t",
    units: Units = "",
    animation: Annotated[bool, typer.Option("--animate", help="Write motion.html too.")] = False,
    film: Annotated[
        FilmFormat | None,
        typer.Option("--film", help="Write the motion as a GIF or video too; videos need grashof[video]."),
    ] = None,
) -> int:
    """Simulates a mechanism, draws it, and plots quantities over time.

    Examples: `grashof plot andrews --out out`, `grashof plot crank.toml --t-end 5 --show rod.end.x --animate --out
    out`, `grashof plot crank.toml --t-end "500 ms" --show rod.end.y --against crank.angle --units "mm, deg" --out
    out`, `grashof plot jansen --film mp4 --out out`
    """
    check_folder("--out", out)
    if film is not None:
        from grashof.show.animation import check_form

        check_form(out / f"motion.{film}")
    with Activity() as say:
        say("loading")
        from grashof.model.units import split_units
        from grashof.program import build
        from grashof.simulation.simulate import simulate

        split_units(units)
        case, model = chosen.case_and_model()
        end = chosen.end(case, t_end)
        program = build(model, progress=say.progress)
        times = 1001 if case is None else case.times(end)
        run = simulate(program, end, tol=tolerance(tol), times=times, progress=say.progress)
        if run.status.ok:
            from grashof.show.animation import animate
            from grashof.show.drawing import draw
            from grashof.show.files import save_figure
            from grashof.show.plots import figure_of
            from grashof.show.plots import plot as histories

            say(f"drawing to {out}")
            if case is not None and not (names or units or x != "t"):
                figures = {f"figure-{k}.png": figure_of(case, run, figure) for k, figure in enumerate(case.figures, 1)}
            else:
                figures = {"histories.png": histories(run, names or None, x=x, units=units)}
            figures["mechanism.png"] = draw(run)
            out.mkdir(parents=True, exist_ok=True)
            for name, figure in figures.items():
                save_figure(figure, out / name)
            films = ["motion.html"] * animation + ([] if film is None else [f"motion.{film}"])
            for name in films:
                animate(run, out / name, progress=say.progress)
            written = [*figures, *films]
    echo(str(run.status), err=not run.status.ok)
    if run.status.code is Code.INTERRUPTED:
        return INTERRUPTED
    if not run.status.ok:
        return 1
    for name in written:
        echo(f"wrote {out / name}")
    return 0
