"""Couplings of measures, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr


def gears(ratio: float) -> gr.Mechanism:
    """A wheel of 0.2 kg m² that drives another of 0.9 kg m² by a constant torque of 3 N m."""
    m = gr.Mechanism("gears")
    first, second = m.body("first", mass=1.0, inertia=0.2), m.body("second", mass=1.0, inertia=0.9)
    m.revolute(m.ground.at(0, 0), first.at(0, 0))
    m.revolute(m.ground.at(1, 0), second.at(0, 0))
    m.coupling({first: 1.0, second: ratio}, name="gears")
    m.torque(first, 3.0, name="drive")
    m.need(first.angle, value=0.3)
    m.need(second.angle, value=1.0)
    return m


@pytest.mark.parametrize("ratio", [-0.4, 1.0, 2.5, np.pi])
def test_a_pair_of_gears_turns_like_one_wheel_with_the_reduced_inertia(ratio: float) -> None:
    run = gr.simulate(gears(ratio), 5.0)
    reduced = 0.2 + 0.9 / ratio**2
    assert run.status.ok
    assert run["first.angle"] == pytest.approx(0.3 + 1.5 / reduced * run.t**2, rel=1e-6)
    assert run["first.angle"] + ratio * run["second.angle"] == pytest.approx(
        np.full(len(run.t), 0.3 + ratio), abs=1e-11
    )
    assert run.reactions()["gears.torque"] == pytest.approx(np.full(len(run.t), -0.9 * 3.0 / reduced / ratio**2))


def test_gears_take_one_degree_of_freedom() -> None:
    report = gr.mobility(gears(2.0))
    assert (report.dof, report.coupled, report.gruebler) == (1, 1, 1)


def test_a_rack_that_falls_turns_its_pinion() -> None:
    """y = r θ ties metres to radians: (m + J/r²) ÿ = −m g."""
    m = gr.Mechanism("rack", gravity=(0, -9.81))
    rack, pinion = m.body("rack", mass=2.0, inertia=1.0), m.body("pinion", mass=1.0, inertia=0.03)
    tooth = rack.at(0, 0, name="tooth")
    m.prismatic(m.ground.at(0.1, 0), tooth, axis=(0, 1))
    m.revolute(m.ground.at(0, 0), pinion.at(0, 0))
    m.coupling({"rack.tooth.y": 1.0, pinion: -0.1})
    m.need("rack.tooth.y", value=0.0)
    m.need(pinion.angle, value=0.0)
    run = gr.simulate(m, 2.0)
    falls = -0.5 * 2.0 * 9.81 / (2.0 + 0.03 / 0.01) * run.t**2
    assert run.status.ok
    assert run["rack.tooth.y"] == pytest.approx(falls, abs=1e-5)
    assert run["pinion.angle"] == pytest.approx(10.0 * falls, abs=1e-4)  # several turns
    assert np.max(np.abs(run["balance"])) < 1e-4


def test_a_screw_turns_as_it_is_pushed() -> None:
    """z = p θ/2π on a cylindrical joint, in space: (m + J (2π/p)²) z̈ = f."""
    m = gr.Mechanism("screw", gravity=(0, 0, 0))
    nut = m.body("nut", mass=3.0, inertia=(0.01, 0.01, 0.02))
    m.cylindrical(m.ground.at(0, 0, 0), nut.at(0, 0, 0, name="o"), axis=(0, 0, 1))
    turn = m.angle("turn", nut, axis=(0, 0, 1))
    m.coupling({"nut.o.z": 1.0, turn: -0.05 / (2.0 * np.pi)})
    m.force(nut.at(0, 0, 0, name="push"), (0, 0, 5.0))
    run = gr.simulate(m, 1.0)
    heavy = 3.0 + 0.02 * (2.0 * np.pi / 0.05) ** 2
    assert run.status.ok
    assert run["nut.o.z"] == pytest.approx(2.5 / heavy * run.t**2, abs=1e-7)
    assert run["turn"] == pytest.approx(run["nut.o.z"] * 2.0 * np.pi / 0.05, abs=1e-9)


def test_a_differential_shares_the_torque_of_its_carrier() -> None:
    """θ₁ + θ₂ = 2 θ_c: half of the carrier's torque goes to each wheel, however fast it turns."""
    m = gr.Mechanism("differential")
    inertias = {"left": 0.5, "right": 2.0, "carrier": 0.1}
    for k, (name, inertia) in enumerate(inertias.items()):
        m.revolute(m.ground.at(k, 0), m.body(name, mass=1.0, inertia=inertia).at(0, 0))
        m.need(f"{name}.angle", value=0.0)
    m.coupling({"left.angle": 1.0, "right.angle": 1.0, "carrier.angle": -2.0}, name="gears")
    m.torque("carrier.angle", 7.0)
    run = gr.simulate(m, 3.0)
    # J₁ a₁ = J₂ a₂ = f, 2 a_c = a₁ + a₂, J_c a_c = 7 − 2 f
    f = 7.0 / (2.0 + 0.5 * 0.1 * (1.0 / 0.5 + 1.0 / 2.0))
    assert run.status.ok
    assert run["left.angle"] == pytest.approx(0.5 * f / 0.5 * run.t**2, rel=1e-6, abs=1e-9)
    assert run["right.angle"] == pytest.approx(0.5 * f / 2.0 * run.t**2, rel=1e-6, abs=1e-9)
    assert run.reactions()["gears.torque"] == pytest.approx(np.full(len(run.t), f))


