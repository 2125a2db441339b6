"""Elementary functions in machine code are those of Python, bit for bit."""

import math

import pytest

from grashof import scalar
from grashof.scalar.elementary import FARTHEST, LIMIT
from grashof.tape import trace

from ..scalar.samples import angles, numbers, vectors


@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_machine_code_gives_the_same_bits_as_python(name: str, unroll: bool, native) -> None:
    function, x = getattr(scalar, name), [float(x) for x in angles(LIMIT)[:300] + angles(FARTHEST)[-400:]]
    found = native(trace(lambda nodes: [function(node) for node in nodes], len(x)), x, unroll=unroll)
    assert found == [function(value) for value in x]


def test_machine_code_gives_the_same_angles_of_vectors_as_python(native) -> None:
    pairs = vectors()
    tape = trace(
        lambda nodes: [scalar.atan2(nodes[2 * k], nodes[2 * k + 1]) for k in range(len(pairs))], 2 * len(pairs)
    )
    assert native(tape, [x for pair in pairs for x in pair]) == [scalar.atan2(y, x) for y, x in pairs]


@pytest.mark.parametrize("name", ["exp", "log", "tanh"])
def test_machine_code_gives_the_same_exponentials_as_python(name: str, native) -> None:
    function, x = getattr(scalar, name), numbers()[name]
    found = native(trace(lambda nodes: [function(node) for node in nodes], len(x)), x)
    assert found == [function(value) for value in x]


def test_outside_their_range_functions_are_infinite_or_not_numbers(native) -> None:
    tape = trace(lambda x: [scalar.exp(x[0]), scalar.log(x[1]), scalar.log(x[2])], 3)
    infinite, least, none = native(tape, [710.0, 0.0, -1.0])
    assert infinite == math.inf
    assert least == -math.inf
    assert math.isnan(none)


def test_what_is_not_a_number_stays_so(native) -> None:
    tape = trace(lambda x: [scalar.sin(x[0]), scalar.cos(x[0]), scalar.atan2(x[0], 1.0)], 1)
    for x in (math.nan, math.inf, -math.inf):
        assert all(map(math.isnan, native(tape, [x])[:2]))
