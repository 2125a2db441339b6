"""SDF is read: where links and joints are, which of them move, loops, and what is refused."""

from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file, xml
from grashof.exchange.sdf.reader import read
from grashof.model.model import Model


def document(*parts: str, version: str = "1.9", more: str = "", gravity: str = "") -> str:
    """A model from links, joints and frames, in a world if there is a gravity."""
    model = f'<model name="m">{"".join(parts)}</model>{more}'
    world = f'<world name="w"><gravity>{gravity}</gravity>{model}</world>'
    return f'<sdf version="{version}">{world if gravity else model}</sdf>'


def link(name: str, pose: str = "", center: str = "0 0 0", relative_to: str = "") -> str:
    to = f' relative_to="{relative_to}"' if relative_to else ""
    return (
        f'<link name="{name}"><pose{to}>{pose or "0 0 0 0 0 0"}</pose><inertial><pose>{center} 0.1 0.2 0.3</pose><mass>2</mass>'
        "<inertia><ixx>0.3</ixx><iyy>0.2</iyy><izz>0.25</izz><ixy>0.01</ixy></inertia></inertial></link>"
    )


def joint(kind: str, name: str, parent: str, child: str, inside: str = "", pose: str = "") -> str:
    place = f"<pose>{pose}</pose>" if pose else ""
    return f'<joint name="{name}" type="{kind}"><parent>{parent}</parent><child>{child}</child>{place}{inside}</joint>'


def axis(xyz: str, more: str = "", within: str = "") -> str:
    by = f' expressed_in="{within}"' if within else ""
    return f"<axis><xyz{by}>{xyz}</xyz>{more}</axis>"


def read_text(text: str, **choices: str | bool) -> Model:
    model, left_out, _ = read(xml.parse(text.encode()), **choices)  # type: ignore[arg-type]
    assert not left_out
    return model


ARM_URDF = """<robot name="arm"><link name="base"/><link name="one"><inertial><origin xyz="0.1 0 -0.3" rpy="0.1 0.2 0.3"/><mass value="2"/>
<inertia ixx="0.3" iyy="0.2" izz="0.25" ixy="0.01"/></inertial></link><link name="two"><inertial><origin xyz="0 0.1 0" rpy="0.1 0.2 0.3"/><mass value="2"/>
<inertia ixx="0.3" iyy="0.2" izz="0.25" ixy="0.01"/></inertial></link>
<joint name="p" type="revolute"><parent link="base"/><child link="one"/><origin xyz="0 0.2 1" rpy="0.3 0 0.2"/><axis xyz="0 1 0"/>
<limit lower="-0.2" upper="0.1"/><dynamics damping="0.1"/></joint>
<joint name="q" type="prismatic"><parent link="one"/><child link="two"/><origin xyz="0.2 0 0"/><axis xyz="1 0 1"/><dynamics damping="0.4"/></joint></robot>"""


def test_an_arm_moves_as_the_same_arm_in_urdf(tmp_path: Path) -> None:
    """Damping and a limit that is reached are those of URDF's reader; poses and inertias are read in another way."""
    (tmp_path / "arm.urdf").write_text(ARM_URDF)
    limits = "<limit><lower>-0.2</lower><upper>0.1</upper></limit><dynamics><damping>0.1</damping></dynamics>"
    (tmp_path / "arm.sdf").write_text(
        document(
            link("one", "0 0.2 1 0.3 0 0.2", "0.1 0 -0.3"),
            link("two", "0.2 0 0 0 0 0", "0 0.1 0", relative_to="one"),
            joint("revolute", "p", "world", "one", axis("0 1 0", limits)),
            joint("prismatic", "q", "one", "two", axis("1 0 1", "<dynamics><damping>0.4</damping></dynamics>")),
            gravity="0 0 -9.81",
        )
    )
    runs = [gr.simulate(gr.load(tmp_path / f"arm.{ending}"), 0.6, tol=1e-9, times=13) for ending in ("urdf", "sdf")]
    assert max(runs[0]["p"]) > 0.1 or min(runs[0]["p"]) < -0.2  # a limit was reached
    for name in ("p", "q", "two.origin.x", "two.origin.z"):
        assert runs[1][name] == pytest.approx(runs[0][name], abs=1e-7)


