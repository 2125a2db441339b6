"""`grashof equilibrium`."""

from __future__ import annotations

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
    check_picture,
)


def equilibrium(
    subject: Subject,
    variant: Variant = None,
    given: Settings = None,
    others: Annotated[int, typer.Option(min=0, help="Number of further searches, from random positions.")] = 0,
    plot: Picture = None,
    allow_code: AllowCode = False,
    strict: Strict = False,
    as_json: Json = False,
) -> int:
    """Finds a static equilibrium near the initial position, and whether it is stable.

    Examples: `grashof equilibrium crank.toml`, `grashof equilibrium crank.toml --others 20 --plot rest.png --json`
    """
    check_picture(plot)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.questions.equilibrium import equilibrium as find

        _, model = case_or_model(subject, variant, given, allow_code, strict)
        say(f"finding an equilibrium of {model.name}")
        found = find(model, others=others)
        if plot is not None:
            found.plot(plot)
    if as_json:
        print_json(found.as_dict())
        return 0
    print_report(str(found))
    if plot is not None:
        echo(f"wrote {plot}")
    return 0
