"""Exudyn moves mechanisms of every joint and force it is given as Grashof does."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.engines.exudyn import ENGINE, STEPS
from grashof.situation import situation

from . import linkages

pytest.importorskip("exudyn", reason="exudyn is not installed: pip install 'grashof[engines]'")

COARSE, FINE, FINER = 4, 6, 8  # rungs with 1,000, 2,000 and 4,000 steps


@pytest.mark.parametrize("kind", linkages.SPATIAL)
def test_bricks_hung_on_a_joint_move_as_in_grashof(kind: str) -> None:
    assert linkages.departure(ENGINE, linkages.hung(kind), FINE) < 1e-5


@pytest.mark.parametrize("kind", linkages.CLOSING)
def test_a_loop_closed_by_a_joint_moves_as_in_grashof(kind: str) -> None:
    assert linkages.departure(ENGINE, linkages.loop(kind), FINE) < 1e-5


@pytest.mark.parametrize("name", [name for name in linkages.MECHANISMS if name != "user_force"])
def test_a_mechanism_moves_as_in_grashof(name: str) -> None:
    assert linkages.departure(ENGINE, linkages.MECHANISMS[name](), FINER) < 1e-5


def test_a_force_written_in_python_moves_a_pendulum_as_in_grashof() -> None:
    assert linkages.departure(ENGINE, linkages.user_force(), COARSE) < 1e-5


@pytest.mark.parametrize("kind", [kind for kind in linkages.SPATIAL if kind != "spherical"])
def test_trees_of_turns_and_slides_are_as_precise_as_an_explicit_method_of_order_six(kind: str) -> None:
    coarse, fine = (linkages.departure(ENGINE, linkages.hung(kind), rung) for rung in (FINE, FINE + 8))
    assert coarse < 1e-5
    assert fine < max(coarse / 4.0**5, 1e-10)  # four times apart in the step; one order lost to steps in tens


@pytest.mark.parametrize(
    "mechanism",
    [
        linkages.sprung,
        linkages.follower,
        linkages.user_force,
        linkages.absolute_torsion,
        linkages.aslant,
        linkages.tethered,
    ],
)
def test_forces_act_on_trees_as_in_grashof(mechanism: linkages.Maker) -> None:
    assert linkages.departure(ENGINE, mechanism(), FINE + 8) < 1e-9


def test_redundant_joints_do_no_harm() -> None:
    m = gr.Mechanism(
        "a pendulum on a cart that runs on two rails, with a load welded to it twice", gravity=(0.0, -9.81)
    )
    cart = m.body("cart", mass=1.0, inertia=0.1, points={"pin": (0, 0), "left": (-0.2, 0), "right": (0.2, 0)})
    load = m.body(
        "load", mass=0.5, inertia=0.05, points={"left": (-0.2, -0.1), "right": (0.2, -0.1)}, position=(0, 0.1)
    )
    bar = m.bar("bar", start=(0, 0), end=(0.6, -0.3), mass=1.0)
    m.prismatic(m.ground.at(0, 0), cart.pin, axis=(1.0, 0.0))
    m.prismatic(m.ground.at(-0.2, 0), cart.left, axis=(1.0, 0.0))
    m.weld(cart.left, load.left)
    m.weld(cart.right, load.right)
    m.revolute(cart.pin, bar.start)
    assert linkages.departure(ENGINE, m, FINE) < 1e-5


def test_half_the_step_leaves_a_quarter_of_the_error() -> None:
    coarse, fine = (linkages.departure(ENGINE, linkages.four_bar(), rung) for rung in (FINE, FINER))
    assert coarse / fine == pytest.approx(4.0, rel=0.1)


def test_every_rung_takes_the_steps_it_says() -> None:
    """Two rungs that took the same steps would agree with each other and say nothing."""
    s = situation(linkages.four_bar().model)
    prepared, times = ENGINE.prepare(s), np.linspace(0.0, 1.0, 51)
    taken = [prepared.run(setting, times).steps for setting in ENGINE.ladder(s, 1.0)[:8]]
    assert taken == list(STEPS[:8])


def test_a_pendulum_keeps_time_between_steps_too() -> None:
    m = gr.Mechanism("pendulum", gravity=(0.0, -9.81))
    bar = m.bar("bar", start=(0, 0), end=(1.5, 0), mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    s = situation(m.model)
    times = np.array([0.0, 0.1234, 0.2, 0.777, 1.0])
    motion = ENGINE.prepare(s).run(ENGINE.ladder(s, 1.0)[FINE], times).motion
    # for a bar of length l that falls from level: ½ (m l²/3) ω² = m g (l/2) sin(fall)
    fall = -motion.rotations[:, 0, 1, 0]
    np.testing.assert_allclose(motion.spins[:, 0, 2] ** 2, 3.0 * 9.81 / 1.5 * fall, atol=1e-4)


def test_a_distance_that_follows_a_law_is_refused() -> None:
    m = gr.Mechanism("jack", gravity=(0.0, -9.81))
    bar = m.bar("bar", start=(0, 0), end=(1, 0), mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.motor(m.separation("stroke", m.ground.at(0, 1), bar.end), "1.4142 + 0.1*t")
    assert "distance" in (ENGINE.refuses(situation(m.model)) or "")
