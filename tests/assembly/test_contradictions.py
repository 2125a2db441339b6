"""What cannot be assembled is refused in a sentence that says what is in the way, and by how much; what only looks
so is not."""

from __future__ import annotations

import re

import numpy as np
import pytest

import grashof as gr

from ..linkages import guessed_four_bar, parallelogram


@pytest.mark.parametrize(
    ("lengths", "ground", "missing"),
    [((1.0, 1.0, 1.0), 4.0, 1.0), ((1.0, 1.0, 1.0), 3.1, 0.1), ((0.3, 2.0, 0.3), 1.0, 0.4)],
)
def test_a_loop_that_cannot_close_is_named_with_the_missing_metres(
    lengths: tuple[float, float, float], ground: float, missing: float
) -> None:
    """Ground longer than the three bars together, or the coupler longer than the three others: the gap is what is
    too much."""
    with pytest.raises(gr.ModelError, match=r"the loop coupler – crank – ground – rocker cannot close") as caught:
        gr.assemble(guessed_four_bar(lengths, ground))
    found = re.search(r"([\d.]+) m are missing", str(caught.value))
    assert found is not None
    assert float(found[1]) == pytest.approx(missing, rel=0.005)  # it is written with three digits


def test_the_loop_that_cannot_close_is_told_from_the_one_that_can() -> None:
    m = guessed_four_bar()
    far = m.bar("far", mass=1.0, length=0.2)
    m.revolute(m.ground.at(3, 0), far.start, name="D")
    m.distance(far.end, m.ground.at(5, 0), 1.0, name="rod")
    with pytest.raises(gr.ModelError, match=r"far") as caught:
        gr.assemble(m)
    assert "crank" not in str(caught.value)


def test_a_need_out_of_reach_is_named() -> None:
    m = guessed_four_bar()
    m.need("rocker.end.x", value=5.0)
    with pytest.raises(gr.ModelError, match=r"rocker\.end\.x is off by"):
        gr.assemble(m)


def test_needs_that_contradict_each_other_are_named() -> None:
    m = guessed_four_bar()
    m.need("crank.angle", value=0.8)
    m.need("crank.end.x", value=0.1)
    with pytest.raises(gr.ModelError, match=r"crank\.angle is off by .*crank\.end\.x is off by"):
        gr.assemble(m)


@pytest.mark.parametrize(
    ("first", "second"),
    [("0.93 + t", "1.03 + t"), ("0.93 + t", "0.93 + 2*t"), ("0.93 + t*t", "0.93 - t*t")],
    ids=["positions", "velocities", "accelerations"],
)
def test_two_motors_that_contradict_each_other_through_a_loop_are_refused(first: str, second: str) -> None:
    m = parallelogram(2)
    m.motor("crank0.angle", first, name="one")
    m.motor("crank1.angle", second, name="other")
    with pytest.raises(gr.ModelError, match=r"'one'.*'other'"):
        gr.assemble(m)


def test_two_motors_that_agree_through_a_loop_are_allowed() -> None:
    m = parallelogram(2)
    m.motor("crank0.angle", "0.93 + sin(t)", name="one")
    m.motor("crank1.angle", "0.93 + sin(t)", name="other")
    run = gr.simulate(m, 3.0)
    assert run.status.ok
    assert np.max(np.abs(run["crank0.angle"] - 0.93 - np.sin(run.t))) < 1e-9


def test_two_motors_that_hold_still_through_a_loop_are_allowed() -> None:
    """Everything is zero but for round-off: nothing may be taken for a contradiction."""
    m = parallelogram(2)
    m.motor("crank0.angle", angle=0.93, name="one")
    m.motor("crank1.angle", angle=0.93, name="other")
    assert gr.simulate(m, 1.0).status.ok


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_part_without_mass_that_can_move_is_refused(dimension: int) -> None:
    rest = (0.0,) * (dimension - 2)
    axis = None if dimension == 2 else (0, 0, 1)
    m = gr.Mechanism("whip", dimension=dimension)
    heavy = m.bar("heavy", mass=1.0, start=(0, 0, *rest), end=(1, 0, *rest))
    light = m.bar("light", mass=0.0, start=(1, 0, *rest), end=(1.5, 0.5, *rest))
    m.revolute(m.ground.at(0, 0, *rest), heavy.start, axis=axis)
    m.revolute(heavy.end, light.start, axis=axis)
    with pytest.raises(gr.ModelError, match=r"light.* can move although nothing that moves with it has mass"):
        gr.assemble(m)


