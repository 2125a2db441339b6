"""Writes files in one step, so that a reader sees the old content or the new; reads files up to a largest size."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

from grashof.errors import ModelError


def read_at_most(path: str | os.PathLike[str], most: int) -> bytes:
    """The content of a file of at most `most` bytes; ModelError if it is larger, OSError if it cannot be read."""
    with open(path, "rb") as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ModelError(f"{os.fspath(path)} has more than {most:,} bytes, which is the largest size that is read.")
    return content


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Writes the content (text as UTF-8) to a temporary file in the same folder, then puts it in the place of `path`.

    Raises OSError when the file cannot be written, as in a folder that does not exist; then `path` is as it was.
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
        raise OSError(problem.errno, problem.strerror, os.fspath(path)) from problem  # not the temporary's name
    finally:
        with contextlib.suppress(OSError):  # it is gone when all went well, and never was when its folder is none
            temporary.unlink()
