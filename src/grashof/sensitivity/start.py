"""The start of a run for given values of the open numbers p, with ∂y/∂p and ∂c/∂p.

As in `OpenProgram.assemble`, the start is followed from the nominal one in increments by Newton's method; the
derivatives here are those of this procedure. Where the start conditions determine the state completely, they are given
by the implicit function theorem, Φ_q ∂q/∂p = −Φ_p; whatever is left undetermined stays as close as possible to the
guesses.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from grashof.program.native import Native
from grashof.program.open_program import ATTEMPTS, ITERATIONS, LONGEST, STRIDE, OpenProgram
from grashof.scalar.functions import Scalar
from grashof.tape import Tape, trace
from grashof.tape.differentiate import push

Array = np.ndarray

SAME = 1e-8
"""Two starts count as equal if they differ by less than this fraction of the mechanism's length (per second for
velocities)."""


@dataclass(frozen=True, eq=False)
class Start:
    """y (size,) and c (C,), with their derivatives (P, size) and (P, C); whether the mechanism could be assembled."""

    y: Array
    y_slopes: Array
    c: Array
    c_slopes: Array
    placed: bool


class StartSolver:
    """Solves for the start of an open program and its derivatives with respect to the open numbers."""

    def __init__(self, opened: OpenProgram) -> None:
        self.opened = opened
        setup = replace(opened.staged.setup, sizes=(opened.staged.setup.inputs, 0))
        tapes = {"setup": setup} | {name: opened.staged.tapes[name] for name in ("place", "keep", "launch")}
        self._native = Native({name: _doubled(tape) for name, tape in tapes.items()})

    def at(self, p: Array) -> Start:
        """The start at values p (P,)."""
        found = self.opened.assemble(p[None])
        y, c = found.y[0], found.coefficients[0]
        for finer in ATTEMPTS if found.placed[0] else ():
            end, y_slopes, c_slopes = self._followed(p, finer)
            if np.max(np.abs(end - y), initial=0.0) <= SAME * self.opened.length:
                return Start(y, y_slopes, c, c_slopes, True)
        unknown = np.full((len(p), len(y) + len(c)), np.nan)
        return Start(y, unknown[:, : len(y)], c, unknown[:, len(y) :], False)

    def _followed(self, p: Array, finer: int) -> tuple[Array, Array, Array]:
        """The start y, ∂y/∂p (P, size) and ∂c/∂p (P, C), followed in increments refined by a factor."""
        opened = self.opened
        layout, base = opened.layout, opened.nominal
        q, v, e = (slice(1 + part.start, 1 + part.stop) for part in (layout.of_q, layout.of_v, layout.of_e))
        kept = np.tile(opened.kept, (len(p), 1)), np.zeros((len(p), len(opened.kept)))
        x, s = np.zeros((2, len(p), 1 + layout.size))
        (_, guess, posed), _ = self._setup(base, 0.0, *kept)
        x[:, 0], x[:, q], x[:, e] = opened.time, posed, opened.extra
        guess_slopes = np.zeros_like(guess)
        far = float(np.max(np.abs(p - base) / opened.structure.scales, initial=0.0))
        strides = finer * int(np.clip(np.ceil(far / STRIDE), 1, LONGEST))
        for k in range(1, strides + 1):
            part = k / strides
            (c, ahead, _), (c_slopes, ahead_slopes, _) = self._setup(base + part * (p - base), part, *kept)
            x[:, q], s[:, q] = x[:, q] + (ahead - guess), s[:, q] + (ahead_slopes - guess_slopes)
            guess, guess_slopes = ahead, ahead_slopes
            for _ in range(1 if k < strides else ITERATIONS):
                found = self._rows("place", x, s, c, c_slopes)
                for into, values in zip((x, s), found, strict=True):
                    into[:, q], into[:, e] = values[:, : layout.nq], values[:, layout.nq : layout.nq + layout.extra]
        x[:, e] = opened.wrapped(x[:, e])
        kept = self._rows("keep", x, s, c, c_slopes)
        (c, *_), (c_slopes, *_) = self._setup(p, 1.0, *kept)
        for name, k in opened.integrated.items():
            place = e.start + layout.angles.index(name)
            x[:, place], s[:, place] = kept[0][:, k], kept[1][:, k]
        for _ in range(ITERATIONS):
            values, slopes = self._rows("launch", x, s, c, c_slopes)
            x[:, v], s[:, v] = values[:, :-1], slopes[:, :-1]
        return x[0, 1:], s[:, 1:], c_slopes

    def _setup(self, p: Array, part: float, kept: Array, kept_slopes: Array) -> tuple[list[Array], list[Array]]:
        """Coefficients, guesses and poses at p, and their derivatives; P rows each.

        part   fraction of the change of the numbers at p, so that ∂p/∂(numbers) = part · I
        """
        values, slopes = np.hstack([np.tile(p, (len(p), 1)), kept]), np.hstack([part * np.eye(len(p)), kept_slopes])
        none = np.empty((len(p), 0))
        count, n = self.opened.staged.count, self.opened.layout.nq
        found = self._rows("setup", values, slopes, none, none)
        first, second = (np.split(each[:, : count + 2 * n], [count, count + n], axis=1) for each in found)
        return first, second

    def _rows(self, name: str, x: Array, s: Array, c: Array, c_slopes: Array) -> tuple[Array, Array]:
        """The values of a function at the rows (x, c), and its derivatives in the directions (s, c_slopes)."""
        found = self._native.rows(name, np.hstack([x, s]), np.hstack([c, c_slopes]))
        half = found.shape[1] // 2
        return found[:, :half], found[:, half:]


def _doubled(tape: Tape) -> Tape:
    """([x, ẋ], [c, ċ]) → [y, ẏ] for a tape (x, c) → y."""
    first, second = tape.sizes

    def function(x: list[Scalar], c: list[Scalar]) -> list[Scalar]:
        rates = dict(enumerate([*x[first:], *c[second:]]))
        y, (slope,) = push(tape, [*x[:first], *c[:second]], [rates])
        return [*y, *slope]

    return trace(function, 2 * first, 2 * second)
