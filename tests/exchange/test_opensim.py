"""Models of OpenSim: files that OpenSim wrote move as they should, and go to TOML and back without the loss of a
bit."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file, save_file, xml
from grashof.exchange.opensim.curves import make_spline
from grashof.exchange.opensim.reader import read
from grashof.exchange.opensim.writer import write
from grashof.model.files import dumps, loads
from grashof.model.forces import Pull, Torque, TorsionSpring
from grashof.model.measures import Angle
from grashof.problems import make_case
from grashof.problems.andrews import reference

from .documents import JOINTS, body, constraint, document, joint

DATA = Path(__file__).parent / "data"
WAYS = ("andrews-chain", "andrews-planes")


@pytest.mark.parametrize("way", WAYS)
def test_the_squeezer_that_opensim_wrote_moves_as_the_independent_solution(way: str) -> None:
    model = load_file(DATA / f"{way}.osim", strict=True).model
    times = np.linspace(0.0, 0.05, 101)
    run = gr.simulate(model, 0.05, tol=1e-9, times=times)
    truth = reference.solution(times, reference.IFTOMM.beta0, reference.IFTOMM)
    point = next(name for name, place in model.points.items() if name.startswith("OF.") and place[0] == 0.007)
    assert run.status.ok
    assert np.abs(run[f"{point}.x"] - truth.x_f).max() < 1e-8
    assert np.abs(run[f"{point}.y"] - truth.y_f).max() < 1e-8


@pytest.mark.parametrize("way", WAYS)
def test_what_opensim_wrote_goes_to_toml_and_back_without_the_loss_of_a_bit(way: str, tmp_path: Path) -> None:
    model = load_file(DATA / f"{way}.osim", strict=True).model
    gr.save(model, tmp_path / "model.toml")
    gr.save(gr.load(tmp_path / "model.toml"), tmp_path / "model.osim")
    assert load_file(tmp_path / "model.osim", strict=True).model == model
    numbers = [_numbers(xml.read(path)) for path in (DATA / f"{way}.osim", tmp_path / "model.osim")]
    assert set(numbers[0]) <= set(numbers[1])


def _numbers(root: xml.Element) -> list[tuple[str, str, tuple[float, ...]]]:
    """Every number of bodies, frames, coordinates, constraints and springs, with what it belongs to."""
    found = []
    wanted = (
        "mass",
        "mass_center",
        "inertia",
        "translation",
        "orientation",
        "default_value",
        "stiffness",
        "rest_length",
    )
    points = (
        "location_body_1",
        "location_body_2",
        "point_on_line",
        "point_on_follower",
        "line_direction_vec",
        "point1",
        "point2",
    )
    for part in root.walk():
        for child in part.all(*wanted, *points):
            numbers = tuple(float(x) + 0.0 for x in child.text.split())
            # frames have other names where two of one joint would have the same
            found.append(("" if part.tag == "PhysicalOffsetFrame" else part.name, child.tag, numbers))
    return found


@pytest.mark.parametrize(("name", "values"), [("andrews", {}), ("double-four-bar", {}), ("n-four-bar", {"N": 3.0})])
def test_what_is_written_is_written_again_the_same(name: str, values: dict[str, float]) -> None:
    text, left_out = write(make_case(name, None, values).model)
    assert left_out == []
    model, left_out, *_ = read(xml.parse(text.encode()))
    assert left_out == []
    assert write(loads(dumps(model)))[0] == write(model)[0]
    assert read(xml.parse(write(model)[0].encode()))[0] == model


def test_a_coordinate_and_a_point_of_one_name_are_two_parts_of_a_joint() -> None:
    """OpenSim looks for the frame by its name, and finds whatever part of the joint has it."""
    m = gr.Mechanism("pendulum", gravity=(0, 0, -9.81))
    rod = m.body("rod", mass=1.0, inertia=(0.1, 0.1, 0.1), center=(0.5, 0, 0), points={"swing": (0, 0, 0)})
    m.revolute(m.ground.at(0, 0, 0), rod.swing, axis=(0, 1, 0), name="pin")
    m.angle("swing", rod, axis=(0, 1, 0))
    (pin,) = [part for part in xml.parse(write(m.model)[0].encode()).walk() if part.tag == "PinJoint"]
    names = [part.name for part in pin.walk() if part.tag in ("Coordinate", "PhysicalOffsetFrame")]
    assert "swing" in names
    assert len(set(names)) == len(names) == 3


@pytest.mark.parametrize("kind", JOINTS)
@pytest.mark.parametrize("seed", range(12))
def test_joints_with_frames_of_any_attitude_keep_every_bit(kind: str, seed: int) -> None:
    draw = random.Random(f"{kind} {seed}")
    moving = JOINTS[kind].count("Coordinate")
    text = document(
        body("b", draw),
        body("c", draw),
        joint("PinJoint", "first", "ground", "b", draw, 1),
        joint(kind, "second", "b", "c", draw, moving),
    )
    model, left_out, *_ = read(xml.parse(text.encode()))
    assert left_out == []
    again, _, *_ = read(xml.parse(write(loads(dumps(model)))[0].encode()))
    assert again.bodies == model.bodies
    assert again.joints == model.joints
    assert again.measures == model.measures
    assert again.start.wants == model.start.wants
    for name, pose in model.start.guesses.items():
        # attitudes of balls and free bodies are angles there and quaternions here
        assert again.start.guesses[name].position == pytest.approx(pose.position, abs=1e-12)
        assert again.start.guesses[name].rotation == pytest.approx(pose.rotation, abs=1e-12)


def test_constraints_and_forces_of_every_kind_are_read() -> None:
    model, left_out, *_ = read(
        xml.parse(document(body("b"), joint("PinJoint", "pin", "ground", "b", None, 1), constraint()).encode())
    )
    assert left_out == []
    assert [type(x).__name__ for x in model.joints] == ["Revolute", "Spherical", "PointOnLine", "Distance", "Weld"]


FORCES = """
<SpringGeneralizedForce name="spring"><coordinate>q_pin_0</coordinate><stiffness>3</stiffness><rest_length>0.1</rest_length><viscosity>0.2</viscosity></SpringGeneralizedForce>
<ExpressionBasedCoordinateForce name="law"><coordinate>q_pin_0</coordinate><expression>-3*q^2+square(qdot)</expression></ExpressionBasedCoordinateForce>
<ExpressionBasedPointToPointForce name="between"><body1>/ground</body1><body2>/bodyset/b</body2><point1>1 0 0</point1><point2>0 0 0</point2><expression>4*exp(-d)+ddot</expression></ExpressionBasedPointToPointForce>
<TorqueActuator name="motor"><bodyA>b</bodyA><bodyB>ground</bodyB><axis>0 0 1</axis><optimal_force>2</optimal_force></TorqueActuator>
<Thelen2003Muscle name="biceps"><max_isometric_force>900</max_isometric_force></Thelen2003Muscle>
<ExpressionBasedCoordinateForce name="hostile"><coordinate>q_pin_0</coordinate><expression>__import__("os").getcwd()</expression></ExpressionBasedCoordinateForce>
"""
CONTROL = (
    '<PrescribedController name="c"><actuator_list>motor</actuator_list><FunctionSet '
    'name="ControlFunctions"><objects><Constant '
    'name="motor"><value>0.25</value></Constant></objects></FunctionSet></PrescribedController>'
)


def test_forces_are_read_and_those_that_are_not_ours_are_listed_by_name_and_place() -> None:
    text = document(body("b"), joint("PinJoint", "pin", "ground", "b", None, 1), forces=FORCES, controllers=CONTROL)
    model, left_out, *_ = read(xml.parse(text.encode()))
    forces = {force.name: force for force in model.forces}
    assert forces["spring"] == TorsionSpring(name="spring", angle="q_pin_0", stiffness=3.0, rest=0.1, damping=0.2)
    assert forces["law"] == Torque(name="law", angle="q_pin_0", torque="-3 * `q_pin_0` ** 2 + `q_pin_0.rate` ** 2")
    assert forces["motor"] == Torque(name="motor", angle="q_pin_0", torque=0.5)
    assert isinstance(forces["between"], Pull)
    assert len(left_out) == 2
    assert "Thelen2003Muscle 'biceps'" in left_out[0]
    assert "line " in left_out[0]
    assert "'hostile'" in left_out[1]


def test_a_force_between_points_that_pulls_them_together_does_so() -> None:
    """m ẍ = −F with F = 3 N pulls a free body towards the ground's point."""
    text = document(body("b"), joint("SliderJoint", "slide", "ground", "b", None, 1), forces=FORCES.splitlines()[3].replace("4*exp(-d)+ddot", "3+0*d"))  # fmt: skip
    model, _, *_ = read(xml.parse(text.encode()))
    run = gr.simulate(model, 0.3, tol=1e-9)
    assert run["q_slide_0"][-1] == pytest.approx(0.5 * 3.0 / 2.0 * 0.09, abs=1e-9)


