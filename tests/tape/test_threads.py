"""Native functions in several threads at once."""

import ctypes
import gc
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from grashof.scalar import Scalar
from grashof.tape import Library, emit, trace

SIZE = 40
ROUNDS = 250


def mix(x: list[Scalar]) -> list[Scalar]:
    """A map of [0, 1]ⁿ into itself that makes the most of small differences: x ← 4 x (1 − x), and neighbours
    exchanged."""
    for _ in range(ROUNDS):
        x = [4.0 * value * (1.0 - value) for value in x[1:] + x[:1]]
    return x


def function(unroll: bool) -> Callable[[np.ndarray], np.ndarray]:
    native = Library(emit({"f": trace(mix, SIZE)}, unroll=unroll)).function("f", None, *[ctypes.c_void_p] * 2)

    def run(x: np.ndarray) -> np.ndarray:
        y = np.empty(SIZE)
        native(x.ctypes.data, y.ctypes.data)
        return y

    return run


@pytest.mark.parametrize("unroll", [True, False])
def test_threads_do_not_disturb_each_other(unroll: bool) -> None:
    run = function(unroll)
    starts = np.random.default_rng(5).uniform(size=(4, SIZE))
    alone = [run(x) for x in starts]

    def repeat(k: int) -> bool:
        return all(np.array_equal(run(starts[k]), alone[k]) for _ in range(400))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(repeat, range(4)))


def test_memory_that_threads_borrow_is_given_back() -> None:
    resource = pytest.importorskip("resource", reason="this system does not tell the peak of memory")
    run = function(unroll=False)
    x = np.full(SIZE, 0.3)

    def repeat(_: int) -> None:
        for _ in range(1000):
            run(x)

    def peak() -> float:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # MB

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(repeat, range(4)))
        before = peak()
        list(pool.map(repeat, range(16)))
    # 16,000 calls with 0.16 MB of memory each: 2.5 GB if it stayed
    assert peak() - before < 100


def test_a_library_that_nobody_holds_leaves_its_memory() -> None:
    library = Library(emit({"f": trace(mix, SIZE)}, unroll=False))
    function = library.function("f", None, *[ctypes.c_void_p] * 2)
    program = weakref.ref(library._programs["f"])
    del library
    gc.collect()
    assert program() is not None  # the function needs it
    del function
    gc.collect()
    assert program() is None
