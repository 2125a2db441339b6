"""URDF: trees as they are, and loops from a file beside."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import grashof as gr
from grashof.exchange import load_file, save_file, xml
from grashof.exchange.urdf.reader import read


def link(name: str, inertial: str = "") -> str:
    return f'<link name="{name}">{inertial}</link>'


def bar(length: float, mass: float) -> str:
    moment = mass * length**2 / 12.0
    return (
        f'<inertial><origin xyz="{length / 2} 0 0" rpy="0 0 0"/><mass value="{mass}"/>'
        f'<inertia ixx="1e-6" iyy="{moment}" izz="{moment}" ixy="0" ixz="0" iyz="0"/></inertial>'
    )


def joint(
    name: str, parent: str, child: str, origin: str, kind: str = "continuous", more: str = "", axis: str = "0 1 0"
) -> str:
    return (
        f'<joint name="{name}" type="{kind}"><parent link="{parent}"/><child link="{child}"/><origin '
        f'{origin}/><axis xyz="{axis}"/>{more}</joint>'
    )


FOUR_BAR = (
    '<robot name="four bar">'
    + link("base")
    + link("crank", bar(0.2, 1.0))
    + link("coupler", bar(0.5, 2.0))
    + link("rocker", bar(0.4, 1.5))
    + joint("a", "base", "crank", 'xyz="0 0 0" rpy="0 -1.2 0"')
    + joint("b", "crank", "coupler", 'xyz="0.2 0 0" rpy="0 0.9 0"')
    + joint("d", "base", "rocker", 'xyz="0.5 0 0" rpy="0 -1.4 0"')
    + "</robot>"
)
LOOP = """
gravity = [0, 0, -9.81]

[points.coupler]
tip = [0.5, 0, 0]

[points.rocker]
tip = [0.4, 0, 0]

[[joints]]
type = "spherical"
name = "c"
a = "coupler.tip"
b = "rocker.tip"

