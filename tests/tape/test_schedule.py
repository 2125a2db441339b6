"""Programs with loops: what becomes one step, what becomes one loop, and in which order."""

import ctypes

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grashof.scalar import Scalar, cos, sqrt
from grashof.tape import Library, Tape, emit, trace
from grashof.tape.schedule import STEPS, Schedule, schedule
from grashof.tape.sums import TERMS


def steps(tape: Tape) -> list[tuple[tuple[str, int], int]]:
    """The runs of a tape: what their steps do, and how many there are."""
    return [(STEPS[code], count) for code, count in schedule(tape).runs.tolist()]


def operands_by_step(program: Schedule) -> list[list[int]]:
    """The places that each step reads."""
    rest = iter(program.operands.tolist())
    sizes = {"where": 3, "negate": 1, "sqrt": 1, "cos": 1}
    found = []
    for code, count in program.runs.tolist():
        name, terms = STEPS[code]
        size = 1 + 2 * terms if terms else sizes.get(name, 2)
        found += [[next(rest) for _ in range(size)] for _ in range(count)]
    assert not list(rest)
    return found


def test_independent_operations_of_a_kind_are_one_loop() -> None:
    tape = trace(lambda x: [cos(value) for value in x], 50)
    assert steps(tape) == [(("cos", 0), 50)]


def test_runs_go_on_through_the_levels_when_nothing_else_is_to_do() -> None:
    def chains(x: list[Scalar]) -> list[Scalar]:
        for _ in range(7):
            x = [sqrt(value) for value in x]
        return x

    assert steps(trace(chains, 3)) == [(("sqrt", 0), 21)]


SUMS = {
    "c + ab": (lambda a, b, c, d: c + a * b, [(("plus", 1), 1)]),
    "ab + c": (lambda a, b, c, d: a * b + c, [(("plus", 1), 1)]),
    "c − ab": (lambda a, b, c, d: c - a * b, [(("minus", 1), 1)]),
    "ab − c": (lambda a, b, c, d: a * b - c, [(("rest", 1), 1)]),
    "ab + cd": (lambda a, b, c, d: a * b + c * d, [(("plus", 2), 1)]),
    "ab − cd": (lambda a, b, c, d: a * b - c * d, [(("multiply", 0), 1), (("minus", 1), 1)]),
    "c − ab − bd": (lambda a, b, c, d: c - a * b - b * d, [(("minus", 2), 1)]),
    "c − ab + bd": (lambda a, b, c, d: c - a * b + b * d, [(("minus", 1), 1), (("plus", 1), 1)]),
    "a + c": (lambda a, b, c, d: a + c, [(("add", 0), 1)]),
}


@pytest.mark.parametrize(("function", "expected"), SUMS.values(), ids=SUMS.keys())
def test_products_go_into_the_sums_that_need_them(native, function, expected) -> None:
    tape = trace(lambda x: [function(*x)], 4)
    assert steps(tape) == expected
    assert native(tape, [2.0, 3.0, 5.0, 7.0], unroll=False) == [function(2.0, 3.0, 5.0, 7.0)]


def test_a_product_that_something_else_needs_is_kept(native) -> None:
    def shared(x: list[Scalar]) -> list[Scalar]:
        product = x[0] * x[1]
        return [x[2] + product, cos(product)]

    tape = trace(shared, 3)
    assert sorted(steps(tape)) == [(("add", 0), 1), (("cos", 0), 1), (("multiply", 0), 1)]
    assert native(tape, [2.0, 3.0, 5.0], unroll=False) == shared([2.0, 3.0, 5.0])


def test_a_sum_that_something_else_needs_is_kept(native) -> None:
    def shared(x: list[Scalar]) -> list[Scalar]:
        total = x[2] + x[0] * x[1]
        return [total + x[0] * x[2], total]

    tape = trace(shared, 3)
    assert steps(tape) == [(("plus", 1), 2)]
    assert native(tape, [2.0, 3.0, 5.0], unroll=False) == [21.0, 11.0]


