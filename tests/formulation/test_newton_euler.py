"""The accelerations of random mechanisms are those of Newton's and Euler's equations."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.system import compile_system
from grashof.program import build

from .mechanisms import FORCES, MOTORS, PLANAR_FREEDOM, SPATIAL_FREEDOM, Structure, planar, redundant, spatial
from .newton_euler import BodyCoordinates
from .rounding import ALLOWED, UNIT
from .states import AGREEMENT, accelerations_at, converged, disturbed, in_motion

many = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def classical(bodies: BodyCoordinates, second: dict[str, float]) -> np.ndarray:
    """The accelerations of all points of the mechanism, by Newton's and Euler's equations."""
    found, points = bodies.accelerations(second), map(bodies.point, moving_points(bodies))
    return np.array([(point.jacobian @ found + point.bias)[: bodies.model.dimension] for point in points])


def natural(bodies: BodyCoordinates, dynamics: Dynamics) -> np.ndarray:
    """The same in natural coordinates."""
    *_, found = accelerations_at(dynamics, bodies)
    return np.array([[form.rate(found) for form in dynamics.system.point(point)] for point in moving_points(bodies)])


def moving_points(bodies: BodyCoordinates) -> list[str]:
    return [point for point in bodies.model.points if not point.startswith("ground.")]


def apart(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.max(np.abs(a - b)))


def disagreement(structure: Structure) -> tuple[float, float] | None:
    """The largest difference between accelerations of points, relative to the largest, and how large it may be.

    It is rounding alone: what that does to either result is seen where the state is disturbed by a rounding, and the
    dense solution has some of its own. None if the mechanism is so badly conditioned that this is more than AGREEMENT.
    """
    state = in_motion(structure)
    if state is None:
        return None
    bodies, second = state
    dynamics = converged(compile_system(bodies.model), bodies)
    expected, found = classical(bodies, second), natural(bodies, dynamics)
    rng = np.random.default_rng(1)
    others = [disturbed(bodies, rng) for _ in range(3)]
    noise = max(apart(classical(other, second), expected) for other in others)
    noise += max(apart(natural(other, dynamics), found) for other in others)
    size = max(1.0, apart(expected, np.zeros_like(expected)))
    allowed = ALLOWED * (noise + bodies.rounding(second, UNIT)) / size
    return (apart(found, expected) / size, allowed) if allowed < AGREEMENT else None


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
    state = in_motion(HARD[name])
    assert state is not None
    bodies, second = state
    expected = classical(bodies, second)
    found = natural(bodies, build(bodies.model).dynamics)
    assert apart(found, expected) <= AGREEMENT * apart(expected, np.zeros_like(expected))
