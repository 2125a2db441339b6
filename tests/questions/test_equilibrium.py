"""Positions at rest: where they are, and whether they are stable, against closed forms and published numbers."""

import math

import numpy as np
import pytest

import grashof as gr
from tests.questions.mechanisms import chain, diagonal_spring_four_bar, pendulum


def test_the_four_bar_with_a_diagonal_spring_rests_where_the_iftomm_library_says():
    found = gr.equilibrium(diagonal_spring_four_bar())
    assert found["rod1.angle"] == pytest.approx(2.23433101902, abs=1e-11)
    assert found.stability == "stable"
    s = found.modes[0].eigenvalue
    assert s.real == pytest.approx(-0.2423858093, abs=1e-10)
    assert s.imag == pytest.approx(2.1339550283, abs=1e-10)


def test_a_pendulum_hangs_from_wherever_it_starts():
    for angle in (-3.0, -1.0, 0.0, 1.5, 3.0):
        found = gr.equilibrium(pendulum(angle))
        assert math.sin(found["rod.angle"]) == pytest.approx(-1.0, abs=1e-15)
        assert found.stable


def test_a_pendulum_that_starts_upright_stays_there_and_is_unstable():
    found = gr.equilibrium(pendulum(math.pi / 2))
    assert found["rod.angle"] == pytest.approx(math.pi / 2)
    assert found.stability == "unstable"
    assert found.unstable[0].eigenvalue == pytest.approx(math.sqrt(1.5 * 9.81))
    assert "Unstable: mode 2 grows" in str(found)
    assert "'rod'" in str(found)


@pytest.mark.parametrize(("share", "stability"), [(0.99, "unstable"), (1.01, "stable"), (1.0, "neutral")])
def test_a_torsion_spring_holds_an_inverted_pendulum_if_it_is_stiffer_than_m_g_l(share, stability):
    found = gr.equilibrium(pendulum(math.pi / 2, stiffness=share * 2.0 * 9.81 * 0.5, rest=math.pi / 2))
    assert found.stability == stability


@pytest.mark.parametrize(("damping", "stability"), [(1e-6, "stable"), (0.0, "stable"), (-1e-6, "unstable")])
def test_the_least_driving_makes_a_hanging_pendulum_unstable(damping, stability):
    def drive(t, positions, velocities):
        return [-damping * velocities[0]]

    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.user_force(drive, [rod])
    assert gr.equilibrium(m).stability == stability


def test_whole_turns_of_a_torsion_spring_count():
    # k (φ − φ₀) balances the weight: one turn farther the spring is stretched more
    m = pendulum(-math.pi / 2 + 2.0 * math.pi, stiffness=5.0, rest=-math.pi / 2)
    found = gr.equilibrium(m)
    angle = found["rod.angle"]
    assert 5.0 * (angle + math.pi / 2) == pytest.approx(-2.0 * 9.81 * 0.5 * math.cos(angle), abs=1e-9)
    assert found.force < 1e-9


