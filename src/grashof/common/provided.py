"""What lower packages ask of higher ones: a run plots itself, but only `show` knows how.

`grashof/__init__.py` says who provides what, and a function is imported when it is first asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

_HOMES: dict[str, str] = {}


def provide(homes: Mapping[str, str]) -> None:
    """Registers functions by name, with the modules that contain them."""
    _HOMES.update(homes)


def provided(name: str) -> Callable[..., Any]:
    """The function that a higher package provides under this name.

    >>> provided("save_table").__module__
    'grashof.show.tables'
    """
    function: Callable[..., Any] = getattr(import_module(_HOMES[name]), name)
    return function
