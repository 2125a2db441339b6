"""Derivatives of tapes, which are tapes again.

With y = f(x), one statement v = φ(u₁, u₂, …) has the derivatives

    forward    v̇ = Σ ∂φ/∂uᵢ u̇ᵢ          from ẋ to ẏ = J ẋ
    reverse    ūᵢ += ∂φ/∂uᵢ v̄             from ȳ to x̄ = Jᵀ ȳ

Values that do not depend on the chosen inputs have no derivative on the new tape, and equal factors are computed once.
Calls of blocks are expanded.

Where a function has a kink or a jump, its derivative is that of the branch that is taken:

    where, minimum, maximum     that of the value that is chosen; the condition has none
    absolute                    sign(u) u̇, which is zero at u = 0
    sign, floor, interval, entry   zero
    sqrt                        infinite at zero, unless u̇ (or v̄) is zero as well: then zero

The branch that is not taken has no effect: infinite or NaN derivatives there do not enter the result.

Griewank, Walther: Evaluating Derivatives, 2nd edition, SIAM 2008, chapters 3 and 7.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from grashof.scalar.functions import Scalar, absolute, cos, sign, sin, where
from grashof.tape.flat import Flat, flatten, operand_counts
from grashof.tape.node import Node, trace
from grashof.tape.tape import OPERATIONS, Tape
from grashof.tape.words import INPUT, KINDS, word

Tangents: TypeAlias = Mapping[int, Scalar]
"""Rates of some inputs, by their index in the input vector; those of the others are zero."""


def push(tape: Tape, x: Sequence[Scalar], rates: Sequence[Tangents]) -> tuple[list[Scalar], list[list[Scalar]]]:
    """f(x), and J ẋ for each of these ẋ, over any scalars.

    >>> square = trace(lambda x: [x[0] * x[0], x[1]], 2)
    >>> push(square, [3.0, 5.0], [{0: 1.0}])
    ([9.0, 5.0], [[6.0, 0.0]])
    """
    flat = flatten(tape)
    values = _values(flat, x)
    return _outputs(flat, values), [_push_forward(flat, values, rate) for rate in rates]


def pull(
    tape: Tape, x: Sequence[Scalar], weights: Sequence[Scalar], wrt: Sequence[int]
) -> tuple[list[Scalar], list[Scalar]]:
    """f(x), and the components of Jᵀ ȳ for the inputs `wrt`, with the weights ȳ of the elements of f.

    >>> product = trace(lambda x: [x[0] * x[1]], 2)
    >>> pull(product, [3.0, 5.0], [1.0], [0, 1])
    ([15.0], [5.0, 3.0])
    """
    flat = flatten(tape)
    values = _values(flat, x)
    return _outputs(flat, values), _pull_back(flat, values, weights, wrt)


def forward(tape: Tape, wrt: Sequence[int], directions: int = 1) -> Tape:
    """The tape (x, ẋ₁, ẋ₂, …) → [f(x), J ẋ₁, J ẋ₂, …], with the rates of the inputs `wrt` in each ẋ.

    >>> tape = forward(trace(lambda x: [x[0] * x[1]], 2), wrt=[0])
    >>> tape.sizes, tape.evaluate([3.0, 5.0, 1.0])
    ((2, 1), [15.0, 5.0])
    """

    def function(*parts: list[Scalar]) -> list[Scalar]:
        x = _join_lists(parts[: len(tape.sizes)])
        rates = [dict(zip(wrt, part, strict=True)) for part in parts[len(tape.sizes) :]]
        y, slopes = push(tape, x, rates)
        return [*y, *_join_lists(slopes)]

    return trace(function, *tape.sizes, *[len(wrt)] * directions)


def rates_of(values: Sequence[Scalar], x: Sequence[Node], rates: Sequence[Scalar]) -> list[Scalar]:
    """J ẋ of traced values, recorded beside them, with the rates of the inputs x; other inputs do not change.

    >>> trace(lambda x: [*rates_of([x[0] * x[1]], x, [1.0, x[0]])], 2).evaluate([3.0, 5.0])
    [14.0]
    """
    recorder = x[0].recorder
    inputs = [recorder.record(word(INPUT, k)) for k in range(sum(recorder.sizes))]
    number = {node.index: k for k, node in enumerate(inputs)}
    directions = {number[node.index]: rate for node, rate in zip(x, rates, strict=True)}
    return push(recorder.tape(values), inputs, [directions])[1][0]


def reverse(tape: Tape, wrt: Sequence[int]) -> Tape:
    """The tape (x, ȳ) → [f(x), Jᵀ ȳ], the latter for the inputs `wrt`.

    >>> tape = reverse(trace(lambda x: [x[0] * x[1]], 2), wrt=[0, 1])
    >>> tape.sizes, tape.evaluate([3.0, 5.0, 1.0])
    ((2, 1), [15.0, 5.0, 3.0])
    """

    def function(*parts: list[Scalar]) -> list[Scalar]:
        y, gradient = pull(tape, _join_lists(parts[:-1]), parts[-1], wrt)
        return [*y, *gradient]

    return trace(function, *tape.sizes, len(tape.outputs))


@dataclass(frozen=True, eq=False)
class Jacobian:
    """A sparse J: `tape` gives the elements that are not identically zero, with their rows (outputs) and columns
    (inputs), column by column."""

    tape: Tape
    rows: tuple[int, ...]
    columns: tuple[int, ...]


def jacobian(tape: Tape, wrt: Sequence[int]) -> Jacobian:
    """∂y/∂x for the inputs `wrt`, in forward mode and input by input: each statement has a derivative only for the
    inputs on which it depends.

    >>> found = jacobian(trace(lambda x: [x[0] * x[1], 3.0 * x[1], x[2]], 3), wrt=[0, 1])
    >>> found.rows, found.columns, found.tape.evaluate([2.0, 5.0, 0.0])
    ((0, 0, 1), (0, 1, 1), [5.0, 2.0, 3.0])
    """
    places: list[tuple[int, int]] = []

    def function(*parts: list[Scalar]) -> list[Scalar]:
        _, slopes = push(tape, _join_lists(parts), [{i: 1.0} for i in wrt])
        found = []
        for i, slope in zip(wrt, slopes, strict=True):
            for row, entry in enumerate(slope):
                if not _is_zero(entry):
                    places.append((row, i))
                    found.append(entry)
        return found

    derived = trace(function, *tape.sizes)
    return Jacobian(derived, tuple(row for row, _ in places), tuple(column for _, column in places))


def _values(flat: Flat, x: Sequence[Scalar]) -> list[Scalar]:
    """The inputs, the constants and the results of all operations."""
    values = [*x, *flat.constants.tolist()]
    for name, operands in _operations(flat):
        values.append(OPERATIONS[name](*[values[i] for i in operands]))
    return values


def _operations(flat: Flat) -> list[tuple[str, list[int]]]:
    counts = operand_counts(flat.kinds).tolist()
    rows = zip(flat.kinds.tolist(), flat.operands.T.tolist(), counts, strict=True)
    return [(KINDS[kind], operands[:count]) for kind, operands, count in rows]


def _outputs(flat: Flat, values: Sequence[Scalar]) -> list[Scalar]:
    return [values[i] for i in flat.outputs.tolist()]


def _push_forward(flat: Flat, values: Sequence[Scalar], rates: Tangents) -> list[Scalar]:
    """J ẋ at these values."""
    tangents = {i: rate for i, rate in rates.items() if not _is_zero(rate)}
    for k, (name, operands) in enumerate(_operations(flat), start=flat.given):
        if not any(i in tangents for i in operands):
            continue
        if name in _CHOICES:
            condition, one, other = _CHOICES[name](*[values[i] for i in operands])
            chosen = [tangents.get(operands[i], 0.0) for i in (one, other)]
            rate = 0.0 if all(map(_is_zero, chosen)) else where(condition, *chosen)
        else:
            slopes = _SLOPES[name](values[k], *[values[i] for i in operands])
            rate = 0.0
            for i, slope in zip(operands, slopes, strict=True):
                if i in tangents and not _is_zero(slope):
                    rate = rate + _times(name, slope, tangents[i])
        if not _is_zero(rate):
            tangents[k] = rate
    return [tangents.get(i, 0.0) for i in flat.outputs.tolist()]


def _pull_back(flat: Flat, values: Sequence[Scalar], weights: Sequence[Scalar], wrt: Sequence[int]) -> list[Scalar]:
    """Jᵀ ȳ at these values."""
    adjoints: dict[int, Scalar] = {}
    chosen: set[int] = set()  # values that count only if a condition holds
    active = _depending(flat, wrt)

    def add(i: int, contribution: Scalar) -> None:
        adjoints[i] = adjoints[i] + contribution if i in adjoints else contribution

    for i, weight in zip(flat.outputs.tolist(), weights, strict=True):
        if active[i] and not _is_zero(weight):
            add(i, weight)
    operations = _operations(flat)
    for k in range(flat.size - 1, flat.given - 1, -1):
        if k not in adjoints:
            continue
        name, operands = operations[k - flat.given]
        adjoint = adjoints.pop(k)
        if name in _CHOICES:
            condition, one, other = _CHOICES[name](*[values[i] for i in operands])
            for i, pair in ((operands[one], (adjoint, 0.0)), (operands[other], (0.0, adjoint))):
                if active[i]:
                    add(i, where(condition, *pair))
                    chosen.add(i)
            continue
        slopes = _SLOPES[name](values[k], *[values[i] for i in operands])
        for i, slope in zip(operands, slopes, strict=True):
            if active[i] and not _is_zero(slope):
                switched = k in chosen and not isinstance(slope, float)
                add(i, _switched_product(slope, adjoint) if switched else _times(name, slope, adjoint))
                if k in chosen:
                    chosen.add(i)
    return [adjoints.get(i, 0.0) for i in wrt]


def _depending(flat: Flat, wrt: Sequence[int]) -> list[bool]:
    """Which values depend on the chosen inputs."""
    active = [False] * flat.given
    for i in wrt:
        active[i] = True
    for _, operands in _operations(flat):
        active.append(any(active[i] for i in operands))
    return active


def _times(name: str, slope: Scalar, rate: Scalar) -> Scalar:
    return _switched_product(slope, rate) if name == "sqrt" else slope * rate


def _switched_product(slope: Scalar, rate: Scalar) -> Scalar:
    """slope · rate, and zero where the rate is zero, however large the slope."""
    return where(absolute(rate), slope * rate, 0.0)


def _is_zero(x: Scalar) -> bool:
    return isinstance(x, float) and x == 0.0


def _join_lists(parts: Sequence[list[Scalar]]) -> list[Scalar]:
    return [x for part in parts for x in part]


def _divide(value: Scalar, x: Scalar, y: Scalar) -> tuple[Scalar, Scalar]:
    inverse = 1.0 / y
    return inverse, -(value * inverse)


def _atan2(_: Scalar, y: Scalar, x: Scalar) -> tuple[Scalar, Scalar]:
    inverse = 1.0 / (x * x + y * y)
    return x * inverse, -(y * inverse)


_SLOPES: dict[str, Callable[..., tuple[Scalar, ...]]] = {
    "add": lambda v, x, y: (1.0, 1.0),
    "subtract": lambda v, x, y: (1.0, -1.0),
    "multiply": lambda v, x, y: (y, x),
    "divide": _divide,
    "negate": lambda v, x: (-1.0,),
    "sin": lambda v, x: (cos(x),),
    "cos": lambda v, x: (-sin(x),),
    "tan": lambda v, x: (1.0 + v * v,),
    "exp": lambda v, x: (v,),
    "log": lambda v, x: (1.0 / x,),
    "sqrt": lambda v, x: (0.5 / v,),
    "tanh": lambda v, x: (1.0 - v * v,),
    "atan2": _atan2,
    "absolute": lambda v, x: (sign(x),),
    "sign": lambda v, x: (0.0,),
    "floor": lambda v, x: (0.0,),
    "interval": lambda v, x, row: (0.0, 0.0),
    "entry": lambda v, place, row: (0.0, 0.0),
}
"""∂φ/∂uᵢ from the value of an operation and its operands."""

_CHOICES: dict[str, Callable[..., tuple[Scalar, int, int]]] = {
    "where": lambda condition, x, y: (condition, 1, 2),
    "minimum": lambda x, y: (y - x, 0, 1),
    "maximum": lambda x, y: (x - y, 0, 1),
}
"""The condition, and the operands that are the value if it is positive and if it is not."""
