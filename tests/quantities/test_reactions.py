"""Joint reactions as quantities: what Newton's and Euler's equations say, in runs, lanes, derivatives and pages."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings

import grashof as gr
from grashof.common.errors import ModelError
from grashof.live.make import live_data
from grashof.quantities.snapshot import CoordinateSnapshot
from grashof.quantities.wrenches import COMPONENTS

from ..formulation.mechanisms import Structure, planar, redundant, spatial
from ..formulation.states import AGREEMENT, in_motion
from ..reactions.classical import DIGITS, Classical, moments

some = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def swinging(mass: float = 2.0) -> gr.Mechanism:
    """A slender rod of 1 m, let go horizontally, on a pin."""
    m = gr.Mechanism("pendulum", gravity=(0, -10))
    rod = m.bar("rod", length=1.0, mass=mass)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.need(rod.angle, value=0.0)
    return m


def agree(structure: Structure) -> None:
    """A snapshot over numbers and the classical equations find the same reactions, where they are unique."""
    state = in_motion(structure)
    assume(state is not None)
    assert state is not None
    bodies, second = state
    model = bodies.model
    run = moments(model, bodies)
    dynamics = run.program.dynamics
    x = [float(run.t[0]), *run.y[0].tolist()]
    now = CoordinateSnapshot(model, dynamics, dynamics.state(x), [], lambda: [*run.a[0].tolist()])
    values, shares = Classical(bodies, dynamics.length, second).solve()
    names = [f"{joint.name}.{c}" for joint in model.joints for c in COMPONENTS[model.dimension]]
    unique = {name for name, share in zip(names, shares, strict=False) if share <= 1e-6}
    assert now.unique_reactions == unique
    largest = max(1.0, float(np.max(np.abs(values), initial=0.0)))
    for name, value in zip(names, values, strict=False):
        unit = dynamics.length if name.rpartition(".")[2].startswith("m") else 1.0
        if name in unique:
            assert abs(now.reactions[name] / unit - value) <= AGREEMENT * largest, name


@some
@given(planar)
def test_planar_mechanisms(structure: Structure) -> None:
    agree(structure)


@some
@given(spatial)
def test_spatial_mechanisms(structure: Structure) -> None:
    agree(structure)


@some
@given(redundant)
def test_redundant_mechanisms(structure: Structure) -> None:
    agree(structure)


def test_the_pin_of_a_swinging_rod() -> None:
    """With the angle φ below the horizontal, ω² = 3 g sin φ / ℓ: 5/2 m g sin φ along the rod, 1/4 m g cos φ across."""
    run = gr.simulate(swinging(), 1.0)
    down = -run["rod.angle"]
    along, across = 2.5 * 20.0 * np.sin(down), 0.25 * 20.0 * np.cos(down)
    fx, fy = -along * np.cos(down) + across * np.sin(down), along * np.sin(down) + across * np.cos(down)
    assert np.max(np.abs(run["pin.fx"] - fx)) < 1e-6
    assert np.max(np.abs(run["pin.fy"] - fy)) < 1e-6
    assert np.max(np.abs(run["pin.mz"])) < 1e-9
    assert (run.unit("pin.fx"), run.unit("pin.mz")) == ("N", "N m")


@pytest.mark.parametrize("name", ["engine", "rssr", "cam-follower"])
def test_they_are_those_of_the_whole_run(name: str) -> None:
    """`run.reactions()` solves along a spanning tree, with orthogonal decompositions."""
    run = gr.simulate(gr.example(name), 0.3, times=7)
    found = run.reactions()
    names = [x for x in found.names[1:] if run.program.quantities[x].of_joint and x not in found.not_unique]
    assert names
    largest = np.max(np.abs(found.values))
    assert max(np.max(np.abs(run[x] - found[x])) for x in names) < DIGITS * largest


def test_friction_and_springs_count() -> None:
    m = gr.Mechanism("slider crank", gravity=(0, -9.81))
    crank, rod = m.bar("crank", length=0.2, mass=1.0), m.bar("rod", length=0.5, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, rod.start, name="B")
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end, name="D")
    m.friction("D", mu=0.2, slip_speed=0.05)
    m.spring(m.ground.at(0, 0.1), rod.end, stiffness=30.0, length=0.3, damping=2.0)
    m.motor(crank, speed=6.0)
    run = gr.simulate(m, 0.6, times=9)
    found = run.reactions()
    largest = np.max(np.abs(found.values))
    for x in found.names[1:]:
        assert np.max(np.abs(run[x] - found[x])) < DIGITS * largest, x


def test_in_lanes_and_one_by_one() -> None:
    """The largest force of the pin is 5/2 m g, in the lowest position, reached by every row."""
    outputs = ["max pin.fy", "pin.fx at 0.3"]
    vary = {"rod.mass": np.linspace(1.0, 3.0, 5)}
    lanes = gr.sweep(swinging(), vary, 1.0, outputs=outputs, engine="compiled")
    single = gr.sweep(swinging(), vary, 1.0, outputs=outputs, engine="one by one")
    assert lanes.ok.all()
    assert np.max(np.abs(lanes["max pin.fy"] - 25.0 * vary["rod.mass"])) < 1e-4
    for name in outputs:
        assert np.max(np.abs(lanes[name] - single[name])) < 1e-4


def test_as_an_objective() -> None:
    """∂(5/2 m g)/∂m = 25 N/kg."""
    found = gr.sensitivities(swinging(), wrt=["rod.mass"], of=["max pin.fy"], t_end=1.0)
    assert found.ok
    assert abs(found["max pin.fy", "rod.mass"] - 25.0) < 1e-4


def test_in_a_live_page() -> None:
    data = live_data(swinging(), observe=["pin.fy", "rod.angle"])
    assert [(x.name, x.unit) for x in data.observed] == [("pin.fy", "N"), ("rod.angle", "rad")]


def test_in_relative_coordinates() -> None:
    runs = [gr.simulate(swinging(), 1.0, times=5, formulation=f) for f in ("natural", "relative")]
    assert np.max(np.abs(runs[0]["pin.fy"] - runs[1]["pin.fy"])) < 1e-5


def four_bar_in_space() -> gr.Mechanism:
    """Four pins with parallel axes: three redundant equations."""
    m = gr.Mechanism("four-bar", gravity=(0, 0, -9.81))
    points = {"crank": ((0, 0, 0), (0, 0.1, 0.4)), "rod": ((0, 0.1, 0.4), (0, 0.9, 0.7))}
    bars = {name: m.bar(name, start=a, end=b, mass=1.0) for name, (a, b) in points.items()}
    rocker = m.bar("rocker", start=(0, 1, 0), end=(0, 0.9, 0.7), mass=2.0)
    axis = (1, 0, 0)
    m.revolute(m.ground.at(0, 0, 0), bars["crank"].start, axis=axis, name="A")
    m.revolute(bars["crank"].end, bars["rod"].start, axis=axis, name="B")
    m.revolute(bars["rod"].end, rocker.end, axis=axis, name="C")
    m.revolute(m.ground.at(0, 1, 0), rocker.start, axis=axis, name="D")
    return m


def test_what_is_not_unique_is_refused() -> None:
    run = gr.simulate(four_bar_in_space(), 0.2, times=3)
    assert np.all(np.isfinite(run["A.fy"]))
    with pytest.raises(ModelError, match=r"'A.fx', the reaction of joint 'A', is not unique"):
        run["A.fx"]
    with pytest.raises(ModelError, match="not unique"):
        gr.sweep(four_bar_in_space(), {"crank.mass": [1.0, 2.0]}, 0.2, outputs=["max A.fx"], engine="compiled")


@pytest.mark.parametrize(
    ("law", "what"),
    [
        ("0.1*`pin.fy`", "reaction of a joint"),
        ("0.1*`rod.angle.acceleration`", "an acceleration"),
        ("`drive.torque`", "effort of a motor"),
    ],
)
def test_laws_that_depend_on_forces_of_constraints_are_refused(law: str, what: str) -> None:
    m = swinging()
    rod = m.bar("other", length=1.0, mass=1.0)
    m.revolute(m.ground.at(2, 0), rod.start)
    m.motor(rod, speed=1.0, name="drive")
    m.torque("rod", law, name="brake")
    with pytest.raises(ModelError, match=f"{what}.*algebraic loop"):
        gr.simulate(m, 1.0)


def test_events_of_reactions_are_refused() -> None:
    m = swinging()
    m.event("`pin.fy` > 10", does="stop")
    with pytest.raises(ModelError, match="algebraic loop"):
        gr.simulate(m, 1.0)


def test_angles_of_runs_far_from_the_start_do_not_matter() -> None:
    """The pin of a rod that is turned by a motor: m ω² ℓ/2 towards the pin, after many turns."""
    m = gr.Mechanism("rotor")
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    m.motor(rod, speed=3.0)
    m.need(rod.angle, value=0.0)
    run = gr.simulate(m, 20.0, times=50)
    assert np.max(np.abs(np.hypot(run["pin.fx"], run["pin.fy"]) - 9.0)) < 1e-8
    assert math.isclose(run["pin.fx"][0], -9.0, rel_tol=1e-9)
