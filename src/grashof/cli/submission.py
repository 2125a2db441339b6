"""`grashof submission`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grashof.cli.console import Activity, echo
from grashof.cli.options import Settings, Tolerance, Variant, check_folder, settings


def submission(
    name: Annotated[str, typer.Argument(metavar="PROBLEM", help="A benchmark problem; `grashof list` shows them.")],
    out: Annotated[Path, typer.Option(help="Folder for the package.")],
    variant: Variant = None,
    given: Settings = None,
    tol: Tolerance = None,
    repeat: Annotated[int, typer.Option(min=1, help="Number of integrations; the CPU time is the best of them.")] = 10,
) -> int:
    """Solves a problem and writes a submission to the IFToMM library: results, accuracy, CPU time, machine and method.

    Example: `grashof submission andrews --out andrews-submission`
    """
    check_folder("--out", out)
    with Activity() as say:
        say("loading")
        from grashof.bench.submission import write_submission
        from grashof.judge.verdict import Compare, judge
        from grashof.problems import make_case

        case = make_case(name, variant, settings(given))
        outcome = judge(case, tol=tol, repeat=repeat, compare=Compare.NONE, progress=say.progress)
        say(f"writing to {out}")
        written, found = write_submission(outcome, out)
    for path in written:
        echo(f"wrote {path}")
    deviation = "" if found.deviation is None else f", deviation from the reference {found.deviation:.1e}"
    echo(f"Read back and judged: error {found.error:.3g} J, bound {case.bound:g} J{deviation}.")
    return 0 if found.passes else 1
