"""Writes the TypeScript types of the data of a live page, and the constants that its engine shares with that of Python:
`python -m grashof.live.typescript > web/src/live/data.ts`."""

from __future__ import annotations

import sys
from types import ModuleType

from grashof.live import session
from grashof.live.data import LiveData
from grashof.view.typescript import declarations

CONSTANTS: dict[ModuleType, tuple[str, ...]] = {session: ("DAMPED",)}
"""The constants of Python that the engine in TypeScript uses, by the modules that define and explain them."""


def live_declarations() -> str:
    """The interface `LiveData` and those of its parts, then the constants."""
    lines = []
    for module, names in CONSTANTS.items():
        lines.append(f"\n/** As in `{module.__name__}`. */")
        lines += [f"export const {name} = {_number(getattr(module, name))};" for name in names]
    return declarations(LiveData, by="grashof.live.typescript") + "\n".join(lines) + "\n"


def _number(value: float | tuple[float, ...]) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_number, value))}]"
    return repr(value)


if __name__ == "__main__":
    sys.stdout.write(live_declarations())
