"""Random programs: plain Python, the interpreter, the machine code of both kinds and many digits give the same."""

from collections.abc import Callable, Sequence

import mpmath
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grashof.scalar import (
    Scalar,
    absolute,
    atan2,
    cos,
    exp,
    log,
    maximum,
    minimum,
    sign,
    sin,
    sqrt,
    tan,
    tanh,
    where,
)
from grashof.tape import block, trace

INPUTS = 3
EPSILON = 2.0**-52

# Each step maps [−2, 2] into itself and does not spread values apart, so that round-off adds up and does not grow.
GENTLE: list[Callable[[Scalar, Scalar], Scalar]] = [
    lambda a, b: 0.5 * (a + b),
    lambda a, b: (a - b) / 2,
    lambda a, b: 0.25 * a * b,
    lambda a, b: a / (4.0 + b * b),
    lambda a, b: 0.3 * a**2 - 1.0 / 3.0,
    lambda a, b: -a,
    lambda a, b: sin(a),
    lambda a, b: cos(a),
    lambda a, b: tan(0.25 * a),
    lambda a, b: tanh(a),
    lambda a, b: exp(-a * a),
    lambda a, b: log(1.0 + a * a),
    lambda a, b: sqrt(1.0 + a * a) - 1.0,
    lambda a, b: 0.25 * atan2(a, 1.0 + b * b),
    lambda a, b: minimum(a, b),
    lambda a, b: maximum(a, -0.5),
    lambda a, b: absolute(a),
    lambda a, b: where(a, a, 0.5 * a),
    lambda a, b: 0.5 * a * sign(a),
]

# On small integers these are exact, with fused multiply-adds too.
EXACT: list[Callable[[Scalar, Scalar], Scalar]] = [
    lambda a, b: a + b,
    lambda a, b: a - b,
    lambda a, b: b - a,
    lambda a, b: a * b,
    lambda a, b: -a,
    lambda a, b: a * 0.0,
    lambda a, b: 1.0 * a,
    lambda a, b: -1.0 * a,
    lambda a, b: 2.0 - a,
    lambda a, b: a - 3.0,
    lambda a, b: a / -0.5,
    lambda a, b: a**2,
    lambda a, b: minimum(a, b),
    lambda a, b: maximum(a, b),
    lambda a, b: absolute(a),
    lambda a, b: sign(a),
    lambda a, b: where(a, b, 1.0),
]

Program = list[tuple[int, int, int]]


def programs(steps: list[Callable[[Scalar, Scalar], Scalar]]) -> st.SearchStrategy[Program]:
    """Lists of (step, operand, operand); operands count back from the newest value."""
    return st.lists(
        st.tuples(st.integers(0, len(steps) - 1), st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=25
    )


def run(steps: list[Callable[[Scalar, Scalar], Scalar]], program: Program, x: Sequence[Scalar]) -> list[Scalar]:
    values = list(x)
    for step, i, j in program:
        values.append(steps[step](values[-1 - i % len(values)], values[-1 - j % len(values)]))
    return values[-5:]


@settings(max_examples=60, deadline=None)
@given(program=programs(GENTLE), x=st.lists(st.floats(-2, 2), min_size=INPUTS, max_size=INPUTS))
def test_all_ways_to_run_a_program_agree_to_round_off(native, program: Program, x: list[float]) -> None:
    tape = trace(lambda nodes: run(GENTLE, program, nodes), INPUTS)
    with mpmath.workdps(40):
        exact = [float(value) for value in run(GENTLE, program, [mpmath.mpf(value) for value in x])]
        interpreted_exactly = [float(value) for value in tape.evaluate([mpmath.mpf(value) for value in x])]
    # A step makes at most eight roundings of values below 8 (interior constants included).
    bound = 8 * 8 * EPSILON * len(program)
    compiled = native(tape, x, unroll=True), native(tape, x, unroll=False)
    for way in (run(GENTLE, program, x), tape.evaluate(x), *compiled, interpreted_exactly):
        assert max(abs(a - b) for a, b in zip(way, exact, strict=True)) <= bound


def small(values: list[Scalar]) -> bool:
    return all(abs(value) < 2**48 for value in values)


@settings(max_examples=60, deadline=None)
@given(program=programs(EXACT), x=st.lists(st.integers(-3, 3), min_size=INPUTS, max_size=INPUTS))
def test_folding_changes_no_value(native, program: Program, x: list[int]) -> None:
    numbers = [float(value) for value in x]
    assume(all(small(run(EXACT, program[:k], numbers)) for k in range(len(program) + 1)))
    tape = trace(lambda nodes: run(EXACT, program, nodes), INPUTS)
    assert tape.evaluate(numbers) == run(EXACT, program, numbers)
    assert native(tape, numbers, unroll=True) == run(EXACT, program, numbers)
    assert native(tape, numbers, unroll=False) == run(EXACT, program, numbers)


@settings(max_examples=40, deadline=None)
@given(first=programs(EXACT), second=programs(EXACT), x=st.lists(st.integers(-3, 3), min_size=3, max_size=3))
def test_blocks_change_no_value(native, first: Program, second: Program, x: list[int]) -> None:
    def with_blocks(nodes: Sequence[Scalar]) -> list[Scalar]:
        inner = block(lambda a: run(EXACT, first, a))
        outer = block(lambda a, b: inner([b, *run(EXACT, second, inner(a))]))
        return outer(list(nodes), nodes[0]) + inner(list(nodes)) + outer([nodes[1], 2.0], nodes[2])

    numbers = [float(value) for value in x]
    direct = with_blocks(numbers)
    assume(small(direct) and small(run(EXACT, second, run(EXACT, first, numbers))))
    tape = trace(with_blocks, INPUTS)
    assume(small(tape.evaluate(numbers)))
    assert tape.evaluate(numbers) == direct
    assert native(tape, numbers, inline=False) == direct
    assert native(tape, numbers, inline=True) == direct
    assert native(tape, numbers, unroll=False) == direct
