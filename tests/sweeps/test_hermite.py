"""Extremes and means of cubics are exact; of other motions they converge with the fourth power of the interval."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline

from grashof.sweeps import hermite


def samples(seed: int, runs: int = 20, count: int = 9) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    random = np.random.default_rng(seed)
    t = np.sort(random.uniform(0.0, 2.0, (runs, count)), axis=1)
    return t, random.normal(size=(runs, count)), 5.0 * random.normal(size=(runs, count))


@pytest.mark.parametrize("seed", range(5))
def test_the_same_as_scipys_spline_through_values_and_rates(seed: int) -> None:
    t, x, r = samples(seed)
    value, when = hermite.maximum(t, x, r)
    mean = hermite.mean(t, x, r)
    for i in range(len(t)):
        spline = CubicHermiteSpline(t[i], x[i], r[i])
        places = np.concatenate([t[i], spline.derivative().roots(extrapolate=False)])
        places = places[np.isfinite(places)]
        assert value[i] == pytest.approx(spline(places).max(), abs=1e-12)
        assert spline(when[i]) == pytest.approx(value[i], abs=1e-10)
        assert mean[i] == pytest.approx(spline.integrate(t[i, 0], t[i, -1]) / np.ptp(t[i]), abs=1e-12)


def test_extremes_of_a_sine_converge_with_the_fourth_power() -> None:
    """max sin = 1 at π/2; its mean over (0, 3) is (1 − cos 3)/3."""
    errors = []
    for count in (9, 17, 33):
        t = np.linspace(0.0, 3.0, count)[None, :]
        value, when = hermite.maximum(t, np.sin(t), np.cos(t))
        mean = hermite.mean(t, np.sin(t), np.cos(t))
        errors.append([abs(value[0] - 1.0), abs(mean[0] - (1.0 - np.cos(3.0)) / 3.0)])
        assert when[0] == pytest.approx(0.5 * np.pi, abs=0.1 * (3.0 / (count - 1)) ** 3)
    orders = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert np.all(orders[:, 1] == pytest.approx(4.0, abs=0.2))
    assert np.all(np.array(errors)[:, 0] <= (3.0 / np.array([8.0, 16.0, 32.0])) ** 4 / 384.0)


def test_what_is_constant_and_intervals_of_no_length() -> None:
    t = np.array([[0.0, 1.0, 1.0, 1.0]])
    x = np.array([[2.0, 3.0, 3.0, 3.0]])
    value, when = hermite.maximum(t, x, np.ones_like(x))
    assert (value[0], when[0]) == (3.0, 1.0)
    assert hermite.mean(t, x, np.ones_like(x))[0] == 2.5
    flat = np.full((1, 4), 7.0)
    value, when = hermite.maximum(t, flat, 0.0 * flat)
    assert (value[0], when[0], hermite.mean(t, flat, 0.0 * flat)[0]) == (7.0, 0.0, 7.0)
    assert hermite.mean(0.0 * t, flat, 0.0 * flat)[0] == 7.0


@pytest.mark.parametrize("degree", range(5))
def test_slopes_of_polynomials_up_to_the_fourth_degree_are_exact(degree: int) -> None:
    t = np.sort(np.random.default_rng(degree).uniform(-1.0, 1.0, 12))
    p = np.polynomial.Polynomial(np.random.default_rng(degree + 9).normal(size=degree + 1))
    assert hermite.slopes(t, p(t)) == pytest.approx(p.deriv()(t), abs=1e-8)
