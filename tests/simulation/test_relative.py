"""Runs in relative coordinates: the same motion, quantities, events and checks as in natural coordinates."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
from campaign.trees import random_tree

import grashof as gr
from grashof.program import build


def arm(count: int = 5) -> gr.Mechanism:
    """An arm of revolute joints about different axes."""
    rng = np.random.default_rng(count)
    m = gr.Mechanism("arm", gravity=(0, 0, -9.81))
    base = m.ground.at(0, 0, 0)
    for k in range(count):
        end = tuple(rng.normal(size=3) * 0.3)
        center = tuple(0.5 * x for x in end)
        body = m.body(f"b{k}", mass=1.0, center=center, inertia=(0.02, 0.03, 0.025), points={"s": (0, 0, 0), "e": end})
        m.revolute(base, body.s, axis=tuple(rng.normal(size=3)), name=f"j{k}")
        base = body.e
    return m


def both(m: gr.Mechanism, t_end: float, **options: object) -> tuple[gr.Trajectory, gr.Trajectory]:
    programs = [build(m, formulation=x) for x in ("natural", "relative")]
    return tuple(gr.simulate(program, t_end, **options) for program in programs)  # type: ignore[return-value,arg-type]


@pytest.mark.parametrize(("seed", "dimension"), [(3, 2), (12, 2), (4, 3), (7, 3)])
def test_all_quantities_of_a_run_are_the_same_in_both_formulations(seed: int, dimension: int) -> None:
    natural, relative = both(random_tree(seed, dimension, bodies=4), 0.3, tol=1e-9, times=11)
    assert natural.status.ok
    assert relative.status.ok
    assert relative.program.relative is not None
    assert relative.names == natural.names
    for name in natural.names:
        size = 1.0 + float(np.max(np.abs(natural[name])))
        assert relative[name] == pytest.approx(natural[name], abs=2e-7 * size), name
    assert relative.a == pytest.approx(natural.a, abs=1e-6 * (1.0 + float(np.max(np.abs(natural.a)))))


def test_a_free_symmetric_top_precesses_as_the_closed_form_says() -> None:
    m = gr.Mechanism("top", gravity=(0, 0, 0))
    top = m.body("top", mass=1.0, inertia=(2.0, 2.0, 3.0), points={"tip": (0, 0, 1)})
    m.need(top, angular_velocity=(0.4, 0.0, 2.0), axes="body")
    run = gr.simulate(build(m, formulation="relative"), 20.0, tol=1e-9, times=41)
    assert run.status.ok
    momentum = np.array([2.0 * 0.4, 0.0, 3.0 * 2.0])
    rate, along = np.linalg.norm(momentum) / 2.0, momentum / np.linalg.norm(momentum)
    z = np.array([0.0, 0.0, 1.0])  # the axis of the top turns about the angular momentum with the rate L/I
    part = (z @ along) * along
    expected = [part + np.cos(rate * t) * (z - part) + np.sin(rate * t) * np.cross(along, z) for t in run.t]
    found = np.column_stack([run[f"top.tip.{x}"] - run[f"top.center.{x}"] for x in "xyz"])
    assert found == pytest.approx(np.array(expected), abs=1e-8)


def test_an_event_happens_at_the_same_time_and_ends_the_run() -> None:
    m = arm()
    natural, relative = both(m, 1.0, tol=1e-9, until="b4.e.z < -0.6")
    assert natural.status.ended == relative.status.ended
    assert relative.events[-1].time == pytest.approx(natural.events[-1].time, abs=1e-8)
    assert relative["b4.e.x"][-1] == pytest.approx(natural["b4.e.x"][-1], abs=1e-7)
    last = relative.events[-1].state[relative.program.dynamics.layout.of_q]
    assert last == pytest.approx(relative.q[-1], abs=1e-12)


def test_angles_of_joints_count_whole_turns() -> None:
    m = gr.Mechanism("rotor", gravity=(0, 0, 0))
    base = m.ground.at(0, 0, 0)
    for k in range(5):
        body = m.body(f"b{k}", mass=1.0, inertia=(0.1, 0.1, 0.2), points={"s": (0, 0, 0), "e": (0, 0, 0.1)})
        m.revolute(base, body.s, axis=(0, 0, 1), name=f"j{k}")
        base = body.e
        if k == 0:
            turn = m.angle("turn", body, axis=(0, 0, 1))
    m.torsion_spring(turn, stiffness=0.0, damping=0.1)
    m.need(turn, value=0.0, rate=50.0)
    run = gr.simulate(build(m, formulation="relative"), 1.0, tol=1e-8)
    inertia = 0.2  # the others turn freely about the same axis
    assert run["turn"][-1] == pytest.approx(50.0 * inertia / 0.1 * (1.0 - np.exp(-0.1 / inertia)), abs=1e-5)


def test_a_run_that_keeps_no_steps_and_one_that_is_streamed_are_the_same() -> None:
    program = build(arm(), formulation="relative")
    whole = gr.simulate(program, 1.0, times=21)
    brief = gr.simulate(program, 1.0, times=21, keep_steps=False)
    pieces = list(gr.stream(program, 1.0, times=21))
    assert brief.status.ok
    assert brief.q == pytest.approx(whole.q, abs=1e-6)
    assert np.concatenate([piece.q for piece in pieces]) == pytest.approx(whole.q, abs=1e-5)


def test_a_program_survives_pickling() -> None:
    program = build(arm(), formulation="relative")
    again = pickle.loads(pickle.dumps(program))
    assert np.array_equal(gr.simulate(program, 0.2, times=5).y, gr.simulate(again, 0.2, times=5).y)


def test_rows_of_a_sweep_are_computed_in_relative_coordinates_too() -> None:
    m = arm()
    table = gr.sweep(m, {"b1.mass": [0.5, 1.0, 2.0]}, 0.4, outputs=["b4.e.z at end", "max b4.e.x"], engine="compiled")
    for row, mass in enumerate((0.5, 1.0, 2.0)):
        changed = gr.with_numbers(m, {"b1.mass": mass})
        run = gr.simulate(changed, 0.4, tol=1e-9, times=2, formulation="natural")
        assert table["b4.e.z at end"][row] == pytest.approx(run["b4.e.z"][-1], abs=1e-6)
    assert table.ok.all()


@pytest.mark.parametrize("kind", ["revolute", "spherical"])
def test_open_numbers_are_put_in_after_compilation(kind: str) -> None:
    m = gr.Mechanism("chain", gravity=(0, 0, -9.81))
    base = m.ground.at(0, 0, 0)
    for k in range(3):
        points = {"s": (0, 0, 0), "e": (0.3, 0.1 * k, 0)}
        body = m.body(f"b{k}", mass=1.0, center=(0.1, 0, 0.02), inertia=(0.02, 0.03, 0.025), points=points)
        axis = {} if kind == "spherical" else {"axis": (0, 1, 0.3 * k)}
        getattr(m, kind)(base, body.s, **axis)
        base = body.e
    program = build(m, numbers=["b0.e.x", "b2.mass", "b1.center.z"], formulation="relative")
    other = {"b0.e.x": 0.35, "b2.mass": 1.7, "b1.center.z": -0.05}
    found = gr.simulate(program.at(other), 0.5, tol=1e-9, times=5)
    expected = gr.simulate(gr.with_numbers(m, other), 0.5, tol=1e-9, times=5, formulation="natural")
    assert found.program.relative is not None
    for name in ("b2.e.x", "b2.e.z", "kinetic"):
        assert found[name] == pytest.approx(expected[name], abs=1e-7)


def test_derivatives_of_runs_are_those_in_natural_coordinates(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers, outputs = ["b0.mass", "b2.e.x", "b3.center.y"], ["b4.e.z at end", "max b4.e.x"]
    relative = gr.sensitivities(arm(), numbers, outputs, t_end=0.3, tol=1e-8)
    costs = [arm().objective(numbers, outputs[0], t_end=0.3, tol=1e-8, gradient=x) for x in ("forward", "backward")]
    monkeypatch.setattr("grashof.program.coordinates.FASTER", np.inf)
    natural = gr.sensitivities(arm(), numbers, outputs, t_end=0.3, tol=1e-8)
    assert relative.status.ok
    assert relative.matrix == pytest.approx(natural.matrix, abs=1e-8)
    for cost in costs:
        value, slopes = cost(cost.x0)
        assert value == pytest.approx(natural.values[0], abs=1e-8)
        assert slopes == pytest.approx(natural.matrix[0], abs=1e-6)


def test_relative_coordinates_are_chosen_where_they_are_faster() -> None:
    assert build(arm(10)).chosen.startswith("Relative coordinates: 10 instead of 58")
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    m.revolute(m.ground.at(0, 0), m.bar("rod", length=1.0, mass=1.0).start)
    assert build(m).chosen.startswith("Natural coordinates")
    assert build(arm(10), formulation="natural").relative is None
    assert build(gr.example("planetary-gear")).chosen.endswith("which take fewer operations.")
    assert build(gr.example("four-bar")).relative is None


def test_a_shaft_that_spins_is_turned_by_its_angle() -> None:
    """A governor without its motor is the same at any angle of its spindle: it counts if that turns."""
    model = gr.example("governor")
    assert build(model).chosen.endswith("which allow longer steps where parts spin.")
    # driven by a wheel that touches in some positions, neither angle may be changed
    assert build(gr.example("geneva")).relative is None


def test_a_point_mass_that_bounces_has_no_rotation_of_its_own() -> None:
    """Nothing determines how a body without inertia turns, as nothing may rest on its stop."""
    m = gr.Mechanism("ball", gravity=(0, -10.0))
    m.body("ball", mass=0.1, points={"center": (0, 0)}, position=(0, 1))
    m.event("ball.center.y", direction="down", does="bounce 0.8", name="floor")
    assert gr.simulate(m, 0.4, times=2)["ball.center.y"][-1] == pytest.approx(0.2, abs=1e-9)
    with pytest.raises(gr.ModelError, match="no mass resists the motion of a free body"):
        build(m, formulation="relative")


def flywheel(rate: float) -> gr.Mechanism:
    """A balanced wheel with a swinging rod, in space."""
    m = gr.Mechanism("flywheel", dimension=3)
    wheel = m.body("wheel", mass=3.0, inertia=(0.3, 0.3, 0.5), points={"c": (0, 0, 0), "p": (0.2, 0, 0)})
    rod = m.body("rod", mass=0.2, inertia=(1e-4, 2e-3, 2e-3), center=(0.15, 0, 0), points={"s": (0, 0, 0)})
    m.guess(rod, (0.2, 0, 0))
    m.revolute(m.ground.at(0, 0, 0), wheel.c, axis=(0, 0, 1))
    m.revolute(wheel.p, rod.s, axis=(0, 0, 1), name="hinge")
    m.torsion_spring(m.angle("swing", rod, reference=wheel, axis=(0, 0, 1)), stiffness=1.0)
    m.need(m.angle("turn", wheel, axis=(0, 0, 1)), value=0.0, rate=rate)
    m.need("swing", value=0.0, rate=rate and 0.1)
    return m


def test_what_does_not_turn_needs_no_angle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without gravity and without a swing, wheel and rod stay at rest. In the plane, angles are not asked for."""
    monkeypatch.setattr("grashof.program.coordinates.FASTER", math.inf)
    monkeypatch.setattr("grashof.program.coordinates.SPINNING", 0.01)
    assert build(flywheel(10.0)).relative is not None
    assert build(flywheel(0.0)).relative is None


