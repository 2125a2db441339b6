"""A run that reached its end is not yet a success."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

import grashof as gr
from grashof.simulation import simulate
from grashof.status import Code
from grashof.trajectory import Trajectory
from grashof.trust import accounted


def pendulum() -> gr.Mechanism:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.0)
    return m


def test_energy_from_nowhere_is_no_success() -> None:
    """The same steps with velocities made 1 % larger from half-way on: two per cent of the kinetic energy came from nowhere."""
    run = simulate(pendulum(), 2.0)
    assert run.status.ok
    y = run.steps.y.copy()
    n = run.program.system.n
    half = len(y) // 2
    y[half:, n : 2 * n] *= 1.01
    wrong = accounted(Trajectory(run.program, replace(run.steps, y=y), run.t), 1e-6)
    assert wrong.status.code is Code.INACCURATE
    assert "smaller tolerance" in str(wrong.status)


def test_what_hangs_at_rest_is_a_success() -> None:
    m = gr.Mechanism("hanging", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-np.pi / 2)
    assert simulate(m, 5.0).status.ok


def test_an_angle_half_a_turn_from_its_motors_law_is_no_success() -> None:
    """Rod and law alike at first; the law that the run is compared with then is half a turn ahead: sin(θ − f) is still zero."""
    m = pendulum()
    m.motor("rod.angle", "0.3*t")
    run = simulate(m, 2.0)
    assert run.status.ok
    (motor,) = run.program.model.motors
    ahead = replace_law(run, motor.law + " + pi")
    assert accounted(ahead, 1e-6).status.code is Code.CONSTRAINTS_UNMET


def replace_law(run: Trajectory, law: str) -> Trajectory:
    import msgspec

    model = run.program.model
    motors = tuple(msgspec.structs.replace(motor, law=law) for motor in model.motors)
    program = replace(run.program, model=msgspec.structs.replace(model, motors=motors))
    return Trajectory(program, run.steps, run.t)
