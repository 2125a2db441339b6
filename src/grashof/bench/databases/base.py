"""What the store needs of a database."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, Protocol, TypeAlias
from urllib.parse import parse_qs, unquote, urlsplit

import msgspec

from grashof.common.errors import ModelError

APPLICATION = 0x47725368
"""Identifies stores (SQLite's application_id)."""

PATIENCE = 30.0
"""Seconds that another process may keep the store locked."""

KEPT = "Earlier measurements are kept, and the command can be repeated to continue."
DAMAGED = ("is damaged", "Move it away, or give another store with --store.")

UNREADABLE = (msgspec.MsgspecError, UnicodeError, RecursionError)
"""Exceptions raised for invalid JSON."""

Place: TypeAlias = Path | str
"""A file, or a URL."""


class StoreError(ModelError):
    """The store cannot be read or written; the text names it and says what to do."""


class DamagedError(Exception):
    """The content of a store contradicts itself."""


class Cursor(Protocol):
    """The rows of a statement."""

    @property
    def rowcount(self) -> int: ...

    def fetchone(self) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...


class Database(ABC):
    """An open database. Statements are written in SQLite's dialect; a database of another kind translates them.

    Each statement is a transaction of its own unless `together` makes one of several. Tables have a column `rowid`,
    whose order is that in which rows came.

    name    of the store in messages
    secret  a password, which no message shows
    errors  exceptions of its driver
    """

    name: str
    secret: str = ""
    errors: tuple[type[Exception], ...]

    @property
    @abstractmethod
    def version(self) -> int:
        """How many migrations it has had; 0 if it is not a store."""

    @property
    @abstractmethod
    def empty(self) -> bool:
        """Whether it holds no table at all."""

    @property
    @abstractmethod
    def size(self) -> int:
        """Bytes on the disk."""

    @abstractmethod
    def execute(self, statement: str, values: Sequence[Any] = ()) -> Cursor:
        """The rows of a statement in which each ? stands for a value."""

    @abstractmethod
    def stream(self, statement: str) -> Iterator[Sequence[Any]]:
        """The rows of a statement, of which few are in memory at a time; inside `snapshot` only."""

    @abstractmethod
    def record_version(self, version: int) -> None:
        """Makes it a store of this version."""

    @abstractmethod
    def explain(self, problem: Exception) -> tuple[str, str]:
        """What is wrong with it, and what to do, as parts of sentences."""

    @abstractmethod
    def close(self) -> None:
        """Ends the connection."""

    @abstractmethod
    def settle(self) -> None:
        """Sets up what a store in use needs, so that what it confirms is on the disk."""

    def begin(self, writing: bool) -> None:
        """Begins a transaction: one that writes has locked out others, one that reads sees one moment."""
        self.execute("BEGIN IMMEDIATE" if writing else "BEGIN")

    def together(self) -> AbstractContextManager[None]:
        """A transaction: all or nothing, with other writers locked out."""
        return self._transaction(True)

    def snapshot(self) -> AbstractContextManager[None]:
        """A transaction that sees the store as it is at one moment, and keeps nobody waiting."""
        return self._transaction(False)

    @contextmanager
    def _transaction(self, writing: bool) -> Iterator[None]:
        with self.in_words():
            self.begin(writing)
            try:
                yield
                self.execute("COMMIT")
            except BaseException:
                with suppress(*self.errors):  # a full disk has ended the transaction already
                    self.execute("ROLLBACK")
                raise

    @contextmanager
    def in_words(self) -> Iterator[None]:
        """Turns errors of the database into sentences."""
        try:
            yield
        except self.errors as problem:
            found, advice = self.explain(problem)
            raise StoreError(f"{self.name} {found} ({self._told(problem)}). {advice}") from None
        except (DamagedError, *UNREADABLE) as problem:
            found, advice = DAMAGED
            raise StoreError(f"{self.name} {found} ({problem}). {advice}") from None

    def migrate(self, migrations: Migrations) -> None:
        """Brings it up to date: statements, and functions of it, that make version k from version k − 1. A current one
        is only read."""
        with self.in_words():
            if self.version == len(migrations):
                return
        with self.together():
            version = self.version
            if not version and not self.empty:
                raise StoreError(f"{self.name} is a database of another program; give another store with --store.")
            if version < 0:
                raise DamagedError(f"its version is {version}")
            if version > len(migrations):
                raise StoreError(
                    f"{self.name} was written by a newer version of Grashof (store version {version}; this one reads "
                    f"up to {len(migrations)}); update Grashof, or give another store with --store."
                )
            for statements in migrations[version:]:
                for statement in statements:
                    if isinstance(statement, str):
                        self.execute(statement)
                    else:
                        statement(self)
            self.record_version(len(migrations))

    def _told(self, problem: Exception) -> str:
        """What the driver says, in one line."""
        told = " ".join(str(problem).split())
        return told.replace(self.secret, "…") if self.secret else told


Migrations = Sequence[Sequence[str | Callable[[Database], None]]]
"""What makes version k of a store from version k − 1, for each k."""


def locked() -> tuple[str, str]:
    """What is said of a store that another process keeps."""
    return f"has been locked by another process for {PATIENCE:g} s", f"Wait until that has ended. {KEPT}"


def nothing_in(name: str) -> str:
    """What is said of a store that does not exist."""
    return f"{name}: there are no results yet; run `grashof bench` to measure some."


def name_and_secret(url: str) -> tuple[str, str]:
    """What of a URL may be shown, and the password that may not.

    >>> name_and_secret("postgresql://me:secret@example.org:5433/results?sslmode=require")
    ('postgresql://me@example.org:5433/results', 'secret')
    """
    parts = urlsplit(url)
    signed, at, host = parts.netloc.rpartition("@")
    user, _, secret = signed.partition(":")
    hidden = unquote(secret) or parse_qs(parts.query).get("password", [""])[0]
    return f"{parts.scheme}://{user}{at}{host}{parts.path}", hidden
