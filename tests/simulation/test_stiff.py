"""Stiff mechanisms with the implicit method: the motions of explicit methods or of closed forms, with few steps."""

from __future__ import annotations

import math

import numpy as np
import pytest
from benchmarks.stiff_mechanisms import PUBLISHED, bushing, car_axis, friction, governor
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.integrate import Steps
from grashof.sensitivity.objective import objective
from grashof.simulation.simulate import integrate


def slider_crank(stiffness: float = 1e6, damping: float = 2e3) -> gr.Mechanism:
    """With a stiff bushing between crank and rod."""
    return bushing(stiffness, damping)


def redundant_loop() -> gr.Mechanism:
    """A parallelogram with a third crank, which is redundant, driven by a motor through a stiff coupling."""
    m = gr.Mechanism("parallelogram", gravity=(0, -9.81))
    coupler = m.body("coupler", mass=2.0, inertia=0.2, points={"a": (0, 0), "b": (0.4, 0), "c": (0.8, 0)})
    for k, name in enumerate("abc"):
        crank = m.bar(f"crank {name}", length=0.3, mass=0.5)
        m.revolute(m.ground.at(0.4 * k, 0), crank.start)
        m.revolute(crank.end, coupler.point(name))
        if name == "a":
            m.need(crank.angle, value=1.0)
            wheel = m.body("wheel", mass=1.0, inertia=0.05, points={"o": (0, 0)})
            m.revolute(m.ground.at(0, 0), wheel.o)
            m.angle("twist", crank, reference=wheel)
            m.torsion_spring("twist", stiffness=1e6, damping=3e4, name="shaft")
    m.motor(wheel, speed="3 + sin(5*t)")
    return m


def in_oil(damping: float, gravity: float = 0.0, push: str | float = 0.0) -> gr.Mechanism:
    """A mass of 1 kg on a line, held by a damper."""
    m = gr.Mechanism("in oil", gravity=(gravity, 0))
    mass = m.body("mass", mass=1.0, inertia=1.0, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), mass.p)
    m.torque(mass, "-1.0*mass.angle.rate")
    m.spring(m.ground.at(-1.0, 0), mass.p, stiffness=0.0, damping=damping, length=1.0, name="oil")
    m.force(mass.p, (push, 0.0))
    return m


@pytest.mark.parametrize(
    ("make", "t_end", "method"),
    [(slider_crank, 1.0, "rodas5p"), (redundant_loop, 0.3, "rodas5p"), (redundant_loop, 0.3, "radau9")],
)
def test_a_stiff_loop_moves_as_with_an_explicit_method(make, t_end: float, method: str) -> None:
    model = make()
    best = gr.simulate(model, t_end, tol=1e-9, times=21, method="dop853")
    run = gr.simulate(model, t_end, tol=1e-6, times=21, method=method)
    assert best.status.ok
    assert run.status.ok
    assert run.steps.counters.steps < 0.2 * best.steps.counters.steps
    layout, length = run.program.dynamics.layout, run.program.system.length
    error = np.abs(run.y - best.y)[:, layout.of_q].max() / length
    assert error < 1e-6
    assert error < run.error
    assert np.abs(run["violation.position"]).max() < 1e-12


@pytest.mark.parametrize("method", ["radau5", "radau9", "radau13"])
def test_long_steps_of_a_stiff_motion_are_right_inside_too(method: str) -> None:
    """Newton's method takes many iterations here; for samples it must find the solution that the run has found."""
    m = gr.Mechanism("parallelogram", gravity=(0, -9.81))
    coupler = m.body("coupler", mass=0.53, inertia=1.0, points={"a": (0, 0), "b": (0.5, 0)})
    for place, name in ((0.0, "a"), (0.5, "b")):
        crank = m.bar(f"crank_{name}", length=0.8, mass=0.64)
        m.revolute(m.ground.at(place, 0), crank.start)
        m.revolute(crank.end, coupler.point(name))
        (m.need if name == "a" else m.want)(crank.angle, value=0.66)
    m.torque("crank_a.angle", "1.18e4*(0.66 + 0.56*sin(0.62*t) - crank_a.angle) - 1274*crank_a.angle.rate")
    best = gr.simulate(m, 3.15, tol=1e-8, times=200, method="rodas5p")
    run = gr.simulate(m, 3.15, tol=1e-4, times=200, method=method)
    assert run.status.ok
    assert np.abs(run["crank_a.angle"] - best["crank_a.angle"]).max() < 1e-4
    assert np.abs(run["crank_a.angle.rate"] - best["crank_a.angle.rate"]).max() < 1e-3


