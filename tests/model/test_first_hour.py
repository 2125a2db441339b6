"""What people write in their first hour works, or is answered by a sentence that says what to write."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism


@pytest.fixture
def m() -> Mechanism:
    """A slider crank without a drive."""
    m = Mechanism("slider crank", gravity=(0, -9.81))
    crank, rod = m.bar("crank", 0.2, mass=1.0), m.bar("rod", 0.5, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    return m


@pytest.mark.parametrize("law", [10.0, "10", "2*5"])
def test_a_number_without_a_keyword_holds_the_angle_and_says_so(m: Mechanism, law: float | str) -> None:
    with pytest.warns(UserWarning, match=r"holds crank.angle at 10 rad.*write speed="):
        m.motor("crank.angle", law)
    assert "Motor 'motor crank.angle' holds crank.angle at 10 rad." in str(m)
    assert "Motor 'motor crank.angle' holds crank.angle at 10 rad." in str(gr.mobility(m))


@pytest.mark.parametrize(
    "drive", [{"angle": 10.0}, {"position": 10.0}, {"law": "10*t"}, {"law": "10 rad"}, {"speed": 10}]
)
def test_what_can_be_meant_in_one_way_only_is_not_warned_about(m: Mechanism, drive: dict[str, float | str]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.motor("crank.angle", **drive)  # type: ignore[arg-type]
    held = str(gr.mobility(m)).count("holds crank.angle at 10 rad")
    assert held == ("*" not in str(drive) and "speed" not in drive)


def test_a_speed_in_the_place_of_an_angle_is_recognised_by_its_unit(m: Mechanism) -> None:
    with pytest.raises(ModelError, match=r"'60 rpm' is a speed; write m.motor"):
        m.motor("crank.angle", "60 rpm")
    with pytest.raises(ModelError, match=r"'rod.end.x' is not an angle; write position"):
        m.motor("rod.end.x", angle=0.3)


def test_a_motor_that_contradicts_a_need_is_named_in_rad(m: Mechanism) -> None:
    m.motor("crank.angle", angle=1.0, name="drive")
    m.need("crank.angle", 0.25)
    with pytest.raises(ModelError, match=r"motor 'drive' puts crank.angle at 1 rad .* needs 0.25 rad"):
        gr.assemble(m)


def test_a_motor_that_contradicts_a_needed_rate_is_named_in_rad_per_second(m: Mechanism) -> None:
    m.motor("crank.angle", speed="60 rpm", name="drive")
    m.need("crank.angle", 0.25, rate=2.0)
    with pytest.raises(ModelError, match=r"motor 'drive' moves crank.angle at 6.28319 rad/s .* needs 2 rad/s"):
        gr.assemble(m)


def test_whole_turns_between_a_motor_and_a_need_are_no_contradiction(m: Mechanism) -> None:
    m.motor("crank.angle", angle="2*pi + 0.25")
    m.need("crank.angle", 0.25)
    gr.assemble(m)


def test_needs_that_cannot_be_met_are_missed_in_their_unit(m: Mechanism) -> None:
    m.motor("rod.end.x", position="0.7 m", name="drive")
    m.need("crank.angle", 1.0)
    with pytest.raises(ModelError, match=r"while 'drive' holds \(crank.angle is off by .* rad at best\)"):
        gr.assemble(m)


def test_a_slider_between_two_points_is_told_what_to_write(m: Mechanism) -> None:
    with pytest.raises(ModelError, match=r"first argument is the line .*m.ground.line.*m.prismatic\(a, b, axis="):
        m.slider(m.ground.at(0, 0), m.ground.at(1, 0))  # type: ignore[arg-type]


def test_three_components_in_the_plane_are_told_of_the_dimension(m: Mechanism) -> None:
    for refused in (
        lambda: m.ground.at(0, 0, 0),
        lambda: m.bar("b", start=(0, 0, 0), end=(1, 0, 0)),
        lambda: m.prismatic(m.ground.at(0, 0), m.bar("c", 1.0).start, axis=(1, 0, 0)),
        lambda: m.force(m.bar("d", 1.0).end, (0, 0, 1)),
    ):
        with pytest.raises(ModelError, match=r"three components, but mechanism 'slider crank' is planar.*dimension=3"):
            refused()


def test_two_components_in_space_are_told_of_the_dimension() -> None:
    with pytest.raises(ModelError, match="two components, but mechanism 'arm' is in space"):
        Mechanism("arm", gravity=(0, 0, -9.81)).ground.at(0, 0)


def test_a_pin_in_the_plane_may_be_given_the_axis_that_it_has(m: Mechanism) -> None:
    pin = m.revolute(m.ground.at(0, 0), m.bar("b", 1.0).start, axis=(0, 0, 1))
    assert pin.directions() == [("axis_a", ()), ("axis_b", ())]


def test_points_are_offered_for_completion(m: Mechanism) -> None:
    crank = m.body("cam", points={"tip": (0.1, 0), "not a word": (0, 0)})
    assert {"tip", "at", "angle"} <= {*dir(crank)}
    assert "not a word" not in dir(crank)
    assert repr(crank) == "Body 'cam' with the points tip, not a word"


def test_a_line_may_go_from_point_to_point(m: Mechanism) -> None:
    lever = m.bar("lever", 0.5)
    along = lever.line(lever.start, lever.end)
    assert (str(along.point), along.direction) == ("lever.start", (0.5, 0.0))


@pytest.mark.parametrize(
    ("word", "advice"),
    [
        ("pin", r"m.revolute\(…\)"),
        ("revolut", "'revolute'"),
        ("ball", "m.spherical"),
        ("damper", r"write m.spring\(a, b, damping=…\)\."),
        ("point_on_plane", r"write m.coupling\(m.coordinate\(.gap., point, normal, origin=…\)\)\."),
        ("spin", r"write m.need\(body, angular_velocity=…\)\."),
        ("start", r"write m.need\(crank.angle, value=…, rate=…\)\."),
    ],
)
def test_methods_under_other_names_are_pointed_to(m: Mechanism, word: str, advice: str) -> None:
    with pytest.raises(AttributeError, match=advice):
        getattr(m, word)


def test_gravity_as_a_number_is_told_to_be_a_vector() -> None:
    with pytest.raises(ModelError, match=r"gravity is 9.81; it must be a vector, such as \(0, -9.81\)"):
        Mechanism("m", gravity=9.81)  # type: ignore[arg-type]


def test_a_mechanism_describes_itself(m: Mechanism) -> None:
    m.motor("crank.angle", speed=10.0)
    m.need("crank.angle", 0.3)
    assert str(m).splitlines() == [
        "slider crank: a mechanism in the plane, gravity (0, -9.81) m/s².",
        "2 bodies: crank and rod",
        "3 joints: ground.p1~crank.start, crank.end~rod.start and ground.p1~rod.end",
        "Motor 'motor crank.angle' drives crank.angle at 10 rad/s.",
        "The start needs crank.angle.",
    ]


def test_whole_numbers_of_many_radians_are_suspected_to_be_degrees(m: Mechanism) -> None:
    for suspected in (
        lambda: m.need("crank.angle", 45),
        lambda: m.guess("rod", (0, 0), angle=-90.0),
        lambda: m.body("piston", angle=30),
    ):
        with pytest.warns(UserWarning, match=r"rad; for degrees write '.* deg'"):
            suspected()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        m.need("crank.angle", "45 deg")
        m.need("crank.angle", 6)
        m.want("rod.end.x", 45)


def test_functions_of_the_package_are_pointed_to(m: Mechanism) -> None:
    with pytest.raises(AttributeError, match=r"write grashof.simulate\(m, …\)"):
        m.simulate(1.0)


def test_a_body_by_its_name_stands_for_its_angle(m: Mechanism) -> None:
    m.motor("crank", speed=1.0)
    assert m.model.motors[0].target == "crank.angle"


def test_gravity_may_be_set_later(m: Mechanism) -> None:
    m.gravity = (0, "-1.62 m/s2")
    assert m.model.gravity == (0.0, -1.62)
    with pytest.raises(ModelError, match=r"gravity is -1.62; it must be a vector"):
        m.gravity = -1.62  # type: ignore[assignment]


def test_a_python_function_as_a_law_is_told_of_expressions(m: Mechanism) -> None:
    with pytest.raises(ModelError, match=r"is a Python function; write it as an expression.*m.user_force"):
        m.torque("crank.angle", lambda t: 5.0 * t)  # type: ignore[arg-type]


def test_an_unknown_name_in_a_law_may_be_a_parameter(m: Mechanism) -> None:
    m.torque("crank.angle", "5*sin(w*t)")
    with pytest.raises(ModelError, match="declare the parameter 'w'"):
        gr.mobility(m)


def test_a_product_needs_its_sign(m: Mechanism) -> None:
    m.parameter("r", 0.1)
    with pytest.raises(ModelError, match=r"length is '2r'; write the product as '2\*r'"):
        m.bar("b", length="2r")


def test_pounds_are_exact(m: Mechanism) -> None:
    m.bar("b", length="1 ft", mass="2 lb")
    m.force(m.bar("c", 1.0).end, ("1 lbf", 0))
    assert (m.model.bodies[-2].mass, m.model.forces[-1].force[0]) == (0.90718474, 4.4482216152605)  # type: ignore[union-attr]


def test_geometry_needs_no_masses() -> None:
    """A quick return drawn without masses: its block and ram have one point each, and their spins are of no
    consequence."""
    m = Mechanism("quick return")
    crank, arm = m.bar("crank", 0.1), m.bar("arm", 0.2)
    block = m.body("block", points={"pin": (0, 0)})
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(m.ground.at(0, -0.04), arm.start)
    m.revolute(crank.end, block.pin)
    m.slider(arm.line(arm.start, arm.end), block.pin)
    m.motor(crank, speed="60 rpm")
    report = str(gr.mobility(m))
    assert "1 degree of freedom, driven by 1 motor" in report
    assert "1 idle spin, of no consequence" in report
    assert "Assembled in" in str(gr.assemble(m))
    run = gr.kinematics(m, 1.0)
    x, y = 0.1 * np.cos(run["crank.angle"]), 0.1 * np.sin(run["crank.angle"])
    np.testing.assert_allclose(np.tan(run["arm.angle"]) * x, y + 0.04, atol=1e-12)


def test_a_spring_without_stiffness_is_a_damper() -> None:
    """m v̇ = −c v from v₀: x = (m/c) v₀ (1 − e^{−ct/m})."""
    m = Mechanism("dashpot")
    block = m.body("block", mass=2.0, points={"p": (0, 0)})
    m.prismatic(m.ground.at(0, 0), block.p, axis=(1, 0))
    m.spring(m.ground.at(-1, 0), block.p, damping=5.0)
    m.need("block.p.x", 0.0, rate=3.0)
    run = gr.simulate(m, 1.0, tol=1e-8)
    np.testing.assert_allclose(run["block.p.x"], 2.0 / 5.0 * 3.0 * (1.0 - np.exp(-2.5 * run.t)), atol=1e-7)
    assert "work.damper ground.p2~block.p" in run.names
    with pytest.raises(ModelError, match="give the free length of the spring"):
        m.spring(m.ground.at(-1, 0), block.p, stiffness=100.0)


def test_forces_without_names_do_not_collide(m: Mechanism) -> None:
    m.torque("crank", 1.0)
    m.torque("crank", "-0.1*crank.angle.rate")
    assert [force.name for force in m.model.forces] == ["torque crank.angle", "torque crank.angle 2"]
    m.torque("crank", 1.0, name="load")
    m.torque("crank", 1.0, name="load")
    with pytest.raises(ModelError, match="Force 'load' appears twice"):
        _ = m.model


def test_a_drum_at_the_end_of_a_rope_is_told_of_wound(m: Mechanism) -> None:
    drum = m.body("drum", mass=1.0, inertia=0.1, points={"center": (0, 0)})
    m.revolute(m.ground.at(0, 1), drum.center)
    m.rope([drum.center, m.ground.at(1, 1)], radii=[0.2, 0.0])
    with pytest.raises(ModelError, match=r"wound=\{drum: radius\}"):
        _ = m.model


def test_an_inertia_may_be_a_matrix() -> None:
    """The entries of the matrix are those of the six numbers, with their signs."""
    matrix = np.array([[2.0, -0.1, 0.2], [-0.1, 3.0, 0.3], [0.2, 0.3, 4.0]])
    m = gr.Mechanism("body", dimension=3)
    m.body("one", mass=1.0, inertia=matrix)
    m.body("two", mass=1.0, inertia=matrix.tolist())
    m.body("three", mass=1.0, inertia=(2.0, 3.0, 4.0, -0.1, 0.2, 0.3))
    assert len({body.inertia for body in m.model.bodies}) == 1
    assert np.array_equal(m.model.bodies[0].inertia_matrix, matrix)
    matrix[0, 1] = 0.1
    with pytest.raises(gr.ModelError, match="must have three rows of three numbers and be symmetric"):
        m.body("four", mass=1.0, inertia=matrix)


def test_a_mechanism_is_not_written_with_an_ending_that_means_something_else(tmp_path: Path) -> None:
    m = gr.example("four-bar")
    with pytest.raises(gr.ModelError, match=r"cannot be written as '\.json'; write one of \.toml, "):
        gr.save(m, tmp_path / "m.json")
    assert not list(tmp_path.iterdir())
    gr.save(m, tmp_path / "m")
    assert gr.load(tmp_path / "m") == m
