"""Files that are broken, huge, deeply nested or hostile are refused by a sentence, soon."""

from __future__ import annotations

from pathlib import Path

import pytest

import grashof as gr
from grashof.exchange import load_file

LAUGHS = '<?xml version="1.0"?><!DOCTYPE m [<!ENTITY a "ha">' + "".join(f'<!ENTITY {x} "{f"&{y};" * 10}">' for x, y in zip("bcdefghij", "abcdefghi", strict=True)) + "]><mujoco>&j;</mujoco>"  # fmt: skip
FILES = {
    "entities that expand": (LAUGHS.encode(), "declarations of its own"),
    "an external entity": (
        b'<!DOCTYPE m [<!ENTITY x SYSTEM "file:///etc/passwd">]><mujoco>&x;</mujoco>',
        "declarations of its own",
    ),
    "an external DTD": (b'<!DOCTYPE m SYSTEM "http://localhost/m.dtd"><mujoco/>', "declarations of its own"),
    "an entity that is not there": (b"<mujoco>&x;</mujoco>", "not XML"),
    "depth": (b"<mujoco>" + b"<body>" * 200_000, "nested more than 100 deep"),
    "many elements": (b"<mujoco><worldbody>" + b"<site/>" * 250_000, "more than 200,000 elements"),
    "100 MB of nothing": (b"<mujoco>" + b" " * 100_000_000 + b"</mujoco>", "more than 33,554,432 bytes"),
    "an empty file": (b"", "not XML"),
    "no XML": (b"mass = 1", "not XML"),
    "zeros": (b"\0" * 1000, "not XML"),
    "an unknown encoding": (b'<?xml version="1.0" encoding="x-none"?><mujoco/>', "XML"),
    "UTF-16 that is cut": ("<mujoco>".encode("utf-16"), "not XML"),
    "another document": (b"<html/>", "begins with <html>"),
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
        ('<JointSet><objects><PinJoint name="p"><socket_parent_frame>nowhere</socket_parent_frame></PinJoint></objects></JointSet>', "no body or frame 'nowhere'"),
        ('<JointSet><objects><PinJoint name="p"/></objects></JointSet>', "it is not said what its parent_frame is"),
        ('<BodySet><objects><Body name="b"/><Body name="b"/></objects></BodySet>', "there twice"),
        ('<BodySet><objects><Body name="b.c"/></objects></BodySet>', "dots"),
        ('<BodySet><objects><Body name="b"><mass>heavy</mass></Body></objects></BodySet>', "line 1, Body 'b': mass is 'heavy'"),
    ],
)  # fmt: skip
def test_mistakes_in_models_of_opensim_are_told_with_their_place(inside: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "model.osim"
    path.write_text(f'<OpenSimDocument Version="40000"><Model name="m">{inside}</Model></OpenSimDocument>')
    with pytest.raises(gr.ModelError, match=words):
        load_file(path)