def test_a_wheel_that_rolls_in_space_is_refused_by_name() -> None:
    with pytest.raises(gr.ModelError, match="joint 'table' is neither a chain of turns and slides nor a rod"):
        build(gr.example("rolling-coin"), formulation="relative")


def test_a_loop_that_starts_at_a_singular_position_is_refused() -> None:
    m = gr.Mechanism("flat parallelogram")
    crank, rod, rocker = (m.bar(name, length=x, mass=1.0) for name, x in {"crank": 1, "rod": 2, "rocker": 1}.items())
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, rocker.end)
    m.revolute(m.ground.at(2, 0), rocker.start)
    for bar in (crank, rocker):
        m.need(bar.angle, value=0.0, rate=1.0)
    assert build(m).relative is None
    with pytest.raises(gr.ModelError, match="its loops are in a singular position at the start"):
        build(m, formulation="relative")


def test_a_slender_bar_on_a_ball_circles_as_a_conical_pendulum() -> None:
    m = gr.Mechanism("bar", gravity=(0, 0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.spherical(m.ground.at(0, 0, 0), rod.start, name="ball")
    down, out = np.cos(0.6), np.sin(0.6)
    pace = np.sqrt(1.5 * 9.81 / down)  # m l²/3 ω² sin θ cos θ = m g l/2 sin θ
    for name, value in {"x": out, "y": 0.0, "z": -down}.items():
        m.need(f"rod.end.{name}", value=value)
    m.need("rod.end.y", rate=pace * out)
    m.need("rod.end.z", rate=0.0)
    run = gr.simulate(build(m, formulation="relative"), 3.0, tol=1e-9)
    assert run.status.ok
    assert run["rod.end.x"] == pytest.approx(out * np.cos(pace * run.t), abs=1e-7)
    assert run["rod.end.z"] == pytest.approx(-down + 0.0 * run.t, abs=1e-7)


@pytest.mark.parametrize("name", ["governor", "rssr", "cam-follower"])
def test_links_without_mass_move_as_in_natural_coordinates(name: str) -> None:
    natural, relative = both(gr.example(name), 0.5, tol=1e-8, times=11)
    assert relative.status.ok
    for quantity in natural.names:
        size = 1.0 + float(np.max(np.abs(natural[quantity])))
        assert relative[quantity] == pytest.approx(natural[quantity], abs=1e-7 * size), quantity


def test_a_block_slides_down_with_friction_in_proportion_to_its_weight() -> None:
    m = gr.Mechanism("slope", gravity=(0, -9.81))
    block = m.body("block", mass=2.0, inertia=0.1, points={"p": (0, 0)})
    down = np.radians(30.0)
    m.prismatic(m.ground.at(0, 0), block.p, axis=(np.cos(down), -np.sin(down)), name="slope")
    m.friction("slope", mu=0.2, slip_speed=1e-6)
    m.need("block.p.x", value=0.0, rate=1.0)
    run = gr.simulate(m, 1.0, tol=1e-9, formulation="relative")
    assert run.status.ok
    pull = 9.81 * (np.sin(down) - 0.2 * np.cos(down)) * np.cos(down)
    assert run["block.p.x"] == pytest.approx(run.t + 0.5 * pull * run.t**2, abs=1e-6)


def test_an_unknown_formulation_is_named() -> None:
    with pytest.raises(gr.ModelError, match="There is no formulation 'relatif'"):
        build(arm(1), formulation="relatif")
