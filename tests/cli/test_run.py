"""`grashof run`, `list`, `mobility`, `plot` and `demo` on the benchmark problems."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner

from grashof.cli.app import app
from grashof.problems import PROBLEMS
from grashof.simulation.options import TOLERANCE
from tests.show.pictures import ink


def call(*arguments: str | Path, code: int = 0) -> str:
    """Runs a command that must end with this exit code; gives what it printed on standard output."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return result.stdout


def test_json_is_exactly_one_object_without_nan() -> None:
    text = call("run", "double-four-bar", "--tol", "1e-8", "--repeat", "2", "--json")
    data = json.loads(text, parse_constant=lambda name: pytest.fail(f"{name} in JSON"))
    assert data["problem"] == "double-four-bar"
    assert data["tol"] == 1e-8
    assert data["repeat"] == 2
    assert data["passed"] is True
    assert data["final"]["t"] == 10.0
    assert data["agreement"]["worst"] < 1e-6


def test_a_person_sees_the_error_with_its_definition_the_bound_and_the_verdict() -> None:
    text = call("run", "double-four-bar", "--t-end", "1")
    assert "max |E − E₀|" in text
    assert "0.1 J" in text
    assert "PASSED so far: judged over 1 s only, the problem lasts 10 s" in text
    assert "x_1" in text


def test_the_squeezer_of_the_opensim_documents_says_what_was_corrected() -> None:
    text = " ".join(call("run", "andrews", "--variant", "opensim", "--t-end", "0.001").split())
    assert "x of B is 0.03635 m here and -0.03635 m in the IFToMM document" in text


def test_parameters_reach_the_problem() -> None:
    data = json.loads(call("run", "n-four-bar", "--set", "N=3", "--set", "speed=1.5", "--t-end", "0.5", "--json"))
    assert data["parameters"] == {"N": 3, "speed": 1.5}
    assert (data["coordinates"], data["relations"]) == (2, 6)


def test_a_rule_that_is_not_met_ends_with_one() -> None:
    data = json.loads(call("run", "andrews", "--tol", "0.1", "--json", code=1))
    assert data["passed"] is False
    assert data["error_J"] > data["bound_J"] == 1e-5


def test_a_folder_gets_text_figures_drawing_and_numbers(tmp_path: Path) -> None:
    text = call("run", "double-four-bar", "--out", tmp_path / "new" / "folder")
    folder = tmp_path / "new" / "folder"
    assert sorted(path.name for path in folder.iterdir()) == [
        "double-four-bar.txt",
        "figure-1.png",
        "figure-2.png",
        "figure-3.png",
        "mechanism.png",
        "run.json",
    ]
    assert all(str(path) in text for path in folder.iterdir())
    assert np.loadtxt(folder / "double-four-bar.txt").shape == (1001, 7)
    assert json.loads((folder / "run.json").read_text(encoding="utf-8"))["passed"] is True
    assert all(ink(path) > 0.005 for path in folder.glob("*.png"))


def test_the_list_tells_every_problem() -> None:
    text = call("list")
    problems = json.loads(call("list", "--json"))["problems"]
    assert [problem["name"] for problem in problems] == list(PROBLEMS)
    assert all(name in text for name in PROBLEMS)
    many = next(problem for problem in problems if problem["name"] == "n-four-bar")
    assert many["parameters"]["N"]["default"] == 40


def test_mobility_in_words_and_as_data() -> None:
    """Multiple four-bar, 2 × 2 in space: 4 planar loops of parallel axes repeat three equations each."""
    arguments = ("mobility", "multiple-four-bar", "--set", "R=2", "--set", "C=2")
    text = call(*arguments)
    assert "2 degrees of freedom" in text
    assert "12 redundant joint equations" in text
    data = json.loads(call(*arguments, "--json"))
    assert (data["dof"], data["redundant"]) == (2, 12)


def test_plot_draws_the_problems_figures(tmp_path: Path) -> None:
    call("plot", "double-four-bar", "--t-end", "0.5", "--out", tmp_path)
    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["figure-1.png", "figure-2.png", "figure-3.png", "mechanism.png"]


def test_plot_writes_a_film(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grashof.show.animation.FRAMES", 3)
    call("plot", "four-bar", "--t-end", "0.5", "--film", "gif", "--out", tmp_path)
    with Image.open(tmp_path / "motion.gif") as movie:
        assert movie.n_frames == 3


def test_version_and_help() -> None:
    assert call("--version").startswith("grashof ")
    assert "simulate" in call("--help")
    assert "simulate" in call()
    assert f"[default: {TOLERANCE:g}]" in " ".join(call("run", "--help").split())


def test_the_demo_judges_every_problem(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = {"double-four-bar": PROBLEMS["double-four-bar"]}
    monkeypatch.setattr("grashof.problems.PROBLEMS", chosen)
    text = call("demo", "--out", tmp_path)
    assert "double-four-bar" in text
    assert "PASSED" in text
    assert (tmp_path / "double-four-bar" / "run.json").exists()


def test_joints_alone_leave_the_branch_s_equations_out() -> None:
    data = json.loads(call("run", "double-four-bar", "--t-end", "0.5", "--joints-alone", "--json"))
    assert (data["coordinates"], data["equations"], data["relations"]) == (6, 5, 0)
    assert "joint equations only" in call("run", "double-four-bar", "--t-end", "0.5", "--joints-alone", code=0)
