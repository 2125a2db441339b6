"""A run that reached its end is not yet a success."""

from __future__ import annotations

import math
from dataclasses import replace

import mpmath
import numpy as np
import pytest

import grashof as gr
from grashof.common.status import Code
from grashof.motion.trajectory import Trajectory
from grashof.simulation.simulate import simulate
from grashof.simulation.trust import with_checked_status
from tests.classics import pendulum


def test_energy_from_nowhere_is_no_success() -> None:
    """The same steps with velocities made 1 % larger from half-way on: two per cent of the kinetic energy came from
    nowhere."""
    run = simulate(pendulum(0.0), 2.0)
    assert run.status.ok
    y = run.steps.y.copy()
    n = run.program.system.n
    half = len(y) // 2
    y[half:, n : 2 * n] *= 1.01
    wrong = with_checked_status(Trajectory(run.program, replace(run.steps, y=y), run.t), 1e-6)
    assert wrong.status.code is Code.INACCURATE
    assert "smaller tolerance" in str(wrong.status)


def test_what_hangs_at_rest_is_a_success() -> None:
    m = gr.Mechanism("hanging", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-np.pi / 2)
    assert simulate(m, 5.0).status.ok


def test_an_angle_half_a_turn_from_its_motors_law_is_no_success() -> None:
    """The same steps with the rod pointing the other way: sin(θ − f) is still zero."""
    m = pendulum(0.0)
    m.motor("rod.angle", "0.3*t")
    run = simulate(m, 2.0)
    assert run.status.ok
    y, layout = run.steps.y.copy(), run.program.dynamics.layout
    y[:, layout.of_q] *= -1.0
    y[:, layout.of_v] *= -1.0
    turned = with_checked_status(Trajectory(run.program, replace(run.steps, y=y), run.t), 1e-6)
    assert turned.status.code is Code.CONSTRAINTS_UNMET


@pytest.mark.parametrize(("margin", "tol"), [(1e-7, 1e-8), (1e-8, 1e-6), (1e-9, 1e-6), (1e-11, 1e-5), (1e-12, 1e-4)])
def test_the_work_of_a_motor_that_narrowly_misses_a_singular_position(margin: float, tol: float) -> None:
    """Coupler and rocker come within 3e-4 to 1e-6 of lying in one line, where a motor that turns evenly bears large
    forces for a short time. What it has delivered is the energy of the bars, by the intersection of two circles with 40
    digits.
    """
    lengths = (1.0, 2.5, 1.5 + margin)
    m = gr.Mechanism("narrow miss", gravity=(0, -9.81))
    crank, coupler, rocker = (m.bar(x, length=r, mass=1.0) for x, r in zip(("a", "b", "c"), lengths, strict=True))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(2, 0), rocker.start)
    m.motor(crank, "pi/2 + t", name="motor")
    run = gr.simulate(m, 6.0, tol=tol)
    assert run.status.ok

    with mpmath.workdps(40):
        a, b, c = (mpmath.mpf(x) for x in lengths)
        side = np.sign(run["b.end.y"][0] - run["a.end.y"][0] / 2)

        def joints(t: mpmath.mpf) -> tuple[mpmath.mpc, mpmath.mpc]:
            """The ends of crank and coupler, as complex numbers."""
            tip = a * mpmath.expj(mpmath.mpf(math.pi / 2) + t)
            reach = 2 - tip
            along = (abs(reach) ** 2 + b**2 - c**2) / (2 * abs(reach))
            across = mpmath.sqrt(b**2 - along**2)
            return tip, tip + reach / abs(reach) * mpmath.mpc(along, side * across)

        def energy(t: mpmath.mpf) -> mpmath.mpf:
            """Slender bars: m (|u|² + u·v + |v|²)/6 with the velocities u and v of their ends."""
            (tip, end), (tip_rate, end_rate) = (
                joints(t),
                [mpmath.diff(lambda t, k=k: joints(t)[k], t) for k in (0, 1)],
            )
            total = mpmath.mpf(9.81) * (tip.imag / 2 + (tip.imag + end.imag) / 2 + end.imag / 2)
            for u, v in ((0, tip_rate), (tip_rate, end_rate), (end_rate, 0)):
                total += (abs(u) ** 2 + (u * mpmath.conj(v)).real + abs(v) ** 2) / 6
            return total

        expected = float(energy(mpmath.mpf(6)) - energy(mpmath.mpf(0)))
    assert run["work.motor"][-1] == pytest.approx(expected, abs=30.0 * tol)


def test_masses_too_large_to_calculate_with_are_refused() -> None:
    m = gr.Mechanism("giant")
    bar = m.bar("bar", length=1.0, mass=1e308)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.motor(bar, "50*t")
    with np.errstate(all="ignore"), pytest.raises(gr.ModelError, match="too large or too small"):
        simulate(m, 0.1)


def test_a_body_that_became_its_mirror_image_is_noticed() -> None:
    """All rows of natural coordinates hold for the reflected motion of a free body, and so does its energy balance."""
    m = gr.Mechanism("top", dimension=3)
    top = m.body("top", mass=1.0, inertia=(1, 2, 2.5), points={"tip": (0, 0, 1)})
    m.need(top, angular_velocity=(1.0, 0.2, 0.1))
    run = gr.simulate(m, 1.0)
    assert run.status.ok
    labels = run.program.system.labels
    signs = [-1.0 if label.endswith(".x") else 1.0 for label in labels]
    y = run.steps.y * np.array([*signs, *signs, *[1.0] * (run.steps.y.shape[1] - 2 * len(labels))])
    reflected = with_checked_status(Trajectory(run.program, replace(run.steps, y=y), run.t), 1e-6)
    assert reflected.status.doubt is Code.CONSTRAINTS_UNMET
