"""`grashof simulate`."""

from __future__ import annotations

import json
import math
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec.structs import replace

from grashof.cli import INTERRUPTED
from grashof.cli.chosen import Chosen, about_a_mechanism
from grashof.cli.console import Activity, echo, print_facts, print_json
from grashof.cli.options import (
    Fit,
    JointsAlone,
    Json,
    Method,
    Step,
    Tolerance,
    Units,
    check_folder,
    duration,
    is_file,
    time_option,
    tolerance,
)
from grashof.common.errors import ModelError, finite
from grashof.common.status import Code
from grashof.common.wording import seconds

if TYPE_CHECKING:
    from grashof.motion.trajectory import Trajectory

_SHOWN = 12


@about_a_mechanism
def simulate(
    chosen: Chosen,
    t_end: Annotated[
        float | None,
        time_option(
            "--t-end",
            "End time in s. It may be left out for problems and the gallery, which have their own, and with --until.",
            signed=True,
        ),
    ] = None,
    tol: Tolerance = None,
    method: Method = "auto",
    step: Step = None,
    max_step: Annotated[float | None, time_option("--max-step", "The longest step allowed, in s.")] = None,
    check_error: Annotated[
        bool,
        typer.Option(
            "--check-error/--no-check-error",
            help="Estimate the error over the whole run by a second run, and tighten the steps until it is within "
            "the tolerance.",
        ),
    ] = True,
    until: Annotated[
        str | None, typer.Option(help="End the run where this condition becomes true, such as 'rod.end.y < 0'.")
    ] = None,
    joints_alone: JointsAlone = False,
    formulation: Annotated[
        str,
        typer.Option(help="Coordinates in which the motion is computed: natural, relative, or auto, the faster ones."),
    ] = "auto",
    fit: Fit = None,
    times: Annotated[int, typer.Option(min=2, help="Number of evenly spaced output times.")] = 1001,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Where to write the result: a table (.csv, .xlsx, .parquet, .txt or .sto), or a folder for a table, "
            "pictures and run.json."
        ),
    ] = None,
    units: Units = "",
    as_json: Json = False,
) -> int:
    """Simulates a mechanism from a file or from the gallery.

    Examples: `grashof simulate jansen --out results`, `grashof simulate crank.toml --t-end 10 --set crank.length=0.2
    --out crank.csv`, `grashof simulate crank.toml --until "crank.angle > 6*pi"`
    """
    if t_end is None and until is None and is_file(chosen.subject):
        raise ModelError("The run has no end: give --t-end, or a condition by --until.")
    if t_end is not None and not math.isfinite(t_end):
        raise ModelError(f"--t-end is {t_end}; it must be a finite number.")
    began = process_time()
    with Activity(quiet=as_json) as say:
        say("loading")
        from grashof.model.units import split_units
        from grashof.program import build
        from grashof.simulation.simulate import simulate as integrate
        from grashof.simulation.task import ending

        split_units(units)
        if out is not None:
            _check(out)
        left_out: list[str] = []
        case, model = chosen.case_and_model(left_out)
        if until is None:
            t_end = duration(chosen.subject, case, t_end)
        if until is not None:
            model = replace(model, events=(*model.events, ending(until, model)))
        program = build(model, relations=not joints_alone, formulation=formulation, fit=fit, progress=say.progress)
        run = integrate(
            program,
            t_end,
            tol=tolerance(tol),
            times=times,
            method=method,
            step=step,
            max_step=max_step,
            check_error=check_error,
            progress=say.progress,
        )
        run.cpu_s = process_time() - began
        end = run.steps.status.end if t_end is None else t_end
        facts: dict[str, Any] = {"file": chosen.subject, "left_out": left_out, "set": chosen.given or []}
        facts |= _facts(run, end, tolerance(tol))
        written = [] if out is None else _write(run, out, facts, units, say)
    if as_json:
        print_json(facts)
    else:
        _print(run, facts, units)
        for path in written:
            echo(f"wrote {path}")
    if run.status.code is Code.INTERRUPTED:
        return INTERRUPTED
    return 0 if run.status.ok else 1


def _facts(run: Trajectory, t_end: float, tol: float) -> dict[str, Any]:
    """The run as plain data; an incomplete run has no values called final."""
    counters, whole = run.steps.counters, run.status.ok
    points = [name for name in run.names if name.rpartition(".")[2] in ("x", "y", "z")]
    final = ["t", *points, *(name for name in run.program.model.all_measures if name not in run.undefined)]

    def end(name: str) -> float | None:
        return finite(run[name][-1]) if whole else None

    def largest(name: str) -> float | None:
        return finite(abs(run[name]).max()) if whole else None

    return {
        "name": run.program.model.name,
        "t_end": t_end,
        "tol": tol,
        "method": run.method.as_dict(),
        "status": run.status.code.name.lower(),
        "ended": run.status.ended.name.lower(),
        "doubt": run.status.doubt.name.lower() if run.status.doubt else None,
        "message": str(run.status),
        "t_reached": run.status.time,
        "energy_start": finite(run["energy"][0]),
        "energy_end": end("energy"),
        "works": {name.removeprefix("work."): end(name) for name in run.names if name.startswith("work.")},
        "balance_max_J": largest("balance"),
        "error_estimate": None if run.error is None else finite(run.error),
        "violation_max": {level: largest(f"violation.{level}") for level in ("position", "velocity")},
        "cpu_s": run.steps.cpu_s,
        "cpu_total_s": run.cpu_s,
        "from_cache": run.program.from_cache,
        "output_s": run.output_s,
        "compile_s": run.program.compile_s + run.steps.compile_s,
        "assemble_s": run.program.assemble_s,
        "coordinates": run.program.system.n,
        "equations": run.program.system.m,
        "relations": len(run.program.relations),
        "formulation": run.program.chosen,
        "steps": counters.steps,
        "rejected": counters.rejected,
        "evaluations": counters.evaluations,
        "events": [{"name": x.name, "t": x.time, "rising": x.rising, "error": x.error} for x in run.events],
        "crossings": [[x.begin, x.end] for x in run.steps.crossings],
        "final": {name: end(name) for name in final},
        "undefined": run.undefined,
    }


