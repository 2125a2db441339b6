"""Sampled controllers: their motion is that of zero-order hold, by matrix exponentials or by a loop over SciPy."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import grashof as gr
from grashof.model.files import dumps, loads

MASS, SPRING, DAMPING = 2.0, 60.0, 3.0


def block(name: str = "PID", **controller: Any) -> gr.Mechanism:
    """2 kg on a line, with a spring and a damper, from 0.2 m with 0.1 m/s."""
    m = gr.Mechanism("block")
    block = m.body("block", mass=MASS, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), block.line((0, 0), (1, 0)))
    m.force(block.p, (f"{-SPRING}*block.p.x - {DAMPING}*block.p.x.rate", 0))
    m.need("block.p.x", value=0.2, rate=0.1)
    m.controller("block.p.x", name=name, **controller)
    return m


class Digital:
    """A digital PID controller, written down once more."""

    def __init__(self, period: float, kp: float, ki: float = 0.0, kd: float = 0.0, **more: Any) -> None:
        self.period, self.kp, self.ki, self.kd, self.more = period, kp, ki, kd, more
        self.total, self.last, self.effort = 0.0, None, 0.0

    def sees(self, error: float, rate: float) -> None:
        if self.more.get("derivative") == "difference" and self.last is not None:
            rate = (error - self.last) / self.period
        wanted = self.kp * error + self.ki * self.total + self.kd * rate
        limit, windup = self.more.get("limit", np.inf), self.more.get("windup", np.inf)
        if not (abs(wanted) > limit and error * wanted > 0.0):
            self.total = float(np.clip(self.total + self.period * error, -windup, windup))
        self.effort, self.last = float(np.clip(wanted, -limit, limit)), error


def held_exactly(times: np.ndarray, target: float, controllers: list[Digital]) -> np.ndarray:
    """(x, ẋ) of the block at these times: between samples, ẏ = A y + b u has the solution of a matrix exponential."""
    a = np.array([[0, 1, 0], [-SPRING / MASS, -DAMPING / MASS, 1 / MASS], [0, 0, 0]])
    numbers = [np.arange(1 + int(times[-1] / c.period + 0.5)) for c in controllers]
    samples = sorted((round(k * c.period, 9), i) for i, c in enumerate(controllers) for k in numbers[i])
    y, now, found, done = np.array([0.2, 0.1]), 0.0, [], 0
    for time, which in [*samples, (times[-1] + 1.0, -1)]:
        effort = sum(c.effort for c in controllers)
        while done < len(times) and times[done] < time - 1e-12:
            found.append((expm(a * (times[done] - now)) @ [*y, effort])[:2])
            done += 1
        if which >= 0:
            y, now = (expm(a * (time - now)) @ [*y, effort])[:2], time
            controllers[which].sees(target - y[0], -y[1])
    return np.array(found)


@pytest.mark.parametrize(
    "gains",
    [
        {"kp": 300.0, "kd": 9.0},
        {"kp": 300.0, "ki": 200.0, "kd": 9.0},
        {"kp": 300.0, "ki": 200.0, "kd": 9.0, "derivative": "difference"},
        {"kp": 300.0, "ki": 900.0, "kd": 9.0, "limit": 120.0, "windup": 0.1},
    ],
)
@pytest.mark.parametrize("method", ["auto", "radau9", "rodas5p"])
def test_a_block_moves_as_zero_order_hold_says(gains: dict[str, Any], method: str) -> None:
    tol = 1e-6 if method == "rodas5p" else 1e-10
    run = gr.simulate(
        block(target=1.0, every="20 ms", **gains), 1.0, tol=tol, times=np.linspace(0, 1, 334), method=method
    )
    exact = held_exactly(run.t, 1.0, [Digital(0.02, **gains)])
    assert run.status.ok
    assert run["block.p.x"] == pytest.approx(exact[:, 0], abs=10 * tol)
    assert run["block.p.x.rate"] == pytest.approx(exact[:, 1], abs=100 * tol)
    assert np.max(np.abs(run["balance"])) < 1e4 * tol


def test_a_double_integrator_is_exact() -> None:
    """u_k = kp (1 − x_k) − kd v_k holds over T: x grows by T v + T² u/2m, v by T u/m."""
    m = gr.Mechanism("block")
    body = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), body.line((0, 0), (1, 0)))
    m.need("block.p.x", value=0.2, rate=0.1)
    m.controller("block.p.x", target=1.0, kp=30.0, kd=9.0, every="1 ms", name="PD")
    run = gr.simulate(m, 2.0, times=2001)
    x, v, exact = 0.2, 0.1, []
    for _ in run.t:
        exact.append((x, v, u := 30.0 * (1.0 - x) - 9.0 * v))
        x, v = x + 1e-3 * v + 1e-6 * u / 4.0, v + 1e-3 * u / 2.0
    found = np.column_stack([run["block.p.x"], run["block.p.x.rate"], run["PD.effort"]])
    assert found[:-1] == pytest.approx(np.array(exact)[:-1], abs=1e-11)
    assert run.unit("PD.effort") == "N"
    assert run.steps.counters.rejected == 0
    # the size of steps does not begin anew: two steps for each sample, in the finer run
    assert run.steps.counters.steps == pytest.approx(3 * 2000, rel=0.01)


def test_samples_of_two_periods_coincide() -> None:
    """10 × 0.3 ms and 3 × 1 ms are the same time, though not the same number."""
    m = block(target=1.0, kp=300.0, kd=9.0, every=1e-3, name="slow")
    m.controller("block.p.x", target=1.0, kp=50.0, kd=4.0, every=3e-4, name="fast")
    run = gr.simulate(m, 0.3, tol=1e-10, times=101)
    exact = held_exactly(run.t, 1.0, [Digital(1e-3, 300.0, kd=9.0), Digital(3e-4, 50.0, kd=4.0)])
    assert run["block.p.x"] == pytest.approx(exact[:, 0], abs=1e-10)
    same = np.count_nonzero(np.diff(run.steps.t) == 0.0)
    assert same == len({round(k * 1e-3, 9) for k in range(1, 300)} | {round(k * 3e-4, 9) for k in range(1, 1000)})


def pendulum(**controller: Any) -> gr.Mechanism:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=3.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.need(rod.angle, value=-1.5, rate=0.0)
    m.controller(rod, target="0.5*sin(3*t)", name="PID", **controller)
    return m


PID: dict[str, Any] = {"kp": 80.0, "ki": 60.0, "kd": 12.0, "limit": 40.0, "windup": 0.5}


def swung(times: np.ndarray, period: float, kind: str) -> np.ndarray:
    """θ and θ̇ of the pendulum, by a loop over SciPy's integrator: θ̈ = (u − m g l/2 cos θ) / (m l²/3)."""
    controller, y, found = Digital(period, **PID, derivative=kind), [-1.5, 0.0], []
    for now, then in pairwise(period * np.arange(2 + int(times[-1] / period + 0.5))):
        controller.sees(0.5 * np.sin(3 * now) - y[0], 1.5 * np.cos(3 * now) - y[1])
        u = controller.effort
        inside = times[(times >= now - 1e-12) & (times < then - 1e-12)]
        part = solve_ivp(
            lambda t, z, u=u: [z[1], u - 1.5 * 9.81 * np.cos(z[0])],
            (now, then),
            y,
            "DOP853",
            dense_output=True,
            rtol=1e-12,
            atol=1e-13,
        )
        found += [part.sol(t) for t in inside]
        y = part.y[:, -1]
    return np.array(found)


