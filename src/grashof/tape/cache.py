"""Compiled code kept on disk, so that a mechanism is compiled once and not at every start.

One file an object, named by a hash of everything it was made from (program, compiler, processor): nothing has to be invalidated. Files
appear whole (written aside, then renamed), so several processes may share the folder; the least recently used go when it grows too
large. A cache that cannot be used is no error.

The folder is `$GRASHOF_CACHE`, else `grashof` in `$XDG_CACHE_HOME` or `~/.cache`; `GRASHOF_CACHE=off` turns it off.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from pathlib import Path

from grashof.writing import write_atomically

LARGEST = 256 * 2**20
"""Bytes in the folder."""


def folder() -> Path | None:
    """Where compiled code is kept; None if nowhere."""
    chosen = os.environ.get("GRASHOF_CACHE")
    if chosen == "off":
        return None
    if chosen:
        return Path(chosen)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "grashof"


def key(*parts: str) -> str:
    """The name of what is made from these texts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part.encode())
    return digest.hexdigest()


def get(name: str) -> bytes | None:
    """The object of that name, if it is there."""
    place = folder()
    if place is None:
        return None
    try:
        data = (place / f"{name}.o").read_bytes()
        os.utime(place / f"{name}.o")
    except OSError:
        return None
    return data


def put(name: str, data: bytes) -> None:
    """Keeps an object."""
    place = folder()
    if place is None:
        return
    with contextlib.suppress(OSError):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_atomically(place / f"{name}.o", data)
        _make_room(place)


def contents() -> list[tuple[float, int, Path]]:
    """(last use, bytes, path) of every object, oldest first."""
    place = folder()
    found = []
    for path in place.glob("*.o") if place is not None else ():
        with contextlib.suppress(OSError):
            status = path.stat()
            found.append((status.st_mtime, status.st_size, path))
    return sorted(found)


def clear() -> tuple[int, int]:
    """Removes every object: (how many, how many bytes)."""
    removed = [size for _, size, path in contents() if _remove(path)]
    return len(removed), sum(removed)


def _make_room(place: Path) -> None:
    kept = contents()
    total = sum(size for _, size, _ in kept)
    for _, size, path in kept:
        if total <= LARGEST:
            break
        if _remove(path):
            total -= size


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True