@pytest.mark.parametrize("method", ["rodas5p", "radau5", "radau9", "radau13"])
def test_the_motion_inside_a_step_is_that_of_which_it_was_made(method: str) -> None:
    """From the cubic through the ends of a step of RADAU13 the motion is 4e-3 off here, and its ends are 2e-4 off."""
    program = gr.build(slider_crank(1e7, 2e4))
    best, run = (integrate(program, 3.0, tol=tol, method=name) for tol, name in ((1e-9, "rodas5p"), (1e-3, method)))
    at = np.unique([run.t[:-1] + part * np.diff(run.t) for part in (0.0, 0.1, 0.3, 0.5, 0.7, 0.9)])
    exact, found = (program.integrator.sample(x, at)[0] for x in (best, run))
    errors = np.abs(found - exact)[:, program.dynamics.layout.of_q].max(axis=1)
    assert errors.max() < 1.3 * errors[np.isin(at, run.t)].max()


@pytest.mark.parametrize("method", ["rodas5p", "radau9"])
def test_a_step_that_an_event_ends_is_known_inside(method: str) -> None:
    """Its polynomial is that of the longer step, up to the event."""
    m = slider_crank(1e7, 2e4)
    whole, run = (
        gr.simulate(m, 1.0, tol=1e-6, method=method, times=2, until=f"crank.angle < {x}", check_error=False)
        for x in (-50.0, -0.9)
    )
    assert run.status.ended.name == "EVENT"
    assert run.steps.t[-2] == whole.steps.t[len(run.steps.t) - 2]
    at = np.linspace(*run.steps.t[-2:], 9)
    long, cut = (x.program.integrator.sample(x.steps, at)[0] for x in (whole, run))
    assert np.abs(long - cut).max() < 1e-9


def test_a_mass_in_oil_sinks_as_the_closed_form_says() -> None:
    """m ẍ = m g − c ẋ, with a time constant m/c of 1e-6 s: ẋ = (1 − e^(−ct/m)) m g/c."""
    run = gr.simulate(in_oil(1e6, 9.81), 10.0, tol=1e-8, method="rodas5p")
    assert run.status.ok
    exact = 9.81e-6 * (run.t - 1e-6 * -np.expm1(-1e6 * run.t))
    assert np.abs(run["mass.p.x"] - exact).max() < 1e-9
    assert run.steps.counters.steps < 400


def test_the_energy_balance_of_a_stiff_run_closes() -> None:
    run = gr.simulate(slider_crank(), 2.0, tol=1e-7, method="rodas5p")
    assert run.status.ok
    assert np.abs(run["balance"] - run["balance"][0]).max() < 1e-7 * run["kinetic"].max()


def test_its_events_stop_it_in_time() -> None:
    first, second = (
        gr.simulate(slider_crank(), 5.0, tol=1e-7, method=name, until="crank.angle < -1.5")
        for name in ("rodas5p", "dop853")
    )
    assert first.status.ended.name == second.status.ended.name == "EVENT"
    assert first.t[-1] == pytest.approx(second.t[-1], abs=1e-7)


def test_rows_of_a_sweep_in_lanes_are_those_of_single_runs() -> None:
    m = slider_crank()
    damping = {"bushing.damping.x": [2e2, 2e3, 2e4], "bushing.damping.y": [2e2, 2e3, 2e4]}
    table = gr.sweep(m, damping, 0.5, outputs=["crank.angle at end"], sample="zip", method="rodas5p", engine="compiled")
    assert table.ok.all()
    for row, value in enumerate([2e2, 2e3, 2e4]):
        run = gr.simulate(slider_crank(damping=value), 0.5, method="rodas5p", tol=1e-8)
        assert table["crank.angle at end"][row] == pytest.approx(run["crank.angle"][-1], abs=1e-6)


@pytest.mark.parametrize("method", ["rodas5p", "radau9"])
def test_derivatives_go_through_implicit_steps(method: str) -> None:
    """m ẍ = m g − c ẋ: x = (g/k)(t − (1 − e^(−kt))/k) with k = c/m, whose time constant is 1e-6 s."""
    wrt = ["oil.damping", "gravity.x"]
    found = gr.sensitivities(in_oil(1e6, 9.81), wrt=wrt, of=["mass.p.x"], t_end=10.0, method=method)
    assert found.ok
    rate, g, t = 1e6, 9.81, 10.0
    by_rate = g * (-t / rate**2 + 2.0 * -math.expm1(-rate * t) / rate**3 - t * math.exp(-rate * t) / rate**2)
    by_gravity = (t + math.expm1(-rate * t) / rate) / rate
    assert found.matrix[0] == pytest.approx([by_rate, by_gravity], rel=1e-5)
    assert np.all(np.abs(found.matrix[0] - [by_rate, by_gravity]) <= found.errors[0])


