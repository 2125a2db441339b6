"""A situation is the mechanism at its start, and the motion of its bodies tells the same quantities as a trajectory."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest

import grashof as gr
from grashof.engines.loads import Loads
from grashof.engines.observed import ObservedMotion
from grashof.model.joints import JointBase
from grashof.model.model import Model
from grashof.problems import make_case
from grashof.situation import situation
from grashof.situation.motion import Motion, motion_of
from grashof.situation.twin import in_space

from . import linkages


def observed(model: Model, t_end: float, tol: float = 1e-8) -> tuple[gr.Trajectory, ObservedMotion]:
    """Grashof's run, and the same seen through the motion of the bodies alone."""
    s = situation(model)
    run = gr.simulate(model, t_end, tol=tol, times=101)
    return run, ObservedMotion(s, motion_of(run.program.system, run.t, run.q, run.v))


@pytest.mark.parametrize(
    "mechanism",
    [
        linkages.four_bar,
        linkages.trammel,
        linkages.wedge,
        linkages.sprung,
        linkages.rod,
        linkages.thrown,
        linkages.driven,
    ],
)
def test_bodies_tell_what_natural_coordinates_tell(mechanism: linkages.Maker) -> None:
    run, seen = observed(mechanism().model, 1.0)
    assert set(seen.names) <= set(run.names)
    for name in seen.names:
        scale = 1.0 + np.max(np.abs(run[name]))
        assert np.max(np.abs(seen[name] - run[name])) < 1e-6 * scale, name


def test_a_spinning_bar_has_its_kinetic_energy_and_counts_its_turns() -> None:
    """½ (m l²/3) ω², and an angle of ω t though the bar is only looked at every 0.9 turns."""
    m = gr.Mechanism("propeller")
    bar = m.bar("bar", start=(0, 0), end=(2, 0), mass=3.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    rate = 20.0
    m.need(bar.angle, value=0.0, rate=rate)
    s = situation(m.model)
    times = 0.9 * 2.0 * math.pi / rate * np.arange(30)
    c, o = np.cos(rate * times), np.zeros(30)
    n = np.sin(rate * times)
    rotations = np.array([[c, -n, o], [n, c, o], [o, o, o + 1.0]]).transpose(2, 0, 1)[:, None]
    spins = np.broadcast_to([0.0, 0.0, rate], (30, 1, 3))
    seen = ObservedMotion(s, Motion(times, np.zeros((30, 1, 3)), rotations, np.zeros((30, 1, 3)), spins))
    assert np.allclose(seen["bar.angle"], rate * times, rtol=1e-12)
    assert np.allclose(seen["kinetic"], 0.5 * (3.0 * 2.0**2 / 3.0) * rate**2, rtol=1e-12)
    assert np.allclose(seen["bar.end.y.rate"], 2.0 * rate * c, atol=1e-12)


def test_a_gap_in_a_joint_is_a_violation() -> None:
    s = situation(linkages.four_bar().model)
    positions = s.positions.copy()
    positions[s.index["coupler"], 1] += 0.003  # both its pins open by 3 mm
    motion = Motion(np.zeros(1), positions[None], s.rotations[None], s.velocities[None], s.spins[None])
    assert ObservedMotion(s, motion)["violation.position"] == pytest.approx(0.003 * math.sqrt(2.0))


def test_work_without_a_closed_form_is_not_made_up() -> None:
    """A damper's work depends on the whole way, and so does the balance of energies."""
    seen = ObservedMotion(situation(linkages.four_bar().model), observed(linkages.four_bar().model, 0.1)[1].motion)
    assert "balance" not in seen.names
    with pytest.raises(gr.ModelError, match="balance"):
        seen["balance"]


def test_problems_read_their_columns_from_bodies() -> None:
    case = make_case("andrews", None, {})
    run, seen = observed(case.model, 0.01)
    for column in case.columns:
        assert np.allclose(column.value(seen), column.value(run), rtol=1e-7, atol=1e-9), column.name
    assert np.max(np.abs(case.error(seen))) < case.bound


def test_the_grid_of_four_bars_moves_in_a_plane_and_is_cut_once_a_loop() -> None:
    s = situation(make_case("multiple-four-bar", None, {"R": 2, "C": 3}).model)
    assert s.normal is not None
    assert np.allclose(np.abs(s.normal), (1.0, 0.0, 0.0))
    assert len(s.tree) == len(s.bodies) == 14
    assert len(s.closures) == 6
    placed = {"ground"}
    for link in s.tree:
        assert link.parent in placed
        placed.add(link.body)


def test_balls_make_a_motion_spatial() -> None:
    assert not situation(linkages.rod().model).planar


def test_sliding_joints_stay_in_the_tree_and_pins_are_cut() -> None:
    m = gr.Mechanism("crank and slide", gravity=(0, -9.81))
    crank = m.bar("crank", start=(0, 0), end=(0.3, 0.4), mass=1.0)
    rod = m.bar("rod", start=(0.3, 0.4), end=(1.5, 0.0), mass=1.0)
    piston = m.body("piston", mass=1.0, inertia=0.1, points={"pin": (0, 0)}, position=(1.5, 0.0))
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start, name="elbow")
    m.revolute(rod.end, piston.pin, name="wrist")
    m.prismatic(m.ground.at(1.5, 0), piston.pin, axis=(1, 0))
    (closure,) = situation(m.model).closures
    assert closure.name in ("elbow", "wrist")


