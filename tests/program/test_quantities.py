"""Whatever a run calls by a name, sweeps, derivatives and live pages call by the same name, and with the same value."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import grashof as gr
from grashof.live import live_data
from grashof.model.mechanism import Mechanism
from tests.live.node import drive

END, TOL = 0.6, 1e-9


def planar() -> Mechanism:
    """A four-bar with a spring, a damper and a controller with an integral part, whose crank is heavy."""
    m = Mechanism("four-bar", gravity=(0, -9.81))
    crank = m.bar("crank", length=0.3, mass=m.parameter("mass", 0.8))
    rod, rocker = m.bar("rod", length=1.0, mass=1.0), m.bar("rocker", length=0.8, mass=0.7)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, rocker.end)
    m.revolute(m.ground.at(0.9, 0), rocker.start)
    m.spring(rod.end, m.ground.at(0.5, 1.5), stiffness=20.0, length=0.5, damping=0.1, name="spring")
    m.controller(crank.angle, 1.0, kp=3.0, ki=2.0, kd=0.2, name="servo")
    m.need(crank.angle, value=0.4, rate=3.0)
    return m


def spatial() -> Mechanism:
    """A rotor that turns about an axis which a motor turns."""
    m = Mechanism("gyroscope", gravity=(0, 0, -9.81))
    fork = m.body("fork", mass=0.5, inertia=(0.02, 0.03, 0.02), points={"A": (0, 0, 0), "B": (0.3, 0, 0.1)})
    rotor = m.body(
        "rotor",
        mass=m.parameter("mass", 1.2),
        center=(0.05, 0, 0.02),
        inertia=(0.05, 0.03, 0.04),
        points={"B": (0, 0, 0)},
    )
    m.revolute(m.ground.at(0, 0, 0), fork.A, axis=(0, 0, 1))
    m.revolute(fork.B, rotor.B, axis=(1, 0, 0))
    turn = m.angle("turn", fork, axis=(0, 0, 1))
    spin = m.angle("spin", rotor, reference=fork, axis=(1, 0, 0))
    m.torque(spin, "-0.01*spin.rate", name="bearing")
    m.motor(turn, speed=2.0, name="drive")
    m.need(turn, value=0.1)
    m.need(spin, value=0.3, rate=5.0)
    return m


MECHANISMS = {"planar": planar, "spatial": spatial}


@pytest.fixture(scope="module", params=MECHANISMS)
def run(request: pytest.FixtureRequest) -> gr.Trajectory:
    found = gr.simulate(MECHANISMS[request.param](), END, tol=TOL, times=[0.0, END])
    assert found.status.ok
    return found


def names_of(run: gr.Trajectory) -> list[str]:
    return [*run.names, *run.derived_names]


def size(run: gr.Trajectory, name: str) -> float:
    """What errors of a quantity are compared with: works and balances are differences of energies."""
    return max(1.0, float(np.max(np.abs(run["energy"]))) if run.unit(name) == "J" else abs(float(run[name][-1])))


def test_sweeps(run: gr.Trajectory) -> None:
    names, mass = names_of(run), float(gr.numbers(run.program.model)["mass"].value)
    outputs = [f"{name} at end" for name in names]
    table = gr.sweep(run.program.model, {"mass": [mass]}, END, outputs=outputs, tol=TOL, engine="compiled")
    assert table.ok.all()
    for name in names:
        assert table[f"{name} at end"][0] == pytest.approx(run[name][-1], abs=1e-7 * size(run, name)), name


def test_derivatives_are_differences_of_runs(run: gr.Trajectory) -> None:
    names, model = names_of(run), run.program.model
    nominal = float(gr.numbers(model)["mass"].value)
    found = gr.sensitivities(model, ["mass"], [f"{name} at end" for name in names], t_end=END, tol=1e-8)
    h = 1e-3
    ahead, behind = (
        gr.simulate(gr.with_numbers(model, {"mass": nominal + sign * h}), END, tol=1e-11, times=[0.0, END])
        for sign in (1.0, -1.0)
    )
    for name in names:
        difference = (ahead[name][-1] - behind[name][-1]) / (2.0 * h)
        assert found[f"{name} at end", "mass"] == pytest.approx(
            difference, abs=1e-4 * max(size(run, name), abs(difference))
        ), name


def test_live_pages(run: gr.Trajectory) -> None:
    names = names_of(run)
    data = live_data(run.program.model, END, numbers=["mass"], observe=names, tol=1e-8)
    seen = drive(data, [["look"], ["advance", END]])[-1]
    assert seen.outcome is not None
    assert seen.outcome["ok"]
    for name in names:
        assert seen.values[name] == pytest.approx(run[name][-1], abs=1e-6 * size(run, name)), name


EXTREMES = [
    (planar, ("rod.end.x.acceleration", "angular_momentum", "momentum.x", "kinetic", "servo.integral")),
    (spatial, ("spin.acceleration", "rotor.angular_velocity.y")),
]


@pytest.mark.parametrize(("make", "names"), EXTREMES, ids=["planar", "spatial"])
def test_extremes_are_found_by_the_rates(make: Callable[[], Mechanism], names: tuple[str, ...]) -> None:
    """A maximum is where the rate vanishes; of an acceleration this is the rate of the solution of all equations of
    motion."""
    m = make()
    fine = gr.simulate(m, END, tol=TOL, times=20001)
    found = gr.sensitivities(m, ["mass"], [f"max {name}" for name in names], t_end=END, tol=1e-8)
    for name in names:
        assert found[f"max {name}"] == pytest.approx(float(np.max(fine[name])), abs=1e-6 * np.ptp(fine[name])), name
