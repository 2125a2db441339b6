"""`grashof sweep`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from grashof.cli import INTERRUPTED
from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, echo, print_facts, print_json
from grashof.cli.options import Json, Method, Picture, Tolerance, check_picture, time_option, tolerance
from grashof.common.errors import finite

if TYPE_CHECKING:
    from grashof.sweeps.table import Sweep


@about_a_mechanism
def sweep(
    chosen: Chosen,
    vary: Annotated[
        list[str],
        typer.Option(
            metavar="NUMBER=VALUES",
            help="A number by its path, with START:STOP:COUNT or VALUE,VALUE,… (grid, zip), LOWER:UPPER (sobol) or "
            "MEAN±DEVIATION (normal); `grashof numbers` lists the paths.",
        ),
    ],
    outputs: Annotated[
        list[str],
        typer.Option(
            "--output",
            metavar="OUTPUT",
            help="What to keep of each run, such as 'max rod.end.y', 'crank.angle at end', 'trajectory crank.angle' "
            "or 'error'.",
        ),
    ],
    t_end: Annotated[
        float | None,
        time_option("--t-end", "End of each run in s, or with a unit; benchmark problems have their own.", signed=True),
    ] = None,
    sample: Annotated[str, typer.Option(help="How rows are chosen: grid, zip, sobol or normal.")] = "grid",
    count: Annotated[int | None, typer.Option(help="Number of rows (sobol, normal).")] = None,
    seed: Annotated[int, typer.Option(help="Seed of the random rows (sobol, normal).")] = 0,
    times: Annotated[int, typer.Option(help="Number of evenly spaced output times of trajectories.")] = 101,
    samples: Annotated[
        int | None,
        typer.Option(help="Has no effect any more: extremes and means are found from all steps.", hidden=True),
    ] = None,
    tol: Tolerance = None,
    method: Method = "auto",
    engine: Annotated[str, typer.Option(help="What makes the runs: auto, compiled or one by one.")] = "auto",
    check_error: Annotated[
        bool, typer.Option("--check-error/--no-check-error", help="Estimate the error of each run by a second one.")
    ] = True,
    workers: Annotated[int, typer.Option(help="Number of threads or processes.")] = 1,
    executor: Annotated[
        str | None, typer.Option(help="serial, threads, processes or dask; chosen by --workers by default.")
    ] = None,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Address of a Dask scheduler, such as tcp://host:8786.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            "--out",
            "-o",
            help="File for the table: .parquet, which an interrupted command resumes when it is repeated, or .csv.",
        ),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume/--no-resume", help="Resume an interrupted sweep.")] = True,
    plot: Picture = None,
    kind: Annotated[
        str | None, typer.Option(help="Kind of picture: scatter, histogram, parallel, heatmap or fan.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Simulates a mechanism for many values of its numbers, and collects the outputs in a table.

    Examples: `grashof sweep crank.toml --vary crank.length=0.05:0.1:50 --output "max rod.end.x" --t-end 2 -o
    table.parquet`, `grashof sweep andrews --vary drive.torque=0.033±0.001 --sample normal --count 1000 --output error
    --output "OF.F.x at end"`
    """
    check_picture(plot)
    try:
        with Activity(quiet=as_json) as say:
            say("loading")
            from grashof.sweeps.pictures import check_kind
            from grashof.sweeps.run import sweep as run
            from grashof.sweeps.texts import vary_from_texts

            if kind is not None:
                check_kind(kind)
            case, model = chosen.case_and_model()
            table = run(
                model if case is None else case,
                vary_from_texts(model, vary, sample),
                t_end,
                outputs=outputs,
                sample=sample,
                count=count,
                seed=seed,
                times=times,
                samples=samples,
                tol=tolerance(tol),
                method=method,
                engine=engine,
                check_error=check_error,
                executor="dask" if executor is None and scheduler is not None else executor,
                workers=workers,
                scheduler=scheduler,
                file=out,
                resume=resume,
                progress=say.progress,
            )
            facts = _facts(table)
            if plot is not None:
                say(f"drawing {plot}")
                table.plot(kind, path=plot)
    except KeyboardInterrupt:
        if out is None or out.suffix.lower() != ".parquet":
            raise
        echo("Interrupted. Repeat the command to compute the missing rows.", err=True)
        return INTERRUPTED
    if as_json:
        print_json(facts)
    else:
        _print(table, facts)
        for path in (out, plot):
            if path is not None:
                echo(f"wrote {path}")
    return 0 if facts["rows_with_values"] else 1


def _facts(table: Sweep) -> dict[str, Any]:
    """A summary of the table."""
    outputs = {}
    for name in table.outputs:
        low, mean, high = table.range(name)
        outputs[name] = {
            "unit": table.unit(name),
            "min": finite(low),
            "mean": finite(mean),
            "max": finite(high),
            "sampling_error": table.about.estimates.get(name),
        }
    return {
        "mechanism": table.about.facts["mechanism"],
        "rows": len(table),
        "rows_with_values": int(table.ok.sum()),
        "status": table.counts,
        "engine": table.about.facts["engine"],
        "numbers": {name: table.unit(name) for name in table.numbers},
        "outputs": outputs,
    }


def _print(table: Sweep, facts: dict[str, Any]) -> None:
    about = table.about.facts
    engine = " ".join(filter(None, [f"{about['engine']}.", about["engine, remark"]]))
    lines = [("mechanism", facts["mechanism"]), ("rows", f"{len(table):,}: {table.summary}"), ("engine", engine)]
    for name, found in facts["outputs"].items():
        if found["mean"] is None:
            lines.append((name, "no values"))
            continue
        text = "from {min:.6g} to {max:.6g} {unit}, mean {mean:.6g}".format(**found)
        if found["sampling_error"]:
            text += f"; estimated error at most {found['sampling_error']:.1e}"
        lines.append((name, text))
    print_facts(lines)
