"""The judge of pairs of features: maximal coordinates, which know nothing of the engine."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.maximal import Cam, OnLine, Pin, Place, Plane, Rope, Row, Rub, Sum, Wall
from campaign.structure import Array
from scipy.special import ellipj, ellipk

G = 9.81
TIMES = np.linspace(0.0, 2.0, 9)


def pendulum(angle: float) -> Plane:
    """A rod of 1 m and 1 kg, pinned at the origin."""
    plane = Plane(G)
    plane.body(1.0, 1.0 / 12.0, 0.5 * np.cos(angle), 0.5 * np.sin(angle), angle)
    plane.rows.append(Pin(Place(None, 0.0, 0.0), Place(0, -0.5, 0.0)))
    return plane


def started(plane: Plane, rate: float) -> tuple[Array, Array]:
    q = np.array(plane.start)
    return q, plane.velocities(0.0, q, {2: rate})


def energy(plane: Plane, q: Array, v: Array) -> Array:
    mass = np.array(plane.masses)
    return 0.5 * np.sum(mass * v * v, axis=1) + G * q[:, 1::3] @ mass[1::3]


def test_a_pendulum_moves_as_elliptic_functions_say() -> None:
    swing = 1.2
    plane = pendulum(swing - 0.5 * np.pi)
    q, _, _ = plane.motion(*started(plane, 0.0), TIMES)
    k, pace = np.sin(0.5 * swing), np.sqrt(1.5 * G)
    sn, _, _, _ = ellipj(ellipk(k * k) - pace * TIMES, k * k)
    assert np.max(np.abs(q[:, 2] - (2.0 * np.arcsin(k * sn) - 0.5 * np.pi))) < 1e-10


def lobe(x: float) -> tuple[float, float, float]:
    return float(0.1 * np.sin(2 * x)), float(0.2 * np.cos(2 * x)), float(-0.4 * np.sin(2 * x))


def slide(plane: Plane, x: float, y: float) -> tuple[int, list[Row]]:
    """A body of 1 kg that slides along y without turning."""
    number = plane.body(1.0, 1.0, x, y, 0.0)
    return number, [Sum({3 * number: 1.0}, x), Sum({3 * number + 2: 1.0}, 0.0)]


@pytest.mark.parametrize("kind", ["cam", "rope", "gear", "slot"])
def test_conditions_do_no_work(kind: str) -> None:
    """Any mistake in J or γ would show in the energy."""
    plane = pendulum(0.3)
    if kind == "cam":
        number, rows = slide(plane, 2.0, lobe(0.3)[0])
        plane.rows += [*rows, Cam(3 * number + 1, 2, lobe)]
    elif kind == "rope":
        number, rows = slide(plane, 2.0, -1.0)
        end = Place(0, 0.5, 0.0)
        x, y, _, _ = end.at(np.array(plane.start))
        length = float(np.hypot(x - 2.0, y - 2.0)) + 3.0
        plane.rows += [*rows, Rope((end, Place(None, 2.0, 2.0), Place(number, 0.0, 0.0)), length)]
    elif kind == "gear":
        number = plane.body(1.0, 0.3, 3.0, 0.0, 0.0)
        plane.rows += [Pin(Place(None, 3.0, 0.0), Place(number, 0.0, 0.0)), Sum({2: 2.0, 3 * number + 2: 3.0}, 0.6)]
    else:
        angle = float(np.arcsin(0.3 - 1.5 * np.sin(0.3) / 1.5))
        number = plane.body(1.0, 0.2, np.cos(0.3) + 0.5 * np.cos(angle), np.sin(0.3) + 0.5 * np.sin(angle), angle)
        height = float(np.sin(0.3) + np.sin(angle))
        plane.rows += [
            Pin(Place(0, 0.5, 0.0), Place(number, -0.5, 0.0)),
            OnLine(Place(number, 0.5, 0.0), 0.0, 1.0, height),
        ]
    q, v, _ = plane.motion(*started(plane, 1.0), TIMES * 0.3 if kind == "slot" else TIMES)
    found = energy(plane, q, v)
    assert np.max(np.abs(found - found[0])) < 1e-9
    assert np.ptp(q[:, 2]) > 0.3


def test_an_elastic_impact_keeps_the_energy_and_turns_the_motion_round() -> None:
    plane = pendulum(0.0)
    plane.walls.append(Wall(2, 1.0, -1.0, 1.0))
    q, v, impacts = plane.motion(*started(plane, 0.0), TIMES)
    found = energy(plane, q, v)
    assert impacts >= 1
    assert q[:, 2].min() > -1.0 - 1e-9
    assert np.max(np.abs(found - found[0])) < 1e-9


def test_friction_follows_the_reaction_that_it_changes() -> None:
    """Newton's and Euler's equations of the rod, with the force of the pin in both."""
    plane = pendulum(0.0)
    plane.rubs.append(Rub(plane.rows[0], 0.02, 1e-3))  # type: ignore[arg-type]
    q, v = started(plane, 2.0)
    turning = plane.accelerations(0.0, q, v, np.zeros(0), [])[2]
    # with the force (F_x, F_y) of the pin: F_x = −m ω² l/2, F_y = m (g + α l/2), (m l²/3) α = −m g l/2 − μ r |F|
    force = np.hypot(-0.5 * 4.0, G + 0.5 * turning)
    assert turning / 3.0 == pytest.approx(-0.5 * G - 0.02 * force, rel=1e-12)