def test_locked_and_prescribed_coordinates_are_motors_and_clamps_have_no_effect() -> None:
    more = "<locked>true</locked><clamped>true</clamped><range>-1 2</range>"
    text = document(body("b"), joint("PinJoint", "pin", "ground", "b", None, 1, more))
    model, left_out, *_ = read(xml.parse(text.encode()))
    assert [(motor.target, motor.law) for motor in model.motors] == [("q_pin_0", "0.0")]
    assert not left_out
    line = (
        "<prescribed_function><LinearFunction><coefficients>2 "
        "0.5</coefficients></LinearFunction></prescribed_function><prescribed>true</prescribed>"
    )
    model, _, *_ = read(xml.parse(document(body("b"), joint("PinJoint", "pin", "ground", "b", None, 1, line)).encode()))
    assert model.motors[0].law == "2.0*t + 0.5"
    assert "<coefficients>2 0.5</coefficients>" in write(model)[0]


def test_strict_refuses_what_is_not_whole(tmp_path: Path) -> None:
    path = tmp_path / "arm.osim"
    path.write_text(document(body("b"), joint("PinJoint", "pin", "ground", "b", None, 1), forces=FORCES))
    with pytest.raises(gr.ModelError, match=r"arm\.osim: refused in strict mode: line \d+, .*\(and 1 more\)"):
        load_file(path, strict=True)
    with pytest.warns(UserWarning, match="biceps"):
        gr.load(path)


