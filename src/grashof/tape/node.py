"""Tracing: ordinary scalar Python, run once over nodes, leaves a tape.

What is known while tracing is done while tracing: operations on constants, products with zero, sums with zero,
double negation; an operation met twice is recorded once. For finite values all of that is exact up to the sign of a
zero, except that x/c is recorded as x·(1/c). A structural zero (0·x, x − x) is the plain float 0.0, also where x might
turn out not to be finite.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from grashof.scalar import Scalar, integer_power
from grashof.tape.tape import Statement, Tape, live

_COMMUTATIVE = frozenset({"add", "multiply"})


class TraceError(TypeError):
    """A traced function did something that a straight-line program cannot express."""


class Recorder:
    """The statements of one tape while it is being traced."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.statements: list[Statement] = []
        self.blocks: list[Tape] = []
        self._nodes: dict[Statement, Node] = {}
        self._block_numbers: dict[int, int] = {}

    def inputs(self, size: int) -> list["Node"]:
        """The next ``size`` elements of the input vector."""
        start = sum(self.sizes)
        self.sizes.append(size)
        return [self.record(("input", start + k)) for k in range(size)]

    def constant(self, value: float) -> "Node":
        """A node for a number. Zeros of different sign are different constants."""
        key = ("constant", value.hex())
        node = self._nodes.get(key)
        if node is None:
            node = self._nodes[key] = Node(self, len(self.statements))
            self.statements.append(("constant", value))
        return node

    def lift(self, value: Scalar) -> "Node":
        """The node of a traced value or of a number."""
        if type(value) is Node:
            if value.recorder is not self:
                raise TraceError("a traced value was used outside the function (or block) that it belongs to")
            return value
        number = as_number(value)
        if number is None:
            raise TraceError(f"{type(value).__name__} is neither a number nor a traced value")
        return self.constant(number)

    def record(self, statement: Statement) -> "Node":
        """The node of a statement; the same statement gives the same node."""
        node = self._nodes.get(statement)
        if node is None:
            node = self._nodes[statement] = Node(self, len(self.statements))
            self.statements.append(statement)
        return node

    def call(self, block: Tape, arguments: Sequence["Node"]) -> "Node":
        """The node of a call, of which :meth:`record` takes ``("result", …)``."""
        number = self._block_numbers.setdefault(id(block), len(self.blocks))
        if number == len(self.blocks):
            self.blocks.append(block)
        return self.record(("call", number, *[self.lift(argument).index for argument in arguments]))

    def finish(self, outputs: Sequence[Scalar]) -> Tape:
        """The tape that computes ``outputs``, without what they do not need."""
        return live(self.sizes, self.statements, [self.lift(output).index for output in outputs], self.blocks)