def test_a_loop_is_closed_by_an_ordinary_joint() -> None:
    """A four-bar of thin bars, whose last pin closes the loop, moves as one that was described here."""

    def bar(name: str, pose: str, length: float) -> str:
        spin = f"{length**2 / 12.0!r}"
        return (
            f'<link name="{name}"><pose>{pose}</pose><inertial><pose>{length / 2.0!r} 0 0 0 0 0</pose><mass>1</mass><inertia>'
            f"<ixx>0.001</ixx><iyy>{spin}</iyy><izz>{spin}</izz></inertia></inertial></link>"
        )

    places = {"a": (0.0, 0.0), "b": (0.6, 0.8), "c": (2.1, 0.8), "d": (2.1, 0.0)}
    turn = {x + y: float(np.arctan2(*(np.array(places[y]) - np.array(places[x]))[::-1])) for x, y in ("ab", "bc", "dc")}
    poses = {x + y: f"{places[x][0]} {places[x][1]} 0 0 0 {turn[x + y]!r}" for x, y in ("ab", "bc", "dc")}
    z = axis("0 0 1")
    text = document(
        bar("crank", poses["ab"], 1.0),
        bar("coupler", poses["bc"], 1.5),
        bar("rocker", poses["dc"], 0.8),
        joint("revolute", "A", "world", "crank", z),
        joint("revolute", "B", "crank", "coupler", z),
        joint("revolute", "C", "coupler", "rocker", z, "0.8 0 0 0 0 0"),
        joint("revolute", "D", "world", "rocker", z),
        gravity="0 -9.8 0",
    )
    model = read_text(text)
    assert gr.mobility(model).dof == 1
    run = gr.simulate(model, 1.0, tol=1e-9, times=21)
    m = gr.Mechanism("four-bar", gravity=(0, -9.8))
    crank, coupler, rocker = (
        m.bar(n, length=x, mass=1.0) for n, x in (("crank", 1.0), ("coupler", 1.5), ("rocker", 0.8))
    )
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(2.1, 0), rocker.start)
    m.need(crank.angle, value=float(turn["ab"]))
    m.want(coupler.angle, value=0.0)
    expected = gr.simulate(m, 1.0, tol=1e-9, times=21)
    assert run["A"] == pytest.approx(expected["crank.angle"] - turn["ab"], abs=1e-7)
    assert np.ptp(run["A"]) > 0.3


def test_poses_may_be_given_relative_to_frames_links_joints_and_nested_models() -> None:
    """Each document describes the same: a body 2 m along y, turned by 90° about z, hinged about the world's x."""
    plain = document(
        link("a", "0 2 0 0 0 1.5707963267948966", "0.5 0 -1"), joint("revolute", "j", "world", "a", axis("0 -1 0"))
    )
    half = "<pose degrees='true'>0 1 0 0 0 90</pose>"
    others = (
        document(
            f'<frame name="f">{half}</frame>',
            link("a", "1 0 0 0 0 0", "0.5 0 -1", relative_to="f"),
            joint("revolute", "j", "world", "a", axis("1 0 0", within="__model__")),
        ),
        document(
            f'<frame name="f">{half}</frame>',
            '<frame name="g" attached_to="a"><pose relative_to="f">1 0 0 0 0 0</pose></frame>',
            link("a", "0 2 0 0 0 1.5707963267948966", "0.5 0 -1"),
            joint("revolute", "j", "world", "g", axis("1 0 0", within="__model__")),
        ),
        document(
            f'<model name="in">{half}{link("a", "1 0 0 0 0 0", "0.5 0 -1")}</model>',
            joint("revolute", "j", "world", "in::a", axis("0 -1 0")),
        ),
        document(
            link("a", "0 2 0 0 0 1.5707963267948966", "0.5 0 -1"),
            joint("revolute", "j", "world", "a", axis("1 0 0")),
            version="1.4",
        ),
        document(
            "<pose rotation_format='quat_xyzw'>0 2 0 0 0 0.7071067811865476 0.7071067811865476</pose>",
            link("a", "", "0.5 0 -1"),
            joint("revolute", "j", "world", "a", axis("0 -1 0")),
        ),
    )
    runs = [gr.simulate(read_text(text), 0.4, times=5) for text in (plain, *others)]
    for run in runs:
        body = next(name for name in run.names if name.endswith("a.origin.y")).removesuffix(".y")
        assert [run[f"{body}.{x}"][0] for x in "xyz"] == pytest.approx([0.0, 2.0, 0.0], abs=1e-14)
        assert np.abs(run["j"][-1]) > 0.01
        assert run["j"] == pytest.approx(runs[0]["j"], abs=1e-9)


