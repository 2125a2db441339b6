"""Engines: Grashof and others, one module each, behind one protocol (`base.Engine`). An engine is imported when it is
first used.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grashof.engines.base import Engine

_NAMES = ("grashof", "exudyn", "mujoco", "pinocchio", "opensim", "drake", "sundials", "scipy")


class _Engines(Mapping[str, "Engine"]):
    """Engines by name; each module exports its engine as `ENGINE`."""

    def __getitem__(self, name: str) -> Engine:
        if name not in _NAMES:
            raise KeyError(name)
        engine: Engine = importlib.import_module(f"grashof.engines.{name}").ENGINE
        return engine

    def __contains__(self, name: object) -> bool:
        return name in _NAMES

    def __iter__(self) -> Iterator[str]:
        return iter(_NAMES)

    def __len__(self) -> int:
        return len(_NAMES)


ENGINES: Mapping[str, Engine] = _Engines()