def test_documents_of_version_3_are_read() -> None:
    model, left_out, *_ = read(xml.read(DATA / "pendulum-3.osim"))
    assert left_out == []
    assert isinstance(model.measures[0], Angle)
    run = gr.simulate(model, 1.0, tol=1e-9)
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.body("rod", mass=2.0, inertia=0.3, center=(0, -0.5), points={"o": (0, 0)})
    m.revolute(m.ground.at(0.1, 0.2), rod.o)
    m.need(rod.angle, value=0.4, rate=-0.3)
    same = gr.simulate(m, 1.0, tol=1e-9)
    assert run["swing"][-1] == pytest.approx(same["rod.angle"][-1], abs=1e-8)


def test_what_opensim_cannot_be_told_of_is_listed(tmp_path: Path) -> None:
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.torque(rod, "sin(t)*rod.angle", name="shaken")
    m.event("rod.angle", crosses=0.5, name="half way")
    left_out = save_file(m, tmp_path / "rod.osim")
    assert [sentence.partition(":")[0] for sentence in left_out] == ["Force 'shaken'", "Event 'half way'"]
    with pytest.raises(gr.ModelError, match="'shaken'"):
        save_file(m, tmp_path / "other.osim", strict=True)
    assert not (tmp_path / "other.osim").exists()


def test_a_file_of_another_ending_is_not_written(tmp_path: Path) -> None:
    save_file(make_case("andrews").model, tmp_path / "a.osim")
    before = (tmp_path / "a.osim").read_bytes()
    with pytest.raises(gr.ModelError):
        save_file(make_case("andrews").model, tmp_path / "nowhere" / "a.osim")
    assert (tmp_path / "a.osim").read_bytes() == before


