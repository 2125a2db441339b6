"""A four-bar whose branch crosses itself, with a pendulum on it and a damper: two degrees of freedom through its
node."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr

from .four_bars import FourBar, nearly_flat


def four_bar_with_pendulum(crank_length: float = 1.0) -> gr.Mechanism:
    """Ground 4 m, crank 1 m, coupler 3 m, rocker 2 m: 4 + 1 = 3 + 2, so that all lie in one line now and then."""
    m = gr.Mechanism("change point", gravity=(0, -9.81))
    crank = m.bar("crank", length=crank_length, mass=1.0)
    coupler = m.bar("coupler", length=3.0, mass=1.0)
    rocker = m.bar("rocker", length=2.0, mass=1.0)
    pendulum = m.bar("pendulum", length=0.7, mass=0.8)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(m.ground.at(4, 0), rocker.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(coupler.end, pendulum.start)
    m.spring(m.ground.at(2, -2), coupler.end, stiffness=3.0, damping=0.5, length=1.0, name="damper")
    m.guess(coupler, (0, -1), angle=-0.2)
    m.guess(rocker, (4, 0), angle=-2.0)
    m.guess(pendulum, (3, -1), angle=-1.0)
    m.need(crank.angle, value=-1.5, rate=9.0)
    m.need(pendulum.angle, value=-1.0, rate=0.0)
    return m


@pytest.fixture(scope="module")
def best() -> gr.Trajectory:
    return gr.simulate(four_bar_with_pendulum(), 2.5, tol=1e-10, times=251)


@pytest.mark.parametrize(("tol", "method"), [(1e-9, "dop853"), (1e-6, "auto"), (1e-6, "bs5"), (1e-4, "dopri5")])
def test_all_methods_agree_behind_its_node(best: gr.Trajectory, tol: float, method: str) -> None:
    run = gr.simulate(best.program, 2.5, tol=tol, method=method, times=251)
    assert run.status.ok
    assert run.steps.crossings
    for name in ("crank.end.x", "pendulum.end.x", "pendulum.end.y"):
        assert np.abs(run[name] - best[name]).max() < 30.0 * tol


def test_its_energy_goes_into_the_damper_alone(best: gr.Trajectory) -> None:
    assert best.status.ok
    assert len(best.steps.crossings) == 2
    assert np.abs(best["balance"]).max() < 1e-9 * np.ptp(best["potential"])
    assert best["work.damper"][-1] < -1.0


def test_a_node_that_is_missed_by_a_hair_is_passed_with_small_steps() -> None:
    """The crank is a twentieth of a millimetre short: there is no singular position, but two that come near to each
    other."""
    program = gr.build(four_bar_with_pendulum(0.99995))
    fine, coarse = (gr.simulate(program, 1.0, tol=tol, times=101) for tol in (1e-10, 1e-7))
    assert fine.status.ok
    assert coarse.status.ok
    assert not fine.steps.crossings
    assert np.abs(fine["pendulum.end.x"] - coarse["pendulum.end.x"]).max() < 1e-5


NEAR = 2.0, 1.0, 2.5


def elbow_error(run: gr.Trajectory, four_bar: FourBar, angle: np.ndarray) -> float:
    """How far the elbow is from where it has to be, m."""
    found = np.stack([run["coupler.end.x"], run["coupler.end.y"]], axis=1)
    return float(np.abs(found - four_bar.elbow(angle)).max())


@pytest.mark.parametrize(("margin", "tol"), [(1e-4, 1e-3), (1e-4, 1e-4)])
def test_a_falling_four_bar_that_never_lies_in_one_line_keeps_its_elbow(margin: float, tol: float) -> None:
    """Its crank may be late by some tolerances, but the elbow belongs to where the crank is."""
    four_bar = FourBar(*NEAR, 1.5 + margin)
    m = four_bar.at(0.5 * np.pi)
    m.need("crank.angle", rate=8.0)
    run = gr.simulate(m, 4.0, tol=tol)
    assert run.status.ok
    assert elbow_error(run, four_bar, run["crank.angle"]) < 1e-9


@pytest.mark.parametrize(("margin", "tol"), [(1e-6, 1e-4), (1e-6, 1e-6), (1e-9, 1e-6)])
def test_a_driven_four_bar_that_never_lies_in_one_line_keeps_its_elbow(margin: float, tol: float) -> None:
    four_bar = FourBar(*NEAR, 1.5 + margin)
    run = gr.simulate(four_bar.driven(0.5 * np.pi, 1.0), 10.0, tol=tol)
    assert run.status.ok
    assert elbow_error(run, four_bar, 0.5 * np.pi + run.t) < 1e-9


@pytest.mark.parametrize("tol", [1e-2, 1e-3, 1e-5])
def test_random_four_bars_that_never_lie_in_one_line_keep_their_elbow(tol: float) -> None:
    rng = np.random.default_rng(17)
    for _ in range(6):
        four_bar, angle = nearly_flat(rng, 1e-6, 1e-1), float(rng.uniform(0.7, 2.4))
        rate = float(rng.choice([-1.0, 1.0]) * rng.uniform(0.3, 3.0))
        run = gr.simulate(four_bar.driven(angle, rate), 7.0 / abs(rate), tol=tol, times=101)
        assert run.status.ok
        assert elbow_error(run, four_bar, angle + rate * run.t) < 1e-8


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-6])
def test_what_is_missed_too_narrowly_is_right_or_told(tol: float) -> None:
    """Next to a singular position the regularised equations hold nothing: a margin of 1e-11 m cannot be seen."""
    rng = np.random.default_rng(18)
    for _ in range(2):
        four_bar, angle = nearly_flat(rng, 1e-12, 1e-10), float(rng.uniform(0.7, 2.4))
        run = gr.simulate(four_bar.driven(angle, 1.0), 7.0, tol=tol, times=101)
        assert not run.status.ok or elbow_error(run, four_bar, angle + run.t) < 10.0 * tol


def test_a_true_change_point_is_passed_at_a_loose_tolerance() -> None:
    """Where it is met exactly the elbow changes sides with every half turn of a motor."""
    four_bar, other = FourBar(*NEAR, 1.5), FourBar(*NEAR, 1.5, side=-1)
    run = gr.simulate(four_bar.driven(0.5 * np.pi, 1.0), 5.0, tol=1e-3, times=101)
    assert run.status.ok
    angle = 0.5 * np.pi + run.t
    expected = np.where((angle < 2.0 * np.pi)[:, None], four_bar.elbow(angle), other.elbow(angle))
    found = np.stack([run["coupler.end.x"], run["coupler.end.y"]], axis=1)
    assert np.abs(found - expected).max() < 1e-3
