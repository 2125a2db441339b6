"""`grashof linkage`."""

from __future__ import annotations

from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, print_answer
from grashof.cli.options import Json, Picture, check_picture


@about_a_mechanism
def linkage(
    chosen: Chosen,
    plot: Picture = None,
    points: Annotated[
        list[str] | None, typer.Option("--show", metavar="POINT", help="A point whose curve is drawn, such as rod.P.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Analyses a planar linkage: joint ranges, Grashof class, dead centres, transmission angles, assembly modes.

    Examples: `grashof linkage four-bar.toml`, `grashof linkage four-bar.toml --plot curves.png --show coupler.P`
    """
    check_picture(plot)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.questions.linkage import linkage as look

        model = chosen.model()
        say(f"following {model.name}")
        found = look(model)
        str(found)  # the rest is computed on demand, and kept
        if plot is not None:
            found.plot(plot, points or None)
    print_answer(found, as_json, plot)
    return 0
