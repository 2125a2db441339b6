"""Joint reactions that can be written down: levers, pendulums, doors."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.model.mechanism import Mechanism
from grashof.reactions import reactions
from grashof.simulation.simulate import simulate

from .classical import DIGITS, RUN, largest

G = 9.81


def test_the_pin_of_a_pendulum_bears_weight_and_centripetal_force() -> None:
    mass, length = 2.0, 0.8
    m = Mechanism("pendulum", gravity=(0.0, -G))
    rod = m.bar("rod", length=length, mass=mass)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.need(rod.angle, value=0.3)
    run = simulate(m, 2.0, tol=1e-8)
    angle, rate = run["rod.angle"], run["rod.angle.rate"]
    along, across = np.array([np.cos(angle), np.sin(angle)]), np.array([-np.sin(angle), np.cos(angle)])
    # θ̈ = −3 g cos θ / 2 l, and the centre of mass is at half the length
    centre = -0.5 * length * rate**2 * along - 0.75 * G * np.cos(angle) * across
    expected = mass * (centre + np.array([[0.0], [G]]))
    found = reactions(run)
    assert np.max(np.abs(found.joints["pin"][:, :2].T - expected)) < DIGITS * np.max(np.abs(expected))
    assert not np.any(found["pin.mz"])
    assert found.unique == {"pin": True}


def test_two_supports_share_the_load_of_a_beam_by_the_lever_rule() -> None:
    m = Mechanism("beam", gravity=(0.0, -10.0))
    beam = m.bar("beam", start=(0.0, 0.0), end=(4.0, 0.0), mass=3.0)
    m.revolute(m.ground.at(0, 0), beam.start, name="left")
    m.slider(m.ground.line((4, 0), (5, 0)), beam.end, name="right")
    m.force(beam.at(1, 0), (2.0, -8.0))
    found = reactions(simulate(m, 1.0, times=2))
    assert found.joints["left"][0] == pytest.approx([-2.0, 15.0 + 6.0, 0.0], abs=1e-12)
    assert found.joints["right"][0] == pytest.approx([0.0, 15.0 + 2.0, 0.0], abs=1e-12)
    assert all(found.unique.values())


def test_a_beam_pinned_at_both_ends_can_be_stretched_by_its_supports() -> None:
    m = Mechanism("beam", gravity=(0.0, -10.0))
    beam = m.bar("beam", start=(0.0, 0.0), end=(4.0, 0.0), mass=3.0)
    m.revolute(m.ground.at(0, 0), beam.start, name="left")
    m.revolute(m.ground.at(4, 0), beam.end, name="right")
    pendulum = m.bar("pendulum", start=(4.0, 0.0), end=(4.0, -1.0), mass=1.0)
    m.revolute(beam.end, pendulum.start, name="hook")
    m.force(beam.start, (6.0, 0.0))
    found = reactions(simulate(m, 1.0, times=2))
    assert found.not_unique == ("left.fx", "right.fx")
    assert found.unique == {"left": False, "right": False, "hook": True}
    # the least Σ f² with f_left + f_right = −6
    assert found["left.fx"][0] == pytest.approx(-3.0, abs=1e-12)
    assert found["right.fx"][0] == pytest.approx(-3.0, abs=1e-12)
    assert found["right.fy"][0] == pytest.approx(15.0 + 10.0, abs=1e-12)


def test_the_weld_of_a_cantilever_bears_the_pendulum_at_its_tip() -> None:
    length, rod_length, mass, rod_mass = 4.0, 1.0, 3.0, 1.0
    m = Mechanism("cantilever", gravity=(0.0, -G))
    beam = m.bar("beam", start=(0.0, 0.0), end=(length, 0.0), mass=mass)
    rod = m.bar("rod", start=(length, 0.0), end=(length + rod_length, 0.0), mass=rod_mass)
    m.weld(m.ground.at(0, 0), beam.start, name="wall")
    m.revolute(beam.end, rod.start, name="tip")
    run = simulate(m, 1.0, tol=1e-8)
    # released from the horizontal: ω² = 3 g s / l at the depth l s
    s, c = -np.sin(run["rod.angle"]), np.cos(run["rod.angle"])
    at_tip = rod_mass * G * np.array([-2.25 * s * c, 1.0 + 1.5 * s**2 - 0.75 * c**2])
    found = reactions(run)
    expected = np.array([at_tip[0], at_tip[1] + mass * G, length * at_tip[1] + 0.5 * length * mass * G])
    assert np.max(np.abs(found.joints["tip"][:, :2].T - at_tip)) < RUN * np.max(np.abs(at_tip))
    assert np.max(np.abs(found.joints["wall"].T - expected)) < RUN * np.max(np.abs(expected))


def test_a_massless_link_is_a_two_force_member() -> None:
    m = Mechanism("pendulum on a massless rod", gravity=(0.0, -G))
    rod = m.bar("rod", start=(0.0, 0.0), end=(0.6, -0.8))
    bob = m.body("bob", mass=2.0, inertia=0.1, points={"hook": (0.0, 0.0)}, position=(0.6, -0.8))
    m.revolute(m.ground.at(0, 0), rod.start, name="top")
    m.revolute(rod.end, bob.hook, name="bottom")
    run = simulate(m, 1.5, tol=1e-8)
    found = reactions(run)
    along = np.array([run["rod.end.x"], run["rod.end.y"]])
    speed = np.array([run["rod.end.x.rate"], run["rod.end.y.rate"]])
    # m v²/l + m g cos along the rod of 1 m, towards its upper end
    pull = 2.0 * (np.sum(speed**2, axis=0) - G * along[1])
    for joint in ("top", "bottom"):
        assert np.max(np.abs(found.joints[joint][:, :2].T + pull * along)) < DIGITS * largest(found)


@pytest.mark.parametrize("start", [(0.0, 0.0, 0.0), (0.3, -0.2, 1.0)])
def test_two_hinges_share_the_weight_of_a_door_equally(start: tuple[float, float, float]) -> None:
    x, y, z = start
    m = Mechanism("door", gravity=(0.0, 0.0, -G))
    door = m.body(
        "door",
        mass=20.0,
        center=(0.4, 0.0, 1.0),
        inertia=(7.0, 8.0, 1.2),
        points={"low": (0.0, 0.0, 0.5), "high": (0.0, 0.0, 1.5)},
        position=start,
    )
    m.revolute(m.ground.at(x, y, z + 0.5), door.low, axis=(0, 0, 1), name="low")
    m.revolute(m.ground.at(x, y, z + 1.5), door.high, axis=(0, 0, 1), name="high")
    found = reactions(simulate(m, 1.0, times=2))
    assert found["low.fz"][0] == pytest.approx(10.0 * G)
    assert found["high.fz"][0] == pytest.approx(10.0 * G)
    assert found.stresses[0] == 5
    assert "low.fz" in found.not_unique
    assert "low.mz" not in found.not_unique
