"""Leaderboards: settings of engines as `grashof bench` has measured them, and results that people have published."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import msgspec

from grashof.bench.databases import Place
from grashof.bench.store import Store
from grashof.bench.summary import CostCurve, MeasuredPoint, curves

MOST = 500
"""Results of a problem that a page shows."""


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


@dataclass(frozen=True)
class Measured:
    """A setting of an engine on a machine, as its page shows it."""

    curve: CostCurve
    point: MeasuredPoint
    machine: Mapping[str, str]


def leaderboard(store: Place, problem: str | None = None) -> list[LeaderboardRow]:
    """One row for each result, by problems: those that pass and agree first, then by their time."""
    with Store(store) as file:
        measured = [_measured_rows(x) for x in _points(file, problem)]
        published = file.published_ids(problem)
    found = [*measured, *(_published_row(store, id) for id in published)]
    worst = float("inf")
    return sorted(
        found, key=lambda row: (row.problem, not (row.passes and row.agrees), row.cpu or worst, row.error or worst)
    )


def best(rows: Sequence[LeaderboardRow]) -> list[LeaderboardRow]:
    """The rows that a page shows: the first ones of each problem."""
    seen = Counter[str]()
    kept = []
    for row in rows:
        seen[row.problem] += 1
        if seen[row.problem] <= MOST:
            kept.append(row)
    return kept


def recent(store: Place, count: int) -> list[LeaderboardRow]:
    """The latest published results, newest first."""
    with Store(store) as file:
        found = file.published_ids()[-count:]
    return [_published_row(store, id) for id in reversed(found)]


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


def _measured_rows(found: Measured) -> LeaderboardRow:
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


@lru_cache(maxsize=10_000)
def _published_row(store: Place, id: str) -> LeaderboardRow:
    """The row of a published result, which never changes; its verdict is long, since it holds the plots."""
    with Store(store) as file:
        (result,) = file.published(id=id)
    verdict, reference = result.verdict, result.verdict.get("reference") or {}
    return LeaderboardRow(
        id=result.id,
        problem=result.subject.label,
        tool=result.tool,
        setting=result.remark,
        method="",
        machine=f"reported by {result.author}" if result.author else "reported",
        group=f"{result.subject.label} reported",
        place=0,
        error=verdict["rule"]["error_J"],
        bound=_bound(verdict),
        deviation=reference.get("deviation"),
        cpu=result.cpu_s,
        passes=bool(verdict["rule"]["passes"]),
        agrees=bool(reference.get("agrees")),
        checked=False,
        made=result.made,
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