@pytest.mark.parametrize("formulation", ["natural", "relative"])
@pytest.mark.parametrize("kind", ["rate", "difference"])
def test_a_pendulum_as_another_integrator_moves_it(kind: str, formulation: str) -> None:
    model = pendulum(**PID, every="10 ms", derivative=kind)
    run = gr.simulate(model, 1.5, times=301, formulation=formulation)
    exact = swung(run.t, 0.01, kind)
    off = np.abs(run["rod.angle"] - exact[:, 0])
    assert run.status.ok
    assert np.max(off) < 1e-6
    assert np.all(off <= run.error_estimate("rod.angle") + 1e-11)
    assert np.max(np.abs(run["PID.effort"])) == 40.0  # the limit is reached


def test_only_what_is_asked_for_is_kept() -> None:
    model = pendulum(**PID, every="10 ms", derivative="difference")
    whole, kept = (gr.simulate(model, 0.5, times=101, keep_steps=keep) for keep in (True, False))
    for name in ("rod.angle", "PID.integral", "PID.effort", "PID.error", "work.PID"):
        assert np.array_equal(whole[name], kept[name]), name
    pieces = list(gr.stream(model, 0.5, times=101))
    assert np.concatenate([x["rod.angle"] for x in pieces]) == pytest.approx(whole["rod.angle"], abs=1e-6)


def test_fixed_steps_end_at_samples() -> None:
    run = gr.simulate(pendulum(**PID, every="10 ms"), 1.0, times=101, method="rk4", step=3e-3)
    assert run["rod.angle"] == pytest.approx(swung(run.t, 0.01, "rate")[:, 0], abs=1e-6)
    assert run.status.ok