def test_the_spin_of_a_slender_bar_that_nothing_holds_is_refused() -> None:
    """A bar on a ball joint carries a measured direction at right angles to itself: its spin is asked for, and has
    no inertia."""
    m = gr.Mechanism("bar", dimension=3)
    bar = m.bar("bar", mass=1.0, start=(0, 0, 0), end=(1, 0, 0))
    m.spherical(m.ground.at(0, 0, 0), bar.start)
    m.angle("spin", bar, axis=(1, 0, 0), direction=(0, 1, 0))
    with pytest.raises(gr.ModelError, match=r"body 'bar' can move although nothing that moves with it has mass"):
        gr.assemble(m)


def test_needed_rates_that_contradict_each_other_are_refused() -> None:
    m = guessed_four_bar()
    m.need("crank.angle", rate=1.0)
    m.need("rocker.angle", rate=-5.0)
    with pytest.raises(gr.ModelError, match=r"needed rate of '(crank|rocker)\.angle'.*contradicts"):
        gr.assemble(m)


def test_a_needed_rate_that_the_joints_forbid_is_refused() -> None:
    m = gr.Mechanism("rail")
    block = m.body("block", mass=1.0, inertia=1.0, points={"p": (0, 0)})
    m.prismatic(m.ground.at(0, 0), block.p, axis=(1, 0))
    m.need("block.p.y", rate=1.0)
    with pytest.raises(gr.ModelError, match=r"needed rate of 'block\.p\.y'"):
        gr.assemble(m)


def test_a_motor_in_a_structure_is_not_told_that_there_are_too_many_motors() -> None:
    """Two bars and the ground are a triangle, which cannot move; a four-bar with two motors can, with one of them."""
    m = gr.Mechanism("truss", gravity=(0, -9.81))
    a, b = m.bar("a", length=1.0, mass=1.0), m.bar("b", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, m.ground.at(1, 0))
    m.motor(a, speed=1.0)
    with pytest.raises(gr.ModelError, match=r"the joints leave it no freedom here .* Remove a joint"):
        gr.assemble(m)

    m = gr.Mechanism("two motors", gravity=(0, -9.81))
    a, b, c = (m.bar(name, length=x, mass=1.0) for name, x in (("a", 0.3), ("b", 1.0), ("c", 0.8)))
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(m.ground.at(0.9, 0), c.start)
    m.need(a.angle, value=0.4)
    m.motor(a, speed=1.0)
    m.motor(c, speed=1.0)
    with pytest.raises(gr.ModelError, match="Remove one of the motors"):
        gr.assemble(m)


def test_a_body_that_is_held_is_not_said_to_have_no_mass() -> None:
    m = gr.Mechanism("bracket", gravity=(0, -9.81))
    arm = m.bar("arm", length=1.0, mass=1.0)
    m.weld(m.ground.at(0, 0), arm.start)
    with pytest.raises(gr.ModelError, match="'arm' is held by the joints, and nothing else has mass"):
        gr.simulate(m, 1.0)
    m = gr.Mechanism("pointer", gravity=(0, -9.81))
    m.revolute(m.ground.at(0, 0), m.bar("arm", length=1.0).start)
    with pytest.raises(gr.ModelError, match="nothing that moves has mass"):
        gr.simulate(m, 1.0)


