"""Robots that are written with the macros of xacro are expanded and read, with leave and without ROS."""

from pathlib import Path

import pytest

import grashof as gr

ROBOT = """<robot name="arm" xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:arg name="mass" default="1"/>
<xacro:include filename="$(find parts)/link.xacro"/><link name="base"/><xacro:link name="one" mass="${2*$(arg mass)}"/>
<joint name="q" type="revolute"><parent link="base"/><child link="one"/><axis xyz="0 ${cos(0)} 0"/><limit lower="-1" upper="1"/></joint></robot>"""
LINK = """<robot xmlns:xacro="http://www.ros.org/wiki/xacro"><xacro:macro name="link" params="name mass"><link name="${name}"><inertial>
<mass value="${mass}"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/></inertial></link></xacro:macro></robot>"""


def write(folder: Path, where: str = "src") -> Path:
    (folder / where / "parts").mkdir(parents=True)
    (folder / where / "parts" / "link.xacro").write_text(LINK)
    path = folder / "src" / "arm" / "urdf" / "arm.urdf.xacro"
    path.parent.mkdir(parents=True)
    path.write_text(ROBOT)
    return path


def test_macros_are_expanded(tmp_path: Path) -> None:
    """The package is beside the folders of the file."""
    path = write(tmp_path)
    assert gr.load(path, allow_code=True).bodies[1].mass == 2.0
    assert gr.load(path, allow_code=True, arguments="mass:=1.5").bodies[1].mass == 3.0


def test_packages_are_found_where_they_are_said_to_be(tmp_path: Path) -> None:
    path = write(tmp_path, "elsewhere/a/b")
    with pytest.raises(gr.ModelError, match="no folder of the package 'parts' near the file; choose packages=FOLDER"):
        gr.load(path, allow_code=True)
    assert gr.load(path, allow_code=True, packages=tmp_path / "elsewhere").bodies[1].mass == 2.0


def test_code_is_not_run_without_leave(tmp_path: Path) -> None:
    with pytest.raises(gr.ModelError, match="evaluates the expressions of a file as Python"):
        gr.load(write(tmp_path))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("cos(0)", "1/0", "xacro cannot expand it: .*division by zero"),
        ("cos(0)", "().__class__", "xacro cannot expand it"),
        ("</robot>", "", "this is not XML"),
        ("$(arg mass)", "$(arg other)", "xacro cannot expand it: .*other"),
        ("link.xacro", "none.xacro", "xacro cannot expand it"),
    ],
)
def test_mistakes_are_refused_by_a_sentence(old: str, new: str, said: str, tmp_path: Path) -> None:
    path = write(tmp_path)
    path.write_text(ROBOT.replace(old, new))
    with pytest.raises(gr.ModelError, match=said):
        gr.load(path, allow_code=True)
    with pytest.raises(gr.ModelError, match="write NAME:=VALUE"):
        gr.load(path, allow_code=True, arguments="mass=2")
