"""`grashof results`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from grashof.cli.bench import StorePlace
from grashof.cli.console import console, echo, print_json
from grashof.common.errors import ModelError

if TYPE_CHECKING:
    from grashof.bench.databases import Given
    from grashof.bench.sheets import Sheet
    from grashof.bench.store import Store
    from grashof.bench.summary import CostCurve

LARGEST = 128 * 2**20
"""The largest size of an export that is read, bytes."""


def results(
    problem: Annotated[str | None, typer.Option(help="This problem only.")] = None,
    engine: Annotated[str | None, typer.Option(help="This engine only.")] = None,
    machine: Annotated[str | None, typer.Option(help="This machine only: the beginning of its fingerprint.")] = None,
    compare: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="Compare two engines, or two machines.")
    ] = None,
    form: Annotated[Literal["text", "markdown", "json"], typer.Option("--format", help="Output format.")] = "text",
    export: Annotated[
        Path | None, typer.Option(help="Write everything, including raw samples, to this JSON file.")
    ] = None,
    imported: Annotated[
        Path | None, typer.Option("--import", help="First add the measurements in this JSON file.")
    ] = None,
    plot: Annotated[Path | None, typer.Option(help="Draw work-precision diagrams: .png, .svg or .pdf.")] = None,
    remove: Annotated[
        list[str] | None, typer.Option(metavar="ID", help="Remove a published result from the boards; repeatable.")
    ] = None,
    reason: Annotated[str, typer.Option(help="Why results are removed, for the record.")] = "",
    audit: Annotated[
        bool, typer.Option("--audit", help="What was published, withdrawn, removed and reproduced, and when.")
    ] = False,
    store: StorePlace = None,
) -> int:
    """Lists, filters and compares the measurements of `grashof bench`. Results from different machines are never mixed.

    The operator of a web app removes published results, and sees what was done with them.

    Examples: `grashof results --problem andrews --plot andrews.svg`, `grashof results --compare grashof mujoco`
    """
    from grashof.bench.sheets import as_data, factors, overview, remarks
    from grashof.bench.store import Store, default_store
    from grashof.bench.summary import curves
    from grashof.common.writing import read_at_most, write_atomically

    if remove or audit:
        return _moderate(store or default_store(), remove or [], reason, audit, form)
    content = None if imported is None else read_at_most(imported, LARGEST)  # before an empty store is created
    with Store(store or default_store(), create=content is not None) as file:
        if content is not None:
            count = file.imported(content, str(imported))
            echo(f"{imported}: {count} measurements added.", err=True)
        machines = file.machines()
        chosen = None if machine is None else _machine(machine, machines)
        found = [
            curve
            for curve in curves(file.measurements(machine=chosen, engine=engine))
            if problem is None or curve.subject.problem == problem
        ]
        if not found:
            raise ModelError(f"{file.name}: {_nothing(file, problem, engine)}")
        if export is not None:
            write_atomically(export, file.exported())
            echo(f"wrote {export}", err=True)
    if plot is not None:
        _plot(found, plot)
        echo(f"wrote {plot}", err=True)
    if compare is not None:
        sheets = [_comparison(found, *compare, machines)]
        data: dict[str, Any] = asdict(sheets[0])
        del data["keys"], data["blocks"]  # which are for terminals only
    else:
        sheets = [*overview(found), *factors(found)]
        data = as_data(found, machines)
    if form == "json":
        print_json(data)
    elif form == "markdown":
        echo("\n".join([*(sheet.markdown() for sheet in sheets), *(f"{x}\n" for x in remarks(found, machines))]))
    else:
        print_sheets(sheets, remarks(found, machines))
    return 0


def _moderate(place: Given, remove: Sequence[str], reason: str, audit: bool, form: str) -> int:
    """Removes published results, and shows the record."""
    import msgspec

    from grashof.bench.store import Store

    with Store(place, create=False) as file:
        for id in remove:
            if not file.remove(id, "removed", reason):
                raise ModelError(f"{file.name} has no published result '{id}'; its page has it in its address.")
            echo(f"removed {id}", err=True)
        records = file.audit() if audit else []
    if form == "json":
        print_json({"audit": [msgspec.to_builtins(record) for record in records]})
        return 0
    for record in records:
        entry = record.entry
        words = f"{record.made}  {record.action:<14}  {record.id}  {entry.subject.label}  {entry.tool}  {entry.author}"
        echo("  ".join([words.rstrip(), record.reason]).rstrip())
    return 0


def _nothing(file: Store, problem: str | None, engine: str | None) -> str:
    """Why nothing is shown, and what to do."""
    known = file.measurements()
    if not known:
        return "there are no results yet; run `grashof bench` to measure some."
    problems = dict.fromkeys(measurement.subject.problem for measurement in known)
    engines = dict.fromkeys(measurement.engine for measurement in known)
    wrong = [f"problem '{problem}'"] * (problem not in (None, *problems)) + [f"engine '{engine}'"] * (
        engine not in (None, *engines)
    )
    what = f"there are no results of {' or '.join(wrong)}" if wrong else "no result matches this selection"
    return f"{what}; there are those of {', '.join(problems)} by {', '.join(engines)}. `grashof bench` measures more."


def print_sheets(sheets: Sequence[Sheet], remarks: Sequence[str]) -> None:
    """Prints tables with their notes, then the remarks, on standard output."""
    out = console()
    for sheet in sheets:
        out.print(sheet.title, style="bold")
        for table in sheet.text(out.width):
            out.print(table)
            out.print()
        for note in sheet.notes:
            out.print(note)
        out.print()
    for remark in remarks:
        out.print(remark)


def _comparison(found: Sequence[CostCurve], a: str, b: str, machines: Mapping[str, Mapping[str, str]]) -> Sheet:
    """A comparison of two engines if there are engines with these names, otherwise of two machines."""
    from grashof.bench.sheets import comparison_of_engines, comparison_of_machines

    engines = {curve.engine for curve in found}
    if a in engines and b in engines:
        return comparison_of_engines(found, a, b)
    if {a, b} & engines:
        raise ModelError(f"--compare {a} {b}: there are results of {', '.join(sorted(engines))} only.")
    return comparison_of_machines(found, _machine(a, machines), _machine(b, machines), machines)


def _machine(beginning: str, machines: Mapping[str, Mapping[str, str]]) -> str:
    """The fingerprint with this beginning."""
    fitting = [name for name in machines if name.startswith(beginning)]
    if len(fitting) != 1:
        known = ", ".join(machines) or "none"
        raise ModelError(
            f"'{beginning}' is the beginning of {len(fitting)} machines' fingerprints, but must be that of "
            f"one; known are: {known}."
        )
    return fitting[0]


def _plot(found: Sequence[CostCurve], path: Path) -> None:
    """Work-precision diagrams, one for each machine and problem."""
    from grashof.judge import AGREES
    from grashof.show.files import save_figure
    from grashof.show.work_precision import Diagram, PlottedSeries, work_precision

    diagrams: dict[tuple[str, str], Diagram] = {}
    for curve in found:
        if curve.points:
            key = curve.machine, curve.subject.label
            title = f"{curve.subject.label}, machine {curve.machine}"
            diagram = diagrams.get(key) or Diagram(title, curve.subject.case().bound, AGREES, ())
            series = PlottedSeries(
                f"{curve.engine} {curve.version}",
                tuple(point.cpu_s for point in curve.points),
                tuple(point.judged.error for point in curve.points),
                tuple(point.judged.deviation for point in curve.points),
            )
            diagrams[key] = replace(diagram, series=(*diagram.series, series))
    if not diagrams:
        raise ModelError(f"{path}: no engine finished a run, so there is nothing to draw.")
    save_figure(work_precision(list(diagrams.values())), path)
