"""Andrews' squeezer: the quadrature is the motion of the seven links."""

from dataclasses import replace

import mpmath
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from grashof.problems.andrews.reference import (
    IFTOMM,
    IVP_BETA0,
    TIMES,
    AndrewsNumbers,
    pose,
    precise_solution,
    reduce_mechanism,
    solution,
)

CRANK = np.linspace(0.0, 2 * np.pi, 48, endpoint=False)


def exact(digits):
    """Arithmetic of mpmath with this many digits."""
    context = mpmath.mp.clone()
    context.dps = digits
    return context, AndrewsNumbers(lambda value: context.mpf(str(value)), context.sqrt, context.expj)


@pytest.fixture(scope="module")
def precise():
    return precise_solution(["0", "1e-6", "0.01", "0.05"], digits=22)


def test_every_rod_keeps_its_length_all_around():
    at = {name: place.z for name, place in pose(CRANK).items()}
    for rod in IFTOMM.rods:
        np.testing.assert_allclose(abs(at[rod.end] - at[rod.start]), rod.length, rtol=1e-13)
    for p, q, distance in (("E", "B", 0.035), ("E", "D", np.hypot(0.02, 0.017)), ("B", "D", np.hypot(0.02, 0.018))):
        np.testing.assert_allclose(abs(at[p] - at[q]), distance, rtol=1e-13)


def test_the_mechanism_is_assembled_on_its_own_branch():
    at = {name: complex(place.z) for name, place in pose(IFTOMM.beta0).items()}
    assert abs(at["E"] - (-0.021 + 0.0013j)) < 1e-4
    above, below = ((at[point] - at["A"]) / (at["E"] - at["A"]) for point in "GH")
    assert above.imag > 0 > below.imag
    turn_from_eb_to_ed = (at["D"] - at["E"]) / (at["B"] - at["E"])
    assert turn_from_eb_to_ed.imag < 0  # D on the right of E → B, as x is of y


def test_the_other_angles_follow_by_closing_the_loops():
    """O, F, E in line is θ = 0; −0.0620 is a little off it, and the IVP angle is on it to the last digit."""
    context, numbers = exact(40)
    for beta, theta in ((-0.0620, "2.1459e-4"), (IVP_BETA0, "0")):
        at = pose(numbers.real(beta), IFTOMM, numbers)
        angle = context.arg((at["E"].z - at["F"].z) / -at["F"].z)
        assert abs(abs(angle) - context.mpf(theta)) < (1e-8 if beta == -0.0620 else 1e-28)


def test_the_reduced_mass_is_the_kinetic_energy_of_the_links():
    """2T/β̇² from positions alone, by differences of 1e-15 rad in 45 digits."""
    context, numbers = exact(45)
    h = context.mpf("1e-15")
    for beta in ("-0.062", "1.3", "3.9"):
        near = [pose(context.mpf(beta) + k * h, IFTOMM, numbers) for k in (-1, 0, 1)]

        def carried(start, end, local, length, near=near):
            """A link's centre of mass before and after, and its turn."""
            axes = [(at[end].z - at[start].z) / length for at in near]
            centres = [at[start].z + local * axis for at, axis in zip(near, axes, strict=True)]
            return abs((centres[2] - centres[0]) / (2 * h)), context.arg(axes[2] / axes[0]) / (2 * h)

        total = context.mpf(0)
        for rod in IFTOMM.rods:
            speed, turn = carried(rod.start, rod.end, numbers.point(rod.com), numbers.real(rod.length))
            total += numbers.real(rod.mass) * speed**2 + numbers.real(rod.inertia) * turn**2
        body = IFTOMM.triangle  # its y axis is E → B: turn the local place by −i to count from that axis
        speed, turn = carried("E", "B", numbers.point(body.com) / 1j, numbers.real(0.035))
        total += numbers.real(body.mass) * speed**2 + numbers.real(body.inertia) * turn**2
        assert abs(total / reduce_mechanism(context.mpf(beta), IFTOMM, numbers).mass - 1) < 1e-23


def test_beta_after_50_ms_to_22_digits(precise):
    assert mpmath.nstr(precise.beta[-1], 22) == "33.81534072136017377698"


def test_the_ivp_variant_meets_its_published_angle():
    """IVP/DAE test set, β(0.03 s), of which ten digits are good."""
    assert solution([0.03], IVP_BETA0).beta[0] == pytest.approx(15.81077119629904, rel=1e-10)


