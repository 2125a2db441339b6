"""A row of numbers is looked up alike by numbers, arrays, jets, interpreted tapes and machine code."""

from collections.abc import Sequence

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grashof.scalar import Jet, Scalar, entry, floor, interval
from grashof.scalar.rows import keep
from grashof.tape import block, trace

from .conftest import Run

places = st.floats(-1e3, 1e3)
rows = st.lists(places, min_size=2, max_size=40, unique=True).map(sorted)


def by_hand(x: float, row: Sequence[float]) -> float:
    """The place of the last number that is not above x, but for the last one."""
    return float(max([i for i in range(len(row) - 1) if row[i] <= x], default=0))


@given(rows, places, st.data())
def test_intervals_are_found_alike(native: Run, row: list[float], x: float, data: st.DataObject) -> None:
    x = data.draw(
        st.one_of(st.just(x), st.sampled_from(row), st.sampled_from(row).map(lambda y: np.nextafter(y, -1e9)))
    )
    number, values = keep(row), keep([*range(10, 10 + len(row))])
    tape = trace(lambda z: [interval(z[0], number), entry(interval(z[0], number), values)], 1)
    expected = by_hand(x, row)
    assert interval(x, number) == expected
    assert interval(mpmath.mpf(x), number) == expected
    assert interval(np.array([x, x]), number).tolist() == [expected] * 2
    assert interval(Jet(x, 1.0, 1.0), number).value == expected
    assert interval(Jet(x, 1.0, 1.0), number).first == 0.0
    assert tape.evaluate([x]) == [expected, 10.0 + expected]
    assert native(tape, [x], unroll=False) == [expected, 10.0 + expected]


@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize("inline", [True, False])
def test_long_rows_in_blocks_of_one_module(native: Run, unroll: bool, inline: bool) -> None:
    rng = np.random.default_rng(1)
    knots = np.sort(rng.normal(size=1000))
    number, values = keep(knots), keep(rng.normal(size=1000))

    @block
    def looked_up(x: Scalar) -> list[Scalar]:
        return [entry(interval(x, number), values), floor(10.0 * x)]

    tape = trace(lambda x: [*looked_up(x[0]), *looked_up(x[1])], 2)
    for x, y in rng.normal(size=(20, 2)):
        expected = [*looked_up(float(x)), *looked_up(float(y))]
        assert native(tape, [x, y], inline=inline, unroll=unroll) == expected
        assert tape.evaluate([x, y]) == expected


def test_equal_rows_are_kept_once() -> None:
    assert keep([1.0, 2.5]) == keep((1.0, 2.5))
    assert keep([0.0, 1.0]) != keep([-0.0, 1.0])
