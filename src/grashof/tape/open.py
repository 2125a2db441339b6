"""Numbers that are left open: code compiled with them is valid for all their values.

An `Open` number has a nominal value, by which every decision is made (is it zero, which is larger), and a node that
computes it from the inputs of a tape. Arithmetic works on both. If the nominal values are chosen at random, these
decisions hold for almost all other values: no two of them coincide unless they always do.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import NoReturn

from grashof.scalar import Scalar, functions
from grashof.tape.node import Node, TraceError, as_number


class Open:
    """A number whose value may change later."""

    __slots__ = ("node", "value")

    def __init__(self, node: Node, value: float) -> None:
        self.node, self.value = node, value

    def __repr__(self) -> str:
        return f"Open({self.value!r})"

    def __format__(self, spec: str) -> str:
        return format(self.value, spec)

    def _with(self, operation: Callable[[Scalar, Scalar], Scalar], other: Scalar, reflected: bool = False) -> Scalar:
        """operation(self, other), or operation(other, self) if reflected."""
        if type(other) is Node:
            return operation(other, self.node) if reflected else operation(self.node, other)
        number = other.value if type(other) is Open else as_number(other)
        if number is None:
            return NotImplemented
        node = other.node if type(other) is Open else number
        if reflected:
            return _open_number(operation(node, self.node), operation(number, self.value))
        return _open_number(operation(self.node, node), operation(self.value, number))

    def __add__(self, other: Scalar) -> Scalar:
        return self._with(operator.add, other)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        return self._with(operator.sub, other)

    def __rsub__(self, other: Scalar) -> Scalar:
        return self._with(operator.sub, other, reflected=True)

    def __mul__(self, other: Scalar) -> Scalar:
        return self._with(operator.mul, other)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        return self._with(operator.truediv, other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        if type(other) is Node:  # the reciprocal is known before the motion is
            return other * (1.0 / self)
        return self._with(operator.truediv, other, reflected=True)

    def __neg__(self) -> Scalar:
        return _open_number(-self.node, -self.value)

    def __pos__(self) -> Scalar:
        return self

    def __abs__(self) -> Scalar:
        return functions.absolute(self)

    def __pow__(self, exponent: Scalar) -> Scalar:
        return functions.power(self, exponent)

    def __rpow__(self, base: Scalar) -> Scalar:
        return functions.power(base, self)

    def apply_function(self, name: str, *arguments: Scalar) -> Scalar:
        """The function ``name`` of :mod:`grashof.scalar`, with at least one open number among its arguments."""
        nodes = [a.node if type(a) is Open else a for a in arguments]
        if any(type(a) is not Open and as_number(a) is None for a in arguments):
            if any(type(a) is not Node and as_number(a) is None for a in nodes):
                return NotImplemented
            return self.node.apply_function(name, *nodes)
        values = [a.value if type(a) is Open else a for a in arguments]
        return _open_number(self.node.apply_function(name, *nodes), getattr(functions, name)(*values))

    # -- decisions

    def __bool__(self) -> bool:
        return self.value != 0.0

    def __eq__(self, other: object) -> bool:
        return bool(self.value == value_of(other))

    def __hash__(self) -> int:
        return hash(self.value)

    def __lt__(self, other: Scalar) -> bool:
        return bool(self.value < value_of(other))

    def __le__(self, other: Scalar) -> bool:
        return bool(self.value <= value_of(other))

    def __gt__(self, other: Scalar) -> bool:
        return bool(self.value > value_of(other))

    def __ge__(self, other: Scalar) -> bool:
        return bool(self.value >= value_of(other))

    def __round__(self, digits: int | None = None) -> float:
        return round(self.value, digits)

    def __float__(self) -> NoReturn:
        raise TraceError("an open number is not a number yet; use functions of grashof.scalar, not of math or NumPy")

    __int__ = __index__ = __float__


def value_of(x: Scalar) -> Scalar:
    """The nominal value, by which decisions are made."""
    return x.value if type(x) is Open else x


def as_node(x: Scalar) -> Scalar:
    """The node that computes an open number; anything else as it is."""
    return x.node if type(x) is Open else x


def _open_number(node: Scalar, value: float) -> Scalar:
    """An open number, or a plain one if the node is a plain number."""
    return Open(node, value) if type(node) is Node else node
