"""Names that another program accepts."""

from __future__ import annotations

import re


class Names:
    """Gives each item a unique name without forbidden characters."""

    def __init__(self, forbidden: str = r"\s\\/*+\x00-\x1f\x7f") -> None:
        self._other = re.compile(f"[{forbidden}]+")
        self._taken: set[str] = set()
        self._counts: dict[str, int] = {}

    def new(self, wanted: str) -> str:
        """The name with forbidden characters replaced, and with a number appended if it is already in use.

        >>> names = Names()
        >>> names.new("left rod"), names.new("left/rod")
        ('left_rod', 'left_rod_2')
        """
        plain = self._other.sub("_", wanted) or "unnamed"
        found, count = plain, self._counts.get(plain, 1)
        while found in self._taken:
            count += 1
            found = f"{plain}_{count}"
        self._counts[plain] = count
        self._taken.add(found)
        return found
