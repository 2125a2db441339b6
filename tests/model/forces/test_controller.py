"""Controllers: linear ones move as a matrix exponential says, others stay within their limits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import grashof as gr
from grashof.model.files import dumps, loads


def block(**controller: Any) -> gr.Mechanism:
    """2 kg on a line, from 0.2 m with 0.1 m/s."""
    m = gr.Mechanism("block")
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    m.need("block.p.x", value=0.2, rate=0.1)
    m.controller("block.p.x", name="PID", **controller)
    return m


@pytest.mark.parametrize(("kp", "ki", "kd"), [(30.0, 20.0, 9.0), (30.0, 10.0, 0.0), (30.0, 0.0, 9.0), (8.0, 0.0, 0.0)])
def test_a_controlled_mass_moves_as_the_matrix_exponential_says(kp: float, ki: float, kd: float) -> None:
    run = gr.simulate(block(target=1.0, kp=kp, ki=ki, kd=kd), 4.0)
    # (x, ẋ, ∫e, 1)
    a = np.array([[0, 1, 0, 0], [-kp / 2, -kd / 2, ki / 2, kp / 2], [-1, 0, 0, 1], [0, 0, 0, 0]])
    exact = np.array([expm(a * t) @ [0.2, 0.1, 0.0, 1.0] for t in run.t])
    assert run.status.ok
    assert run["block.p.x"] == pytest.approx(exact[:, 0], abs=1e-6)
    assert np.max(np.abs(run["balance"])) < 1e-5
    if ki:
        assert run["PID.integral"] == pytest.approx(exact[:, 2], abs=1e-6)
        assert run.unit("PID.integral") == "m s"


def test_a_moving_target_has_a_rate() -> None:
    """With e = target − x: ë = target̎ − u/m, so that e = 0 stays if the target starts where the mass does and does
    not accelerate."""
    run = gr.simulate(block(target="0.2 + 0.1*t", kp=50.0, kd=5.0), 2.0)
    assert run["block.p.x"] == pytest.approx(0.2 + 0.1 * run.t, abs=1e-9)


def test_an_angle_is_controlled_over_whole_turns() -> None:
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=0.5, points={"o": (0, 0)})
    m.revolute(m.ground.at(0, 0), wheel.o)
    m.need(wheel, value=0.0, rate=0.0)
    m.controller(wheel, target="10", kp=8.0, kd=4.0)
    run = gr.simulate(m, 6.0)
    # ë + 8 ė + 16 e = 0: e = 10 (1 + 4 t) exp(−4 t)
    assert run["wheel.angle"] == pytest.approx(10.0 - 10.0 * (1.0 + 4.0 * run.t) * np.exp(-4.0 * run.t), abs=1e-5)


def test_limits_as_another_integrator_has_them() -> None:
    kp, ki, kd, limit, windup = 30.0, 40.0, 2.0, 4.0, 0.05
    run = gr.simulate(block(target=1.0, kp=kp, ki=ki, kd=kd, limit=limit, windup=windup), 3.0, tol=1e-8)

    def slope(t: float, y: np.ndarray) -> list[float]:
        x, v, total = y
        e = 1.0 - x
        u = kp * e + ki * total - kd * v
        room = np.clip(1e3 * (1.0 - abs(u) / limit), 0.0, 1.0) if e * u > 0.0 else 1.0
        room *= np.clip(1e3 * (1.0 - abs(total) / windup), 0.0, 1.0) if e * total > 0.0 else 1.0
        return [v, np.clip(u, -limit, limit) / 2.0, e * room]

    exact = solve_ivp(slope, (0.0, 3.0), [0.2, 0.1, 0.0], t_eval=run.t, rtol=1e-9, atol=1e-11, max_step=1e-3)
    assert run["block.p.x"] == pytest.approx(exact.y[0], abs=1e-7)
    assert np.max(np.abs(run["PID.integral"])) <= windup


def test_the_file_moves_alike_and_other_laws_may_read_the_integral() -> None:
    m = block(target="0.3*sin(t)", kp=30.0, ki=20.0, kd=1.0, limit=50.0)
    m.torque("block.angle", "0.1*PID.integral")
    again = loads(dumps(m.model))
    assert again == m.model
    assert np.array_equal(gr.simulate(m, 1.0).y, gr.simulate(again, 1.0).y)


def test_an_effort_that_stays_at_its_limit_takes_few_steps() -> None:
    """With kp = 0 the integral leads the effort to the limit, and kd takes it back as the mass becomes faster: growth
    would be switched infinitely often.

    The integral settles where it grows as fast as the rest of the effort falls, within a thousandth of the limit: the
    mass is pushed with the whole limit, v̇ = limit/m.
    """
    run = gr.simulate(block(target=1000.0, ki=0.05, kd=2.0, limit=4.0), 4.0, tol=1e-8, max_steps=10_000)
    assert run.status.ok
    late = run.t > 1.0
    v = run["block.p.x.rate"]
    assert np.gradient(v, run.t)[late][:-1] == pytest.approx(2.0, rel=2e-3)
    effort = 0.05 * run["PID.integral"] - 2.0 * v
    assert effort[late] == pytest.approx(4.0, rel=2e-3)


def test_the_integral_rests_while_the_controller_is_off() -> None:
    m = block(target=1.0, kp=3.0, ki=5.0, kd=1.0, active=False)
    m.event("t", crosses=0.5, does="switch PID on")
    run = gr.simulate(m, 1.0)
    later = gr.simulate(_from_there(), 0.5)
    assert run["PID.integral"][run.t <= 0.5] == pytest.approx(0.0)
    assert run["block.p.x"][-1] == pytest.approx(later["block.p.x"][-1], abs=1e-6)


def _from_there() -> gr.Mechanism:
    """The block of 2 kg after 0.5 s with 0.1 m/s, under a controller that acts from the start."""
    m = gr.Mechanism("block")
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    m.need("block.p.x", value=0.25, rate=0.1)
    m.controller("block.p.x", target=1.0, kp=3.0, ki=5.0, kd=1.0, name="PID")
    return m


def test_switched_and_watched() -> None:
    m = block(target=1.0, kp=30.0, ki=5.0, kd=9.0, active=False)
    m.event("t", crosses=0.5, does="switch PID on")
    run = gr.simulate(m, 1.0)
    assert run["block.p.x"][run.t <= 0.5] == pytest.approx(0.2 + 0.1 * run.t[run.t <= 0.5], abs=1e-9)
    assert run["block.p.x"][-1] > 0.35


@pytest.mark.parametrize(
    ("controller", "words"),
    [
        ({}, "kp, ki and kd are all zero"),
        ({"kp": 1.0, "limit": 0.0}, "limit is 0.0; it must be positive"),
        ({"kp": 1.0, "windup": -1.0}, "windup is -1.0; it must be positive"),
        ({"kp": 1.0, "target": "block.p.z"}, "did you mean"),
        ({"kp": 1.0, "kd": 1.0, "target": "block.p.x.rate"}, "depends on a rate"),
    ],
)
def test_impossible_controllers(controller: dict[str, Any], words: str) -> None:
    with pytest.raises(gr.ModelError, match=words):
        _ = block(**controller).model
