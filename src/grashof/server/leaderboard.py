"""Leaderboards: settings of engines as `grashof bench` has measured them, and results that people have published."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec

from grashof.bench.databases import Place
from grashof.bench.entries import Entry
from grashof.bench.store import Store
from grashof.bench.summary import CostCurve, MeasuredPoint, curves

MOST = 500
"""Published results of a problem that its page shows."""

FEWER = 50
"""Published results of each problem that the page of all problems shows."""


@dataclass(frozen=True)
class LeaderboardRow:
    """One result.

    method    of integration, as the setting names it; empty if it names none
    machine   the processor, or who reports the time
    group     results of one group may be compared by their times: one problem on one machine
    place     of the setting in its engine's ladder, from coarse to fine
    bound     the error that the problem's rule allows, J
    checked   whether the time was measured by `grashof bench`
    made      when it was published, UTC; empty for measurements
    reproduced  whether the operator's run of its author's command gave the same; None: none was made
    """

    id: str
    problem: str
    tool: str
    setting: str
    method: str
    machine: str
    group: str
    place: int
    error: float | None
    bound: float | None
    deviation: float | None
    cpu: float | None
    passes: bool
    agrees: bool
    checked: bool
    made: str = ""
    reproduced: bool | None = None


@dataclass(frozen=True)
class Boards:
    """What was measured here, and the best of what people report: times of the two cannot be compared.

    count   of all results that were published
    """

    measured: list[LeaderboardRow]
    reported: list[LeaderboardRow]
    count: int


@dataclass(frozen=True)
class Measured:
    """A setting of an engine on a machine, as its page shows it."""

    curve: CostCurve
    point: MeasuredPoint
    machine: Mapping[str, str]


def leaderboards(store: Place, problem: str | None = None) -> Boards:
    """The boards of one problem, or of all: those that pass and agree first, then by their time."""
    with Store(store) as file:
        measured = [_measured_row(x) for x in _points(file, problem)]
        counts = {name: count for name, count in file.entry_counts().items() if problem in (None, name)}
        most = FEWER if problem is None else MOST
        reported = [_reported_row(entry) for name in counts for entry in file.entries(name, most)]
    worst = float("inf")
    measured.sort(key=lambda row: (row.problem, not (row.passes and row.agrees), row.cpu or worst, row.error or worst))
    return Boards(measured, reported, sum(counts.values()))


def recent(store: Place, count: int) -> list[LeaderboardRow]:
    """The latest published results, newest first."""
    with Store(store) as file:
        return [_reported_row(entry) for entry in file.recent_entries(count)]


def measured_result(store: Place, id: str) -> Measured | None:
    """A measured result by the identifier in its row."""
    with Store(store) as file:
        return next((x for x in _points(file, None) if identifier(x) == id), None)


def _points(file: Store, problem: str | None) -> list[Measured]:
    machines = file.machines()
    return [
        Measured(curve, point, machines[curve.machine])
        for curve in curves(file.measurements())
        if problem is None or curve.subject.problem == problem
        for point in curve.points
    ]


def identifier(found: Measured) -> str:
    """The identifier of a measured result, in its row and its address."""
    curve, setting = found.curve, found.point.setting
    facts = [curve.machine, curve.subject, curve.engine, curve.version, curve.unit, setting.name, setting.values]
    return hashlib.sha256(msgspec.json.encode(facts, order="sorted")).hexdigest()[:32]


def _measured_row(found: Measured) -> LeaderboardRow:
    curve, point = found.curve, found.point
    return LeaderboardRow(
        id=identifier(found),
        problem=curve.subject.label,
        tool=f"{curve.engine} {curve.version}",
        setting=point.setting.name,
        method=method(point.setting.name),
        machine=f"{found.machine.get('processor', 'unknown processor')} ({curve.machine[:6]})",
        group=f"{curve.subject.label} {curve.machine} {curve.unit}",
        place=point.setting.place,
        error=point.judged.error,
        bound=_bound(point.judged.assessment),
        deviation=point.judged.deviation,
        cpu=point.cpu_s,
        passes=point.passes,
        agrees=point.agrees,
        checked=True,
    )


def _reported_row(entry: Entry) -> LeaderboardRow:
    return LeaderboardRow(
        id=entry.id,
        problem=entry.subject.label,
        tool=entry.tool,
        setting=entry.remark,
        method="",
        machine=f"reported by {entry.author}" if entry.author else "reported",
        group=f"{entry.subject.label} reported",
        place=0,
        error=entry.error,
        bound=entry.bound,
        deviation=entry.deviation,
        cpu=entry.cpu_s,
        passes=entry.passes,
        agrees=entry.agrees,
        checked=False,
        made=entry.made,
        reproduced=entry.reproduced,
    )


def _bound(verdict: Mapping[str, Any]) -> float | None:
    bound = (verdict.get("rule") or {}).get("bound_J")
    return None if bound is None else float(bound)


def method(setting: str) -> str:
    """The method of integration that a setting names before its numbers.

    >>> method("RK4, h = 1e-3 s"), method("CVODE Adams, rtol 1e-6"), method("tol = 1e-8")
    ('RK4', 'CVODE Adams', '')
    """
    first, comma, _ = setting.partition(",")
    return first if comma and "=" not in first else ""
