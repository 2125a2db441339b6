"""The accelerations of random mechanisms are those of Newton's and Euler's equations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from grashof.dynamics.equations import Dynamics
from grashof.program import build
from grashof.system.system import System, compile_system

from .mechanisms import FORCES, MOTORS, PLANAR_FREEDOM, SPATIAL_FREEDOM, Structure, planar, redundant, spatial
from .states import AGREEMENT, accelerations_at, converged, in_motion

many = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def as_run(system: System) -> Dynamics:
    """With the ε and the refinements that a run has."""
    return build(system.model).dynamics


def disagreement(structure: Structure, choose: Callable[[System], Dynamics] = converged) -> float | None:
    """The largest difference between accelerations of points, relative to the largest; None if badly conditioned."""
    state = in_motion(structure)
    if state is None:
        return None
    bodies, second = state
    model = bodies.model
    dynamics = choose(compile_system(model))
    *_, found = accelerations_at(dynamics, bodies)
    expected = bodies.accelerations(second)
    largest, worst = 1.0, 0.0
    for reference in [point for point in model.points if not point.startswith("ground.")]:
        point = bodies.point(reference)
        classical = (point.jacobian @ expected + point.bias)[: model.dimension]
        ours = np.array([form.rate(found) for form in dynamics.system.point(reference)])
        largest = max(largest, float(np.max(np.abs(classical))))
        worst = max(worst, float(np.max(np.abs(ours - classical))))
    return worst / largest


def agree(structure: Structure) -> None:
    difference = disagreement(structure)
    assume(difference is not None)
    assert difference is not None
    assert difference <= AGREEMENT


@many
@given(planar)
def test_planar_mechanisms_accelerate_as_newton_and_euler_say(structure: Structure) -> None:
    agree(structure)


@many
@given(spatial)
def test_spatial_mechanisms_accelerate_as_newton_and_euler_say(structure: Structure) -> None:
    agree(structure)


@many
@given(redundant)
def test_redundant_mechanisms_accelerate_as_newton_and_euler_say(structure: Structure) -> None:
    agree(structure)


KINDS = [(2, kind) for kind in PLANAR_FREEDOM] + [(3, kind) for kind in SPATIAL_FREEDOM]
FREE = {2: "pin in slot", 3: "spherical"}


def worst_of_three(structure: Structure) -> float:
    found = [disagreement(replace(structure, seed=seed)) for seed in range(6)]
    good = [x for x in found if x is not None]
    assert len(good) >= 3, "too many are badly conditioned"
    return max(good)


@pytest.mark.parametrize(("dimension", "kind"), KINDS)
def test_every_joint_obeys_newton_and_euler_in_a_tree_and_in_a_loop(dimension: int, kind: str) -> None:
    free = (FREE[dimension], False)
    assert worst_of_three(Structure(dimension, (free, (kind, False), free, free), (kind,))) <= AGREEMENT


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("kind", FORCES)
def test_every_force_obeys_newton_and_euler(dimension: int, kind: str) -> None:
    tree = ((FREE[dimension], False), ("revolute", False))
    assert worst_of_three(Structure(dimension, tree, forces=(kind,))) <= AGREEMENT


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("kind", MOTORS)
def test_every_motor_obeys_newton_and_euler(dimension: int, kind: str) -> None:
    tree = ((FREE[dimension], False), (FREE[dimension], False))
    assert worst_of_three(Structure(dimension, tree, motors=(kind,))) <= AGREEMENT


HARD = {
    "levers of one to twelve": Structure(
        3, (("weld", True), ("distance", True)), ("revolute", "planar"), seed=666377068
    ),
    "welded bars": Structure(
        3,
        (("universal", False), ("planar", False), ("weld", True), ("weld", True), ("planar", True)),
        ("slider", "slider"),
        seed=176863200,
    ),
    "bars whose spin has no inertia": Structure(
        3,
        (("revolute", True), ("cylindrical", False), ("slider", True), ("cylindrical", True), ("cylindrical", False)),
        ("revolute", "cylindrical"),
        parallel=True,
        seed=1254364992,
    ),
    "a bar whose spin has little inertia": Structure(
        3,
        (("revolute", True), ("cylindrical", True), ("cylindrical", False), ("slider", False), ("cylindrical", True)),
        ("revolute", "cylindrical"),
        parallel=True,
        seed=1821338477,
    ),
    "levers of one to a hundred": Structure(
        3, (("universal", True), ("slider", False), ("slider", False)), ("cylindrical", "planar"), seed=1407150188
    ),
    "a bar whose spin has a millionth of the inertia": Structure(
        3,
        (("revolute", True), ("cylindrical", False), ("cylindrical", False)),
        ("cylindrical", "cylindrical"),
        parallel=True,
        seed=1087955903,
    ),
}


@pytest.mark.parametrize("name", HARD)
def test_what_a_run_evaluates_obeys_newton_and_euler_on_hard_mechanisms_too(name: str) -> None:
    """Redundant rows with large entries, M singular or nearly so: ε must not be seen."""
    difference = disagreement(HARD[name], as_run)
    assert difference is not None
    assert difference <= AGREEMENT
