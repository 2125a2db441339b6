"""What tracing records, what it settles at once, and what it refuses."""

import math
from collections.abc import Callable

import mpmath
import numpy as np
import pytest

from grashof.scalar import Jet, Scalar, absolute, maximum, minimum, sin, where
from grashof.tape import Node, TraceError, block, trace


def outputs_of(function: Callable[[Scalar, Scalar], Scalar]) -> tuple[Scalar, list[str]]:
    """The result of a function of two traced values, and the names of the operations that it needs."""
    results: list[Scalar] = []

    def traced(x: list[Node]) -> list[Scalar]:
        results.append(function(*x))
        return results

    tape = trace(traced, 2)
    return results[0], [s[0] for s in tape.statements if s[0] not in ("input", "constant")]


SETTLED: dict[str, tuple[Callable[[Scalar, Scalar], Scalar], float]] = {
    "0·x": (lambda x, y: 0.0 * x, 0.0),
    "x·0": (lambda x, y: x * 0, 0.0),
    "0/x": (lambda x, y: 0.0 / x, 0.0),
    "x−x": (lambda x, y: x - x, 0.0),
    "x+(−x)": (lambda x, y: x + (-x), 0.0),
    "xy−yx": (lambda x, y: x * y - y * x, 0.0),
    "x⁰": (lambda x, y: x**0, 1.0),
}


@pytest.mark.parametrize(("function", "value"), SETTLED.values(), ids=SETTLED.keys())
def test_structural_zeros_and_ones_are_plain_floats(function: Callable[..., Scalar], value: float) -> None:
    result, operations = outputs_of(function)
    assert type(result) is float
    assert result == value
    assert operations == []


UNCHANGED: dict[str, Callable[[Scalar, Scalar], Scalar]] = {
    "1·x": lambda x, y: 1.0 * x,
    "x/1": lambda x, y: x / 1.0,
    "x+0": lambda x, y: x + 0.0,
    "0+x": lambda x, y: 0 + x,
    "x−0": lambda x, y: x - 0.0,
    "−(−x)": lambda x, y: (-x).__neg__(),
    "0−(−x)": lambda x, y: 0.0 - (-x),
    "(−1)·(−x)": lambda x, y: -1.0 * -x,
    "x¹": lambda x, y: x**1,
    "+x": lambda x, y: +x,
    "min(x, x)": lambda x, y: minimum(x, x),
    "max(x, x)": lambda x, y: maximum(x, x),
    "where(y, x, x)": lambda x, y: where(y, x, x),
    "where(2, x, y)": lambda x, y: where(2.0, x, y),
    "where(−2, y, x)": lambda x, y: where(-2.0, y, x),
}


@pytest.mark.parametrize("function", UNCHANGED.values(), ids=UNCHANGED.keys())
def test_operations_without_effect_leave_no_trace(function: Callable[..., Scalar]) -> None:
    result, operations = outputs_of(function)
    assert isinstance(result, Node)
    assert result.index == 0
    assert operations == []


SHORTER: dict[str, tuple[Callable[[Scalar, Scalar], Scalar], list[str]]] = {
    "−1·x": (lambda x, y: -1.0 * x, ["negate"]),
    "x−(−y)": (lambda x, y: x - (-y), ["add"]),
    "x+(−y)": (lambda x, y: x + (-y), ["subtract"]),
    "(−x)+y": (lambda x, y: (-x) + y, ["subtract"]),
    "(−x)−y": (lambda x, y: (-x) - y, ["add", "negate"]),
    "3−(−x)": (lambda x, y: 3.0 - (-x), ["add"]),
    "(−x)(−y)": (lambda x, y: (-x) * (-y), ["multiply"]),
    "3(−x)": (lambda x, y: 3.0 * (-x), ["multiply"]),
    "x/2": (lambda x, y: x / 2.0, ["multiply"]),
    "3/(−x)": (lambda x, y: 3.0 / (-x), ["divide"]),
    "(−x)/(−y)": (lambda x, y: (-x) / (-y), ["divide"]),
    "|−x|": (lambda x, y: absolute(-x), ["absolute"]),
    "x⁸": (lambda x, y: x**8, ["multiply"] * 3),
    "x⁻²": (lambda x, y: x**-2, ["multiply", "divide"]),
    "xy+yx": (lambda x, y: x * y + y * x, ["multiply", "add"]),
    "sin x · sin x": (lambda x, y: sin(x) * sin(x), ["sin", "multiply"]),
}


@pytest.mark.parametrize(("function", "expected"), SHORTER.values(), ids=SHORTER.keys())
def test_what_is_recorded_is_short(function: Callable[..., Scalar], expected: list[str]) -> None:
    assert outputs_of(function)[1] == expected


def test_statements_that_no_output_needs_are_dropped() -> None:
    def function(x: list[Scalar]) -> list[Scalar]:
        sin(x[0]) * 3.0
        return [x[1] * x[1]]

    tape = trace(function, 2)
    assert tape.statements == (("input", 1), ("multiply", 0, 0))
    assert len(tape) == 1


