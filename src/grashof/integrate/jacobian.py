"""The Jacobian of the rates as native code, exactly, from their tape:

    void jacobian(ptr x, ptr c, ptr out)      out = ∂(rates)/∂[t, q, v, e], row by row

Each column is a directional derivative, and the tape of these (see `tape.differentiate`) is compiled once, whatever the
number of columns: a single run evaluates four columns at once, in the lanes of a vector; runs in lanes evaluate one
after another. Nothing depends on works, so their columns are not written.
"""

from __future__ import annotations

from dataclasses import replace

from grashof.formulation.layout import Sizes
from grashof.integrate.kernel import Kernel, declarations
from grashof.integrate.values import LANES, Array, Value
from grashof.scalar.functions import Scalar
from grashof.tape import Library, LlvmModule, Tape, emit, trace
from grashof.tape.differentiate import push
from grashof.tape.lanes import ONE, Lanes


def jacobian_library(derivative: Tape, sizes: Sizes, runs: Lanes | None = None) -> Library:
    """The machine code of `jacobian`, given the tape of the rates, for one run or for several in lanes."""
    module = emit({"slope": slope_tape(derivative)}, lanes=runs or Lanes(LANES))
    known = [line for line in declarations(runs or ONE).splitlines() if line not in module.text]
    kernel = jacobian_ir(sizes, derivative.sizes[1], runs)
    return Library(LlvmModule("\n".join([*known, module.text, kernel]), module.schedules))


def slope_tape(derivative: Tape) -> Tape:
    """(x, c, ẋ) → J ẋ."""

    def function(x: list[Scalar], c: list[Scalar], rates: list[Scalar]) -> list[Scalar]:
        return push(derivative, [*x, *c], [dict(enumerate(rates))])[1][0]

    return trace(function, *derivative.sizes, derivative.sizes[0])


def jacobian_ir(sizes: Sizes, coefficients: int, runs: Lanes | None) -> str:
    """The code of `jacobian`, which calls `slope`."""
    k = Kernel("jacobian", runs=runs or ONE, unrolled=1)
    x, c, out = k.array("x"), k.array("c"), k.array("out")
    width, once = 1 + sizes.size, 1 if runs else LANES
    columns = -(-(width - sizes.works) // once)
    whole = replace(k.constant(0, "i64"), lanes=once)  # all columns of a group

    def vectors(count: int) -> Array:
        """Vectors with a number for each column of a group."""
        return Array(k, k.allocate(f"[{once * count} x {k.runs.real}], align {max(32, 8 * k.runs.count)}"))

    def spread(source: Array, count: int) -> Array:
        """The same numbers for all columns."""
        if once == 1 or not count:
            return source
        found = vectors(count)
        for i in k.each(count, 1):
            found.at(i * once)[whole] = k.splat(source[i])
        return found

    point, numbers = spread(x, width), spread(c, coefficients)
    count = max(columns * once, width)
    rates, found = vectors(count), vectors(sizes.rates)
    nothing = k.zeros() if once > 1 else k.constant(0.0)
    for i in k.each(count, 1):
        rates.at(i * once)[whole] = nothing

    def seed(first: Value, rate: float) -> None:
        for lane in range(once):
            rates.at(first * once)[lane * (once + 1)] = rate

    # the last columns first: what is written past the end of a row belongs to the next, which is completed later
    for i in k.each(columns, 1):
        first = ((columns - 1.0) - i) * once
        seed(first, 1.0)
        k.call("slope", point, numbers, rates, found)
        seed(first, 0.0)
        for row in k.each(sizes.rates, 1):
            out.at(row * width + first)[whole] = found.at(row * once)[whole]
    return k.text()
