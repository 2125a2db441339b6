"""`grashof modes`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.console import Activity, echo, print_json, print_report
from grashof.cli.options import (
    AllowCode,
    Json,
    Picture,
    Settings,
    Strict,
    Subject,
    Variant,
    case_or_model,
    check_folder,
    check_picture,
)
from grashof.common.errors import ModelError
from grashof.common.wording import count_of


def modes(
    subject: Subject,
    variant: Variant = None,
    given: Settings = None,
    at: Annotated[
        str,
        typer.Option(
            help="State to linearise about: 'equilibrium' (into which it settles from its start), 'start', or a "
            "time of its motion in s."
        ),
    ] = "equilibrium",
    plot: Picture = None,
    animation: Annotated[
        Path | None,
        typer.Option("--animate", help="File for an animation of a mode: .html, .gif, .mp4 or .webm."),
    ] = None,
    chosen: Annotated[int, typer.Option("--mode", min=1, help="Number of the mode to animate.")] = 1,
    allow_code: AllowCode = False,
    strict: Strict = False,
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

        _, model = case_or_model(subject, variant, given, allow_code, strict)
        say(f"linearising {model.name}")
        found = linearise(model, at=_number_or_word(at))
        if animation is not None and chosen > len(found):
            raise ModelError(f"--mode is {chosen}, but the mechanism has {count_of(len(found), 'mode')}.")
        if plot is not None:
            found.plot(plot)
        if animation is not None:
            say(f"drawing to {animation}")
            found.animate(animation, chosen - 1, progress=say.progress)
    if as_json:
        print_json(found.as_dict())
        return 0
    print_report(str(found))
    for path in (plot, animation):
        if path is not None:
            echo(f"wrote {path}")
    return 0


def _number_or_word(text: str) -> str | float:
    try:
        return float(text)
    except ValueError:
        return text