def test_forces_on_bodies_are_forces_and_moments_about_their_origins() -> None:
    """A spring of 40 N/m stretched by 0.1 m pulls with 4 N; at an arm of 0.5 m across, with 2 N m."""
    m = gr.Mechanism("sprung bar")
    bar = m.bar("bar", start=(0, 0), end=(0.5, 0), mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.spring(m.ground.at(0.5, 0.3), bar.end, stiffness=40.0, length=0.2)
    m.torque(bar, 7.0)
    m.need(bar.angle, value=0.0)
    s = situation(m.model)
    ((fx, fy, fz, mx, my, mz),) = Loads(s)(0.0, s.positions, s.rotations, s.velocities, s.spins)
    assert (fx, fz, mx, my) == pytest.approx((0.0, 0.0, 0.0, 0.0), abs=1e-12)
    assert (fy, mz) == pytest.approx((4.0, 2.0 + 7.0))


def test_axes_without_inertia_get_some_and_the_others_keep_theirs() -> None:
    m = gr.Mechanism("bar in space", gravity=(0, 0, -9.81))
    bar = m.bar("bar", start=(0, 0, 0), end=(0, 0, 2.0), mass=3.0)
    m.spherical(m.ground.at(0, 0, 0), bar.start)
    s = situation(m.model)
    assert np.allclose(s.inertias[0], np.diag([0.0, 1.0, 1.0]))
    assert np.allclose(s.positive_inertias(1e-3)[0], np.diag([1e-3 * 3.0 * 2.0**2, 1.0, 1.0]))


class Bayonet(JointBase, tag="bayonet", frozen=True):
    """A joint that no engine has heard of."""


def test_an_unknown_joint_is_no_weld() -> None:
    s = situation(linkages.hung("revolute").model)
    with pytest.raises(gr.ModelError, match="Joint 'catch': a joint of its type cannot"):
        s.freedoms("second", Bayonet(name="catch", a="first.b", b="second.b"))


def test_an_unknown_joint_in_the_plane_does_not_stay_there() -> None:
    model = linkages.four_bar().model
    joints = (*model.joints, Bayonet(name="catch", a="crank.end", b="rocker.end"))
    with pytest.raises(gr.ModelError, match="Joint 'catch': a planar joint of its type cannot"):
        in_space(msgspec.structs.replace(model, joints=joints))