@pytest.mark.parametrize("length", [1, 2, TERMS, TERMS + 1, 3 * TERMS, 3 * TERMS + 2, 1000])
def test_sums_of_any_length_keep_their_order(native, length: int) -> None:
    def total(x: list[Scalar]) -> list[Scalar]:
        result = x[0]
        for k in range(length):
            result = result - x[1 + k] * x[-1 - k]
        return [result]

    tape = trace(total, 2 * length + 1)
    assert sum(count for _, count in steps(tape)) == -(-length // TERMS)
    # one large term: any other order would round differently
    x = [1.0, 2.0**53, *[1.0] * (2 * length - 1)]
    assert native(tape, x, unroll=False) == total(x)


APPLY = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "+*": lambda a, b: a + b * b}


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.sampled_from([*APPLY]), st.integers(0, 9), st.integers(0, 9)), min_size=1, max_size=200),
    st.sets(st.integers(0, 50), max_size=5),
    st.lists(st.integers(-1, 1), min_size=5, max_size=5),
)
def test_every_step_comes_after_what_it_reads(
    native, program: list[tuple[str, int, int]], outputs: set[int], x: list[int]
) -> None:
    largest = 0

    def function(x: list[Scalar]) -> list[Scalar]:
        nonlocal largest
        values = list(x)
        for name, i, j in program:
            values.append(APPLY[name](values[-1 - i % len(values)], values[-1 - j % len(values)]))
            largest = max(largest, abs(values[-1])) if type(values[-1]) is int else largest
        return [values[-1 - k % len(values)] for k in {0, *outputs}]

    tape = trace(function, 5)
    table = schedule(tape)
    first = table.inputs + len(table.constants)
    assert table.size <= first + len(tape)
    assert all(max(places) < first + k for k, places in enumerate(operands_by_step(table)))
    exact = function(x)  # in integers of any size
    assume(largest < 2**50)
    assert native(tape, x, unroll=False) == exact


def test_inputs_and_constants_may_be_outputs(native) -> None:
    tape = trace(lambda x: [x[1], 2.5, -0.0, x[0] + 2.5, x[1]], 3)
    assert repr(native(tape, [1.0, 2.0, 3.0], unroll=False)) == "[2.0, 2.5, -0.0, 3.5, 2.0]"


def test_a_tape_may_have_nothing_to_do(native) -> None:
    assert native(trace(lambda x: [], 3), [1.0, 2.0, 3.0], unroll=False) == []


def test_long_tapes_are_not_unrolled() -> None:
    def chain(x: list[Scalar], length: int) -> list[Scalar]:
        for _ in range(length):
            x = [x[1], x[0] - x[1] * x[0]]
        return x

    short, long = (trace(lambda x, length=length: chain(x, length), 2) for length in (1000, 40_000))
    assert not emit({"f": short}).schedules
    assert emit({"f": long}).schedules.keys() == {"f"}
    assert len(emit({"f": long}).text) < 100_000


def test_tapes_of_one_module_have_programs_of_their_own() -> None:
    tapes = {"double": trace(lambda x: [2.0 * x[0]], 1), "square": trace(lambda x: [x[0] * x[0]], 1)}
    library = Library(emit(tapes, unroll=False))
    x, y = np.array([5.0]), np.empty(1)
    for name, expected in (("double", 10.0), ("square", 25.0)):
        library.function(name, None, ctypes.c_void_p, ctypes.c_void_p)(x.ctypes.data, y.ctypes.data)
        assert y[0] == expected


def test_all_programs_run_by_the_same_machine_code() -> None:
    first, second = (trace(lambda x, k=k: [x[0] ** k + k * sqrt(x[1])], 2) for k in (2, 9))
    assert emit({"f": first}, unroll=False).text == emit({"f": second}, unroll=False).text
