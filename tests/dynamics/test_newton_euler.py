"""The accelerations of random mechanisms are those of Newton's and Euler's equations."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from grashof.dynamics.equations import Dynamics, make_dynamics
from grashof.model.model import Model
from grashof.model.motors import Motor
from grashof.model.rotations import rotation_matrix
from grashof.program import build
from grashof.system.system import System, compile_system

from .mechanisms import (
    FORCES,
    MOTORS,
    PLANAR_FREEDOM,
    SPATIAL_FREEDOM,
    Structure,
    build_model,
    planar,
    redundant,
    spatial,
)
from .newton_euler import BodyCoordinates

Array = np.ndarray

AGREEMENT = 1e-8
"""Relative to the largest acceleration; mechanisms whose equations are worse conditioned than CONDITION are left out, so that
either side has at least this many correct digits."""
CONDITION = 1e5

many = settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def converged(system: System) -> Dynamics:
    """The equations themselves: so many refinements that ε has left no trace."""
    return make_dynamics(system, refinements=4)


def as_run(system: System) -> Dynamics:
    """With the ε and the refinements that a run has."""
    return build(system.model).dynamics


def guessed_poses(model: Model) -> dict[str, tuple[Array, Array]]:
    poses = {"ground": (np.zeros(model.dimension), np.eye(model.dimension))}
    for name, pose in model.start.guesses.items():
        if model.dimension == 3:
            rotation = rotation_matrix(pose.rotation)
        else:
            c, s = math.cos(pose.angle), math.sin(pose.angle)
            rotation = np.array([[c, -s], [s, c]])
        poses[name] = (np.array(pose.position), rotation)
    return poses


def rank_of(matrix: Array) -> int | None:
    """The rank, None if it is in doubt."""
    s = np.linalg.svd(matrix, compute_uv=False)
    rank = int(np.sum(s > 1e-9 * s[0]))
    return rank if s[rank - 1] > s[0] / CONDITION else None


def admissible_velocities(jacobian: Array, rank: int, rng: np.random.Generator) -> Array:
    """Random velocities with J u = 0."""
    free = np.linalg.svd(jacobian)[2][rank:].T
    u: Array = free @ rng.normal(size=free.shape[1])
    return u


def with_fitting_motors(
    model: Model, bodies: BodyCoordinates, rng: np.random.Generator
) -> tuple[Model, dict[str, float]]:
    """The motors' laws made to start where the mechanism is, as fast as it moves, with some acceleration."""
    motors, second = [], {}
    for motor in model.motors:
        measure = bodies.measure(model.all_measures[motor.target])
        second[motor.name] = float(rng.normal())
        law = f"{float(measure.value)!r} + {float(measure.rate)!r}*t + {0.5 * second[motor.name]!r}*t*t"
        motors.append(Motor(motor.name, motor.target, law))
    return msgspec.structs.replace(model, motors=tuple(motors)), second


def coordinates_of(system: System, bodies: BodyCoordinates) -> tuple[Array, Array]:
    """q and v of the natural coordinates, from poses and velocities: all of a body's points and directions say them."""
    size = system.dimension
    rows, values, rates = [], [], []
    for name in bodies.names:
        frame = system.frames[name]
        origin = bodies._carried(
            name,
            bodies.origins[name] + bodies.axes[name] @ _wide(frame.origin_local),
            bodies.origins[name] + bodies.axes[name] @ _wide(frame.origin_local) - bodies.centers[name],
            moves=True,
        )
        arrows = [bodies.arrow(name, tuple(local)) for local in frame.directions_local]
        for forms, known in zip([frame.origin, *frame.directions], [origin, *arrows], strict=True):
            for form, value, rate in zip(forms, known.value[:size], known.rate[:size], strict=True):
                row = np.zeros(system.n)
                row[list(form.terms)] = list(form.terms.values())
                rows.append(row)
                values.append(value - form.constant)
                rates.append(rate)
    q, *_ = np.linalg.lstsq(np.array(rows), np.array(values))
    v, *_ = np.linalg.lstsq(np.array(rows), np.array(rates))
    return q, v


def _wide(x: tuple[float, ...]) -> Array:
    wide = np.zeros(3)
    wide[: len(x)] = x
    return wide


def disagreement(structure: Structure, choose: Callable[[System], Dynamics] = converged) -> float | None:
    """The largest difference between accelerations of points, relative to the largest; None if badly conditioned."""
    rng = np.random.default_rng(structure.seed + 1)
    model = build_model(structure)
    still = BodyCoordinates(model, guessed_poses(model))
    jacobian, _ = still.constraints()
    rank = rank_of(jacobian)
    if rank is None:
        return None
    u = np.zeros(still.size)
    u[still.free] = admissible_velocities(jacobian, rank, rng)
    model, second = with_fitting_motors(model, BodyCoordinates(model, guessed_poses(model), u), rng)
    bodies = BodyCoordinates(model, guessed_poses(model), u)
    jacobian, _ = bodies.constraints(second)
    # a motor on what is already determined asks for the impossible
    if rank_of(jacobian) != rank + len(model.motors):
        return None

    dynamics = choose(compile_system(model))
    q, v = coordinates_of(dynamics.system, bodies)
    turns = [float(bodies.measure(model.all_measures[name]).value) for name in dynamics.system.tracked]
    found, _ = dynamics.accelerations(dynamics.motion(0.0, list(q), list(v), turns))
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
