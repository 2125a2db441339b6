"""What a person can do wrong gets one clear sentence, exit code 2 and no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grashof.cli.app import app
from tests.cli.files import PENDULUM, SPINNING_BRICK, USER_FORCE, flat_double_four_bar, four_bar, motor

GUESS = "[start.guesses.crank]\nangle = 1.0\n"

MECHANISMS = {
    "a body with negative mass": (PENDULUM.replace("mass = 1.0", "mass = -1.0"), ["rod", "mass", "-1.0"]),
    "an inertia no body has": (SPINNING_BRICK, ["brick", "principal moments -3, 1, 1"]),
    "a joint between a body and itself": (PENDULUM.replace("ground.O", "rod.end"), ["pin", "itself"]),
    "an unknown point": (PENDULUM.replace("rod.start", "rod.strat"), ["rod.strat", "rod.start"]),
    "a loop that cannot close": (four_bar(9.0), ["loop", "crank", "cannot close"]),
    "two motors on one angle": (
        four_bar(1.5, motor("one", "crank.angle", "1 + t") + motor("two", "crank.angle", "2 + t")),
        ["one", "two", "crank.angle"],
    ),
    "two motors that contradict each other": (
        four_bar(1.5, motor("one", "crank.angle", "1 + t") + motor("two", "rocker.angle", "2 + 3*t") + GUESS),
        ["four-bar"],
    ),
    "a NaN": (PENDULUM.replace("mass = 1.0", "mass = nan"), ["rod", "mass is nan"]),
    "a file that is not TOML": ('{"name": "pendulum"}', ["not TOML", "line 1"]),
    "a start exactly at a singular position": (flat_double_four_bar(), ["singular position", "3 degrees", "1 nearby"]),
    "code that is not allowed": (PENDULUM + USER_FORCE.format("push"), ["push", "--allow-code"]),
}


def complaint(*arguments: str) -> str:
    """The one sentence on standard error of a call that must fail as bad input."""
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.startswith("grashof: ")
    assert result.stderr.rstrip().endswith((".", "?"))
    return result.stderr


@pytest.mark.parametrize("mistake", MECHANISMS)
def test_a_mechanism_that_cannot_be(mistake: str, tmp_path: Path) -> None:
    text, words = MECHANISMS[mistake]
    (tmp_path / "it.toml").write_text(text, encoding="utf-8")
    sentence = complaint("simulate", str(tmp_path / "it.toml"), "--t-end", "1")
    assert all(word in sentence for word in words), sentence


CALLS = {
    "run andrewz": "did you mean 'andrews'?",
    "run andrews --variant upright": "it has iftomm, ivp, opensim",
    "run andrews --set N": "NAME=NUMBER",
    "run andrews --set N=3": "no parameter 'N'",
    "run n-four-bar --set N=nan": "NAME=NUMBER",
    "run n-four-bar --set N=2.5": "whole number",
    "run n-four-bar --set N=0": "whole number",
    "run n-four-bar --set N=3 --set N=4": "--set gives N twice",
    "run multiple-four-bar --set R=0": "whole numbers",
    "run andrews --tol nan": "--tol is nan",
    "run andrews --tol -1e-6": "--tol is -1e-06",
    "run andrews --tol much": "--tol",
    "run andrews --t-end -1": "--t-end is -1.0",
    "run andrews --t-end inf": "--t-end is inf",
    "run andrews --repeat 0": "--repeat",
    "run andrews --compare sometimes": "end, all or none",
    "run some.toml": "grashof simulate",
    "run": "NAME",
    "run andrews --unknown": "--unknown",
    "fly": "fly",
    "simulate absent.toml --t-end 1": "absent.toml: there is no such file",
    "simulate . --t-end 1": "folder",
    "simulate absent.toml": "--t-end",
    "simulate absent.toml --t-end nan": "--t-end is nan",
    "simulate absent.toml --t-end soon": "it is 'soon'; it must be a number, or a text with its unit",
    "simulate absent.toml --t-end 5mm": "it is '5mm', which is a length; it must be a time",
    "simulate absent.toml --t-end 1 --units mmm": "there is no unit 'mmm'",
    "simulate absent.toml --t-end 1 --times 1": "--times",
    "mobility absent.toml": "absent.toml",
    "mobility absent.toml --variant v": "is for benchmark problems",
    "mobility grid": "no file, problem or mechanism of the gallery named 'grid'",
    "mobility jansn": "did you mean 'jansen'?",
    "gallery jansn": "did you mean 'jansen'?",
    "gallery -o leg.toml": "--out writes one mechanism",
    "gallery jansen -o .": "exists already",
    "mobility jansen --variant top-row": "--variant is for benchmark problems",
    "plot absent.toml --t-end 1 --out out": "absent.toml",
    "simulate absent.toml --t-end 1 --out run.xls": "must end in .csv, .xlsx, .parquet, .txt",
    "second-opinion andrews --plot apart.jpg": "must end in .png, .svg, .pdf",
    "second-opinion andrews --plot absent/apart.png": "folder does not exist",
    "results --import absent.json --store absent.sqlite": "absent.json",
}


@pytest.mark.parametrize("arguments", CALLS)
def test_a_call_that_cannot_be(arguments: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sentence = complaint(*arguments.split())
    assert CALLS[arguments] in sentence, sentence
    assert not list(tmp_path.iterdir())


def test_a_file_without_an_end_time_cannot_be_plotted(tmp_path: Path) -> None:
    (tmp_path / "it.toml").write_text(PENDULUM, encoding="utf-8")
    assert "give --t-end" in complaint("plot", str(tmp_path / "it.toml"), "--out", str(tmp_path))


def test_an_end_before_the_start_is_refused(tmp_path: Path) -> None:
    (tmp_path / "it.toml").write_text(PENDULUM, encoding="utf-8")
    assert "end time is -1.0 s" in complaint("simulate", str(tmp_path / "it.toml"), "--t-end", "-1")


def test_a_place_where_no_folder_can_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "it.toml").write_text(PENDULUM, encoding="utf-8")
    out = tmp_path / "file" / "out"
    assert str(tmp_path / "file") in complaint("simulate", str(tmp_path / "it.toml"), "--t-end", "1", "--out", str(out))


@pytest.mark.parametrize("command", ["run andrews", "plot andrews", "submission andrews", "demo"])
def test_a_file_is_no_folder_and_that_is_said_before_the_work(command: str, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    assert "is a file; name a folder" in complaint(*command.split(), "--out", str(tmp_path / "file"))


def test_an_unknown_quantity_leaves_no_pictures(tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert "'x_1'" in complaint("plot", "double-four-bar", "--t-end", "0.1", "--show", "x_1", "--out", str(out))
    assert not out.exists()