def coupled_wheels(count: int, dimension: int = 2) -> gr.Mechanism:
    m = gr.Mechanism("train", dimension=dimension)
    for k in range(count):
        place, axis = (0.3 * k, *(0.0,) * (dimension - 1)), None if dimension == 2 else (0, 0, 1)
        wheel = m.body(f"w{k}", mass=1.0, inertia=0.01 if dimension == 2 else (0.01, 0.01, 0.01))
        m.revolute(m.ground.at(*place), wheel.at(*(0.0,) * dimension), axis=axis)
        if dimension == 3:
            m.angle(f"turn{k}", wheel, axis=(0, 0, 1))
    return m


CONTRADICT = r"'gear w0 w1' and 'belt w0 w1' contradict each other unless"


@pytest.mark.parametrize("off", [1.5, 2.0002])
def test_couplings_that_contradict_each_other_are_named(off: float) -> None:
    """A gear and a crossed belt between the same wheels, and beside them a gear that has nothing to do with it."""
    m = coupled_wheels(3)
    m.gear(m["w0"], m["w1"], teeth=(20, 40))
    m.belt(m["w0"], m["w1"], radii=(0.1, 0.1 * off), crossed=True)
    m.gear(m["w1"], m["w2"], teeth=(20, 30))
    assert CONTRADICT in str(gr.mobility(m))
    assert "w2" not in str(gr.mobility(m))
    assert gr.simulate(m, 0.1).status.ok  # at rest nothing contradicts
    m.need(m["w2"].angle, rate=3.0)
    with pytest.raises(gr.ModelError, match=rf"rate of 'w2\.angle', 3, cannot be met: couplings {CONTRADICT}"):
        gr.assemble(m)


def test_a_motor_on_couplings_that_contradict_each_other_is_told_which_they_are() -> None:
    m = coupled_wheels(3, dimension=3)
    for a, b, ratio in ((0, 1, 2), (1, 2, 2), (0, 2, 3)):
        m.coupling({f"turn{a}": 1, f"turn{b}": -ratio}, name=f"{a} to {b}")
    m.motor("turn1", speed=2.0, name="drive")
    with pytest.raises(
        gr.ModelError, match=r"motor 'drive' cannot move it: couplings '0 to 1', '1 to 2' and '0 to 2' contradict"
    ):
        gr.assemble(m)


def test_two_motors_at_both_ends_of_a_gear_are_told_that_the_gear_is_between_them() -> None:
    m = coupled_wheels(2)
    m.gear(m["w0"], m["w1"], teeth=(20, 40))
    m.motor("w0.angle", "t")
    m.motor("w1.angle", "t")
    with pytest.raises(gr.ModelError, match=r"cannot move it together with coupling 'gear w0 w1'"):
        gr.assemble(m)


def test_a_needed_rate_in_a_structure_contradicts_its_joints() -> None:
    """It is not near a singular position."""
    m = gr.Mechanism("truss", gravity=(0, -9.81))
    a, b = m.bar("a", length=1.0, mass=1.0), m.bar("b", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, m.ground.at(1, 0))
    m.need(a.angle, rate=1.0)
    with pytest.raises(gr.ModelError, match=r"rate of 'a\.angle', 1, cannot be met: .* contradicts the joints"):
        gr.assemble(m)


def test_one_motor_whose_acceleration_the_joints_forbid_is_not_said_to_contradict_another() -> None:
    m = gr.Mechanism("rail")
    block = m.body("block", mass=1.0, inertia=1.0, points={"p": (0, 0)})
    m.prismatic(m.ground.at(0, 0), block.p, axis=(1, 0))
    m.motor("block.p.y", "t**2", name="lift")
    with pytest.raises(gr.ModelError, match=r"motor 'lift' cannot move it: .* joints leave it no freedom .* m/s²"):
        gr.assemble(m)


@pytest.mark.parametrize("driven", [False, True])
def test_a_wheel_without_inertia_is_not_said_to_be_held(driven: bool) -> None:
    m = gr.Mechanism("wheel", gravity=(0, -9.81))
    wheel = m.body("wheel", mass=1.0)
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    if driven:
        m.motor(wheel, speed=1.0)
    with pytest.raises(gr.ModelError, match=r"'wheel' can only turn about the centre of mass, .* inertia=0\.01"):
        gr.simulate(m, 1.0)
