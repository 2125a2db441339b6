"""Joints that prevent velocities but restrict no position, against closed forms."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import grashof as gr
from grashof.common.errors import ModelError
from grashof.common.status import Code
from grashof.exchange import save_file
from grashof.model.files import dumps, loads
from grashof.situation.known import unknown

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


def test_an_impact_leaves_velocities_along_the_blade() -> None:
    """A body with its blade at its centre of mass hits a wall with a corner: only its speed and its spin change."""
    m = gr.Mechanism("wall")
    body = m.body("body", mass=2.0, inertia=0.3)
    m.knife_edge(m.ground.at(0, 0), body.at(0, 0, name="o"), normal=(0, 1))
    body.at(0.3, 0.2, name="corner")
    m.stop("body.corner.x", upper=1.0, restitution=0.5)
    for name in ("body.angle", "body.o.y"):
        m.need(name, value=0.0)
    m.need("body.o.x", value=0.0, rate=2.0)
    run = gr.simulate(m, 0.6, tol=1e-9)
    impulse = 1.5 * 2.0 / (1.0 / 2.0 + 0.2**2 / 0.3)
    speed, spin = 2.0 - impulse / 2.0, 0.2 * impulse / 0.3
    assert run.status.ok
    assert run["body.angle.rate"][-1] == pytest.approx(spin, abs=1e-8)
    assert run["body.o.x.rate"][-1] == pytest.approx(speed * math.cos(run["body.angle"][-1]), abs=1e-8)
    assert run["body.o.y.rate"][-1] == pytest.approx(speed * math.sin(run["body.angle"][-1]), abs=1e-8)


def test_a_sleigh_on_a_turntable_moves_as_equations_with_multipliers_say() -> None:
    """M a + Jᵀ λ = 0 and J a = −(d/dt slip), for x, y of the centre of mass and the angle."""
    turn, ahead = 1.3, np.array([0.4, 0.1])
    m = gr.Mechanism("turntable")
    table, body = m.body("table", mass=1.0, inertia=1.0), m.body("body", mass=2.0, inertia=0.3, center=(0.4, 0.1))
    m.revolute(m.ground.at(0, 0), table.at(0, 0))
    m.motor(table, speed=turn)
    m.guess(body, (0.7, 0.2), angle=0.3)
    m.knife_edge(table.at(0, 0), body.at(0, 0, name="o"), normal=(-math.sin(0.3), math.cos(0.3)))
    m.need("body.o.x", value=0.7, rate=0.5)
    m.need("body.o.y", value=0.2)
    m.need(body, value=0.3, rate=1.0)
    run = gr.simulate(m, 3.0, tol=1e-9)

    def slip(q: np.ndarray, v: np.ndarray) -> complex:
        c, s = np.cos(q[2]), np.sin(q[2])
        arm = np.array([c * ahead[0] - s * ahead[1], s * ahead[0] + c * ahead[1]])
        x, y = q[:2] - arm
        along_x, along_y = v[0] + v[2] * arm[1] + turn * y, v[1] - v[2] * arm[0] - turn * x
        return -s * along_x + c * along_y

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        q, v = y[:3], y[3:]
        row = [slip(q, one) - slip(q, np.zeros(3)) for one in np.eye(3)]
        change = slip(q + 1e-30j * v, v).imag / 1e-30
        matrix = np.diag([2.0, 2.0, 0.3, 0.0])
        matrix[3, :3] = matrix[:3, 3] = row
        return np.concatenate([v, np.linalg.solve(matrix, [0.0, 0.0, 0.0, -change])[:3]])

    names = ("body.center.x", "body.center.y", "body.angle")
    y = [run[name + end][0] for end in ("", ".rate") for name in names]
    last = solve_ivp(rates, (0.0, 3.0), y, method="DOP853", rtol=1e-12, atol=1e-13).y[:3, -1]
    assert [run[name][-1] for name in names] == pytest.approx(last, abs=1e-8)
    assert run["balance"] == pytest.approx(np.zeros(len(run.t)), abs=1e-8)


def test_a_variator_of_constant_ratio_is_a_gear_also_where_a_four_bar_is_singular() -> None:
    def linkage(*, variable: bool) -> gr.Mechanism:
        m = gr.Mechanism("linkage", gravity=(0, -9.81))
        a, b, c = m.bar("a", length=1.0, mass=1.0), m.bar("b", length=1.2, mass=1.0), m.bar("c", length=1.9, mass=1.0)
        wheel = m.body("wheel", mass=1.0, inertia=0.5)
        m.revolute(m.ground.at(0, 0), a.start)
        m.revolute(m.ground.at(2.1, 0), b.start)
        m.revolute(a.end, c.start)
        m.revolute(b.end, c.end)
        m.revolute(m.ground.at(3, 0), wheel.at(0.1, 0.05))
        if variable:
            m.variator(wheel, a, ratio=2.0)
        else:
            m.coupling({wheel: 1.0, a: -2.0})
        m.need(a.angle, value=math.pi / 2, rate=-5.0)
        m.need(wheel.angle, value=0.0)
        m.want(b.angle, value=math.pi / 2)
        return m

    runs = [gr.simulate(linkage(variable=variable), 4.0, tol=1e-8) for variable in (False, True)]
    assert all(run.status.ok and run.steps.crossings for run in runs)
    for name in ("a.angle", "b.angle", "wheel.angle"):
        assert runs[1][name][-1] == pytest.approx(runs[0][name][-1], abs=1e-7)


@pytest.mark.parametrize("mechanism", [sleigh(), variator("1 + t")], ids=["blade", "variator"])
def test_questions_and_engines_that_cannot_treat_velocities_say_so(mechanism: gr.Mechanism) -> None:
    for ask in (gr.equilibrium, gr.modes, gr.linkage, lambda m: gr.kinematics(m, 1.0)):
        with pytest.raises(ModelError, match="restricts velocities but not positions"):
            ask(mechanism)
    assert unknown(mechanism.model, "SciPy", any_joint=True) is not None


@pytest.mark.parametrize("ending", ["osim", "xml"])
def test_formats_that_have_no_blades_say_so(ending: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="Joint 'blade 0': it restricts velocities but not positions"):
        save_file(sleigh(), tmp_path / f"sleigh.{ending}")


def test_a_sleigh_needs_no_inertia_if_its_blade_holds_what_has_no_mass() -> None:
    m = gr.Mechanism("point mass")
    body = m.body("body", mass=MASS, center=(AHEAD, 0.0))
    m.knife_edge(m.ground.at(0, 0), body.at(0, 0), normal=(0, 1))
    m.need(body, value=0.0, rate=SPIN)
    run = gr.simulate(m, 2.0, tol=1e-9)
    assert run.status.ok
    assert run["body.angle.rate"] == pytest.approx(SPIN / np.cosh(SPIN * run.t), abs=1e-8)


@pytest.mark.parametrize("tol", [1e-6, 1e-9])
def test_blades_that_become_parallel_at_one_point_leave_the_motion_undecided(tol: float) -> None:
    """Two blades at a pin hold it, except at the instant at which they are parallel: then a force could move it."""
    m = gr.Mechanism("scissors")
    a, b = m.body("a", mass=1.0, inertia=0.1, center=(0.3, 0)), m.body("b", mass=1.0, inertia=0.1, center=(-0.3, 0))
    m.guess(b, (0, 0), angle=0.5)
    m.revolute(a.at(0, 0, name="o"), b.at(0, 0, name="o"))
    m.knife_edge(m.ground.at(0, 0), a.o, normal=(0, 1))
    m.knife_edge(m.ground.at(0, 0), b.o, normal=(-math.sin(0.5), math.cos(0.5)))
    m.need(a, value=0.0, rate=1.0)
    m.need(b, value=0.5, rate=-1.0)
    m.force(a.o, (30.0, 20.0))
    early, late = gr.simulate(m, 0.2, tol=tol), gr.simulate(m, 1.0, tol=tol)
    assert early.status.ok
    assert late.status.doubt is Code.UNDECIDED
