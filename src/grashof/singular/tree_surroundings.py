"""The constraints around the states of a run in relative coordinates.

Relative coordinates do not lead through singular positions of loops: a run that passes one, or comes so near to one
that its rows are not solved accurately, is undecided, and can be repeated in natural coordinates.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.relative.equations import Relative
from grashof.formulation.relative.rows_at_states import tree_rows_of
from grashof.singular.curves import Continuation, Unknown
from grashof.singular.passages import Dense, Passages
from grashof.tape import Library

Array = NDArray[np.float64]


class TreeSurroundings(Passages):
    """The constraints around states in relative coordinates."""

    def __init__(self, relative: Relative, library: Library | None = None) -> None:
        assert relative.solving is not None
        super().__init__(relative, relative.solving.redundant, library)
        self.relative, self.least = relative, relative.solving.least

    def distances(self, t: Array, y: Array) -> Array:
        """1: no step across a singular position is looked for."""
        return np.ones(len(t))

    def passages(self, t: Array, y: Array, dense: Dense) -> Iterator[tuple[int, bool]]:
        """The indices of the steps in which the mechanism seems to have passed a singular position, and whether it has
        changed sides; and of those in which rows are not solved accurately."""
        weak = ~(tree_rows_of(self.relative).strengths(t, y) > self.least)
        for k in np.flatnonzero(weak[1:] & ~weak[:-1]).tolist():
            yield k, True
        yield from super().passages(t, y, dense)

    def critical_point(self, t: float, y: Array, ahead: float) -> None:
        """Critical points are not looked for."""

    def fold(self, t: float, y: Array, left: float) -> None:
        """Folds are not looked for."""

    def continuation(self, t: float, y: Array, forward: float) -> NoReturn:
        """Raises `Unknown`: how the motion continues is not known."""
        raise Unknown

    def motion_along(self, curve: Continuation) -> NoReturn:
        """Raises `Unknown`."""
        raise Unknown
