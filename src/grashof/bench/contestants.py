"""Engines by name: those with an adapter in Grashof, and your own."""

from __future__ import annotations

from typing import cast

from grashof.common.errors import ModelError
from grashof.common.loading import load
from grashof.engines import ENGINES
from grashof.engines.base import Engine


def check_name(name: str) -> None:
    """Refuses a name that is neither an engine's nor `MODULE:NAME`; imports nothing."""
    if ":" not in name and name not in tuple(ENGINES):
        known = ", ".join(ENGINES)
        raise ModelError(
            f"There is no engine '{name}'; known are {known}; an engine of your own is given as MODULE:NAME."
        )


def engine_named(name: str) -> Engine:
    """The engine of this name, or the object `MODULE:NAME`, which must be one.

    >>> engine_named("grashof").name
    'grashof'
    """
    check_name(name)
    return cast(Engine, load("Engine", name)) if ":" in name else ENGINES[name]
