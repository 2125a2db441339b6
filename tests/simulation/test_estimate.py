"""The error estimate is not silenced by what limits the steps of both runs that are compared: caps, stops, fixed steps;
and rest is rest."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import grashof as gr
from grashof.common.status import Code
from grashof.integrate import Spacing
from grashof.simulation.options import Options
from grashof.simulation.task import prepare

FREQUENCY = math.sqrt(1.5 * 9.81)  # of small swings of a uniform bar of 1 m, rad/s


def pendulum(angle: float = 0.9, law: str | None = None) -> gr.Mechanism:
    """A uniform bar of 1 m, released at this angle from the horizontal."""
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    bar = m.bar("bar", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.need(bar.angle, value=angle, rate=0.0)
    if law is not None:
        m.torque(bar, law)
    return m


def swing(angle: float, t: np.ndarray) -> np.ndarray:
    """The angle of that bar by Jacobi's elliptic functions."""
    k = math.sin(0.5 * (angle + 0.5 * math.pi))
    sn = ellipj(ellipk(k * k) - FREQUENCY * t, k * k)[0]
    return np.asarray(2.0 * np.arcsin(k * sn) - 0.5 * math.pi)


@pytest.mark.parametrize(
    ("tol", "longest", "method"),
    [(1e-2, 0.1, "auto"), (1e-3, 0.08, "auto"), (1e-4, 0.05, "auto"), (1e-3, 0.02, "bs5"), (1e-2, 0.03, "dopri5")],
)
def test_a_longest_step_does_not_silence_the_estimate(tol: float, longest: float, method: str) -> None:
    run = gr.simulate(pendulum(), 300.0, tol=tol, times=201, max_step=longest, method=method)
    off = np.abs(run["bar.angle"] - swing(0.9, run.t))
    assert np.max(np.diff(run.steps.t)) <= longest * (1.0 + 1e-12)
    assert np.max(off) <= np.max(run.error_estimate("bar.angle"))
    assert run.status.ok
    assert np.max(off) <= tol


def test_a_function_of_which_only_values_are_known_does_not_silence_the_estimate() -> None:
    """It limits steps to a thousandth of the run; this one does nothing."""
    m = pendulum()
    m.user_force(lambda t, x, v: [[0.0 * t, 0.0]], ["bar.end"])
    run = gr.simulate(m, 100.0, tol=1e-2, times=101)
    off = np.abs(run["bar.angle"] - swing(0.9, run.t))
    assert np.max(off) <= np.max(run.error_estimate("bar.angle"))
    assert run.status.ok
    assert np.max(off) <= 1e-2


