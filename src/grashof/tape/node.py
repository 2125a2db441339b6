"""Tracing: ordinary scalar Python, run once with nodes, records a tape.

Simplifications are made while tracing: operations on constants, products with zero, sums with zero and double negations
are evaluated, and a repeated operation is recorded once. For finite values all of this is exact up to the sign of a
zero, except that x/c is recorded as x·(1/c). A structural zero (0·x, x − x) is the plain float 0.0, even where x might
not be finite.
"""

import math
from collections.abc import Callable, Sequence
from typing import NoReturn

import numpy as np

from grashof.scalar import Scalar
from grashof.scalar.numpy_functions import NumpyScalar
from grashof.tape.tape import Tape, live
from grashof.tape.words import BITS, CALL, CODES, CONSTANT, INPUT, LIMIT, RESULT, WHERE, word

_ADD, _SUBTRACT, _MULTIPLY, _DIVIDE, _NEGATE = (
    word(CODES[name], 0) for name in ("add", "subtract", "multiply", "divide", "negate")
)
_COMMUTATIVE = frozenset({_ADD, _MULTIPLY})


class TraceError(TypeError):
    """A traced function did something that a straight-line program cannot express."""


class Recorder:
    """The statements of one tape while it is being traced.

    inline   whether blocks are expanded where they are called
    """

    def __init__(self, inline: bool = False) -> None:
        self.inline = inline
        self.sizes: list[int] = []
        self.places: dict[int, int] = {}  # the statements (see grashof.tape.words) in order → 0, 1, 2, …
        self._constants: list[float] = []
        self._constant_places: dict[str, int] = {}
        self._lists: dict[tuple[int, ...], int] = {}
        self._blocks: list[Tape] = []
        self._block_numbers: dict[int, int] = {}

    def inputs(self, size: int) -> list["Node"]:
        """The next ``size`` elements of the input vector."""
        start = sum(self.sizes)
        self.sizes.append(size)
        return [self.record(word(INPUT, start + k)) for k in range(size)]

    def constant(self, value: float) -> "Node":
        """A node for a number. Zeros of different sign are different constants."""
        key = value.hex()
        place = self._constant_places.get(key)
        if place is None:
            place = self._constant_places[key] = self.record(word(CONSTANT, len(self._constants))).index
            self._constants.append(value)
        return Node(self, place)

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

    def record(self, statement: int) -> "Node":
        """The node of a statement; the same statement gets the same place."""
        places = self.places
        return Node(self, places.setdefault(statement, len(places)))

    def keep(self, operands: tuple[int, ...]) -> int:
        """The place of more operands than a word holds."""
        return self._lists.setdefault(operands, len(self._lists))

    def call(self, block: Tape, arguments: Sequence["Node"], results: Sequence[int]) -> list["Node"]:
        """The nodes of some results of a call."""
        number = self._block_numbers.setdefault(id(block), len(self._blocks))
        if number == len(self._blocks):
            self._blocks.append(block)
        places = self.keep(tuple(self.lift(argument).index for argument in arguments))
        call = self.record(word(CALL, places, number))
        return [self.record(word(RESULT, call.index, k)) for k in results]

    def finish(self, outputs: Sequence[Scalar]) -> Tape:
        """The tape that computes ``outputs``, without statements that they do not need."""
        tape = self.tape(outputs)
        self.places.clear()  # about a hundred bytes per statement, no longer needed
        return tape

    def tape(self, outputs: Sequence[Scalar]) -> Tape:
        """The same while recording continues."""
        places = tuple(self.lift(output).index for output in outputs)
        if len(self.places) > LIMIT:
            raise TraceError(f"a tape has at most {LIMIT} statements, not {len(self.places)}")
        words = np.fromiter(self.places, dtype=np.int64, count=len(self.places))
        return live(
            Tape(tuple(self.sizes), words, tuple(self._constants), tuple(self._lists), places, tuple(self._blocks))
        )


