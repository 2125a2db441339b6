"""What the judge knows of works and of pushed masses, against other quadratures and differential equations."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.case import KnownMotion
from campaign.quadrature import running_integral
from campaign.suites import pulses, work_of_motors
from scipy.integrate import solve_ivp

from grashof.model.bodies import RigidBody
from grashof.model.forces import SpringDamper, UserForce
from grashof.model.forces.user_force import resolve


def test_a_running_integral_is_the_antiderivative() -> None:
    times = np.array([0.1, 0.5, 0.5, 3.0, 7.7])
    found = running_integral(lambda t: np.cos(20.0 * t), times, 0.05)
    assert found == pytest.approx(np.sin(20.0 * times) / 20.0, abs=1e-14)


def test_a_shaft_against_a_torque_that_pulsates_takes_the_work_of_the_closed_form() -> None:
    """Driven by t against −(1 + cos 40t): 10 + sin(400)/40 J in 10 s."""
    load = work_of_motors.Load(-1.0, -1.0, 40.0, 0.0)
    (work,) = running_integral(lambda t: load.at(t, np.ones_like(t)), np.array([10.0]), 1.0 / 40.0)
    assert -work == pytest.approx(10.0 + np.sin(400.0) / 40.0, abs=1e-12)


FORCED = ("pulses", "trains of pulses", "steps", "triangles", "struck oscillators", "Gaussians")


def pushed(case: KnownMotion) -> tuple[np.ndarray, np.ndarray]:
    """Place and velocity at the judged times: the force as it was described, step by step, by SciPy."""
    model = case.describe().model
    (body,) = model.bodies
    assert isinstance(body, RigidBody)
    (user,) = (force for force in model.forces if isinstance(force, UserForce))
    springs = [force.stiffness for force in model.forces if isinstance(force, SpringDamper)]
    turning = user.on == ("wheel.angle",)
    inertia = body.inertia if turning else body.mass

    def slope(t: float, y: np.ndarray) -> list[float]:
        at, rate = (y[0], y[1]) if turning else ([y[0], 0.0], [y[1], 0.0])
        (effort,) = resolve(user.function)(t, [at], [rate])
        force = effort if turning else effort[0]
        return [y[1], (force - sum(springs) * y[0]) / inertia]

    (need,) = model.start.needs
    longest = min(case.moment / 5.0, case.end / 400.0)
    start = [need.value, need.rate]
    found = solve_ivp(slope, (0.0, case.end), start, "RK45", case.times, rtol=1e-6, atol=1e-9, max_step=longest)
    return found.y[0], found.y[1]


@pytest.mark.parametrize("seed", [1, 4])
@pytest.mark.parametrize("family", FORCED)
def test_what_a_force_of_time_does_is_known(family: str, seed: int) -> None:
    case = pulses.SUITE.draws[family][1](np.random.default_rng(seed))
    for wide in range(50):  # narrow ones take too many steps here
        if case.moment > 0.02 * case.end:
            break
        case = pulses.SUITE.draws[family][1](np.random.default_rng([seed, wide]))
    for found, (name, exact) in zip(pushed(case), case.exact.items(), strict=True):
        assert np.max(np.abs(found - exact)) < 0.01 * case.scales[name]
