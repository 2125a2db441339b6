"""The results of measurements as tables, in text and Markdown, and as plain data.

Every time is accompanied by the error according to the problem's rule and by the deviation from the reference. Results
from different machines are never mixed in a table, except in a comparison of machines.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from rich.box import SIMPLE
from rich.cells import cell_len
from rich.table import Table

from grashof.bench.summary import CostCurve, MeasuredPoint
from grashof.common.wording import seconds
from grashof.judge import AGREES

DEFINITIONS = (
    "CPU: process CPU time of one integration, single-threaded, the least of all samples; ÷: that time divided by "
    "Grashof's. Error: the largest error by the definition of the problem's rule, J. Deviation: the largest deviation "
    "of any official column from the reference, relative to the column's largest magnitude. Units: CPU time divided by "
    "that of the calibration kernel in the same processes."
)

_HEADINGS = (
    "engine",
    *("CPU at the rule", "÷", "error", "deviation"),
    *(f"CPU at {AGREES:.0e}".replace("e-0", "e-"), "÷", "error", "deviation"),
    *("units", "build"),
)
_BLOCKS = (4, 4, 2)

_GAP = 2
"""Spaces behind a column."""


@dataclass(frozen=True)
class Sheet:
    """A table with its title, and sentences below it.

    keys    how many of the first columns say what a row is about
    blocks  how many of the other columns belong together; each stands alone unless given
    """

    title: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    keys: int = 1
    blocks: tuple[int, ...] = ()

    def text(self, width: int) -> list[Table]:
        """For a terminal of this width, without the title: one table, or several below each other that repeat the
        key columns."""
        tables = []
        for part in self._parts(width):
            table = Table(box=SIMPLE, show_edge=False, padding=(0, 1, 0, 0))
            columns = (*range(self.keys), *part)
            for k in columns:
                table.add_column(self.headings[k], justify="left" if k < self.keys else "right", no_wrap=True)
            for row in self.rows:
                table.add_row(*(_in_lines(row[k]) if k < self.keys else row[k] for k in columns))
            tables.append(table)
        return tables

    def _parts(self, width: int) -> list[list[int]]:
        """The columns behind the keys, in as few parts as fit into the width."""
        cells = [[self.headings[k], *(row[k] for row in self.rows)] for k in range(len(self.headings))]
        sizes = [
            max(cell_len(line) for cell in column for line in (_in_lines(cell) if k < self.keys else cell).split("\n"))
            + _GAP
            for k, column in enumerate(cells)
        ]
        room = width - sum(sizes[: self.keys])
        waiting: list[list[int]] = []
        start = self.keys
        for count in self.blocks or (1,) * (len(sizes) - start):
            block = list(range(start, start + count))
            fits = sum(sizes[k] for k in block) <= room
            waiting += [block] if fits else [[k] for k in block]
            start += count
        parts: list[list[int]] = [[]]
        for block in waiting:
            if parts[-1] and sum(sizes[k] for k in (*parts[-1], *block)) > room:
                parts.append([])
            parts[-1] += block
        return parts

    def markdown(self) -> str:
        """For a page."""
        lines = [self.headings, ("---", *("---:" for _ in self.headings[1:])), *self.rows]
        table = "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
        return f"### {self.title}\n\n{table}\n" + "".join(f"\n- {note}" for note in self.notes) + "\n"


def _in_lines(key: str) -> str:
    """A key of several parts, each on a line of its own."""
    return key.replace(", ", ",\n")


def overview(curves: Sequence[CostCurve]) -> list[Sheet]:
    """A sheet for each machine and problem: every engine at the rule, and at equal deviation from the reference."""
    return [
        Sheet(
            f"{group[0].subject.label}, machine {group[0].machine}",
            _HEADINGS,
            tuple(_row(curve, _own(group)) for curve in group),
            tuple(map(_settings, group)),
            blocks=_BLOCKS,
        )
        for group in _groups(curves)
    ]


def factors(curves: Sequence[CostCurve]) -> list[Sheet]:
    """A sheet for each machine: the CPU time of each engine divided by Grashof's, at the rule and at equal
    deviation."""
    sheets = []
    for machine in dict.fromkeys(curve.machine for curve in curves):
        groups = _groups([curve for curve in curves if curve.machine == machine])
        names = dict.fromkeys(_name(curve) for group in groups for curve in group)
        cells = {(_name(curve), k): _factors(curve, _own(group)) for k, group in enumerate(groups) for curve in group}
        rows = [(name, *(cells.get((name, k), "–") for k in range(len(groups)))) for name in names]
        title = f"CPU time divided by Grashof's, at the rule / at {AGREES:g}; machine {machine}"
        headings = ("engine", *(group[0].subject.label for group in groups))
        sheets.append(Sheet(title, headings, tuple(rows), _lead(groups)))
    return sheets


def _lead(groups: Sequence[Sequence[CostCurve]]) -> tuple[str, ...]:
    """By how much Grashof is faster than the other engines that reach a goal, or where it is not."""
    said = []
    for goal, name in enumerate(("the rule", f"{AGREES:g}")):
        found = [
            (theirs.cpu_s / ours.cpu_s if ours else 0.0, f"{curve.engine} on {curve.subject.label}")
            for group in groups
            for curve in group
            for _, theirs, ours in _both(curve, _own(group))[goal : goal + 1]
            if curve.engine != "grashof" and theirs
        ]
        if found:
            least, closest = min(found)
            if least > 1.0:
                said.append(
                    f"At {name} Grashof is the fastest of all that reach it, by factors of {_times(least)} to "
                    f"{_times(max(found)[0])}; closest: {closest}."
                )
            else:
                said.append(
                    f"At {name} Grashof is slower than {closest}, which takes {least:.3g} times Grashof's CPU time."
                )
    return tuple(said)


def remarks(curves: Sequence[CostCurve], machines: Mapping[str, Mapping[str, str]]) -> list[str]:
    """Definitions of the terms in the sheets, how each engine was used, and descriptions of the machines."""
    used = {_name(curve): " ".join(curve.notes) for curve in curves if curve.notes}
    return [
        DEFINITIONS,
        *(f"{name}: {notes}" for name, notes in used.items()),
        *(describe_machine(machine, machines) for machine in dict.fromkeys(curve.machine for curve in curves)),
    ]


def describe_machine(machine: str, machines: Mapping[str, Mapping[str, str]]) -> str:
    """A machine in words."""
    return f"Machine {machine}: " + ", ".join(f"{name} {value}" for name, value in machines[machine].items()) + "."


def _groups(curves: Sequence[CostCurve]) -> list[list[CostCurve]]:
    """Curves grouped by machine and problem: the fastest at the rule first, then the fastest that agree, then the
    others."""
    groups: dict[tuple[str, str], list[CostCurve]] = {}
    for curve in curves:
        groups.setdefault((curve.machine, curve.subject.label), []).append(curve)

    def rank(curve: CostCurve) -> tuple[float, float, str]:
        cpu = [math.inf if point is None else point.cpu_s for point in (curve.at_rule, curve.at_agreement)]
        return (cpu[0], cpu[1], curve.engine)

    return [sorted(group, key=rank) for group in groups.values()]


def _own(group: Sequence[CostCurve]) -> CostCurve | None:
    return next((curve for curve in group if curve.engine == "grashof"), None)


def _name(curve: CostCurve) -> str:
    return f"{curve.engine} {curve.version}".strip()


def _row(curve: CostCurve, own: CostCurve | None) -> tuple[str, ...]:
    rule, agreement = curve.at_rule, curve.at_agreement
    shown = rule or agreement
    return (
        _name(curve),
        *_cells(rule, own.at_rule if own else None),
        *_cells(agreement, own.at_agreement if own else None),
        "–" if shown is None else f"{shown.units:.3g}",
        "–" if shown is None else seconds(shown.build_s),
    )


def _cells(point: MeasuredPoint | None, own: MeasuredPoint | None) -> tuple[str, str, str, str]:
    if point is None:
        return ("–", "–", "–", "–")
    return (seconds(point.cpu_s), _ratio(point, own), _number(point.judged.error), _number(point.judged.deviation))


def _factors(curve: CostCurve, own: CostCurve | None) -> str:
    if own is None:
        return "–"
    return f"{_ratio(curve.at_rule, own.at_rule)} / {_ratio(curve.at_agreement, own.at_agreement)}"


def _ratio(point: MeasuredPoint | None, own: MeasuredPoint | None) -> str:
    if point is None or own is None:
        return "–"
    return _times(point.cpu_s / own.cpu_s)


def _times(ratio: float) -> str:
    return f"{ratio:.3g}" if ratio < 999.5 else f"{ratio:,.0f}"


def _number(x: float | None) -> str:
    return "–" if x is None else f"{x:.1e}"


def _settings(curve: CostCurve) -> str:
    """The settings behind the row, or why there are none."""
    goals = (("at the rule", curve.at_rule), (f"at {AGREES:g}", curve.at_agreement))
    reached = [
        f"{goal}: {point.setting.name} ({point.judged.steps} steps; samples {point.samples}, processes "
        f"{point.processes})"
        for goal, point in goals
        if point is not None
    ]
    if len(reached) < len(goals):
        reached.append(("the other goal was not reached: " if reached else "") + _why(curve))
    return f"{_name(curve)}, {'; '.join(reached)}"


def _why(curve: CostCurve) -> str:
    """Why a goal was not reached."""
    rule = curve.points[-1].judged.assessment.get("rule") if curve.points else None
    if rule and curve.at_agreement is not None and rule.get("not_judged"):
        return f"the rule is not judged: {rule['not_judged']}."
    if curve.excuses:
        setting, excuse = curve.excuses[-1]
        word = {"absent": "not installed", "refused": "unsupported", "failed": "failed"}[excuse.kind]
        return f"{word}{f' at {setting.name}' if setting else ''}. {excuse.reason}"
    finest = curve.points[-1]
    error, deviation = _number(finest.judged.error), _number(finest.judged.deviation)
    return f"the finest setting tried, {finest.setting.name}, has error {error} J and deviation {deviation}."


def comparison_of_machines(
    curves: Sequence[CostCurve], a: str, b: str, machines: Mapping[str, Mapping[str, str]]
) -> Sheet:
    """The same engines on two machines, in seconds and in units of the calibration kernel."""
    there = {(c.subject.label, c.engine, c.version, c.unit): c for c in curves if c.machine == b}
    rows = []
    for curve in (curve for curve in curves if curve.machine == a):
        other = there.get((curve.subject.label, curve.engine, curve.version, curve.unit))
        for goal, first, second in _both(curve, other):
            if first is not None and second is not None:
                rows.append(
                    (
                        *(f"{curve.subject.label}, {_name(curve)}", goal),
                        *(seconds(first.cpu_s), seconds(second.cpu_s)),
                        *(f"{first.units:.3g}", f"{second.units:.3g}", f"{second.units / first.units:.3g}"),
                    )
                )
    return Sheet(
        f"Machines {a} and {b}",
        ("", "at", f"CPU, {a}", f"CPU, {b}", f"units, {a}", f"units, {b}", "units ÷"),
        tuple(rows),
        (
            "These are different machines: their times in seconds are not comparable. A unit is the time of a fixed "
            "kernel on the machine itself, measured in the same processes; it corrects for the speed of scalar code "
            "there, and for nothing else.",
            *(describe_machine(machine, machines) for machine in (a, b)),
        ),
        keys=2,
        blocks=(2, 2, 1),
    )


def comparison_of_engines(curves: Sequence[CostCurve], a: str, b: str) -> Sheet:
    """Two engines, wherever both were measured on the same machine."""
    rows = []
    for curve in (curve for curve in curves if curve.engine == a):
        for other in (other for other in curves if other.engine == b):
            if (curve.machine, curve.subject) == (other.machine, other.subject):
                for goal, first, second in _both(curve, other):
                    rows.append(
                        (
                            *(f"{curve.subject.label}, machine {curve.machine}", goal),
                            *(_cells(first, None)[0], *_cells(first, None)[2:]),
                            *(_cells(second, None)[0], *_cells(second, None)[2:]),
                            _ratio(second, first),
                        )
                    )
    headings = ("", "at", f"CPU, {a}", "error", "deviation", f"CPU, {b}", "error", "deviation", f"{b} ÷ {a}")
    return Sheet(f"{a} and {b}", headings, tuple(rows), keys=2, blocks=(3, 3, 1))


def _both(curve: CostCurve, other: CostCurve | None) -> list[tuple[str, MeasuredPoint | None, MeasuredPoint | None]]:
    """Each goal, and the points of two curves there."""
    if other is None:
        return []
    return [("the rule", curve.at_rule, other.at_rule), (f"{AGREES:g}", curve.at_agreement, other.at_agreement)]


def as_data(curves: Sequence[CostCurve], machines: Mapping[str, Mapping[str, str]]) -> dict[str, Any]:
    """All data from which the sheets are made, including whole curves."""

    def point(p: MeasuredPoint | None) -> dict[str, Any] | None:
        if p is None:
            return None
        return {
            "setting": p.setting.name,
            "values": dict(p.setting.values),
            "cpu_s": p.cpu_s,
            "wall_s": p.wall_s,
            "build_cpu_s": p.build_s,
            "calibration_s": p.calibration_s,
            "units": p.units,
            "steps": p.judged.steps,
            "error_J": p.judged.error,
            "deviation": p.judged.deviation,
            "passes": p.passes,
            "agrees": p.agrees,
            "samples": p.samples,
            "processes": p.processes,
        }

    return {
        "definitions": DEFINITIONS,
        "agreement": AGREES,
        "machines": {name: dict(machines[name]) for name in {curve.machine for curve in curves}},
        "curves": [
            {
                "machine": curve.machine,
                **msgspec.to_builtins(curve.subject),
                "engine": curve.engine,
                "version": curve.version,
                "notes": list(curve.notes),
                "calibration_version": curve.unit,
                "at_rule": point(curve.at_rule),
                "at_agreement": point(curve.at_agreement),
                "points": [point(p) for p in curve.points],
                "excuses": [
                    {"setting": setting and setting.name, "kind": excuse.kind, "reason": excuse.reason}
                    for setting, excuse in curve.excuses
                ],
            }
            for curve in curves
        ],
    }
