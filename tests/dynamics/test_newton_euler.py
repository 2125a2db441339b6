"""The accelerations of random mechanisms are those of Newton's and Euler's equations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from grashof.program import build
from grashof.system.system import compile_system

from .mechanisms import FORCES, MOTORS, PLANAR_FREEDOM, SPATIAL_FREEDOM, Structure, planar, redundant, spatial
from .newton_euler import BodyCoordinates
from .rounding import ALLOWED, RUNS, UNIT
from .states import AGREEMENT, accelerations_at, converged, disturbed, in_motion

many = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def accelerations(bodies: BodyCoordinates, second: dict[str, float]) -> np.ndarray:
    """Those of all points of the mechanism, by Newton's and Euler's equations."""
    found, points = bodies.accelerations(second), map(bodies.point, moving_points(bodies))
    return np.array([(point.jacobian @ found + point.bias)[: bodies.model.dimension] for point in points])


def moving_points(bodies: BodyCoordinates) -> list[str]:
    return [point for point in bodies.model.points if not point.startswith("ground.")]


def disagreement(structure: Structure, as_run: bool = False) -> tuple[float, float] | None:
    """The largest difference between accelerations of points, relative to the largest, and how large it may be.

    as_run  with the ε and the refinements of a run; else with so many refinements that ε leaves no trace, and only
            rounding makes a difference: that of the state, which disturbed states show, and that of the dense solution.

    None if the mechanism is badly conditioned.
    """
    state = in_motion(structure)
    if state is None:
        return None
    bodies, second = state
    system = compile_system(bodies.model)
    dynamics = build(bodies.model).dynamics if as_run else converged(system, bodies)
    *_, found = accelerations_at(dynamics, bodies)
    ours = [[form.rate(found) for form in dynamics.system.point(point)] for point in moving_points(bodies)]
    expected = accelerations(bodies, second)
    largest = max(1.0, float(np.max(np.abs(expected))))
    difference = float(np.max(np.abs(ours - expected)))
    if as_run:
        return difference / largest, AGREEMENT
    rng = np.random.default_rng(1)
    others = [accelerations(disturbed(bodies, rng), second) for _ in range(RUNS)]
    noise = max(float(np.max(np.abs(other - expected))) for other in others)
    return difference / largest, ALLOWED * (noise / largest + UNIT * bodies.condition(second))


def agree(structure: Structure) -> None:
    found = disagreement(structure)
    assume(found is not None)
    assert found is not None
    difference, allowed = found
    assert difference <= allowed


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


def three_agree(structure: Structure) -> None:
    found = [disagreement(replace(structure, seed=seed)) for seed in range(6)]
    good = [x for x in found if x is not None]
    assert len(good) >= 3, "too many are badly conditioned"
    assert [(difference, allowed) for difference, allowed in good if difference > allowed] == []


@pytest.mark.parametrize(("dimension", "kind"), KINDS)
def test_every_joint_obeys_newton_and_euler_in_a_tree_and_in_a_loop(dimension: int, kind: str) -> None:
    free = (FREE[dimension], False)
    three_agree(Structure(dimension, (free, (kind, False), free, free), (kind,)))


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("kind", FORCES)
def test_every_force_obeys_newton_and_euler(dimension: int, kind: str) -> None:
    tree = ((FREE[dimension], False), ("revolute", False))
    three_agree(Structure(dimension, tree, forces=(kind,)))


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("kind", MOTORS)
def test_every_motor_obeys_newton_and_euler(dimension: int, kind: str) -> None:
    tree = ((FREE[dimension], False), (FREE[dimension], False))
    three_agree(Structure(dimension, tree, motors=(kind,)))


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
    found = disagreement(HARD[name], as_run=True)
    assert found is not None
    difference, allowed = found
    assert difference <= allowed