def test_doubles_agree_with_many_digits(precise):
    doubles = solution([0.0, 1e-6, 0.01, 0.05])
    for name, scale in (
        ("beta", 34),
        ("betadot", 1300),
        ("x_f", 0.007),
        ("y_f", 0.007),
        ("kinetic", 2),
        ("potential", 2),
    ):
        many = getattr(precise, name).astype(float)
        np.testing.assert_allclose(getattr(doubles, name), many, rtol=0, atol=1e-14 * scale)


def test_digits_are_independent_of_the_precision_asked():
    few, more = (precise_solution(["0.004"], digits=digits).beta[0] for digits in (20, 32))
    assert abs(mpmath.mpf(few) - mpmath.mpf(more)) < 1e-20


@pytest.mark.parametrize(("beta0", "until"), [(IFTOMM.beta0, 0.05), (float(IVP_BETA0), 0.03)])
def test_the_quadrature_solves_the_equation_of_motion(beta0, until):
    """m β̈ + ½ m′ β̇² = τ − V′, with m′ and V′ from the Fourier series of m and V around the crank."""
    count = 1024
    samples = reduce_mechanism(2 * np.pi * np.arange(count) / count)
    harmonics = np.arange(count // 2 + 1)
    mass, potential = (np.fft.rfft(values) * 2 / count for values in (samples.mass, samples.potential))
    mass[0] /= 2
    used = harmonics[np.abs(mass) + np.abs(potential) > 1e-18][-1] + 1
    orders, mass, potential = (array[:used] for array in (harmonics, mass, potential))

    def slope(t, y):
        wave = np.exp(1j * orders * y[0])
        m, dm, dv = (mass @ wave).real, (1j * orders * mass @ wave).real, (1j * orders * potential @ wave).real
        return [y[1], (IFTOMM.torque - dv - 0.5 * dm * y[1] ** 2) / m]

    times = np.linspace(0.0, until, 11)
    run = solve_ivp(slope, (0.0, until), [beta0, 0.0], method="DOP853", t_eval=times, rtol=1e-12, atol=1e-12)
    motion = solution(times, beta0)
    np.testing.assert_allclose(motion.beta, run.y[0], rtol=1e-9)
    np.testing.assert_allclose(motion.betadot, run.y[1], rtol=1e-9, atol=1e-9)
    kinetic = 0.5 * (np.exp(1j * np.outer(run.y[0], orders)) @ mass).real * run.y[1] ** 2
    np.testing.assert_allclose(motion.kinetic, kinetic, rtol=1e-9, atol=1e-12)


def test_the_rate_is_the_derivative_of_the_angle():
    h = mpmath.mpf("1e-9")
    with mpmath.workdps(40):
        before, here, after = (mpmath.nstr(mpmath.mpf("0.004") + k * h, 20) for k in (-1, 0, 1))
        motion = precise_solution([before, here, after], digits=30)
        difference = (motion.beta[2] - motion.beta[0]) / (2 * h)
    # third derivative · h²/6, with β̇ changing over some 1e-3 s: 1e3/(1e-3)² · 1e-18/6
    assert abs(difference - motion.betadot[1]) < 1e-8


def test_the_crank_never_turns_back():
    """The kinetic energy W, and with it the mean net torque W/(β − β₀), is positive on the whole way to 34 rad."""
    way = np.linspace(1e-4, 34.0, 20001)
    start, along = reduce_mechanism(np.array(IFTOMM.beta0)), reduce_mechanism(IFTOMM.beta0 + way)
    mean_torque = IFTOMM.torque - (along.potential - start.potential) / way
    assert mean_torque.min() > 0
    motion = solution(TIMES)
    assert np.all(motion.betadot[1:] > 0)
    assert np.all(np.diff(motion.beta) > 0)
    assert motion.betadot[0] == 0.0


def test_a_torque_too_weak_for_the_spring_is_refused_with_the_place():
    """From β = 0.5 the spring lets the crank run down to its least energy and stops it on the other side."""
    weak = replace(IFTOMM, torque=0.002)
    with pytest.raises(ValueError, match=r"does not reach β = 5\.\d+ rad"):
        solution([0.5], 0.5, weak)


def test_the_official_times_are_every_quarter_of_a_millisecond_and_f_stays_on_its_circle():
    motion = solution()
    np.testing.assert_allclose(np.diff(motion.time), 2.5e-4, rtol=1e-12)
    assert motion.time[-1] == 0.05
    np.testing.assert_allclose(np.hypot(motion.x_f, motion.y_f), 0.007, rtol=1e-13)
