"""`grashof equilibrium`, `modes`, `kinematics` and `linkage`."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
import typer

from grashof.cli.app import app
from grashof.model.files import save
from tests.cli.files import PENDULUM
from tests.cli.test_run import call
from tests.questions.mechanisms import diagonal_spring_four_bar
from tests.questions.test_kinematics import slider_crank


@pytest.fixture
def four_bar(tmp_path: Path) -> Path:
    path = tmp_path / "four-bar.toml"
    save(diagonal_spring_four_bar(), path)
    return path


def test_a_position_at_rest_as_text_data_and_picture(four_bar: Path, tmp_path: Path) -> None:
    text = call("equilibrium", four_bar, "--plot", tmp_path / "rest.png")
    assert "rod1.angle = 2.23433101902 rad" in text
    assert (tmp_path / "rest.png").is_file()
    data = json.loads(call("equilibrium", four_bar, "--json"))
    assert data["stability"] == "stable"
    assert data["modes"]["modes"][0]["eigenvalue"] == pytest.approx([-0.2423858093, 2.1339550283], abs=1e-10)


def test_modes_as_text_data_picture_and_animation(four_bar: Path, tmp_path: Path) -> None:
    text = call("modes", four_bar, "--plot", tmp_path / "shapes.png", "--animate", tmp_path / "first.html")
    assert "0.339629 Hz" in text
    assert (tmp_path / "shapes.png").is_file()
    assert (tmp_path / "first.html").is_file()
    (tmp_path / "pendulum.toml").write_text(PENDULUM)
    data = json.loads(call("modes", tmp_path / "pendulum.toml", "--json"))
    assert data["modes"][0]["frequency_Hz"] == pytest.approx(math.sqrt(1.5 * 9.81) / (2.0 * math.pi))
    assert "not steady" in " ".join(call("modes", tmp_path / "pendulum.toml", "--at", "0.2").split())


def test_a_motion_of_motors_as_text_data_picture_and_table(tmp_path: Path) -> None:
    save(slider_crank(), tmp_path / "crank.toml")
    asked = ("kinematics", tmp_path / "crank.toml", "--t-end", "1")
    text = call(*asked, "--plot", tmp_path / "x.png", "--show", "rod.end.x", "--out", tmp_path / "x.csv")
    assert "'drive': crank.angle from 0.3 to 6.58319 rad, torque from" in text
    assert (tmp_path / "x.png").is_file()
    assert len((tmp_path / "x.csv").read_text().splitlines()) == 1002
    assert json.loads(call(*asked, "--json"))["efforts"]["drive.torque"][0] < 0.0
    save(slider_crank("1.6 + 0.5*t", slider=True), tmp_path / "crank.toml")
    assert "dead centre" in call(*asked, code=1)
    call(
        "kinematics", tmp_path / "crank.toml", code=2
    )  # a file has no duration of its own, a mechanism of the gallery has
    assert "Finished" in call("kinematics", "four-bar", "--times", "11")


def test_bodies_that_overlap_as_text_data_and_picture(four_bar: Path, tmp_path: Path) -> None:
    asked = ("interference", "four-bar", "--t-end", "1")
    assert "none of 1 pair of bodies overlap" in call(*asked, "--width", "5 mm")
    wide = (*asked, "--outline", "crank=300 mm", "--outline", "rocker=0 -0.1, 0.4 -0.1, 0.4 0.1, 0 0.1")
    text = call(*wide, "--plot", tmp_path / "overlap.png", code=1)
    assert "'crank' and 'rocker' overlap" in text
    assert (tmp_path / "overlap.png").is_file()
    assert json.loads(call(*wide, "--json", code=1))["pairs"][0]["overlaps"]
    call(*asked, "--pair", "crank", code=2)
    call(*asked, "--outline", "crank=0 0, a b", code=2)


def test_links_as_a_drawing_and_solids(tmp_path: Path) -> None:
    pytest.importorskip("ezdxf")
    asked = ("links", "four-bar", "--width", "30 mm", "--holes", "6 mm")
    assert "holes of 6 mm" in call(*asked, "--curve", "coupler.P", "--assembled", "--out", tmp_path / "links.dxf")
    assert "curve coupler.P" in (tmp_path / "links.dxf").read_text()
    call(*asked, "--thickness", "4 mm", "--out", tmp_path / "links.stl")
    assert (tmp_path / "links.stl").stat().st_size > 84
    call(*asked, "--out", tmp_path / "links.step", code=2)


def test_a_linkage_as_text_data_and_picture(four_bar: Path, tmp_path: Path) -> None:
    text = call("linkage", four_bar, "--plot", tmp_path / "curves.png", "--show", "rod2.end")
    assert "change point" in text
    assert (tmp_path / "curves.png").is_file()
    assert json.loads(call("linkage", four_bar, "--json"))["four_bars"][0]["kind"] == "change point"
    call("linkage", "multiple-four-bar", code=2)


def test_what_cannot_be_is_told_in_a_sentence(four_bar: Path, tmp_path: Path) -> None:
    call("modes", four_bar, "--at", "the moon", code=2)
    call("modes", four_bar, "--animate", tmp_path / "first.gif", "--mode", "2", code=2)
    call("modes", four_bar, "--plot", tmp_path / "shapes.doc", code=2)
    call("equilibrium", tmp_path / "missing.toml", code=2)


def test_every_command_about_a_mechanism_chooses_it_by_the_same_options() -> None:
    commands = typer.main.get_command(app).commands
    choosing = {name: {option for x in command.params for option in x.opts} for name, command in commands.items()}
    about = {name for name, options in choosing.items() if "subject" in options}
    assert about >= {"simulate", "sweep", "kinematics", "equilibrium", "modes", "linkage", "mobility", "numbers"}
    assert about >= {"audit", "plot", "show", "live", "second-opinion"}
    for name in about:
        assert choosing[name] >= {"--variant", "--set", "--allow-code", "--strict"}
