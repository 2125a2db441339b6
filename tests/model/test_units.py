"""Numbers with units: converted exactly, refused where they are of another kind, alike in Python and in files."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import grashof as gr
from grashof.model.files import dumps, loads
from grashof.model.joints import Cylindrical, PinInSlot, Plane, Revolute, Slider, Spherical, Universal
from grashof.model.units import KINDS, UNITS, is_quantity, si


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("120 mm", "m", 0.12),
        ("-1.5e2 cm", "m", -1.5),
        ("2 in", "m", 0.0508),
        ("30 deg", "rad", math.pi / 6),
        ("30°", "rad", math.pi / 6),
        ("1 rev", "rad", 2 * math.pi),
        ("300 rpm", "rad/s", 10 * math.pi),
        ("90 deg/s", "rad/s", math.pi / 2),
        ("36 km/h", "m/s", 10.0),
        ("2 kN", "N", 2000.0),
        ("5 N mm", "N m", 0.005),
        ("5 N*mm", "N m", 0.005),
        ("10 N/mm", "N/m", 1e4),
        ("2 N m/deg", "N m/rad", 360.0 / math.pi),
        ("2 N m", "N m/rad", 2.0),
        ("9.81 m/s²", "m/s2", 9.81),
        ("9.81 m s^-2", "m/s2", 9.81),
        ("50 kg mm2", "kg m2", 5e-5),
        ("250 g", "kg", 0.25),
        ("20 ms", "s", 0.02),
    ],
)
def test_conversions(text: str, unit: str, value: float) -> None:
    assert si("x", text, unit) == pytest.approx(value, rel=1e-15)


@given(st.decimals(-(10**6), 10**6, allow_nan=False, places=6), st.sampled_from(["mm", "cm", "km", "um", "in"]))
def test_lengths_are_rounded_once(number: Fraction, unit: str) -> None:
    assert si("x", f"{number} {unit}", "m") == float(Fraction(number) * UNITS[unit].factor)


@pytest.mark.parametrize("unit", KINDS)
def test_every_kind_has_an_example_of_it(unit: str) -> None:
    assert math.isfinite(si("x", KINDS[unit][1], unit))


@pytest.mark.parametrize(
    ("text", "unit", "words"),
    [
        ("30 deg", "m", "which is an angle; it must be a length, such as '120 mm'"),
        ("120 mm", "rad", "which is a length; it must be an angle"),
        ("2 N m/rad", "N m", "which is a torsional stiffness; it must be a torque"),
        ("5 kN/s", "N", "whose unit is of another kind"),
        ("5 furlong", "m", "there is no unit 'furlong'"),
        ("0.3", "m", "or a text with its unit such as '120 mm'"),
        ("mm", "m", "or a text with its unit"),
        ("1e999 km", "m", "it must be finite"),
        ("1" * 200 + " m", "m", "or a text with its unit"),
    ],
)
def test_refusals(text: str, unit: str, words: str) -> None:
    with pytest.raises(gr.ModelError, match="Bar 'rod': length") as refused:
        si("Bar 'rod': length", text, unit)
    assert words in str(refused.value)


def test_no_law_is_taken_for_a_quantity() -> None:
    for law in ("2*t", "0.3", "t", "-crank.angle", "3 if t > 1 else 2", "1 and t", "sin(t)", "1e3", "2e-3", "1e3*t"):
        assert not is_quantity(law)


def in_python(metric: bool) -> gr.Mechanism:
    """The same pendulum in SI units, and in others."""

    def one(number: float, text: str) -> float | str:
        return number if metric else text

    m = gr.Mechanism("pendulum", gravity=(0, one(-9.81, "-981 cm/s2")))
    rod = m.bar("rod", length=one(0.12, "120 mm"), mass=one(0.25, "250 g"))
    disc = m.body(
        "disc",
        mass=1.0,
        inertia=one(5e-5, "50 kg mm2"),
        points={"p": (one(0.01, "1 cm"), 0)},
        angle=one(math.pi / 6, "30 deg"),
    )
    m.revolute(m.ground.at(one(0.5, "50 cm"), 0), rod.start)
    m.revolute(rod.end, disc.p)
    m.spring(m.ground.at(1, 0), disc.p, stiffness=one(1e4, "10 N/mm"), length=one(0.12, "12 cm"), damping="2 N s/m")
    m.torque(rod, one(0.005, "5 N mm"))
    m.force(disc.p, (one(2000.0, "2 kN"), "3*t"))
    m.need(rod, value=one(math.pi / 6, "30 deg"), rate=one(math.pi, "30 rpm"))
    m.motor("disc.angle", speed=one(10 * math.pi, "300 rpm"))
    m.time = 0.0
    return m


def test_units_in_python() -> None:
    assert in_python(metric=False).model == in_python(metric=True).model


TEXT = """
format = "grashof 1"
name = "pendulum"
gravity = [0, "-981 cm/s2"]
[ground]
O = ["50 cm", 0]
[[bodies]]
type = "bar"
name = "rod"
length = "120 mm"
mass = "250 g"
points = { middle = ["6 cm", 0] }
[[joints]]
type = "revolute"
name = "A"
a = "ground.O"
b = "rod.start"
[[measures]]
type = "angle"
name = "tilt"
body = "rod"
[[forces]]
type = "spring"
name = "S"
a = "ground.O"
b = "rod.end"
stiffness = "10 N/mm"
length = "0.1*t"
[[forces]]
type = "force"
name = "F"
point = "rod.end"
force = ["2 kN", 0]
[[motors]]
name = "M"
target = "tilt"
speed = "300 rpm"
[start]
time = "20 ms"
needs = [{ quantity = "tilt", value = "30 deg", rate = "300 rpm" }]
guesses = { rod = { position = ["50 cm", 0], angle = "30 deg" } }
"""


def test_units_in_a_file() -> None:
    model = loads(TEXT)
    assert model.gravity == (0.0, -9.81)
    assert model.ground == {"O": (0.5, 0.0)}
    assert (model.bodies[0].length, model.bodies[0].mass, model.bodies[0].points) == (
        0.12,
        0.25,
        {"middle": (0.06, 0.0)},
    )  # type: ignore[union-attr]
    assert (model.forces[0].stiffness, model.forces[0].length) == (1e4, "0.1*t")  # type: ignore[union-attr]
    assert model.forces[1].force == (2000.0, 0.0)  # type: ignore[union-attr]
    assert model.motors[0].speed == pytest.approx(10 * math.pi)
    assert model.start.time == 0.02
    assert model.start.needs[0].value == pytest.approx(math.pi / 6)
    assert model.start.needs[0].rate == pytest.approx(10 * math.pi)
    assert model.start.guesses["rod"].angle == pytest.approx(math.pi / 6)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("120 mm", "30 deg", "bodies[0] ('rod'): length is '30 deg', which is an angle"),
        ("6 cm", "6 kg", "bodies[0] ('rod'): points: 'middle'[0] is '6 kg', which is a mass"),
        ("10 N/mm", "10 N", "forces[0] ('S'): stiffness is '10 N', which is a force"),
        ('value = "30 deg"', 'value = "30 mm"', "needs ('tilt'): value is '30 mm', which is a length"),
        ('speed = "300 rpm"', 'speed = "3 m/s"', "motors ('tilt'): speed is '3 m/s', which is a speed"),
    ],
)
def test_other_kinds_in_a_file_are_refused_with_their_place(old: str, new: str, words: str) -> None:
    with pytest.raises(gr.ModelError) as refused:
        loads(TEXT.replace(old, new, 1))
    assert words in str(refused.value)


def test_units_of_events_stops_and_times() -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length="50 cm", mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value="-30 deg")
    m.event("rod.angle", crosses="-45 deg", name="low")
    m.event("rod.angle.rate", crosses="-30 rpm", name="fast")
    m.stop("rod.end.x", lower="-20 cm", restitution=0.5)
    again = loads(dumps(m.model))
    assert again == m.model
    run = gr.simulate(m, "250 ms", max_step="10 ms")
    assert run.t[-1] == 0.25
    times = {event.name: event.time for event in run.events}
    where = np.searchsorted(run.t, times["low"])
    assert run["rod.angle"][where - 1] > -math.pi / 4 > run["rod.angle"][where]
    assert run["rod.angle.rate"][np.searchsorted(run.t, times["fast"])] == pytest.approx(-math.pi, abs=0.01)
    for wrong, words in (("3 kg", "a mass"), ("3 m", "a length")):
        with pytest.raises(gr.ModelError, match=words):
            gr.simulate(m, wrong)
    with pytest.raises(gr.ModelError, match="which is a length"):
        m.event("rod.angle", crosses="3 mm")


def test_units_of_events_and_stops_in_a_file() -> None:
    more = """
