"""A compiled mechanism: its size, its freedoms and its energies."""

from __future__ import annotations

from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.system import compile_system
from grashof.model.mechanism import Mechanism
from grashof.problems import make_case

from .mechanisms import Structure, build_model, planar, redundant, spatial
from .newton_euler import BodyCoordinates
from .states import admissible_velocities, coordinates_of, guessed_poses, rank_of

many = settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@pytest.mark.parametrize(
    ("problem", "modelled", "coordinates", "rows"),
    [("andrews", 28, 8, 7), ("double-four-bar", 20, 6, 5), ("multiple-four-bar", None, 60, 55)],
)
def test_the_benchmarks_shrink_to_the_design_s_size(
    problem: str, modelled: int | None, coordinates: int, rows: int
) -> None:
    system = compile_system(make_case(problem).model)
    assert (system.n, system.m) == (coordinates, rows)
    assert modelled is None or system.modelled == modelled


def test_a_free_body_has_all_its_coordinates() -> None:
    """In space a point and three directions: twelve numbers, six rows."""
    m = Mechanism("free", dimension=3)
    m.body("stone", mass=1.0, inertia=(1.0, 1.5, 2.0), points={"p": (0.1, 0.2, 0.3)})
    system = compile_system(m.model)
    assert (system.n, system.m) == (12, 6)


def test_a_bar_between_ball_joints_is_its_two_ends() -> None:
    """No spin coordinate: six numbers and one row; both ends held leaves nothing of them."""
    m = Mechanism("bar", dimension=3)
    bar = m.bar("bar", mass=1.0, length=1.0)
    m.spherical(m.ground.at(0, 0, 0), bar.start)
    system = compile_system(m.model)
    assert (system.n, system.m) == (3, 1)


def holds_everywhere(structure: Structure) -> None:
    """Freedoms and kinetic and potential energies are those of the bodies' own velocities."""
    model = build_model(structure)
    poses = guessed_poses(model)
    still = BodyCoordinates(model, poses)
    jacobian, _ = still.constraints()
    rank = rank_of(jacobian)
    assume(rank is not None)
    assert rank is not None
    u = np.zeros(still.size)
    u[still.free] = admissible_velocities(jacobian, rank, np.random.default_rng(structure.seed + 2))
    bodies = BodyCoordinates(model, poses, u)
    dynamics = make_dynamics(compile_system(model))
    system = dynamics.system
    q, v = coordinates_of(system, bodies)

    rows = np.zeros((len(system.rows), system.n))
    for k, row in enumerate(system.rows):
        for a, slope in row.expression.gradient(list(q)).items():
            rows[k, a] = slope
    spinning = sum(model.dimension == 3 and is_bar for _, is_bar in structure.tree)
    freedom = system.n - np.linalg.matrix_rank(rows, tol=1e-8)
    assert still.free.size - rank - spinning <= freedom <= still.free.size - rank

    kinetic = 0.5 * u[bodies.free] @ bodies.mass_matrix() @ u[bodies.free]
    assert dynamics.energies.kinetic(list(v)) == pytest.approx(kinetic, rel=1e-10)
    gravity = np.array([*model.gravity, 0.0])[:3]
    height = -sum(body.mass * (gravity @ bodies.centers[body.name]) for body in model.bodies)
    assert system.gravity.at(list(q)) == pytest.approx(height, rel=1e-10, abs=1e-9)

    scale = max(1.0, float(np.max(np.abs(q))))
    for joint in model.joints:
        for equation in joint.equations(system):
            value = equation if isinstance(equation, float) else equation.at(list(q))
            assert abs(value) < 1e-9 * scale, joint.name


@many
@given(planar)
def test_planar_systems_keep_freedoms_and_energies(structure: Structure) -> None:
    holds_everywhere(structure)


@many
@given(spatial)
def test_spatial_systems_keep_freedoms_and_energies(structure: Structure) -> None:
    holds_everywhere(structure)


@many
@given(redundant)
def test_redundant_systems_keep_freedoms_and_energies(structure: Structure) -> None:
    holds_everywhere(structure)


def test_kinetic_energies_at_many_velocities_are_those_at_each() -> None:
    """To the last bit, also where they do not fit into memory at once."""
    dynamics = make_dynamics(compile_system(make_case("multiple-four-bar").model))
    v = np.random.default_rng(8).normal(size=(7, dynamics.n))
    each = [dynamics.energies.kinetic(row.tolist()) for row in v]
    assert dynamics.energies.kinetic_energies(v).tolist() == each
    with patch("grashof.formulation.natural.energies.AT_ONCE", 2 * len(dynamics.system.mass)):
        assert dynamics.energies.kinetic_energies(v).tolist() == each
