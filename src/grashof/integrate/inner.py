"""The motion inside the steps of methods that know it themselves: polynomials through values at fixed points.

Such a method (see `Method.inner`) gives Z_i = u(t₀ + c_i h) − y₀ for S points c_i, the last of which is the end of the
step. With the Lagrange polynomials ℓ_i of 0 and c, and the end y₁ after the projection,

    y(θ) = y₀ + θ (y₁ − y₀ − Z_S) + Σ_i ℓ_i(θ) Z_i

The values are recorded with every step, so that samples have the accuracy of the step, whatever was needed to make it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from operator import add, mul
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from grashof.integrate.values import Value

if TYPE_CHECKING:
    from grashof.formulation.layout import Sizes
    from grashof.integrate.methods import Method
    from grashof.integrate.step import Step
    from grashof.integrate.values import Array

Vector = NDArray[np.float64]
Number = TypeVar("Number", float, Value)


def lagrange(nodes: Sequence[float], x: Number) -> list[Number]:
    """The Lagrange polynomials of 0 and the nodes at x, without the first."""
    lengths = [c * reduce(mul, (c - d for d in nodes if d != c), 1.0) for c in nodes]
    apart = [x - c for c in nodes]
    before = [x]
    for y in apart[:-1]:
        before.append(before[-1] * y)
    found: list[Number] = []
    after: Number | None = None
    for i in range(len(nodes) - 1, -1, -1):
        product = before[i] if after is None else before[i] * after
        found.append(product * (1.0 / lengths[i]))
        after = apart[i] if after is None else apart[i] * after
    return found[::-1]


def interpolate(step: Step, theta: Value) -> None:
    """Emits statements that set y of `step.trial` to the state at θ of the step from `step.start` to `step.end`."""
    k, z = step.kernel, step.inner
    weights, wide = [k.splat(x) for x in lagrange(step.method.inner, theta)], k.splat(theta)
    y0, y1, y = (x.at(1) for x in (step.start, step.end, step.trial))
    for i in k.each(step.sizes.size):
        moved = y1[i] - (y0[i] + z[-1][i])  # by the projection
        y[i] = y0[i] + wide * moved + reduce(add, (w * x[i] for w, x in zip(weights, z, strict=True)))


def record(step: Step, row: Array) -> None:
    """Copies Z to a row of a record."""
    for s, z in enumerate(step.inner):
        step.kernel.copy(z, row.at(s * step.sizes.size), step.sizes.size)


def recall(step: Step, row: Array) -> None:
    """Copies a row of a record to Z."""
    for s, z in enumerate(step.inner):
        step.kernel.copy(row.at(s * step.sizes.size), z, step.sizes.size)


def width(method: Method, sizes: Sizes) -> int:
    """How many numbers a step of the method is recorded with."""
    return len(method.inner) * sizes.size


@dataclass(frozen=True, eq=False)
class StepRecords:
    """What is recorded of steps besides their ends, a row for the step that ends in each row of a run. Steps that were
    made otherwise have zeros: between their ends the motion is a straight line.

    methods   the methods of the run
    which     the number of the method of each step, (rows,)
    inner     Z of each step, (rows, …)
    """

    methods: tuple[Method, ...]
    which: NDArray[np.int8]
    inner: Vector

    def part(self, rows: slice) -> StepRecords:
        """Some of the rows."""
        return StepRecords(self.methods, self.which[rows], self.inner[rows])

    @staticmethod
    def join(parts: Sequence[StepRecords]) -> StepRecords:
        """Rows one after another; those of shorter records end with zeros."""
        widest = max(x.inner.shape[1] for x in parts)
        inner = np.concatenate([widen(x.inner, widest) for x in parts])
        return StepRecords(parts[-1].methods, np.concatenate([x.which for x in parts]), inner)

    def spans(self) -> list[tuple[Method, slice]]:
        """Consecutive steps of one method: the method, and the rows at all of their ends."""
        last = len(self.which) - 1
        if len(self.methods) == 1:
            return [(self.methods[0], slice(0, last + 1))]
        changes = (2 + np.flatnonzero(self.which[1:-1] != self.which[2:])).tolist()
        firsts, ends = [1, *changes], [*changes, last + 1]  # rows in which the first steps end, and those after them
        return [(self.methods[self.which[min(a, last)]], slice(a - 1, b)) for a, b in zip(firsts, ends, strict=True)]


def widen(rows: Vector, width: int) -> Vector:
    """The rows with zeros at their ends."""
    if width <= rows.shape[1]:
        return rows
    wider = np.zeros((len(rows), width))
    wider[:, : rows.shape[1]] = rows
    return wider


def cut(nodes: Sequence[float], inner: Vector, part: float) -> Vector:
    """Z of a step that is ended earlier, at this part of its length."""
    if not nodes:
        return inner
    size = inner.size // len(nodes)
    weights = np.array([lagrange(nodes, part * c) for c in nodes])
    return np.concatenate([sum(w * z for w, z in zip(row, inner.reshape(-1, size), strict=False)) for row in weights])
