"""Presents the measurements: one table to read, one object to store."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from rich.table import Table

from benchmarks.measure import ContestResult, Entry, ratio

HEADINGS = (
    "tol",
    "CPU, ms",
    "Grashof ÷ it",
    "evaluations",
    "error, J",
    "off reference",
    "compile, s",
    "assemble, s",
    "output, ms",
)


def table(results: list[ContestResult]) -> Table:
    """One section per contest, with Grashof first."""
    shown = Table(title="At the loosest tolerance that passes the rule, everything finer passing too")
    shown.add_column("problem", no_wrap=True)
    shown.add_column("program", no_wrap=True)
    for heading in HEADINGS:
        shown.add_column(heading, justify="right", no_wrap=True)
    for result in results:
        for k, entry in enumerate(result.entries):
            heading = (result.contest.title, f"error ≤ {result.bound:g} J", "")[min(k, 2)]
            shown.add_row(heading, entry.name, *_cells(result, entry))
        shown.add_section()
    return shown


def missing(results: list[ContestResult]) -> list[str]:
    """A sentence for each program that could not be measured."""
    return [
        f"{result.contest.title}: {entry.name} was not measured, {entry.missing}."
        for result in results
        for entry in result.entries
        if entry.missing
    ]


def across(results: list[ContestResult]) -> list[str]:
    """Grashof's time for a problem divided by its time for the problem it is compared with."""
    grashof = {result.contest.title: result.entries[0] for result in results if result.entries[0].cpu_s}
    return [
        f"Grashof, {title} ÷ {other}: {_ratio(grashof[title], grashof[other])}"
        for title, other in ((result.contest.title, result.contest.against) for result in results)
        if title in grashof and other in grashof
    ]


def _cells(result: ContestResult, entry: Entry) -> list[str]:
    chosen, engine, grashof = entry.chosen, result.engine, result.entries[0]
    if chosen is None or chosen.error is None:
        return ["", "–"]
    cells = [
        f"{chosen.tol:.2e}",
        f"{1e3 * min(entry.best):.4f}",
        "" if entry is grashof or not grashof.cpu_s else _ratio(grashof, entry),
        str(chosen.evaluations),
        f"{chosen.error:.1e}",
        f"{max(entry.off.values()):.0e}" if entry.off else "–",
    ]
    if entry is grashof:
        cells += [f"{min(engine.compile_s):.2f}", f"{min(engine.assemble_s):.2f}", f"{1e3 * min(result.output_s):.2f}"]
    return cells


def _ratio(entry: Entry, other: Entry) -> str:
    found = ratio(entry, other)
    return f"{found.median:.2f} ({found.low:.2f}–{found.high:.2f})"


def raw(results: list[ContestResult]) -> list[dict[str, Any]]:
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
