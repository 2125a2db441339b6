"""Native loops over arrays of doubles, written in Python and emitted as LLVM IR text.

A `Kernel` is one native function. Python operators on its `Value`s append instructions, `with` statements
open loops and branches, so that a numerical method reads as its equations:

>>> k = Kernel("axpy")
>>> a, x, y = k.number("a"), k.array("x"), k.array("y")
>>> with k.each(8, lanes=4) as i:
...     y[i] = y[i] + a * x[i]
>>> "fmul contract <4 x double>" in k.text()
True

All arrays hold doubles. An index that runs in `lanes` of four makes every load, store and operation a vector
one: the source decides about SIMD, at any optimisation level, and machines with narrower registers split it.
Products and sums may be fused (`contract`); nothing else is relaxed, NaN and infinity behave as IEEE 754 says.
"""

from __future__ import annotations

import ctypes
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace

LANES = 4
PREAMBLE = """\
declare double @llvm.fabs.f64(double)
declare double @llvm.sqrt.f64(double)
declare double @llvm.maxnum.f64(double, double)
declare double @llvm.minnum.f64(double, double)
declare double @llvm.copysign.f64(double, double)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
!900 = distinct !{!900, !901, !902}
!901 = !{!"llvm.loop.unroll.disable"}
!902 = !{!"llvm.loop.vectorize.enable", i1 false}
"""
"""Once in a module with kernels. Their loops are left as written: unrolling doubled the compile time for nothing."""


def _literal(number: float, type: str) -> str:
    if type == "i64":
        return str(int(number))
    bits = f"0x{struct.unpack('<Q', struct.pack('<d', number))[0]:016X}"
    return bits if type == "double" else "<" + ", ".join([f"double {bits}"] * LANES) + ">"


def table(name: str, numbers: Sequence[float], type: str = "double") -> str:
    """A global array of constants, to be read through `Kernel.table`."""
    elements = ", ".join(f"{type} {_literal(number, type)}" for number in numbers)
    return f"@{name} = internal constant [{len(numbers)} x {type}] [{elements}]\n"


@dataclass(frozen=True, eq=False)
class Value:
    """An SSA value: a double, four doubles, a 64-bit integer or a truth value (by `type`)."""

    kernel: Kernel
    type: str
    text: str
    lanes: int = 1  # of an index: how many elements x[i] stands for

    def _with(self, other: Value | float, real: str, whole: str, result: str = "") -> Value:
        a, b = self, other if isinstance(other, Value) else self.kernel.constant(other, self.type)
        if a.type != b.type:  # one of them is a double and meets a vector
            a, b = self.kernel.splat(a), self.kernel.splat(b)
        operation = whole if a.type in ("i64", "i1") else real
        return self.kernel.emit(result or a.type, f"{operation} {a.type} {a.text}, {b.text}")

    def __add__(self, other: Value | float) -> Value:
        return self._with(other, "fadd contract", "add")

    def __sub__(self, other: Value | float) -> Value:
        return self._with(other, "fsub contract", "sub")

    def __rsub__(self, other: float) -> Value:
        return self.kernel.constant(other, self.type) - self

    def __mul__(self, other: Value | float) -> Value:
        return self._with(other, "fmul contract", "mul")

    def __truediv__(self, other: Value | float) -> Value:
        return self._with(other, "fdiv contract", "sdiv")

    def __rtruediv__(self, other: float) -> Value:
        return self.kernel.constant(other, self.type) / self

    __radd__, __rmul__ = __add__, __mul__

    def __lt__(self, other: Value | float) -> Value:
        return self._with(other, "fcmp olt", "icmp slt", "i1")

    def __le__(self, other: Value | float) -> Value:
        return self._with(other, "fcmp ole", "icmp sle", "i1")

    def __gt__(self, other: Value | float) -> Value:
        return self._with(other, "fcmp ogt", "icmp sgt", "i1")

    def equals(self, other: Value | float) -> Value:
        return self._with(other, "fcmp oeq", "icmp eq", "i1")

    def __and__(self, other: Value) -> Value:
        return self._with(other, "", "and")

    def __or__(self, other: Value) -> Value:
        return self._with(other, "", "or")

    def __invert__(self) -> Value:
        return self.kernel.emit("i1", f"xor i1 {self.text}, true")


