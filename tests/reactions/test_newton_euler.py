"""Joint reactions are what Newton's and Euler's equations ask of the joints, body by body."""

from __future__ import annotations

import numpy as np
from hypothesis import HealthCheck, assume, given, settings

from grashof.motion.trajectory import Trajectory
from grashof.problems.andrews import PROBLEMS
from grashof.reactions import reactions
from grashof.simulation.simulate import simulate

from ..formulation.mechanisms import Structure, planar, redundant, spatial
from ..formulation.newton_euler import BodyCoordinates, turned
from ..formulation.states import AGREEMENT, in_motion
from .classical import DIGITS, Classical, moments

some = settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def agree(structure: Structure) -> None:
    """Both find the same reactions and call the same ones unique."""
    state = in_motion(structure)
    assume(state is not None)
    assert state is not None
    bodies, second = state
    found = reactions(moments(bodies.model, bodies))
    values, shares = Classical(bodies, found.length, second).solve()
    difference = np.max(np.abs(found.efforts[0] - values), initial=0.0)
    assert difference <= AGREEMENT * max(1.0, np.max(np.abs(values), initial=0.0))
    stressed = {name for name, share in zip(found.names[1:], shares, strict=True) if share > 1e-6}
    assert stressed == set(found.not_unique)


@some
@given(planar)
def test_planar_mechanisms_bear_what_newton_and_euler_say(structure: Structure) -> None:
    agree(structure)


@some
@given(spatial)
def test_spatial_mechanisms_bear_what_newton_and_euler_say(structure: Structure) -> None:
    agree(structure)


@some
@given(redundant)
def test_redundant_mechanisms_bear_the_smallest_reactions(structure: Structure) -> None:
    agree(structure)


def test_andrews_squeezer_bears_what_newton_and_euler_say() -> None:
    case = PROBLEMS[0].make("iftomm", {})
    run = simulate(case.model, case.t_end, tol=1e-9, times=11)
    found = reactions(run)
    for k in range(len(run.t)):
        values, _ = Classical(_bodies_of(run, k), found.length, {}).solve()
        assert np.max(np.abs(found.efforts[k] - values)) < DIGITS * np.max(np.abs(values))


def _bodies_of(run: Trajectory, k: int) -> BodyCoordinates:
    """Andrews' bodies at one of the run's times."""
    model = run.program.model
    poses = {"ground": (np.zeros(2), np.eye(2))}
    u = np.zeros(6 * len(model.bodies))
    for i, body in enumerate(model.bodies):
        name, origin = body.name, f"{body.name}.{body.name[0]}"
        place = np.array([run[f"{origin}.x"][k], run[f"{origin}.y"][k]])
        axes, rate = turned(run[f"{name}.angle"][k]), run[f"{name}.angle.rate"][k]
        poses[name] = (place, axes)
        arm = axes @ np.array(body.center)
        u[6 * i] = run[f"{origin}.x.rate"][k] - rate * arm[1]
        u[6 * i + 1] = run[f"{origin}.y.rate"][k] + rate * arm[0]
        u[6 * i + 5] = rate
    return BodyCoordinates(model, poses, u)


def test_the_reactions_of_andrews_squeezer_do_no_work() -> None:
    case = PROBLEMS[0].make("iftomm", {})
    run = simulate(case.model, case.t_end, tol=1e-9)
    found = reactions(run)
    total, gross = np.zeros(len(run.t)), np.zeros(len(run.t))
    for joint in case.model.joints:
        for axis in "xy":
            at = [run[f"{p}.{axis}.rate"] if not p.startswith("ground") else 0.0 for p in (joint.a, joint.b)]
            total += found[f"{joint.name}.f{axis}"] * (at[1] - at[0])
            gross += np.abs(found[f"{joint.name}.f{axis}"] * at[1])
    assert np.max(np.abs(total)) < DIGITS * np.max(gross)
