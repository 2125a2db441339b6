"""Runs are believed if energy is gained only by work, and motors hold their angles."""

import numpy as np
import pytest

from grashof.quantities.energy_balance import EXTREMES, adds_up, balance, balance_tape

ALLOWED = 1e-4


def swinging(times: int = 50) -> np.ndarray:
    """An oscillator on which a force does work: kinetic, potential, work done up to a constant, all J, and the
    cosine by which a motor is off."""
    t = np.linspace(0.0, 3.0, times)
    done = 5.0 + t
    energy = 2.0 + t
    return np.column_stack([energy * np.sin(t) ** 2, energy * np.cos(t) ** 2, done, np.ones(times)])


def test_work_explains_what_is_gained() -> None:
    assert np.ptp(balance(swinging())) < 1e-14
    assert adds_up(swinging(), ALLOWED)


@pytest.mark.parametrize("column", [0, 1, 2])
def test_energy_from_nowhere(column: int) -> None:
    """The energies that move are at most 5 J + 5 J + 3 J, so 0.1 J are far more than allowed, and 1e-5 J less."""
    for gained, good in ((0.1, False), (1e-5, True)):
        run = swinging()
        run[20, column] += gained
        assert adds_up(run, ALLOWED) == good


def test_a_motor_that_slipped_half_a_turn() -> None:
    run = swinging()
    run[-1, 3] = -1.0
    assert not adds_up(run, ALLOWED)


def test_several_runs_and_numbers_that_are_none() -> None:
    good, bad, unknown = swinging(), swinging(), swinging()
    bad[-1, 0] += 1.0
    unknown[7, 1] = np.nan
    assert adds_up(np.array([good, bad, unknown]), ALLOWED).tolist() == [True, False, False]


def test_what_rests_may_have_round_off() -> None:
    """1e3 J of potential energy, of which 1e-12 are round-off."""
    rest = np.tile([0.0, 1e3, 0.0, 1.0], (5, 1))
    rest[3, 1] += 1e-9
    assert adds_up(rest, 1e-8 + ALLOWED)


@pytest.mark.parametrize("gained", [0.0, 1e-5, 0.1])
def test_a_run_that_goes_on_is_judged_as_one_that_has_ended(gained: float) -> None:
    """The extremes of the run so far tell as much as all of its times, up to each of them."""
    run, tape = swinging(), balance_tape(ALLOWED)
    run[20:, 1] += gained
    kinetic, potential, done, _ = run[0]
    state = [kinetic + potential - done, kinetic, potential, potential, done, done]
    good = True
    for k in range(1, len(run)):
        *state, margin, held = map(float, tape.evaluate([*state, *run[k]]))
        assert len(state) == EXTREMES
        good &= margin >= 0.0 and held > 0.0
        assert good == adds_up(run[: k + 1], ALLOWED) or not good
    assert good == (gained < 0.1)
