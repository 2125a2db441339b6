"""`grashof state-space`."""

from __future__ import annotations

from typing import Annotated

import typer

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, print_answer
from grashof.cli.options import Json


@about_a_mechanism
def state_space(
    chosen: Chosen,
    inputs: Annotated[
        list[str], typer.Option("--input", metavar="NAME", help="A number of a force, such as drive.torque.")
    ],
    outputs: Annotated[
        list[str], typer.Option("--output", metavar="QUANTITY", help="A quantity, such as rod.end.x or rod.angle.")
    ],
    states: Annotated[
        list[str] | None,
        typer.Option("--state", metavar="MEASURE", help="A measure that is a state, one for each degree of freedom."),
    ] = None,
    as_json: Json = False,
) -> int:
    """Prints the matrices A, B, C and D of a mechanism, linearised about its equilibrium, for control design.

    Example: `grashof state-space crane.toml --input push.force.x --output rod.end.x --json`
    """
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.questions.state_space import state_space as linearise

        model = chosen.model()
        say(f"linearising {model.name}")
        found = linearise(model, inputs=inputs, outputs=outputs, states=states)
    print_answer(found, as_json)
    return 0