[[start.needs]]
quantity = "a"
value = 0.3
rate = 2.0
"""


def test_a_loop_from_the_file_beside_moves_as_the_same_four_bar_by_hand(tmp_path: Path) -> None:
    (tmp_path / "bar.urdf").write_text(FOUR_BAR)
    (tmp_path / "bar.loops.toml").write_text(LOOP)
    model = load_file(tmp_path / "bar.urdf", strict=True).model
    run = gr.simulate(model, 0.7, tol=1e-9)
    # about y, angles count downwards in the plane of x and z
    m = gr.Mechanism("four bar", gravity=(0, -9.81))
    crank, coupler, rocker = (
        m.body(
            name,
            mass=mass,
            inertia=mass * length**2 / 12.0,
            center=(length / 2, 0),
            points={"s": (0, 0), "e": (length, 0)},
        )
        for name, mass, length in (("crank", 1.0, 0.2), ("coupler", 2.0, 0.5), ("rocker", 1.5, 0.4))
    )
    m.guess(crank, (0, 0), angle=0.9)
    m.guess(coupler, (0.12, 0.16), angle=0.3)
    m.guess(rocker, (0.5, 0), angle=1.4)
    m.revolute(m.ground.at(0, 0), crank.s)
    m.revolute(crank.e, coupler.s)
    m.revolute(m.ground.at(0.5, 0), rocker.s)
    m.revolute(coupler.e, rocker.e)
    m.need(crank.angle, value=1.2 - 0.3, rate=-2.0)
    same = gr.simulate(m, 0.7, tol=1e-9)
    assert run.status.ok
    for here, there in (("coupler.tip.x", "coupler.e.x"), ("coupler.tip.z", "coupler.e.y")):
        assert np.abs(run[here] - np.interp(run.t, same.t, same[there])).max() < 1e-7


def test_a_pendulum_with_damping_and_friction_and_a_mimic_joint() -> None:
    dynamics = '<dynamics damping="0.2" friction="0.1"/><limit lower="-1" upper="1" effort="1" velocity="1"/>'
    text = (
        '<robot name="r">' + link("base") + link("one", bar(1.0, 1.0)) + link("two", bar(1.0, 1.0))
        + joint("p", "base", "one", 'xyz="0 0 1" rpy="0.3 0 0.2"', "revolute", dynamics)
        + joint("q", "base", "two", 'xyz="0 1 1"', "continuous", '<mimic joint="p" multiplier="-2" offset="0.1"/>')
        + "</robot>"
    )  # fmt: skip
    model, left_out, _ = read(xml.parse(text.encode()))
    assert [type(force).__name__ for force in model.forces] == ["TorsionSpring", "Friction", "Stop"]
    assert not left_out
    run = gr.simulate(model, 0.5)
    assert np.abs(run["q"] + 2.0 * run["p"] - 0.1).max() < 1e-6


def test_every_kind_of_joint_is_read() -> None:
    kinds = ("fixed", "prismatic", "planar", "floating")
    text = '<robot name="r">' + link("base") + "".join(link(kind, bar(1.0, 1.0)) for kind in kinds)
    text += "".join(joint(kind, "base", kind, 'xyz="0 0 1"', kind) for kind in kinds) + "</robot>"
    model, left_out, _ = read(xml.parse(text.encode()))
    assert left_out == []
    assert [type(x).__name__ for x in model.joints] == ["Weld", "Weld", "Slider", "Plane"]
    assert gr.simulate(model, 0.1).status.ok


def test_mistakes_are_told(tmp_path: Path) -> None:
    for text, words in (
        ("<robot/>", "bodies"),
        ('<robot name="r">' + link("a") + joint("j", "a", "b", "") + "</robot>", "no such link"),
        (
            '<robot name="r">' + link("a") + link("b") + joint("j", "a", "b", "", "hinge") + "</robot>",
            "type is 'hinge'",
        ),
        (
            '<robot name="r">'
            + link("a")
            + link("b")
            + joint("j", "a", "b", "")
            + joint("k", "b", "a", "")
            + "</robot>",
            "ring",
        ),
        (
            '<robot name="r">' + link("a") + link("b") + joint("j", "a", "b", "", axis="0 0 0") + "</robot>",
            "no direction",
        ),
    ):
        with pytest.raises(gr.ModelError, match=words):
            read(xml.parse(text.encode()))
    (tmp_path / "bar.urdf").write_text(FOUR_BAR)
    (tmp_path / "bar.loops.toml").write_text(LOOP.replace("coupler.tip", "copler.tip"))
    with pytest.raises(gr.ModelError, match=r"bar\.loops\.toml.*copler"):
        load_file(tmp_path / "bar.urdf")
    with pytest.raises(gr.ModelError, match="SDF is read but not written"):
        save_file(load_file(_without_loop(tmp_path)).model, tmp_path / "other.sdf")


def _without_loop(folder: Path) -> Path:
    (folder / "alone.urdf").write_text(FOUR_BAR)
    return folder / "alone.urdf"


def point(mass: float, place: str, inertia: tuple[float, ...]) -> str:
    xx, yy, zz = inertia
    return (
        f'<inertial><origin xyz="{place}"/><mass value="{mass}"/>'
        f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial>'
    )


CARELESS = (
    '\n<?xml version="1.0"?>\n<robot name="careless">'
    + link("ground")
    + link("hub")
    + link("one", point(1.0, "0.1 0.05 0.2", (0.01, 0.02, 0.05)))
    + link("camera")
    + link("lens")
    + link("wheel", point(0.5, "0 0.1 0", (0.0, 0.0, 0.0)))
    + joint("mount", "ground", "hub", 'xyz="0 0 1"', "fixed", axis="0 0 0")
    + joint("a", "hub", "one", 'xyz="0 0 0"', more='<limit lower="0" upper="0"/>', kind="revolute")
    + joint("tilt", "one", "camera", 'xyz="0.1 0 0"')
    + joint("zoom", "camera", "lens", 'xyz="0.1 0 0"', "prismatic")
    + joint("roll", "one", "wheel", 'xyz="0 0 0.1"')
    + joint("free", "camera", "lens2", 'xyz="0.1 0 0"', more='<mimic joint="nothing"/>')
    + link("lens2", bar(0.1, 0.1))
    + "</robot>"
)


def test_careless_documents_are_read_with_remarks(tmp_path: Path) -> None:
    """A blank line before the declaration, a link named ground, an axis of no length on a fixed joint, limits without
    room, links without mass at the end of a chain, a point mass on its axis, an inertia that no body has, and a mimic
    joint that follows nothing."""
    path = tmp_path / "careless.urdf"
    path.write_text(CARELESS)
    found = load_file(path)
    assert [x.split(": ", 1)[1] for x in found.left_out] == [
        "it mimics the joint 'nothing', but there is no revolute or prismatic joint of that name; it is left out."
    ]
    ground, idle, limits, doubt = found.remarks
    assert "no room" in limits
    assert idle == "Joints 'roll' and 'zoom': nothing that they move has mass, so they are held at zero."
    assert "'ground_2'" in ground
    assert "used as given" in doubt
    assert gr.mobility(found.model).dof == 3
    assert gr.simulate(found.model, 0.1).status.ok


def test_an_inertia_that_no_body_has_is_used_as_given() -> None:
    """A body on a ball joint, in both formulations, against Euler's equations."""
    from scipy.integrate import solve_ivp

    center, inertia = np.array([0.1, 0.05, 0.2]), np.diag([0.01, 0.02, 0.05])
    m = gr.Mechanism("top", gravity=(0, 0, -9.81))
    with pytest.warns(UserWarning, match="no body has one larger than the sum of the other two"):
        body = m.body("b", mass=1.0, center=center.tolist(), inertia=(0.01, 0.02, 0.05), points={"p": (0, 0, 0)})
    m.spherical(m.ground.at(0, 0, 0), body.p)
    about = inertia + (center @ center * np.eye(3) - np.outer(center, center))

    def rates(t: float, y: np.ndarray) -> np.ndarray:
        axes, w = y[:9].reshape(3, 3), y[9:]
        torque = np.cross(center, axes.T @ [0.0, 0.0, -9.81])
        across = np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])
        return np.concatenate([(axes @ across).ravel(), np.linalg.solve(about, torque - np.cross(w, about @ w))])

    start = np.concatenate([np.eye(3).ravel(), np.zeros(3)])
    end = solve_ivp(rates, (0.0, 1.0), start, method="DOP853", rtol=1e-12, atol=1e-13).y[:9, -1].reshape(3, 3)
    for formulation in ("natural", "relative"):
        run = gr.simulate(m, 1.0, tol=1e-8, formulation=formulation)
        there = np.array([run[f"b.center.{x}"][-1] for x in "xyz"])
        assert np.abs(there - end @ center).max() < 1e-7


