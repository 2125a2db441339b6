"""What the statements of a `Kernel` work on: numbers, arrays, structures, variables."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from grashof.tape.lanes import Lanes, double

if TYPE_CHECKING:
    from grashof.integrate.kernel import Kernel

LANES = 4


def vector_type(lanes: int) -> str:
    """The type of a vector of this many doubles."""
    return Lanes(lanes).real


def parts(type: str) -> tuple[str, int]:
    """The element type of a type, and the number of its elements.

    >>> parts("<4 x double>"), parts("i64")
    (('double', 4), ('i64', 1))
    """
    if not type.startswith("<"):
        return type, 1
    count, element = type.strip("<>").split(" x ")
    return element, int(count)


def bits_of(number: float) -> int:
    """The bits of a double as an integer."""
    return int(double(number), 16)


def literal(number: float, type: str) -> str:
    """A constant in LLVM IR, exact."""
    element, count = parts(type)
    return Lanes(count).literal(element, double(number) if element == "double" else str(int(number)))


@dataclass(frozen=True, eq=False)
class Value:
    """An SSA value: a double, a 64-bit integer or a Boolean, or a vector of them (see `type`)."""

    kernel: Kernel
    type: str
    text: str
    lanes: int = 1  # of an index: how many elements x[i] stands for

    def _pair(self, other: Value | float) -> tuple[Value, Value]:
        """This value and the other, converted to a common type."""
        a, b = self, other if isinstance(other, Value) else self.kernel.constant(other, self.type)
        if a.type != b.type:  # one of them is a double and the other a vector
            a, b = self.kernel.splat(a), self.kernel.splat(b)
        return a, b

    def _with(self, other: Value | float, real: str, whole: str, result: str = "") -> Value:
        a, b = self._pair(other)
        element, count = parts(a.type)
        operation = real if element == "double" else whole
        return self.kernel.emit(Lanes(count).of(result or element), f"{operation} {a.type} {a.text}, {b.text}")

    def __add__(self, other: Value | float) -> Value:
        a, b = self._pair(other)
        for product, rest in ((b, a), (a, b)):
            if product.text in self.kernel.products:
                x, y = self.kernel.products[product.text]
                return self.kernel.fused(x, y, rest)
        return a._with(b, "fadd", "add")

    def __sub__(self, other: Value | float) -> Value:
        a, b = self._pair(other)
        if b.text in self.kernel.products:
            x, y = self.kernel.products[b.text]
            return self.kernel.fused(x.negative(), y, a)
        if a.text in self.kernel.products:
            x, y = self.kernel.products[a.text]
            return self.kernel.fused(x, y, b.negative())
        return a._with(b, "fsub", "sub")

    def negative(self) -> Value:
        """−x."""
        return self.kernel.emit(self.type, f"fneg {self.type} {self.text}")

    def __rsub__(self, other: float) -> Value:
        return self.kernel.constant(other, self.type) - self

    def __mul__(self, other: Value | float) -> Value:
        a, b = self._pair(other)
        product = a._with(b, "fmul", "mul")
        if parts(product.type)[0] == "double":
            self.kernel.products[product.text] = a, b
        return product

    def __truediv__(self, other: Value | float) -> Value:
        return self._with(other, "fdiv", "sdiv")

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

    def __invert__(self) -> Value:
        return self.kernel.emit(self.type, f"xor {self.type} {self.text}, {literal(-1, self.type)}")

    def __and__(self, other: Value) -> Value:
        return self.kernel.emit(self.type, f"and {self.type} {self.text}, {other.text}")

    def __or__(self, other: Value) -> Value:
        return self.kernel.emit(self.type, f"or {self.type} {self.text}, {other.text}")


@dataclass(frozen=True)
class Array:
    """Numbers in memory: x[i] loads, x[i] = value stores, x.at(i) is the array that starts at element i."""

    kernel: Kernel
    pointer: str
    offset: int = 0  # elements from the pointer to the start

    def at(self, index: Value | int) -> Array:
        if isinstance(index, Value):
            return replace(self, pointer=self.kernel.moved(self.pointer, index.text))
        return replace(self, offset=self.offset + index)

    def __getitem__(self, index: Value | int) -> Value:
        wide = isinstance(index, Value) and index.lanes > 1
        type = self.kernel.wide if wide else self.kernel.runs.real
        return self.kernel.emit(type, f"load {type}, ptr {self.at(index).place}, align 8")

    def __setitem__(self, index: Value | int, value: Value | float) -> None:
        value = value if isinstance(value, Value) else self.kernel.constant(value)
        self.kernel.store(value, self.at(index).place)

    def address(self, index: int) -> Value:
        """The address stored in place of an element."""
        return self.kernel.emit("ptr", f"load ptr, ptr {self.at(index).place}, align 8")

    def put_address(self, index: int, of: Array) -> None:
        """Stores the address of an array in place of an element."""
        self.kernel.run(f"store ptr {of.place}, ptr {self.at(index).place}, align 8")

    @property
    def place(self) -> str:
        """Where the array starts."""
        return self.kernel.moved(self.pointer, str(self.offset)) if self.offset else self.pointer


class Record:
    """A ctypes structure of doubles, 64-bit integers and addresses: its fields are read and assigned as attributes.

    stride   how many such structures lie side by side, field by field
    """

    kernel: Kernel
    place: str
    layout: type[ctypes.Structure]
    stride: int

    def __init__(self, kernel: Kernel, place: str, layout: type[ctypes.Structure], stride: int = 1) -> None:
        self.__dict__.update(kernel=kernel, place=place, layout=layout, stride=stride)

    def _field(self, name: str) -> tuple[str, str]:
        (kind,) = (kind for part in self.layout.__mro__ for n, kind in getattr(part, "_fields_", ()) if n == name)
        offset = getattr(self.layout, name).offset // 8 * self.stride
        return _ELEMENTS[kind], self.kernel.moved(self.place, str(offset))

    def __getattr__(self, name: str) -> Value:
        element, place = self._field(name)
        type = element if element == "ptr" else self.kernel.runs.of(element)
        return self.kernel.emit(type, f"load {type}, ptr {place}, align 8")

    def __setattr__(self, name: str, value: Value | float) -> None:
        element, place = self._field(name)
        type = self.kernel.runs.of(element)
        self.kernel.store(value if isinstance(value, Value) else self.kernel.constant(value, type), place)

    def array(self, name: str) -> Array:
        """The array whose address is stored in a field."""
        return Array(self.kernel, getattr(self, name).text)

    def at(self, number: Value) -> Record:
        """One of those that lie side by side."""
        return Record(self.kernel, self.kernel.moved(self.place, number.text), self.layout, self.stride)


_ELEMENTS = {ctypes.c_double: "double", ctypes.c_int64: "i64", ctypes.c_void_p: "ptr"}


class Local:
    """A variable on the stack of the function, read and assigned through `.value`."""

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
