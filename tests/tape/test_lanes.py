"""Vector code gives each lane the digits that it would have alone."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from grashof import scalar
from grashof.scalar import Scalar
from grashof.scalar.rows import keep
from grashof.tape import Library, Tape, emit, trace
from grashof.tape.lanes import Lanes
from grashof.tape.words import OPERANDS

WIDTHS = (1, 2, 4, 8)
ROW = keep((-2.0, -1.0, 0.5, 2.0, 4.0))


def in_lanes(
    tape: Tape, lists: list[np.ndarray], width: int, inline: bool | None = None, unroll: bool | None = True
) -> np.ndarray:
    """Outputs (count, width) from lists of inputs (size, width)."""
    library = Library(emit({"f": tape}, inline, unroll=unroll, lanes=Lanes(width)))
    function = library.function("f", None, *[ctypes.c_void_p] * (len(lists) + 1))
    arrays = [np.ascontiguousarray(x) for x in lists]
    outputs = np.full((len(tape.outputs), width), np.nan)
    function(*[x.ctypes.data for x in arrays], outputs.ctypes.data)
    return outputs


def one_by_one(tape: Tape, lists: list[np.ndarray], unroll: bool = True) -> np.ndarray:
    columns = [in_lanes(tape, [x[:, k : k + 1] for x in lists], 1, unroll=unroll) for k in range(lists[0].shape[1])]
    return np.hstack(columns)


def everything(x: list[Scalar]) -> list[Scalar]:
    """Every operation that a tape can have, of three inputs."""
    functions = [name for name in OPERANDS if hasattr(scalar, name) and name not in ("interval", "entry")]
    found = [getattr(scalar, name)(*x[: OPERANDS[name]]) for name in functions]
    place = scalar.interval(x[0], ROW)
    return [*found, place, scalar.entry(place, ROW), -x[0], x[0] / x[1] - x[2] * x[1], x[2] - x[0] * x[1]]


@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize("width", WIDTHS)
def test_every_operation_has_the_same_digits_in_a_lane(width: int, unroll: bool) -> None:
    """Angles beyond the limit of the fast reduction stand beside others."""
    values = np.random.default_rng(1).normal(size=(3, width))
    values[0, :: max(2, width // 2)] *= 1e9
    values[2] = np.abs(values[2])
    tape = trace(everything, 3)
    assert len(tape) >= len(OPERANDS)
    found = in_lanes(tape, [values], width, unroll=unroll)
    assert np.array_equal(found, one_by_one(tape, [values]), equal_nan=True)


@pytest.mark.parametrize(("inline", "unroll"), [(True, True), (False, True), (None, False)])
@pytest.mark.parametrize("width", WIDTHS)
def test_lists_of_inputs_have_pointers_of_their_own(width: int, inline: bool | None, unroll: bool) -> None:
    tape = trace(lambda x, c: [c[0] * x[1] + x[0], x[1] / c[1]], 2, 2)
    rng = np.random.default_rng(2)
    x, c = rng.normal(size=(2, width)), rng.normal(size=(2, width))
    found = in_lanes(tape, [x, c], width, inline, unroll)
    assert np.allclose(found, [c[0] * x[1] + x[0], x[1] / c[1]], rtol=1e-15)


def test_programs_that_are_too_long_to_be_unrolled_run_with_loops() -> None:
    """A chain of 40,000 products, in lanes as it is alone; it falls to about 1/k, so that nothing is lost."""

    def chain(x: list[Scalar]) -> list[Scalar]:
        for _ in range(40_000):
            x = [x[1], x[0] - x[1] * x[0]]
        return x

    tape = trace(chain, 2)
    code = emit({"f": tape}, lanes=Lanes(4))
    assert code.schedules["f"].lanes == 4
    values = np.random.default_rng(4).uniform(0.1, 0.9, (2, 4))
    assert np.array_equal(in_lanes(tape, [values], 4, unroll=None), one_by_one(tape, [values], unroll=False))
