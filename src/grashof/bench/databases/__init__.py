"""Where a store is kept: one SQLite file, or a PostgreSQL database that several servers share."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TypeAlias

from grashof.bench.databases.base import APPLICATION, Database, Place, StoreError, name_and_secret
from grashof.bench.databases.sqlite import SqliteDatabase

__all__ = ["APPLICATION", "Database", "Place", "StoreError", "database_at", "name_of", "place_of"]

Given: TypeAlias = str | os.PathLike[str]

_URL = re.compile(r"postgres(ql)?://")


def place_of(given: Given) -> Place:
    """What --store names: a file, or the URL of a PostgreSQL database.

    >>> place_of("postgresql://localhost/grashof")
    'postgresql://localhost/grashof'
    >>> place_of("results.sqlite").name
    'results.sqlite'
    """
    return given if isinstance(given, str) and _URL.match(given) else Path(given)


def name_of(place: Place) -> str:
    """What of a place is shown."""
    return str(place) if isinstance(place, Path) else name_and_secret(place)[0]


def database_at(given: Given, *, create: bool) -> Database:
    """The database at a place, open. A file that does not exist is made only if that is wanted."""
    place = place_of(given)
    if isinstance(place, Path):
        return SqliteDatabase(place, create)
    from grashof.bench.databases.postgres import PostgresDatabase

    return PostgresDatabase(place, create)
