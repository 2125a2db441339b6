"""`grashof run`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli import INTERRUPTED
from grashof.cli.console import Activity, echo, print_json
from grashof.cli.linearised import is_linear, run_linear
from grashof.cli.options import (
    JointsAlone,
    Json,
    Method,
    Settings,
    Step,
    Tolerance,
    Variant,
    check_folder,
    is_file,
    settings,
    time_option,
)
from grashof.common.errors import ModelError
from grashof.common.status import Code


def run(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A benchmark problem; `grashof list` shows them.")],
    variant: Variant = None,
    given: Settings = None,
    tol: Tolerance = None,
    method: Method = "auto",
    step: Step = None,
    joints_alone: JointsAlone = False,
    t_end: Annotated[float | None, time_option("--t-end", "End time in s; the problem's own by default.")] = None,
    repeat: Annotated[
        int, typer.Option(min=1, help="Number of integrations; the CPU time reported is that of the fastest.")
    ] = 1,
    compare: Annotated[
        str,
        typer.Option(
            help="Compare with the independent solution at the end, at all official times (may take seconds), or "
            "not: end, all or none."
        ),
    ] = "end",
    out: Annotated[
        Path | None, typer.Option(help="Folder for the official text file, the figures and run.json.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Runs a benchmark problem and judges the result by the problem's rule and against an independent solution.

    Examples: `grashof run andrews`, `grashof run n-four-bar --set N=40 --tol 1e-8 --out out`
    """
    if is_file(name):
        raise ModelError(f"{name} is a file, not a benchmark problem; run it with `grashof simulate {name} --t-end …`.")
    parameters = settings(given)
    if out is not None:
        check_folder("--out", out)
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.examples import gallery
        from grashof.judge.verdict import Compare, judge
        from grashof.problems import PROBLEMS, make_case, make_linear

        if is_linear(name, tol=tol, step=step, t_end=t_end):
            return run_linear(make_linear(name, variant, parameters), out, as_json, say)
        if name not in PROBLEMS and name in {entry.name for entry in gallery()}:
            raise ModelError(
                f"'{name}' is a mechanism of the gallery, not a benchmark problem; run it by `grashof simulate {name}`."
            )
        if compare not in {choice.value for choice in Compare}:
            raise ModelError(f"--compare is '{compare}'; it must be end, all or none.")
        outcome = judge(
            make_case(name, variant, parameters),
            tol=tol,
            method=method,
            step=step,
            relations=not joints_alone,
            t_end=t_end,
            repeat=repeat,
            compare=Compare(compare),
            progress=say.progress,
        )
        written = []
        if out is not None:
            from grashof.cli.outcome import write_outcome

            written = write_outcome(outcome, out, say)
    if as_json:
        print_json(outcome.as_dict())
    else:
        from grashof.cli.outcome import print_outcome

        print_outcome(outcome)
        for path in written:
            echo(f"wrote {path}")
    if outcome.run.status.code is Code.INTERRUPTED:
        return INTERRUPTED
    return 0 if outcome.passed else 1
