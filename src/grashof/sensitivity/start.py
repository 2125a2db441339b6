"""The start of a run for given values of the open numbers p, with ∂y/∂p and ∂c/∂p.

As in `OpenCode.assemble`, the start is followed from the nominal one in increments by Newton's method; the
derivatives here are those of this procedure. Where the start conditions determine the state completely, they are given
by the implicit function theorem, Φ_q ∂q/∂p = −Φ_p; whatever is left undetermined stays as close as possible to the
guesses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grashof.integrate.start_path import StartFinder
from grashof.program.native import Native
from grashof.program.open_code import OpenCode
from grashof.scalar.functions import Scalar
from grashof.tape import Tape, trace
from grashof.tape.differentiate import push

Array = np.ndarray

SAME = 1e-8
"""Two starts count as equal if they differ by less than this fraction of the mechanism's length (per second for
velocities)."""


@dataclass(frozen=True, eq=False)
class StartWithDerivatives:
    """y (size,), in the coordinates in which the motion is computed, and c (C,), with their derivatives (P, size) and
    (P, C); whether the mechanism could be assembled."""

    y: Array
    y_slopes: Array
    c: Array
    c_slopes: Array
    placed: bool


class StartSolver:
    """Solves for the start of an open program and its derivatives with respect to the open numbers."""

    def __init__(self, opened: OpenCode) -> None:
        self.opened = opened
        setup = replace(opened.staged.setup, sizes=(opened.staged.setup.inputs, 0))
        names = ["place", "keep", "launch", *(["own"] if opened.equations.relative else [])]
        tapes = {"setup": setup} | {name: opened.staged.tapes[name] for name in names}
        self._native = Native({name: _double_tape(tape) for name, tape in tapes.items()})
        self._finder = StartFinder(replace(opened.path, copies=2), self._native.library)

    def at(self, p: Array) -> StartWithDerivatives:
        """The start at values p (P,)."""
        found, numbers = self.opened.assemble(p[None]), len(p)
        y, c = found.y[0], found.coefficients[0]
        followed = self._finder.find(np.hstack([np.tile(p, (numbers, 1)), np.eye(numbers)]))
        (x, x_slopes), (_, c_slopes) = (np.split(both, 2, axis=1) for both in (followed.x, followed.c))
        far = np.max(np.abs(x[:, 1:] - y), initial=0.0)
        placed = bool(found.placed[0] and np.all(followed.found) and far <= SAME * self.opened.length)
        slopes = x_slopes[:, 1:]
        view = self.opened.view(c)
        if view is not None:
            slopes = self._own_slopes(followed.x, followed.c, slopes)
            y = view.own(self.opened.time, y)
        if placed:
            return StartWithDerivatives(y, slopes, c, c_slopes, True)
        return StartWithDerivatives(y, np.full_like(slopes, np.nan), c, np.full_like(c_slopes, np.nan), False)

    def _own_slopes(self, x: Array, c: Array, slopes: Array) -> Array:
        """The derivatives of the start in relative coordinates, of which those of extra states are the same."""
        both = self._native.rows("own", x, c)
        return np.column_stack([both[:, both.shape[1] // 2 :], slopes[:, self.opened.layout.of_e]])


def _double_tape(tape: Tape) -> Tape:
    """([x, ẋ], [c, ċ]) → [y, ẏ] for a tape (x, c) → y."""
    first, second = tape.sizes

    def function(x: list[Scalar], c: list[Scalar]) -> list[Scalar]:
        rates = dict(enumerate([*x[first:], *c[second:]]))
        y, (slope,) = push(tape, [*x[:first], *c[:second]], [rates])
        return [*y, *slope]

    return trace(function, 2 * first, 2 * second)
