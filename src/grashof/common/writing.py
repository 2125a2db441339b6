"""Writes files atomically, so that a reader sees either the old or the new content; reads files of limited size."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from grashof.common.errors import ModelError


def read_at_most(path: str | os.PathLike[str], most: int) -> bytes:
    """The content of a file of at most `most` bytes; ModelError if it is larger, OSError if it cannot be read."""
    with open(path, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ModelError(f"{os.fspath(path)} has more than {most:,} bytes, which is the largest size that is read.")
    return content


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Writes the content (text as UTF-8) to a temporary file in the same folder, then renames it to `path`.

    Raises OSError if the file cannot be written, for example because the folder does not exist; `path` is then
    unchanged.
    """
    target = Path(path).resolve()
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with temporary.open("xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except OSError as problem:
        raise OSError(problem.errno, problem.strerror, os.fspath(path)) from problem  # not the temporary name
    finally:
        with contextlib.suppress(OSError):  # it is gone after success, and never existed without a folder
            temporary.unlink()
