"""Rows by machine code agree with rows run one by one."""

from __future__ import annotations

import math

import msgspec
import numpy as np
import pytest
from scipy.special import ellipj, ellipk

import grashof as gr
from grashof.model.model import Model
from grashof.model.start import Condition
from grashof.problems import make_case
from grashof.simulation.options import Options
from grashof.sweeps.asked import read_study
from grashof.sweeps.compiled import CompiledEngine
from grashof.sweeps.run import sweep

from ..program.mechanisms import sprung_four_bar
from .mechanisms import four_bar, slider_crank

OUTPUTS = ["crank.angle at end", "max rod.end.y", "time of max rod.end.y", "mean rocker.angle", "energy at end"]


def both(model: Model, vary: dict[str, tuple[float, float]], outputs: list[str], t_end: float, count: int = 8) -> None:
    """The engines agree to the tolerance, and the compiled one did not leave the work, or more than a quarter of it,
    to the other."""
    tol = 1e-6
    tables = [
        sweep(model, vary, t_end, outputs=outputs, sample="sobol", count=count, tol=tol, engine=engine)
        for engine in ("compiled", "one by one")
    ]
    assert np.array_equal(tables[0].status, tables[1].status)
    assert int(tables[0].about.facts["rows that needed a closer look"]) <= count // 4
    for name in outputs:
        largest = np.nanmax(np.abs(tables[1][name]))
        assert tables[0][name] == pytest.approx(tables[1][name], abs=20 * tol * largest, nan_ok=True), name


def test_lengths_masses_places_springs_and_starts() -> None:
    vary = {
        "crank.length": (0.25, 0.35),
        "rod.mass": (0.5, 2.0),
        "ground.B.y": (-0.1, 0.1),
        "spring.stiffness": (5.0, 40.0),
        "spring.damping": (0.0, 0.5),
        "gravity.y": (-12.0, 0.0),
        "start.crank.angle": (-1.0, 1.0),
        "start.crank.angle.rate": (0.0, 6.0),
    }
    both(sprung_four_bar(), vary, OUTPUTS, 1.5)


def test_a_motor_that_goes_on_from_where_the_start_is() -> None:
    model = slider_crank()
    outputs = ["rod.end.x at end", "max rod.end.x.rate", f"work.{model.motors[0].name} at end"]
    vary = {"crank.length": (0.1, 0.3), "rod.mass": (0.2, 1.0), "start.crank.angle": (-2.0, 2.0)}
    both(model, vary, outputs, 0.8)


def test_rows_that_cannot_be_assembled_or_have_impossible_numbers() -> None:
    table = sweep(
        four_bar(),
        {"coupler.length": [2.0, 0.1, 9.0], "crank.mass": [1.0, -1.0]},
        0.5,
        outputs=["crank.angle at end"],
        engine="compiled",
    )
    assert [str(x) for x in table.status] == [
        "success",
        "outside_bounds",
        "not_assembled",
        "outside_bounds",
        "not_assembled",
        "outside_bounds",
    ]


def test_singular_positions_are_passed_as_one_by_one() -> None:
    case = make_case("double-four-bar")
    vary = {"top0.mass": (0.5, 2.0), "start.upright0.end.x.rate": (0.8, 1.2)}
    both(case.model, vary, ["upright0.end.x at end", "energy at end"], 3.0, 6)


def test_narrow_misses_of_singular_positions_are_seen() -> None:
    model, name = make_case("double-four-bar").model, "upright0.end.x at end"
    needs = (*model.start.needs, Condition("upright0.angle", value=0.5 * np.pi))
    model = msgspec.structs.replace(model, start=msgspec.structs.replace(model.start, needs=needs))
    vary = {"upright0.length": (0.99, 1.01), "start.upright0.end.x.rate": (0.8, 1.2)}
    rough, fine = (
        sweep(model, vary, 3.0, outputs=[name], sample="sobol", count=6, tol=tol, engine="compiled")
        for tol in (1e-5, 1e-8)
    )
    both_good = (rough.status == "success") & (fine.status == "success")
    assert both_good.sum() >= 4
    assert np.max(np.abs(rough[name] - fine[name])[both_good]) < 5e-5


