"""`grashof demo`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli import INTERRUPTED
from grashof.cli.console import Activity, console
from grashof.cli.options import Method, Step, check_folder
from grashof.status import Code
from grashof.wording import seconds


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the results, one folder a problem.")] = Path("out"),
    method: Method = "auto",
    step: Step = None,
) -> int:
    """Runs all benchmark problems, judges them, and writes texts and figures."""
    check_folder("--out", out)
    with Activity() as say:
        say("loading")
        from grashof.cli.outcome import colored_verdict, write_outcome
        from grashof.problems import PROBLEMS, make_case
        from grashof.verdict import Compare, judge

        outcomes = []
        for name in PROBLEMS:
            outcomes.append(
                judge(make_case(name), method=method, step=step, repeat=5, compare=Compare.ALL, progress=say.progress)
            )
            write_outcome(outcomes[-1], out / name, say)
            if outcomes[-1].run.status.code is Code.INTERRUPTED:
                break
    from rich.table import Table

    table = Table(title="Benchmark problems, at default settings")
    for heading in ("problem", "error", "bound", "verdict", "deviation from the reference", "CPU time", "compiling"):
        table.add_column(heading)
    for outcome in outcomes:
        agreement = outcome.agreement
        table.add_row(
            f"{outcome.case.problem} ({outcome.case.variant})",
            "none" if outcome.error is None else f"{outcome.error:.2g} J",
            f"{outcome.case.bound:g} J",
            colored_verdict(outcome),
            "none" if agreement is None else f"{agreement.deviation:.1e}",
            seconds(outcome.cpu_s),
            seconds(outcome.compile_s),
        )
    console().print(table)
    console().print(
        "error: by each problem's own definition, at its official times and at every step; deviation: the largest of its "
        "final quantities over all official times, relative; CPU time: of the integration, best of 5"
    )
    console().print(f"Texts, figures and numbers are in {out}/.")
    if outcomes[-1].run.status.code is Code.INTERRUPTED:
        return INTERRUPTED
    return 0 if all(outcome.passed for outcome in outcomes) else 1
