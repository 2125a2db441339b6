"""The judge of rough contacts, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.energy_integral import NotJudged
from campaign.impacts import newton, poisson
from campaign.maximal import Pin, Place
from campaign.outlines import Outline
from campaign.rough import RoughPlane
from campaign.structure import Array

G = 9.81
TIMES = np.linspace(0.0, 1.0, 9)
GROUND = Place(None, 0.0, 0.0)


def sloping(angle: float) -> tuple[float, float]:
    return float(np.cos(angle)), float(np.sin(angle))


@pytest.mark.parametrize(("mu", "slips"), [(0.2, True), (0.9, False)])
def test_a_disc_on_a_slope_rolls_or_slips(mu: float, slips: bool) -> None:
    """It rolls with ⅔ g sin β if μ ≥ ⅓ tan β."""
    slope, radius = 0.7, 0.1
    plane = RoughPlane(G)
    plane.body(2.0, 0.5 * 2.0 * radius**2, -radius * np.sin(slope), radius * np.cos(slope), 0.0)
    plane.contacts.append(Outline(GROUND, Place(0, 0.0, 0.0), sloping(slope), 0.0, radius, mu=mu))
    q, _, _ = plane.motion(np.array(plane.start), np.zeros(3), TIMES)
    way = -(q[:, :2] - q[0, :2]) @ sloping(slope)
    rolling = 2.0 / 3.0 * np.sin(slope)
    a = G * (np.sin(slope) - mu * np.cos(slope) if slips else rolling)
    assert np.max(np.abs(way - 0.5 * a * TIMES**2)) < 1e-9
    spin = 2.0 * mu * G * np.cos(slope) / radius if slips else rolling * G / radius
    assert np.max(np.abs(q[:, 2] - 0.5 * spin * TIMES**2)) < 1e-7


def test_a_thrown_block_slips_until_it_rests() -> None:
    plane = RoughPlane(G)
    plane.body(1.0, 1.0, 0.0, 0.1, 0.0)
    for x in (-0.5, 0.5):
        plane.contacts.append(Outline(GROUND, Place(0, x, -0.1), (1.0, 0.0), mu=0.5))
    q, v, _ = plane.motion(np.array(plane.start), np.array([2.0, 0.0, 0.0]), TIMES)
    assert q[-1, 0] == pytest.approx(2.0**2 / (2.0 * 0.5 * G), abs=1e-8)
    assert np.max(np.abs(v[-1])) < 1e-8
    assert np.max(np.abs(q[:, 1] - 0.1)) < 1e-9


def test_bounces_follow_newton() -> None:
    plane = RoughPlane(G)
    plane.body(1.0, 1.0, 0.0, 0.5, 0.0)
    plane.contacts.append(Outline(GROUND, Place(0, 0.0, 0.0), (1.0, 0.0), restitution=0.8))
    first, speed = np.sqrt(2.0 * 0.5 / G), np.sqrt(2.0 * G * 0.5)
    times = np.array([0.1, first + 0.3])
    q, _, count = plane.motion(np.array(plane.start), np.zeros(3), times)
    assert count == 1
    assert q[1, 1] == pytest.approx(0.8 * speed * 0.3 - 0.5 * G * 0.09, abs=1e-8)


OUTLINES = {
    "line": Outline(Place(0, 0.2, -0.1), Place(1, 0.3, 0.1), (0.6, 0.8), 0.02, 0.05),
    "circle": Outline(Place(0, 0.2, -0.1), Place(1, 0.3, 0.1), None, 0.3, 0.05),
    "ring": Outline(Place(0, 0.2, -0.1), Place(1, 0.3, 0.1), None, 5.0, 0.05, inside=True),
}


@pytest.mark.parametrize("kind", OUTLINES)
def test_derivatives_of_outlines(kind: str) -> None:
    """Against differences along a motion with constant velocity."""
    outline, q, v = (
        OUTLINES[kind],
        np.array([0.1, 0.3, 0.5, 1.2, -0.8, 2.0]),
        np.array([0.7, -0.4, 1.3, -0.2, 0.9, -0.6]),
    )
    h = 1e-4

    def gap(s: float) -> float:
        return float(np.real(outline.gap(q + s * v)))

    def slip(s: float) -> float:
        return float(np.real(outline.slip(q + s * v, v)))

    to_gap, to_slip = outline.gradients(q)
    bend, change = outline.curvatures(q, v)
    assert to_gap @ v == pytest.approx((gap(h) - gap(-h)) / (2.0 * h), abs=1e-7)
    assert to_slip @ v == pytest.approx(slip(0.0), abs=1e-12)
    assert bend == pytest.approx((gap(h) - 2.0 * gap(0.0) + gap(-h)) / h**2, abs=1e-6)
    assert change == pytest.approx((slip(h) - slip(-h)) / (2.0 * h), abs=1e-6)


def rod(angle: float) -> tuple[Array, Array]:
    """W of the lower end of a free rod of 1 kg and 1 m on level ground, and the velocities of a fall without spin."""
    x, y = -0.5 * np.cos(angle), -0.5 * np.sin(angle)
    normal, along = np.array([0.0, 1.0, x]), np.array([1.0, 0.0, -y])
    g = np.array([normal, along])
    return g @ np.diag([1.0, 1.0, 12.0]) @ g.T, np.array([-1.0, 0.0])


def test_impacts_without_friction_turn_the_velocity_back() -> None:
    w, before = rod(1.0)
    for impulses in (newton(w, before, [0.0], np.array([0.4])), poisson(w, before, 0.0, 0.4)):
        after = before + w @ impulses
        assert after[0] == pytest.approx(0.4)
        assert impulses[1] == 0.0


def test_poisson_relates_impulses_and_newton_velocities() -> None:
    """A rod that sticks from the beginning: Λ_t/Λ_n is the same during the whole impact, and both laws agree; in a slip
    that reverses they differ."""
    w, before = rod(1.0)
    by_impulse, by_speed = poisson(w, before, 5.0, 0.4), newton(w, before, [5.0], np.array([0.4]))
    assert by_impulse == pytest.approx(by_speed, rel=1e-9)
    sliding = np.array([-1.0, 0.3])
    followed = poisson(w, sliding, 0.3, 0.4)
    assert followed @ (2.0 * sliding + w @ followed) < 0.0  # it loses energy
    assert (sliding + w @ followed)[0] != pytest.approx(0.4, rel=1e-3)


def test_what_is_not_determined_is_not_judged() -> None:
    """Painlevé's paradox: a rod slips on very rough ground, leaning against its slip."""
    plane, angle = RoughPlane(G), 1.2
    plane.body(1.0, 1.0 / 12.0, 0.5 * np.cos(angle), 0.5 * np.sin(angle), angle)
    plane.contacts.append(Outline(GROUND, Place(0, -0.5, 0.0), (1.0, 0.0), mu=5.0))
    outcomes = []
    for slip in (1.0, -1.0):
        try:
            plane.motion(np.array(plane.start), np.array([slip, 0.0, 0.0]), 0.01 * TIMES)
            outcomes.append(True)
        except NotJudged:
            outcomes.append(False)
    assert sorted(outcomes) == [False, True]


def test_a_pendulum_that_swings_against_a_wall_bounces_as_its_own_law_says() -> None:
    """A pin carries the rest of the impulse."""
    plane = RoughPlane(0.0)
    plane.body(1.0, 1.0 / 12.0, 0.5, 0.0, 0.0)
    plane.rows.append(Pin(GROUND, Place(0, -0.5, 0.0)))
    wall = Outline(Place(None, 0.0, 0.5), Place(0, 0.5, 0.0), (-1.0, 0.0), restitution=0.6)
    plane.contacts.append(wall)
    start = np.array(plane.start)
    q, _, count = plane.motion(start, plane.velocities(0.0, start, {2: 1.0}), TIMES)
    hit = np.arcsin(0.5)
    assert count == 1
    assert q[-1, 2] == pytest.approx(hit - 0.6 * (1.0 - hit), abs=1e-8)