def test_a_row_does_not_depend_on_the_rows_beside_it() -> None:
    model = sprung_four_bar()
    paths = ("crank.length", "spring.stiffness")
    outputs = ["crank.angle at end", "max rod.end.y", "time of min rocker.angle", "mean crank.angle.rate"]
    study = read_study(model, None, paths, outputs, 1.0, 11, None, Options(), "compiled")
    engine = CompiledEngine(study)
    rows = np.random.default_rng(1).uniform([0.2, 5.0], [0.4, 40.0], (40, 2))
    whole = engine.observe(rows)
    for part in (slice(0, 1), slice(3, 20), slice(39, 40)):
        alone = engine.observe(rows[part])
        for one, other in zip(whole.columns, alone.columns, strict=True):
            assert np.array_equal(one[part], other)
        assert np.array_equal(whole.codes[part], alone.codes)


def test_an_output_does_not_depend_on_the_others() -> None:
    """Neither steps nor rounds depend on what is observed: every column has the same bits in each of these tables."""
    several = ["crank.angle at end", "max coupler.end.y", "coupler.end.x at 0.3", "mean rocker.end.x.rate"]
    vary = {"crank.length": (0.95, 1.05), "rocker.mass": (0.5, 1.5)}
    for engine in ("compiled", "one by one"):
        options = {"sample": "sobol", "count": 6, "tol": 1e-5, "engine": engine}
        together = sweep(four_bar(), vary, 1.0, outputs=[*several, "trajectory rocker.angle"], **options)
        for name in several:
            alone = sweep(four_bar(), vary, 1.0, outputs=[name], **options)
            assert np.array_equal(alone[name], together[name]), (engine, name)


def test_ways_that_need_a_closer_look_are_refused() -> None:
    m = gr.Mechanism("pushed")
    block = m.body("block", mass=1.0, inertia=1.0, center=(0, 0))
    place = block.at(0, 0, name="P")
    m.slider(m.ground.line((0, 0), (1, 0)), place)
    m.force(place, ("where(t - 0.5, 1, 0)", 0))
    with pytest.raises(gr.ModelError, match="each run is made on its own"):
        sweep(m, {"block.mass": [1.0, 2.0]}, 1.0, outputs=["block.P.x at end"], engine="compiled")


def test_laws_of_time_that_are_varied_are_looked_at_in_each_run() -> None:
    """A pulse of the width w gives the speed √π w, however short it is beside that of the nominal law."""
    m = gr.Mechanism("wheel")
    wheel = m.body("wheel", mass=1.0, inertia=1.0)
    m.revolute(m.ground.at(0, 0), wheel.at(0, 0))
    width = m.parameter("w", 0.2)
    m.parameter("half", 0.5 * width)
    m.torque("wheel.angle", "exp(-((t - 1)/(2*half))**2)", name="pulse")
    m.need("wheel.angle", value=0.0, rate=0.0)
    vary, outputs = {"w": np.array([0.2, 0.02, 5e-4])}, ["wheel.angle.rate at end"]
    with pytest.raises(gr.ModelError, match="depends on time and on varied numbers"):
        sweep(m, vary, 2.0, outputs=outputs, engine="compiled")
    table = sweep(m, vary, 2.0, outputs=outputs, tol=1e-8)
    assert table[outputs[0]] == pytest.approx(np.sqrt(np.pi) * vary["w"], rel=1e-5)
    mass = sweep(m, {"wheel.inertia": [1.0, 2.0]}, 2.0, outputs=outputs, tol=1e-8, engine="compiled")
    assert mass[outputs[0]] == pytest.approx(np.sqrt(np.pi) * 0.2 / np.array([1.0, 2.0]), rel=1e-5)


def test_laws_with_narrow_features_are_looked_at_in_each_run() -> None:
    """A force of 100 N that acts over about 0.2 mm does the work 0.01·√π J, whatever mass passes."""
    m = gr.Mechanism("slider")
    block = m.body("block", mass=2.0, inertia=1.0, points={"o": (0, 0)})
    m.prismatic(m.ground.at(0, 0), block.o, axis=(1, 0))
    m.need("block.o.x", value=0.0, rate=1.0)
    m.force(block.o, ("100*exp(-((block.o.x - 0.7317)/1e-4)**2)", 0))
    vary, outputs = {"block.mass": np.array([0.5, 1.0, 3.0])}, ["block.o.x.rate at end"]
    with pytest.raises(gr.ModelError, match="narrower than a step"):
        sweep(m, vary, 2.0, outputs=outputs, engine="compiled")
    table = sweep(m, vary, 2.0, outputs=outputs)
    work = 100.0 * 1e-4 * np.sqrt(np.pi)
    assert table[outputs[0]] == pytest.approx(np.sqrt(1.0 + 2.0 * work / vary["block.mass"]), abs=1e-6)


