"""URDF is written: what is read again moves as before, and what the format lacks is listed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import grashof as gr
from grashof.exchange import load_file, save_file, xml
from grashof.exchange.urdf.reader import read
from grashof.exchange.urdf.writer import roll_pitch_yaw, write

from .robots import robot


@pytest.mark.parametrize("seed", range(3))
def test_a_robot_that_is_written_and_read_moves_as_before(seed: int) -> None:
    model, left_out, _ = read(xml.parse(robot(seed).encode()))
    assert not left_out
    text, left_out = write(model)
    assert left_out == []
    again, left_out, remarks = read(xml.parse(text.encode()))
    assert not left_out
    assert not remarks
    assert sorted(type(force).__name__ for force in again.forces) == sorted(
        type(force).__name__ for force in model.forces
    )
    names = [measure.name for measure in model.measures if "_" not in measure.name]
    assert len(names) == 4
    first, second = (gr.simulate(one, 0.1, tol=1e-8) for one in (model, again))
    assert sum(np.ptp(first[name]) > 1e-3 for name in names) >= 3
    for name in names:
        assert second[name][-1] == pytest.approx(first[name][-1], abs=1e-7)
    for energy in ("kinetic", "potential"):  # places and attitudes of free bodies, whose axes are others
        assert np.diff(second[energy][[0, -1]]) == pytest.approx(np.diff(first[energy][[0, -1]]), abs=1e-6)


def test_a_mechanism_in_the_plane_becomes_a_robot(tmp_path: Path) -> None:
    """Two bars that hang from a pin, about z, where the angles are zero along x; and their closed form at zero."""
    m = gr.Mechanism("double pendulum", gravity=(0, -9.81))
    upper, lower = (m.bar(name, length=1.0, mass=1.0) for name in ("upper", "lower"))
    m.revolute(m.ground.at(0.2, 0.1), upper.start, name="shoulder")
    m.revolute(upper.end, lower.start, name="elbow")
    m.torsion_spring(upper, stiffness=0.0, damping=0.3, name="oil")
    m.stop(upper.angle, lower=-1.0, upper=2.0, restitution=0.5)
    m.spring(m.ground.at(0, 1), lower.end, stiffness=1.0, length=1.0, name="band")
    m.need(upper.angle, value=0.0)
    m.need(lower.angle, value=0.0)
    left_out = save_file(m, tmp_path / "pendulum.urdf")
    assert [x.split(":")[0] for x in left_out] == ["Force 'band'", "Gravity"]
    model = load_file(tmp_path / "pendulum.urdf").model
    bodies = {body.name: body for body in model.bodies}
    assert bodies["upper"].center == pytest.approx((0.5, 0.0, 0.0))
    again = model.edit()
    again.gravity = (0, -9.81, 0)
    names = [measure.name for measure in model.measures]
    run = gr.simulate(again, 1e-3)
    # two equal uniform bars, horizontal at rest: 4/3 α + 1/2 β = 3/2 g/l and 1/2 α + 1/3 β = 1/2 g/l, with β absolute
    alpha, beta = np.linalg.solve([[4 / 3, 1 / 2], [1 / 2, 1 / 3]], [-1.5 * 9.81, -0.5 * 9.81])
    assert run[names[0]][-1] == pytest.approx(0.5e-6 * alpha, rel=1e-3)
    assert run[names[1]][-1] == pytest.approx(0.5e-6 * (beta - alpha), rel=1e-3)
    (stop,) = (force for force in model.forces if type(force).__name__ == "Stop")
    assert (stop.lower, stop.upper) == pytest.approx((-1.0, 2.0))


@pytest.mark.parametrize("kind", ["cylindrical", "universal", "spherical"])
def test_other_joints_become_several_that_move_alike(kind: str) -> None:
    m = gr.Mechanism("one", dimension=3, gravity=(0, 0, -9.81))
    body = m.body("body", mass=2.0, center=(0.3, 0.2, 0.1), inertia=(0.02, 0.03, 0.04), position=(0.5, 0.1, 0.2))
    ends = m.ground.at(0.4, 0.3, 0.2), body.at_world(0.4, 0.3, 0.2)
    if kind == "cylindrical":
        m.cylindrical(*ends, axis=(1, 2, 2))
    elif kind == "universal":
        m.universal(*ends, axis_a=(1, 2, 2), axis_b=(2, 1, -2))
    else:
        m.spherical(*ends)
    text, left_out = write(m.model)
    assert ["ball" in x for x in left_out] == ([True] if kind == "spherical" else [])
    again, _, _ = read(xml.parse(text.encode()))
    first, second = (gr.simulate(model, 0.1, tol=1e-9) for model in (m.model, again))
    assert np.ptp(first["kinetic"]) > 0.1
    assert second["kinetic"][-1] == pytest.approx(first["kinetic"][-1], rel=1e-7)


def test_what_urdf_lacks_is_listed() -> None:
    m = gr.Mechanism("four-bar", gravity=(0, -9.81))
    bars = [m.bar(name, length=length, mass=1.0) for name, length in (("a", 1.0), ("b", 2.0), ("c", 1.5))]
    m.revolute(m.ground.at(0, 0), bars[0].start)
    m.revolute(bars[0].end, bars[1].start)
    m.revolute(bars[1].end, bars[2].end)
    m.revolute(bars[2].start, m.ground.at(2, 0))
    m.need(bars[0].angle, value=1.0)
    m.motor(bars[0], speed=1.0, name="drive")
    _, left_out = write(m.model)
    assert [x.split(" ")[0] for x in left_out] == ["Motor", "Joint", "Gravity:", "Start:"]
    with pytest.raises(gr.ModelError, match="strict"):
        gr.save(m, "never.urdf", strict=True)


def test_angles_of_a_frame_are_those_of_urdf() -> None:
    rng = np.random.default_rng(1)
    for pitch in (*rng.uniform(-1.5, 1.5, 5), 0.5 * math.pi, -0.5 * math.pi):
        given = Rotation.from_euler("xyz", [rng.uniform(-3, 3), pitch, rng.uniform(-3, 3)]).as_matrix()
        again = Rotation.from_euler("xyz", roll_pitch_yaw(given)).as_matrix()
        np.testing.assert_allclose(again, given, atol=1e-9)
