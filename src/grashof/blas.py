"""One thread for NumPy's linear algebra, for as long as small matrices are many.

A library of linear algebra (OpenBLAS, as a rule) divides its work among threads that wait for each other actively. On a busy machine
matrices of some tens of rows then take up to thirty times as long as with one thread, and how sums are divided changes their last bits.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
import threading
from collections.abc import Callable, Iterator

import numpy.linalg._umath_linalg as umath_linalg

_NAMES = (
    ("scipy_openblas_get_num_threads64_", "scipy_openblas_set_num_threads64_"),
    ("scipy_openblas_get_num_threads", "scipy_openblas_set_num_threads"),
    ("openblas_get_num_threads64_", "openblas_set_num_threads64_"),
    ("openblas_get_num_threads", "openblas_set_num_threads"),
    ("MKL_Get_Max_Threads", "MKL_Set_Num_Threads"),
    ("bli_thread_get_num_threads", "bli_thread_set_num_threads"),
)
"""What the libraries that NumPy is built with call them."""

_lock = threading.Lock()
_users = 0
_before = 1


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Holds the linear algebra of this process to one thread; without effect if its library is not known."""
    global _users, _before
    get, put = _functions()
    with _lock:
        if _users == 0:
            _before = get()
            put(1)
        _users += 1
    try:
        yield
    finally:
        with _lock:
            _users -= 1
            if _users == 0:
                put(_before)


@functools.cache
def _functions() -> tuple[Callable[[], int], Callable[[int], object]]:
    """How many threads there are, and how to set that. A name is looked for in all libraries that NumPy's extension has loaded."""
    with contextlib.suppress(OSError):
        library = ctypes.CDLL(umath_linalg.__file__)
        for get, put in _NAMES:
            if hasattr(library, get) and hasattr(library, put):
                return getattr(library, get), getattr(library, put)
    return (lambda: 1), (lambda _: None)
