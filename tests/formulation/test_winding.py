"""Whole turns of a path about the origin, from times as far apart as the steps of a run."""

from __future__ import annotations

import math

import numpy as np
import pytest

from grashof.formulation.natural.winding import Path, UndefinedAngleError, follow, wind_angles


def ellipse(long: float, short: float, swing: float, precession: float) -> Path:
    """e^(iΩt) (A cos ωt + i b sin ωt): how a spherical pendulum swings, seen from above; a moving ellipse with half
    axes A and b."""

    def path(t: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        turned = np.exp(1j * precession * t)
        z = turned * (long * np.cos(swing * t) + 1j * short * np.sin(swing * t))
        rate = turned * swing * (-long * np.sin(swing * t) + 1j * short * np.cos(swing * t))
        return z, rate + 1j * precession * z

    return path


def angle_on_ellipse(t: np.ndarray, long: float, short: float, swing: float, precession: float) -> np.ndarray:
    """In closed form: what is beyond (Ω ± ω) t has a positive cosine, so that it never makes a turn."""
    sense = math.copysign(1.0, short)
    phase, size = swing * t, abs(short)
    beyond = np.arctan2(
        (size - long) * np.sin(phase) * np.cos(phase), long * np.cos(phase) ** 2 + size * np.sin(phase) ** 2
    )
    return precession * t + sense * (phase + beyond)


@pytest.mark.parametrize("short", [0.9, 0.3, 1e-2, -1e-2, 1e-4, -1e-6, 1e-8])
@pytest.mark.parametrize("precession", [0.0, 0.17, -0.4])
def test_turns_of_an_ellipse_however_slender_are_counted(short: float, precession: float) -> None:
    """About a third of a swing from time to time, for twenty swings: half a turn is passed in each within b/(A ω)
    seconds."""
    shape = (1.0, short, 2.0, precession)
    t = np.linspace(0.0, 20.0 * math.pi, 61)
    found = follow(0.0, t, ellipse(*shape), least=1e-9)
    between = np.linspace(0.0, t[-1], 1234)
    exact = angle_on_ellipse(between, *shape)
    assert np.max(np.abs(found.at(between, ellipse(*shape)(between)[0]) - exact)) < 1e-9 / abs(short)
    assert abs(exact[-1]) > 10.0 * math.pi


def test_a_path_that_meets_the_origin_has_no_angle_from_the_first_such_time_on() -> None:
    """A cos ωt alone: at a quarter of a swing, however many later ones are found first."""
    with pytest.raises(UndefinedAngleError) as caught:
        follow(0.0, np.linspace(0.0, 20.0, 31), ellipse(1.0, 0.0, 2.0, 0.0), least=1e-9)
    assert caught.value.time == pytest.approx(0.25 * math.pi, abs=1e-8)


def test_a_path_nearer_to_the_origin_than_it_is_known_has_no_angle_from_there_on() -> None:
    """The short half axis of an ellipse is met at a quarter of a swing, between the times."""
    t, path = np.linspace(0.0, 20.0, 31), ellipse(1.0, 1e-3, 2.0, 0.0)
    assert follow(0.0, t, path, least=0.99e-3).angle[-1] == pytest.approx(40.0, abs=1.6)
    with pytest.raises(UndefinedAngleError) as caught:
        follow(0.0, t, path, least=1.01e-3)
    assert caught.value.time == pytest.approx(0.25 * math.pi, abs=0.01)


def test_a_path_that_stays_at_the_origin_has_no_angle() -> None:
    with pytest.raises(UndefinedAngleError) as caught:
        follow(0.0, np.array([3.0, 4.0]), ellipse(0.0, 0.0, 1.0, 0.0), least=1e-9)
    assert caught.value.time == 3.0


def test_a_path_that_rests_elsewhere_keeps_its_angle() -> None:
    found = follow(7.0, np.array([0.0, 1.0, 5.0]), ellipse(1.0, 1.0, 0.0, 0.0), least=1e-9)
    assert np.all(found.angle == 7.0)


@pytest.mark.parametrize("step", [0.4, 2.0, 3.9, 5.6])
def test_times_at_which_nothing_more_is_known_count_turns_on_a_circle_up_to_almost_a_whole_one(step: float) -> None:
    t = step * np.arange(40)
    assert np.allclose(wind_angles(0.0, t, *ellipse(1.0, 1.0, 1.0, 0.0)(t)).angle, t, atol=1e-9)