def test_blocks_lists_and_constants_that_no_output_needs_are_dropped_too() -> None:
    square = block(lambda x: [x * x + 7.0])
    cube = block(lambda x: [x * x * x])

    def function(x: list[Scalar]) -> list[Scalar]:
        where(square(x[0])[0], x[1], 5.0)
        return [where(x[1], 3.0, cube(x[1])[0])]

    tape = trace(function, 2)
    assert len(tape.blocks) == len(tape.constants) == 1
    assert [s[0] for s in tape.statements] == ["input", "call", "result", "constant", "where"]
    assert [tape.evaluate([0.0, x]) for x in (2.0, -2.0)] == [[3.0], [-8.0]]


def test_a_long_way_that_leads_nowhere_leaves_no_statement() -> None:
    def function(x: list[Scalar]) -> list[Scalar]:
        lost = x[0]
        for _ in range(2000):
            lost = sin(lost) * x[1]
        return [x[0] + x[1]]

    assert len(trace(function, 2)) == 1


def test_outputs_may_be_numbers() -> None:
    assert trace(lambda x: [1, np.float64(2.5), mpmath.mpf(3), x[0]], 1).evaluate([4.0]) == [1.0, 2.5, 3.0, 4.0]


def test_lists_lie_end_to_end_in_the_input() -> None:
    tape = trace(lambda q, v, e: [q[1], v[0], e[0]], 2, 1, 1)
    assert tape.inputs == 4
    assert tape.evaluate([10.0, 11.0, 12.0, 13.0]) == [11.0, 12.0, 13.0]


def test_the_number_of_inputs_is_checked() -> None:
    with pytest.raises(ValueError, match="2 inputs, 1 values"):
        trace(lambda x: x, 2).evaluate([1.0])


@pytest.mark.parametrize("number", [np.float64(2.0), mpmath.mpf(2), 2, np.array(2.0)], ids=lambda n: type(n).__name__)
def test_numbers_of_every_kind_meet_nodes_from_both_sides(number: Scalar) -> None:
    tape = trace(lambda x: [number * x[0], x[0] - number, number - x[0], x[0] / number, number / x[0]], 1)
    assert tape.evaluate([8.0]) == [16.0, 6.0, -6.0, 4.0, 0.25]
    assert all(type(s[1]) is float for s in tape.statements if s[0] == "constant")


def test_signed_zeros_are_different_constants() -> None:
    tape = trace(lambda x: [where(x[0], 0.0, 1.0), where(x[0], -0.0, 1.0)], 1)
    plus, minus = tape.evaluate([1.0])
    assert math.copysign(1.0, plus) == 1.0
    assert math.copysign(1.0, minus) == -1.0


def test_a_quotient_by_a_subnormal_number_stays_a_quotient() -> None:
    tiny = 5e-324
    assert trace(lambda x: [x[0] / tiny], 1).evaluate([tiny]) == [1.0]


def test_a_division_by_zero_is_found_while_tracing() -> None:
    with pytest.raises(ZeroDivisionError):
        trace(lambda x: [x[0] / 0.0], 1)


def test_jets_of_nodes_trace_their_derivatives() -> None:
    def square(x: list[Scalar]) -> list[Scalar]:
        jet = x[0] * Jet(x[0], x[1], x[2]) + sin(Jet(0.0, 0.0, 0.0)) + minimum(x[0] * 9.0, Jet(x[0], x[1], x[2]))
        return [jet.value, jet.first, jet.second]

    assert trace(square, 3).evaluate([2.0, 3.0, 5.0]) == [6.0, 9.0, 15.0]


REFUSED: dict[str, tuple[Callable[[Scalar], Scalar], str]] = {
    "if": (lambda x: 1.0 if x < 1.0 else 2.0, r"no truth value, .* use np\.where"),
    "==": (lambda x: x == 1.0, "equal for an instant at most"),
    "max": (lambda x: max(x, 1.0), r"no truth value, .* use np\.where"),
    "float": (float, "not a number yet"),
    "math.sin": (math.sin, "not a number yet"),
    "text": (lambda x: "x", "neither a number nor a traced value"),
}


@pytest.mark.parametrize(("function", "message"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_traced_is_refused_in_words(function: Callable[..., Scalar], message: str) -> None:
    with pytest.raises(TraceError, match=message):
        trace(lambda x: [function(x[0])], 1)


def test_an_array_is_a_container_of_traced_values() -> None:
    assert trace(lambda x: [*(np.array([1.0, 2.0]) * x[0])], 1).evaluate([3.0]) == [3.0, 6.0]
    with pytest.raises(TraceError, match="ndarray is neither a number nor a traced value"):
        trace(lambda x: [np.ones(3) * x[0]], 1)


def test_a_node_does_not_leave_its_trace() -> None:
    escaped: list[Node] = []
    trace(lambda x: escaped.append(x[0]) or [x[0]], 1)
    for misuse in (lambda x: [x[0] + escaped[0]], lambda x: [minimum(x[0], escaped[0])], lambda x: escaped):
        with pytest.raises(TraceError, match="outside the function"):
            trace(misuse, 1)
