"""A mechanism in a file: what is saved is what is loaded, and what is wrong is said with the file's name."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grashof.common.errors import ModelError
from grashof.model import files
from grashof.model.check import check
from grashof.model.files import dumps, load, loads, save
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model

from .strategies import planar_models, spatial_models


def four_bar() -> Mechanism:
    m = Mechanism("four-bar", gravity=(0, -9.81))
    crank = m.bar("crank", mass=1.0, start=(0, 0), end=(0, 1))
    rocker = m.bar("rocker", mass=1.0, start=(2, 0), end=(2.1, 1.3))
    coupler = m.body("coupler", mass=2.0, center=(1, 0), inertia=0.1, points={"a": (0, 0), "b": (2.1, 0.3)})
    m.guess("coupler", (0, 1), angle=0.1)
    m.revolute(m.ground.at(0, 0), crank.start, name="A")
    m.revolute(crank.end, coupler.a, name="B")
    m.revolute(coupler.b, rocker.end, name="C")
    m.revolute(rocker.start, m.ground.at(2, 0), name="D")
    m.spring(m.ground.at(1, 0), coupler.a, stiffness=10.0, length=1 / 3)
    m.torque(crank, 0.1)
    m.need(crank.angle, rate=-2.0)
    return m


def spatial_chain() -> Mechanism:
    m = Mechanism("chain", gravity=(0, 0, -9.81))
    arm = m.bar("arm", mass=1.0, start=(0, 0, 0), end=(0.3, 0.4, 0.5))
    block = m.body(
        "block", mass=2.0, inertia=(0.1, 0.2, 0.25), rotation=(0.9, 0.1, -0.2, 0.3), position=(0.3, 0.4, 0.5)
    )
    m.revolute(m.ground.at(0, 0, 0), arm.start, axis=(1, 2, -1))
    m.prismatic(arm.end, block.at(0, 0, 0), axis=(1, 1, 1))
    m.weld(block.at(0, 0, 1), m.body("cap", mass=0.1).at(0, 0, 0))
    turn = m.angle("turn", arm, axis=(1, 2, -1))
    m.motor(turn, "0.3*sin(2*pi*t)")
    m.separation("reach", m.ground.at(0, 0, 0), block.at(0, 0, 1))
    return m


TEXT = dumps(four_bar().model)


def refusal(text: str) -> str:
    with pytest.raises(ModelError) as caught:
        loads(text, source="four-bar.toml")
    message = str(caught.value)
    assert message.startswith("four-bar.toml: ")
    return message.removeprefix("four-bar.toml: ")


def changed(old: str, new: str) -> str:
    assert old in TEXT
    return TEXT.replace(old, new, 1)


# -- round trip


@settings(max_examples=60, deadline=None)
@given(st.one_of(planar_models(), spatial_models()))
def test_what_is_saved_is_what_is_loaded(model: Model) -> None:
    assert loads(dumps(model)) == model


@pytest.mark.parametrize("build", [four_bar, spatial_chain])
def test_a_built_mechanism_survives_a_file(build: type[Mechanism], tmp_path: Path) -> None:
    model = build().model
    save(model, tmp_path / "it.toml")
    assert load(tmp_path / "it.toml") == model
    assert load(str(tmp_path / "it.toml")) == model


def test_a_file_reads_well() -> None:
    lines = TEXT.splitlines()
    assert lines[0].startswith("# ")
    assert lines[1] == 'format = "grashof 1"'
    assert "gravity = [0.0, -9.81]" in lines
    assert "points = { a = [0.0, 0.0], b = [2.1, 0.3] }" in lines
    assert "length = 0.3333333333333333" in lines
    assert "coupler = { position = [0.0, 1.0], angle = 0.1 }" in lines
    assert max(map(len, lines)) <= 110


def test_many_points_get_a_table_of_their_own() -> None:
    m = Mechanism("plate")
    m.body("plate", points={f"corner {i}": (float(i), 0.5) for i in range(10)})
    assert "[bodies.points]" in dumps(m.model)
    assert loads(dumps(m.model)) == m.model


# -- what people may leave out


def test_whole_numbers_are_numbers() -> None:
    assert loads(changed("mass = 1.0", "mass = 1")) == four_bar().model


def test_a_byte_order_mark_and_windows_line_ends_do_not_matter(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf" + TEXT.replace("\n", "\r\n").encode())
    assert load(path) == four_bar().model


HEAD = """
format = "grashof 1"
name = "two bodies"
dimension = 3
[ground]
o = [0, 0, 0]
[[bodies]]
type = "bar"
name = "rod"
length = 1
[[joints]]
name = "J"
a = "ground.o"
b = "rod.start"
"""


def test_directions_get_length_one_and_b_is_like_a() -> None:
    (joint,) = loads(HEAD + 'type = "revolute"\naxis_a = [3, 0, 4]').joints
    assert dict(joint.directions()) == {"axis_a": (0.6, 0.0, 0.8), "axis_b": (0.6, 0.0, 0.8)}


def test_a_weld_makes_the_axes_coincide() -> None:
    (joint,) = loads(HEAD + 'type = "weld"').joints
    x, y = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)
    assert dict(joint.directions()) == {"axis_a": x, "axis_b": x, "normal_a": y, "normal_b": y}


def test_the_arms_of_a_universal_joint_are_both_given() -> None:
    with pytest.raises(ModelError, match="Joint 'J': axis_b is missing"):
        loads(HEAD + 'type = "universal"\naxis_a = [1, 0, 0]')


def test_directions_of_an_angle_get_length_one() -> None:
    text = HEAD + 'type = "spherical"\n[[measures]]\ntype = "angle"\nname = "θ"\nbody = "rod"\n'
    model = loads(text + "axis = [0, 0, 2]\nzero = [5, 0, 0]\ndirection = [1, 0, 0]")
    measure = model.all_measures["θ"]
    assert measure.axis == (0.0, 0.0, 1.0)
    assert measure.zero == (1.0, 0.0, 0.0)


# -- what is refused, in the words of the file


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (changed("length = 1.0", "length"), "this is not TOML: Expected '='"),
        (changed("length = 1.0", "length ="), "(at line 15, column 9)"),
        (changed("length = 1.0", f"length = 1{'0' * 5000}"), "cannot be read as TOML"),
        (changed("length = 1.0", f"length = {'[' * 5000}"), "cannot be read as TOML"),
        (
            changed("length = 1.0", "length = 'long'"),
            "'crank.length' is defined as 'long', but 'long' is not a number of the mechanism; it must be a "
            "number, a text with its unit",
        ),
        (changed("length = 1.0", "length = true"), "bodies[0] ('crank'): length is True; it must be a number."),
        (changed("length = 1.0", "length = [1]"), "bodies[0] ('crank'): length is [1]; it must be a number."),
        (changed("length = 1.0", f"length = 1{'0' * 400}"), "out of range"),
        (changed("length = 1.0", "length = nan"), "Body 'crank': length is nan; it must be finite."),
        (changed("length = 1.0", "length = -inf"), "Body 'crank': length is -inf; it must be finite."),
        (changed("length = 1.0", "lenght = 1.0"), "('crank'): there is no field 'lenght'; did you mean 'length'?"),
        (changed("length = 1.0", ""), "bodies[0] ('crank'): the field 'length' is missing; add it."),
        (changed('type = "bar"', 'type = "baar"'), "('crank'): type is 'baar'; did you mean 'bar'?"),
        (changed('type = "bar"', "type = 1"), "bodies[0] ('crank'): type is 1; it must be a text in quotes."),
        (changed('type = "bar"', ""), "the field 'type' is missing; it is one of rigid, bar."),
        (changed("[[joints]]", "[[oints]]"), "at the top: there is no field 'oints'; did you mean 'joints'?"),
        (changed('name = "four-bar"', ""), "at the top: the field 'name' is missing"),
        (changed("[start]", "[[start]]"), "it must be a table"),
        (
            changed("inertia = 0.1", "inertia = 'big'"),
            "'coupler.inertia' is defined as 'big', but 'big' is not a number",
        ),
        (
            changed("inertia = 0.1", "inertia = [1, 'x']"),
            "'coupler.inertia.yy' is defined as 'x', but 'x' is not a number",
        ),
        (changed("dimension = 2", "dimension = 4"), "dimension is 4; it must be 2 or 3."),
        (
            changed("p2 = [2.0, 0.0]", "p2 = [2.0, 'x']"),
            "'ground.p2.y' is defined as 'x', but 'x' is not a number",
        ),
        (changed("b = [2.1, 0.3]", "b = 'x'"), "('coupler'): points: 'b' is 'x'; it must be a list in brackets."),
        (changed("angle = 0.1", "rotation = [1, 0]"), "start: guesses: 'coupler': rotation is [1, 0]"),
        (
            changed("angle = 0.1", "rotation = [1, 0, 0, 'z']"),
            "'start.guesses.coupler.rotation.z' is defined as 'z', but",
        ),
        (changed("angle = 0.1", "angel = 0.1"), "'coupler': there is no field 'angel'; did you mean 'angle'?"),
        (changed("rate = -2.0", "rate = 'x'"), "'start.crank.angle.rate' is defined as 'x', but"),
        (changed('format = "grashof 1"', ""), 'the line format = "grashof 1" is missing'),
        (changed("grashof 1", "grashof 2"), "format is 'grashof 2', which this version of Grashof cannot read"),
        (changed('"coupler.b"', '"coupler.c"'), "Joint 'C': body 'coupler' has no point 'coupler.c'"),
    ],
)
def test_the_message_says_where_what_and_what_instead(text: str, words: str) -> None:
    assert words in refusal(text)


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_a_damaged_file_is_refused_or_a_valid_description(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(TEXT)))
    width = data.draw(st.integers(0, 12))
    patch = data.draw(
        st.one_of(st.text(max_size=3), st.sampled_from(["[", "{}", "nan", "'", "1e999", "0", "true", "[[x]]\n"]))
    )
    with contextlib.suppress(ModelError):
        check(loads(TEXT[:place] + patch + TEXT[place + width :]))


# -- the file system


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"absent\.toml: there is no such file"):
        load(tmp_path / "absent.toml")
    with pytest.raises(ModelError, match="this is a folder"):
        load(tmp_path)
    (tmp_path / "latin.toml").write_bytes('name = "é"'.encode("latin-1"))
    with pytest.raises(ModelError, match=r"latin\.toml: byte 9 is not UTF-8 text"):
        load(tmp_path / "latin.toml")


def test_saving_replaces_a_file_and_leaves_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "it.toml"
    path.write_text("old")
    save(four_bar().model, path)
    assert load(path) == four_bar().model
    assert os.listdir(tmp_path) == ["it.toml"]


def test_a_saved_file_has_the_usual_permissions(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    save(four_bar(), tmp_path / "it.toml")
    modes = [stat.S_IMODE((tmp_path / name).stat().st_mode) for name in ("plain", "it.toml")]
    assert modes[0] == modes[1]


def test_when_saving_fails_the_old_file_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "it.toml"
    path.write_text("old")

    def full(source: object, target: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(files.os, "replace", full)
    with pytest.raises(ModelError, match=r"it\.toml: the file cannot be written \(No space left on device\)"):
        save(four_bar().model, path)
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["it.toml"]


def test_a_place_where_no_file_can_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for place in (tmp_path / "absent" / "it.toml", tmp_path / "file" / "it.toml", tmp_path):
        with pytest.raises(ModelError, match="the file cannot be written"):
            save(four_bar().model, place)


def test_an_impossible_mechanism_is_not_saved(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no bodies"):
        save(Model("empty"), tmp_path / "it.toml")
    assert os.listdir(tmp_path) == []