def _print(run: Trajectory, facts: dict[str, Any], units: str) -> None:
    from grashof.model.describing import motors_in_words
    from grashof.reports.words import branch_in_words, work_in_words

    lines = [
        *(("left out" if k == 0 else "", sentence) for k, sentence in enumerate(facts["left_out"])),
        ("mechanism", f"{facts['name']}: {facts['t_end']:g} s at tolerance {facts['tol']:g}"),
        *([("set", ", ".join(facts["set"]))] if facts["set"] else []),
        *(("motor", f"'{name}' {what}") for name, what in motors_in_words(run.program.model, holding=True)),
        ("assembly", str(run.assembly).partition("\n")[0]),
        ("status", facts["message"]),
    ]
    if run.status.ok:
        works = "".join(f", work of '{name}' {work:.6g} J" for name, work in facts["works"].items())
        lines += [
            ("energy", f"{facts['energy_start']:.6g} J at the start, {facts['energy_end']:.6g} J at the end{works}"),
            ("error", _error_in_words(facts["error_estimate"])),
            ("balance", f"energy-balance error {facts['balance_max_J']:.3g} J at most"),
            ("violation", "{position:.1e} m, {velocity:.1e} m/s at most".format(**facts["violation_max"])),
        ]
    lines += [
        ("events" if k == 0 else "", f"{x.name} at t = {x.time:.9g} s") for k, x in enumerate(run.events[:_SHOWN])
    ]
    if len(run.events) > _SHOWN:
        lines.append(("", f"and {len(run.events) - _SHOWN} more: --json gives them all"))
    lines += [
        ("branch", branch_in_words(run.program)),
        ("method", str(run.method)),
        ("CPU time", cpu_in_words(facts["cpu_s"], facts["cpu_total_s"], facts["from_cache"])),
        ("work", work_in_words(run.steps)),
    ]
    if run.status.ok:
        final, shown = [name for name in facts["final"] if name != "t"], run.in_units(units)
        lines += [
            ("final" if k == 0 else "", f"{name} = {shown[name][-1]:.12g} {shown.unit(name)}")
            for k, name in enumerate(final[:_SHOWN])
        ]
        if len(final) > _SHOWN:
            lines.append(("", f"and {len(final) - _SHOWN} more: --json or --out give them all"))
        lines += [("not defined", sentence) for sentence in run.undefined.values()]
    print_facts(lines)


def cpu_in_words(integration: float, total: float | None, from_cache: bool) -> str:
    """The CPU time of a run, and whether its machine code had to be compiled first."""
    code = "machine code from the cache" if from_cache else "machine code compiled"
    whole = "" if total is None else f"; {seconds(total)} in all, imports and checks included"
    return f"{seconds(integration)} integration{whole} ({code})"


def _error_in_words(estimate: float | None) -> str:
    if estimate is None:
        return "not estimated over the whole run"
    return f"about {estimate:.1e} over the whole run, relative to the mechanism's length, speed and energy"


def _is_table(out: Path) -> bool:
    """Whether --out names a table; the name of a folder has no suffix of letters, unless the folder exists already."""
    return out.suffix[1:2].isalpha() and not out.is_dir()


def _check(out: Path) -> None:
    """Refuses an output that cannot be written, before anything is computed."""
    if _is_table(out):
        from grashof.show.tables import check_table

        check_table(out)
    check_folder("--out", out.parent if _is_table(out) else out)


def _write(run: Trajectory, out: Path, facts: dict[str, Any], units: str, say: Activity) -> list[Path]:
    """Writes a table, or a folder with a table, pictures and `run.json`; `partial` marks an incomplete run."""
    from grashof.common.writing import write_atomically
    from grashof.show.tables import save_table

    say(f"writing to {out}")
    mark = "" if run.status.ok else ".partial"
    if _is_table(out):
        out.parent.mkdir(parents=True, exist_ok=True)
        table = out.with_name(f"{out.stem}{mark}{out.suffix}")
        save_table(run.in_units(units), table)
        return [table]
    out.mkdir(parents=True, exist_ok=True)
    written = [out / f"trajectory{mark}.csv", out / f"run{mark}.json"]
    save_table(run.in_units(units), written[0])
    if run.status.ok:
        from grashof.show.drawing import draw
        from grashof.show.files import save_figure
        from grashof.show.plots import plot

        written += [out / "histories.png", out / "mechanism.png"]
        plot(run, path=written[2], units=units)
        save_figure(draw(run), written[3])
    write_atomically(written[1], json.dumps(facts, ensure_ascii=False, indent=2, allow_nan=False) + "\n")
    return written