def test_a_kink_of_time_and_a_sample_may_coincide() -> None:
    m = block(target=1.0, kp=300.0, kd=9.0, every=0.1)
    m.force(m["block"].p, ("5*(t > 0.3)", 0), name="step")
    run = gr.simulate(m, 0.6, tol=1e-10, times=[0.0, 0.25, 0.3, 0.45, 0.6])
    a = np.array([[0, 1, 0], [-SPRING / MASS, -DAMPING / MASS, 1 / MASS], [0, 0, 0]])
    y, exact = np.array([0.2, 0.1]), []
    for k in range(6):
        u = 300.0 * (1.0 - y[0]) - 9.0 * y[1] + (5.0 if k >= 3 else 0.0)
        exact += [(expm(a * 0.05) @ [*y, u])[0]]
        y = (expm(a * 0.1) @ [*y, u])[:2]
        exact += [y[0]]
    assert run["block.p.x"][1:] == pytest.approx(np.array(exact)[[4, 5, 8, 11]], abs=1e-9)


def test_events_between_samples() -> None:
    """Switched off at 0.55 s, the controller lets go at once; its integral rests, and grows from the sample at 0.8 s
    on."""
    m = block(target=1.0, kp=300.0, ki=50.0, kd=9.0, every=0.1)
    m.event("t", crosses=0.55, does="switch PID off")
    m.event("t", crosses=0.75, does="switch PID on")
    run = gr.simulate(m, 0.95, tol=1e-9, times=np.linspace(0, 0.95, 20))
    a = np.array([[0, 1, 0], [-SPRING / MASS, -DAMPING / MASS, 1 / MASS], [0, 0, 0]])
    y, total, u, exact = np.array([0.2, 0.1]), 0.0, 0.0, []
    for k in range(20):  # every 0.05 s
        on = not 11 <= k < 15
        if k % 2 == 0:
            u = 300.0 * (1.0 - y[0]) + 50.0 * total - 9.0 * y[1]
            total += 0.1 * (1.0 - y[0]) if on else 0.0
        exact.append((y[0], total))
        y = (expm(a * 0.05) @ [*y, u if on else 0.0])[:2]
    assert run["block.p.x"] == pytest.approx(np.array(exact)[:, 0], abs=1e-8)
    assert run["PID.integral"][1::2] == pytest.approx(np.array(exact)[1::2, 1], abs=1e-8)


def test_the_file_moves_alike() -> None:
    m = block(target="0.3*sin(t)", kp=30.0, ki=20.0, kd=1.0, every="5 ms", derivative="difference")
    m.torque("block.angle", "0.1*PID.effort + PID.error")
    text = dumps(m.model)
    assert loads(text) == m.model
    assert loads(text.replace("every = 0.005", 'every = "5 ms"')) == m.model
    assert np.array_equal(gr.simulate(m, 0.3).y, gr.simulate(loads(text), 0.3).y)


def test_rows_of_a_sweep_are_single_runs() -> None:
    m = block(target=1.0, kp=300.0, kd=9.0, every="20 ms")
    table = gr.sweep(m, {"PID.kp": [200.0, 300.0]}, 0.5, outputs=["block.p.x at end"])
    alone = gr.simulate(m, 0.5)["block.p.x"][-1]
    assert table["block.p.x at end"][1] == pytest.approx(alone, abs=1e-6)
    assert table["block.p.x at end"][0] != pytest.approx(alone, abs=1e-3)


@pytest.mark.parametrize(
    ("controller", "words"),
    [
        ({"every": 0.0}, "every is 0.0; it must be positive"),
        ({"every": "1 mm"}, "which is a length; it must be a time"),
        ({"every": 1e-3, "derivative": "slope"}, "must be 'rate' or 'difference'"),
        ({"derivative": "difference"}, "give the period `every`"),
        ({"every": 1e-3, "kd": 1.0, "target": "block.p.x.rate"}, "depends on a rate"),
    ],
)
def test_impossible_controllers(controller: dict[str, Any], words: str) -> None:
    with pytest.raises(gr.ModelError, match=words):
        _ = block(**{"kp": 1.0} | controller).model


def test_what_does_not_know_samples_says_so(tmp_path: Path) -> None:
    m = block(target=1.0, kp=300.0, every="20 ms")
    with pytest.raises(gr.ModelError, match=r"is sampled.*no numbers can be left open"):
        gr.sensitivities(m, ["PID.kp"], ["block.p.x"], t_end=0.5)
    with pytest.raises(gr.ModelError, match="'PID' is sampled, which is supported in simulations only"):
        gr.equilibrium(m)
    with pytest.raises(gr.ModelError, match="sampled controller 'PID'"):
        m.live(tmp_path / "page.html")
    with pytest.raises(gr.ModelError, match="'PID' is sampled, and holds"):
        gr.simulate(m, 0.1).as_start()
