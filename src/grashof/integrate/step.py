"""One step of DOP853 for y = [q, v, e], q̇ = v, as native code: what the time loop and the dense output share.

The mechanism's own functions are called by name; x = [t, q, v, e] has time first:

    void derivative(ptr x, ptr out)    out = [a (n), ė (k)]
    void project(ptr x, ptr out)       out = [q (n), v (n), e (k), r]    r: squared violation left, m²

A slope is [v, a, ė]: `derivative` writes all of it but the velocities, which are copied, not computed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, reduce
from operator import add

from grashof.integrate.dop853 import DENSE, E3, E5, STAGES, A, C, Row
from grashof.integrate.kernel import LANES, Array, Kernel, Value, table

TERMS = 9
"""Most non-zero coefficients in a row of a step; longer rows of the dense output are given in two."""


ROWS: tuple[Row, ...] = (
    *A,
    E5,
    E3,
    {0: -1.0, 1: 1.0},
    *(dict(list(row.items())[:TERMS]) for row in DENSE),
    *(dict(list(row.items())[TERMS:]) for row in DENSE),
)
"""All sums of slopes: the stages, the error estimates, a difference, the dense polynomial in two parts.

They are tables, not code: written out they were 10 % faster and took twice as long to compile."""
ROW_E5, ROW_E3, ROW_DIFFERENCE, ROW_DENSE = range(len(A), len(A) + 4)


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
        """Offsets of three points [t, y, r], of vectors and of lists of vectors; "end of all" is the size."""
        sizes = {
            "start": self.padded + LANES,
            "trial": self.padded + LANES,
            "end": self.padded + LANES,
            "weights": self.padded,
            "zeros": self.padded,
            "error": self.padded,
            "squares": LANES,
            "slopes": self.padded * len(A),
            "dense": self.padded * len(DENSE),
        }
        places, free = {}, 0
        for name, size in sizes.items():
            places[name], free = free, free + size
        return places | {"end of all": free}


class Step:
    """The vectors of a step inside a kernel, and statements on them."""

    def __init__(self, kernel: Kernel, space: Workspace, work: Array) -> None:
        place = {name: work.at(offset) for name, offset in space.places.items()}
        self.kernel, self.space, self.n = kernel, space, space.n
        self.start, self.trial, self.end = place["start"], place["trial"], place["end"]
        self.weights, self.zeros, self.error = place["weights"], place["zeros"], place["error"]
        self.squares, self.slopes, self.dense = place["squares"], place["slopes"], place["dense"]

    def slope(self, s: Value | int) -> Array:
        return self.slopes.at(s * self.space.padded)

    def evaluate(self, x: Array, slope: Array) -> None:
        """slope = [v, a, ė] at x = [t, q, v, e]."""
        self.kernel.copy(x.at(1 + self.n), slope, self.n)
        self.kernel.call("derivative", x, slope.at(self.n))

    def combine(self, row: Value | int, h: Value | float, base: Array, target: Array) -> None:
        """target = base + h Σ_j row_j k_j, for a row of ROWS."""
        k = self.kernel
        row = row if isinstance(row, Value) else k.constant(row, "i64")
        h = h if isinstance(h, Value) else k.constant(h)
        k.call("combine", row, h, base, self.slopes, target)

    def stage(self, s: Value | int, h: Value) -> None:
        """trial = [t₀ + C_s h, y₀ + h Σ_j A_sj k_j]."""
        self.trial[0] = self.start[0] + self.kernel.table("nodes")[s] * h
        self.combine(s, h, self.start.at(1), self.trial.at(1))

    def square(self, vector: Array) -> Value:
        """Σ (w_i x_i)², not finite if any x_i is not, even one of weight zero."""
        self.kernel.call("square", self.weights, vector, self.squares)
        return self.squares[0]

    def project(self) -> None:
        """end = [t, y on the constraints, r] of trial."""
        self.end[0] = self.trial[0]
        self.kernel.call("project", self.trial, self.end.at(1))


def step_ir(space: Workspace) -> str:
    """The tables and the functions that every kernel with a `Step` may call."""
    coefficients = [c for row in ROWS for c in _filled(row.values())]
    columns = [j * space.padded for row in ROWS for j in _filled(row)]
    tables = (table("coefficients", coefficients), table("columns", columns, "i64"), table("nodes", C))
    return "".join((*tables, _combine_ir(space), _square_ir(space), _stages_ir(space)))


def _filled(items: Iterable[float]) -> list[float]:
    given = list(items)
    return given + [0] * (TERMS - len(given))


def _combine_ir(space: Workspace) -> str:
    k = Kernel("combine", "internal", "noinline")
    row, h = k.number("row", "i64"), k.number("h")
    base, slopes, target = k.array("base"), k.array("slopes"), k.array("target")
    coefficients, columns = k.table("coefficients"), k.table("columns", "i64")
    places = [row * TERMS + j for j in range(TERMS)]
    terms = [(k.splat(coefficients[place]), slopes.at(columns[place])) for place in places]
    with k.each(space.padded, LANES) as i:
        target[i] = base[i] + h * reduce(add, (c * slope[i] for c, slope in terms))
    return k.text()


def _square_ir(space: Workspace) -> str:
    k = Kernel("square", "internal", "noinline")
    weights, vector, result = k.array("weights"), k.array("vector"), k.array("result")
    squares = k.local(k.zeros())
    with k.each(space.padded, LANES) as i:
        weighted = weights[i] * vector[i]
        squares.value += weighted * weighted
    result[0] = k.total(squares.value)
    return k.text()


def _stages_ir(space: Workspace) -> str:
    """`stages(h, work)`: the slopes 1 … 11 from start and slope 0; trial becomes the end of the step.

    One function, never inlined, so that the dense output meets exactly the bits of the time loop.
    """
    k = Kernel("stages", "internal", "noinline")
    h = k.number("h")
    step = Step(k, space, k.array("work"))
    with k.each(STAGES - 1) as before:
        s = before + 1
        step.stage(s, h)
        step.evaluate(step.trial, step.slope(s))
    step.stage(STAGES, h)
    return k.text()
