"""Kernels compute what their Python source says."""

from __future__ import annotations

import ctypes

import numpy as np
import pytest

from grashof.integrate.kernel import UNROLLED, Kernel, declarations
from grashof.integrate.values import LANES, Value
from grashof.tape import Library
from grashof.tape.lanes import Lanes


def run(kernel: Kernel, *arguments: np.ndarray | float) -> None:
    types = [ctypes.c_void_p if isinstance(a, np.ndarray) else ctypes.c_double for a in arguments]
    function = Library(declarations(kernel.runs) + kernel.text()).function("kernel", None, *types)
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


def halved(value: float) -> list[float]:
    """What the kernel of the next test does to one value: it, and how often it was halved and quartered."""
    halvings = quarterings = 0.0
    while value > 1.0:
        if value > 64.0:
            value, quarterings = 0.25 * value, quarterings + 1.0
        else:
            value, halvings = 0.5 * value, halvings + 1.0
    return [value, halvings, quarterings]


@pytest.mark.parametrize("width", [1, 2, 4, 8])
def test_lanes_go_their_own_ways(width: int) -> None:
    """Some skip, some wait for the next round, and all leave when the last one is ready."""
    k = Kernel("kernel", runs=Lanes(width))
    out = k.array("out")
    with k.when(out[0] > 1.0), k.forever():
        with k.when(~k.any(out[0] > 1.0)):
            k.exit()
        with k.when(out[0] > 64.0):
            out[0] = 0.25 * out[0]
            with k.when(out[0] > 0.0):
                out[2] = out[2] + 1.0
                k.again()
        with k.when(out[0] > 1.0):
            out[0] = 0.5 * out[0]
            out[1] = out[1] + 1.0
    given = np.array([100.0, -3.0, 1.0, 63.0, 1e6, 0.5, np.nan, 65.0])[:width]
    result = np.vstack([given, np.zeros((2, width))])
    run(k, result)
    assert np.array_equal(result.T, [halved(x) for x in given], equal_nan=True)


@pytest.mark.parametrize("width", [2, 8])
def test_what_is_copied_and_folded_is_that_of_each_lane(width: int) -> None:
    k = Kernel("kernel", runs=Lanes(width))
    x, y, out = k.array("x"), k.array("y"), k.array("out")
    with k.when(x[0] > 0.0):
        k.copy(x, y, 12)
    (out[0],) = k.fold(12, [k.zeros()], lambda i, so_far: [so_far[0] + y[i]])
    out[1] = k.root(k.math("fabs", x[0]), 3)
    given = np.random.default_rng(0).normal(size=(12, width))
    copied, result = np.ones((12, width)), np.empty((2, width))
    run(k, given, copied, result)
    assert np.array_equal(copied, np.where(given[0] > 0.0, given, 1.0))
    assert result[0] == pytest.approx(copied.sum(axis=0), abs=1e-14)
    assert result[1] == pytest.approx(np.cbrt(np.abs(given[0])), rel=1e-8)


@pytest.mark.parametrize("count", [0, 1, 9])
def test_a_loop_may_be_as_long_as_a_number_says(count: int) -> None:
    k = Kernel("kernel", lanes=1)
    length, out = k.array("length"), k.array("out")
    for i in k.count(k.emit("i64", f"fptosi double {length[0].text} to i64")):
        out[i] = out[i] + 1.0
    result = np.zeros(10)
    run(k, np.array([float(count)]), result)
    assert result.tolist() == [1.0] * count + [0.0] * (10 - count)


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


def test_records_lie_side_by_side() -> None:
    """Field by field: one kernel works on all of them at once, another one on one of them."""
    together, alone = Kernel("kernel", runs=Lanes(4)), Kernel("single", lanes=1)
    pairs, single = together.record("pair", Pair), alone.record("pair", Pair, stride=4).at(alone.constant(2, "i64"))
    with together.when(pairs.real > 1.0):
        pairs.whole += 10
    single.real, single.whole = 7.0, single.whole * 2
    library = Library(declarations(Lanes(4)) + together.text() + alone.text())
    shared = np.zeros((2, 4))
    shared[0], shared[1].view(np.int64)[:] = [0.0, 2.0, 3.0, 1.0], [1, 2, 3, 4]
    for name in ("kernel", "single"):
        library.function(name, None, ctypes.c_void_p)(shared.ctypes.data)
    assert shared[0].tolist() == [0.0, 2.0, 7.0, 1.0]
    assert shared[1].view(np.int64).tolist() == [1, 12, 26, 4]
