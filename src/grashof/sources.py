"""What this package is made of: part of the name of everything kept from one process to the next."""

from __future__ import annotations

import functools
import hashlib
from pathlib import Path

_PARTS = ("analysis", "dynamics", "model", "scalar", "system", "tape", "program.py")
"""All that a compiled mechanism depends on."""


@functools.cache
def digest() -> str:
    """A hash of the Python files that make a program of a model, so that nothing that another version kept is ever used."""
    folder = Path(__file__).parent
    found = hashlib.sha256()
    for part in _PARTS:
        for path in sorted((folder / part).rglob("*.py")) or [folder / part]:
            content = path.read_bytes()
            found.update(f"{path.relative_to(folder)}:{len(content)}:".encode() + content)
    return found.hexdigest()
