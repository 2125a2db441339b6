"""Files that are broken, huge, deeply nested or hostile are refused by a sentence, soon."""

from __future__ import annotations

from pathlib import Path

import pytest

import grashof as gr
from grashof.exchange import load_file

LAUGHS = '<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "ha">' + "".join(f'<!ENTITY {x} "{f"&{y};" * 10}">' for x, y in zip("bcdefghij", "abcdefghi", strict=True)) + "]><mujoco>&j;</mujoco>"  # fmt: skip
FILES = {
    "entities that expand": (LAUGHS.encode(), "contains declarations"),
    "an external entity": (
        b'<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco>&x;</mujoco>',
        "contains declarations",
    ),
    "an external DTD": (b'<!DOCTYPE m SYSTEM "http://localhost/m.dtd"><mujoco/>', "contains declarations"),
    "an entity that is not there": (b"<mujoco>&x;</mujoco>", "not XML"),
    "depth": (b"<mujoco>" + b"<body>" * 200_000, "nested more than 100 deep"),
    "many elements": (b"<mujoco><worldbody>" + b"<site/>" * 250_000, "limit of 200,000 elements"),
    "100 MB of nothing": (b"<mujoco>" + b" " * 100_000_000 + b"</mujoco>", "more than 33,554,432 bytes"),
    "an empty file": (b"", "not XML"),
    "no XML": (b"mass = 1", "not XML"),
    "zeros": (b"\0" * 1000, "not XML"),
    "an unknown encoding": (b'<?xml version="1.0" encoding="x-none"?><mujoco/>', "XML"),
    "UTF-16 that is cut": ("<mujoco>".encode("utf-16"), "not XML"),
    "another document": (b"<html/>", "root element is <html>"),
    "a number that is none": (
        b'<mujoco><worldbody><body pos="0 0 x"/></worldbody></mujoco>',
        "line 1, body: pos is '0 0 x'",
    ),
    "a number too large": (b'<mujoco><worldbody><body pos="0 0 1e300"/></worldbody></mujoco>', "at most 1e\\+100"),
    "nothing in it": (b"<mujoco/>", "m"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("ending", [".osim", ".xml", ".urdf"])
def test_it_is_refused_by_a_sentence(name: str, ending: str, tmp_path: Path) -> None:
    content, words = FILES[name]
    path = tmp_path / f"file{ending}"
    path.write_bytes(content)
    with pytest.raises(gr.ModelError, match=words) as refusal:
        load_file(path)
    assert str(refusal.value).startswith(str(path))
    assert len(str(refusal.value)) < 1000


def test_a_file_that_is_not_there_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(gr.ModelError, match="there is no such file"):
        load_file(tmp_path / "absent.osim")
    (tmp_path / "folder.osim").mkdir()
    with pytest.raises(gr.ModelError, match="this is a folder"):
        load_file(tmp_path / "folder.osim")


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ('<JointSet><objects><PinJoint '
            'name="p"><socket_parent_frame>nowhere</socket_parent_frame></PinJoint></objects></JointSet>', "no body or frame 'nowhere'"),
        ('<JointSet><objects><PinJoint name="p"/></objects></JointSet>', "its parent_frame is missing"),
        ('<BodySet><objects><Body name="b"/><Body name="b"/></objects></BodySet>', "two bodies named 'b'"),
        ('<BodySet><objects><Body name="b.c"/></objects></BodySet>', "dots"),
        ('<BodySet><objects><Body name="b"><mass>heavy</mass></Body></objects></BodySet>', "line 1, Body 'b': mass is 'heavy'"),
    ],
)  # fmt: skip
def test_mistakes_in_models_of_opensim_are_told_with_their_place(inside: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "model.osim"
    path.write_text(f'<OpenSimDocument Version="40000"><Model name="m">{inside}</Model></OpenSimDocument>')
    with pytest.raises(gr.ModelError, match=words):
        load_file(path)


INCLUDES = {
    "above": ('<include file="../secret.xml"/>', "outside the folder of the model"),
    "absolute": ('<include file="/etc/passwd"/>', "outside the folder of the model"),
    "a link that leads out": ('<include file="link.xml"/>', "outside the folder of the model"),
    "itself": ('<include file="self.xml"/>', "already been included"),
    "nothing": ("<include/>", "file to include is missing"),
    "absent": ('<include file="absent.xml"/>', "there is no file 'absent.xml'"),
    "a folder": ('<include file="."/>', "there is no file"),
    "a name that is none": ('<include file="a&#127;b' + "x" * 5000 + '"/>', "cannot be read"),
    "declarations": ('<include file="laughs.xml"/>', "contains declarations"),
    "too much": ("".join(f'<include file="many{k}.xml"/>' for k in range(3)), "200,000 elements"),
    "a long chain": ('<include file="chain0.xml"/>', "20 deep"),
}


@pytest.mark.parametrize("name", INCLUDES)
def test_includes_that_lead_elsewhere_or_never_end_are_refused(name: str, tmp_path: Path) -> None:
    inside, words = INCLUDES[name]
    folder = tmp_path / "model"
    folder.mkdir()
    (tmp_path / "secret.xml").write_text("<mujoco/>")
    (folder / "link.xml").symlink_to(tmp_path / "secret.xml")
    (folder / "self.xml").write_text('<mujoco><include file="self.xml"/></mujoco>')
    (folder / "laughs.xml").write_text(LAUGHS)
    for k in range(3 if name == "too much" else 0):
        (folder / f"many{k}.xml").write_text("<mujoco>" + "<site/>" * 90_000 + "</mujoco>")
    for k in range(30):
        (folder / f"chain{k}.xml").write_text(f'<mujoco><include file="chain{k + 1}.xml"/></mujoco>')
    (folder / "model.xml").write_text(f"<mujoco><worldbody>{inside}</worldbody></mujoco>")
    with pytest.raises(gr.ModelError, match=words):
        load_file(folder / "model.xml")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"v 0 0 0\nf 1 2 3\nf 1 2 3\nf 1 2 3\nf 1 2 3\n", "a vertex that does not exist"),
        (b"v 0 0 zero\n", "'zero', which is not a number"),
        (b"v 0 0 0\nf a b c\n", "'a', which is not a number"),
        (b"v 0 0 0\nv 1 0 0\nv 0 1 0\n" + b"f 1 2 3\n" * 4, "has no volume"),
        (b"v nan 0 0\nv 1 0 0\nv 0 1 0\n" + b"f 1 2 3\n" * 4, "finite"),
        (b"", "4 to 1,000,000 triangles"),
    ],
)
def test_meshes_that_are_none_are_listed(content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "m.obj").write_bytes(content)
    (tmp_path / "m.stl").write_bytes(content + b"\xff" * 100)
    for ending in ("obj", "stl"):
        (tmp_path / "model.xml").write_text(
            f'<mujoco><asset><mesh name="m" file="m.{ending}"/></asset><worldbody><body><joint/><geom '
            'size="1"/><geom type="mesh" mesh="m"/></body></worldbody></mujoco>'
        )
        said = load_file(tmp_path / "model.xml").left_out[0]
        assert "mesh 'm'" in said
        assert (words if ending == "obj" else "not a binary STL file") in said
