"""The chain of universal joints the judge knows: its own energy, and a pendulum that it contains."""

from __future__ import annotations

import numpy as np
from campaign.chain import Chain
from campaign.closed_forms import Pendulum
from campaign.matter import lump, slender
from campaign.structure import Solid
from campaign.suites.turns_in_space import followed


def test_a_chain_keeps_its_energy() -> None:
    rng = np.random.default_rng(1)
    pins = {"start": np.zeros(3), "end": np.array([0.3, 0.5, -0.7])}
    arms = [
        (np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.6, 0.8])),
        (np.array([0.0, 0.0, 1.0]), np.array([0.6, 0.8, 0.0])),
    ]
    chain = Chain([lump(rng, f"body{k}", pins, 1.0, 1.0) for k in range(2)], arms, np.array([0.0, 3.0, -9.0]))
    y = np.concatenate([np.zeros(4), [1.0, -2.0, 0.5, 3.0]])
    h = 1e-4
    before = chain.energy(y)
    for _ in range(2000):
        a = chain.slope(0.0, y)
        b = chain.slope(0.0, y + 0.5 * h * a)
        c = chain.slope(0.0, y + 0.5 * h * b)
        d = chain.slope(0.0, y + h * c)
        y = y + h / 6.0 * (a + 2.0 * b + 2.0 * c + d)
    assert abs(chain.energy(y) - before) < 1e-9 * abs(before)


def test_turned_about_one_arm_only_it_is_a_pendulum() -> None:
    """A bar along −z on a cross along x and y, thrown about x so that it goes round."""
    bar = slender("bar", 1.0, 2.0, 3)
    turn = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    hanging = Solid(bar.name, bar.masses, bar.places @ turn.T, {pin: turn @ x for pin, x in bar.pins.items()})
    chain = Chain([hanging], [(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0]))], np.array([0.0, 0.0, -9.81]))
    times = np.linspace(0.1, 4.0, 9)
    alpha, beta = chain.moving(np.array([9.0, 0.0]), times).T
    exact, _ = Pendulum(float(np.sqrt(1.5 * 9.81)), rate=9.0).at(times)
    assert np.max(np.abs(beta)) < 1e-9
    assert np.max(np.abs(alpha - exact)) < 1e-8


def test_an_angle_is_followed_past_a_near_pole() -> None:
    """(cos t, 1e-4 sin t) turns once in 2π, most of it where it is near the origin."""
    times = np.array([1.0, 3.0, 6.0, 20.0])
    angle, _, least = followed(lambda t: np.stack([np.cos(t), 1e-4 * np.sin(t)], axis=-1), times)
    exact = np.arctan2(1e-4 * np.sin(times), np.cos(times)) + 2.0 * np.pi * np.floor((times + np.pi) / (2.0 * np.pi))
    assert np.max(np.abs(angle - exact)) < 1e-9
    assert least < 1.1e-4
