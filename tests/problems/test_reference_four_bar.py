"""The row of four-bars is a pendulum, and its closed form is the motion of the bars."""

import mpmath
import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp
from scipy.special import ellipj, ellipk

from grashof.problems.four_bar.reference import (
    amplitude,
    motion,
    pendulum,
    precise_motion,
    solution,
    stiffness,
    turn_time,
)

TIMES = np.linspace(0.0, 10.0, 101)


def bar_energy(ends, speeds):
    """Energy of a uniform bar of 1 kg from its ends: T = (v₁² + v₁·v₂ + v₂²)/6, V = g (y₁ + y₂)/2."""
    (p, q), (v, w) = ends, speeds
    kinetic = (v[0] ** 2 + v[1] ** 2 + v[0] * w[0] + v[1] * w[1] + w[0] ** 2 + w[1] ** 2) / 6
    return kinetic + mpmath.mpf("9.81") * (p[1] + q[1]) / 2


@pytest.mark.parametrize("windows", [1, 2, 40])
def test_the_bars_keep_their_energy(windows):
    with mpmath.workdps(40):
        pin = precise_motion([0.0, 0.37, 1.9, 10.0], windows, digits=30)
        totals = []
        for phi, rate in zip(pin.angle, pin.rate, strict=True):
            phi, rate = mpmath.mpf(phi), mpmath.mpf(rate)
            offset = (mpmath.sin(phi), mpmath.cos(phi))
            speed = (rate * offset[1], -rate * offset[0])
            feet = [(i, 0) for i in range(windows + 1)]
            pins = [(i + offset[0], offset[1]) for i in range(windows + 1)]
            uprights = sum(bar_energy((foot, top), ((0, 0), speed)) for foot, top in zip(feet, pins, strict=True))
            tops = sum(bar_energy((pins[i], pins[i + 1]), (speed, speed)) for i in range(windows))
            totals.append(uprights + tops)
        assert max(abs(total - totals[0]) for total in totals) < 1e-28 * abs(totals[0])


def test_the_closed_form_satisfies_newton():
    """φ̈ = k² sin φ and φ̇ = dφ/dt, by differences of steps so small that 40 digits still leave 20."""
    h = mpmath.mpf("1e-12")
    with mpmath.workdps(60):
        for time in ("0.3", "0.95", "7.77"):
            t = mpmath.mpf(time)
            before, here, after = precise_motion([str(t - h), str(t), str(t + h)], 2, digits=50).angle
            rate = precise_motion([time], 2, digits=50).rate[0]
            k = stiffness(2, mpmath.mp)
            assert abs((after - before) / (2 * h) - rate) < 1e-20
            assert abs((after - 2 * here + before) / h**2 - k**2 * mpmath.sin(here)) < 1e-20


@pytest.mark.parametrize(("windows", "speed"), [(1, 1.0), (2, 1.0), (5, 0.7), (40, 1.5)])
def test_the_amplitude_agrees_with_tabulated_elliptic_functions(windows, speed):
    """x₁ = sin φ = −2 sn cn with SciPy's sn and cn, in doubles."""
    k = float(stiffness(windows, mpmath.mp))
    w = np.hypot(speed, 2 * k)
    m = (2 * k / w) ** 2
    sn, cn, dn, _ = ellipj(w * TIMES / 2 - ellipk(m), m)
    x, xdot = solution(TIMES, windows, speed)
    np.testing.assert_allclose(x, -2 * sn * cn, atol=1e-11)
    np.testing.assert_allclose(xdot, (2 * sn**2 - 1) * w * dn, atol=1e-10)


HUNDREDTHS = st.integers(-1000, 1000).map(lambda n: n / 100)


@given(angle=HUNDREDTHS, rate=HUNDREDTHS, windows=st.integers(1, 6))
@settings(max_examples=25, deadline=None)
def test_turning_or_swinging_it_is_the_solution_of_the_differential_equation(angle, rate, windows):
    assume(angle or rate)
    k = float(stiffness(windows, mpmath.mp))
    times = np.linspace(0.0, 2.0, 9)
    direct = solve_ivp(
        lambda t, y: [y[1], k**2 * np.sin(y[0])],
        (0.0, 2.0),
        [angle, rate],
        method="DOP853",
        t_eval=times,
        rtol=1e-13,
        atol=1e-13,
    )
    pin = motion(times, windows, rate, angle)
    # near the top an error grows like e^{kt}, here at most e^{8}
    np.testing.assert_allclose(pin.angle, direct.y[0], atol=1e-9)
    np.testing.assert_allclose(pin.rate, direct.y[1], atol=1e-9)


def test_on_the_border_between_swinging_and_turning_it_creeps_to_the_top():
    """With φ̇ = 2k sin(φ/2) what is left to the top is 4 atan(e^{−kt} tan(¼ of it at t = 0)), never zero."""
    context = mpmath.mp.clone()
    k = stiffness(2, context)
    there = pendulum(k, context.mpf(2), 2 * k * context.sin(context.mpf(1)), context)
    for t in (1, 2, 3):
        left = 2 * context.pi - there(context.mpf(t))[0]
        known = 4 * context.atan(context.exp(-k * t) * context.tan((2 * context.pi - 2) / 4))
        assert left == pytest.approx(float(known), rel=1e-11)  # doubles' digits of 2π, of a difference of 1e-4
    assert motion(5.0, 2, speed=0.0).angle == 0.0  # and at rest upright it rests


@pytest.mark.parametrize("speed", [1.0, 1e-6, -1.3])
def test_from_upright_every_speed_makes_full_turns(speed):
    period = turn_time(2, speed, digits=30)
    turns = motion(np.array([1.0, 2.0, 5.0]) * period, 2, speed).angle / (2 * np.pi)
    # a period rounded to doubles meets the slow top of the turn: the error is its rounding times the speed there
    np.testing.assert_allclose(turns, np.sign(speed) * np.array([1.0, 2.0, 5.0]), atol=1e-14)


def test_the_double_four_bar_turns_in_about_two_seconds():
    assert turn_time(2) == pytest.approx(1.95, abs=0.01)


def test_the_amplitude_keeps_its_whole_turns():
    context = mpmath.mp.clone()
    m = context.mpf("0.97")
    am = amplitude(context.sqrt(1 - m), context)
    for u in (-7, -1, 0.5, 3, 20):
        assert abs(context.sin(am(u)) - context.ellipfun("sn", u, m=m)) < 1e-13
        assert abs(am(u + 2 * context.ellipk(m)) - am(u) - context.pi) < 1e-13
