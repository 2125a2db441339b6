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
    model, left_out = read(xml.parse(text.encode()))
    assert [type(force).__name__ for force in model.forces] == ["TorsionSpring", "Friction"]
    assert "limited from -1 to 1" in left_out[0]
    run = gr.simulate(model, 0.5)
    assert np.abs(run["q"] + 2.0 * run["p"] - 0.1).max() < 1e-6


def test_every_kind_of_joint_is_read() -> None:
    kinds = ("fixed", "prismatic", "planar", "floating")
    text = '<robot name="r">' + link("base") + "".join(link(kind, bar(1.0, 1.0)) for kind in kinds)
    text += "".join(joint(kind, "base", kind, 'xyz="0 0 1"', kind) for kind in kinds) + "</robot>"
    model, left_out = read(xml.parse(text.encode()))
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
    with pytest.raises(gr.ModelError, match="URDF is read but not written"):
        save_file(load_file(_without_loop(tmp_path)).model, tmp_path / "other.urdf")


def _without_loop(folder: Path) -> Path:
    (folder / "alone.urdf").write_text(FOUR_BAR)
    return folder / "alone.urdf"
