"""Mechanisms, programs and results can be sent to another process: they are rebuilt from data on arrival, and give
the same bits."""

from __future__ import annotations

import pickle
import subprocess
import sys

import numpy as np
import pytest

import grashof as gr
from grashof.motion.trajectory import Trajectory
from grashof.problems import make_case
from grashof.program import Program
from tests.sweeps.mechanisms import slider_crank


@pytest.fixture(scope="module")
def run() -> Trajectory:
    return gr.simulate(slider_crank(), 0.5, times=11)


def test_a_mechanism_can_be_built_on_after_the_journey() -> None:
    m = gr.Mechanism("pendulum", gravity=(0.0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), rod.start)
    other = pickle.loads(pickle.dumps(m))
    assert other.model == m.model
    other.bar("more", length=1.0, mass=1.0)
    assert len(other.model.bodies) == 2


@pytest.mark.parametrize("name", ["andrews", "double-four-bar"])
def test_a_program_runs_alike(name: str) -> None:
    case = make_case(name)
    program = gr.build(case.model)
    other = pickle.loads(pickle.dumps(program))
    assert isinstance(other, Program)
    assert other.relations == program.relations
    one, two = (gr.simulate(each, 0.1 * case.t_end, times=5) for each in (program, other))
    assert np.array_equal(one.y, two.y)


def test_a_program_with_another_start_keeps_it() -> None:
    program = gr.build(slider_crank())
    moved = program.started(program.assembly.q, 0.5 * program.assembly.v)
    other = pickle.loads(pickle.dumps(moved))
    assert np.array_equal(other.assembly.v, moved.assembly.v)


def test_a_result_has_the_same_numbers_and_error_estimates(run: Trajectory) -> None:
    other = pickle.loads(pickle.dumps(run))
    assert other.status == run.status
    assert np.array_equal(other.y, run.y)
    for name in ("rod.end.x", "energy", "violation.position"):
        assert np.array_equal(other[name], run[name])
    assert np.array_equal(other.error_estimate("rod.end.x"), run.error_estimate("rod.end.x"))


def test_another_process_reads_the_same_bits(run: Trajectory) -> None:
    code = "import pickle, sys; sys.stdout.buffer.write(pickle.load(sys.stdin.buffer)['rod.end.x'].tobytes())"
    done = subprocess.run([sys.executable, "-c", code], input=pickle.dumps(run), capture_output=True, check=True)
    assert np.array_equal(np.frombuffer(done.stdout), run["rod.end.x"])
