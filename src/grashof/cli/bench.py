"""`grashof bench`."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import TYPE_CHECKING, Annotated

import typer

from grashof.cli.console import Activity, console, echo, escape_text
from grashof.cli.options import positive

if TYPE_CHECKING:
    from rich.progress import Progress

    from grashof.common.progress import Part

StorePlace = Annotated[
    str | None,
    typer.Option(
        "--store",
        help="File of results, or the URL of a PostgreSQL database: postgresql://USER@HOST/NAME. "
        "[default: grashof/results.sqlite in the user's data folder]",
    ),
]


def bench(
    problems: Annotated[
        str | None,
        typer.Option(help="Problems, separated by commas, as NAME[:VARIANT][:PARAMETER=NUMBER]; all by default."),
    ] = None,
    engines: Annotated[
        str | None,
        typer.Option(help="Engines, separated by commas; an engine of your own as MODULE:NAME. All by default."),
    ] = None,
    store: StorePlace = None,
    limit_s: Annotated[float, typer.Option(help="CPU time in s after which an integration is aborted.")] = 60.0,
    rounds: Annotated[int, typer.Option(min=1, help="Number of processes for each final setting.")] = 3,
    again: Annotated[bool, typer.Option("--again", help="Repeat measurements that are already stored.")] = False,
) -> int:
    """Measures engines on the benchmark problems: CPU time needed to pass the rule, and at equal trajectory error.

    Each measurement runs in a new process with one thread and is stored immediately; repeat an interrupted command to
    continue it.

    Examples: `grashof bench`, `grashof bench --problems andrews,multiple-four-bar:all-rows --engines grashof,mujoco`
    """
    positive("--limit-s", limit_s)
    with Activity() as say:
        say("loading")
        from grashof.bench.contestants import check_name
        from grashof.bench.databases import name_of, place_of
        from grashof.bench.measure import MeasuringPlan, bench
        from grashof.bench.store import Store, default_store
        from grashof.bench.subject import subject
        from grashof.engines import ENGINES
        from grashof.problems import PROBLEMS

        plan = MeasuringPlan(
            subjects=[subject(text) for text in (problems.split(",") if problems else PROBLEMS)],
            engines=engines.split(",") if engines else tuple(ENGINES),
            limit_s=limit_s,
            rounds=rounds,
            again=again,
        )
        for name in plan.engines:
            check_name(name)
    place = place_of(store) if store else default_store()
    with Store(place) as results:
        with Measuring() as progress:
            machine = bench(plan, results, progress)
        from grashof.bench.sheets import factors, overview, remarks
        from grashof.bench.summary import curves

        found = [
            curve
            for curve in curves(results.measurements(machine=machine))
            if curve.subject in plan.subjects and curve.engine in plan.engines
        ]
        machines = results.machines()
    from grashof.cli.results import print_sheets

    print_sheets([*overview(found), *factors(found)], remarks(found, machines))
    console().print(f"Stored in {name_of(place)}; `grashof results` shows it again.")
    return 0


class Measuring:
    """Reports on standard error what is being measured: a progress bar on a terminal, otherwise one line per
    process."""

    def __init__(self) -> None:
        self._bar: Progress | None = None

    def __enter__(self) -> Measuring:
        if sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (BarColumn(), TimeRemainingColumn(), TextColumn("{task.description}", markup=False))
            # steps are few and of unequal length, so the speed is averaged over all of them
            self._bar = Progress(*columns, console=Console(stderr=True), transient=True, speed_estimate_period=3600.0)
            self._bar.add_task("")
            self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def __call__(self, part: Part) -> None:
        """Reports that another process starts."""
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], description=escape_text(part.doing), completed=part, total=1.0)
        else:
            echo(f"grashof: {part.doing}", err=True)
