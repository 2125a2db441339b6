"""MJCF without MuJoCo: what is written is read again as the same motion; constraints, springs and forces are what
they say."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file, save_file, xml
from grashof.exchange.mjcf.reader import read
from grashof.exchange.mjcf.writer import write
from grashof.model.model import Model
from grashof.problems import make_case


def same_motion(first: Model, second: Model, t_end: float) -> float:
    """The largest distance between points of the same name, m."""
    times = np.linspace(0.0, t_end, 21)
    runs = [gr.simulate(model, t_end, tol=1e-9, times=times) for model in (first, second)]
    names = [
        name
        for name in runs[0].names
        if name in runs[1].names and name.rpartition(".")[2] in ("x", "y", "z") and name.count(".") == 2
    ]
    assert names
    return max(float(np.abs(runs[0][name] - runs[1][name]).max()) for name in names)


@pytest.mark.parametrize("name", ["andrews", "double-four-bar"])
def test_problems_are_read_again_as_the_same_motion(name: str, tmp_path: Path) -> None:
    case = make_case(name)
    save_file(case.model, tmp_path / "model.xml", strict=True)
    again = load_file(tmp_path / "model.xml", strict=True).model
    assert same_motion(case.model, again, case.t_end) < 1e-8
    masses = {body.name: (body.mass, tuple(body.center)) for body in again.bodies}
    assert masses == {
        body.name: (body.mass, (*body.center, 0.0)) if name == "andrews" else masses[body.name]
        for body in case.model.bodies
    }  # type: ignore[union-attr]


def spatial() -> gr.Mechanism:
    """A crank that drives a rocker by a rod between balls, with a spring and a torque."""
    m = gr.Mechanism("spatial", gravity=(0, 0, -9.81))
    crank = m.body(
        "crank", mass=1.0, inertia=(0.02, 0.03, 0.03), center=(0.1, 0, 0), points={"o": (0, 0, 0), "e": (0.2, 0, 0)}
    )
    rocker = m.body(
        "rocker",
        mass=2.0,
        inertia=(0.05, 0.02, 0.06, 0.001, 0, 0),
        center=(0, 0.2, 0),
        points={"o": (0, 0, 0), "e": (0, 0.4, 0)},
        position=(0.6, 0, 0),
    )
    m.revolute(m.ground.at(0, 0, 0), crank.o, axis=(0, 0, 1))
    m.revolute(m.ground.at(0.6, 0, 0), rocker.o, axis=(1, 0, 1))
    m.distance(crank.e, rocker.e, 0.6, name="rod")
    m.spring(m.ground.at(0, 1, 0), rocker.e, stiffness=30.0, length=0.4, damping=0.5, name="spring")
    m.torque(crank, 0.4, name="drive")
    m.torsion_spring(rocker, stiffness=2.0, rest=0.1, damping=0.1, name="coil")
    m.force(rocker.e, (0.1, 0.0, 0.3), name="wind")
    m.need(crank, value=0.3, rate=2.0)
    return m


def test_a_spatial_loop_with_forces_is_read_again_as_the_same_motion() -> None:
    model = spatial().model
    text, left_out = write(model)
    assert left_out == []
    again, left_out = read(xml.parse(text.encode()))
    assert left_out == []
    assert same_motion(model, again, 0.5) < 1e-7


def body(name: str, inside: str, pos: str = "0 0 0") -> str:
    return f'<body name="{name}" pos="{pos}"><inertial pos="0 0 0" mass="1" diaginertia="0.1 0.1 0.1"/>{inside}</body>'


def document(inside: str, more: str = "") -> str:
    return f'<mujoco model="m"><compiler angle="radian"/><worldbody>{inside}</worldbody>{more}</mujoco>'


def test_connect_and_weld_by_bodies_hold_the_reference_position() -> None:
    hinge = '<joint name="{}" axis="0 1 0"/>'
    inside = body("a", hinge.format("ja"), "0 0 1") + body("b", hinge.format("jb"), "1 0 1")
    text = document(inside, '<equality><connect name="c" body1="a" body2="b" anchor="0.5 0 0"/></equality>')
    model, _ = read(xml.parse(text.encode()))
    places = {name: model.points[name] for name in (model.joints[-1].a, model.joints[-1].b)}
    assert list(places.values()) == [(0.5, 0.0, 0.0), (-0.5, 0.0, 0.0)]
    text = document(
        body("a", "<freejoint/>", "0 0 1") + body("b", "<freejoint/>", "1 0 1"),
        '<equality><weld body1="a" body2="b"/></equality>',
    )
    model, _ = read(xml.parse(text.encode()))
    run = gr.simulate(model, 0.5)
    apart = run["b.weld0_2.x"] - run["a.weld0_1.x"]
    assert np.abs(apart).max() < 1e-9


def test_a_joint_equality_counts_from_the_reference_position() -> None:
    inside = body("a", '<joint name="ja" axis="0 0 1" ref="0.5"/>') + body(
        "b", '<joint name="jb" axis="0 0 1" ref="0.2"/>'
    )
    text = document(
        inside,
        '<equality><joint joint1="ja" joint2="jb" polycoef="0.1 2"/></equality><keyframe><key qpos="1.2 '
        '0.5"/></keyframe>',
    )
    model, _ = read(xml.parse(text.encode()))
    run = gr.simulate(model, 0.1)
    assert run["ja"][0] - 0.5 == pytest.approx(0.1 + 2.0 * (run["jb"][0] - 0.2), abs=1e-9)


def test_what_is_not_ours_is_listed() -> None:
    inside = (
        body("a", '<joint name="ja" range="-1 1" armature="0.1"/><geom type="mesh" mesh="m"/>')
        + "<composite><body/></composite>"
    )
    more = '<actuator><muscle joint="ja"/></actuator><deformable/>'
    _, left_out = read(xml.parse(document(inside, more).encode()))
    said = " ".join(left_out)
    for word in ("<composite>", "muscle", "deformable"):
        assert word in said


def test_empty_attributes_of_a_spring_are_none() -> None:
    sites = '<site name="w"/>' + body("a", '<joint name="ja"/><site name="s" pos="0.1 0 0"/>')
    tendon = (
        '<tendon><spatial stiffness="" damping="2" springlength=""><site site="w"/><site site="s"/></spatial></tendon>'
    )
    model, _ = read(xml.parse(document(sites, tendon).encode()))
    assert (model.forces[0].stiffness, model.forces[0].length) == (0.0, 0.1)  # type: ignore[union-attr]


def moving(model: Model) -> float:
    """How far the first joint has turned after 0.3 s."""
    return float(gr.simulate(model, 0.3, tol=1e-9)["ja"][-1])


def test_frames_and_included_files_are_as_if_written_out(tmp_path: Path) -> None:
    whole = document(body("a", '<joint name="ja" axis="0 1 0" pos="0.3 0 0"/>', "1 2 3"))
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.xml").write_text(
        "<mujocoinclude>"
        + body("a", '<frame pos="0.3 0 0"><include file="joint.xml"/></frame>', "0 2 0")
        + "</mujocoinclude>"
    )
    (tmp_path / "parts" / "joint.xml").write_text('<mujoco><joint name="ja" axis="0 1 0"/></mujoco>')
    (tmp_path / "model.xml").write_text(
        document('<frame pos="1 0 0"><frame pos="0 0 3"><include file="parts/arm.xml"/></frame></frame>')
    )
    found = load_file(tmp_path / "model.xml", strict=True).model
    same, _ = read(xml.parse(whole.encode()))
    assert msgspec.structs.replace(found, source={}) == msgspec.structs.replace(same, source={})


def test_mistakes_in_an_included_file_are_told_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "arm.xml").write_text('<mujoco>\n<body name="a" pos="0 0"/></mujoco>')
    (tmp_path / "model.xml").write_text(document('<include file="arm.xml"/>'))
    with pytest.raises(gr.ModelError, match=r"line 2 of arm\.xml, body 'a': pos is '0 0'"):
        load_file(tmp_path / "model.xml")


BOX = "".join(f"v {x} {y} {z}\n" for z in (0, 1) for x, y in ((0, 0), (2, 0), (2, 3), (0, 3))) + (
    "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n"
)


@pytest.mark.parametrize("inertia", ["exact", "legacy"])
def test_a_mesh_that_is_a_box_weighs_as_a_box(inertia: str, tmp_path: Path) -> None:
    (tmp_path / "box.obj").write_text(BOX)
    asset = f'<asset><mesh name="m" file="box.obj" scale="0.1 0.1 0.1" inertia="{inertia}"/></asset>'
    joint = '<joint name="ja" axis="0 1 0"/>'
    mesh = f'<body name="a" pos="1 0 0">{joint}<geom type="mesh" mesh="m" pos="0.4 0 0" density="500"/></body>'
    box = (
        f'<body name="a" pos="1 0 0">{joint}<geom type="box" size="0.1 0.15 0.05" pos="0.5 0.15 0.05" '
        'density="500"/></body>'
    )
    (tmp_path / "model.xml").write_text(document(mesh, asset))
    found = load_file(tmp_path / "model.xml", strict=True).model.bodies[0]
    right = read(xml.parse(document(box).encode()))[0].bodies[0]
    assert found.mass == pytest.approx(right.mass, rel=1e-14)
    assert found.center == pytest.approx(right.center, rel=1e-14)  # type: ignore[union-attr]
    inertia_found, inertia_right = ((*x.inertia, 0.0, 0.0, 0.0)[:6] for x in (found, right))  # type: ignore[union-attr]
    assert inertia_found == pytest.approx(inertia_right, rel=1e-13, abs=1e-16)


def test_a_mesh_that_cannot_be_read_is_listed_and_no_matter_where_the_mass_is_told(tmp_path: Path) -> None:
    asset = '<asset><mesh name="m" file="absent.stl"/></asset>'
    inside = '<joint name="ja" axis="0 1 0"/><geom type="mesh" mesh="m"/>'
    heavy = f'<body name="b"><joint/>{inside.replace("ja", "jb")}<geom size="0.1"/></body>'
    (tmp_path / "model.xml").write_text(document(body("a", inside), asset))
    assert load_file(tmp_path / "model.xml", strict=True).model.bodies[0].mass == 1.0
    (tmp_path / "model.xml").write_text(document(heavy, asset))
    left_out = load_file(tmp_path / "model.xml").left_out
    assert "line 1, geom: mesh 'm': there is no file 'absent.stl' in the folder" in left_out[0]
    assert "give the body an <inertial>" in left_out[0]


def test_gravity_and_springs_that_are_switched_off_do_not_act() -> None:
    inside = body("a", '<joint name="ja" axis="0 1 0" pos="0.3 0 0" stiffness="5" springref="1"/>')
    off = '<option><flag gravity="disable" spring="disable"/></option>'
    assert abs(moving(read(xml.parse(document(inside).encode()))[0])) > 0.1
    assert moving(read(xml.parse(document(inside, off).encode()))[0]) == 0.0


def test_a_spring_along_a_sum_of_joint_coordinates_is_the_spring_of_its_joint() -> None:
    """L = 2 q and k (L − 0.4): along q, a spring of 4 k that rests at 0.2."""
    inside = body("a", '<joint name="ja" axis="0 0 1" {}/>')
    tendon = (
        '<tendon><fixed name="t" stiffness="3" damping="0.5" springlength="0.4"><joint joint="ja" '
        'coef="2"/></fixed></tendon>'
    )
    plain = document(inside.format('stiffness="12" springref="0.2" damping="2"'))
    found, right = (moving(read(xml.parse(x.encode()))[0]) for x in (document(inside.format(""), tendon), plain))
    assert found == pytest.approx(right, abs=1e-9)
    assert abs(found) > 0.01


def test_a_spring_is_wound_by_whole_turns_of_the_start() -> None:
    """7 rad are more than a turn: V = ½ k (7 − 1)²."""
    joint = (
        '<joint name="q" axis="0 0 1" stiffness="2" springref="1"/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/>'
    )
    text = (
        '<mujoco><compiler angle="radian"/><option gravity="0 0 0"/><worldbody><body '
        f'name="b">{joint}</body></worldbody>'
    )
    model, _ = read(xml.parse(f'{text}<keyframe><key qpos="7"/></keyframe></mujoco>'.encode()))
    run = gr.simulate(model, 0.1)
    assert run["q"][0] == pytest.approx(7.0, abs=1e-14)
    assert run["potential"][0] == pytest.approx(36.0, rel=1e-13)


def test_global_coordinates_are_refused() -> None:
    with pytest.raises(gr.ModelError, match="coordinates are global"):
        read(xml.parse(b'<mujoco><compiler coordinate="global"/><worldbody/></mujoco>'))


LIMITED = body("a", '<joint name="ja" type="slide" axis="1 0 0" range="-0.1 0.2" margin="0.01" {more}/>')


def test_limits_become_stops_with_the_time_constant_of_the_file() -> None:
    # without other forces MuJoCo lets the depth follow r̈ = −d B ṙ − d² K r, B = 2/(d τ), K = 1/(d τ ζ)²
    text = document(LIMITED.format(more='solreflimit="0.05 0.5" solimplimit="0.8 0.9 0.002"'))
    (stop,) = read(xml.parse(text.encode()))[0].forces
    limits = stop.lower, stop.upper, stop.width  # type: ignore[union-attr]
    assert limits == pytest.approx((-0.09, 0.19, 0.002), abs=1e-15)
    assert stop.stiffness == pytest.approx(1.0 / (0.05 * 0.5) ** 2)  # type: ignore[union-attr]
    assert stop.viscous == pytest.approx(2.0 / 0.05)  # type: ignore[union-attr]


def test_limits_are_rigid_or_left_out_if_it_is_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "limited.xml"
    path.write_text(document(LIMITED.format(more="")))
    (stop,) = gr.load(path, limits="rigid").forces
    assert stop.restitution == 0.0  # type: ignore[union-attr]
    with pytest.warns(UserWarning, match="1 limits of joints and tendons are left out"):
        assert gr.load(path, limits="none").forces == ()
    with pytest.raises(gr.ModelError, match="limits is 'soft'; it must be one of compliant, rigid, none"):
        gr.load(path, limits="soft")  # type: ignore[arg-type]


def test_a_keyframe_gives_the_start_and_the_controls(tmp_path: Path) -> None:
    path = tmp_path / "keys.xml"
    drive = '<actuator><position name="servo" joint="ja" kp="30" kv="2"/></actuator>'
    keys = '<keyframe><key name="low" qpos="-0.05"/><key name="high" qpos="0.1" qvel="2" ctrl="0.15"/></keyframe>'
    path.write_text(document(LIMITED.format(more=""), drive + keys))

    def began(**choice: object) -> list[float]:
        model = gr.load(path, **choice)  # type: ignore[arg-type]
        run = gr.simulate(model, 0.01)
        return [run[name][0] for name in ("ja", "ja.rate", "ja.acceleration")]

    np.testing.assert_allclose(began(), [-0.05, 0.0, 30 * 0.05], atol=1e-12)
    np.testing.assert_allclose(began(keyframe=""), [0.0, 0.0, 0.0], atol=1e-12)
    for choice in ("high", 1, "1"):
        np.testing.assert_allclose(began(keyframe=choice), [0.1, 2.0, 30 * 0.05 - 2 * 2.0], atol=1e-12)
    with pytest.raises(gr.ModelError, match="there is no keyframe 'hihg'; did you mean 'high'"):
        gr.load(path, keyframe="hihg")
    with pytest.raises(gr.ModelError, match="keyframe is a choice for MJCF files"):
        gr.load("mechanism.toml", keyframe="high")


def test_files_outside_the_folder_are_read_if_that_is_permitted(tmp_path: Path) -> None:
    (tmp_path / "robot").mkdir()
    (tmp_path / "common.xml").write_text(f"<mujoco><worldbody>{body('a', '<freejoint/>')}</worldbody></mujoco>")
    path = tmp_path / "robot" / "robot.xml"
    path.write_text('<mujoco><include file="../common.xml"/></mujoco>')
    with pytest.raises(gr.ModelError, match=r"outside the folder of the model.*within="):
        gr.load(path)
    assert [one.name for one in gr.load(path, within=tmp_path).bodies] == ["a"]
    with pytest.raises(gr.ModelError, match="is not in the folder"):
        gr.load(path, within=tmp_path / "robot" / "deeper")


def test_unnamed_joints_of_one_body_have_names_of_their_own() -> None:
    model, _ = read(xml.parse(document(body("a", '<joint axis="1 0 0"/><joint axis="0 1 0"/>')).encode()))
    assert [measure.name for measure in model.measures] == ["joint1", "joint2"]


def test_joints_are_tied_by_polynomials() -> None:
    inside = body("a", '<joint name="a" type="slide" axis="1 0 0"/>') + body(
        "b", '<joint name="b" type="slide" axis="1 0 0" ref="0.5"/>'
    )
    tie = '<equality><joint joint1="a" joint2="b" polycoef="0 1 -2 0 3"/></equality>'
    model, left_out = read(
        xml.parse(document(inside, f'{tie}<keyframe><key qpos="0 0.5" qvel="1 1"/></keyframe>').encode())
    )
    assert left_out == []
    run = gr.simulate(model, 0.3)
    assert run["b"][-1] - 0.5 > 0.1
    x = run["b"] - 0.5
    np.testing.assert_allclose(run["a"], x - 2 * x**2 + 3 * x**4, atol=1e-9)


def test_copies_are_made_with_what_refers_to_them() -> None:
    leg = body("leg", '<joint name="knee" type="slide" axis="1 0 0"/>', "0.2 0 0")
    inside = f'<replicate count="3" offset="1 0 0" euler="0 0 1.5707963267948966" sep="-">{leg}</replicate>'
    model, left_out = read(xml.parse(document(inside, '<actuator><motor name="m" joint="knee"/></actuator>').encode()))
    assert left_out == []
    assert [force.name for force in model.forces] == ["m-0", "m-1", "m-2"]
    places = [model.start.guesses[one.name].position for one in model.bodies]
    # the frames are at (0, 0), (1, 0) and (1, 1), turned by 0°, 90° and 180°
    np.testing.assert_allclose(places, [(0.2, 0, 0), (1.0, 0.2, 0), (0.8, 1.0, 0)], atol=1e-12)
    assert [one.name for one in model.bodies] == ["leg-0", "leg-1", "leg-2"]
    with pytest.raises(gr.ModelError, match="count is ''; it must be a positive whole number"):
        read(xml.parse(document(inside.replace('count="3"', "")).encode()))


def test_the_compiler_sets_masses() -> None:
    text = document(body("a", "<freejoint/>") + body("b", "<freejoint/>"))
    heavy, _ = read(xml.parse(text.replace("<compiler", '<compiler settotalmass="6"').encode()))
    assert [(one.mass, one.inertia) for one in heavy.bodies] == [(3.0, pytest.approx((0.3,) * 3))] * 2
    bounded, _ = read(xml.parse(text.replace("<compiler", '<compiler boundmass="2" boundinertia="0.2"').encode()))
    assert [(one.mass, one.inertia) for one in bounded.bodies] == [(2.0, pytest.approx((0.2,) * 3))] * 2


def test_a_tendon_has_the_defaults_of_tendons() -> None:
    inside = '<site name="w"/>' + body(
        "a", '<joint name="ja" type="slide" axis="1 0 0"/><site name="s" pos="0.1 0 0"/>'
    )
    tendon = '<tendon><spatial name="rope"><site site="w"/><site site="s"/></spatial></tendon>'
    text = document(inside, f'<default><tendon range="0 0.5"/></default>{tendon}')
    (stop,) = read(xml.parse(text.encode()))[0].forces
    assert (stop.measure, stop.lower, stop.upper) == ("rope", 0.0, 0.5)  # type: ignore[union-attr]


def test_friction_is_written_again() -> None:
    inside = body("a", '<joint name="ja" frictionloss="0.3"/>', "0 0 1") + body("b", "<freejoint/>", "1 0 1")
    model, _ = read(xml.parse(document(inside).encode()))
    text, left_out = write(model)
    assert left_out == []
    assert 'frictionloss="0.3"' in text
    assert read(xml.parse(text.encode()))[0].forces == model.forces


def test_a_document_of_flexible_bodies_alone_says_what_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "cloth.xml"
    path.write_text('<mujoco><worldbody><flexcomp name="cloth" type="grid" count="3 3 1"/></worldbody></mujoco>')
    with pytest.raises(gr.ModelError, match="no bodies that can be read: line 1, flexcomp 'cloth'"):
        gr.load(path)
