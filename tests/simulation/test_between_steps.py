"""Nothing is passed over between two steps: short contacts, narrow lobes of couplings and curves, narrow features of
laws."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.interpolate import CubicSpline

import grashof as gr
from grashof.common.status import Code


def arm(at: float, radius: float) -> tuple[gr.Mechanism, str]:
    """An arm of 1 m that turns at 1 rad/s, and the distance of its end from a peg in its way, at this angle."""
    m = gr.Mechanism("arm")
    bar = m.bar("bar", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    m.need(bar.angle, value=0.0, rate=1.0)
    m.separation("gap", m.ground.at(math.cos(at), math.sin(at)), bar.end)
    return m, "gap"


PEGS = np.column_stack(
    [np.random.default_rng(4).uniform(0.5, 5.5, 6), 10.0 ** np.random.default_rng(5).uniform(-6, -1.5, 6)]
)


@pytest.mark.parametrize("tol", [1e-2, 1e-6, 1e-9])
@pytest.mark.parametrize(("at", "radius"), PEGS)
def test_an_arm_bounces_off_a_rigid_peg_however_thin_it_is(at: float, radius: float, tol: float) -> None:
    m, gap = arm(at, radius)
    m.stop(gap, lower=radius, restitution=1.0, name="peg")
    run = gr.simulate(m, 6.0, tol=tol)
    meets = at - 2.0 * math.asin(0.5 * radius)
    assert run.status.ok
    assert run.events[0].time == pytest.approx(meets, abs=tol)
    assert run["bar.angle"][-1] == pytest.approx(2.0 * meets - 6.0, abs=3.0 * tol)


@pytest.mark.parametrize(("at", "radius"), PEGS)
def test_an_event_is_recorded_on_both_sides_of_a_short_passage(at: float, radius: float) -> None:
    m, gap = arm(at, radius)
    m.event(gap, crosses=radius, name="near")
    run = gr.simulate(m, 6.0)
    half = 2.0 * math.asin(0.5 * radius)
    assert [event.time for event in run.events] == pytest.approx([at - half, at + half], abs=1e-6)


def test_a_compliant_peg_takes_as_long_to_pass_as_its_energy_says() -> None:
    at, radius, stiffness = 2.3, 1e-4, 1e6  # N/m, with which the arm passes
    m, gap = arm(at, radius)
    m.stop(gap, lower=radius, stiffness=stiffness, exponent=1.0, name="peg")
    run = gr.simulate(m, 4.0, tol=1e-8)
    half = 2.0 * math.asin(0.5 * radius)

    def slowness(angle: float) -> float:
        depth = radius - 2.0 * abs(math.sin(0.5 * angle))
        return 1.0 / math.sqrt(1.0 - 3.0 * stiffness * depth**2)  # ω² = 1 − 2V/I, with I = 1/3 kg m²

    through = 2.0 * quad(slowness, -half, 0.0, epsabs=1e-14)[0]
    assert run.status.ok
    assert run["bar.angle"][-1] == pytest.approx(4.0 - (through - 2.0 * half), abs=1e-8)


def cam() -> tuple[gr.Mechanism, Any, Any]:
    """A flywheel that turns at 1 rad/s, and a weight above it that can move up and down."""
    m = gr.Mechanism("cam", gravity=(0, -9.81))
    wheel = m.body("wheel", mass=1.0, inertia=0.5, points={"o": (0, 0)})
    valve = m.body("valve", mass=0.2, inertia=1.0, points={"o": (0, 0)}, position=(0, 0.05))
    m.revolute(m.ground.at(0, 0), wheel.o)
    m.prismatic(m.ground.at(0, 0), valve.o, axis=(0, 1))
    m.need(wheel.angle, value=0.0, rate=1.0)
    return m, wheel, valve


def angle_behind_the_lobe(width: float, end: float) -> float:
    """The angle of the wheel at a time if a lobe of this width, rad, at 2 rad, lifts the weight by 10 mm: from the
    energy integral."""

    def lift(angle: float) -> float:
        return 0.01 * math.exp((math.cos(angle - 2.0) - 1.0) / width**2)

    def slowness(angle: float) -> float:
        slope = -math.sin(angle - 2.0) / width**2 * lift(angle)
        return math.sqrt((0.5 + 0.2 * slope**2) / (0.5 - 2.0 * 0.2 * 9.81 * lift(angle)))

    marks = [2.0 + k * width for k in (-6.0, -3.0, -1.0, 0.0, 1.0, 3.0, 6.0)]
    passed = sum(quad(slowness, a, b, epsabs=1e-13)[0] for a, b in itertools.pairwise(marks))
    return end - passed + 12.0 * width


@pytest.mark.parametrize("tol", [1e-3, 1e-6])
@pytest.mark.parametrize("width", [7e-4, 2.2e-3, 6e-3])
def test_a_flywheel_is_as_late_behind_a_narrow_lobe_as_its_energy_says(width: float, tol: float) -> None:
    m, _, _ = cam()
    m.coupling(f"valve.o.y - 0.05 - 0.01*exp((cos(wheel.angle - 2) - 1)/{width}**2)")
    run = gr.simulate(m, 4.0, tol=tol)
    assert run.status.ok
    assert run["wheel.angle"][-1] == pytest.approx(angle_behind_the_lobe(width, 4.0), abs=tol)


def test_a_pin_on_a_curve_with_a_narrow_lobe_keeps_its_energy() -> None:
    m, wheel, valve = cam()
    m.pin_on_curve(wheel.curve(radius="0.05 + 0.01*exp((cos(phi - pi/2 + 2) - 1)/0.001**2)"), valve.o)
    run = gr.simulate(m, 4.0)
    assert run.status.ok
    assert run["wheel.angle"][-1] == pytest.approx(angle_behind_the_lobe(1e-3, 4.0), abs=1e-6)


def narrow_spline(width: float) -> tuple[list[float], list[float], CubicSpline]:
    """The points of a lobe of 10 mm at 2 rad, of which a width is this many rad, and the periodic spline through them
    by SciPy."""
    s = np.linspace(-4.0, 4.0, 61)
    x = [0.0, *(2.0 + width * s).tolist(), 2.0 * math.pi]
    y = [0.0, *(0.01 * np.exp(-0.5 * s**2) * (1.0 - (s / 4.0) ** 2) ** 3).tolist(), 0.0]
    return x, y, CubicSpline(x, y, bc_type="periodic")


@pytest.mark.parametrize("by_points", [False, True])
@pytest.mark.parametrize("width", [3e-4, 3e-3])
def test_a_flywheel_is_as_late_behind_a_lobe_given_by_points_as_its_energy_says(width: float, by_points: bool) -> None:
    m, wheel, valve = cam()
    x, y, lift = narrow_spline(width)
    if by_points:  # of the curve in the wheel, which is above its centre at φ = π/2 − θ
        turned = [math.pi / 2.0 - angle for angle in x[-2::-1]]
        radii = [0.05 + height for height in y[-2::-1]]
        points = [(r * math.cos(phi), r * math.sin(phi)) for r, phi in zip(radii, turned, strict=True)]
        m.pin_on_curve(wheel.curve(points=points), valve.o)
    else:
        m.table("lift", x, y, kind="cubic", periodic=True)
        m.coupling("valve.o.y - 0.05 - lift(wheel.angle)")
    run = gr.simulate(m, 4.0, tol=1e-3)
    energy = 0.5 * (0.5 + 0.2 * lift(0.0, 1) ** 2) + 0.2 * 9.81 * lift(0.0)

    def slowness(angle: float) -> float:
        return math.sqrt((0.5 + 0.2 * lift(angle, 1) ** 2) / (2.0 * (energy - 0.2 * 9.81 * lift(angle))))

    angle = run["wheel.angle"][-1]
    marks = [0.0, *(at for at in x if 0.0 < at < angle), angle]
    taken = sum(quad(slowness, a, b, epsabs=1e-13)[0] for a, b in itertools.pairwise(marks))
    assert run.status.ok
    assert taken == pytest.approx(4.0, abs=1e-3)


def test_a_condition_that_looks_up_a_table_is_not_passed_over() -> None:
    """The tip of a table reaches half its height after half its way up."""
    m = slider("0")
    m.table("tip", [0.0, 0.7, 0.7001, 0.7002, 1.0], [0, 0, 1, 0, 0])
    run = gr.simulate(m, 2.0, until="tip(b.o.x) > 0.5")
    assert run.status.ended is Code.EVENT
    assert run.t[-1] == pytest.approx(0.70005, abs=1e-6)


def slider(law: str) -> gr.Mechanism:
    """2 kg at 1 m/s on a line, and a force along it."""
    m = gr.Mechanism("slider")
    block = m.body("b", mass=2.0, inertia=1.0, points={"o": (0, 0)})
    m.prismatic(m.ground.at(0, 0), block.o, axis=(1, 0))
    m.need("b.o.x", value=0.0, rate=1.0)
    m.force(block.o, (law, 0))
    return m


@pytest.mark.parametrize(("height", "width"), [(100.0, 1e-4), (-9.0, 1e-3), (3e4, 2e-6)])
@pytest.mark.parametrize(
    ("law", "area"),
    [
        ("{h}*exp(-((b.o.x - 0.7317)/{w})**2)", math.sqrt(math.pi)),
        ("{h}*max(0, 1 - abs(b.o.x - 0.7317)/{w})", 1.0),
        ("{h} if abs(b.o.x - 0.7317) < {w} else 0", 2.0),
    ],
)
def test_a_force_that_acts_over_a_short_way_does_its_work(law: str, area: float, height: float, width: float) -> None:
    run = gr.simulate(slider(law.format(h=height, w=width)), 3.0)
    assert run.status.ok
    assert run["b.o.x.rate"][-1] == pytest.approx(math.sqrt(1.0 + height * width * area), abs=1e-6)


def test_a_law_that_cannot_be_resolved_is_told() -> None:
    run = gr.simulate(slider("sin(1e9*b.o.x**5)"), 0.3, tol=1e-2)
    assert run.status.code is not Code.SUCCESS


@pytest.mark.parametrize("kink", ["coupling", "stop"])
def test_a_kink_where_round_off_alone_moves_the_mechanism_is_no_doubt(kink: str) -> None:
    """Two bars stay stretched while they turn, exactly at the kink of what acts on the angle between them."""
    m = gr.Mechanism("two bars")
    one, other = m.bar("one", length=0.7, mass=1.0), m.bar("other", length=0.3, mass=0.2)
    m.revolute(m.ground.at(0.3, 0.1), one.start)
    m.revolute(one.end, other.start)
    bend = m.angle("bend", other, reference=one)
    m.need(one.angle, value=0.1, rate=3.0)
    m.need(bend, value=0.0, rate=0.0)
    if kink == "coupling":
        valve = m.body("valve", mass=0.2, inertia=1.0, points={"o": (0, 0)})
        m.prismatic(m.ground.at(0, 0), valve.o, axis=(0, 1))
        m.coupling("valve.o.y - 0.1*bend - 0.3*max(bend, 0)**3")
    else:
        m.stop(bend, upper=0.0, stiffness=10.0)
    run = gr.simulate(m, 2.0)
    assert run.status.code is Code.SUCCESS
    assert run["one.angle"][-1] == pytest.approx(6.1, abs=1e-6)
    assert abs(run["bend"][-1]) < 1e-9


def test_a_law_of_an_angle_in_space_and_of_its_rate_is_resolved() -> None:
    """Such an angle is not interpolated itself, but follows from points and arrows; so do all its derivatives."""
    m = gr.Mechanism("pendulum", gravity=(0, 0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.1), center=(0.5, 0, 0), points={"pin": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), rod.pin, axis=(0, 1, 0))
    turn = m.angle("turn", rod, axis=(0, 1, 0))
    m.torque(turn, "-2*turn.rate - sin(turn)")
    run = gr.simulate(m, 1.0, tol=1e-8)
    assert run.status.ok

    def motion(_: float, y: np.ndarray) -> list[float]:
        return [y[1], (0.5 * 9.81 * np.cos(y[0]) - 2.0 * y[1] - np.sin(y[0])) / 0.35]

    expected = solve_ivp(motion, (0.0, 1.0), [0.0, 0.0], "DOP853", rtol=1e-12, atol=1e-12).y[0, -1]
    assert run["turn"][-1] == pytest.approx(expected, abs=1e-7)
