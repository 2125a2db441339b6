"""Writes the TypeScript twin of what a live page is made from: `python -m grashof.live.typescript > web/src/live/data.ts`."""

from __future__ import annotations

import sys

from grashof.live.data import LiveData
from grashof.view.typescript import declarations


def live_declarations() -> str:
    """The interface `LiveData` and all that it holds."""
    return declarations(LiveData, by="grashof.live.typescript")


if __name__ == "__main__":
    sys.stdout.write(live_declarations())