def test_derivatives_of_a_stiff_loop_are_those_of_an_explicit_method() -> None:
    """The damping changes the motion within the first milliseconds, and the mass all the time."""
    given = {
        "wrt": ["bushing.damping.x", "crank.mass", "start.crank.angle"],
        "of": ["crank.angle", "max crank.angle.rate"],
    }
    best, *others = (
        gr.sensitivities(slider_crank(), **given, t_end=0.4, tol=tol, method=name)
        for name, tol in (("dop853", 1e-7), ("rodas5p", 1e-6), ("radau9", 1e-6))
    )
    for found in others:
        assert found.ok
        assert np.all(np.abs(found.matrix - best.matrix) <= found.errors + best.errors)
        assert found.matrix == pytest.approx(best.matrix, rel=2e-5)


@pytest.mark.parametrize("way", ["forward", "backward"])
def test_gradients_of_stiff_runs_forwards_and_backwards(way: str) -> None:
    """x(t_end)² of the mass in oil, by its closed form."""
    m = in_oil(1e5, 9.81)
    fun = objective(m, ["oil.damping"], lambda run: run["mass.p.x"][-1] ** 2, t_end=5.0, method="rodas5p", gradient=way)
    value, slope = fun(fun.x0)
    x, by_rate = 9.81 * (5.0 - 1e-5) / 1e5, 9.81 * (-5.0 / 1e10 + 2.0 / 1e15)
    assert value == pytest.approx(x * x, rel=1e-5)
    assert slope[0] == pytest.approx(2.0 * x * by_rate, rel=1e-5)


def test_time_dependent_forces_are_differentiated_too() -> None:
    """A mass between a stiff damper and a driving force: c ẋ + m ẍ = F sin ωt."""
    steps = integrate(gr.build(in_oil(1e5, push="1e5*sin(3*t)")), 5.0, tol=1e-7, method="rodas5p")
    assert steps.status.ok
    x = steps.y[-1, 0]
    assert x == pytest.approx((1.0 - math.cos(15.0)) / 3.0, abs=1e-4)
    assert steps.counters.steps < 600


@pytest.mark.parametrize(("keep_steps", "tol", "name"), [(True, 1e-5, "rodas5p"), (False, 1e-6, "radau9")])
def test_auto_notices_that_a_mechanism_is_stiff_and_says_so(keep_steps: bool, tol: float, name: str) -> None:
    model = slider_crank(1e7, 2e4)
    run = gr.simulate(model, 2.0, tol=tol, times=21, keep_steps=keep_steps)
    assert run.status.ok
    assert run.method.name == name
    assert "the equations are stiff: at t = " in run.method.reason
    best = gr.simulate(model, 2.0, tol=1e-8, times=21, method="dop853")
    assert np.abs(run["crank.angle"] - best["crank.angle"]).max() < tol


def test_auto_notices_stiffness_where_round_off_keeps_exciting_what_is_stiff() -> None:
    """At such a tolerance the steps of verner9 stay at six tenths of its limit of stability."""
    m = gr.Mechanism("pendulums", gravity=(0, -9.81))
    one, two = m.bar("one", length=1.0, mass=1.0), m.bar("two", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), one.start)
    m.revolute(one.end, two.start)
    m.need(one.angle, value=-2.0)
    m.need(two.angle, value=-1.6)
    m.torsion_spring(m.angle("elbow", two, reference=one), stiffness=1.6e7, damping=1.4e4, rest=0.4, name="joint")
    run = gr.simulate(m, 8.0, tol=1e-10, times=5, max_steps=200_000)
    assert run.status.ok
    assert run.method.name == "radau9"
    other = gr.simulate(m, 8.0, tol=1e-9, times=5, method="rodas5p")
    assert np.abs(run["two.angle"] - other["two.angle"]).max() < 2e-9


def test_auto_stays_explicit_where_nothing_is_stiff_or_the_run_is_short() -> None:
    """Few steps are made before compiling a Jacobian would have been worth it."""
    assert gr.simulate(slider_crank(1e7, 2e4), 0.1, tol=1e-5).method.name != "rodas5p"
    wheel = gr.Mechanism("wheel", gravity=(0, -9.81))
    rod = wheel.bar("rod", length=1.0, mass=1.0)
    wheel.revolute(wheel.ground.at(0, 0), rod.start)
    wheel.need(rod.angle, value=0.0, rate=20.0)
    plain = integrate(gr.build(wheel), 2000.0, tol=1e-6)
    assert plain.counters.steps > 20_000
    assert plain.method.name == "dop853"
    fixed = integrate(gr.build(wheel), 2000.0, tol=1e-6, method="dop853")
    assert np.array_equal(plain.y, fixed.y)
    assert plain.counters == fixed.counters


