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

from campaign.judge import BAD, Fate, Verdict
from campaign.stops import by_kind
from campaign.suite import FRESH, Cases, Suite
from campaign.suites import SUITES
from campaign.table import by_family, by_method, by_suite, doubts, reasons, worst, wrongly
from campaign.work import run_all, run_seeds, try_all

WIDTH = 160
"""Width of the tables, in columns, if the output is not a terminal."""


def main(
    suite: Annotated[str, typer.Option(help=f"One of {', '.join(SUITES)}; all by default.")] = "all",
    mechanisms: Annotated[int | None, typer.Option(min=1, help="How many mechanisms of each suite.")] = None,
    first: Annotated[int, typer.Option(min=0, help="The number of the first mechanism.")] = 0,
    fresh: Annotated[bool, typer.Option(help=f"The fresh set: mechanisms from {FRESH} on.")] = False,
    family: Annotated[str | None, typer.Option(help="Only families whose name contains this.")] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="Repeat this run of a suite alone.")] = None,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; by default one per core.")] = None,
    show: Annotated[int, typer.Option(min=0, help="How many bad runs of each family to list.")] = 2,
    stops: Annotated[
        bool, typer.Option("--stops", help="Make the runs that stop again with other settings; show which help.")
    ] = False,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write every verdict to this file.")] = None,
) -> None:
    """Random runs where simulations go wrong, each judged independently."""
    os.environ["GRASHOF_CACHE"] = "off"  # these mechanisms will not be run again
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    if suite != "all" and suite not in SUITES:
        raise typer.BadParameter(f"There is no suite '{suite}'; choose one of {', '.join(SUITES)}.")
    if seed is not None:
        if suite == "all":
            raise typer.BadParameter("A seed belongs to one suite: give --suite, too.")
        raise typer.Exit(code=_repeat(console, suite, seed))
    chosen = list(SUITES.values()) if suite == "all" else [SUITES[suite]]
    begin = FRESH + first if fresh else first
    found = {
        each: _whole(console, each, range(begin, begin + (mechanisms or each.mechanisms)), family, workers, show)
        for each in chosen
    }
    console.print("\nAll that is counted\n", by_suite(found), highlight=False)
    for each, verdicts in found.items():
        if stops and isinstance(each, Cases):
            tried = list(try_all(each, verdicts, workers))
            console.print(f"\n{each.name}: stopped, and right with\n", by_kind(tried), highlight=False)
    if json_file is not None:
        plain = {each.name: [_plain(verdict) for verdict in verdicts] for each, verdicts in found.items()}
        json_file.write_text(json.dumps(plain, indent=1) + "\n")


def _repeat(console: Console, suite: str, seed: int) -> bool:
    """Repeats a single run; returns whether it is bad."""
    verdicts = run_seeds(suite, seed // SUITES[suite].runs, [seed])
    for verdict in verdicts:
        console.print(_plain(verdict))
    if not verdicts:
        console.print(f"Seed {seed}: this start cannot be judged, and is left out.")
    return any(verdict.outcome in BAD for verdict in verdicts)


def _whole(
    console: Console, suite: Suite, every: range, family: str | None, workers: int | None, show: int
) -> list[Verdict]:
    """Runs a suite and shows its results."""
    numbers = [m for m in every if family is None or family in suite.family_of(m)]
    verdicts: list[Verdict] = []
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("", total=len(numbers))
        for found in run_all(suite.name, numbers, workers):
            verdicts += found
            told = f"{suite.name}: {len(verdicts)} runs, {len(wrongly(suite, verdicts))} bad"
            progress.update(task, advance=1, description=told)
    verdicts.sort(key=lambda verdict: verdict.seed)
    console.print(f"\n{suite.name}\n", by_family(suite, verdicts), by_method(suite, verdicts), highlight=False)
    for line in [*reasons(verdicts), doubts(verdicts)]:
        if line:
            console.print(line, highlight=False)
    if wrongly(suite, verdicts):
        console.print("The worst, to be repeated with --seed:", worst(suite, verdicts, show), highlight=False)
    return verdicts


def _plain(verdict: Verdict) -> dict[str, Any]:
    """A verdict as plain data; NaN entries are left out."""
    items = dataclasses.asdict(verdict)
    items |= items.pop("task")
    return {key: x.value if isinstance(x, Fate) else x for key, x in items.items() if x == x and x is not None}


if __name__ == "__main__":
    typer.run(main)
