"""The type of a program's numbers in LLVM IR: a double or, if several runs are computed at once, a vector with a double
for each of them.

Operations on vectors work on each lane separately and round like those on doubles: a lane has the same digits as a
single run.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass


def double(value: float) -> str:
    """A double, written by its bits."""
    return f"0x{struct.unpack('<Q', struct.pack('<d', value))[0]:016X}"


@dataclass(frozen=True)
class Lanes:
    """A number of runs computed at once."""

    count: int = 1

    def of(self, element: str) -> str:
        """The type of one such element for each lane."""
        return f"<{self.count} x {element}>" if self.count > 1 else element

    @property
    def real(self) -> str:
        """The type of numbers."""
        return self.of("double")

    @property
    def truth(self) -> str:
        """The type of conditions."""
        return self.of("i1")

    @property
    def suffix(self) -> str:
        """The suffix of LLVM's functions for such numbers."""
        return f"v{self.count}f64" if self.count > 1 else "f64"

    @property
    def bytes(self) -> int:
        """The size of a number in memory."""
        return 8 * self.count

    def constant(self, value: float) -> str:
        """The same number in all lanes."""
        return self.literal("double", double(value))

    def literal(self, element: str, text: str) -> str:
        """The same element, given by its text, in all lanes."""
        return f"<{', '.join([f'{element} {text}'] * self.count)}>" if self.count > 1 else text


ONE = Lanes()
"""A single run: its numbers are doubles."""