AXIS = (
    "<TransformAxis "
    'name="{}"><coordinates>{}</coordinates><axis>{}</axis><LinearFunction><coefficients>{}</coefficients></LinearFunction></TransformAxis>'
)


def custom(*axes: str) -> str:
    """A custom joint with one coordinate q_j_0 and these axes."""
    plain = joint("CustomJoint", "j", "ground", "b", None, 1).replace("<default_value>0.0", "<default_value>0.4")
    return plain.replace("<frames>", f"<SpatialTransform>{''.join(axes)}</SpatialTransform><frames>")


def test_a_custom_joint_with_a_slope_has_the_equations_of_its_coordinate() -> None:
    """θ = 2 q + 0.3 with τ = −k q along q: 4 I q̈ = −k q."""
    force = (
        "<SpringGeneralizedForce "
        "name='s'><coordinate>q_j_0</coordinate><stiffness>6</stiffness></SpringGeneralizedForce>"
    )
    text = document(body("b"), custom(AXIS.format("rotation3", "q_j_0", "0 0 1", "2 0.3")), forces=force)
    model, left_out, *_ = read(xml.parse(text.encode()))
    assert left_out == []
    run = gr.simulate(model, 1.0, tol=1e-9)
    omega = np.sqrt(6.0 / (4.0 * 1.1))
    assert run["q_j_0_rotation3"] / 2.0 == pytest.approx(0.4 * np.cos(omega * run.t), abs=1e-8)


def test_a_coordinate_along_two_axes_is_a_screw() -> None:
    """m (0.05 q̈) and I q̈ together under a force F along the axis: (m 0.05² + I) q̈ = 0.05 F."""
    axes = AXIS.format("rotation3", "q_j_0", "0 0 1", "1 0"), AXIS.format("translation3", "q_j_0", "0 0 1", "0.05 0")
    text = document(body("b"), custom(*axes)).replace("<gravity>0 0 0", "<gravity>0 0 3")
    model, left_out, *_ = read(xml.parse(text.encode()))
    assert left_out == []
    run = gr.simulate(model, 1.0, tol=1e-9)
    assert run["q_j_0"][-1] - 0.4 == pytest.approx(0.5 * 0.05 * 6.0 / (2.0 * 0.05**2 + 1.1), abs=1e-9)


@pytest.mark.parametrize("kind", JOINTS)
def test_a_joint_that_is_reversed_is_the_one_with_its_ends_exchanged(kind: str) -> None:
    draw, moving = random.Random(kind), JOINTS[kind].count("Coordinate")
    plain = joint(kind, "j", "b", "ground", draw, moving)
    swapped = plain.replace("<socket_parent_frame>b_frame</socket_parent_frame><socket_child_frame>ground_frame</socket_child_frame>",
        "<socket_parent_frame>ground_frame</socket_parent_frame><socket_child_frame>b_frame</socket_child_frame><reverse>true</reverse>")  # fmt: skip
    assert swapped != plain
    models = [read(xml.parse(document(body("b"), x).encode()))[:2] for x in (plain, swapped)]
    assert [left_out for _, left_out in models] == [[], []]
    one, other = (model for model, _ in models)
    assert one.start.guesses == other.start.guesses
    assert one.joints == other.joints


def test_a_bushing_is_springs_along_and_about_its_axes() -> None:
    """About z alone: I γ̈ = −κ γ, and along x: m ẍ = −k x."""
    ends = "<socket_frame1>/ground</socket_frame1><socket_frame2>/bodyset/b</socket_frame2>"
    sizes = (
        "<rotational_stiffness>5 7 3</rotational_stiffness><translational_stiffness>8 9 10</translational_stiffness>"
    )
    text = document(
        body("b"),
        joint("PlanarJoint", "j", "ground", "b", None, 3).replace("<default_value>0.0", "<default_value>0.2"),
        forces=f"<BushingForce name='bush'>{ends}{sizes}</BushingForce>",
    )
    model, left_out, *_ = read(xml.parse(text.encode()))
    assert left_out == []
    run = gr.simulate(model, 1.0, tol=1e-9)
    assert run["q_j_0"] == pytest.approx(0.2 * np.cos(np.sqrt(3.0 / 1.1) * run.t), abs=1e-8)
    assert run["q_j_1"] == pytest.approx(0.2 * np.cos(np.sqrt(8.0 / 2.0) * run.t), abs=1e-8)


