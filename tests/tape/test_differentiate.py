"""Derivatives of tapes agree with differences in many digits, forward and reverse, on random programs and on those
of mechanisms."""

from collections.abc import Callable, Sequence

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grashof.problems import make_case
from grashof.program import build
from grashof.scalar import (
    Scalar,
    absolute,
    atan2,
    cos,
    entry,
    exp,
    floor,
    interval,
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
from grashof.scalar.rows import keep
from grashof.tape import Tape, block, trace
from grashof.tape.differentiate import _CHOICES, _SLOPES, forward, jacobian, pull, push, reverse
from grashof.tape.words import OPERANDS

KNOTS = keep((-1.0, 0.1, 0.7, 2.0))

# Smooth or piecewise smooth, and moderate on [−2, 2]².
OPERATIONS: list[Callable[[Scalar, Scalar], Scalar]] = [
    lambda a, b: 0.5 * (a + b),
    lambda a, b: 0.5 * (a - b),
    lambda a, b: 0.25 * a * b,
    lambda a, b: a / (2.0 + b * b),
    lambda a, b: 1.0 / (1.0 + a * a),
    lambda a, b: -a,
    lambda a, b: sin(a),
    lambda a, b: cos(a),
    lambda a, b: tan(0.25 * a),
    lambda a, b: tanh(a),
    lambda a, b: exp(-a * a),
    lambda a, b: log(1.5 + a * a),
    lambda a, b: sqrt(0.5 + a * a),
    lambda a, b: 0.5 * atan2(a, b),
    lambda a, b: minimum(a, b),
    lambda a, b: maximum(a, 0.3 * b),
    lambda a, b: absolute(a),
    lambda a, b: where(a, b, 0.5 * a),
    lambda a, b: a * sign(b),
    lambda a, b: 0.5 * a * floor(b),
    lambda a, b: 0.5 * a * entry(interval(b, KNOTS), KNOTS),
]


def _listed(operation: Callable[[Scalar, Scalar], Scalar]) -> Callable[[Scalar, Scalar], list[Scalar]]:
    return lambda a, b: [operation(a, b)]


def program(choices: Sequence[tuple[int, int, int]], called: bool) -> Callable[[Sequence[Scalar]], list[Scalar]]:
    """Operations on earlier values, each of which may be a block of its own."""
    listed = [_listed(operation) for operation in OPERATIONS]
    blocks = [block(function) for function in listed] if called else listed

    def function(x: Sequence[Scalar]) -> list[Scalar]:
        values = list(x)
        for operation, i, j in choices:
            values.append(blocks[operation](values[i % len(values)], values[j % len(values)])[0])
        return values[-3:]

    return function


def slopes_by_differences(tape: Tape, x: Sequence[float], direction: Sequence[float]) -> np.ndarray:
    """J ẋ by central differences with steps of 1e-15 in fifty digits."""
    with mpmath.workdps(50):
        h = mpmath.mpf(10) ** -15
        one, other = (
            tape.evaluate([mpmath.mpf(a) + s * h * mpmath.mpf(b) for a, b in zip(x, direction, strict=True)])
            for s in (1, -1)
        )
        return np.array([float((a - b) / (2 * h)) for a, b in zip(one, other, strict=True)])


@settings(max_examples=60)
@given(
    st.lists(
        st.tuples(st.integers(0, len(OPERATIONS) - 1), st.integers(0, 20), st.integers(0, 20)), min_size=3, max_size=12
    ),
    st.booleans(),
    st.integers(0, 2**32 - 1),
)
def test_random_programs(choices: list[tuple[int, int, int]], called: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    tape = trace(program(choices, called), 3)
    x, rate, weights = (rng.uniform(-2.0, 2.0, 3).tolist() for _ in range(3))
    exact = slopes_by_differences(tape, x, rate)
    found = forward(tape, range(3)).evaluate([*x, *rate])[3:]
    assert found == pytest.approx(exact, rel=1e-10, abs=1e-10)
    gradient = reverse(tape, range(3)).evaluate([*x, *weights])[3:]
    assert np.dot(gradient, rate) == pytest.approx(np.dot(weights, exact), rel=1e-10, abs=1e-10)


def test_every_operation_has_a_rule() -> None:
    assert _SLOPES.keys() | _CHOICES.keys() == OPERANDS.keys()
    assert not _SLOPES.keys() & _CHOICES.keys()


def test_only_the_chosen_inputs_move() -> None:
    tape = trace(lambda q, v: [q[0] * v[0] + sin(q[1]), v[0] * v[0]], 2, 1)
    assert forward(tape, [2]).evaluate([3.0, 5.0, 7.0, 1.0])[2:] == [3.0, 14.0]
    assert reverse(tape, [0]).evaluate([3.0, 5.0, 7.0, 1.0, 1.0])[2:] == [7.0]


def test_several_directions_share_what_they_can() -> None:
    tape = trace(lambda x: [exp(sin(x[0]) * x[1]) / x[2]], 3)
    assert len(forward(tape, range(3), directions=3)) < 3 * len(forward(tape, range(3)))
    assert forward(tape, [0, 1], 2).sizes == (3, 2, 2)


def test_a_jacobian_has_no_zeros() -> None:
    found = jacobian(trace(lambda x: [x[0] * x[1], x[1] + 0.0 * x[0], floor(x[2])], 3), range(3))
    assert list(zip(found.rows, found.columns, strict=True)) == [(0, 0), (0, 1), (1, 1)]


def test_kinks_have_the_derivative_of_the_branch_taken() -> None:
    tape = trace(lambda x: [absolute(x[0]), minimum(x[0], 1.0), maximum(x[0], 1.0), where(x[0], 2.0 * x[0], x[0])], 1)
    assert push(tape, [-2.0], [{0: 1.0}])[1] == [[-1.0, 1.0, 0.0, 1.0]]
    assert push(tape, [0.0], [{0: 1.0}])[1] == [[0.0, 1.0, 0.0, 1.0]]
    assert push(tape, [2.0], [{0: 1.0}])[1] == [[1.0, 0.0, 1.0, 2.0]]


def test_the_branch_that_is_not_taken_does_no_harm(native) -> None:
    """The root has an infinite derivative where it is not used, as has the quotient."""
    tape = trace(lambda x: [where(x[0], sqrt(x[0]) / x[0] + log(x[0]), 3.0 * x[0])], 1)
    assert native(forward(tape, [0]), [0.0, 1.0]) == [0.0, 3.0]
    assert native(reverse(tape, [0]), [0.0, 1.0]) == [0.0, 3.0]


def test_a_norm_at_zero_moves_nothing_that_it_is_multiplied_with(native) -> None:
    """|x| x has the derivative zero at x = 0, where |x| itself has none."""
    tape = trace(lambda x: [sqrt(x[0] * x[0] + x[1] * x[1]) * x[0]], 2)
    assert native(forward(tape, [0, 1]), [0.0, 0.0, 1.0, 2.0]) == [0.0, 0.0]
    assert native(reverse(tape, [0, 1]), [0.0, 0.0, 1.0]) == [0.0, 0.0, 0.0]


def test_an_infinite_derivative_is_infinite(native) -> None:
    tape = trace(lambda x: [sqrt(x[0])], 1)
    assert native(forward(tape, [0]), [0.0, 1.0]) == [0.0, np.inf]
    assert native(reverse(tape, [0]), [0.0, 1.0]) == [0.0, np.inf]


@pytest.mark.parametrize("name", ["andrews", "double-four-bar", "multiple-four-bar"])
@pytest.mark.parametrize("function", ["derivative", "project"])
def test_equations_of_motion_and_projections(native, name: str, function: str) -> None:
    """Near the start, but not on the constraints, so that nothing is small by luck."""
    started = build(make_case(name).model)
    dynamics, assembly = started.dynamics, started.assembly
    layout, rng = dynamics.layout, np.random.default_rng(7)
    tape = trace(lambda x: getattr(dynamics, function)(x), 1 + layout.size)
    q = assembly.q + 1e-3 * started.system.length * rng.normal(size=layout.nq)
    angles = [assembly.angles[angle] for angle in layout.angles]
    x = [0.1, *q, *(assembly.v + rng.normal(size=layout.nq)), *angles, *[0.0] * (layout.extra - len(angles))]
    rate, weights = rng.normal(size=len(x)).tolist(), rng.normal(size=len(tape.outputs)).tolist()

    exact = slopes_by_differences(tape, x, rate)
    values, count = native(tape, x), len(tape.outputs)
    found = np.array(native(forward(tape, range(len(x))), [*x, *rate]))
    gradient = np.array(native(reverse(tape, range(len(x))), [*x, *weights]))
    entries = jacobian(tape, range(len(x)))
    dense = np.zeros((count, len(x)))
    dense[list(entries.rows), list(entries.columns)] = native(entries.tape, x)

    size = np.max(np.abs(exact))
    assert found[:count] == pytest.approx(values, rel=1e-9, abs=1e-9 * np.max(np.abs(values)))
    assert found[count:] == pytest.approx(exact, rel=1e-7, abs=1e-8 * size)
    assert np.asarray(dense @ rate) == pytest.approx(exact, rel=1e-7, abs=1e-8 * size)
    assert gradient[count:] == pytest.approx(dense.T @ weights, rel=1e-7, abs=1e-8 * np.max(np.abs(gradient)))


def test_derivatives_have_derivatives() -> None:
    """The second ones of x²y: the reverse tape is differentiated once more."""
    tape = trace(lambda x: [x[0] * x[0] * x[1]], 2)
    gradient = reverse(tape, [0, 1])
    assert forward(gradient, [0]).evaluate([3.0, 5.0, 1.0, 1.0])[3:] == [30.0, 10.0, 6.0]
    assert pull(tape, [3.0, 5.0], [2.0], [1])[1] == [18.0]