def test_a_coupling_with_a_law_is_a_motor_between_two_wheels_and_its_work_is_accounted_for() -> None:
    """θ₁ − θ₂ = sin t with no other torque: J₁ θ₁ + J₂ θ₂ stays at rest."""
    m = gr.Mechanism("shaker")
    first, second = m.body("first", mass=1.0, inertia=0.2), m.body("second", mass=1.0, inertia=0.6)
    m.revolute(m.ground.at(0, 0), first.at(0, 0))
    m.revolute(m.ground.at(1, 0), second.at(0, 0))
    m.coupling({first: 1.0, second: -1.0}, "sin(t)", name="shaker")
    m.want(first.angle, value=0.0)
    m.need(second.angle, value=0.0)
    m.need(second.angle, rate=-0.25)
    run = gr.simulate(m, 10.0)
    assert run.status.ok
    assert run["first.angle"] == pytest.approx(0.75 * np.sin(run.t), abs=1e-6)
    assert run["work.shaker"] == pytest.approx(run["kinetic"] - run["kinetic"][0], abs=1e-6)


def test_a_coupling_that_joints_contradict_is_refused_by_name() -> None:
    m = gears(2.0)
    m.motor("first.angle", "t")
    m.motor("second.angle", "t")
    with pytest.raises(gr.ModelError, match="gears"):
        gr.simulate(m, 1.0)


def test_a_coupling_of_unknown_measures_is_refused() -> None:
    m = gears(2.0)
    m.coupling({"first.angel": 1.0})
    with pytest.raises(gr.ModelError, match=r"there is no measure 'first\.angel'; did you mean 'first\.angle'"):
        gr.simulate(m, 1.0)


def test_gears_in_a_loop_stay_on_their_phase_over_many_turns() -> None:
    """A geared five-bar (ratio −1 about parallel cranks): its tip stays on the axis of symmetry."""
    m = gr.Mechanism("five-bar", gravity=(0, -9.81))
    left = m.bar("left", mass=1.0, start=(0, 0), end=(-0.3, 0.1))
    right = m.bar("right", mass=1.0, start=(1, 0), end=(1.3, 0.1))
    arm = m.bar("arm", mass=1.0, start=(-0.3, 0.1), end=(0.5, 1.2))
    other = m.bar("other", mass=1.0, start=(1.3, 0.1), end=(0.5, 1.2))
    for a, b in ((m.ground.at(0, 0), left.start), (m.ground.at(1, 0), right.start), (left.end, arm.start)):
        m.revolute(a, b)
    m.revolute(right.end, other.start)
    m.revolute(arm.end, other.end)
    m.coupling({left: 1.0, right: 1.0}, name="gears")
    m.torque(left, 40.0)
    assert gr.mobility(m).dof == 1
    run = gr.simulate(m, 6.0, tol=1e-8)
    assert run.status.ok
    assert abs(run["left.angle"][-1] - run["left.angle"][0]) > 20.0
    assert run["arm.end.x"] == pytest.approx(np.full(len(run.t), 0.5), abs=1e-9)


@pytest.mark.parametrize(
    ("law", "first", "second"),
    [(9.0, None, None), (50.0, None, None), (50.0, 0.0, None), (50.0, 40.0, None), (-900.0, None, 1.0)],
)
def test_whole_turns_at_the_start_are_those_that_a_coupling_asks_for(
    law: float, first: float | None, second: float | None
) -> None:
    """Positions tell angles up to whole turns; θ₁ + 2 θ₂ = law tells the rest."""
    m = gr.Mechanism("wheels")
    for k, (name, value) in enumerate((("first", first), ("second", second))):
        m.revolute(m.ground.at(k, 0), m.body(name, mass=1.0, inertia=0.1).at(0, 0))
        if value is not None:
            m.need(f"{name}.angle", value=value)
    m.coupling({"first.angle": 1.0, "second.angle": 2.0}, law)
    run = gr.simulate(m, 1.0)
    assert run.status.ok
    assert run["first.angle"] + 2.0 * run["second.angle"] == pytest.approx(np.full(len(run.t), law), abs=1e-11)
    if first is not None:
        assert run["first.angle"][0] == pytest.approx(first, abs=1e-12)


def test_a_coupling_without_a_value_at_the_start_is_refused_by_name() -> None:
    m = gears(2.0)
    m.coupling("first.angle - log(-1 - second.angle**2)", name="nowhere")
    with pytest.raises(gr.ModelError, match=r"'nowhere' \(no value at this position\)"):
        gr.simulate(m, 1.0)


def test_a_rack_starts_where_the_needs_say_however_far_that_is() -> None:
    """A lift on a toothed wheel and its counterweight, several turns of the wheel away from where nothing is needed.

    (m₁ + m₂ + J/r²) a = (m₂ − m₁) g.
    """
    m = gr.Mechanism("lift", gravity=(0, -9.81))
    sheave = m.body("sheave", mass=50.0, inertia=2.0, points={"hub": (0, 0)})
    car = m.body("car", mass=800.0, points={"top": (0, 0)})
    weight = m.body("weight", mass=1000.0, points={"top": (0, 0)})
    m.revolute(m.ground.at(0, 20), sheave.hub)
    m.prismatic(m.ground.at(-0.4, 0), car.top, axis=(0, 1))
    m.prismatic(m.ground.at(0.4, 0), weight.top, axis=(0, 1))
    m.coupling({"car.top.y": 1.0, "weight.top.y": 1.0})
    m.rack("car.top.y", sheave, radius=0.4)
    m.need("car.top.y", value=5.0)
    m.need("weight.top.y", value=10.0)
    run = gr.simulate(m, 1.0, tol=1e-8)
    acceleration = 9.81 * 200.0 / (1800.0 + 2.0 / 0.16)
    np.testing.assert_allclose(run["car.top.y"], 5.0 + 0.5 * acceleration * run.t**2, atol=1e-7)
    np.testing.assert_allclose(run["weight.top.y"], 15.0 - run["car.top.y"], atol=1e-12)
