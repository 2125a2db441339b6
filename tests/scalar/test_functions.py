"""One expression over every kind of number."""

import math
import subprocess
import sys

import mpmath
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grashof import scalar

UNARY = ["sin", "cos", "tan", "exp", "log", "sqrt", "tanh", "absolute", "sign"]
BINARY = ["atan2", "minimum", "maximum"]

positive = st.floats(0.1, 1.5)


def close(a: float, b: float) -> bool:
    return math.isclose(a, b, rel_tol=4e-15, abs_tol=4e-16)


@pytest.mark.parametrize("name", UNARY)
@given(x=positive)
def test_floats_arrays_and_multiprecision_agree(name: str, x: float) -> None:
    function = getattr(scalar, name)
    value = function(x)
    assert isinstance(value, float)
    assert close(value, float(function(mpmath.mpf(x))))
    assert all(close(value, sample) for sample in function(np.array([x, x])))


@pytest.mark.parametrize("name", BINARY)
@given(x=st.floats(-2, 2), y=positive)
def test_functions_of_two_numbers_agree_and_mix(name: str, x: float, y: float) -> None:
    function = getattr(scalar, name)
    value = function(x, y)
    assert close(value, float(function(mpmath.mpf(x), y)))
    assert close(value, float(function(x, mpmath.mpf(y))))
    assert all(close(value, sample) for sample in function(x, np.array([y, y])))


def test_precision_is_that_of_mpmath() -> None:
    with mpmath.workdps(50):
        assert abs(scalar.sqrt(mpmath.mpf(2)) ** 2 - 2) < mpmath.mpf(10) ** -49


@pytest.mark.parametrize("kind", [float, mpmath.mpf, lambda x: np.array([x])])
def test_where_takes_the_first_only_for_positive_conditions(kind) -> None:
    assert scalar.where(kind(1.0), 5.0, 7.0) == 5.0
    assert scalar.where(kind(0.0), 5.0, 7.0) == 7.0
    assert scalar.where(kind(-1.0), 5.0, 7.0) == 7.0


def test_sign_has_three_values() -> None:
    assert [scalar.sign(x) for x in (-3.0, 0.0, 2)] == [-1.0, 0.0, 1.0]


@given(base=st.integers(-5, 5), exponent=st.integers(0, 12))
def test_integer_power_is_the_power(base: int, exponent: int) -> None:
    assert scalar.integer_power(base, exponent) == base**exponent


def test_negative_powers_are_reciprocals() -> None:
    assert scalar.integer_power(2.0, -3) == 0.125


def test_importing_the_functions_brings_no_other_library() -> None:
    code = "import sys, grashof.scalar; print({'numpy', 'mpmath'} & set(sys.modules))"
    output = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert output.stdout.strip() == "set()"