ROLLING_KNEE = """<CustomJoint name="knee"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/b</socket_child_frame>
<coordinates><Coordinate name="bend"><default_value>-0.4</default_value><default_speed_value>0.7</default_speed_value></Coordinate></coordinates>
<SpatialTransform><TransformAxis name="rotation1"><coordinates>bend</coordinates><axis>0 0 1</axis><LinearFunction><coefficients>1 0</coefficients></LinearFunction></TransformAxis>
<TransformAxis name="translation1"><coordinates>bend</coordinates><axis>1 0 0</axis><SimmSpline><x>-2 -1 0.5 2</x><y>0.1 0.05 0.2 0.1</y></SimmSpline></TransformAxis>
<TransformAxis name="translation2"><coordinates>bend</coordinates><axis>0 1 0</axis><function><MultiplierFunction><function><PolynomialFunction><coefficients>0.1 0.2 0</coefficients></PolynomialFunction></function><scale>0.5</scale></MultiplierFunction></function></TransformAxis></SpatialTransform></CustomJoint>"""


def test_a_joint_with_splines_moves_as_lagranges_equation_says() -> None:
    """One coordinate q: (m |c'|² + I) q̈ + m c'·c'' q̇² = m g·c', with the path c(q) of the centre of mass. A spline
    through four points is the cubic through them."""
    from scipy.integrate import solve_ivp

    text = document(body("b"), ROLLING_KNEE).replace("<gravity>0 0 0<", "<gravity>0 -9.81 0<")
    text = text.replace("<mass_center>0.0 0.0 0.0<", "<mass_center>0.1 -0.3 0.0<")
    model, left_out, *_ = read(xml.parse(text.encode()))
    assert not left_out
    run = gr.simulate(model, 0.6, tol=1e-9)
    assert run.status.ok
    x = np.poly1d(np.polyfit([-2.0, -1.0, 0.5, 2.0], [0.1, 0.05, 0.2, 0.1], 3))
    y = np.poly1d([0.05, 0.1, 0.0])

    def rates(t: float, state: np.ndarray) -> list[float]:
        q, rate = state
        turned = (0.1 - 0.3j) * np.exp(1j * q)
        first = complex(x.deriv()(q), y.deriv()(q)) + 1j * turned
        second = complex(x.deriv(2)(q), y.deriv(2)(q)) - turned
        push = -2.0 * 9.81 * first.imag - 2.0 * (first.conjugate() * second).real * rate**2
        return [rate, push / (2.0 * abs(first) ** 2 + 1.1)]

    found = solve_ivp(rates, (0.0, 0.6), [-0.4, 0.7], method="DOP853", rtol=1e-12, atol=1e-13)
    assert run["bend"][-1] == pytest.approx(found.y[0, -1], abs=1e-8)
    assert run["bend.rate"][-1] == pytest.approx(found.y[1, -1], abs=1e-7)


def test_a_spline_is_smooth_inside_and_straight_outside() -> None:
    """Points on a cubic give that cubic; beyond the last points the slope is kept."""
    knots = (-1.0, -0.4, 0.1, 0.7, 1.5, 1.9)
    cubic = np.poly1d([0.3, -0.2, 0.5, 0.1])
    curve = make_spline(knots, tuple(float(cubic(x)) for x in knots))
    for at in (-0.9, 0.0, 0.4, 1.8):
        assert curve.at(at) == pytest.approx((cubic(at), cubic.deriv()(at)), abs=1e-12)
    for end, at in ((-1.0, -3.0), (1.9, 4.0)):
        slope = cubic.deriv()(end)
        assert curve.at(at) == pytest.approx((cubic(end) + slope * (at - end), slope), abs=1e-11)


