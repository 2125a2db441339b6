"""What boards show of published results, whose they are, and what was done with them.

An entry is small and indexed by its rank, while a published result holds its verdict with plots. A token proves whose
an entry is; the store knows only its digest.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import msgspec

from grashof.bench.subject import BenchSubject

if TYPE_CHECKING:
    from grashof.bench.databases.base import Database

UNKNOWN = 1e300
"""The rank of a result without a CPU time, s."""

TABLES = (
    """CREATE TABLE entries (                     -- what boards show of each published result
        id      TEXT PRIMARY KEY,
        problem TEXT NOT NULL,
        poor    INTEGER NOT NULL,                -- 0 if it passes the rule and agrees with the reference
        cost    REAL NOT NULL,                   -- CPU time as reported, s
        content TEXT NOT NULL,                   -- digest of its numbers
        owner   TEXT NOT NULL,                   -- digest of the owner's token; empty: it has none
        entry   TEXT NOT NULL                    -- JSON
    ) STRICT""",
    "CREATE INDEX entries_by_rank ON entries (problem, poor, cost)",
    "CREATE UNIQUE INDEX entries_by_content ON entries (problem, content)",
    """CREATE TABLE audit (                       -- what was published, withdrawn and removed; never changed
        id     TEXT NOT NULL,
        made   TEXT NOT NULL,                    -- UTC
        action TEXT NOT NULL,
        reason TEXT NOT NULL,
        entry  TEXT NOT NULL                     -- JSON
    ) STRICT""",
)
"""Statements that make the tables."""


REPRODUCTION = (
    "ALTER TABLE published ADD COLUMN command TEXT NOT NULL DEFAULT ''",  # that made it; empty: not stated
    "ALTER TABLE published ADD COLUMN reproduction TEXT NOT NULL DEFAULT 'null'",  # JSON
)
"""Statements that add the command of a published result, and what came of running it again."""


class Reproduction(msgspec.Struct, frozen=True):
    """What came of running the command of a published result again.

    sentence     what differed, or by how much at most
    difference   the largest, relative to the size of its column; None if there was nothing to compare
    seconds      of wall time for the whole command
    isolated     whether it ran without the network and without the operator's files
    grashof      version of Grashof that judged it
    """

    made: str
    reproduced: bool
    sentence: str
    difference: float | None
    seconds: float
    isolated: bool
    grashof: str


class Entry(msgspec.Struct, frozen=True):
    """A row of a board.

    error, bound, deviation   of the rule and from the reference, as the judge found them
    cpu_s                     as its author reports it, s
    command                   that made it, as its author states it; empty if it is not stated
    reproduced                whether the operator's run of the command gave the same; None: it was not run
    """

    id: str
    made: str
    subject: BenchSubject
    tool: str
    author: str
    remark: str
    cpu_s: float | None
    error: float | None
    bound: float | None
    deviation: float | None
    passes: bool
    agrees: bool
    command: str = ""
    reproduced: bool | None = None

    @property
    def good(self) -> bool:
        """Whether it passes the rule and agrees with the reference."""
        return self.passes and self.agrees


class AuditRecord(msgspec.Struct, frozen=True):
    """Something that was done with an entry: published, withdrawn by its owner, removed by the operator, reproduced or
    not reproduced."""

    id: str
    made: str
    action: str
    reason: str
    entry: Entry


def entry_of(facts: Mapping[str, Any], verdict: Mapping[str, Any]) -> Entry:
    """The entry of a new published result, from its fields and the judge's verdict."""
    rule, reference = verdict.get("rule") or {}, verdict.get("reference") or {}
    found = {name: facts[name] for name in ("id", "made", "subject", "tool", "author", "remark", "cpu_s")}
    judged = {
        "command": facts.get("command", ""),
        "error": rule.get("error_J"),
        "bound": rule.get("bound_J"),
        "deviation": reference.get("deviation"),
        "passes": bool(rule.get("passes")),
        "agrees": bool(reference.get("agrees")),
    }
    return msgspec.convert(found | judged, Entry)


def digest(token: str) -> str:
    """What the store knows of a token."""
    return hashlib.sha256(token.encode()).hexdigest() if token else ""


def add_entry(db: Database, entry: Entry, content: str, owner: str) -> None:
    """Stores an entry; one that is there stays as it is."""
    cost = UNKNOWN if entry.cpu_s is None else entry.cpu_s
    problem, text = entry.subject.problem, msgspec.json.encode(entry, order="sorted").decode()
    db.execute(
        "INSERT INTO entries (id, problem, poor, cost, content, owner, entry) VALUES (?, ?, ?, ?, ?, ?, ?) "
        "ON CONFLICT DO NOTHING",
        (entry.id, problem, int(not entry.good), cost, content, owner, text),
    )


def fill_entries(db: Database) -> None:
    """Adds entries of results that were published before there were any."""
    names = ("id", "made", "subject", "tool", "author", "remark", "cpu_s")
    for *given, verdict in list(db.execute(f"SELECT {', '.join(names)}, verdict FROM published ORDER BY rowid")):
        facts = dict(zip(names, given, strict=True))
        facts["subject"] = msgspec.json.decode(facts["subject"])
        add_entry(db, entry_of(facts, msgspec.json.decode(verdict)), facts["id"], "")


MIGRATION: tuple[str | Callable[[Database], None], ...] = (*TABLES, fill_entries)
