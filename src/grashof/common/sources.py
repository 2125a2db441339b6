"""Hashes of the source files of this package, which are part of the names of everything in the cache."""

from __future__ import annotations

import functools
import hashlib
import os

_USERS = frozenset(
    (
        "bench",
        "cli",
        "engines",
        "examples",
        "exchange",
        "judge",
        "live",
        "precise",
        "problems",
        "questions",
        "reactions",
        "references",
        "reports",
        "scene",
        "sensitivity",
        "server",
        "show",
        "situation",
        "sweeps",
        "view",
    )
)
"""Packages that use compiled mechanisms and have no part in making them; whatever is not listed here counts."""


@functools.cache
def digest() -> str:
    """A hash of the Python files that turn a model into a program, so that nothing cached by another version is ever
    used."""
    return _hash(_USERS)


@functools.cache
def whole_digest() -> str:
    """A hash of all Python files of the package: a version with a different hash may compute different bits."""
    return _hash(frozenset())


def _hash(left_out: frozenset[str]) -> str:
    """A hash of the Python files of the package, without the folders of these names at its top."""
    top = os.path.dirname(os.path.dirname(__file__))
    found = hashlib.sha256()
    for folder, folders, files in os.walk(top):
        folders[:] = sorted(name for name in folders if folder != top or name not in left_out)
        for name in sorted(files):
            if name.endswith(".py"):
                path = os.path.join(folder, name)
                with open(path, "rb") as file:
                    content = file.read()
                found.update(f"{path[len(top) :].replace(os.sep, '/')}:{len(content)}:".encode() + content)
    return found.hexdigest()
