"""`python -m campaign`: draws, runs and judges thousands of mechanisms, or repeats one run by its seed."""

from __future__ import annotations

import dataclasses
import json
import os
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress

from campaign.draw import RUNS, family_of
from campaign.judge import BAD, Outcome, Verdict
from campaign.table import by_family, by_method, reasons, worst, wrongly
from campaign.work import run_all, run_seeds

WIDTH = 150
"""Columns of the tables where there is no terminal to ask."""


def main(
    mechanisms: Annotated[int, typer.Option(min=1, help=f"How many mechanisms, {RUNS} runs each.")] = 280,
    first: Annotated[int, typer.Option(min=0, help="The number of the first mechanism.")] = 0,
    family: Annotated[str | None, typer.Option(help="Only families whose name contains this.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Repeat this run alone.")] = None,
    show: Annotated[int, typer.Option(min=0, help="How many bad runs of each family to list.")] = 2,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write every verdict to this file.")] = None,
) -> None:
    """Random runs through singular positions and redundant constraints, each judged independently."""
    os.environ["GRASHOF_CACHE"] = "off"  # these mechanisms will not be met again
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    if seed is not None:
        verdicts = run_seeds(seed // RUNS, [seed])
        for verdict in verdicts:
            console.print(_plain(verdict))
        if not verdicts:
            console.print(f"Seed {seed}: this start cannot be judged, and is left out.")
        raise typer.Exit(code=any(verdict.outcome in BAD for verdict in verdicts))
    numbers = [m for m in range(first, first + mechanisms) if family is None or family in family_of(m)]
    verdicts = []
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=len(numbers))
        for found in run_all(numbers):
            verdicts += found
            progress.update(task, advance=1, description=f"{len(verdicts)} runs, {len(wrongly(verdicts))} bad")
    verdicts.sort(key=lambda verdict: verdict.seed)
    console.print(by_family(verdicts), by_method(verdicts))
    for line in reasons(verdicts):
        console.print(line, highlight=False)
    bad = wrongly(verdicts)
    console.print(f"{len(verdicts)} runs, {len(bad)} bad where the motion is determined.", highlight=False)
    if bad:
        console.print("The worst, to be repeated with --seed:", worst(verdicts, show), highlight=False)
    if json_file is not None:
        json_file.write_text(json.dumps([_plain(verdict) for verdict in verdicts], indent=1) + "\n")


def _plain(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain data; what is not a number is left out."""
    items = dataclasses.asdict(verdict)
    items |= items.pop("task")
    return {key: x.value if isinstance(x, Outcome) else x for key, x in items.items() if x == x and x is not None}


if __name__ == "__main__":
    typer.run(main)
