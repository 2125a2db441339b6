"""`grashof modes`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, print_answer
from grashof.cli.options import Json, Picture, check_folder, check_picture
from grashof.common.errors import ModelError
from grashof.common.wording import count_of


@about_a_mechanism
def modes(
    chosen: Chosen,
    at: Annotated[
        str,
        typer.Option(
            help="State to linearise about: 'equilibrium' (into which it settles from its start), 'start', or a "
            "time of its motion in s."
        ),
    ] = "equilibrium",
    plot: Picture = None,
    animation: Annotated[
        Path | None, typer.Option("--animate", help="File for an animation of a mode: .html, .gif, .mp4 or .webm.")
    ] = None,
    number: Annotated[int, typer.Option("--mode", min=1, help="Number of the mode to animate.")] = 1,
    as_json: Json = False,
) -> int:
    """Linearises the motion and computes eigenvalues, natural frequencies, damping and mode shapes.

    Examples: `grashof modes crank.toml`, `grashof modes crank.toml --plot shapes.png --animate second.gif --mode 2`
    """
    check_picture(plot)
    if animation is not None:
        check_folder("--animate", animation.absolute().parent)
        from grashof.show.animation import check_animation

        check_animation(animation)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.questions.modes import modes as linearise

        model = chosen.model()
        say(f"linearising {model.name}")
        found = linearise(model, at=_number_or_word(at))
        if animation is not None and number > len(found):
            raise ModelError(f"--mode is {number}, but the mechanism has {count_of(len(found), 'mode')}.")
        if plot is not None:
            found.plot(plot)
        if animation is not None:
            say(f"drawing to {animation}")
            found.animate(animation, number - 1, progress=say.progress)
    print_answer(found, as_json, plot, animation)
    return 0


def _number_or_word(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text