@dataclass(frozen=True)
class Array:
    """Numbers in memory: x[i] loads, x[i] = value stores, x.at(i) is the array that starts at element i."""

    kernel: Kernel
    pointer: str
    offset: int = 0  # elements from the pointer to the start
    element: str = "double"

    def at(self, index: Value | int) -> Array:
        if isinstance(index, Value):
            return replace(self, pointer=self.kernel.moved(self.pointer, index.text))
        return replace(self, offset=self.offset + index)

    def __getitem__(self, index: Value | int) -> Value:
        type = f"<{LANES} x double>" if isinstance(index, Value) and index.lanes > 1 else self.element
        return self.kernel.emit(type, f"load {type}, ptr {self.at(index).place}, align 8")

    def __setitem__(self, index: Value | int, value: Value | float) -> None:
        value = value if isinstance(value, Value) else self.kernel.constant(value)
        self.kernel.run(f"store {value.type} {value.text}, ptr {self.at(index).place}, align 8")

    @property
    def place(self) -> str:
        """Where the array starts."""
        return self.kernel.moved(self.pointer, str(self.offset)) if self.offset else self.pointer


class Record:
    """A ctypes structure of doubles and 64-bit integers: its fields are read and assigned as attributes."""

    kernel: Kernel
    place: str
    layout: type[ctypes.Structure]

    def __init__(self, kernel: Kernel, place: str, layout: type[ctypes.Structure]) -> None:
        self.__dict__.update(kernel=kernel, place=place, layout=layout)

    def _field(self, name: str) -> tuple[str, str]:
        kind = "double" if (name, ctypes.c_double) in self.layout._fields_ else "i64"
        return kind, self.kernel.moved(self.place, str(getattr(self.layout, name).offset // 8))

    def __getattr__(self, name: str) -> Value:
        type, place = self._field(name)
        return self.kernel.emit(type, f"load {type}, ptr {place}, align 8")

    def __setattr__(self, name: str, value: Value | float) -> None:
        type, place = self._field(name)
        text = value.text if isinstance(value, Value) else _literal(value, type)
        self.kernel.run(f"store {type} {text}, ptr {place}, align 8")


class Local:
    """A variable of the function, read and assigned through `.value`; becomes a register."""

    def __init__(self, kernel: Kernel, start: Value) -> None:
        self.kernel, self.type = kernel, start.type
        self.place = kernel.allocate(start.type)
        self.value = start

    @property
    def value(self) -> Value:
        return self.kernel.emit(self.type, f"load {self.type}, ptr {self.place}")

    @value.setter
    def value(self, new: Value) -> None:
        self.kernel.run(f"store {self.type} {new.text}, ptr {self.place}")


class Kernel:
    """One native function `void name(parameters…)`; its parameters are in the order of their declaration."""

    def __init__(self, name: str, linkage: str = "", attributes: str = "") -> None:
        self.head, self.attributes = f"define {linkage} void @{name}", attributes
        self.parameters: list[str] = []
        self.allocations: list[str] = []
        self.lines: list[str] = []
        self.count = 0
        self.block, self.open = "start", True  # the current block, and whether it can still take instructions
        self.places: dict[tuple[str, str], str] = {}  # pointers computed in the current block
        self.heads: list[str] = []  # where `again` jumps to, innermost loop last

    def text(self) -> str:
        """The function as LLVM IR; what it refers to is in `PREAMBLE`."""
        self._end("ret void")
        body = "\n".join([*self.allocations, "  br label %start", "start:", *self.lines])
        return f"{self.head}({', '.join(self.parameters)}) nounwind {self.attributes} {{\n{body}\n}}\n"

    def array(self, name: str) -> Array:
        """A parameter: an array."""
        self.parameters.append(f"ptr %{name}")
        return Array(self, f"%{name}")

    def table(self, name: str, type: str = "double") -> Array:
        """A global array of constants of the module."""
        return Array(self, f"@{name}", element=type)

    def record(self, name: str, layout: type[ctypes.Structure]) -> Record:
        """A parameter: a pointer to a structure of this layout."""
        self.parameters.append(f"ptr %{name}")
        return Record(self, f"%{name}", layout)

    def number(self, name: str, type: str = "double") -> Value:
        """A parameter: a number."""
        self.parameters.append(f"{type} %{name}")
        return Value(self, type, f"%{name}")

    def run(self, instruction: str) -> None:
        self.lines.append("  " + instruction)

    def emit(self, type: str, instruction: str) -> Value:
        self.count += 1
        self.run(f"%v{self.count} = {instruction}")
        return Value(self, type, f"%v{self.count}")

    def moved(self, pointer: str, elements: str) -> str:
        """The pointer so many elements further."""
        key = pointer, elements
        if key not in self.places:
            self.places[key] = self.emit("ptr", f"getelementptr double, ptr {pointer}, i64 {elements}").text
        return self.places[key]

    def allocate(self, type: str) -> str:
        self.allocations.append(f"  %a{len(self.allocations)} = alloca {type}")
        return f"%a{len(self.allocations) - 1}"

    def constant(self, number: float, type: str = "double") -> Value:
        return Value(self, type, _literal(number, type))

    def zeros(self) -> Value:
        """One zero for each lane."""
        return self.constant(0.0, f"<{LANES} x double>")

    def local(self, start: Value) -> Local:
        return Local(self, start)

    def splat(self, value: Value) -> Value:
        """The same double in all lanes (a vector stays as it is)."""
        if value.type != "double":
            return value
        vector = f"<{LANES} x double>"
        first = self.emit(vector, f"insertelement {vector} poison, double {value.text}, i64 0")
        mask = f"<{LANES} x i32> zeroinitializer"
        return self.emit(vector, f"shufflevector {vector} {first.text}, {vector} poison, {mask}")

    def choose(self, condition: Value, positive: Value, otherwise: Value) -> Value:
        a, b = positive, otherwise
        return self.emit(a.type, f"select i1 {condition.text}, {a.type} {a.text}, {b.type} {b.text}")

    def math(self, name: str, *arguments: Value | float) -> Value:
        """An LLVM intrinsic on doubles: fabs, sqrt, copysign, and maxnum, minnum, which ignore a NaN."""
        texts = [a.text if isinstance(a, Value) else _literal(a, "double") for a in arguments]
        return self.emit("double", f"call double @llvm.{name}.f64({', '.join(f'double {t}' for t in texts)})")

    def total(self, vector: Value) -> Value:
        """The sum over the lanes."""
        reduce = "call reassoc double @llvm.vector.reduce.fadd.v4f64"
        return self.emit("double", f"{reduce}(double 0.0, {vector.type} {vector.text})")

    def copy(self, source: Array, target: Array, count: int) -> None:
        bounds = f"ptr {target.place}, ptr {source.place}, i64 {8 * count}, i1 false"
        self.run(f"call void @llvm.memcpy.p0.p0.i64({bounds})")

    def call(self, name: str, *arguments: Array | Record | Value) -> None:
        text = [f"{a.type} {a.text}" if isinstance(a, Value) else f"ptr {a.place}" for a in arguments]
        self.run(f"call void @{name}({', '.join(text)})")

    @contextmanager
    def when(self, condition: Value) -> Iterator[None]:
        inside, after = self._labels("then", "after")
        self._end(f"br i1 {condition.text}, label %{inside}, label %{after}")
        self._start(inside)
        yield
        self._end(f"br label %{after}")
        self._start(after)

    @contextmanager
    def each(self, count: int, lanes: int = 1) -> Iterator[Value]:
        """Loop over 0, lanes, 2·lanes, … below count, which is at least one."""
        body, after = self._labels("each", "after")
        before = self.block
        self._end(f"br label %{body}")
        self._start(body)
        i = self.emit("i64", f"phi i64 [ 0, %{before} ], [ %{body}.next, %{body}.end ]")
        yield replace(i, lanes=lanes)
        self._end(f"br label %{body}.end")
        self._start(f"{body}.end")
        self.run(f"%{body}.next = add nuw nsw i64 {i.text}, {lanes}")
        self.run(f"%{body}.more = icmp ult i64 %{body}.next, {count}")
        self._end(f"br i1 %{body}.more, label %{body}, label %{after}, !llvm.loop !900")
        self._start(after)

    @contextmanager
    def forever(self) -> Iterator[None]:
        """Loop until `exit`."""
        head, after = self._labels("forever", "never")
        self._end(f"br label %{head}")
        self._start(head)
        self.heads.append(head)
        yield
        self.heads.pop()
        self._end(f"br label %{head}")
        self._start(after)

    def again(self) -> None:
        """Go on with the next round of the innermost loop."""
        self._end(f"br label %{self.heads[-1]}")

    def exit(self) -> None:
        """Leave the function."""
        self._end("ret void")

    def _labels(self, *names: str) -> list[str]:
        self.count += 1
        return [f"{name}{self.count}" for name in names]

    def _end(self, terminator: str) -> None:
        """Close the current block, unless `again` or `exit` did."""
        if self.open:
            self.run(terminator)
        self.open = False

    def _start(self, label: str) -> None:
        self.lines.append(label + ":")
        self.block, self.open = label, True
        self.places.clear()
