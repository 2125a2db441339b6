"""Our own elementary functions are right to the last digits."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest

from grashof import scalar
from grashof.scalar.elementary import FARTHEST, LIMIT

from .samples import angles, numbers, vectors


def ulps(value: float, exact: mpmath.mpf) -> float:
    return abs(float((mpmath.mpf(value) - exact) / math.ulp(float(exact))))


@pytest.mark.parametrize(("name", "units"), [("sin", 1.0), ("cos", 1.0), ("tan", 3.0)])
def test_functions_of_angles_are_right_to_the_last_digits(name: str, units: float) -> None:
    function, many_digits = getattr(scalar, name), getattr(mpmath, name)
    with mpmath.workprec(400):
        assert max(ulps(function(x), many_digits(mpmath.mpf(x))) for x in map(float, angles(LIMIT))) < units


@pytest.mark.parametrize("name", ["sin", "cos"])
def test_of_large_angles_they_are_right_to_a_unit_of_one(name: str) -> None:
    function, many_digits = getattr(scalar, name), getattr(mpmath, name)
    large = np.random.default_rng(3).uniform(LIMIT, FARTHEST, size=500).tolist()
    with mpmath.workprec(400):
        assert max(abs(float(function(x) - many_digits(mpmath.mpf(x)))) for x in large) < 2.0**-53
    assert math.isnan(function(2.0 * FARTHEST))
    with pytest.raises(ValueError, match="domain"):
        function(math.inf)


def test_the_angle_of_a_vector_is_right_to_the_last_digits() -> None:
    with mpmath.workprec(400):
        exact = [(y, x, mpmath.atan2(mpmath.mpf(y), mpmath.mpf(x))) for y, x in vectors()]
        assert max(ulps(scalar.atan2(y, x), angle) for y, x, angle in exact) < 2.0
    assert scalar.atan2(0.0, -1.0) == math.pi
    assert scalar.atan2(0.0, 0.0) == 0.0


@pytest.mark.parametrize(("name", "units"), [("exp", 1.0), ("log", 1.0), ("tanh", 2.0)])
def test_exponentials_and_logarithms_are_right_to_the_last_digits(name: str, units: float) -> None:
    function, many_digits = getattr(scalar, name), getattr(mpmath, name)
    with mpmath.workprec(300):
        assert max(ulps(function(x), many_digits(mpmath.mpf(x))) for x in map(float, numbers()[name])) < units


def test_they_fail_as_those_of_python_do() -> None:
    assert scalar.exp(-800.0) == 0.0
    assert scalar.exp(-math.inf) == 0.0
    assert scalar.exp(math.inf) == scalar.log(math.inf) == math.inf
    assert scalar.tanh(1e300) == 1.0 == -scalar.tanh(-math.inf)
    for function in (scalar.exp, scalar.log, scalar.tanh):
        assert math.isnan(function(math.nan))
    with pytest.raises(OverflowError):
        scalar.exp(710.0)
    for x in (0.0, -1.0):
        with pytest.raises(ValueError, match="domain"):
            scalar.log(x)