def test_a_force_that_turns_with_its_body_is_balanced():
    # at right angles to a rod, at its end: F l = m g (l/2) cos φ; it has no potential
    m = gr.Mechanism("pushed rod", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.force(rod.end, (0.0, 5.0), axes="body")
    m.need(rod.angle, value=-1.0)
    found = gr.equilibrium(m)
    assert pytest.approx(9.81 * math.cos(found["rod.angle"]), rel=1e-12) == 5.0
    assert found.stable


def test_a_block_that_falls_has_no_rest():
    m = gr.Mechanism("block", gravity=(0, -9.81))
    block = m.bar("block", length=1.0, mass=1.0)
    m.slider(m.ground.line((0, 0), (0, 1)), block.start)
    with pytest.raises(gr.ModelError, match="no equilibrium was found"):
        gr.equilibrium(m)


def test_other_positions_at_rest_of_a_double_pendulum():
    found = gr.equilibrium(chain([1.0, 0.7], [1.0, 2.0], [-1.0, -2.0]), others=24)
    # every combination of up and down
    signs = {(round(math.sin(x["rod0.angle"])), round(math.sin(x["rod1.angle"]))) for x in (found, *found.others)}
    assert signs == {(-1, -1), (1, -1), (-1, 1), (1, 1)}
    assert found.stable
    assert [x.stability for x in found.others].count("unstable") == len(found.others)


def test_what_is_balanced_is_balanced_by_other_equations():
    # moments about the hinges, by hand: each rod's weight and the spring's pull at the end of the chain
    lengths, masses = [0.8, 1.1, 0.5], [1.0, 0.4, 2.0]
    found = gr.equilibrium(chain(lengths, masses, [-0.3, 0.4, -1.0], (1.5, 0.6, 40.0, 0.3, 0.0)))
    ends = np.array([[found[f"rod{k}.{p}.{a}"] for a in "xy"] for k in range(3) for p in ("start", "end")])
    pull = np.array([1.5, 0.6]) - ends[-1]
    pull *= 40.0 * (np.linalg.norm(pull) - 0.3) / np.linalg.norm(pull)
    for k in range(3):
        hinge = ends[2 * k]
        arm = ends[-1] - hinge
        moment = arm[0] * pull[1] - arm[1] * pull[0]
        for j in range(k, 3):
            moment += ((ends[2 * j] + ends[2 * j + 1]) / 2 - hinge)[0] * -9.81 * masses[j]
        assert moment == pytest.approx(0.0, abs=1e-8)


def test_a_pendulum_lies_on_a_soft_stop_and_rigid_ones_are_refused():
    soft, rigid = pendulum(0.0), pendulum(0.0)
    soft.stop("rod.angle", lower=-1.0, stiffness=1e6, exponent=1.0)
    rigid.stop("rod.angle", lower=-1.0, restitution=0.5)
    angle = gr.equilibrium(soft)["rod.angle"]
    assert 1e6 * (-1.0 - angle) == pytest.approx(9.81 * math.cos(angle), rel=1e-6)
    with pytest.raises(gr.ModelError, match="impacts are supported in simulations only"):
        gr.equilibrium(rigid)


def test_a_mechanism_held_by_its_motor_has_nothing_to_move():
    m = pendulum(0.3)
    m.motor("rod.angle", "0.3")
    found = gr.equilibrium(m)
    assert found.stability == "fixed"
    assert len(found.modes) == 0


def test_as_data_and_as_a_picture(tmp_path):
    import json

    found = gr.equilibrium(diagonal_spring_four_bar())
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    assert data["stability"] == "stable"
    assert data["quantities"]["rod1.angle"] == found["rod1.angle"]
    found.plot(tmp_path / "rest.png")
    assert (tmp_path / "rest.png").stat().st_size > 1000
    with pytest.raises(gr.ModelError, match="did you mean 'rod1"):
        found["rod1.angel"]
    assert (found.unit("rod1.angle"), found.unit("rod1.end.x"), found.unit("potential")) == ("rad", "m", "J")


def test_an_equilibrium_knows_the_forces_that_hold_it():
    # a rod hangs from a pin and leans against a spring: the pin carries the rest of the weight; a motor carries m g x
    m = gr.Mechanism("lever", gravity=(0, -9.81))
    lever = m.bar("lever", length=2.0, mass=3.0)
    m.revolute(m.ground.at(0, 0), lever.start, name="pin")
    m.spring(m.ground.at(2.0, -1.0), lever.end, stiffness=1e4, length=1.0)
    m.need(lever.angle, value=0.0)
    found = gr.equilibrium(m)
    x, y = found["lever.end.x"], found["lever.end.y"]
    length = math.hypot(x - 2.0, y + 1.0)
    force = 1e4 * (1.0 - length)
    assert found["pin.fx"] == pytest.approx(-force * (x - 2.0) / length, abs=1e-9)
    assert found["pin.fy"] == pytest.approx(3.0 * 9.81 - force * (y + 1.0) / length, rel=1e-10)
    assert found.unit("pin.fy") == "N"

    held = gr.Mechanism("arm", gravity=(0, -9.81))
    arm = held.bar("arm", length=2.0, mass=3.0)
    held.revolute(held.ground.at(0, 0), arm.start)
    held.motor(arm, angle=0.3, name="drive")
    assert gr.equilibrium(held)["drive.torque"] == pytest.approx(3.0 * 9.81 * math.cos(0.3), rel=1e-12)


def test_reactions_of_redundant_joints_at_rest_are_refused():
    # a bar hangs from three parallel cranks: which of them carries it, a rigid model cannot tell
    m = gr.Mechanism("swing", gravity=(0, -9.81))
    coupler = m.bar("coupler", start=(0, -1), end=(2, -1), mass=1.0)
    for k in range(3):
        crank = m.bar(f"crank{k}", start=(k, 0), end=(k, -1), mass=1.0)
        m.revolute(m.ground.at(k, 0), crank.start, name=f"O{k}")
        m.revolute(crank.end, coupler.at(k, 0))
    found = gr.equilibrium(m)
    with pytest.raises(gr.ModelError, match=r"'O1\.fy', the reaction of joint 'O1', is not unique"):
        found["O1.fy"]


def test_without_masses_what_moves_is_refused_and_a_spring_needs_two_points():
    m = gr.Mechanism("lever")
    lever = m.bar("lever", length=1.0)
    m.revolute(m.ground.at(0, 0), lever.start)
    with pytest.raises(gr.ModelError, match=r'm\.pull\("x"'):
        m.spring("lever.end.x", stiffness=3.0)
    m.spring(m.ground.at(0, 1), lever.end, stiffness=3.0, length=0.1)
    with pytest.raises(gr.ModelError, match="nothing that moves has mass"):
        gr.equilibrium(m)
