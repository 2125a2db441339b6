"""A mechanism compiled with numbers left open moves as one built anew with these numbers."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec
import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.integrate import choose
from grashof.model.mechanism import as_model
from grashof.model.model import Model
from grashof.model.parameters import numbers, with_numbers
from grashof.model.start import Condition
from grashof.problems import make_case
from grashof.program import build
from grashof.program.open_code import OpenCode
from grashof.simulation.simulate import integrate, simulate

from .mechanisms import sprung_four_bar


def open_code(mechanism: gr.Mechanism | Model, numbers: list[str], observe: Sequence[str] = ()) -> OpenCode:
    return build(mechanism, numbers=numbers, observe=observe).opened


def state_after(program: OpenCode, values: dict[str, float], t_end: float, tol: float) -> np.ndarray:
    """What is observed at the end of a run of the open program."""
    starts = program.assemble(program.values(values)[None])
    assert starts.placed[0]
    settings = {"tol": tol, "length": program.length, "speed": 1.0, "method": METHOD}
    steps = program.integrator(starts.coefficients[0]).run(starts.y[0], program.time, t_end, **settings)
    assert steps.status.ok
    view = program.view(starts.coefficients[0])
    last = steps.y[-1] if view is None else view.own(t_end, steps.y[-1])
    return program.native.rows("observe", np.append(t_end, last)[None], starts.coefficients)[0]


METHOD = choose("dop853", 1e-9, 1)


VARIED = {
    "crank.length": 0.33,
    "crank.mass": 0.9,
    "rod.length": 1.07,
    "ground.B.x": 0.95,
    "ground.B.y": -0.05,
    "spring.stiffness": 31.0,
    "spring.length": 0.41,
    "spring.damping": 0.3,
    "gravity.y": -4.0,
    "start.crank.angle": 0.7,
    "start.crank.angle.rate": 2.0,
}


@pytest.fixture(scope="module")
def opened() -> OpenCode:
    return open_code(
        sprung_four_bar(), list(VARIED), ["crank.angle", "rod.end.x", "rocker.angle.rate", "energy", "work.spring"]
    )


def test_a_four_bar_with_other_numbers(opened: OpenCode) -> None:
    fresh = simulate(with_numbers(sprung_four_bar(), VARIED), 2.0, tol=1e-10)
    names = opened.observes
    found = state_after(opened, VARIED, 2.0, 1e-13)[: len(names)]
    expected = [fresh[name][-1] for name in names]
    assert found == pytest.approx(expected, rel=1e-8, abs=1e-8)


def test_nominal_values_start_where_the_mechanism_does(opened: OpenCode) -> None:
    y = opened.assemble(opened.nominal[None]).y[0]
    program = build(sprung_four_bar())
    assert y[opened.layout.of_q] == pytest.approx(program.assembly.q, abs=1e-14)
    assert y[opened.layout.of_v] == pytest.approx(program.assembly.v, abs=1e-13)


def test_starts_for_other_values_are_those_of_mechanisms_built_anew(opened: OpenCode) -> None:
    rng = np.random.default_rng(3)
    p = opened.nominal * rng.uniform(0.8, 1.2, (12, len(opened.names)))
    starts = opened.assemble(p)
    assert starts.placed.all()
    for values, y in zip(p, starts.y, strict=True):
        program = build(with_numbers(sprung_four_bar(), dict(zip(opened.names, values.tolist(), strict=True))))
        assert y[opened.layout.of_q] == pytest.approx(program.assembly.q, abs=1e-12)
        assert y[opened.layout.of_v] == pytest.approx(program.assembly.v, abs=1e-11)


def test_values_with_which_it_cannot_be_put_together_are_told(opened: OpenCode) -> None:
    p = np.array([opened.values({"rod.length": length}) for length in (1.0, 0.1, np.nan, 5.0)])
    assert opened.assemble(p).placed.tolist() == [True, False, False, False]


def test_rates_that_are_observed_are_those_of_the_values(opened: OpenCode) -> None:
    starts = opened.assemble(opened.nominal[None])
    integrator, h, k = opened.integrator(starts.coefficients[0]), 1e-4, len(opened.observes)
    steps = integrator.run(starts.y[0], opened.time, 4 * h, tol=1e-13, length=1.0, speed=1.0, method=METHOD)
    t = np.array([h, 2 * h, 3 * h])
    states, _ = integrator.sample(steps, t)
    before, here, after = opened.native.rows(
        "observe", np.column_stack([t, states]), np.repeat(starts.coefficients, 3, 0)
    )
    assert here[k : 2 * k] == pytest.approx((after - before)[:k] / (2 * h), rel=1e-5, abs=1e-5)


def test_all_numbers_of_andrews_squeezer_may_be_open() -> None:
    model = make_case("andrews").model
    names = [name for name in numbers(model) if not name.startswith("start.") and name != "spring.damping"]
    opened = open_code(model, names)
    values = opened.nominal * np.random.default_rng(5).uniform(0.98, 1.02, len(names))
    starts = opened.assemble(values[None])
    assert starts.placed[0]
    program = build(with_numbers(model, dict(zip(names, values.tolist(), strict=True))))
    assert program.system.labels == opened.dynamics.system.labels
    t = program.assembly.time
    found = opened.integrator(starts.coefficients[0]).derivative(t, starts.y[0])
    assert found == pytest.approx(program.integrator.derivative(t, starts.y[0]), rel=1e-9)


def test_relations_of_the_branch_stay_where_only_masses_are_open() -> None:
    model = make_case("double-four-bar").model
    opened = open_code(model, ["top0.mass", "start.upright0.end.x.rate"])
    assert opened.layout.nq == build(model).system.n == 2
    values = {"top0.mass": 1.4, "start.upright0.end.x.rate": 0.8}
    fresh = build(with_numbers(model, values))
    starts = opened.assemble(opened.values(values)[None])
    assert starts.y[0] == pytest.approx(np.concatenate([fresh.assembly.q, fresh.assembly.v]), abs=1e-13)
    steps = integrate(fresh, 2.0, tol=1e-9, method="dop853")
    found = opened.integrator(starts.coefficients[0]).run(
        starts.y[0], 0.0, 2.0, tol=1e-12, length=1.0, speed=1.0, method=METHOD
    )
    assert found.y[-1] == pytest.approx(steps.y[-1], abs=1e-7)


def upright(model: Model) -> Model:
    """With a start that says where it is."""
    needs = (*model.start.needs, Condition("upright0.angle", value=0.5 * np.pi))
    return msgspec.structs.replace(model, start=msgspec.structs.replace(model.start, needs=needs))


def test_what_holds_at_the_given_values_alone_is_left_out() -> None:
    model = make_case("double-four-bar").model
    with pytest.raises(ModelError, match="leaves 1 degree of freedom open"):
        open_code(model, ["upright0.length"])
    opened = open_code(upright(model), ["upright0.length"])
    assert len(opened.structure.relations) == 2  # of the other window, which stays a parallelogram
    assert opened.assemble(opened.values({"upright0.length": 1.05})[None]).placed[0]


def test_numbers_that_must_fit_together_cannot_be_open_one_by_one() -> None:
    m = gr.Mechanism("three cranks", gravity=(0, -9.81))
    coupler = m.bar("coupler", length=2.0, mass=1.0)
    for k in range(3):
        crank = m.bar(f"crank{k}", length=1.0, mass=1.0)
        m.revolute(m.ground.at(k, 0), crank.start)
        m.revolute(crank.end, coupler.at(k, 0))
        m.guess(crank, (k, 0), angle=1.0)
    m.need("crank0.angle", value=1.0)
    with pytest.raises(ModelError, match="tie them to each other"):
        open_code(m, ["crank1.length"])
    assert open_code(m, ["crank1.mass"]).layout.nq == build(m).system.n


def test_unknown_numbers_are_told() -> None:
    with pytest.raises(ModelError, match=r"no number 'crank\.lenght'; did you mean 'crank\.length'"):
        open_code(sprung_four_bar(), ["crank.lenght"])


def test_unknown_quantities_are_told() -> None:
    with pytest.raises(ModelError, match=r"no quantity 'rod\.angel'"):
        open_code(sprung_four_bar(), ["crank.length"], ["rod.angel"])


def test_wants_that_cannot_be_met_are_told() -> None:
    model = sprung_four_bar()
    wants = (Condition("rocker.angle", value=0.1),)
    start = msgspec.structs.replace(model.start, wants=wants)
    with pytest.raises(ModelError, match=r"wants rocker.angle = 0.1"):
        open_code(msgspec.structs.replace(model, start=start), ["crank.length"])


def test_slender_bars_in_space_start_where_they_do_when_built_anew() -> None:
    m = gr.Mechanism("RSSR", dimension=3, gravity=(0, 0, -9.81))
    crank, rod, rocker = (m.bar(n, length=l, mass=1.0) for n, l in (("crank", 0.3), ("rod", 1.2), ("rocker", 0.8)))
    m.revolute(m.ground.at(0, 0, 0, name="A"), crank.start, axis=(0, 1, 0))
    m.spherical(crank.end, rod.start)
    m.spherical(rod.end, rocker.end)
    m.revolute(m.ground.at(0.9, 0.3, 0, name="B"), rocker.start, axis=(0.3, 1, 0.1))
    m.angle("phi", crank, axis=(0, 1, 0), zero=(1, 0, 0))
    m.need("phi", value=0.4, rate=3.0)
    names = ["crank.length", "rod.length", "ground.B.y", "rod.mass", "start.phi"]
    opened = open_code(m, names, ["phi", "rod.end.z"])
    values = dict(zip(names, (opened.nominal * [1.05, 0.97, 1.1, 2.0, 0.9]).tolist(), strict=True))
    fresh = simulate(with_numbers(as_model(m), values), 1.0, tol=1e-10)
    found = state_after(opened, values, 1.0, 1e-13)[:2]
    assert found == pytest.approx([fresh[name][-1] for name in ("phi", "rod.end.z")], abs=1e-7)


def test_relations_of_the_branch_hold_for_all_lengths_that_are_tied() -> None:
    """upright1.x = upright0.x + L, whatever L is."""
    m = gr.Mechanism("two windows", gravity=(0, -9.81))
    length = m.parameter("L", 1.0, unit="m")
    uprights = [m.bar(f"upright{k}", length=length, mass=1.0) for k in range(3)]
    for k, upright_bar in enumerate(uprights):
        m.revolute(m.ground.at(k * length if k else 0.0, 0.0), upright_bar.start)
    for k in range(2):
        top = m.bar(f"top{k}", length=length, mass=1.0)
        m.revolute(uprights[k].end, top.start)
        m.revolute(top.end, uprights[k + 1].end)
    m.need("upright0.angle", value=0.5 * np.pi)
    m.need("upright0.end.x", rate=1.0)
    m.want("upright1.angle", value=0.5 * np.pi)
    m.want("upright2.angle", value=0.5 * np.pi)
    opened = open_code(m, ["L"], ["upright0.end.x"])
    assert opened.layout.nq == 2
    assert {relation.slopes for relation in opened.structure.relations} == {(-1.0,), (-2.0,), (0.0,)}
    for size in (0.5, 1.7):
        fresh = simulate(with_numbers(as_model(m), {"L": size}), 2.0, tol=1e-9)
        assert state_after(opened, {"L": size}, 2.0, 1e-12)[0] == pytest.approx(fresh["upright0.end.x"][-1], abs=1e-6)


def test_the_torque_of_a_motor_is_the_same_in_relative_coordinates() -> None:
    m = gr.Mechanism("driven arm", gravity=(0, -9.81))
    crank, rod = m.bar("crank", length=0.2, mass=1.0), m.bar("rod", length=0.3, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.motor(crank, position="2*t + 0.1*sin(3*t)", name="drive")
    opened = build(m, numbers=["rod.mass"], observe=["drive.torque"], formulation="relative").opened
    assert opened.equations.relative is not None
    run = simulate(with_numbers(as_model(m), {"rod.mass": 0.7}), 0.5, tol=1e-9, formulation="natural")
    found = state_after(opened, {"rod.mass": 0.7}, 0.5, 1e-10)[0]
    assert found == pytest.approx(run["drive.torque"][-1], abs=1e-7)


def test_a_motor_begins_where_the_start_is() -> None:
    """A motor of constant speed turns from the angle that is needed, however far from the nominal one."""
    m = gr.Mechanism("driven crank", gravity=(0, -9.81))
    crank = m.bar("crank", length=0.2, mass=1.0)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.motor(crank, speed=3.0)
    m.need(crank.angle, value=0.3)
    opened = open_code(m, ["start.crank.angle"], ["crank.angle"])
    values = np.array([[0.3], [0.45], [2.0], [-1.5]])
    starts = opened.assemble(values)
    assert starts.placed.all()
    assert state_after(opened, {"start.crank.angle": 2.0}, 1.0, 1e-10)[0] == pytest.approx(5.0, abs=1e-8)
