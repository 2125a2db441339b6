"""Mobility, which is counted with twists, against the engine's coordinates, which know nothing of twists."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grashof.assembly.positions import closed_position
from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.system import compile_system
from grashof.freedoms.mobility import mobility
from grashof.freedoms.twists import motions
from grashof.model.mechanism import Mechanism

from ..linkages import (
    SARRUS,
    arch,
    bennett,
    block,
    bricard,
    door,
    flat_window_on_an_upright_one,
    four_bar_in_space,
    parallelogram,
    piston_driven,
    planar_four_bar,
    revolute_loop,
    rssr,
    slider_crank,
    sliding_on_parallel_axes,
    spherical_four_bar,
    table,
    wedges,
    welded_twice,
    windows_lying_flat,
)

ASSEMBLED = [
    planar_four_bar(),
    slider_crank(),
    slider_crank(motor="0.7 + t"),
    piston_driven(0.7),
    piston_driven(0.0),
    parallelogram(2),
    parallelogram(4),
    windows_lying_flat(1),
    windows_lying_flat(2),
    flat_window_on_an_upright_one(),
    arch(0.0),
    arch(1.0),
    wedges(),
    four_bar_in_space(),
    four_bar_in_space((1, 2, -1)),
    spherical_four_bar(),
    bennett(),
    bricard(),
    revolute_loop("Sarrus", *SARRUS),
    rssr(slender=True),
    rssr(slender=False),
    sliding_on_parallel_axes(),
    door(),
    welded_twice(2),
    welded_twice(3),
    table(5),
    table(6),
]
"""One of everything that can be assembled."""


@pytest.mark.parametrize("mechanism", ASSEMBLED, ids=lambda m: m.name)
def test_the_presolved_system_has_the_same_degrees_of_freedom(mechanism: Mechanism) -> None:
    assert mobility(mechanism).dof == freedom_of_the_presolved_system(mechanism)


def freedom_of_the_presolved_system(mechanism: Mechanism) -> int:
    """n − rank J, with motors."""
    dynamics = make_dynamics(compile_system(mechanism.model))
    q = closed_position(dynamics).q
    jacobian = np.zeros((dynamics.system.m, dynamics.n))
    for k, row in enumerate(dynamics.rows.by_row(dynamics.rows.jacobian(mechanism.time, list(q)))):
        for i, x in row.items():
            jacobian[k, i] = x
    return dynamics.n - (int(np.linalg.matrix_rank(jacobian, rtol=1e-8)) if jacobian.size else 0)


@pytest.mark.parametrize("mechanism", ASSEMBLED, ids=lambda m: m.name)
def test_what_joints_repeat_they_hold_themselves(mechanism: Mechanism) -> None:
    """Redundant directions are orthonormal and among those that the joint holds."""
    dynamics = make_dynamics(compile_system(mechanism.model))
    q = closed_position(dynamics).q
    here = motions(dynamics.system, mechanism.time, q)
    for joint, rows in here.repeated.items():
        held = here.holds[joint].holds
        assert np.allclose(rows @ rows.T, np.eye(len(rows)), atol=1e-12)
        assert np.allclose(rows @ held.T @ held, rows, atol=1e-12)


# -- at random

SPATIAL_JOINTS = {
    "revolute": (1, lambda m, a, b, u, w, **name: m.revolute(a, b, axis=u, **name)),
    "prismatic": (1, lambda m, a, b, u, w, **name: m.prismatic(a, b, axis=u, **name)),
    "cylindrical": (2, lambda m, a, b, u, w, **name: m.cylindrical(a, b, axis=u, **name)),
    "universal": (2, lambda m, a, b, u, w, **name: m.universal(a, b, axis_a=u, axis_b=np.cross(u, w), **name)),
    "spherical": (3, lambda m, a, b, u, w, **name: m.spherical(a, b, **name)),
    "planar": (3, lambda m, a, b, u, w, **name: m.planar(a, b, normal=u, **name)),
    "weld": (0, lambda m, a, b, u, w, **name: m.weld(a, b, **name)),
}
"""Each with the freedoms it leaves, from any textbook."""


trees = st.lists(st.tuples(st.sampled_from(sorted(SPATIAL_JOINTS)), st.integers(0, 7)), min_size=1, max_size=7)


@given(trees.filter(lambda tree: any(kind != "weld" for kind, _ in tree)), st.integers(0, 999))
@example(
    [("prismatic", 0), *(("cylindrical", k) for k in (0, 0, 0, 1, 4, 2))], 790
)  # round-off of 1.6e-12 is no equation
@settings(max_examples=40, deadline=None)
def test_a_tree_has_the_freedoms_of_its_joints_and_nothing_redundant(tree: list[tuple[str, int]], seed: int) -> None:
    rng = np.random.default_rng(seed)
    m = Mechanism("tree", dimension=3)
    points = [lambda place: m.ground.at(*place)]
    for number, (kind, parent) in enumerate(tree):
        where, u, w = rng.normal(size=(3, 3))
        points.append(block(m, f"body{number}", where))
        SPATIAL_JOINTS[kind][1](m, points[parent % (len(points) - 1)](where), points[-1](where), u, w)
    report = mobility(m)
    assert report.dof == sum(SPATIAL_JOINTS[kind][0] for kind, _ in tree) == report.gruebler
    assert (report.redundant, report.repeats, report.singular) == (0, (), False)
    assert report.dof == freedom_of_the_presolved_system(m)


@given(st.integers(4, 8), st.integers(0, 999))
@settings(max_examples=25, deadline=None)
def test_a_loop_of_parallel_axes_has_three_freedoms_fewer_than_it_has_joints(count: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    pins = rng.normal(size=(count, 3))
    report = mobility(revolute_loop("ring", pins, [axis] * count))
    assert (report.dof, report.redundant) == (count - 3, 3)
    assert report.repeats[0].kind == "planar"


nets = st.lists(
    st.tuples(st.sampled_from(sorted(SPATIAL_JOINTS)), st.integers(0, 4), st.integers(0, 4)).filter(
        lambda x: x[1] != x[2]
    ),
    min_size=1,
    max_size=9,
)


@given(nets, st.integers(0, 999), st.booleans())
@settings(max_examples=60, deadline=None)
def test_twists_and_presolved_coordinates_agree_on_random_nets(
    net: list[tuple[str, int, int]], seed: int, aligned: bool
) -> None:
    """Four bodies and the ground, joined at random; `aligned`: at whole numbers and along the world's axes, so that
    much repeats."""
    rng = np.random.default_rng(seed)
    m = Mechanism("net", dimension=3)
    points = [lambda place: m.ground.at(*place), *(block(m, f"body{i}") for i in range(4))]
    block(m, "bystander")
    for number, (kind, a, b) in enumerate(net):
        where, u, w = rng.normal(size=(3, 3))
        if aligned:
            where, u, w = rng.integers(-2, 3, size=3).astype(float), *np.eye(3)[rng.permutation(3)[:2]]
        SPATIAL_JOINTS[kind][1](m, points[a](where), points[b](where), u, w, name=f"joint{number}")
    report = mobility(m)
    assert report.dof == freedom_of_the_presolved_system(m)
    assert report.dof == report.gruebler + report.redundant
    assert report.redundant == sum(repeat.count for repeat in report.repeats)
