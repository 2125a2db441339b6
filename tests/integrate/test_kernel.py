"""Kernels compute what their Python source says."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from grashof.integrate.kernel import UNROLLED, Kernel, declarations
from grashof.integrate.values import LANES, Value
from grashof.tape import Library


def run(kernel: Kernel, *arguments: np.ndarray | float) -> None:
    types = [ctypes.c_void_p if isinstance(a, np.ndarray) else ctypes.c_double for a in arguments]
    function = Library(declarations() + kernel.text()).function("kernel", None, *types)
    function(*[a.ctypes.data if isinstance(a, np.ndarray) else a for a in arguments])


@pytest.mark.parametrize("lanes", [1, LANES])
@pytest.mark.parametrize("count", [8, 40])
def test_a_loop_works_on_single_elements_and_on_lanes_written_out_or_not(lanes: int, count: int) -> None:
    k = Kernel("kernel", lanes)
    a, x, y = k.number("a"), k.array("x"), k.array("y")
    for i in k.each(count):
        y[i] = (y[i] - a * x[i]) / 2.0
    assert ("phi" in k.text()) == (count > UNROLLED)
    given, result = np.arange(float(count)), np.ones(count)
    run(k, 3.0, given, result)
    assert np.array_equal(result, (1 - 3 * given) / 2)


@pytest.mark.parametrize("count", [5, 50])
def test_folding_carries_several_values_through_a_loop(count: int) -> None:
    k = Kernel("kernel", lanes=1)
    x, out = k.array("x"), k.array("out")

    def update(i: Value, so_far: list[Value]) -> list[Value]:
        total, largest = so_far
        return [total + x[i], k.math("maxnum", largest, k.math("fabs", x[i]))]

    out[0], out[1] = k.fold(count, [k.constant(10.0), k.constant(0.0)], update)
    result, given = np.empty(2), np.ones(count)
    given[1] = -7.0
    run(k, given, result)
    assert result.tolist() == [10.0 + given.sum(), 7.0]


def test_sums_over_lanes_and_offsets() -> None:
    k = Kernel("kernel")
    x, out = k.array("x"), k.array("out")
    tail = x.at(3)
    (total,) = k.fold(8, [k.zeros()], lambda i, so_far: [so_far[0] + tail[i]])
    out[0] = k.total(total)
    result = np.empty(1)
    run(k, np.arange(11.0), result)
    assert result[0] == sum(range(3, 11))


def test_branches_skip_repeat_and_leave() -> None:
    """Halves out[0] while it is above one, counting in out[1], unless it is not finite to begin with."""
    k = Kernel("kernel")
    out = k.array("out")
    with k.forever():
        value = out[0]
        with k.when(~(value < np.inf)):
            out[1] = -1.0
            k.exit()
        with k.when(value > 1.0):
            out[0] = 0.5 * value
            out[1] = out[1] + 1.0
            k.again()
        k.exit()
    for given, halvings in ((100.0, 7.0), (1.0, 0.0), (np.nan, -1.0), (np.inf, -1.0)):
        result = np.array([given, 0.0])
        run(k, result)
        assert result[1] == halvings


class Pair(ctypes.Structure):
    _fields_ = (("real", ctypes.c_double), ("whole", ctypes.c_int64))


def test_a_record_is_shared_with_ctypes() -> None:
    k = Kernel("kernel")
    pair = k.record("pair", Pair)
    pair.real = 2.0 - pair.real
    pair.whole += 40
    shared = Pair(0.5, 2)
    Library(declarations() + k.text()).function("kernel", None, ctypes.c_void_p)(ctypes.byref(shared))
    assert (shared.real, shared.whole) == (1.5, 42)