def test_rows_with_large_errors_are_run_again_in_lanes() -> None:
    case = make_case("double-four-bar")
    vary = {"top0.mass": (0.5, 2.0), "start.upright0.end.x.rate": (0.8, 1.2)}
    table = sweep(case, vary, outputs=["energy at end"], sample="sobol", count=16, engine="compiled")
    assert table.about.facts["rows that needed a closer look"] == "0"
    assert np.all(table.status == "success")
    # all uprights turn alike, and the tops do not turn: 3 · 1/3 kg of uprights, and both tops; 1 m above the ground
    # stand the tops, half as high the uprights
    mass, speed = table["top0.mass"], table["start.upright0.end.x.rate"]
    energy = 0.5 * (1.0 + 1.0 + mass) * speed**2 + 9.81 * (1.5 + 1.0 + mass)
    assert table["energy at end"] == pytest.approx(energy, rel=1e-5)


def test_angles_start_with_all_their_whole_turns_or_not_at_all() -> None:
    """A motion depends on the angle within a turn only, and keeps the others."""
    turns = 2.0 * np.pi * np.array([0, 8, -33, 170, 10**8])
    vary = {"start.crank.angle": 0.4 + turns}
    table = sweep(sprung_four_bar(), vary, 0.5, outputs=["crank.angle at end"], tol=1e-6, engine="compiled")
    assert table.status.tolist() == ["success"] * 4 + ["not_assembled"]
    ends = table["crank.angle at end"][:4] - turns[:4]
    assert ends == pytest.approx(np.full(4, ends[0]), abs=2e-5)


def test_a_gear_that_keeps_what_the_guess_chose_leaves_the_assembly_mode_undecided() -> None:
    m = gr.Mechanism("rack", gravity=(0, -9.81))
    pinion, rack = m.body("pinion", mass=1.0, inertia=0.005), m.bar("rack", length=0.1, mass=0.4)
    m.revolute(m.ground.at(-0.2, 0, name="O"), pinion.at(0, 0))
    m.slider(m.ground.line((0, -0.5), (1, 0)), rack.line((0, 0), (1, 0)))
    m.rack("rack.start.x", pinion, radius=0.05)
    m.need(pinion.angle, value=1.0, rate=2.0)
    rows = {"ground.p1.y": [-0.5, -0.55], "start.pinion.angle": [1.0, 1.1]}
    for engine in ("compiled", "one by one"):
        table = sweep(m, rows, 0.2, outputs=["rack.start.x at end"], engine=engine)
        assert table.counts == {"success": 4}


def test_a_batch_without_any_possible_row() -> None:
    """Directions have unit length: none of these is possible."""
    model = slider_crank()
    path = next(name for name in gr.numbers(model) if name.endswith("axis_a.x"))
    table = sweep(model, {path: [0.5, 2.0]}, 0.1, outputs=["max rod.end.x"], engine="compiled")
    assert table.counts == {"outside_bounds": 2}


@pytest.mark.parametrize(("method", "tol"), [("dopri5", 1e-2), ("bs5", 1e-2), ("rk4", 1e-2)])
def test_rows_whose_steps_something_else_limits_are_right(method: str, tol: float) -> None:
    """A pendulum beside a wheel whose damper, not the pendulum, decides on the steps; or with fixed steps. Its mass
    does not matter: Jacobi's functions."""
    m = gr.Mechanism("pendulum and damper", gravity=(0, -9.81))
    bar = m.bar("bar", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.need(bar.angle, value=0.9, rate=0.0)
    wheel = m.body("wheel", mass=1.0, inertia=1.0, points={"hub": (0, 0)})
    m.revolute(m.ground.at(3, 0), wheel.hub)
    m.need(wheel.angle, value=0.0, rate=1.0)
    fixed = method == "rk4"
    m.torsion_spring(wheel.angle, stiffness=0.0, damping=20.0 if fixed else 200.0)
    t_end, k = 10.0 if fixed else 498.6, math.sin(0.5 * (0.9 + 0.5 * math.pi))
    table = sweep(
        m,
        {"bar.mass": (0.5, 2.0)},
        t_end,
        outputs=["bar.angle at end"],
        sample="sobol",
        count=4,
        tol=tol,
        method=method,
        engine="compiled",
    )
    exact = 2.0 * math.asin(k * ellipj(ellipk(k * k) - math.sqrt(1.5 * 9.81) * t_end, k * k)[0]) - 0.5 * math.pi
    assert table["bar.angle at end"][table.ok] == pytest.approx(exact, abs=tol)
    assert table.ok.all()
