"""`grashof mobility`."""

from __future__ import annotations

from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, print_answer
from grashof.cli.options import Fit, Json


@about_a_mechanism
def mobility(chosen: Chosen, fit: Fit = None, as_json: Json = False) -> int:
    """Counts degrees of freedom, and reports which joint equations are redundant and why.

    Examples: `grashof mobility multiple-four-bar`, `grashof mobility crank.toml --json`
    """
    with Activity(quiet=as_json) as say:
        say("counting")
        from grashof.freedoms.mobility import mobility as count

        model = chosen.model()
        report = count(model, fit=fit)
    print_answer(report, as_json)
    return 0
