"""`grashof demo`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from grashof.cli import INTERRUPTED
from grashof.cli.console import Activity, console, echo
from grashof.cli.linearised import print_linear_outcomes, write_linear
from grashof.cli.options import Method, Step, check_folder
from grashof.common.status import Code
from grashof.common.wording import seconds

if TYPE_CHECKING:
    from grashof.judge.verdict import VerdictOutcome


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the results, with one folder per problem.")] = Path("out"),
    method: Method = "auto",
    step: Step = None,
) -> int:
    """Runs all benchmark problems, judges them, and writes result files and figures."""
    check_folder("--out", out)
    with Activity() as say:
        say("loading")
        from grashof.cli.outcome import write_outcome
        from grashof.judge.linear import LinearOutcome, judge_linear
        from grashof.judge.verdict import Compare, VerdictOutcome, judge
        from grashof.problems import LINEAR, PROBLEMS, make_case, make_linear

        outcomes, linear = list[VerdictOutcome](), list[LinearOutcome]()
        for name in PROBLEMS:
            outcomes.append(
                judge(make_case(name), method=method, step=step, repeat=5, compare=Compare.ALL, progress=say.progress)
            )
            write_outcome(outcomes[-1], out / name, say)
            if outcomes[-1].run.status.code is Code.INTERRUPTED:
                break
        else:
            for name in LINEAR:
                say(f"linearising {name}")
                linear.append(judge_linear(make_linear(name)))
                write_linear(linear[-1], out / name, say)
    print_outcomes(outcomes)
    if linear:
        print_linear_outcomes(linear)
    echo(f"Result files and figures are in {out}/.")
    if outcomes[-1].run.status.code is Code.INTERRUPTED:
        return INTERRUPTED
    return 0 if all(x.passed for x in outcomes) and all(x.passed for x in linear) else 1


def print_outcomes(outcomes: Sequence[VerdictOutcome]) -> None:
    """The table of all problems, and what its columns mean."""
    from rich.box import SIMPLE
    from rich.table import Table

    from grashof.cli.outcome import colored_verdict

    table = Table(box=SIMPLE, show_edge=False, padding=(0, 1, 0, 0))
    for heading in ("problem", "error [J]", "bound", "verdict", "deviation", "CPU time", "compile"):
        table.add_column(heading, no_wrap=heading != "verdict")
    for outcome in outcomes:
        agreement = outcome.agreement
        table.add_row(
            outcome.case.problem,
            "none" if outcome.error is None else f"{outcome.error:.2g}",
            f"{outcome.case.bound:.3g}",
            colored_verdict(outcome),
            "none" if agreement is None else f"{agreement.deviation:.1e}",
            seconds(outcome.cpu_s),
            seconds(outcome.compile_s),
        )
    screen = console()
    screen.print("Benchmark problems, at default settings", style="bold")
    screen.print(table)
    screen.print(
        "\nError: as each problem defines it, the largest value at its official times and at every step. "
        "Deviation: the largest "
        "difference of a final quantity from the independent solution at all official times, relative to the "
        "quantity's largest "
        "magnitude. CPU time: integration only, best of 5."
    )