def test_a_coupling_by_a_function_holds() -> None:
    coupler = (
        '<CoordinateCouplerConstraint name="c"><coupled_coordinates_function><SimmSpline><x>-2 0 1 2</x><y>0 0.2 0.1 0.4</y>'
        "</SimmSpline></coupled_coordinates_function><independent_coordinate_names>q_p_0</independent_coordinate_names>"
        "<dependent_coordinate_name>q_s_0</dependent_coordinate_name></CoordinateCouplerConstraint>"
    )
    bodies = (
        body("a"),
        body("b"),
        joint("PinJoint", "p", "ground", "a", None, 1),
        joint("SliderJoint", "s", "ground", "b", None, 1),
    )
    text = document(*bodies, coupler).replace("<gravity>0 0 0<", "<gravity>1 0 0<")
    model, left_out, *_ = read(xml.parse(text.encode()))
    assert not left_out
    run = gr.simulate(model, 0.5)
    curve = np.poly1d(np.polyfit([-2.0, 0.0, 1.0, 2.0], [0.0, 0.2, 0.1, 0.4], 3))
    assert np.ptp(run["q_p_0"]) > 1e-3
    assert np.abs(run["q_s_0"] - curve(run["q_p_0"])).max() < 1e-9


def test_a_file_whose_joint_is_unknown_is_refused_unless_its_body_may_be_free(tmp_path: Path) -> None:
    path = tmp_path / "arm.osim"
    path.write_text(document(body("b"), ROLLING_KNEE.replace("SimmSpline", "GCVSpline")))
    with pytest.raises(gr.ModelError, match=r"body 'b' has no joint.*unknown_joints"):
        gr.load(path)
    with pytest.warns(UserWarning, match="body 'b' has no joint"):
        assert gr.mobility(gr.load(path, unknown_joints="free")).dof == 6


KNEECAP = """<CustomJoint name="cap"><socket_parent_frame>/ground</socket_parent_frame><socket_child_frame>/bodyset/c</socket_child_frame>
<coordinates><Coordinate name="beta"/></coordinates><SpatialTransform>
<TransformAxis name="translation1"><coordinates>beta</coordinates><axis>1 0 0</axis><PolynomialFunction><coefficients>0.3 0.2 0</coefficients></PolynomialFunction></TransformAxis>
<TransformAxis name="translation2"><coordinates>beta</coordinates><axis>0 1 0</axis><SimmSpline><x>-2 -1 0.5 2</x><y>0.1 0.05 0.2 0.1</y></SimmSpline></TransformAxis>
</SpatialTransform></CustomJoint>"""
TIED = """<CoordinateCouplerConstraint name="tie"><coupled_coordinates_function><LinearFunction><coefficients>2 0.1</coefficients>
</LinearFunction></coupled_coordinates_function><independent_coordinate_names>q_p_0</independent_coordinate_names>
<dependent_coordinate_name>beta</dependent_coordinate_name></CoordinateCouplerConstraint>"""


