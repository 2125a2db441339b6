"""A store in one SQLite file. Several processes of one machine may have it open."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from grashof.bench.databases import base
from grashof.bench.databases.base import APPLICATION, DAMAGED, KEPT, Cursor, Database, nothing_in
from grashof.common.errors import ModelError


class SqliteDatabase(Database):
    """An open file."""

    errors = (sqlite3.Error,)

    def __init__(self, path: Path, create: bool) -> None:
        self.path, self.name = path, str(path)
        if not path.exists():
            if not create:
                raise ModelError(nothing_in(self.name))
            path.parent.mkdir(parents=True, exist_ok=True)
        with self.in_words():
            self._db = sqlite3.connect(path, timeout=base.PATIENCE, isolation_level=None)  # autocommit
            try:
                self.execute("PRAGMA trusted_schema = OFF")  # a file of others may define what is run when it is read
            except BaseException:
                self._db.close()
                raise

    @property
    def version(self) -> int:
        """See `Database`."""
        return self._pragma("user_version") if self._pragma("application_id") == APPLICATION else 0

    @property
    def empty(self) -> bool:
        """See `Database`."""
        return not self.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]

    @property
    def size(self) -> int:
        """See `Database`."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Cursor:
        """See `Database`."""
        return self._db.execute(statement, values)

    def stream(self, statement: str) -> Iterator[Sequence[Any]]:
        """See `Database`."""
        return iter(self.execute(statement))

    def tables(self) -> dict[str, tuple[str, str]]:
        """The columns of each table and those that order its rows, in the order in which the tables were made."""
        found = {}
        for name, text in self.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table' ORDER BY rowid"):
            columns = list(self.execute(f"SELECT name, pk FROM pragma_table_info('{name}')"))
            key = ", ".join(column for column, place in columns if place)
            found[name] = ", ".join(column for column, _ in columns), key if "WITHOUT ROWID" in text else "rowid"
        return found

    def trouble(self) -> str:
        """What SQLite finds wrong with the file; empty if nothing."""
        told = [row[0] for row in self.execute("PRAGMA integrity_check(1)") if row[0] != "ok"]
        torn = [f"a row of {row[0]} lacks its {row[2]}" for row in self.execute("PRAGMA foreign_key_check")]
        return "; ".join([*told, *torn[:1]])

    def record_version(self, version: int) -> None:
        """See `Database`."""
        self.execute(f"PRAGMA application_id = {APPLICATION}")
        self.execute(f"PRAGMA user_version = {version}")

    def settle(self) -> None:
        """See `Database`."""
        with self.in_words():
            for setting in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
                self.execute(f"PRAGMA {setting}")

    def explain(self, problem: Exception) -> tuple[str, str]:
        """See `Database`."""
        match getattr(problem, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF:
            case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
                return base.locked()
            case sqlite3.SQLITE_FULL:
                return "cannot be written because the disk is full", f"Make room. {KEPT}"
            case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM | sqlite3.SQLITE_IOERR:
                return "cannot be opened or written", f"Give another file with --store. {KEPT}"
            case sqlite3.SQLITE_NOTADB:
                return "is not a file of results", "Give another one with --store."
        return DAMAGED

    def close(self) -> None:
        """See `Database`."""
        self._db.close()

    def _pragma(self, name: str) -> int:
        return int(self.execute(f"PRAGMA {name}").fetchone()[0])
