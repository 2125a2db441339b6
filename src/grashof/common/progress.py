"""Progress of anything that takes long: a function is called with a `Part` from time to time."""

from __future__ import annotations

from collections.abc import Callable


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


def silent(part: Part) -> None:
    """Ignores all progress."""
