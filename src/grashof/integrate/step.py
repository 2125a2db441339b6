"""One step of DOP853 for y = [q, v, e], q̇ = v, as native code: what the time loop and the dense output share.

The mechanism's own functions are called by name; x = [t, q, v, e] has time first:

    void derivative(ptr x, ptr out)    out = [a (n), ė (k)]
    void project(ptr x, ptr out)       out = [q (n), v (n), e (k), r]    r: squared violation left, m²

A slope is [v, a, ė]: `derivative` writes all of it but the velocities, which are copied, not computed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add

from grashof.integrate.dop853 import DENSE_ORDER, STAGES, A, C, Row
from grashof.integrate.kernel import Kernel
from grashof.integrate.values import LANES, Array, Value


@dataclass(frozen=True)
class Workspace:
    """Where things are in the array of doubles that native code works in.

    Vectors are padded to whole lanes; the padding stays finite and has weight zero.
    """

    n: int
    extra: int

    @property
    def size(self) -> int:
        """Numbers in a state y."""
        return 2 * self.n + self.extra

    @property
    def padded(self) -> int:
        return -(-self.size // LANES) * LANES

    @cached_property
    def places(self) -> dict[str, int]:
        """Offsets of three points [t, y, r], the weights and lists of vectors; "all" is the size of the whole."""
        sizes = {
            "start": self.padded + LANES,
            "trial": self.padded + LANES,
            "end": self.padded + LANES,
            "weights": self.padded,
            "slopes": self.padded * len(A),
            "dense": self.padded * DENSE_ORDER,
        }
        places, free = {}, 0
        for name, size in sizes.items():
            places[name], free = free, free + size
        return places | {"all": free}


class Step:
    """The vectors of a step inside a kernel, and statements on them."""

    def __init__(self, kernel: Kernel, space: Workspace, work: Array) -> None:
        place = {name: work.at(offset) for name, offset in space.places.items()}
        self.kernel, self.space, self.n = kernel, space, space.n
        self.start, self.trial, self.end = place["start"], place["trial"], place["end"]
        self.weights = place["weights"]
        self.slopes = [place["slopes"].at(s * space.padded) for s in range(len(A))]
        self.dense = [place["dense"].at(i * space.padded) for i in range(DENSE_ORDER)]

    def evaluate(self, x: Array, slope: Array) -> None:
        """slope = [v, a, ė] at x = [t, q, v, e]."""
        self.kernel.copy(x.at(1 + self.n), slope, self.n)
        self.kernel.call("derivative", x, slope.at(self.n))

    def combination(self, row: Row, i: Value) -> Value:
        """Σ_j row_j k_j, elements i."""
        return reduce(add, (coefficient * self.slopes[j][i] for j, coefficient in row.items()))

    def stage(self, s: int, h: Value) -> None:
        """trial = [t₀ + C_s h, y₀ + h Σ_j A_sj k_j]."""
        start, trial, wide_h = self.start.at(1), self.trial.at(1), self.kernel.splat(h)
        self.trial[0] = self.start[0] + C[s] * h
        with self.kernel.each(self.space.padded, LANES) as i:
            trial[i] = start[i] + wide_h * self.combination(A[s], i)

    def squares(self, count: int, vectors: Callable[[Value], Sequence[Value]]) -> list[Value]:
        """Σ_i (w_i x_i)² of so many vectors x; not finite if any x_i is not, even one of weight zero."""
        k = self.kernel

        def update(i: Value, totals: list[Value]) -> list[Value]:
            weighted = [self.weights[i] * x for x in vectors(i)]
            return [total + x * x for total, x in zip(totals, weighted, strict=True)]

        return [k.total(x) for x in k.fold(self.space.padded, LANES, [k.zeros()] * count, update)]

    def project(self) -> None:
        """end = [t, y on the constraints, r] of trial."""
        self.end[0] = self.trial[0]
        self.kernel.call("project", self.trial, self.end.at(1))


def stages_ir(space: Workspace) -> str:
    """`stages(h, work)`: the slopes 1 … 11 from start and slope 0; trial becomes the end of the step.

    One function, so that the dense output meets exactly the bits of the time loop.
    """
    k = Kernel("stages", internal=True)
    h = k.number("h")
    step = Step(k, space, k.array("work"))
    for s in range(1, STAGES):
        step.stage(s, h)
        step.evaluate(step.trial, step.slopes[s])
    step.stage(STAGES, h)
    return k.text()
