"""`grashof lab`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, print_answer
from grashof.cli.options import Json, Picture, check_picture, positive, time_option
from grashof.common.errors import ModelError

if TYPE_CHECKING:
    from grashof.lab import Member


@about_a_mechanism
def lab(
    chosen: Chosen,
    formulations: Annotated[
        str | None,
        typer.Option(
            metavar="NAME,NAME",
            help="Formulations, separated by commas; one of your own as MODULE:CLASS. All that need no further package "
            "by default.",
        ),
    ] = None,
    t_end: Annotated[
        float | None,
        time_option("--t-end", "End time in s; the problem's own or the gallery's by default, needed for a file."),
    ] = None,
    steps: Annotated[
        str | None, typer.Option(metavar="H,H", help="Steps in s, from long to short, instead of the usual five.")
    ] = None,
    tolerances: Annotated[
        str | None, typer.Option(metavar="TOL,TOL", help="Tolerances of formulations that choose their steps.")
    ] = None,
    limit: Annotated[float, typer.Option("--limit", help="CPU time in s that a run may take.")] = 20.0,
    plot: Picture = None,
    as_json: Json = False,
) -> int:
    """Runs a mechanism under other formulations (Baumgarte, generalised-α, GGL, …), all compared with one reference.

    Examples: `grashof lab bricard-mechanism --t-end 1`, `grashof lab four-bar.toml --t-end 2 --plot lab.png`
    """
    check_picture(plot)
    positive("--limit", limit)
    given = {"step": _numbers("--steps", steps), "tolerance": _numbers("--tolerances", tolerances)}
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.lab import compare

        case, model = chosen.case_and_model()
        found = compare(
            model if case is None else case,
            chosen.end(case, t_end),
            formulations=None if formulations is None else [_named(name) for name in formulations.split(",")],
            settings={name: numbers for name, numbers in given.items() if numbers},
            limit_s=limit,
            progress=say.progress,
        )
        if plot is not None:
            found.plot(plot)
    print_answer(found, as_json, plot)
    return 0


def _named(name: str) -> str | Member:
    """A name of the laboratory, or the class of one's own that MODULE:CLASS names, with its default parameters."""
    if ":" not in name:
        return name
    from grashof.common.loading import load
    from grashof.lab import Member

    found = load("Formulation", name)
    if not (isinstance(found, type) and issubclass(found, Member)):
        raise ModelError(f"Formulation '{name}' is no class that derives from grashof.lab.Formulation.")
    return found()


def _numbers(option: str, text: str | None) -> list[float]:
    """Positive numbers with commas between them."""
    try:
        found = [float(part) for part in text.split(",")] if text else []
    except ValueError:
        raise ModelError(f"{option} is '{text}'; write numbers with commas between them, such as 0.01,0.005.") from None
    for number in found:
        positive(option, number)
    return found
