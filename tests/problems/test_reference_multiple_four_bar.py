"""The grid is a chain of rows, and its Taylor series is the motion of the bars."""

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from grashof.problems.four_bar import reference as four_bar
from grashof.problems.multiple_four_bar.reference import FINAL, TIMES, precise_solution, solution

GRAVITY = np.array([0.0, -9.81])
BAR = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6  # mass of a uniform bar of 1 kg between its two ends


def bars(rows, columns, phi):
    """The kinds of bars, two a row: how many, and place (2, 2), ∂place/∂φ and ∂²place/∂φ² (2, 2, R) of their ends.

    The place of an end is given without the column it hangs in, which never changes.
    """
    below = np.tri(rows + 1, rows, -1)  # which rows carry which level
    down = below[:, None, :] * np.stack([np.sin(phi), -np.cos(phi)])
    across = below[:, None, :] * np.stack([np.cos(phi), np.sin(phi)])
    upper = np.concatenate([np.arange(rows), np.arange(1, rows + 1)])
    ends = np.stack([upper, np.tile(np.arange(1, rows + 1), 2)], axis=1)
    count = np.repeat([columns + 1, columns], rows)
    return count, down.sum(axis=2)[ends], across[ends], -down[ends]


def energy(rows, columns, phi, phidot):
    """T + V, bar by bar."""
    count, places, first, _ = bars(rows, columns, phi)
    speeds = first @ phidot
    kinetic = 0.5 * np.einsum("b,ij,bix,bjx->", count, BAR, speeds, speeds)
    return kinetic - 0.5 * np.einsum("b,bix,x->", count, places, GRAVITY)


def accelerations(rows, columns, phi, phidot):
    """φ̈ from the virtual power of every bar."""
    count, _, first, second = bars(rows, columns, phi)
    carried = np.einsum("b,ij,bixr->bjxr", count, BAR, first)
    mass = np.tensordot(carried, first, axes=([0, 1, 2], [0, 1, 2]))
    force = 0.5 * np.einsum("b,bixr,x->r", count, first, GRAVITY)
    force -= np.tensordot(carried, second @ phidot**2, axes=([0, 1, 2], [0, 1, 2]))
    return np.linalg.solve(mass, force)


def direct(times, rows, columns, phi, phidot):
    """The motion of the bars by an ordinary integrator, (n, 2R)."""
    run = solve_ivp(
        lambda t, y: np.concatenate([y[rows:], accelerations(rows, columns, y[:rows], y[rows:])]),
        (0.0, times[-1]),
        np.concatenate([phi, phidot]),
        method="DOP853",
        t_eval=times,
        rtol=1e-12,
        atol=1e-12,
    )
    return run.y.T


def test_the_top_row_starts_with_the_kinetic_energy_of_51_kilogrammes():
    motion = solution([0.0])
    hanging = -9.81 * (52 + 41 + 30 + 19 + 8)
    assert motion.energy[0] - hanging == pytest.approx(111.856, abs=5e-4)


@given(rows=st.integers(1, 4), columns=st.integers(1, 4), variant=st.sampled_from(["top-row", "all-rows", "upright"]))
@settings(max_examples=12, deadline=None)
def test_a_grid_of_any_size_moves_as_its_bars_do(rows, columns, variant):
    times = np.array([0.0, 0.4, 0.8])
    motion = solution(times, rows, columns, variant)
    bar_by_bar = direct(times, rows, columns, motion.phi[0], motion.phidot[0])
    np.testing.assert_allclose(np.hstack([motion.phi, motion.phidot]), bar_by_bar, atol=1e-8)
    for k in range(3):
        assert motion.energy[k] == pytest.approx(energy(rows, columns, motion.phi[k], motion.phidot[k]), abs=1e-11)


@pytest.fixture(scope="module")
def top_row():
    return precise_solution(TIMES[::20], variant="top-row", digits=25)


@pytest.fixture(scope="module")
def all_rows():
    return precise_solution(TIMES[::20], variant="all-rows", digits=25)


