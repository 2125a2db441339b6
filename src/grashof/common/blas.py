"""A single thread for NumPy's linear algebra while many small matrices are processed.

A linear algebra library (usually OpenBLAS) divides its work among threads that wait for each other actively. On a busy
machine, matrices with some tens of rows then take up to thirty times as long as with one thread, and the way in which
sums are divided changes their last bits.
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
"""The names of these functions in the libraries with which NumPy is built."""

_lock = threading.Lock()
_users = 0
_before = 1


@contextlib.contextmanager
def one_thread() -> Iterator[None]:
    """Restricts the linear algebra of this process to one thread; has no effect if the library is not known."""
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
    """The functions that get and set the number of threads. Their names are looked up in all libraries that NumPy's
    extension has loaded."""
    with contextlib.suppress(OSError):
        library = ctypes.CDLL(umath_linalg.__file__)
        for get, put in _NAMES:
            if hasattr(library, get) and hasattr(library, put):
                return getattr(library, get), getattr(library, put)
    return (lambda: 1), (lambda _: None)