def test_limits_are_compliant_stops_and_start_between_them() -> None:
    text = (
        '<robot name="r">' + link("base") + link("one", bar(1.0, 1.0)) + link("two", bar(1.0, 1.0))
        + joint("p", "base", "one", 'xyz="0 0 1"', "revolute", '<limit lower="0.2" upper="0.6"/>')
        + joint("q", "one", "two", 'xyz="1 0 0"', "revolute",
                '<limit lower="-1" upper="1"/><mimic joint="p" multiplier="0.5"/>')
        + "</robot>"
    )  # fmt: skip
    model, left_out, remarks = read(xml.parse(text.encode()))
    assert not left_out
    assert len(remarks) == 1
    assert "starts between them, at 0.4" in remarks[0]
    assert [force.name for force in model.forces] == ["limit p"]
    run = gr.simulate(model, 2.0)
    assert run.status.ok
    assert run["p"][0] == pytest.approx(0.4)
    assert run["q"][0] == pytest.approx(0.2)
    assert 0.6 < run["p"].max() < 0.7
    model, left_out, remarks = read(xml.parse(text.encode()), limits="none")
    assert (left_out, remarks, model.forces) == ([], [], ())
    assert gr.simulate(model, 0.01)["p"][0] == 0.0


def test_a_robot_without_masses_has_kinematics() -> None:
    text = '<robot name="r">' + link("base") + link("one") + joint("p", "base", "one", 'xyz="0 0 1"') + "</robot>"
    model, _, remarks = read(xml.parse(text.encode()))
    assert not remarks
    assert gr.mobility(model).dof == 1
    with pytest.raises(gr.ModelError, match=r"ask what needs none: gr\.kinematics"):
        gr.simulate(model, 1.0)


def collision(geometry: str) -> str:
    return f'<collision><origin xyz="0 0 0" rpy="0 0 0"/><geometry>{geometry}</geometry></collision>'


