"""Machine code, from tapes and from text."""

import ctypes
import gc
import math

import numpy as np
import pytest

from grashof.scalar import Scalar, absolute, atan2, cos, maximum, minimum, sign, sin, sqrt, where
from grashof.tape import Library, emit, trace
from grashof.tape.llvm import STRAIGHT_LINE


def test_functions_for_the_code_generator_alone_may_have_any_parameters() -> None:
    scaled = f"""
define double @scaled(ptr nocapture readonly dereferenceable(8) %x, double %factor) {STRAIGHT_LINE} {{
  %value = load double, ptr %x
  %product = fmul double %value, %factor
  ret double %product
}}
"""
    caller = """
define double @tenfold(ptr %x) {
  %y = call double @scaled(ptr %x, double 10.0)
  ret double %y
}
"""
    tenfold = Library(scaled + caller).function("tenfold", ctypes.c_double, ctypes.c_void_p)
    x = np.array([1.5])
    assert tenfold(x.ctypes.data) == 15.0


@pytest.mark.parametrize("unroll", [True, False])
def test_a_function_keeps_its_library_alive(unroll: bool) -> None:
    tape = trace(lambda x: [x[0] + 1.0], 1)
    function = Library(emit({"f": tape}, unroll=unroll)).function("f", None, ctypes.c_void_p, ctypes.c_void_p)
    gc.collect()
    x, y = np.array([1.0]), np.empty(1)
    function(x.ctypes.data, y.ctypes.data)
    assert y[0] == 2.0


def test_an_unknown_function_is_named() -> None:
    with pytest.raises(KeyError, match="no function 'g'"):
        Library(emit({"f": trace(lambda x: x, 1)})).address("g")


@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_every_level_computes_the_same(native, level: int, unroll: bool) -> None:
    tape = trace(lambda x: [atan2(x[0], x[1]), x[0] * 3.0, 7.0, x[1]], 2)
    assert native(tape, [1.0, 1.0], unroll=unroll, level=level) == [math.pi / 4, 3.0, 7.0, 1.0]


def test_long_functions_carry_values_from_end_to_end(native) -> None:
    def chain(x: list[Scalar]) -> list[Scalar]:
        values = list(x)
        for _ in range(3000):
            values.append(values[-1] - values[-2])  # period six
        return [values[-1], sum(values[3::6], 0.0) - 500.0 * x[0], *values[:4]]

    tape = trace(chain, 2)
    assert emit({"f": tape}).text.count("br i1 %never") >= 2
    assert native(tape, [3.0, 5.0]) == chain([3.0, 5.0])


@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize("x", [-0.0, 0.0, 1.0, -1.0, math.inf, math.nan])
def test_kinks_follow_the_floats_at_special_values(native, x: float, unroll: bool) -> None:
    def kinks(v: list[Scalar]) -> list[Scalar]:
        a, one = v
        return [minimum(a, one), maximum(a, one), where(a, 2.0, 3.0), sign(a), absolute(a), -a]

    compiled = native(trace(kinks, 2), [x, 1.0], unroll=unroll)
    assert compiled == pytest.approx(kinks([x, 1.0]), abs=0.0, rel=0.0, nan_ok=True)


@pytest.mark.parametrize("unroll", [True, False])
def test_out_of_the_domain_is_nan_and_no_crash(native, unroll: bool) -> None:
    compiled = native(trace(lambda x: [sqrt(x[0]), x[0] / x[1]], 2), [-1.0, 0.0], unroll=unroll)
    assert math.isnan(compiled[0])
    assert compiled[1] == -math.inf


def test_tapes_beyond_the_limit_run_with_loops_beside_unrolled_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    first = trace(lambda x: [sin(x[0]) * x[1]], 2)
    second = trace(lambda x: [cos(x[0]) + sin(x[1]) * x[0]], 2)
    monkeypatch.setattr("grashof.tape.llvm._UNROLL_LIMIT", len(first))
    module = emit({"first": first, "second": second})
    assert list(module.schedules) == ["second"]
    library, found = Library(module), np.empty(1)
    x = np.array([0.3, -1.7])
    for name, expected in (("first", math.sin(0.3) * -1.7), ("second", math.cos(0.3) + math.sin(-1.7) * 0.3)):
        library.function(name, None, *[ctypes.c_void_p] * 2)(x.ctypes.data, found.ctypes.data)
        assert found[0] == pytest.approx(expected, rel=1e-15)
