"""Shows what was measured: one table to read, one object to keep."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.table import Table

from benchmarks.measure import Entry, Result, ratio


def table(results: list[Result]) -> Table:
    """One section a contest, Grashof first."""
    shown = Table(title="Integration at the loosest tolerance that passes the rule (process CPU, one thread)")
    shown.add_column("problem")
    shown.add_column("program")
    for heading in ("tol", "CPU [ms]", "Grashof ÷ it", "evaluations", "error [J]", "bound [J]", "off reference"):
        shown.add_column(heading, justify="right")
    for heading in ("compile [s]", "assemble [s]", "output [ms]"):
        shown.add_column(heading, justify="right")
    for result in results:
        for k, entry in enumerate(result.entries):
            title = result.contest.title if k == 0 else ""
            shown.add_row(title, f"{entry.name} ({entry.about})", *_cells(result, entry))
        shown.add_section()
    return shown


def _cells(result: Result, entry: Entry) -> list[str]:
    chosen, engine, grashof = entry.chosen, result.engine, result.entries[0]
    if chosen is None or chosen.error is None:
        return ["", entry.missing]
    off = f"{max(entry.off.values()):.0e}" if entry.off else "–"
    cells = [
        f"{chosen.tol:.1e}",
        f"{1e3 * min(entry.best):.4f}",
        "" if entry is grashof or not grashof.best else _ratio(grashof, entry),
        str(chosen.evaluations),
        f"{chosen.error:.1e}",
        f"{result.bound:g}",
        off,
    ]
    if entry is grashof:
        cells += [f"{min(engine.compile_s):.2f}", f"{min(engine.assemble_s):.2f}", f"{1e3 * min(result.output_s):.2f}"]
    return cells


def _ratio(entry: Entry, other: Entry) -> str:
    found = ratio(entry, other)
    return f"{found.best:.2f} ({found.low:.2f}–{found.high:.2f})"


def raw(results: list[Result]) -> list[dict[str, Any]]:
    """Everything as plain data: every run of every ladder, every sample of every round."""
    return [
        {
            "title": result.contest.title,
            "problem": result.contest.problem,
            "variant": result.contest.variant,
            "parameters": dict(result.contest.parameters),
            "bound_J": result.bound,
            "reference": result.reference,
            "compile_s": result.engine.compile_s,
            "assemble_s": result.engine.assemble_s,
            "output_s": result.output_s,
            "entries": [_raw_entry(entry, result.entries[0]) for entry in result.entries],
        }
        for result in results
    ]


def _raw_entry(entry: Entry, grashof: Entry) -> dict[str, Any]:
    comparable = entry is not grashof and entry.cpu_s and grashof.cpu_s
    return {
        "name": entry.name,
        "about": entry.about,
        "missing": entry.missing,
        "chosen_tol": entry.chosen.tol if entry.chosen else None,
        "cpu_s": entry.cpu_s,
        "grashof_ratio": asdict(ratio(grashof, entry)) if comparable else None,
        "relative_error": entry.off,
        "ladder": [asdict(run) for run in entry.climb.runs] if entry.climb else [],
    }
