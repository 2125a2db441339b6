"""Native loops over arrays of doubles, written in Python and emitted as LLVM IR text.

A `Kernel` is one native function. Python operators on its values append instructions, `for` statements make loops and
`with` statements branches, so that a numerical method reads as its equations:

>>> k = Kernel("axpy")
>>> a, x, y = k.number("a"), k.array("x"), k.array("y")
>>> for i in k.each(80):
...     y[i] = y[i] + a * x[i]
>>> "@llvm.fmuladd.v4f64" in k.text()
True

An index that runs in lanes of four turns every load, store and operation on it into a vector one; machines with
narrower registers split it. Loops of a few iterations are unrolled. The text leaves only the choice of instructions to
the optimiser: loops, vectors and constants are decided here, which halves the time to compile it.

A product that is added to something is always fused with the sum; nothing else is relaxed, lanes are summed in a fixed
order, and NaN and infinity behave as IEEE 754 specifies. So the numbers are the same on every processor with fused
multiply-add.

The same text also yields the function for several runs at once: each number is then a vector with a lane for each run,
and `with k.when(condition)` continues with the lanes for which the condition holds, if there are any. Stores inside
affect only these lanes.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace

from grashof.integrate.values import LANES, Array, Local, Record, Value, bits_of, literal, parts, vector_type
from grashof.scalar import integer_power
from grashof.tape.lanes import ONE, Lanes, double
from grashof.tape.llvm import STRAIGHT_LINE

UNROLLED = 8
"""Loops over at most this many elements are unrolled, except in WebAssembly, where loops are smaller and faster."""

_INTRINSICS = {"fabs": 1, "sqrt": 1, "maxnum": 2, "minnum": 2, "copysign": 2, "fmuladd": 3}


def declarations(*runs: Lanes) -> str:
    """The declarations at the top of a module of kernels."""
    lines = {
        f"declare {x.real} @llvm.{name}.{x.suffix}({', '.join([x.real] * count)})"
        for x in {ONE, Lanes(LANES), *runs}
        for name, count in _INTRINSICS.items()
    }
    return "\n".join([*sorted(lines), "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"])


def table(name: str, numbers: Sequence[float]) -> str:
    """Constant numbers of a module; `Array(k, "@name")` reads them."""
    listed = ", ".join(f"double {double(x)}" for x in numbers)
    return f"@{name} = internal constant [{len(numbers)} x double] [{listed}]\n"


def offsets(sizes: Mapping[str, int]) -> dict[str, int]:
    """Where vectors of these sizes begin if they are stored one after another; "all" is their total size."""
    places, free = {}, 0
    for name, size in sizes.items():
        places[name], free = free, free + size
    return places | {"all": free}


class Kernel:
    """One native function `void name(parameters…)`; its parameters are in the order of their declaration. It may return
    a number of another type (`returns`); then `exit` says which.

    lanes     number of elements that loops process at once: LANES or 1
    runs      lanes of every number, for several runs at once; loops then process single elements
    unrolled  loops over at most this many elements are unrolled
    """

    def __init__(
        self,
        name: str,
        lanes: int = LANES,
        runs: Lanes = ONE,
        *,
        internal: bool = False,
        unrolled: int = UNROLLED,
        returns: str = "void",
    ) -> None:
        self.head = f"define {'internal ' if internal else ''}{returns} @{name}"
        self.runs, self.unrolled = runs, unrolled
        self.lanes = lanes if runs.count == 1 else 1
        self.wide = vector_type(lanes) if runs.count == 1 else runs.real  # the type that loops process
        self.whole = runs.of("i64")
        self.mask: Value | None = None  # the active lanes; all if there is none
        self.parameters: list[str] = []
        self.allocations: list[str] = []
        self.lines: list[str] = []
        self.named = 0
        self.block, self.open = "start", True  # the current block, and whether it can still take instructions
        self.places: dict[tuple[str, str], str] = {}  # pointers computed in the current block
        self.heads: list[str] = []  # where `again` jumps to, innermost loop last
        self.products: dict[str, tuple[Value, Value]] = {}  # the factors of values that are products

    def text(self) -> str:
        """The function as LLVM IR; the intrinsics it uses are in `declarations`."""
        self._end("ret void")
        body = "\n".join([*self.allocations, "  br label %start", "start:", *self.lines])
        return f"{self.head}({', '.join(self.parameters)}) nounwind {STRAIGHT_LINE} {{\n{body}\n}}\n"

    def array(self, name: str) -> Array:
        """A parameter: an array."""
        self.parameters.append(f"ptr %{name}")
        return Array(self, f"%{name}")

    def record(self, name: str, layout: type[ctypes.Structure], stride: int = 1) -> Record:
        """A parameter: a pointer to a structure of this layout, or to several side by side."""
        self.parameters.append(f"ptr %{name}")
        return Record(self, f"%{name}", layout, stride)

    def number(self, name: str, type: str = "") -> Value:
        """A parameter: a number."""
        type = type or self.runs.real
        self.parameters.append(f"{type} %{name}")
        return Value(self, type, f"%{name}")

    def run(self, instruction: str) -> None:
        self.lines.append("  " + instruction)

    def emit(self, type: str, instruction: str) -> Value:
        self.named += 1
        self.run(f"%v{self.named} = {instruction}")
        return Value(self, type, f"%v{self.named}")

    def moved(self, pointer: str, elements: str) -> str:
        """The pointer advanced by this many elements."""
        key = pointer, elements
        if key not in self.places:
            self.places[key] = self.emit("ptr", f"getelementptr {self.runs.real}, ptr {pointer}, i64 {elements}").text
        return self.places[key]

    def store(self, value: Value, place: str) -> None:
        if self.mask is not None:
            before = self.emit(value.type, f"load {value.type}, ptr {place}, align 8")
            value = self.choose(self.mask, value, before)
        self.run(f"store {value.type} {value.text}, ptr {place}, align 8")

    def allocate(self, type: str) -> str:
        self.allocations.append(f"  %a{len(self.allocations)} = alloca {type}")
        return f"%a{len(self.allocations) - 1}"

    def constant(self, number: float, type: str = "") -> Value:
        type = type or self.runs.real
        return Value(self, type, literal(number, type))

    def zeros(self) -> Value:
        """A zero in each lane."""
        return self.constant(0.0, self.wide)

    def local(self, start: Value) -> Local:
        return Local(self, start)

    def splat(self, value: Value) -> Value:
        """The same double in all lanes (a vector stays as it is)."""
        if value.type != "double" or self.lanes == 1:
            return value
        vector = vector_type(LANES)
        first = self.emit(vector, f"insertelement {vector} poison, double {value.text}, i64 0")
        mask = f"<{LANES} x i32> zeroinitializer"
        return self.emit(vector, f"shufflevector {vector} {first.text}, {vector} poison, {mask}")

    def choose(self, condition: Value, positive: Value, otherwise: Value) -> Value:
        a, b = positive, otherwise
        return self.emit(a.type, f"select {condition.type} {condition.text}, {a.type} {a.text}, {b.type} {b.text}")

    def any(self, condition: Value) -> Value:
        """Whether it holds in any lane."""
        count = parts(condition.type)[1]
        if count == 1:
            return condition
        bits = self.emit(f"i{count}", f"bitcast {condition.type} {condition.text} to i{count}")
        return self.emit("i1", f"icmp ne i{count} {bits.text}, 0")

    def math(self, name: str, *arguments: Value | float) -> Value:
        """An LLVM intrinsic: fabs, sqrt, copysign, and maxnum, minnum, which ignore a NaN."""
        real = self.runs.real
        texts = [a.text if isinstance(a, Value) else literal(a, real) for a in arguments]
        listed = ", ".join(f"{real} {text}" for text in texts)
        return self.emit(real, f"call {real} @llvm.{name}.{self.runs.suffix}({listed})")

    def fused(self, a: Value, b: Value, c: Value) -> Value:
        """a·b + c, with a single rounding on every processor that supports it."""
        suffix = Lanes(parts(a.type)[1]).suffix
        arguments = ", ".join(f"{x.type} {x.text}" for x in (a, b, c))
        return self.emit(a.type, f"call {a.type} @llvm.fmuladd.{suffix}({arguments})")

    def real(self, whole: Value) -> Value:
        """An integer as a number."""
        return self.emit(self.runs.real, f"sitofp {whole.type} {whole.text} to {self.runs.real}")

    def integer(self, number: Value) -> Value:
        """A number without its fraction."""
        return self.emit(self.whole, f"fptosi {number.type} {number.text} to {self.whole}")

    def are_finite(self, array: Array, count: int) -> Value:
        """Whether all numbers of an array are finite."""
        (nothing,) = self.fold(count, [self.zeros()], lambda i, so_far: [so_far[0] + 0.0 * array[i]])
        return self.total(nothing).equals(0.0)

    def largest(self, array: Array, count: int, least: Value | None = None) -> Value:
        """The largest absolute value of the numbers of an array, or `least` if that is larger."""

        def update(i: Value, most: list[Value]) -> list[Value]:
            return [self.math("maxnum", most[0], self.math("fabs", array[i]))]

        return self.fold(count, [self.constant(0.0) if least is None else least], update, lanes=1)[0]

    def largest_difference(self, one: Array, other: Array, count: int, scale: Value, least: Value) -> Value:
        """The largest difference of the numbers of two arrays, in units of a scale, or `least` if that is larger."""

        def update(i: Value, most: list[Value]) -> list[Value]:
            return [self.math("maxnum", most[0], self.math("fabs", one[i] - other[i]) / scale)]

        return self.fold(count, [least], update)[0]

    def root(self, value: Value, order: int) -> Value:
        """value^(1/order) of a positive number, to eight digits or more, using operations that all processors round
        alike.

        A double read as an integer is nearly the logarithm of its value: dividing it gives a root that is accurate to 6
        %, and each of two steps of Halley's iteration reduces an error e to (order² − 1)/12 · e³.
        """
        one, whole = bits_of(1.0), self.whole
        bits = self.emit(whole, f"bitcast {value.type} {value.text} to {whole}")
        guess = self.constant(one, whole) + (bits - one) / order
        y = self.emit(value.type, f"bitcast {whole} {guess.text} to {value.type}")
        for _ in range(2):
            power: Value = integer_power(y, order)
            y = y * ((order - 1.0) * power + (order + 1.0) * value) / ((order + 1.0) * power + (order - 1.0) * value)
        return y

    def total(self, vector: Value) -> Value:
        """The sum over the lanes, (x₀ + x₂) + (x₁ + x₃)."""
        if self.lanes == 1:
            return vector
        half = vector_type(LANES // 2)
        low, high = (
            self.emit(half, f"shufflevector {vector.type} {vector.text}, {vector.type} poison, <2 x i32> <{lanes}>")
            for lanes in ("i32 0, i32 1", "i32 2, i32 3")
        )
        sums = low + high
        first, second = (self.emit("double", f"extractelement {half} {sums.text}, i64 {lane}") for lane in range(2))
        return first + second

    def copy(self, source: Array, target: Array, count: int) -> None:
        if self.mask is not None:
            for i in self.each(count):
                target[i] = source[i]
            return
        bounds = f"ptr {target.place}, ptr {source.place}, i64 {self.runs.bytes * count}, i1 false"
        self.run(f"call void @llvm.memcpy.p0.p0.i64({bounds})")

    def call(self, function: str | Value, *arguments: Array | Record | Value) -> None:
        """Calls a function of the same module by its name, or any function by its address."""
        text = [f"{a.type} {a.text}" if isinstance(a, Value) else f"ptr {a.place}" for a in arguments]
        name = function.text if isinstance(function, Value) else f"@{function}"
        self.run(f"call void {name}({', '.join(text)})")

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        """Branch on a condition; with several lanes, continue with those for which it holds."""
        inside, after = self._labels("then", "after")
        outer, before = self.mask, self.block
        if parts(condition.type)[1] > 1:
            condition = condition if outer is None else outer & condition
            self.mask = condition
        chosen = self.mask
        self._end(f"br i1 {self.any(condition).text}, label %{inside}, label %{after}")
        self._start(inside)
        yield
        if self.mask is chosen or not self.open:
            self._end(f"br label %{after}")
            self._start(after)
            self.mask = outer
            return
        # some lanes wait for the next iteration
        assert self.mask is not None
        every = self.constant(-1, self.mask.type) if outer is None else outer
        left = self.mask if chosen is outer or chosen is None else (every & ~chosen) | self.mask
        sources = f"[ {every.text}, %{before} ], [ {left.text}, %{self.block} ]"
        self._end(f"br label %{after}")
        self._start(after)
        self.mask = self.emit(left.type, f"phi {left.type} {sources}")
        (some,) = self._labels("some")
        self._end(f"br i1 {self.any(self.mask).text}, label %{some}, label %{self.heads[-1]}")
        self._start(some)

    def each(self, count: int | Value, lanes: int | None = None) -> Iterator[Value]:
        """Loop over 0, lanes, 2·lanes, … below count: `for i in k.each(count)`. A count that is known only at run time
        must be at least 1."""
        for i, _ in self._rounds(count, lanes or self.lanes, []):
            yield i

    def fold(
        self,
        count: int | Value,
        start: Sequence[Value],
        update: Callable[[Value, list[Value]], list[Value]],
        lanes: int | None = None,
    ) -> list[Value]:
        """values = update(i, values) for each i, beginning with start: sums, maxima."""
        values = list(start)
        for i, so_far in self._rounds(count, lanes or self.lanes, values):
            values[:] = update(i, so_far)
        return values

    def count(self, end: Value) -> Iterator[Value]:
        """Loop over 0, 1, … below a number that is known only at run time."""
        head, body, after = self._labels("count", "body", "after")
        before = self.block
        self._end(f"br label %{head}")
        self._start(head)
        i = self.emit("i64", f"phi i64 [ 0, %{before} ], [ %{head}.next, %{head}.end ]")
        self._end(f"br i1 {(i < end).text}, label %{body}, label %{after}")
        self._start(body)
        yield i
        self._end(f"br label %{head}.end")
        self._start(f"{head}.end")
        self.run(f"%{head}.next = add nuw nsw i64 {i.text}, 1")
        self._end(f"br label %{head}")
        self._start(after)

    def _rounds(self, count: int | Value, lanes: int, values: list[Value]) -> Iterator[tuple[Value, list[Value]]]:
        """The index of each iteration and the values before it; the caller leaves the values after it in the list."""
        if isinstance(count, int) and count <= self.unrolled:
            for first in range(0, count, lanes):
                yield Value(self, "i64", str(first), lanes), list(values)
            return
        body, after = self._labels("each", "after")
        before, start = self.block, list(values)
        self._end(f"br label %{body}")
        self._start(body)
        i = self.emit("i64", f"phi i64 [ 0, %{before} ], [ %{body}.next, %{body}.end ]")
        line = len(self.lines)
        carried = [self.emit(value.type, "phi, whose second source is not known yet") for value in start]
        yield replace(i, lanes=lanes), carried
        for number, (value, old, new) in enumerate(zip(carried, start, values, strict=True), line):
            sources = f"[ {old.text}, %{before} ], [ {new.text}, %{body}.end ]"
            self.lines[number] = f"  {value.text} = phi {value.type} {sources}"
        self._end(f"br label %{body}.end")
        self._start(f"{body}.end")
        self.run(f"%{body}.next = add nuw nsw i64 {i.text}, {lanes}")
        self.run(f"%{body}.more = icmp ult i64 %{body}.next, {count.text if isinstance(count, Value) else count}")
        self._end(f"br i1 %{body}.more, label %{body}, label %{after}")
        self._start(after)

    @contextmanager
    def forever(self) -> Iterator[None]:
        """Loop until `exit`."""
        head, after = self._labels("forever", "never")
        self._end(f"br label %{head}")
        self._start(head)
        self.heads.append(head)
        outer = self.mask
        yield
        self.mask = outer
        self.heads.pop()
        self._end(f"br label %{head}")
        self._start(after)

    def again(self) -> None:
        """Continue with the next iteration of the innermost loop, where lanes wait for others."""
        if self.mask is None:
            self._end(f"br label %{self.heads[-1]}")
        else:
            self.mask = self.constant(0, self.mask.type)

    def exit(self, value: Value | None = None) -> None:
        """Leave the function, with all lanes, and return a value if it returns any."""
        self._end("ret void" if value is None else f"ret {value.type} {value.text}")

    def _labels(self, *names: str) -> list[str]:
        self.named += 1
        return [f"{name}{self.named}" for name in names]

    def _end(self, terminator: str) -> None:
        """Close the current block, unless `again` or `exit` has done so."""
        if self.open:
            self.run(terminator)
        self.open = False

    def _start(self, label: str) -> None:
        self.lines.append(label + ":")
        self.block, self.open = label, True
        self.places.clear()