class Node(NumpyScalar):
    """A traced value: the result of one statement of the tape being recorded."""

    __slots__ = ("index", "negated", "recorder")
    _error = TraceError

    def __init__(self, recorder: Recorder, index: int) -> None:
        self.recorder = recorder
        self.index = index
        self.negated: Node | None = None  # the node of which this one is the negative

    def __repr__(self) -> str:
        return f"Node({self.index})"

    def __neg__(self) -> "Node":
        if self.negated is not None:
            return self.negated
        node = self.recorder.record(_NEGATE + (self.index << BITS))
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
        return self._binary(_ADD, other)

    __radd__ = __add__

    def __sub__(self, other: Scalar) -> Scalar:
        if type(other) is not Node:
            number = as_number(other)
            if number is None:
                return NotImplemented
            if number == 0.0:
                return self
            other = self.recorder.constant(number)
        if other.index == self.index and other.recorder is self.recorder:
            return 0.0
        if other.negated is not None:
            return self + other.negated
        if self.negated is not None:
            return -(self.negated + other)
        return self._binary(_SUBTRACT, other)

    def __rsub__(self, other: Scalar) -> Scalar:
        number = as_number(other)
        if number is None:
            return NotImplemented
        if number == 0.0:
            return -self
        if self.negated is not None:
            return self.negated + number
        return self.recorder.constant(number)._binary(_SUBTRACT, self)

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
            return self._binary(_MULTIPLY, self.recorder.constant(number))
        # Signs move outwards, where sums absorb them and equal products meet.
        if self.negated is not None:
            return -(self.negated * other)
        if other.negated is not None:
            return -(self * other.negated)
        return self._binary(_MULTIPLY, other)

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
        return self._binary(_DIVIDE, other)

    def __rtruediv__(self, other: Scalar) -> Scalar:
        number = as_number(other)
        if number is None:
            return NotImplemented
        if number == 0.0:
            return 0.0
        if self.negated is not None:
            return -number / self.negated
        return self.recorder.constant(number)._binary(_DIVIDE, self)

    def apply_function(self, name: str, *arguments: Scalar) -> Scalar:
        """The function ``name`` of :mod:`grashof.scalar`, with at least one node among its arguments."""
        if name == "where":
            condition, positive, otherwise = arguments
            if type(condition) is not Node and as_number(condition) is not None:
                return positive if condition > 0 else otherwise
        if any(type(a) is not Node and as_number(a) is None for a in arguments):
            return NotImplemented
        places = [self.recorder.lift(a).index for a in arguments]
        if name in ("minimum", "maximum", "where") and places[-1] == places[-2]:
            return arguments[-1]
        if name == "absolute" and self.negated is not None:
            places = [self.negated.index]
        if name == "where":
            return self.recorder.record(word(WHERE, self.recorder.keep(tuple(places))))
        return self.recorder.record(word(CODES[name], *places))

    def _binary(self, operation: int, other: "Node") -> "Node":
        recorder = self.recorder
        if other.recorder is not recorder:
            raise TraceError("a traced value was used outside the function (or block) that it belongs to")
        i, j = self.index, other.index
        if i > j and operation in _COMMUTATIVE:
            i, j = j, i
        return recorder.record(operation + (i << BITS) + j)

    def _called(self, function: Callable[..., Scalar], *inputs: Scalar) -> Scalar:
        """The function of the inputs; an array is treated as a container of scalars."""
        if not any(getattr(x, "shape", ()) for x in inputs):
            return function(*inputs)
        boxes = [np.array(x, dtype=object) for x in inputs]
        return np.frompyfunc(function, len(inputs), 1)(*boxes)

    def __float__(self) -> NoReturn:
        raise TraceError("a traced value is not a number yet; use functions of NumPy or grashof, not of math")

    __int__ = __index__ = __float__


def as_number(value: Scalar) -> float | None:
    """The float of a number of any kind, None for anything else (arrays, nodes, jets, …)."""
    if type(value) is float:
        return value
    if isinstance(value, float | int):
        return float(value)
    if hasattr(value, "apply_function") or getattr(value, "shape", ()) != () or not hasattr(value, "__float__"):
        return None
    return float(value)


def trace(function: Callable[..., Sequence[Scalar]], *sizes: int) -> Tape:
    """The tape of ``function(list0, list1, …)``, whose lists have the given sizes and are concatenated in the input.

    The function returns a flat sequence of scalars. It may use operators and the functions of
    :mod:`grashof.scalar`, and branch on anything but traced values.

    >>> trace(lambda q, v: [q[0] * v[0] + 0.0 * q[1]], 2, 1).statements
    (('input', 0), ('input', 2), ('multiply', 0, 1))
    """
    recorder = Recorder()
    return recorder.finish(function(*[recorder.inputs(size) for size in sizes]))


def inline_blocks(tape: Tape) -> Tape:
    """The tape with its blocks expanded where they are called, and common subexpressions computed once."""
    return trace(lambda *lists: tape.evaluate([x for part in lists for x in part]), *tape.sizes)
