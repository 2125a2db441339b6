"""What this package is made of: part of the name of everything kept from one process to the next."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable
from pathlib import Path

_PARTS = ("analysis", "dynamics", "model", "scalar", "system", "tape", "program.py")
"""All that a compiled mechanism depends on."""


@functools.cache
def digest() -> str:
    """A hash of the Python files that make a program of a model, so that nothing that another version kept is ever used."""
    return _hash(_PARTS)


@functools.cache
def whole_digest() -> str:
    """A hash of all Python files of the package: whatever has another one may compute other bits."""
    return _hash(("",))


def _hash(parts: Iterable[str]) -> str:
    folder = Path(__file__).parent
    found = hashlib.sha256()
    for part in parts:
        for path in sorted((folder / part).rglob("*.py")) or [folder / part]:
            content = path.read_bytes()
            found.update(f"{path.relative_to(folder)}:{len(content)}:".encode() + content)
    return found.hexdigest()
