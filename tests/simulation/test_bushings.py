"""Bushings: deflections at rest, frequencies, torques and energies, in the plane and in space."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

import grashof as gr

K, KAPPA = (3e3, 5e3, 8e3), (40.0, 70.0, 110.0)
MASS, INERTIA = 2.0, (0.02, 0.03, 0.05)


def mounted(**more: object) -> gr.Mechanism:
    m = gr.Mechanism("mounted body", gravity=(1.0, 2.0, -3.0))
    body = m.body("body", mass=MASS, inertia=INERTIA, points={"mount": (0, 0, 0)})
    m.bushing(m.ground.at(0, 0, 0), body.at(0, 0, 0), stiffness=K, rotational_stiffness=KAPPA, name="rubber", **more)
    return m


def test_static_deflection_is_load_over_stiffness_along_each_axis() -> None:
    found = gr.equilibrium(mounted(damping=50.0, rotational_damping=1.0))
    for axis, load, k in zip("xyz", (1.0, 2.0, -3.0), K, strict=True):
        assert found[f"body.mount.{axis}"] == pytest.approx(MASS * load / k, rel=1e-9)


def test_frequencies_are_those_of_six_springs() -> None:
    modes = gr.modes(mounted())
    expected = sorted(
        [math.sqrt(k / MASS) for k in K] + [math.sqrt(k / i) for k, i in zip(KAPPA, INERTIA, strict=True)]
    )
    found = sorted(x.imag for x in modes.eigenvalues if x.imag > 0.0)
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_axes_of_a_bushing_turn_with_its_first_body() -> None:
    """Mounted at 30°: the stiffness along the inclined axis is the one that counts."""
    along = np.array([math.cos(0.5), math.sin(0.5)])
    m = gr.Mechanism("inclined", gravity=tuple(4.0 * along))
    body = m.body("body", mass=1.0, inertia=0.1, position=(0, 0), angle=1.0)
    m.bushing(
        m.ground.at(0, 0),
        body.at(0, 0),
        stiffness=(1e3, 9e3),
        rotational_stiffness=5.0,
        damping=40.0,
        rotational_damping=1.0,
        axis=along,
        name="rubber",
    )
    run = gr.simulate(m, 3.0)
    assert run.status.ok
    assert run["rubber.x"][-1] == pytest.approx(4e-3, rel=1e-4)
    assert run["rubber.y"][-1] == pytest.approx(0.0, abs=1e-8)
    assert run["body.angle"][-1] == pytest.approx(1.0, abs=1e-8)  # nothing turns it


def test_plane_bushing_twisted_far_swings_like_a_torsion_spring() -> None:
    m = gr.Mechanism("plane")
    body = m.body("body", mass=1.0, inertia=0.1, angle=0.3)
    m.bushing(m.ground.at(0, 0), body.at(0, 0), stiffness=1e3, rotational_stiffness=5.0, name="rubber")
    m.need("body.angle", value=0.3 + 2.0, rate=0.0)
    run = gr.simulate(m, 2.0, tol=1e-9)
    assert run.status.ok
    np.testing.assert_allclose(run["body.angle"] - 0.3, 2.0 * np.cos(math.sqrt(50.0) * run.t), atol=1e-7)
    assert np.max(np.abs(run["balance"])) < 1e-7


def test_body_on_a_bushing_in_space_moves_as_euler_says() -> None:
    """Large motions against quaternions and Euler's equations, with torques from a numerical gradient of the
    potential."""
    m = mounted()
    m.need("body.mount.x", value=0.01, rate=0.0)
    m.need("body.mount.y", value=0.0, rate=0.2)
    m.need("body.mount.z", value=0.0, rate=0.0)
    m.need("rubber.rx", value=0.4, rate=0.0)
    m.need("rubber.ry", value=-0.3, rate=1.0)
    m.need("rubber.rz", value=0.5, rate=0.0)
    run = gr.simulate(m, 0.5, tol=1e-9)
    assert run.status.ok
    assert np.max(np.abs(run["balance"])) < 1e-6

    def angles(r: np.ndarray) -> np.ndarray:
        return np.array([math.atan2(r[(k + 2) % 3, (k + 1) % 3], r[(k + 1) % 3, (k + 1) % 3]) for k in range(3)])

    def potential(r: np.ndarray) -> float:
        return 0.5 * float(np.array(KAPPA) @ angles(r) ** 2)

    def torque(r: np.ndarray) -> np.ndarray:
        h = 1e-5
        turn = [Rotation.from_rotvec(h * e).as_matrix() for e in np.eye(3)]
        return np.array([-(potential(x @ r) - potential(x.T @ r)) / (2.0 * h) for x in turn])  # world axes

    inertia = np.diag(INERTIA)

    def slopes(_: float, y: np.ndarray) -> np.ndarray:
        r, w = y[:9].reshape(3, 3), y[9:]
        local = r.T @ w
        change = np.linalg.solve(inertia, r.T @ torque(r) - np.cross(local, inertia @ local))
        spin = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        return np.concatenate([(spin @ r).ravel(), r @ change])

    start = rotation_at(run, 0)
    h = 1e-6
    ahead = gr.simulate(m, 1e-3, tol=1e-10, times=[0.0, h])
    spin = Rotation.from_matrix(rotation_at(ahead, 1) @ rotation_at(ahead, 0).T).as_rotvec() / h
    there = solve_ivp(slopes, (0.0, 0.5), [*start.ravel(), *spin], method="DOP853", rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(
        angles(there.y[:9, -1].reshape(3, 3)), [run[f"rubber.r{x}"][-1] for x in "xyz"], atol=2e-4
    )
    # translation does not notice the rotation: the bushing acts at the centre of mass
    w = math.sqrt(K[0] / MASS)
    np.testing.assert_allclose(run["rubber.x"], MASS / K[0] + (0.01 - MASS / K[0]) * np.cos(w * run.t), atol=1e-7)


def rotation_at(run: gr.Trajectory, k: int) -> np.ndarray:
    frame = run.program.system.frames["body"]
    q = run.q[k].tolist()
    length = run.program.system.length
    columns = [
        [x.at(q) / length for x in frame.arrow(axis, length)] for axis in ((1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0))
    ]
    return np.array(columns, float).T


def test_damping_of_a_bushing_is_its_work() -> None:
    run = gr.simulate(mounted(damping=(20.0, 30.0, 40.0), rotational_damping=0.3), 2.0)
    assert run.status.ok
    # all that gravity gives beyond the deflection at rest is taken
    lost = 0.5 * sum((MASS * load) ** 2 / k for load, k in zip((1.0, 2.0, -3.0), K, strict=True))
    assert run["work.rubber"][-1] == pytest.approx(-lost, rel=1e-4)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"stiffness": (1.0, 2.0)}, "stiffness"),
        ({"stiffness": -1.0}, "zero or positive"),
        ({"stiffness": 1.0, "axis": (1, 0, 0), "normal": (1, 1, 0)}, "right angles"),
    ],
)
def test_bushing_that_cannot_be_is_refused_by_a_sentence(more: dict[str, object], sentence: str) -> None:
    m = gr.Mechanism("body", dimension=3)
    body = m.body("body", mass=1.0, inertia=(1.0, 1.0, 1.0))

    def describe() -> object:
        m.bushing(m.ground.at(0, 0, 0), body.at(0, 0, 0), **more)
        return m.model

    with pytest.raises(gr.ModelError, match=sentence):
        describe()


def test_slender_bar_whose_spin_only_a_bushing_would_hold_is_no_wrong_success() -> None:
    m = gr.Mechanism("bar", gravity=(0, 0, -9.81))
    bar = m.bar("bar", start=(0, 0, 0), end=(1, 0, 0), mass=1.0)
    m.bushing(m.ground.at(0, 0, 0), bar.start, stiffness=1e4, rotational_stiffness=50.0)
    try:
        status = gr.simulate(m, 0.1).status
    except gr.ModelError:
        return
    assert not status.ok


def test_bushings_are_saved_and_loaded(tmp_path: Path) -> None:
    gr.save(mounted(), tmp_path / "body.toml")
    assert gr.load(tmp_path / "body.toml") == mounted().model
