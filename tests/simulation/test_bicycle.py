"""The uncontrolled bicycle of Whipple, against the linearised equations of Meijaard, Papadopoulos, Ruina and Schwab
(Proc. R. Soc. A 463, 2007): four bodies, two wheels that roll without slipping."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

import grashof as gr
from grashof.model.handles import Handle
from grashof.quantities.snapshot import CoordinateSnapshot

TILT, GRAVITY = math.pi / 10.0, 9.81
"""rad, m/s²: tilt of the steer axis; x is forward, y to the right and z down."""

EIGENVALUES = {
    4.6: (-13.298639515767624, -0.621212726975536, -0.377966226277663, 3.87284191562975),
    8.0: (-20.279408943945644, 0.143278797657128, -2.693486835810955, 8.460379713969346),
}
"""By speed in m/s: two real ones, then the real and imaginary part of a pair, 1/s."""


def body(m: gr.Mechanism, name: str, mass: float, place: Sequence[float], inertia: Sequence[float]) -> Handle:
    made = m.body(name, mass=mass, inertia=(*inertia[:3], 0.0, inertia[3], 0.0))
    m.guess(made, (place[0], 0.0, place[1]))
    return made


def bicycle(speed: float, roll_rate: float = 0.0) -> gr.Mechanism:
    m = gr.Mechanism("bicycle", gravity=(0, 0, GRAVITY))
    rear = body(m, "rear", 2.0, (0.0, -0.3), (0.0603, 0.12, 0.0603, 0.0))
    frame = body(m, "frame", 85.0, (0.3, -0.9), (9.2, 11.0, 2.8, 2.4))
    fork = body(m, "fork", 4.0, (0.9, -0.7), (0.05892, 0.06, 0.00708, -0.00756))
    front = body(m, "front", 3.0, (1.02, -0.35), (0.1405, 0.28, 0.1405, 0.0))
    head = (1.1 - 0.8 * math.sin(TILT), -0.8 * math.cos(TILT))
    m.revolute(frame.at(-0.3, 0, 0.6), rear.at(0, 0, 0, name="o"), axis=(0, 1, 0))
    m.revolute(fork.at(0.12, 0, 0.35), front.at(0, 0, 0, name="o"), axis=(0, 1, 0))
    steering = (math.sin(TILT), 0, math.cos(TILT))
    m.revolute(
        frame.at(head[0] - 0.3, 0, head[1] + 0.9), fork.at(head[0] - 0.9, 0, head[1] + 0.7), axis=steering, name="head"
    )
    m.angle("steer", fork, reference=frame, axis=steering)
    frame.at(0, 0, 0, name="o")
    frame.at(0, 1, 0, name="right")
    road = m.ground.at(0, 0, 0)
    for wheel, radius in ((rear, 0.3), (front, 0.35)):
        m.rolling_wheel(road, wheel.o, radius=radius, axis=(0, 1, 0), normal=(0, 0, -1), name=f"{wheel} rolls")
    m.need("steer", value=0.0, rate=0.0)
    m.need(rear, angular_velocity=(roll_rate, -speed / 0.3, 0.0))
    return m


def test_a_bicycle_has_seven_freedoms_of_position_and_three_of_velocity() -> None:
    report = gr.mobility(bicycle(4.0))
    assert (report.dof, report.velocity_dof, report.redundant, report.slips) == (7, 3, 0, 4)


def lean_and_steer(program: gr.Program, y: np.ndarray) -> np.ndarray:
    """Roll and steer, their rates and their accelerations, at the consistent state next to y."""
    dynamics = program.dynamics
    for _ in range(3):
        y = np.array(dynamics.project([0.0, *y.tolist()])[:-1], float)
    x = [0.0, *y.tolist()]
    rates = dynamics.derivative(x)
    now = CoordinateSnapshot(dynamics.model, dynamics, dynamics.state(x), x[1:][dynamics.layout.of_e], lambda: rates)
    right, middle, steer = (now.accelerating(name) for name in ("frame.right.z", "frame.o.z", "steer"))
    levels = ("value", "first", "second")
    return np.array([[getattr(right, k) - getattr(middle, k), getattr(steer, k)] for k in levels]).ravel()


@pytest.mark.parametrize("speed", EIGENVALUES)
def test_small_motions_of_a_bicycle_have_the_published_eigenvalues(speed: float) -> None:
    program = gr.build(bicycle(speed))
    rng, h = np.random.default_rng(1), 1e-5
    found = []
    for _ in range(5):
        way = rng.normal(size=len(program.y0))

        def slope(size: float, way: np.ndarray = way) -> np.ndarray:
            ahead, behind = (lean_and_steer(program, program.y0 + sign * size * way) for sign in (1.0, -1.0))
            return (ahead - behind) / (2.0 * size)

        found.append((4.0 * slope(h) - slope(2.0 * h)) / 3.0)  # differences with an error of h⁴
    values = np.array(found)
    matrix = np.linalg.lstsq(values[:, :4], values[:, 4:], rcond=None)[0].T
    eigenvalues = np.linalg.eigvals(np.vstack([np.hstack([np.zeros((2, 2)), np.eye(2)]), matrix]))
    first, second, real, imaginary = EIGENVALUES[speed]
    expected = np.array([first, second, complex(real, -imaginary), complex(real, imaginary)])
    assert np.sort_complex(eigenvalues) == pytest.approx(np.sort_complex(expected), abs=2e-9)


def test_a_bicycle_that_is_pushed_recovers_and_keeps_its_energy() -> None:
    """4.6 m/s is within the speeds at which it is stable by itself; the energy at the start is published."""
    run = gr.simulate(bicycle(4.6, roll_rate=0.5), 5.0, tol=1e-7)
    assert run.status.ok
    assert run["energy"][0] == pytest.approx(1837.031, abs=1e-3)
    assert np.ptp(run["energy"]) < 1e-9 * run["energy"][0]
    lean = np.abs(run["frame.right.z"] - run["frame.o.z"])
    assert np.max(lean[run.t > 4.0]) < 0.3 * np.max(lean)
