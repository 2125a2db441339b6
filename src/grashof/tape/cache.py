"""Compiled code kept on disk, so that a mechanism is compiled once and not at every start.

There is one file for each object, named by a hash of everything it was made from (program, compiler, processor), so
nothing has to be invalidated. Files are written to a temporary name and then renamed, so several processes may share
the folder. The least recently used objects are removed when the folder grows too large. A cache that cannot be used is
not an error.

The contents are executed, so they are checked before they are loaded. Each object ends with a digest of its name and
its bytes: an object that was damaged, truncated or renamed counts as missing and is compiled again. A digest does not
stop an attacker who can write to the folder, so folders and files are used only if they belong to this user or to root
and nobody else may write to them.

The folder is `$GRASHOF_CACHE`, otherwise `grashof` in `$XDG_CACHE_HOME` or `~/.cache`; `GRASHOF_CACHE=off` disables the
cache.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import stat
import time
from pathlib import Path

LARGEST = 256 * 2**20
"""Largest size of the folder, bytes."""

SLACK = 8
"""The folder is listed each time LARGEST / SLACK bytes have been written, and then reduced to LARGEST (1 − 1/SLACK)."""

ABANDONED = 3600.0
"""Age in s from which an unfinished file is assumed to be left over from a killed process."""

_JOURNAL = ".written"  # one byte for each _UNIT bytes written since the folder was last listed: its length is the count
_UNIT = 4096
_DIGEST = hashlib.sha256().digest_size


def folder() -> Path | None:
    """The folder for compiled code; None if there is none."""
    chosen = os.environ.get("GRASHOF_CACHE")
    if chosen == "off":
        return None
    if chosen:
        return Path(chosen)
    try:
        return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "grashof"
    except RuntimeError:  # there is no home folder: no HOME, and the system does not know the user
        return None


def refusal(place: Path) -> str | None:
    """Why this folder is not used, as a sentence; None if it is used or can be created."""
    try:
        status = place.stat()
    except FileNotFoundError:
        return None
    except OSError as problem:
        return f"{place} cannot be used ({problem.strerror})."
    if not stat.S_ISDIR(status.st_mode):
        return f"{place} is not a folder; name another one by GRASHOF_CACHE."
    if not _ours(status):
        return (
            f"{place} belongs to another user, or others may write to it, so code from there is not run; "
            f"use `chmod go-w`, or name another folder by GRASHOF_CACHE."
        )
    return None


def key(*parts: str) -> str:
    """The name of an object made from these texts."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(f"{len(part)}:".encode())
        digest.update(part.encode())
    return digest.hexdigest()


def get(name: str) -> bytes | None:
    """The object of that name, if it exists and is undamaged."""
    place = folder()
    if place is None or refusal(place) is not None:
        return None
    path = place / f"{name}.o"
    try:
        content = _read(path)
    except OSError:
        return None
    data, digest = content[:-_DIGEST], content[-_DIGEST:]
    if _digest(name, data) != digest:
        return None
    with contextlib.suppress(OSError):  # a read-only folder keeps no record of last use
        os.utime(path)
    return data


def put(name: str, data: bytes) -> None:
    """Stores an object."""
    place = folder()
    if place is None or refusal(place) is not None:
        return
    with contextlib.suppress(OSError):
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        written = _count(place, len(data) + _DIGEST)
        _write(place, f"{name}.o", data + _digest(name, data))
        if written >= LARGEST // SLACK:
            _tidy(place)


def contents() -> list[tuple[float, int, Path]]:
    """(last use, bytes, path) of every object, oldest first."""
    return [found for found in _list_objects() if not found[2].name.startswith(".")]


def clear() -> tuple[int, int]:
    """Removes every object and the leftovers of killed processes: (how many, how many bytes)."""
    removed = [size for _, size, path in _list_objects() if _remove(path)]
    return len(removed), sum(removed)


def _ours(status: os.stat_result) -> bool:
    """Whether nobody but this user and root can have written it."""
    if os.name == "nt":  # a user's folders are closed to others there, and modes carry no information
        return True
    return status.st_uid in (0, os.geteuid()) and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _read(path: Path) -> bytes:
    """A file's content. Symbolic links are not followed, and anything other than a regular file is opened without
    blocking."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        status = os.fstat(file.fileno())
        if not (stat.S_ISREG(status.st_mode) and _ours(status) and status.st_size <= LARGEST):
            raise PermissionError(path)
        return file.read()


def _write(place: Path, name: str, content: bytes) -> None:
    """Writes to a temporary name and renames. Nothing is synced to disk: the digest reveals a file damaged by a
    power failure."""
    aside = place / f".{name}.{secrets.token_hex(4)}"
    try:
        with open(aside, "xb", opener=_private) as file:
            file.write(content)
        os.replace(aside, place / name)
    finally:
        with contextlib.suppress(OSError):
            aside.unlink()


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, mode=0o600)


def _digest(name: str, data: bytes) -> bytes:
    digest = hashlib.sha256(name.encode() + b"\0")
    digest.update(data)
    return digest.digest()


def _count(place: Path, size: int) -> int:
    """Adds to the bytes written since the folder was last listed, and returns their number; several processes may do
    so at once."""
    with open(place / _JOURNAL, "ab", opener=_private) as journal:
        journal.write(bytes(-(-size // _UNIT)))
        return journal.tell() * _UNIT


def _tidy(place: Path) -> None:
    """Removes the least recently used objects and the leftovers of killed processes."""
    (place / _JOURNAL).unlink(missing_ok=True)
    now, total = time.time(), 0
    for used, size, path in reversed(_list_objects()):
        if path.name.startswith("."):
            if now - used > ABANDONED:
                _remove(path)
            continue
        total += size
        if total > LARGEST - LARGEST // SLACK:
            _remove(path)


def _list_objects() -> list[tuple[float, int, Path]]:
    """(last change, bytes, path) of every object and every unfinished one, oldest first."""
    place = folder()
    found = []
    with contextlib.suppress(OSError):
        for entry in os.scandir(place) if place is not None else ():
            if entry.name.endswith(".o") or (entry.name.startswith(".") and ".o." in entry.name):
                with contextlib.suppress(OSError):
                    status = entry.stat(follow_symlinks=False)
                    found.append((status.st_mtime, status.st_size, Path(entry.path)))
    return sorted(found)


def _remove(path: Path) -> bool:
    try:
        path.unlink()
    except OSError:
        return False
    return True
