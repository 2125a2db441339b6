"""Poses place every named point where the trajectory has it."""

import numpy as np
import pytest

import grashof as gr
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.motion.trajectory import Trajectory
from grashof.problems import make_case
from grashof.scene import Scene, describe, describe_model


def rotated(quaternion: np.ndarray, place: np.ndarray) -> np.ndarray:
    """By the rotation matrix written out, (rows, 3)."""
    w, x, y, z = quaternion.T
    matrix = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
    return np.einsum("ijr,j->ri", matrix, place)


def largest_miss(scene: Scene, run: gr.Trajectory, times: np.ndarray) -> float:
    """Between points placed by the scene and by the trajectory, m."""
    motion = Trajectory(run.program, run.steps, times)
    poses = scene.poses_in_world()
    misses = [0.0]
    for point in scene.points:
        if body_of(point.name) != GROUND:
            pose = poses[:, point.spot.body - 1]
            placed = pose[:, :3] + rotated(pose[:, 3:], np.array(point.spot.at))
            for k, axis in enumerate("xyz"[: scene.dimension]):
                misses.append(float(np.max(np.abs(placed[:, k] - motion[f"{point.name}.{axis}"]))))
    return max(misses)


def rssr() -> gr.Mechanism:
    m = gr.Mechanism("RSSR", gravity=(0, 0, -9.81), dimension=3)
    lengths = {"crank": 0.2, "coupler": 0.9, "rocker": 0.6}
    crank, coupler, rocker = (m.bar(name, length=length, mass=1.0) for name, length in lengths.items())
    m.revolute(m.ground.at(0, 0, 0), crank.start, axis=(0, 0, 1))
    m.spherical(crank.end, coupler.start)
    m.spherical(coupler.end, rocker.end)
    m.revolute(m.ground.at(0.8, 0, 0), rocker.start, axis=(0, 1, 0))
    return m


@pytest.mark.parametrize("name", ["andrews", "double-four-bar", "multiple-four-bar"])
def test_points_of_the_benchmark_problems_are_where_the_trajectory_says(name: str) -> None:
    case = make_case(name)
    run = gr.simulate(case.model, case.t_end)
    times = np.linspace(0.0, case.t_end, 101)
    scene = describe(run, times, reactions=False)
    assert largest_miss(scene, run, times) < 1e-6 * scene.size  # single precision


def test_slender_bars_in_space_are_where_the_trajectory_says_and_turn_smoothly() -> None:
    run = gr.simulate(rssr(), 2.0)
    times = np.linspace(0.0, 2.0, 401)
    scene = describe(run, times)
    assert largest_miss(scene, run, times) < 1e-6
    turns = np.einsum("tbi,tbi->tb", scene.poses.array()[1:, :, 3:], scene.poses.array()[:-1, :, 3:])
    assert np.min(turns) > np.cos(0.5 * 0.3)  # less than 0.3 rad a frame, also of the coupler, whose spin nothing tells


def test_a_run_has_as_many_frames_as_its_fastest_body_needs() -> None:
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=0.1)
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    m.need(wheel.angle, value=0.0, rate=30.0)
    scene = describe(gr.simulate(m, 2.0))
    assert 60.0 / (len(scene.times.array()) - 1) < 0.09  # rad a frame


def test_a_mechanism_is_a_scene_with_one_frame() -> None:
    scene = describe_model(rssr())
    assert scene.times.shape == (1,)
    kinds = [type(symbol).__name__ for symbol in scene.symbols]
    assert kinds == ["Pin", "Ball", "Ball", "Pin"]
    assert all(symbol.name == joint.name for symbol, joint in zip(scene.symbols, rssr().model.joints, strict=True))


def test_arrows_of_a_spring_are_its_force() -> None:
    m = gr.Mechanism("weight on a spring", gravity=(0, -9.81))
    weight = m.body("weight", mass=2.0, inertia=0.1)
    m.slider(m.ground.line((0, 0), (0, 1)), weight.line((0, 0), (0, 1)))
    m.spring(m.ground.at(0, 2), weight.at(0, 0), stiffness=50.0, length=1.0, damping=3.0)
    run = gr.simulate(m, 1.5)
    times = np.linspace(0.0, 1.5, 31)
    (force,) = (arrow for arrow in describe(run, times).arrows if arrow.kind == "force")
    y = next(name for name in run.names if name.startswith("weight.") and name.endswith(".y"))
    motion = Trajectory(run.program, run.steps, times)
    # Newton: m a = F − m g along the guide
    expected = 2.0 * (motion[f"{y}.acceleration"] + 9.81)
    assert np.allclose(force.values.array()[:, 1], expected, rtol=1e-5, atol=1e-4)
    assert np.allclose(force.values.array()[:, 0], 0.0, atol=1e-5)


def test_a_mechanism_far_from_the_origin_keeps_its_shape() -> None:
    m = gr.Mechanism("far pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(1e7, -2e7), rod.start)
    run = gr.simulate(m, 1.0)
    times = np.linspace(0.0, 1.0, 11)
    assert largest_miss(describe(run, times), run, times) < 1e-6
