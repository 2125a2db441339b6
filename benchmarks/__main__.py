"""`python -m benchmarks`: measures, prints one table, and keeps the raw data if asked to."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from benchmarks.contests import CONTESTS
from benchmarks.machine import facts
from benchmarks.measure import measure
from benchmarks.table import across, missing, raw, table

WIDTH = 170
"""Width of the table, in columns, if the output is not a terminal."""


def main(
    only: Annotated[list[str] | None, typer.Option(help="Problems whose title contains this; may be repeated.")] = None,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of timing.")] = 15,
    samples: Annotated[int, typer.Option(min=1, help="Integrations a round, the best of which counts.")] = 5,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write everything measured to this file.")] = None,
) -> None:
    """Times Grashof against programs written by hand in C, interleaved in one run."""
    os.environ["GRASHOF_CACHE"] = "off"  # compile times are those of a first run
    chosen = [contest for contest in CONTESTS if not only or any(word in contest.title for word in only)]
    if not chosen:
        titles = "; ".join(contest.title for contest in CONTESTS)
        raise typer.BadParameter(f"no problem has this in its title. There are: {titles}", param_hint="--only")
    machine = facts()
    quiet = Console(stderr=True)
    with quiet.status("") as status:
        results = measure(chosen, rounds, samples, lambda activity: status.update(activity))
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    console.print(table(results))
    for line in (*missing(results), *across(results)):
        console.print(line, highlight=False)
    console.print(", ".join(f"{key} {value}" for key, value in machine.items()), highlight=False)
    if json_file is not None:
        measured = {"machine": machine, "rounds": rounds, "samples": samples, "contests": raw(results)}
        json_file.write_text(json.dumps(measured, indent=1, allow_nan=False) + "\n")


if __name__ == "__main__":
    typer.run(main)