class Node:
    """A traced value: the outcome of one statement of the tape that is being recorded."""

    __slots__ = ("index", "negated", "recorder")
    __array_ufunc__ = None  # a NumPy number on the left leaves the operation to the node

    def __init__(self, recorder: Recorder, index: int) -> None:
        self.recorder = recorder
        self.index = index
        self.negated: Node | None = None  # the node that this one is the negative of

    def __repr__(self) -> str:
        return f"Node({self.index}: {self.recorder.statements[self.index]})"

    def __neg__(self) -> "Node":
        if self.negated is not None:
            return self.negated
        node = self.recorder.record(("negate", self.index))
        node.negated = self
        return node

    def __pos__(self) -> "Node":
        return self

    def __abs__(self) -> Scalar:
        return self.apply_function("absolute", self)

    def __add__(self, other: Scalar) -> Scalar:
        if type(other) is not Node:
            number = as_number(other)
            if number is None:
                return NotImplemented
            if number == 0.0:
                return self
            other = self.recorder.constant(number)
        if other.negated is not None:
            return self - other.negated
        if self.negated is not None:
            return other - self.negated
        return self._binary("add", other)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        if type(other) is not Node:
            number = as_number(other)
            if number is None:
                return NotImplemented
            if number == 0.0:
                return self
            other = self.recorder.constant(number)
        if other is self:
            return 0.0
        if other.negated is not None:
            return self + other.negated
        if self.negated is not None:
            return -(self.negated + other)
        return self._binary("subtract", other)

    def __rsub__(self, other: Scalar) -> Scalar:
        number = as_number(other)
        if number is None:
            return NotImplemented
        if number == 0.0:
            return -self
        if self.negated is not None:
            return self.negated + number
        return self.recorder.constant(number)._binary("subtract", self)

    def __mul__(self, other: Scalar) -> Scalar:
        if type(other) is not Node:
            number = as_number(other)
            if number is None:
                return NotImplemented
            if number == 0.0:
                return 0.0
            if number == 1.0:
                return self
            if number == -1.0:
                return -self
            if self.negated is not None:
                return self.negated * -number
            return self._binary("multiply", self.recorder.constant(number))
        # Signs move outwards, where sums absorb them and equal products meet.
        if self.negated is not None:
            return -(self.negated * other)
        if other.negated is not None:
            return -(self * other.negated)
        return self._binary("multiply", other)

    __rmul__ = __mul__

    def __truediv__(self, other: Scalar) -> Scalar:
        if type(other) is not Node:
            number = as_number(other)
            if number is None:
                return NotImplemented
            reciprocal = 1.0 / number
            if math.isfinite(reciprocal) and abs(reciprocal) > 1e-300:
                return self * reciprocal
            other = self.recorder.constant(number)
        if self.negated is not None:
            return -(self.negated / other)
        if other.negated is not None:
            return -(self / other.negated)
        return self._binary("divide", other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        number = as_number(other)
        if number is None:
            return NotImplemented
        if number == 0.0:
            return 0.0
        if self.negated is not None:
            return -number / self.negated
        return self.recorder.constant(number)._binary("divide", self)

    def __pow__(self, exponent: Any) -> Scalar:
        number = as_number(exponent)
        if number is None or not number.is_integer():
            raise TraceError(f"a traced value takes integer powers, not {exponent}; use sqrt, or exp and log")
        return integer_power(self, int(number))

    def __rpow__(self, base: Any) -> NoReturn:
        raise TraceError("a traced value cannot be an exponent; use exp(x * log(base))")

    def apply_function(self, name: str, *arguments: Scalar) -> Scalar:
        """The function ``name`` of :mod:`grashof.scalar`, with at least one node among its arguments."""
        if name == "where":
            condition, positive, otherwise = arguments
            if type(condition) is not Node and as_number(condition) is not None:
                return positive if condition > 0 else otherwise
        if any(type(a) is not Node and as_number(a) is None for a in arguments):
            return NotImplemented
        nodes = [self.recorder.lift(a) for a in arguments]
        if name in ("minimum", "maximum", "where") and nodes[-1] is nodes[-2]:
            return arguments[-1]
        if name == "absolute" and self.negated is not None:
            nodes = [self.negated]
        places = [node.index for node in nodes]
        if name in _COMMUTATIVE:
            places.sort()
        return self.recorder.record((name, *places))

    def _binary(self, operation: str, other: "Node") -> "Node":
        if other.recorder is not self.recorder:
            raise TraceError("a traced value was used outside the function (or block) that it belongs to")
        i, j = self.index, other.index
        if i > j and operation in _COMMUTATIVE:
            i, j = j, i
        return self.recorder.record((operation, i, j))

    def _no_truth_value(self, *_: object) -> NoReturn:
        raise TraceError("a traced value has no truth value; use grashof.where")

    __bool__ = _no_truth_value
    __lt__ = __le__ = __gt__ = __ge__ = _no_truth_value
    __eq__ = __ne__ = _no_truth_value
    __hash__ = object.__hash__

    def __float__(self) -> NoReturn:
        raise TraceError("a traced value is not a number yet; use the functions of grashof.scalar, not of math")

    __int__ = __index__ = __float__


def as_number(value: Scalar) -> float | None:
    """The float of a number of any kind, None for anything else (arrays, nodes, jets, …)."""
    if isinstance(value, float | int):
        return float(value)
    if hasattr(value, "apply_function") or getattr(value, "shape", ()) != () or not hasattr(value, "__float__"):
        return None
    return float(value)


def trace(function: Callable[..., Sequence[Scalar]], *sizes: int) -> Tape:
    """The tape of ``function(list0, list1, …)``, whose lists have the given sizes and lie end to end in the input.

    The function returns a flat sequence of scalars. It may use operators and the functions of
    :mod:`grashof.scalar`, and branch on anything but traced values.

    >>> trace(lambda q, v: [q[0] * v[0] + 0.0 * q[1]], 2, 1).statements
    (('input', 0), ('input', 2), ('multiply', 0, 1))
    """
    recorder = Recorder()
    return recorder.finish(function(*[recorder.inputs(size) for size in sizes]))
