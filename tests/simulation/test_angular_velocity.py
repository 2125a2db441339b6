"""Initial angular velocities of bodies in space, and angular velocities along a run."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import grashof as gr

from .accuracy import CLOSE, TOL

Array = np.ndarray


def omega_of(run: gr.Trajectory, body: str) -> Array:
    """ω in the axes of the ground, (times, 3)."""
    return np.array([run[f"{body}.angular_velocity.{x}"] for x in "xyz"]).T


def test_the_axis_of_a_free_symmetric_body_precesses_uniformly() -> None:
    """Its axis turns about the constant angular momentum L at the rate |L|/I₁."""
    across, along, omega = 0.02, 0.03, np.array([1.0, 0.5, 20.0])
    m = gr.Mechanism("free top", dimension=3)
    top = m.body("top", mass=1.0, inertia=(across, across, along), points={"c": (0, 0, 0), "p": (0, 0, 1)})
    m.need(top, angular_velocity=omega)
    run = gr.simulate(m, 2.0, tol=TOL)
    momentum = omega * (across, across, along)
    turns = Rotation.from_rotvec(np.outer(run.t, momentum / across))
    axis = np.array([run[f"top.p.{x}"] - run[f"top.c.{x}"] for x in "xyz"]).T
    assert axis == pytest.approx(turns.apply([0.0, 0.0, 1.0]), abs=CLOSE)
    assert run["angular_momentum.x"] == pytest.approx(momentum[0], abs=CLOSE)


@pytest.mark.parametrize("axes", ["ground", "body"])
def test_a_free_asymmetric_body_follows_eulers_equations(axes: Literal["ground", "body"]) -> None:
    moments, omega = np.array([0.02, 0.03, 0.04]), np.array([0.1, 6.0, 0.2])
    start = Rotation.from_quat([0.3, -0.2, 0.4, 0.8])
    m = gr.Mechanism("box", dimension=3)
    ends = {"o": (0, 0, 0), "x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1)}
    box = m.body("box", mass=1.0, center=(0.1, 0.2, 0.3), inertia=tuple(moments), points=ends)
    x, y, z, w = start.as_quat()
    m.guess(box, (0, 0, 0), rotation=(w, x, y, z))
    m.need(box, angular_velocity=omega, axes=axes)
    run = gr.simulate(m, 4.0, tol=TOL)

    attitude = np.array([[run[f"box.{end}.{x}"] - run[f"box.o.{x}"] for end in "xyz"] for x in "xyz"])
    own = np.einsum("ikt,ti->tk", attitude, omega_of(run, "box"))
    given = omega if axes == "body" else start.inv().apply(omega)
    assert own[0] == pytest.approx(given, abs=1e-12)

    def euler(_: float, w: Array) -> Array:
        return np.asarray(-np.cross(w, moments * w) / moments)

    expected = solve_ivp(euler, (0.0, 4.0), given, t_eval=run.t, rtol=1e-12, atol=1e-12, method="DOP853")
    assert own == pytest.approx(expected.y.T, abs=CLOSE)
    assert run["center.x.rate"] == pytest.approx(0.0, abs=1e-12)  # least kinetic energy: the centre of mass rests


def test_a_bar_on_a_ball_joint_needs_no_spin_about_its_own_axis() -> None:
    """A conical pendulum of angle θ turns steadily about the vertical at Ω² = 3 g/(2 l cos θ)."""
    theta, length = 0.6, 0.8
    m = gr.Mechanism("conical pendulum", gravity=(0, 0, -9.81))
    rod = m.bar("rod", length=length, mass=1.0)
    m.spherical(m.ground.at(0, 0, 0), rod.start)
    half = 0.5 * (math.pi / 2 - theta)
    m.guess(rod, (0, 0, 0), rotation=(math.cos(half), 0, math.sin(half), 0))
    speed = math.sqrt(1.5 * 9.81 / (length * math.cos(theta)))
    m.need(rod, angular_velocity=(0, 0, speed))
    run = gr.simulate(m, 2.0, tol=TOL)
    assert run["rod.end.z"] == pytest.approx(-length * math.cos(theta), abs=CLOSE)
    assert run["rod.end.y"] == pytest.approx(length * math.sin(theta) * np.sin(speed * run.t), abs=CLOSE)
    # the part of ω across the rod
    assert run["rod.angular_velocity.z"] == pytest.approx(speed * math.sin(theta) ** 2, abs=CLOSE)
    m.need(rod, angular_velocity=(0, 0, 1), axes="body")
    with pytest.raises(gr.ModelError, match="give its angular velocity in the axes of the ground"):
        gr.simulate(m, 1.0)


def crank(*omega: float) -> gr.Mechanism:
    m = gr.Mechanism("crank", gravity=(0, 0, -9.81))
    bar = m.bar("bar", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0, 0), bar.start, axis=(0, 1, 0))
    m.need(bar, value=0.3)
    m.need(bar, angular_velocity=omega)
    return m


def test_an_angular_velocity_about_the_axis_of_a_joint_is_the_rate_of_its_angle() -> None:
    run = gr.simulate(crank(0, 3, 0), 0.5)
    assert run["bar.angle.rate"][0] == pytest.approx(3.0, abs=1e-12)
    assert run["bar.angular_velocity.y"] == pytest.approx(run["bar.angle.rate"], abs=1e-11)


@pytest.mark.parametrize("omega", [(0, 3, 1), (1, 0, 0)])
def test_an_angular_velocity_that_the_joints_forbid_is_refused(omega: tuple[float, float, float]) -> None:
    told = r"angular velocity of 'bar', .* rad/s in the axes of the ground, cannot be met: .* contradicts the joints"
    with pytest.raises(gr.ModelError, match=told):
        gr.simulate(crank(*omega), 0.5)


def test_a_wanted_angular_velocity_is_met_as_far_as_the_joints_allow() -> None:
    m = gr.Mechanism("crank", dimension=3)
    bar = m.bar("bar", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0, 0), bar.start, axis=(0, 1, 0))
    m.want(bar, angular_velocity=(5, 3, 0))
    assert omega_of(gr.simulate(m, 0.1), "bar")[0] == pytest.approx([0, 3, 0], abs=1e-12)


def spinning_top(spin: float, push: float) -> gr.Mechanism:
    m = gr.Mechanism("top", gravity=(0, 0, -9.81))
    points = {"tip": (0, 0, 0), "apex": (0, 0, 0.15)}
    top = m.body("top", mass=0.5, center=(0, 0, 0.1), inertia=(0.002, 0.002, 0.001), points=points)
    m.spherical(m.ground.at(0, 0, 0), top.tip)
    m.guess(top, (0, 0, 0), rotation=(math.cos(0.15), math.sin(0.15), 0, 0))
    m.need(top, angular_velocity=(push, 0, spin), axes="body")
    return m


def test_its_components_can_be_varied_and_differentiated() -> None:
    of = "top.apex.x"
    names = ["start.top.angular_velocity.x", "start.top.angular_velocity.z"]
    table = gr.sweep(spinning_top(60, 0), {names[1]: [40.0, 60.0]}, 0.5, outputs=[f"{of} at end"], engine="compiled")
    alone = [gr.simulate(spinning_top(spin, 0), 0.5)[of][-1] for spin in (40.0, 60.0)]
    assert table[f"{of} at end"] == pytest.approx(alone, abs=1e-6)
    found = gr.sensitivities(spinning_top(60, 0), wrt=names, of=[of], t_end=0.5, tol=1e-9)
    h = 1e-4
    for name, (spin, push) in zip(names, [(0, h), (h, 0)], strict=True):
        ends = [gr.simulate(spinning_top(60 + s * spin, s * push), 0.5, tol=1e-12)[of][-1] for s in (1, -1)]
        slope = (ends[0] - ends[1]) / (2 * h)
        assert found[of, name] == pytest.approx(slope, rel=1e-5)


def test_files_keep_it_and_accept_units(tmp_path: Path) -> None:
    m = spinning_top(20 * math.pi, 0)
    gr.save(m, tmp_path / "top.toml")
    assert gr.load(tmp_path / "top.toml") == m.model
    text = (tmp_path / "top.toml").read_text(encoding="utf-8")
    (tmp_path / "rpm.toml").write_text(text.replace(repr(20 * math.pi), '"600 rpm"'), encoding="utf-8")
    (need,) = gr.load(tmp_path / "rpm.toml").start.needs
    assert need.angular_velocity == pytest.approx((0, 0, 20 * math.pi))
    (tmp_path / "wrong.toml").write_text(text.replace('"body"', '"own"'), encoding="utf-8")
    with pytest.raises(gr.ModelError, match="axes"):
        gr.load(tmp_path / "wrong.toml")


def test_what_has_no_meaning_is_refused() -> None:
    plane = gr.Mechanism("plane")
    rod = plane.bar("rod", length=1.0, mass=1.0)
    with pytest.raises(gr.ModelError, match=r"is the rate of its angle: m.need\('rod', rate=2.0\)"):
        plane.need(rod, angular_velocity=(0, 0, 2))
    space = gr.Mechanism("space", dimension=3)
    top = space.body("top", mass=1.0, inertia=(1, 1, 1), points={"o": (0, 0, 0)})
    with pytest.raises(gr.ModelError, match="give each on its own"):
        space.need(top, rate=2.0, angular_velocity=(0, 0, 2))
    with pytest.raises(gr.ModelError, match="it must be 3 numbers"):
        space.need(top, angular_velocity=2.0)  # type: ignore[arg-type]
    with pytest.raises(gr.ModelError, match="'60 mm', which is a length"):
        space.need(top, angular_velocity=("60 mm", 0, 0))
    space.need(top, rate=2.0)
    with pytest.raises(gr.ModelError, match=r"m.need\(top, angular_velocity="):
        space.model  # noqa: B018
    other = gr.Mechanism("other", dimension=3)
    other.body("top", mass=1.0, inertia=(1, 1, 1), points={"o": (0, 0, 0)})
    other.need("tip", angular_velocity=(0, 0, 2))
    with pytest.raises(gr.ModelError, match="only a body has an angular velocity; did you mean 'top'"):
        other.model  # noqa: B018