def test_a_robot_stands_on_its_collision_shapes() -> None:
    foot = '<inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial>'
    text = (
        '<robot name="box">'
        + link("world")
        + link("body", foot + collision('<box size="0.2 0.2 0.1"/>') + collision('<mesh filename="skin.stl"/>'))
        + '<joint name="j" type="floating"><parent link="world"/><child link="body"/><origin xyz="0 0 0.06"/></joint></robot>'
    )
    model, left_out, _ = read(xml.parse(text.encode()), contact=True)
    assert len(left_out) == 1
    assert "contact of such a shape" in left_out[0]
    run = gr.simulate(model, 1.0)
    assert run.status.ok
    # four corners carry what one would at a depth of 1 mm
    assert run["body.origin.z"][-1] == pytest.approx(0.05 - 0.25e-3, abs=1e-6)
    assert not read(xml.parse(text.encode()))[0].forces


def test_shapes_of_a_fixed_robot_that_are_in_the_ground_do_not_touch_it() -> None:
    text = (
        '<robot name="arm">'
        + link("base", collision('<sphere radius="0.5"/>'))
        + link("low", bar(0.4, 1.0) + collision('<sphere radius="0.2"/>'))
        + link("high", bar(0.4, 1.0) + collision('<cylinder radius="0.05" length="0.4"/>'))
        + joint("p", "base", "low", 'xyz="0 0 0.1"')
        + joint("q", "low", "high", 'xyz="0 0 0.5"')
        + "</robot>"
    )
    model, left_out, _ = read(xml.parse(text.encode()), contact=True)
    assert [force.name for force in model.forces] == ["contact high 1 1", "contact high 1 2"]
    assert len(left_out) == 1
    assert "in the ground at the start" in left_out[0]


def welded(inertias: dict[str, str], kind: str = "fixed") -> str:
    """A pendulum; links of 0.1 kg at its tip are turned by a quarter about z."""
    links = '<link name="w"/><link name="base"><inertial><origin xyz="0.3 0 0"/><mass value="1"/><inertia ixx="0.03" iyy="0.04" izz="0.05"/></inertial></link>'
    joints = '<joint name="q" type="revolute"><parent link="w"/><child link="base"/><axis xyz="0 1 0"/></joint>'
    for name, inertia in inertias.items():
        links += f'<link name="{name}"><inertial><mass value="0.1"/><inertia {inertia}/></inertial></link>'
        joints += f'<joint name="to {name}" type="{kind}"><parent link="base"/><child link="{name}"/><origin xyz="0.4 0 0" rpy="0 0 1.5707963267948966"/></joint>'
    return f'<robot name="r">{links}{joints}</robot>'


def test_a_negative_moment_is_made_up_for_by_what_it_is_fixed_to(tmp_path: Path) -> None:
    """−0.01 kg m² about the axis of the joint, and the same as the sum of two inertias that are none of these."""
    (tmp_path / "one.urdf").write_text(welded({"odd": 'ixx="-0.01" iyy="0.02" izz="0.02"'}))
    found = load_file(tmp_path / "one.urdf")
    assert "no body has a negative one" in found.remarks[-1]
    run = gr.simulate(found.model, 0.5, tol=1e-10)
    # q'' = m g x / I, with I = 0.04 + 0.09 − 0.01 + 0.1·0.4², about the axis y
    inertia, weight = 0.04 + 0.09 - 0.01 + 0.016, 9.81 * (0.3 + 0.04)
    from scipy.integrate import solve_ivp

    exact = solve_ivp(lambda t, y: [y[1], weight * np.cos(y[0]) / inertia], (0, 0.5), [0, 0], rtol=1e-12, atol=1e-12)
    assert run["q"][-1] == pytest.approx(exact.y[0, -1], abs=1e-8)


def test_round_off_is_no_negative_moment(tmp_path: Path) -> None:
    (tmp_path / "one.urdf").write_text(welded({"odd": 'ixx="1e-3" iyy="-1e-20" izz="1e-3"'}, "continuous"))
    assert gr.simulate(load_file(tmp_path / "one.urdf").model, 0.1).status.ok


def test_a_negative_moment_that_nothing_makes_up_for_is_refused(tmp_path: Path) -> None:
    for inertia, kind in (
        ('ixx="-0.5" iyy="0.2" izz="0.2"', "fixed"),
        ('ixx="-0.01" iyy="0.02" izz="0.02"', "continuous"),
    ):
        (tmp_path / "one.urdf").write_text(welded({"odd": inertia}, kind))
        with pytest.raises(gr.ModelError, match="Body 'odd': inertia with the principal moments"):
            load_file(tmp_path / "one.urdf")