def agrees_with_the_bars(motion):
    """Until 4 s, in which an error of the direct integration does not grow by more than some 10³."""
    early = motion.time <= 4.0
    states = np.hstack([motion.phi, motion.phidot])[early].astype(float)
    return direct(motion.time[early].astype(float), 5, 5, states[0, :5], states[0, 5:]) == pytest.approx(
        states, abs=1e-8
    )


def test_the_five_by_five_grid_moves_as_its_bars_do_from_the_top_row(top_row):
    assert agrees_with_the_bars(top_row)


def test_the_five_by_five_grid_moves_as_its_bars_do_from_all_rows(all_rows):
    assert agrees_with_the_bars(all_rows)


def test_the_five_by_five_grid_moves_as_its_bars_do_when_it_stands():
    assert agrees_with_the_bars(precise_solution(TIMES[:201:20], variant="upright", digits=20))


def test_a_single_row_is_the_pendulum_of_the_four_bar():
    """Hanging is π from upright, and clockwise is against φ: two independent calculations to 28 digits."""
    times = ["0.3", "1", "3.7"]
    with mpmath.workdps(45):
        pi, speed = str(+mpmath.pi), str(-2 * mpmath.pi / 3)
        pin = four_bar.precise_motion(times, 3, speed, pi, digits=40)
        row = precise_solution(times, rows=1, columns=3, digits=30)
        for k in range(3):
            assert abs(mpmath.mpf(row.phi[k, 0]) - (mpmath.pi - mpmath.mpf(pin.angle[k]))) < 1e-28
            assert abs(mpmath.mpf(row.phidot[k, 0]) + mpmath.mpf(pin.rate[k])) < 1e-28


def check_final(variant, motion):
    found = (motion.phi[-1, 0], motion.phidot[-1, 0], motion.y_a[-1], motion.z_a[-1], motion.energy[-1])
    for value, stored in zip(found, FINAL[variant], strict=True):
        assert abs(mpmath.mpf(value) - mpmath.mpf(stored)) < 1e-20 * abs(mpmath.mpf(stored))
    assert max(abs(motion.energy - motion.energy[0])) < 1e-20


def test_final_values_from_the_top_row_hold_in_another_precision(top_row):
    check_final("top-row", top_row)


def test_final_values_from_all_rows_hold_in_another_precision(all_rows):
    check_final("all-rows", all_rows)


@pytest.mark.slow
def test_final_values_of_the_chaotic_grid_hold_in_another_precision():
    check_final("upright", precise_solution(["0", "10"], variant="upright", digits=45))


def test_final_values_agree_with_an_independent_run_in_doubles():
    """Corner A of a run in natural coordinates: of its 17 and 13 digits all, and all but two, hold."""
    assert float(FINAL["top-row"][2]) == pytest.approx(4.0504680295646057, abs=1e-15)
    assert float(FINAL["all-rows"][2]) == pytest.approx(6.554546278007, abs=2e-11)
    assert float(FINAL["all-rows"][3]) == pytest.approx(-4.550175121386, abs=2e-11)


def test_no_row_reaches_the_flat_position_from_the_top_row_start(top_row):
    assert np.abs(top_row.phi).max() < np.pi / 2


def test_rows_two_to_five_pass_the_flat_position_when_all_rows_start(all_rows):
    largest = np.abs(all_rows.phi).max(axis=0)
    assert largest[0] < np.pi / 2 < largest[1:].min()


def test_the_standing_grid_starts_towards_minus_y():
    motion = solution([0.0, 0.01], variant="upright")
    assert motion.z_a[0] == 5.0
    assert motion.y_a[1] == pytest.approx(5.0 - 0.01 * 2 * np.pi / 3, abs=1e-4)


def test_the_official_columns_are_time_angle_rate_corner_and_energy():
    motion = solution([0.0, 0.1])
    assert motion.columns.shape == (2, 6)
    np.testing.assert_allclose(motion.columns[0], [0.0, 0.0, 2 * np.pi / 3, 5.0, -5.0, motion.energy[0]], atol=1e-15)


def test_times_in_disorder_are_refused_with_the_reason():
    with pytest.raises(ValueError, match="not decrease"):
        solution([3.0, 0.1], rows=1, columns=1)
