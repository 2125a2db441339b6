"""`grashof linkage`."""

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


def linkage(
    subject: Subject,
    variant: Variant = None,
    given: Settings = None,
    plot: Picture = None,
    points: Annotated[
        list[str] | None, typer.Option("--show", metavar="POINT", help="A point whose curve is drawn, such as rod.P.")
    ] = None,
    allow_code: AllowCode = False,
    strict: Strict = False,
    as_json: Json = False,
) -> int:
    """Analyses a planar linkage: joint ranges, Grashof class, dead centres, transmission angles, assembly modes.

    Examples: `grashof linkage four-bar.toml`, `grashof linkage four-bar.toml --plot curves.png --show coupler.P`
    """
    check_picture(plot)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.questions.linkage import linkage as look

        _, model = case_or_model(subject, variant, given, allow_code, strict)
        say(f"following {model.name}")
        found = look(model)
        text, data = ("", found.as_dict()) if as_json else (str(found), {})
        if plot is not None:
            found.plot(plot, points or None)
    if as_json:
        print_json(data)
        return 0
    print_report(text)
    if plot is not None:
        echo(f"wrote {plot}")
    return 0
