"""Joints that prevent velocities but restrict no position, against closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.files import dumps, loads

MASS, INERTIA, AHEAD, SPIN = 2.0, 0.3, 0.4, 2.0
SHARE = math.sqrt(MASS * AHEAD**2 / (INERTIA + MASS * AHEAD**2))


def sleigh(*blades: float) -> gr.Mechanism:
    """Chaplygin's sleigh: blades along x on an axle at x = 0, at these places; the centre of mass is ahead of them."""
    m = gr.Mechanism("sleigh")
    body = m.body("sleigh", mass=MASS, inertia=INERTIA, center=(AHEAD, 0.0))
    for k, y in enumerate(blades or (0.0,)):
        m.knife_edge(m.ground.at(0, 0), body.at(0.0, y), normal=(0.0, 1.0), name=f"blade {k}")
    m.need(body.angle, value=0.3, rate=SPIN)
    return m


def sleigh_speed(t: np.ndarray) -> np.ndarray:
    """Speed of the blade: u̇ = c ω² and (I + m c²) ω̇ = −m c ω u, solved by u = U tanh κt and ω = ω₀/cosh κt."""
    return SPIN * AHEAD / SHARE * np.tanh(SHARE * SPIN * t)


@pytest.mark.parametrize("blades", [(0.0,), (0.0, 0.3), (-0.2, 0.0, 0.2)])
def test_a_sleigh_stops_turning_and_keeps_its_energy_however_many_blades_are_on_its_axle(blades: tuple[float]) -> None:
    run = gr.simulate(sleigh(*blades), 4.0, tol=1e-9)
    assert run.status.ok
    spin = SPIN / np.cosh(SHARE * SPIN * run.t)
    assert run["sleigh.angle.rate"] == pytest.approx(spin, abs=1e-8)
    along = np.cos(run["sleigh.angle"])
    middle = f"sleigh.p{blades.index(0.0) + 1}.x"
    assert run[f"{middle}.rate"] == pytest.approx(along * sleigh_speed(run.t), abs=1e-8)
    assert run["energy"] == pytest.approx(np.full(len(run.t), run["energy"][0]), rel=1e-9)
    # the force across the blade, m (ω u + c ω̇) = I m/(I + m c²) ω u
    found, forces = run.reactions(), np.zeros(len(run.t))
    for k in range(len(blades)):
        fx, fy = (found[f"blade {k}.f{axis}"] for axis in "xy")
        forces += fy * along - fx * np.sin(run["sleigh.angle"])
        assert fx * along + fy * np.sin(run["sleigh.angle"]) == pytest.approx(np.zeros(len(run.t)), abs=1e-8)
        assert found.unique[f"blade {k}"] == (len(blades) == 1)
    expected = INERTIA * MASS / (INERTIA + MASS * AHEAD**2) * spin * sleigh_speed(run.t)
    assert forces == pytest.approx(expected, abs=1e-7)


def test_blades_take_freedoms_of_velocities_and_none_of_positions() -> None:
    report = gr.mobility(sleigh(0.0, 0.3))
    assert (report.dof, report.velocity_dof, report.slips, report.slip_rank) == (3, 2, 2, 1)
    first = str(report).partition("\n")[0]
    assert first == ("sleigh: 3 degrees of freedom of position and 2 of velocity, 1 redundant equation for velocities.")


def test_a_needed_rate_across_the_blade_is_refused() -> None:
    m = sleigh()
    m.need("sleigh.p1.x", rate=1.0)
    m.need("sleigh.p1.y", rate=0.5)
    with pytest.raises(ModelError, match="contradicts the joints"):
        gr.simulate(m, 1.0)


def test_a_sleigh_on_a_ship_that_moves_uniformly_moves_as_on_land() -> None:
    m = gr.Mechanism("ship")
    ship = m.body("ship", mass=5.0, inertia=1.0)
    m.slider(m.ground.line((0, 0), (1, 0)), ship.line((0, 0), (1, 0)))
    m.motor("ship.p1.x", speed=0.7)
    body = m.body("sleigh", mass=MASS, inertia=INERTIA, center=(AHEAD, 0.0))
    m.knife_edge(ship.at(0, 0), body.at(0.0, 0.0, name="blade"), normal=(0.0, 1.0))
    m.need("ship.p1.x", value=0.0)
    m.need(body.angle, value=0.3, rate=SPIN)
    m.need("sleigh.blade.x", value=0.0, rate=0.7)
    run, alone = gr.simulate(m, 3.0, tol=1e-9), gr.simulate(sleigh(), 3.0, tol=1e-9)
    assert run.status.ok
    for name in ("sleigh.angle", "sleigh.angle.rate"):
        assert run[name][-1] == pytest.approx(alone[name][-1], abs=1e-8)
    assert run["sleigh.blade.x"][-1] - 0.7 * 3.0 == pytest.approx(alone["sleigh.p1.x"][-1] - alone["sleigh.p1.x"][0])


