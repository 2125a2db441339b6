"""`grashof audit`."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, print_json, print_report
from grashof.cli.options import Json


@about_a_mechanism
def audit(
    chosen: Chosen,
    against: Annotated[
        str | None, typer.Option("--against", metavar="NAME|FILE", help="Another description of the same mechanism.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Lists contradictions in a description: angles that do not close the loops, points with the same name in different
    places, and differences from another description.

    Exit code 0: there are no contradictions. 1: there are some; each is listed with a way to resolve it.

    Examples: `grashof audit model.osim`, `grashof audit drawing.toml --against andrews`
    """
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.exchange.auditing import audit as look

        left_out: list[str] = []
        model = chosen.model(left_out)
        other = None if against is None else replace(chosen, subject=against, variant=None, given=None).model()
        say(f"comparing what {model.name} says")
        found = look(model, other)
    if as_json:
        print_json({"file": chosen.subject, "left_out": left_out, **found.as_dict()})
    else:
        for sentence in left_out:
            print_report(f"left out: {sentence}")
        print_report(str(found))
    return 1 if found.findings or found.problem else 0