[[events]]
name = "low"
quantity = "rod.angle.rate"
crosses = "30 rpm"
[[forces]]
type = "stop"
name = "limit"
measure = "tilt"
upper = "90 deg"
stiffness = 1000
"""
    model = loads(TEXT + more)
    assert model.events[0].crosses == pytest.approx(math.pi)
    assert model.forces[-1].upper == pytest.approx(math.pi / 2)  # type: ignore[union-attr]


def test_a_name_that_looks_like_a_number_with_a_unit_is_a_name() -> None:
    text = 'format = "grashof 1"\nname = "m"\nbodies = [{ type = "bar", name = "0", length = 1 }]\n'
    motor = 'motors = [{ name = "drive", target = "0.angle", law = "30 deg" }]\n'
    (found,) = loads(text + motor).motors
    assert found.target == "0.angle"


def test_units_of_controllers_and_friction_follow_from_what_they_act_on() -> None:
    m = gr.Mechanism("cart and arm", gravity=(0, -9.81))
    cart = m.body("cart", mass=1.0, inertia=1.0, points={"o": (0, 0)})
    arm = m.bar("arm", length=0.5, mass=1.0)
    m.slider(m.ground.line((0, 0), (1, 0)), cart.line((0, 0), (1, 0)), name="rail")
    m.revolute(cart.o, arm.start, name="pin")
    m.controller(arm, kp="2 N mm/deg", ki="3 N m/rad/s", kd="4 N mm s/rad", limit="5 kN mm", windup="6 deg s", name="C")
    m.controller("cart.o.x", kp="2 N/mm", kd="4 N s/m", limit="5 kN", windup="6 mm s", name="D")
    m.friction("rail", viscous="2 N s/mm", coulomb="3 kN", slip_speed="4 mm/s", name="R")
    m.friction("pin", viscous="2 N mm s/rad", coulomb="3 N mm", slip_speed="1 rpm", name="P")
    numbers = {path: (number.value, number.unit) for path, number in gr.numbers(m).items()}
    expected = {
        "C.kp": (0.002 * 180 / math.pi, "N m/rad"),
        "C.ki": (3.0, "N m/rad/s"),
        "C.kd": (0.004, "N m s/rad"),
        "C.limit": (5.0, "N m"),
        "C.windup": (math.pi / 30, "rad s"),
        "D.kp": (2000.0, "N/m"),
        "D.kd": (4.0, "N s/m"),
        "D.limit": (5000.0, "N"),
        "D.windup": (0.006, "m s"),
        "R.viscous": (2000.0, "N s/m"),
        "R.coulomb": (3000.0, "N"),
        "R.slip_speed": (0.004, "m/s"),
        "P.viscous": (0.002, "N m s/rad"),
        "P.coulomb": (0.003, "N m"),
        "P.slip_speed": (math.pi / 30, "rad/s"),
    }
    for path, (value, unit) in expected.items():
        assert numbers[path] == (pytest.approx(value, rel=1e-14), unit), path
    for call, words in (
        (lambda: m.friction("pin", coulomb="3 N"), "which is a force; it must be a torque"),
        (lambda: m.controller("cart.o.x", kp="3 N m/rad"), "which is a torsional stiffness; it must be a stiffness"),
    ):
        with pytest.raises(gr.ModelError, match=words):
            call()


def test_units_of_controllers_and_friction_in_a_file() -> None:
    more = """
