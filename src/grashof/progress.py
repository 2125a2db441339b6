"""How anything that takes long tells what it is doing: by calling a function with a `Part` now and then."""

from __future__ import annotations

from collections.abc import Callable


class Part(float):
    """The part of the work that is done, 0 to 1, as far as it is known; `doing` says what is being done, `detail` how far it is.

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
"""Whoever wants to know; KeyboardInterrupt from there ends a run with the steps made."""


def silent(part: Part) -> None:
    """Nobody wants to know."""
