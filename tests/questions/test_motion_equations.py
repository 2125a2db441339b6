"""Equations of motion as functions: they agree with one another, with closed forms, and with simulated motions."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.problems import make_case


@pytest.mark.parametrize(
    ("problem", "variant"), [("andrews", "iftomm"), ("multiple-four-bar", "top-row"), ("car-axis", None)]
)
def test_they_describe_the_simulated_motion(problem: str, variant: str | None) -> None:
    """Along a motion, by differences of the places of all points: Φ = 0, J v = −Φ_t, J a = γ, with redundant rows and
    with motors, too."""
    case = make_case(problem, variant)
    eq = gr.equations(case.model)
    h = 1e-4 * case.t_end
    t, q, v = eq.t, eq.q, eq.v
    a, multipliers = eq.accelerations(t, q, v)
    residual = eq.mass(t, q) @ a + eq.jacobian(t, q).T @ multipliers - eq.forces(t, q, v)
    assert np.max(np.abs(residual)) < 1e-9 * max(1.0, np.max(np.abs(eq.forces(t, q, v))))
    assert np.max(np.abs(eq.violation(t, q))) < 1e-12
    assert np.allclose(eq.jacobian(t, q) @ v, -eq.velocity_term(t, q), rtol=0, atol=1e-12)
    run = gr.simulate(case.model, 2 * h, times=[0.0, h, 2 * h], tol=1e-12, check_error=False)
    axes = "xyz" if case.model.dimension == 3 else "xy"
    for name in (name for name in case.model.points if not name.startswith("ground.")):
        there = eq.point(name, q + h * v + h * h / 2 * a)
        moved = [run[f"{name}.{axis}"][1] for axis in axes]
        start = eq.point(name, q)
        scale = np.max(np.abs(there - start)) + 1e-12
        assert np.max(np.abs(there - moved)) < 0.01 * scale + 1e-11, name


def test_a_pendulum_accelerates_as_it_should() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=2.0, mass=3.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.3, rate=1.5)
    eq = gr.equations(m)
    a, _ = eq.accelerations(eq.t, eq.q, eq.v)
    turning = -1.5 * 9.81 / 2.0 * np.cos(0.3)
    tangent, normal = np.array([-np.sin(0.3), np.cos(0.3)]), np.array([np.cos(0.3), np.sin(0.3)])
    assert eq.point("rod.end", eq.q) == pytest.approx(2.0 * normal)
    felt = eq.point("rod.end", eq.q + a) - eq.point("rod.end", eq.q)  # places are linear in the coordinates
    assert felt == pytest.approx(2.0 * (turning * tangent - 1.5**2 * normal), rel=1e-12)


def test_what_does_not_fit_is_refused() -> None:
    eq = gr.equations(make_case("andrews").model)
    with pytest.raises(ModelError, match=r"has 8 coordinates; an array of \(3,\)"):
        eq.mass(0.0, np.zeros(3))
    with pytest.raises(ModelError, match="no point 'EF_X'"):
        eq.point("EF_X", eq.q)
    with pytest.raises(ModelError, match="restricts velocities"):
        gr.equations(make_case("spinning-coin").model)
