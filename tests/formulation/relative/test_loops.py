"""Closed loops in relative coordinates: accelerations, motions, redundant loops and singular positions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from campaign.suites import near_misses
from campaign.trees import random_tree

import grashof as gr
from grashof.assembly.assembled_model import assemble_model
from grashof.branch.equations import Findings
from grashof.common.status import Code
from grashof.formulation.relative.equations import Relative
from grashof.formulation.relative.tree import make_tree
from grashof.model.mechanism import as_model
from grashof.program.structure import Place
from tests.linkages import bennett, bricard, four_bar_in_space, spherical_four_bar


def looped(m: gr.Mechanism) -> tuple[Relative, list[float]]:
    """A mechanism over its tree, and a state on its rows with random velocities, x = [t, y]."""
    found = assemble_model(as_model(m))
    dynamics, start = Place(found.dynamics, found.assembly).reduce(Findings()).dynamics, found.assembly
    begin = [start.time, *dynamics.start_state(start.q, start.v, start.angles).tolist()]
    relative = Relative(dynamics, make_tree(dynamics.model)).with_rows_of(dynamics, begin)
    layout, y = relative.layout, relative.own_state(begin)
    y[layout.of_v] = (0.5 * relative.length * np.random.default_rng(1).normal(size=layout.nv)).tolist()
    for _ in range(4):
        *y, left = relative.project([start.time, *y])
    assert left < 1e-26
    return relative, [start.time, *y]


def assert_accelerates_as_in_natural_coordinates(m: gr.Mechanism, refined: int = 60) -> Relative:
    relative, x = looped(m)
    natural, n, own = relative.natural, relative.natural.n, relative.layout.of_a
    rates, extra = relative.derivative(x), relative.layout.split(x)[3]
    seen = relative.naturally(x, rates[own])
    q, v, a = seen[:n], seen[n : 2 * n], seen[2 * n :]
    assert np.max(np.abs(natural.rows.violation(x[0], q))) < 1e-11
    assert np.max(np.abs(natural.rows.dense(natural.rows.jacobian(x[0], q)) @ v)) < 1e-11 * max(1.0, *map(abs, v))
    expected = np.array(natural.derivative([x[0], *q, *v, *extra], refined))
    size = max(1.0, float(np.max(np.abs(expected))))
    assert np.max(np.abs(np.array([*a, *rates[own.stop :]]) - expected)) < 1e-9 * size
    return relative


@pytest.mark.parametrize(("dimension", "seed"), [(2, 2), (2, 5), (2, 14), (3, 0), (3, 4), (3, 7), (3, 13)])
def test_a_tree_with_random_loops_accelerates_as_in_natural_coordinates(dimension: int, seed: int) -> None:
    relative = assert_accelerates_as_in_natural_coordinates(random_tree(seed, dimension, loops=3))
    assert relative.closures


@pytest.mark.parametrize(
    ("dimension", "seed", "tied"), [(2, 0, 1), (2, 6, 1), (3, 0, 2), (3, 2, 2), (3, 9, 4), (3, 10, 0)]
)
def test_links_without_mass_and_slender_bars_accelerate_as_in_natural_coordinates(
    dimension: int, seed: int, tied: int
) -> None:
    relative = assert_accelerates_as_in_natural_coordinates(random_tree(seed, dimension, links=2, loops=seed % 2))
    assert relative.props
    assert len(relative.tied_props) == tied


@pytest.mark.parametrize(
    ("dimension", "seed", "closing"),
    [(2, 11, ["PinInSlot", "Distance"]), (3, 1, ["Distance"]), (3, 3, ["Spherical"]), (3, 13, [])],
)
def test_friction_in_proportion_to_reactions_is_that_in_natural_coordinates(
    dimension: int, seed: int, closing: list[str]
) -> None:
    m = random_tree(seed, dimension, 4, loops=seed % 3, links=seed // 3 % 2)
    for joint in m.model.joints:
        if joint.freedoms("x") and joint.bearing(dimension):
            around = {"radius": 0.03} if "turn" in {x.kind for x in joint.motions or ()} else {}
            m.friction(joint, mu=0.05, slip_speed=0.3, **around, name=f"mu {joint.name}")
    relative = assert_accelerates_as_in_natural_coordinates(m)
    joints = relative.model.joints_by_name
    assert [type(joints[name]).__name__ for name in relative.tree.closing] == closing
    assert relative.bearings


@pytest.mark.parametrize(
    ("linkage", "rows", "redundant"),
    [(four_bar_in_space, 2, 0), (spherical_four_bar, 3, 1), (bennett, 5, 3), (bricard, 5, 1)],
)
def test_rows_that_hold_everywhere_are_left_out_and_the_others_may_be_redundant(
    linkage: Callable[[], gr.Mechanism], rows: int, redundant: int
) -> None:
    relative = assert_accelerates_as_in_natural_coordinates(linkage())
    assert relative.solving is not None
    assert (relative.tree_rows.closing, relative.solving.redundant) == (rows, redundant)
    assert relative.freedom(redundant) == 1


def test_a_loop_at_the_end_of_a_tree_moves_only_its_own_nodes() -> None:
    m = arm_with_four_bar(0.3, 0.25)
    relative, x = looped(m)
    rows = relative.tree_rows.jacobian(relative.place(relative.state(x)))
    assert relative.tree_rows.closing == 2  # three of five hold in the plane of the loop
    assert all(set(row) == {3, 4, 5} for row in rows)


def arm_with_four_bar(coupler: float, rocker: float) -> gr.Mechanism:
    """An arm of three links, at the end of which there is a four-bar."""
    m = gr.Mechanism("leg", gravity=(0, 0, -9.81))
    base = m.ground.at(0, 0, 0)
    for k, axis in enumerate([(0, 0, 1), (1, 0, 0), (0, 1, 0)]):
        arm = m.body(f"arm{k}", mass=1.0, inertia=(0.01, 0.02, 0.03), points={"p": (0, 0, 0), "e": (0.3, 0, 0)})
        m.revolute(base, arm.p, axis=axis)
        base = arm.e
    names = [("crank", 0.1), ("coupler", coupler), ("rocker", rocker)]
    links = [
        m.body(name, mass=0.5, inertia=(0.001, 0.003, 0.003), points={"p": (0, 0, 0), "e": (length, 0, 0)})
        for name, length in names
    ]
    for (first, second), axis in zip(
        [(arm.e, links[0].p), (links[0].e, links[1].p), (links[1].e, links[2].e), (arm.at(0.55, 0, 0), links[2].p)],
        [(0, 1, 0)] * 4,
        strict=True,
    ):
        m.revolute(first, second, axis=axis)
    return m


def test_robots_with_loops_are_computed_in_relative_coordinates_unless_loops_become_singular() -> None:
    regular, folding = arm_with_four_bar(0.3, 0.25), arm_with_four_bar(0.2, 0.15)
    for m in (regular, folding):
        m.want("crank.e.z", rate=3.0)
    run = gr.simulate(regular, 0.1, tol=1e-6, times=11)
    assert run.status.ok
    assert run.program.chosen.startswith("Relative coordinates")
    again = gr.simulate(folding, 0.3, tol=1e-6, times=11)
    assert again.program.chosen.startswith("Natural coordinates: in relative ones, its loops")


@pytest.mark.parametrize("gap", [0.0, 1e-9, 1e-6])
def test_a_singular_position_is_not_passed_in_relative_coordinates(gap: float) -> None:
    m = flat_four_bar((1.0, 2.0 + gap, 1.0), 2.0)
    run = gr.simulate(m, 1.0, tol=1e-5, times=11, formulation="relative")
    assert not run.status.ok
    assert run.status.doubt is Code.UNDECIDED
    assert "natural" in str(run.status)


def test_a_run_that_stays_clear_of_singular_positions_agrees() -> None:
    m = flat_four_bar((0.5, 1.2, 0.9), 1.0)
    relative, natural = (gr.simulate(m, 1.0, tol=1e-8, times=21, formulation=x) for x in ("relative", "natural"))
    assert relative.status.ok
    assert relative.steps.own is not None
    for name in ("rocker.end.x", "coupler.angle", "energy"):
        assert np.max(np.abs(relative[name] - natural[name])) < 1e-7 * max(1.0, float(np.max(np.abs(natural[name]))))


def flat_four_bar(lengths: tuple[float, float, float], ground: float) -> gr.Mechanism:
    m = gr.Mechanism("four-bar", gravity=(0, -9.81))
    crank, coupler, rocker = (
        m.bar(name, length=x, mass=1.0) for name, x in zip(("crank", "coupler", "rocker"), lengths, strict=True)
    )
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(ground, 0), rocker.start)
    m.guess(rocker, (ground, 0), angle=1.0)
    m.guess(coupler, (0.5 * lengths[0], 0.8 * lengths[0]), angle=0.0)
    m.need(crank.angle, value=1.0, rate=8.0)
    return m


def test_a_near_miss_goes_on_in_natural_coordinates_with_all_that_these_offer() -> None:
    """A four-bar that misses a singular position by 1.5e-9: natural coordinates need a smaller ε there, too."""
    motion = near_misses._free(near_misses._MAKERS["four-bar"])(np.random.default_rng(1))
    program = replace(gr.build(motion.describe(), formulation="relative"), tentative=True)
    run = gr.simulate(program, motion.end, tol=1e-6, times=motion.times)
    assert run.status.ok, str(run.status)
    assert run.program.chosen.startswith("Natural coordinates: in relative ones, its loops")
    for name, exact in motion.exact.items():
        assert np.max(np.abs(run[name] - exact) / motion.scales[name]) < 1e-6


def test_objectives_of_loops() -> None:
    """In relative coordinates, where the loop stays away from singular positions: differences of natural runs."""
    m = arm_with_four_bar(0.3, 0.25)
    m.want("crank.e.z", rate=3.0)
    fun = m.objective(["rocker.mass"], "crank.e.z", t_end=0.1, times=2, tol=1e-7, gradient="backward", check=False)
    assert fun.runs.opened.equations.relative is not None
    _, slopes = fun(fun.x0)
    assert fun.runs.stay_aside(fun.runs.plain(fun.runs.starts.at(fun.x0), 1e-7))
    ends = [
        gr.simulate(gr.with_numbers(m, {"rocker.mass": 0.5 + step}), 0.1, tol=1e-9, times=2, formulation="natural")
        for step in (1e-4, -1e-4)
    ]
    assert slopes[0] == pytest.approx((ends[0]["crank.e.z"][-1] - ends[1]["crank.e.z"][-1]) / 2e-4, rel=1e-4)