@pytest.mark.parametrize("options", [{"max_step": 5e-3}, {"method": "rk4", "step": 2e-3}, {"tol": 1e-2}])
def test_chaos_is_told_whatever_limits_the_steps(options: dict[str, object]) -> None:
    m = gr.Mechanism("double pendulum", gravity=(0, -9.81))
    one, two = m.bar("one", length=1.0, mass=1.0), m.bar("two", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    m.need(one.angle, value=2.5, rate=0.0)
    m.need(two.angle, value=2.0, rate=0.0)
    run = gr.simulate(m, 40.0, times=11, **{"tol": 1e-3, **options})  # type: ignore[arg-type]
    assert run.status.code is Code.TOLERANCE_UNMET
    assert run.error is not None
    assert run.error > 0.05


FAST = 1.3
"""The frequency of the wheel, rad/s."""


def wheel(half: float) -> gr.Mechanism:
    """On a torsion spring, driven by a square wave of half the given period."""
    m = gr.Mechanism("wheel")
    body = m.body("wheel", mass=1.0, inertia=1.0, points={"hub": (0, 0)})
    m.revolute(m.ground.at(0, 0), body.hub)
    m.torsion_spring(body, stiffness=FAST**2)
    m.torque(body, f"sign(sin(pi*t/{half}))")
    m.need(body.angle, value=0.4, rate=0.0)
    return m


def waves(half: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The times at which the wave changes its sign, and the angle then."""
    times, angle, rate = half * np.arange(count + 1), 0.4, 0.0
    found = [angle]
    for k, (begin, end) in enumerate(pairwise(times)):
        rest = (-1.0) ** k / FAST**2
        c, s = math.cos(FAST * (end - begin)), math.sin(FAST * (end - begin))
        angle, rate = rest + (angle - rest) * c + rate / FAST * s, rate * c - (angle - rest) * FAST * s
        found.append(angle)
    return times, np.array(found)


@pytest.mark.parametrize("half", [0.2, 0.9])
@pytest.mark.parametrize(
    ("tol", "method"), [(1e-2, "auto"), (1e-6, "auto"), (1e-3, "bs5"), (1e-9, "verner9"), (0.05, "rk4")]
)
def test_dense_stops_do_not_silence_the_estimate(half: float, tol: float, method: str) -> None:
    times, exact = waves(half, 600)
    step = {"step": 0.1} if method == "rk4" else {}
    run = gr.simulate(wheel(half), times[-1], tol=tol, times=times, method=method, **step)  # type: ignore[arg-type]
    off = np.max(np.abs(run["wheel.angle"] - exact))
    assert off <= np.max(run.error_estimate("wheel.angle")) + 1e-13 * len(times)
    assert run.status.ok
    assert off <= tol


def test_time_is_not_lost_at_kinks() -> None:
    """Steps end a few units in the last place before a kink and begin as many after it; thousands of these units must
    not add up."""
    times, exact = waves(0.2, 1500)
    run = gr.simulate(wheel(0.2), times[-1], tol=1e-11, times=times[::100])
    assert run.status.ok
    assert np.max(np.abs(run["wheel.angle"] - exact[::100])) < 1e-11


@pytest.mark.parametrize(("tol", "damping", "method"), [(1e-2, 200, "dopri5"), (1e-2, 200, "bs5"), (1e-4, 80, "auto")])
def test_steps_that_only_stability_limits_do_not_silence_the_estimate(tol: float, damping: float, method: str) -> None:
    """A wheel with a strong damper is beside the pendulum: its time constant, not the pendulum, decides on the steps at
    any tolerance."""
    m = pendulum()
    body = m.body("wheel", mass=1.0, inertia=1.0, points={"hub": (0, 0)})
    m.revolute(m.ground.at(3, 0), body.hub)
    m.need(body.angle, value=0.0, rate=1.0)
    m.torque(body, f"-{damping}*wheel.angle.rate")
    run = gr.simulate(m, 500.0, tol=tol, times=201, method=method)
    off = np.max(np.abs(run["bar.angle"] - swing(0.9, run.t)))
    assert off <= np.max(run.error_estimate("bar.angle"))
    assert run.status.ok
    assert off <= tol


def damped_tree(seed: int) -> tuple[gr.Mechanism, float]:
    """A random planar tree of bars with a strong damper in one of its joints, and for how long it moves."""
    rng = np.random.default_rng(seed)
    m = gr.Mechanism("tree", gravity=(0, -9.81))
    bars: list[Any] = []
    count = int(rng.integers(2, 5))
    strong = int(rng.integers(count))
    for k in range(count):
        length, mass = float(rng.uniform(0.3, 1.0)), float(rng.uniform(0.3, 3.0))
        bar = m.bar(f"bar {k}", length=length, mass=mass)
        m.revolute(bars[int(rng.integers(k))].end if k else m.ground.at(0, 0), bar.start, name=f"joint {k}")
        m.need(bar.angle, value=float(rng.uniform(-2.0, 1.0)), rate=float(rng.uniform(-1.0, 1.0)))
        bars.append(bar)
    for k in range(count):
        if k == strong:
            m.friction(f"joint {k}", viscous=float(10.0 ** rng.uniform(1.0, 3.2)), name="strong damper")
        elif rng.random() < 0.6:
            m.friction(f"joint {k}", viscous=float(10.0 ** rng.uniform(-2.0, 0.5)), name=f"damper {k}")
    return m, float(rng.uniform(2.0, 8.0))


@pytest.mark.parametrize(("seed", "tol", "method"), [(0, 1e-2, "dop853"), (9, 1e-3, "dop853"), (13, 1e-2, "bs5")])
def test_nor_do_they_in_a_tree_whose_other_joints_move_freely(seed: int, tol: float, method: str) -> None:
    """With steps of the same length, errors depend on chance, and those of two runs may be alike."""
    m, end = damped_tree(seed)
    run = gr.simulate(m, end, tol=tol, times=201, method=method, formulation="relative")
    best = gr.simulate(m, end, tol=1e-9, times=201, method="radau9", formulation="natural", check_error=False)
    assert run.status.ok
    for name in [f"{body.name}.angle" for body in m.model.bodies if body.name != "ground"]:
        assert np.max(np.abs(run[name] - best[name])) <= np.max(run.error_estimate(name))


@pytest.mark.parametrize("options", [{"step": 2.0}, {"step": 0.5, "max_step": 0.2}, {"step": 0.4}])
def test_fixed_steps_never_compare_with_themselves(options: dict[str, float]) -> None:
    """A wheel on a spring, for less than one swing: even a single step is compared with others."""
    m = gr.Mechanism("wheel")
    body = m.body("wheel", mass=1.0, inertia=1.0, points={"hub": (0, 0)})
    m.revolute(m.ground.at(0, 0), body.hub)
    m.torsion_spring(body, stiffness=0.25)
    m.need(body.angle, value=0.4, rate=0.0)
    run = gr.simulate(m, 1.0, method="rk4", times=[1.0], **options)  # type: ignore[arg-type]
    off = abs(run["wheel.angle"][-1] - 0.4 * math.cos(0.5))
    assert off > 1e-9
    assert off <= run.error_estimate("wheel.angle")[-1]


def test_fixed_steps_are_equal_between_stops() -> None:
    program = gr.build(wheel(0.25))
    task = prepare(program, 1.0, Options(tol=1e-3, method="rk4", step=0.1))
    for spacing, count in ((Spacing(), 3), (Spacing(parts=2), 6), (Spacing(scale=2.0), 2)):
        t = task.run(replace(task.attempt(), spacing=spacing)).t
        sizes = np.diff(t)[np.diff(t) > 1e-9]
        assert len(sizes) == 4 * count
        assert sizes == pytest.approx(0.25 / count, abs=1e-9)


def resting(stiffness: float, away: float, damping: float = 0.0) -> gr.Mechanism:
    """A chain of bars at some distance from the origin, held by springs that are not strained."""
    m = gr.Mechanism("chain")
    at = m.ground.at(away, -2.0 * away)
    for k, angle in enumerate((0.3, -2.1, 1.4)):
        bar = m.bar(f"bar {k}", length=0.3, mass=10.0**-k)
        m.revolute(at, bar.start)
        m.torsion_spring(bar, stiffness=stiffness, damping=damping, rest=angle)
        m.need(bar.angle, value=angle, rate=0.0)
        at = bar.end
    return m


@pytest.mark.parametrize("tol", [1e-2, 1e-4, 1e-6])
@pytest.mark.parametrize(("stiffness", "away", "damping"), [(1.0, 0.0, 0.0), (30.0, 3.0, 0.0), (0.1, 3.0, 1e-3)])
def test_a_mechanism_at_rest_is_at_rest(stiffness: float, away: float, damping: float, tol: float) -> None:
    """Its velocities are round-off, in which no two runs agree."""
    run = gr.simulate(resting(stiffness, away, damping), 3.0, tol=tol)
    assert run.status.ok
    assert run.error is not None
    assert run.error <= tol
    assert np.ptp(run["bar 2.end.x"]) < 1e-12 * (1.0 + away)


def test_small_swings_are_not_taken_for_rest() -> None:
    """Swings of a millionth of a radian have all their digits: fixed steps that lose half of the speed are no
    success."""
    m = pendulum(-0.5 * math.pi + 1e-6)
    assert gr.simulate(m, 10.0, tol=1e-6).status.ok
    assert not gr.simulate(m, 10.0, method="rk4", step=0.4).status.ok
