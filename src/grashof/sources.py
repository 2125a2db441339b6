"""Hashes of the source files of this package, which are part of the names of everything in the cache."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable
from pathlib import Path

_PARTS = ("analysis", "dynamics", "model", "scalar", "system", "tape", "program.py")
"""Everything on which a compiled mechanism depends."""


@functools.cache
def digest() -> str:
    """A hash of the Python files that turn a model into a program, so that nothing cached by another version is ever used."""
    return _hash(_PARTS)


@functools.cache
def whole_digest() -> str:
    """A hash of all Python files of the package: a version with a different hash may compute different bits."""
    return _hash(("",))


def _hash(parts: Iterable[str]) -> str:
    folder = Path(__file__).parent
    found = hashlib.sha256()
    for part in parts:
        for path in sorted((folder / part).rglob("*.py")) or [folder / part]:
            content = path.read_bytes()
            found.update(f"{path.relative_to(folder)}:{len(content)}:".encode() + content)
    return found.hexdigest()
