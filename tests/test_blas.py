"""Building does not depend on how many threads linear algebra may use."""

from __future__ import annotations

from grashof.blas import _functions, one_thread


def test_linear_algebra_is_held_to_one_thread_and_let_go() -> None:
    get, put = _functions()
    before = get()
    put(2)
    try:
        with one_thread():
            assert get() == 1
            with one_thread():
                assert get() == 1
            assert get() == 1
        assert get() == 2
    finally:
        put(before)