def test_links_float_unless_a_joint_or_a_static_model_holds_them() -> None:
    assert gr.mobility(read_text(document(link("a"), link("b")))).dof == 12
    assert gr.mobility(read_text(document(link("a"), link("b"), joint("universal", "u", "a", "b", axis("1 0 0") + "<axis2><xyz>0 1 0</xyz></axis2>")))).dof == 8  # fmt: skip
    text = document(link("a"), more=f'<model name="floor"><static>true</static>{link("slab")}</model>')
    model = read_text(text)
    assert gr.mobility(model).dof == 6
    assert {body.name for body in model.bodies} == {"m::a", "floor::slab"}


def test_mimic_joints_springs_and_limits_on_request() -> None:
    mimic = '<mimic joint="p"><multiplier>-2</multiplier><offset>0.1</offset><reference>0.3</reference></mimic>'
    spring = "<dynamics><spring_stiffness>7</spring_stiffness><spring_reference>0.2</spring_reference></dynamics>"
    text = document(
        link("a", center="0.3 0 0"),
        link("b", center="0.2 0 0"),
        joint("revolute", "p", "world", "a", axis("0 1 0", spring)),
        joint("revolute", "q", "a", "b", axis("0 1 0", f"{mimic}<limit><lower>-1</lower><upper>2</upper></limit>")),
    )
    run = gr.simulate(read_text(text, limits="none"), 0.3, tol=1e-9)
    assert run["q"] == pytest.approx(-2.0 * (run["p"] - 0.3) + 0.1, abs=1e-10)
    springs = [force for force in read_text(text).forces if force.name == "spring p"]
    assert (springs[0].stiffness, springs[0].rest) == (7.0, 0.2)  # type: ignore[union-attr]
    assert any(force.name == "limit q" for force in read_text(text).forces)
    (stop,) = (force for force in read_text(text, limits="rigid").forces if force.name == "limit q")
    assert stop.restitution == 0.0  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            document(link("a"), joint("screw", "s", "world", "a")),
            r"joint 's': joints of type 'screw' are not supported",
        ),
        (document(link("a"), joint("fixed", "s", "world", "b")), r"its child is 'b', and there is no such link"),
        (document(link("a"), joint("fixed", "s", "a", "a")), r"it joins 'a' to 'a'"),
        (document(link("a", relative_to="a")), r"the frame 'a' is given relative to itself"),
        (document(link("a", relative_to="c")), r"there is no frame 'c'"),
        (document(link("a"), link("a")), r"two links of that name"),
        (
            document('<frame name="f" attached_to="f"/>', link("a"), joint("fixed", "s", "a", "f")),
            r"attached to itself",
        ),
        (document(link("a", "0 0 0")), r"pose is '0 0 0'; it must be 6 numbers"),
        (document(link("a"), joint("revolute", "s", "world", "a", axis("0 0 0"))), r"xyz is .* has no direction"),
        ("<sdf><link/></sdf>", "has no bodies"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(text: str, sentence: str) -> None:
    with pytest.raises(gr.ModelError, match=sentence):
        read(xml.parse(text.encode()))


def test_what_is_left_out_is_listed(tmp_path: Path) -> None:
    path = tmp_path / "m.world"
    path.write_text(
        f'<sdf version="1.9"><world name="w"><include><uri>model://sun</uri></include><model name="m">{link("a")}'
        '<plugin name="p" filename="x.so"/></model></world></sdf>'
    )
    found = load_file(path)
    assert [sentence.partition(": ")[0] for sentence in found.left_out] == ["line 1, plugin 'p'", "line 1, include"]
    with pytest.raises(gr.ModelError, match="strict"):
        load_file(path, strict=True)


SHAPES = {
    "sphere": "<sphere><radius>0.1</radius></sphere>",
    "capsule": "<capsule><radius>0.1</radius><length>0.4</length></capsule>",
    "cylinder": "<cylinder><radius>0.1</radius><length>0.4</length></cylinder>",
    "box": "<box><size>0.2 0.3 0.4</size></box>",
}


def surface(shape: str) -> np.ndarray:
    """Places on the surface of a shape, densely."""
    turn, rise = np.meshgrid(np.linspace(0, 2 * np.pi, 721), np.linspace(0, np.pi, 361))
    ball = np.stack([np.sin(rise) * np.cos(turn), np.sin(rise) * np.sin(turn), np.cos(rise)], -1).reshape(-1, 3)
    if shape == "sphere":
        return 0.1 * ball
    if shape == "capsule":
        return 0.1 * ball + 0.2 * np.outer(np.sign(ball[:, 2]), [0, 0, 1])
    if shape == "cylinder":
        return np.stack([0.1 * np.cos(turn), 0.1 * np.sin(turn), 0.4 / np.pi * rise - 0.2], -1).reshape(-1, 3)
    return np.sign(ball) * [0.1, 0.15, 0.2]


@pytest.mark.parametrize("shape", SHAPES)
def test_the_lowest_contact_of_a_shape_is_the_lowest_place_of_its_surface(shape: str) -> None:
    from scipy.spatial.transform import Rotation

    rng = np.random.default_rng(len(shape))
    place, angles, own, tilt, normal = (rng.uniform(-1, 1, 3) for _ in range(5))
    collision = f'<collision name="c"><pose>{pose(own, tilt)}</pose><geometry>{SHAPES[shape]}</geometry></collision>'
    thing = link("thing", pose(place, angles)).replace("</link>", f"{collision}</link>")
    x, y, z = normal
    floor = (
        '<model name="g"><static>true</static><pose>0 0 -3 0 0 0</pose><link name="l"><collision name="p"><geometry>'
        f"<plane><normal>{x} {y} {z}</normal></plane></geometry></collision></link></model>"
    )
    model = read_text(document(thing, more=floor, gravity="0 0 0"), contact=True)
    run = gr.simulate(model, 1e-9)
    outside = Rotation.from_euler("xyz", angles).as_matrix()
    inside = Rotation.from_euler("xyz", tilt).as_matrix()
    places = place + (own + surface(shape) @ inside.T) @ outside.T
    heights = (places - [0, 0, -3]) @ normal / np.linalg.norm(normal)
    gaps = [run[name][0] for name in run.names if name.endswith(".gap")]
    assert min(gaps) == pytest.approx(float(np.min(heights)), abs=2e-5)


def pose(place: np.ndarray, angles: np.ndarray) -> str:
    return " ".join(map(repr, map(float, (*place, *angles))))


def test_a_ball_slides_with_the_smaller_friction_until_it_rolls() -> None:
    ball = (
        '<link name="ball"><pose>0 0 0.099 0 0 0</pose><inertial><mass>2</mass><inertia><ixx>0.008</ixx><iyy>0.008</iyy>'
        '<izz>0.008</izz></inertia></inertial><collision name="c"><geometry><sphere><radius>0.1</radius></sphere>'
        "</geometry></collision></link>"
    )
    floor = (
        '<model name="g"><static>true</static><link name="l"><collision name="p"><geometry><plane/></geometry><surface>'
        "<friction><ode><mu>0.2</mu></ode></friction></surface></collision></link></model>"
    )
    model = read_text(document(ball, more=floor, gravity="0 0 -9.81"), contact=True)
    m = model.edit()
    name = model.bodies[0].name
    for axis_name, rate in zip("xyz", (1.0, 0.0, 0.0), strict=True):
        m.want(f"{name}.origin.{axis_name}", rate=rate)
    run = gr.simulate(m, 0.1)
    assert run[f"{name}.origin.z"][-1] == pytest.approx(0.099, abs=1e-6)  # 1 mm deep
    assert run[f"{name}.origin.x.rate"][-1] == pytest.approx(1.0 - 0.2 * 9.81 * 0.1, abs=1e-6)