def test_a_joint_whose_coordinate_is_coupled_to_that_of_another_follows_it() -> None:
    """The kneecap's translations are functions of β = 2 q + 0.1, where q is the angle of the pin: Lagrange's equation
    for q, with I = 1.1 and the mass 2 along the path c(β)."""
    from scipy.integrate import solve_ivp

    bodies = (body("b"), body("c"), joint("PinJoint", "p", "ground", "b", None, 1), KNEECAP, TIED)
    text = document(*bodies).replace("<gravity>0 0 0<", "<gravity>3 -9.81 0<")
    model, left_out, *_ = read(xml.parse(text.encode()))
    assert not left_out
    run = gr.simulate(model, 0.5, tol=1e-9)
    assert run.status.ok
    x, y = np.poly1d([0.3, 0.2, 0.0]), np.poly1d(np.polyfit([-2.0, -1.0, 0.5, 2.0], [0.1, 0.05, 0.2, 0.1], 3))

    def rates(t: float, state: np.ndarray) -> list[float]:
        q, rate = state
        beta = 2.0 * q + 0.1
        first, second = (np.array([x.deriv(k)(beta), y.deriv(k)(beta)]) * 2.0**k for k in (1, 2))
        push = 2.0 * first @ [3.0, -9.81] - 2.0 * first @ second * rate**2
        return [rate, push / (2.0 * first @ first + 1.1)]

    start = [run["q_p_0"][0], run["q_p_0.rate"][0]]
    found = solve_ivp(rates, (0.0, 0.5), start, method="DOP853", rtol=1e-12, atol=1e-13)
    assert abs(found.y[0, -1] - start[0]) > 0.1
    assert run["q_p_0"][-1] == pytest.approx(found.y[0, -1], abs=1e-8)


def test_a_coordinate_that_no_joint_has_as_a_motion_must_be_coupled() -> None:
    with pytest.raises(gr.ModelError, match="body 'c' has no joint"):
        read(xml.parse(document(body("c"), KNEECAP).encode()))


LIMIT = """<CoordinateLimitForce name="stop"><coordinate>{coordinate}</coordinate><upper_stiffness>{k}</upper_stiffness>
<upper_limit>{upper}</upper_limit><lower_stiffness>3</lower_stiffness><lower_limit>{lower}</lower_limit><damping>{c}</damping>
<transition>{width}</transition></CoordinateLimitForce>"""


@pytest.mark.parametrize(("kind", "unit"), [("PinJoint", np.pi / 180.0), ("SliderJoint", 1.0)])
def test_a_limit_force_is_a_spring_that_is_engaged_smoothly_beyond_the_limit(kind: str, unit: float) -> None:
    """Angles: limits in degrees, stiffness per degree. The start, 0.2, is inside the transition."""
    upper, width, k, c = 0.15 / unit, 0.1 / unit, 5.0, 0.3
    text = LIMIT.format(coordinate="q_j_0", k=k, upper=upper, lower=-0.5 / unit, c=c, width=width)
    start = "<default_value>0.2</default_value><default_speed_value>0.4</default_speed_value>"
    motion = joint(kind, "j", "ground", "b", None, 1).replace("<default_value>0.0</default_value>", start)
    model, left_out, *_ = read(xml.parse(document(body("b"), motion, forces=text).encode()))
    assert not left_out
    run = gr.simulate(model, 0.01, times=2)
    q, rate, mass = run["q_j_0"][0], run["q_j_0.rate"][0], 1.1 if kind == "PinJoint" else 2.0
    x = min(max((q - 0.15) / 0.1, 0.0), 1.0)
    step = x**3 * (10.0 - 15.0 * x + 6.0 * x * x)
    force = -step * (k / unit * (q - 0.15) + c / unit * rate)
    assert 0.0 < x < 1.0
    assert run["q_j_0.acceleration"][0] * mass == pytest.approx(force, rel=1e-9)


def test_an_actuator_without_a_controller_waits_for_its_control() -> None:
    actuators = (
        '<CoordinateActuator name="hip"><coordinate>q_j_0</coordinate><optimal_force>4</optimal_force></CoordinateActuator>'
        '<TorqueActuator name="twist"><bodyA>b</bodyA><bodyB>ground</bodyB></TorqueActuator>'
    )
    text = document(body("b"), joint("PinJoint", "j", "ground", "b", None, 1), forces=actuators)
    model, left_out, remarks = read(xml.parse(text.encode()))
    assert not left_out
    assert len(remarks) == 1
    assert "TorqueActuator 'twist': no controller prescribes its control" in remarks[0]
    still, driven = gr.simulate(model, 0.1), gr.simulate(model.control("hip", 0.5), 0.1)
    assert (driven["q_j_0.rate"] - still["q_j_0.rate"])[-1] == pytest.approx(0.1 * 0.5 * 4.0 / 1.1, rel=1e-7)
