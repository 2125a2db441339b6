"""A store in a PostgreSQL database, which servers of several machines may share.

Its tables are those of the SQLite file. Transactions that write take turns by an advisory lock, as they do in SQLite,
so that the store has the same guarantees in both. A commit returns when the database has written it to its disk.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

from grashof.bench.databases import base
from grashof.bench.databases.base import APPLICATION, DAMAGED, KEPT, Cursor, Database, name_and_secret, nothing_in
from grashof.common.errors import ModelError

try:
    import psycopg
except ImportError as problem:
    raise ModelError(
        f'A store in PostgreSQL needs {problem.name}: install it with `pip install "grashof[postgres]"`.'
    ) from None

CONNECTING = 10
"""Seconds within which the database server must answer."""

STREAMED = 20
"""Rows that are fetched at a time where all are read."""

DIALECT = (
    (r"\?", "%s"),
    (r"\) STRICT, WITHOUT ROWID\s*$", ")"),
    (r"\) STRICT\s*$", ", rowid BIGINT GENERATED ALWAYS AS IDENTITY)"),
    (r"\bBLOB\b", "BYTEA"),
    (r"\bREAL\b", "DOUBLE PRECISION"),
    (r"json_extract\((\w+), '\$\.(\w+)'\)", r"(CAST(\1 AS json) ->> '\2')"),
)
"""How statements of SQLite are written here."""


class PostgresDatabase(Database):
    """A connection to a database."""

    errors = (psycopg.Error,)

    def __init__(self, url: str, create: bool) -> None:
        self.name, self.secret = name_and_secret(url)
        with self.in_words():
            self._db = psycopg.connect(url, autocommit=True, connect_timeout=CONNECTING, application_name="grashof")
        try:
            with self.in_words():
                self.execute(f"SET lock_timeout = {1000.0 * base.PATIENCE:.0f}")
                if not create and not self.version:
                    raise ModelError(nothing_in(self.name))
        except BaseException:
            self._db.close()
            raise

    @property
    def version(self) -> int:
        """See `Database`."""
        if self.execute("SELECT to_regclass('grashof_store')").fetchone()[0] is None:
            return 0
        row = self.execute("SELECT version FROM grashof_store").fetchone()
        return -1 if row is None else int(row[0])

    @property
    def empty(self) -> bool:
        """See `Database`."""
        tables = "SELECT count(*) FROM pg_tables WHERE schemaname = current_schema()"
        return not self.execute(tables).fetchone()[0]

    @property
    def size(self) -> int:
        """See `Database`."""
        return int(self.execute("SELECT pg_database_size(current_database())").fetchone()[0])

    def execute(self, statement: str, values: Sequence[Any] = ()) -> Cursor:
        """See `Database`."""
        found: Cursor = self._db.execute(translate(statement), values or None)
        return found

    def settle(self) -> None:
        """See `Database`."""
        with self.in_words():
            self.execute("SET synchronous_commit = on")

    def begin(self, writing: bool) -> None:
        """See `Database`."""
        self.execute("BEGIN" if writing else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        if writing:
            self.execute("SELECT pg_advisory_xact_lock(?)", (APPLICATION,))

    def stream(self, statement: str) -> Iterator[Sequence[Any]]:
        """See `Database`."""
        with self._db.cursor(name="streamed") as cursor:  # on the server's side
            cursor.itersize = STREAMED
            cursor.execute(translate(statement))
            yield from cursor

    def record_version(self, version: int) -> None:
        """See `Database`."""
        self.execute("CREATE TABLE IF NOT EXISTS grashof_store (version INTEGER NOT NULL)")
        self.execute("DELETE FROM grashof_store")
        self.execute("INSERT INTO grashof_store VALUES (?)", (version,))

    def explain(self, problem: Exception) -> tuple[str, str]:
        """See `Database`."""
        state = getattr(problem, "sqlstate", None) or ""
        if state == "55P03":
            return base.locked()
        if state == "53100":
            return "cannot be written because its disk is full", f"Make room. {KEPT}"
        if state in ("42501", "25006", "3F000"):
            return "cannot be written by this user", "Allow it to create and change tables in its schema."
        if state.startswith(("22", "23", "42", "XX")):
            return DAMAGED
        return "cannot be reached", f"Start the database server, or give another store with --store. {KEPT}"

    def close(self) -> None:
        """See `Database`."""
        self._db.close()


@lru_cache(maxsize=1000)
def translate(statement: str) -> str:
    """A statement of SQLite as PostgreSQL takes it.

    >>> translate("SELECT tool FROM published WHERE json_extract(subject, '$.problem') = ?")
    "SELECT tool FROM published WHERE (CAST(subject AS json) ->> 'problem') = %s"
    """
    for pattern, here in DIALECT:
        statement = re.sub(pattern, here, statement)
    return statement
