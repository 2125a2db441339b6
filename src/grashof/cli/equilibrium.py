"""`grashof equilibrium`."""

from __future__ import annotations

from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, print_answer
from grashof.cli.options import Json, Picture, check_picture


@about_a_mechanism
def equilibrium(
    chosen: Chosen,
    others: Annotated[int, typer.Option(min=0, help="Number of further searches, from random positions.")] = 0,
    plot: Picture = None,
    as_json: Json = False,
) -> int:
    """Finds a static equilibrium near the initial position, and whether it is stable.

    Examples: `grashof equilibrium crank.toml`, `grashof equilibrium crank.toml --others 20 --plot rest.png --json`
    """
    check_picture(plot)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.questions.equilibrium import equilibrium as find

        model = chosen.model()
        say(f"finding an equilibrium of {model.name}")
        found = find(model, others=others)
        if plot is not None:
            found.plot(plot)
    print_answer(found, as_json, plot)
    return 0
