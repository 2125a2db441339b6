"""What the equations of motion owe to time itself is known before a run."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import grashof as gr
from grashof.changes.time_dependence import make_clock
from grashof.program import build


def sled(push: Any) -> gr.Mechanism:
    """A mass of 1 kg on a straight track, pushed by a force of time, position and velocity."""
    m = gr.Mechanism("sled")
    body = m.body("body", mass=1.0, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), body.line((0, 0), (1, 0)))
    m.user_force(lambda t, x, v: [[push(t, x[0][0], v[0][0]), 0.0]], [body.p])
    return m


def stops(push: Any, t_end: float = 10.0) -> list[float]:
    program = build(sled(push))
    assert program.clock is not None
    y = np.concatenate([program.assembly.q, program.assembly.v, np.zeros(program.dynamics.layout.extra)])
    return [right for _, right in program.clock.pace(0.0, t_end, y).stops]


def test_kinks_that_depend_on_time_are_found_to_the_last_bits() -> None:
    assert stops(lambda t, x, v: gr.where(t - math.pi, 1.0, 0.0)) == pytest.approx([math.pi], abs=1e-13)
    assert stops(lambda t, x, v: gr.absolute(t * t - 2.0)) == pytest.approx([math.sqrt(2.0)], abs=1e-13)
    assert stops(lambda t, x, v: gr.minimum(gr.exp(-t), 0.5)) == pytest.approx([math.log(2.0)], abs=1e-13)
    edges = stops(lambda t, x, v: gr.sign(gr.sin(3.0 * t)))
    assert edges == pytest.approx([k * math.pi / 3.0 for k in range(10)], abs=1e-12)


def test_a_pulse_is_found_however_short_it_is() -> None:
    found = stops(lambda t, x, v: gr.where((t - 5.0) * (5.0 + 1e-9 - t), 1.0, 0.0))
    assert found == pytest.approx([5.0, 5.0 + 1e-9], abs=1e-13)


@pytest.mark.parametrize("width", [1e-3, 1e-4, 1e-5, 1e-6])
@pytest.mark.parametrize("center", [5.0003, 1.23456, 9.9])
def test_smooth_pulses_between_the_times_that_are_looked_at_are_found(center: float, width: float) -> None:
    """The ranges of an expression show what its values do not."""
    for push in (
        lambda t, x, v: gr.exp(-(((t - center) / width) ** 2)),
        lambda t, x, v: (2.0 + gr.sin(3.0 * t)) / (1.0 + ((t - center) / width) ** 2),
    ):
        found = stops(push)
        assert found
        assert all(abs(t - center) < 20.0 * width + 0.01 for t in found)
        assert min(t - center for t in found if t > center) < 100.0 * width
        assert min(center - t for t in found if t < center) < 100.0 * width


def test_a_smooth_pulse_gives_its_whole_impulse_or_the_run_is_no_success() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        width, center = 10.0 ** rng.uniform(-8.0, -1.0), rng.uniform(1.0, 9.0)
        m = sled(lambda t, x, v, c=center, w=width: gr.exp(-(((t - c) / w) ** 2)) / w)
        run = gr.simulate(m, 10.0)
        if run.status.ok:
            assert run["body.p.x.rate"][-1] == pytest.approx(math.sqrt(math.pi), rel=1e-5)


def test_kinks_of_the_motion_are_not_known_before() -> None:
    assert stops(lambda t, x, v: gr.where(x - 0.5, 1.0, 0.0) + gr.sin(t)) == []


def test_a_steep_change_has_stops_on_both_sides() -> None:
    found = stops(lambda t, x, v: gr.tanh(1e6 * (t - 4.321)))
    assert all(abs(t - 4.321) < 0.01 for t in found)
    assert min(t for t in found if t > 4.321) - max(t for t in found if t < 4.321) < 1e-4


def test_a_mechanism_without_time_in_its_equations_has_no_clock() -> None:
    assert make_clock(build(sled(lambda t, x, v: -x)).dynamics) is None


def driven(law: str) -> gr.Mechanism:
    m = gr.Mechanism("driven")
    bar = m.bar("bar", length=1.0, mass=3.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.motor(bar, law, name="motor")
    return m


@pytest.mark.parametrize(
    ("law", "what"), [("abs(t - 1)", "rate at t = 1 s"), ("where((t - 1)*(1.1 - t), 1, 0)", "jumps at t = 1 s")]
)
def test_a_motor_whose_law_jumps_is_refused(law: str, what: str) -> None:
    with pytest.raises(gr.ModelError, match=what):
        gr.simulate(driven(law), 2.0)
    assert gr.simulate(driven(law), 0.5).status.ok


@pytest.mark.parametrize(
    ("law", "angle", "rate"),
    [
        ("(t - 1)*abs(t - 1)", 1.0, 2.0),
        ("where(t - 1, (t - 1)**2, 0)", 1.0, 2.0),
        ("max(t - 1, 0)**3", 1.0, 3.0),
        ("t + sign(t - 1)*(t - 1)**2", 3.0, 3.0),
    ],
)
def test_a_law_may_have_kinks_in_its_acceleration(law: str, angle: float, rate: float) -> None:
    """The work is the kinetic energy gained, ½ J θ̇² with J = 1 kg m²."""
    run = gr.simulate(driven(law), 2.0)
    assert run.status.ok
    assert run["bar.angle"][-1] == pytest.approx(angle, abs=1e-9)
    assert run["bar.angle.rate"][-1] == pytest.approx(rate, abs=1e-6)
    gained = 0.5 * (rate**2 - run["bar.angle.rate"][0] ** 2)
    assert run["work.motor"][-1] == pytest.approx(gained, abs=1e-5)
