"""Progress of anything that takes long: a function is called with a `Part` from time to time."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO

PATIENCE, PAUSE = 2.0, 0.2
"""The delay before progress is shown, and the least time between two changes, s."""


class Part(float):
    """The fraction of the work that is done, 0 to 1, as far as it is known; `doing` names the current activity,
    `detail` describes how far it is.

    >>> half = Part(0.5, "integrating")
    >>> f"{half.doing}: {half:.0%}"
    'integrating: 50%'
    """

    doing: str
    detail: str

    def __new__(cls, part: float, doing: str, detail: str = "") -> Part:
        found = super().__new__(cls, part)
        found.doing = doing
        found.detail = detail
        return found


Progress = Callable[[Part], None]
"""A function that receives progress; if it raises KeyboardInterrupt, a run ends with the steps made so far."""


class ProgressLine:
    """Shows progress as one line that is written over again and again, once a computation has taken longer than two
    seconds, and is removed at the end."""

    def __init__(self, stream: TextIO, now: Callable[[], float] = time.perf_counter) -> None:
        self._stream, self._now = stream, now
        self._next, self._width = now() + PATIENCE, 0

    def __call__(self, part: Part) -> None:
        if self._now() < self._next:
            return
        self._next = self._now() + PAUSE
        text = f"{part.doing}: {part:.0%}" + (f", {part.detail}" if part.detail else "")
        self._stream.write(f"\r{text.ljust(self._width)}")
        self._stream.flush()
        self._width = len(text)

    def clear(self) -> None:
        """Removes the line."""
        if self._width:
            self._stream.write(f"\r{' ' * self._width}\r")
            self._stream.flush()


def is_watched() -> bool:
    """Whether a person sees the standard error stream: on a terminal or in a notebook."""
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def silent(part: Part) -> None:
    """Ignores all progress."""