def test_auto_returns_to_the_explicit_method_where_the_implicit_one_needs_as_many_steps() -> None:
    """A quick force has to be followed anyway."""
    m = in_oil(1e5, push="100*sin(3e4*t)")
    steps = integrate(gr.build(m), 5.0, tol=1e-5)
    assert steps.status.ok
    names = [x.method.name for x in steps.method.switches]
    assert names[:2] == ["rodas5p", "dop853"]
    assert len(names) <= 12  # fewer and fewer attempts
    assert "because steps of rodas5p are only" in steps.method.reason
    spent = sum(b - a for a, b, x in _phases(steps) if x == "rodas5p")
    assert spent < 0.05 * 5.0


@pytest.mark.parametrize("tol", [1e-4, 1e-5])
def test_auto_notices_friction_between_whose_sides_steps_jump(tol: float) -> None:
    """At the ends of explicit steps forces are constant. Implicit ones slide and stick a few hundred times, and so few
    of them that no return is worth while."""
    program = gr.build(friction())
    steps = integrate(program, 10.0, tol=tol, max_steps=20_000)
    assert steps.status.ok
    assert [x.method.name for x in steps.method.switches] == ["rodas5p"]
    run, best = gr.simulate(program, 10.0, tol=1e-5), gr.simulate(program, 10.0, tol=1e-8, method="radau9")
    assert run.status.ok
    assert best.status.ok
    assert np.abs(run["block.c.x"] - best["block.c.x"]).max() < 1e-5 * program.system.length


def _phases(steps: Steps) -> list[tuple[float, float, str]]:
    """Begin, end and method of the parts of a run."""
    switches = steps.method.switches
    times = [float(steps.t[0]), *(x.time for x in switches), float(steps.t[-1])]
    names = [steps.method.first.name, *(x.method.name for x in switches)]
    return list(zip(times, times[1:], names, strict=False))


@pytest.mark.parametrize("keep_steps", [True, False])
def test_a_run_that_is_stiff_for_a_while_changes_its_method_and_its_error_is_estimated(keep_steps: bool) -> None:
    """A pendulum in oil that is drained after 2 s: θ̈ = −(g/ℓ)·3/2 sin θ − d(t) θ̇, by SciPy's Radau at 1e-12."""
    m = gr.Mechanism("drained", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.0)
    m.torque(rod, "-5e4*(1 - tanh(10*(t - 2)))*rod.angle.rate")
    run = gr.simulate(m, 30.0, tol=1e-6, keep_steps=keep_steps, times=61)
    assert run.status.ok
    assert [x.method.name for x in run.method.switches] == ["radau9", "dop853"]
    assert run.method.as_dict()["first"] == "dop853"
    assert run.steps.companion is not None
    assert run.steps.companion.steps.method.switches == run.method.switches

    def slope(t: float, y: np.ndarray) -> list[float]:
        drag = 3.0 * 5e4 * (1.0 - math.tanh(10.0 * (t - 2.0)))
        return [y[1], -1.5 * 9.81 * math.cos(y[0]) - drag * y[1]]

    exact = solve_ivp(slope, (0.0, 30.0), [0.0, 0.0], "Radau", run.t, rtol=1e-11, atol=1e-12).y[0]
    error = np.abs(run["rod.angle"] - exact).max()
    assert error < 2e-6
    assert error < 2.0 * run.error


def test_derivatives_of_a_stiff_run_are_computed_explicitly() -> None:
    found = gr.sensitivities(slider_crank(), wrt=["bushing.damping.x"], of=["crank.angle"], t_end=0.1)
    assert found.ok


@pytest.mark.parametrize("method", ["rodas5p", "radau13"])
def test_the_car_axis_moves_as_published(method: str) -> None:
    """Of the IVP test set: a rheonomic constraint, and springs of 1e4 N/m."""
    run = gr.simulate(car_axis(), 3.0, tol=1e-8, times=2, method=method)
    assert run.status.ok
    for name, value in PUBLISHED.items():
        assert run[name][-1] == pytest.approx(value, rel=1e-9)


def test_a_stiff_governor_moves_alike_in_natural_and_in_relative_coordinates() -> None:
    """15 coordinates with constraints, and 4 without; the latter need far fewer steps, because they need not follow
    the points of a turning shaft."""
    natural, relative = (
        gr.simulate(governor(100.0), 0.5, tol=1e-6, times=11, method="rodas5p", formulation=name)
        for name in ("natural", "relative")
    )
    assert natural.status.ok
    assert relative.status.ok
    for name in ("slider.c.z", "spin", "rod left.tip.x"):
        assert np.abs(natural[name] - relative[name]).max() < 2e-6
    assert relative.steps.counters.steps < 0.5 * natural.steps.counters.steps