[[forces]]
type = "controller"
name = "C"
measure = "tilt"
kp = "2 N mm/deg"
limit = "5 kN mm"
[[forces]]
type = "friction"
name = "rub"
joint = "A"
coulomb = "30 N mm"
slip_speed = "1 rpm"
"""
    model = loads(TEXT + more)
    controller, friction = model.forces[-2:]
    assert controller.kp == pytest.approx(0.36 / math.pi)  # type: ignore[union-attr]
    assert controller.limit == 5.0  # type: ignore[union-attr]
    assert friction.coulomb == 0.03  # type: ignore[union-attr]
    assert friction.slip_speed == pytest.approx(math.pi / 30)  # type: ignore[union-attr]
    with pytest.raises(gr.ModelError, match=r"forces \('rub'\): coulomb is '30 N', which is a force"):
        loads(TEXT + more.replace("30 N mm", "30 N"))


@pytest.mark.parametrize("joint", [Revolute, Spherical, Universal, Slider, PinInSlot, Cylindrical, Plane])
def test_joints_slip_in_the_unit_of_their_freedoms(joint: type) -> None:
    axes = {field: (0.0, 0.0, 1.0) for field in joint.__struct_fields__ if field.startswith(("axis", "normal"))}
    freedoms = joint(name="j", a="x.p", b="y.p", **axes).freedoms("slip")
    units = {measure.unit for measure in freedoms} or {"rad"}  # a ball turns about all axes, which have no angles
    assert joint.slip_unit == ("rad" if units == {"rad"} else "m")
