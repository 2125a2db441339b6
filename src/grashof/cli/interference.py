"""`grashof interference`."""

from __future__ import annotations

from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, print_answer
from grashof.cli.options import (
    Json,
    Outlines,
    Picture,
    Tolerance,
    Width,
    check_picture,
    outlines_given,
    time_option,
    tolerance,
)
from grashof.common.errors import ModelError


@about_a_mechanism
def interference(
    chosen: Chosen,
    t_end: Annotated[
        float | None, time_option("--t-end", "End time in s; problems and the gallery have their own.")
    ] = None,
    width: Width = None,
    outlines: Outlines = None,
    pairs: Annotated[
        list[str] | None,
        typer.Option(
            "--pair", metavar="BODY,BODY", help="Two bodies to compare; by default all that nothing connects."
        ),
    ] = None,
    tol: Tolerance = None,
    plot: Picture = None,
    as_json: Json = False,
) -> int:
    """Finds which bodies of a planar mechanism overlap along its motion, when and how deep, and the clearances.

    Without masses, the motion is that of the motors. Exit code 1 if bodies overlap.

    Examples: `grashof interference jansen --width "40 mm"`, `grashof interference crank.toml --t-end 2 --outline
    "crank=30 mm" --outline "ground=0.5 -0.1, 0.6 -0.1, 0.6 0.1" --plot overlap.png`
    """
    check_picture(plot)
    shapes, chosen_pairs = outlines_given(outlines), [_bodies(text) for text in pairs or ()]
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.model.masses import is_massless
        from grashof.questions.interference import interference as find
        from grashof.questions.kinematics import kinematics
        from grashof.simulation.simulate import simulate

        case, model = chosen.case_and_model()
        end = chosen.end(case, t_end)
        say(f"compiling {model.name}")
        run = (
            kinematics(model, end, progress=say.progress)
            if is_massless(model)
            else simulate(model, end, tol=tolerance(tol), progress=say.progress)
        )
        say("comparing bodies")
        found = find(run, shapes, width=width, pairs=chosen_pairs or None)
        if plot is not None:
            found.plot(plot)
    print_answer(found, as_json, plot)
    return 1 if found.overlaps or not run.status.ok else 0


def _bodies(text: str) -> tuple[str, str]:
    first, comma, second = (part.strip() for part in text.partition(","))
    if not (comma and first and second):
        raise ModelError(f"--pair is '{text}'; write two bodies with a comma, such as crank,rocker.")
    return first, second
