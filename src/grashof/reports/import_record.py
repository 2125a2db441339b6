"""Keeps the results of a report on model files, so that one that was interrupted goes on where it ended."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from grashof.common.errors import ModelError
from grashof.reports.imported_file import ImportedFile


class Record:
    """Results of files in a file of JSON lines, with what they were found for."""

    def __init__(self, path: str | os.PathLike[str] | None, settings: str) -> None:
        self.path, self.settings = None if path is None else Path(path), settings
        self.known: dict[tuple[str, str], ImportedFile] = {}
        if self.path is None:
            return
        try:
            lines = self.path.read_bytes().splitlines() if self.path.exists() else []
            with self.path.open("ab"):
                pass
        except OSError as problem:
            raise ModelError(f"{self.path}: the record cannot be read and written ({problem.strerror}).") from None
        for number, line in enumerate(lines, 1):
            try:
                noted = msgspec.json.decode(line, type=_Note)
            except msgspec.DecodeError as problem:
                if number == len(lines):
                    continue  # an interrupted run may have written half of its last line
                raise ModelError(f"{self.path}, line {number}: this is not a record of a report ({problem}).") from None
            if noted.settings == settings:
                self.known[noted.file.path, noted.content] = noted.file

    def find(self, path: Path, name: str) -> ImportedFile | None:
        """What is known of a file with this name and content."""
        return self.known.get((name, _digest(path))) if self.path is not None else None

    def add(self, path: Path, found: ImportedFile) -> None:
        """Adds a line about a file."""
        if self.path is not None:
            with self.path.open("ab") as file:
                file.write(b"\n" * _ends_inside_a_line(self.path))
                file.write(msgspec.json.encode(_Note(self.settings, _digest(path), found)) + b"\n")


class _Note(msgspec.Struct, frozen=True):
    """A line of a record."""

    settings: str
    content: str
    file: ImportedFile


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _ends_inside_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - 1))
        return file.read(1) not in (b"", b"\n")
