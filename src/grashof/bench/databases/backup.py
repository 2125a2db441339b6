"""Backups of stores: one SQLite file, whatever the store is kept in, which can be restored into either kind.

So a backup also moves a store from a file to PostgreSQL, and back.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import closing
from pathlib import Path

from grashof.bench.databases.base import Database, Migrations
from grashof.bench.databases.sqlite import SqliteDatabase
from grashof.common.errors import ModelError


def back_up(source: Database, path: Path, migrations: Migrations) -> int:
    """Copies a store, as it is at one moment, to a new file, which has its name only once it is complete and on the
    disk. Returns the number of rows."""
    if path.exists():
        raise ModelError(f"{path} exists already; give the backup another name.")
    if not path.parent.is_dir():
        raise ModelError(f"{path.parent} is no folder; make it before you write a backup there.")
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        part = Path(folder) / path.name
        copy = SqliteDatabase(part, create=True)
        try:
            copy.migrate(migrations)
            with source.snapshot(), copy.together():
                count = _copy(source, copy, copy)
            with copy.in_words():
                copy.execute("PRAGMA journal_mode = DELETE")  # one file, which can be read where nothing can be written
            _check(copy)
        finally:
            copy.close()
        part.chmod(0o600)
        _to_disk(part)
        part.rename(path)
        _to_disk(path.parent)
    return count


def restore(target: Database, path: Path, migrations: Migrations) -> int:
    """Copies a backup into an empty store: all of it, or nothing. Returns the number of rows."""
    if not path.is_file():
        raise ModelError(f"{path}: there is no such file.")
    with tempfile.TemporaryDirectory() as folder:
        backup = SqliteDatabase(path, create=False)
        try:
            with backup.in_words():
                if 0 < backup.version < len(migrations):  # the backup itself stays as it is
                    older = shutil.copyfile(path, Path(folder) / "older.sqlite")
                    backup.close()
                    backup = SqliteDatabase(older, create=False)
                    backup.name = str(path)
                backup.migrate(migrations)
            _check(backup)
            known = SqliteDatabase(Path(folder) / "known.sqlite", create=True)  # a file of others may have any tables
            known.migrate(migrations)
            with closing(known), backup.snapshot(), target.together():
                for table in known.tables():
                    if target.execute(f"SELECT count(*) FROM {table}").fetchone()[0]:
                        raise ModelError(f"{target.name} has results already; restore a backup into a new store.")
                return _copy(backup, target, known)
        finally:
            backup.close()


def _copy(source: Database, target: Database, described: SqliteDatabase) -> int:
    count = 0
    for table, (columns, order) in described.tables().items():
        marks = ", ".join("?" for _ in columns.split(", "))
        for row in source.stream(f"SELECT {columns} FROM {table} ORDER BY {order}"):
            target.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", row)
            count += 1
    return count


def _check(file: SqliteDatabase) -> None:
    with file.in_words():
        trouble = file.trouble()
    if trouble:
        raise ModelError(f"{file.name} is damaged ({trouble}); use another backup.")


def _to_disk(path: Path) -> None:
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