def test_a_knife_edge_is_the_same_in_a_file() -> None:
    model = sleigh().model
    assert loads(dumps(model)) == model


def test_many_sleighs_at_once_and_their_derivatives_agree_with_the_closed_form() -> None:
    def last(inertia: float, ahead: float) -> float:
        return SPIN / math.cosh(math.sqrt(MASS * ahead**2 / (inertia + MASS * ahead**2)) * SPIN * 3.0)

    output, h = "sleigh.angle.rate at end", 1e-6
    varied = {"sleigh.inertia": [0.2, 0.3, 0.4], "sleigh.center.x": [0.4, 0.5]}
    table = gr.sweep(sleigh(), varied, 3.0, outputs=[output], engine="compiled", tol=1e-8)
    found = gr.sensitivities(sleigh(), wrt=list(varied), of=[output], t_end=3.0)
    for inertia, ahead, spin in zip(*(table[name] for name in (*varied, output)), strict=True):
        assert spin == pytest.approx(last(inertia, ahead), abs=1e-8)
    slopes = [
        (last(INERTIA + h, AHEAD) - last(INERTIA - h, AHEAD)) / (2 * h),
        (last(INERTIA, AHEAD + h) - last(INERTIA, AHEAD - h)) / (2 * h),
    ]
    assert found.matrix[0] == pytest.approx(slopes, rel=1e-6)


def variator(ratio: str) -> gr.Mechanism:
    """A torque of 3 N m on a drive of 0.2 kg m², which turns a wheel of 0.5 kg m²."""
    m = gr.Mechanism("variator")
    drive, wheel = (m.body(name, mass=1.0, inertia=inertia) for name, inertia in (("drive", 0.2), ("wheel", 0.5)))
    m.revolute(m.ground.at(0, 0), drive.at(0, 0))
    m.revolute(m.ground.at(1, 0), wheel.at(0, 0))
    m.variator(wheel, drive, ratio=ratio, name="cvt")
    m.torque(drive, 3.0)
    m.need(drive.angle, value=0.0, rate=1.0)
    m.need(wheel.angle, value=0.0)
    return m


def test_a_variator_transmits_without_loss_while_its_ratio_changes_with_time() -> None:
    """(I + i² J) α + i i̇ J ω = τ"""
    run = gr.simulate(variator("0.5 + 0.3*sin(2*t)"), 4.0, tol=1e-9)

    def rates(t: float, y: np.ndarray) -> list[float]:
        i, change = 0.5 + 0.3 * math.sin(2.0 * t), 0.6 * math.cos(2.0 * t)
        return [y[1], (3.0 - 0.5 * i * change * y[1]) / (0.2 + 0.5 * i * i), i * y[1]]

    last = solve_ivp(rates, (0.0, 4.0), [0.0, 1.0, 0.0], method="DOP853", rtol=1e-12, atol=1e-13).y[:, -1]
    assert run.status.ok
    assert [run["drive.angle"][-1], run["wheel.angle"][-1]] == pytest.approx([last[0], last[2]], rel=1e-9)
    assert run["balance"] == pytest.approx(np.zeros(len(run.t)), abs=1e-6 * np.max(run["kinetic"]))
    torque = 0.5 * run["wheel.angle.acceleration"]
    assert run["cvt.torque"] == pytest.approx(torque, abs=1e-8)
    assert run.reactions()["cvt.torque"] == pytest.approx(torque, abs=1e-8)
    report = gr.mobility(variator("1 + t"))
    assert (report.dof, report.velocity_dof, report.couplings) == (2, 1, 0)


def test_a_ratio_that_follows_an_angle_over_many_turns_is_a_noncircular_gear() -> None:
    run = gr.simulate(variator("0.5 + 0.3*sin(drive.angle/5)"), 4.0, tol=1e-9)
    turned = run["drive.angle"]
    assert turned[-1] > 60.0
    assert run["wheel.angle"] == pytest.approx(0.5 * turned + 1.5 * (1.0 - np.cos(turned / 5.0)), abs=1e-7)


@pytest.mark.parametrize(
    ("ratio", "words"),
    [
        ("where(t - 1, 1, 2)", "jumps at t = 1 s"),
        ("drive.angle.rate", "positions and time only"),
        ("nothing", "no measure"),
    ],
)
def test_ratios_that_no_transmission_can_have_are_refused(ratio: str, words: str) -> None:
    with pytest.raises(ModelError, match=words):
        gr.simulate(variator(ratio), 2.0)


def test_a_variator_is_the_same_in_a_file() -> None:
    model = variator("0.5 + 0.3*sin(2*t)").model
    assert loads(dumps(model)) == model
