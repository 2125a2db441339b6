"""Writes the TypeScript types of the data of a live page: `python -m grashof.live.typescript >
web/src/live/data.ts`."""

from __future__ import annotations

import sys

from grashof.live.data import LiveData
from grashof.view.typescript import declarations


def live_declarations() -> str:
    """The interface `LiveData` and those of its parts."""
    return declarations(LiveData, by="grashof.live.typescript")


if __name__ == "__main__":
    sys.stdout.write(live_declarations())
