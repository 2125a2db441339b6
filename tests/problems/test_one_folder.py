"""A problem is one folder: found there, it is listed, run, certified, judged and drawn without a change elsewhere."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import grashof.problems
from grashof.cli.app import app
from grashof.problems import PROBLEMS, find_problems, make_case

from .outside import pendulum


@pytest.fixture(autouse=True)
def outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The problems of the folder beside this file, and no others."""
    for name in list(PROBLEMS):
        monkeypatch.delitem(PROBLEMS, name)
    folder = Path(__file__).parent / "outside"
    for name, problem in find_problems([str(folder)], "tests.problems.outside").items():
        monkeypatch.setitem(PROBLEMS, name, problem)


def call(*arguments: str | Path, code: int = 0) -> str:
    """Runs a command that must end with this exit code; gives what it printed, without line breaks."""
    outcome = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert outcome.exit_code == code, outcome.output
    return " ".join(outcome.output.split())


def test_the_package_finds_its_own_problems_in_their_folders() -> None:
    found = find_problems(grashof.problems.__path__, "grashof.problems")
    assert {"andrews", "double-four-bar", "n-four-bar", "multiple-four-bar", "simple-pendulum"} <= set(found)


def test_it_is_listed() -> None:
    assert [problem["name"] for problem in json.loads(call("list", "--json"))["problems"]] == ["pendulum"]


def test_the_demo_judges_and_draws_it_and_its_own_file_is_judged_alike(tmp_path: Path) -> None:
    text = call("demo", "--out", tmp_path)
    folder = tmp_path / "pendulum"
    assert "PASSED" in text
    assert {path.name for path in folder.iterdir()} == {"pendulum.txt", "run.json", "figure-1.png", "mechanism.png"}
    judged = json.loads(call("verify", "pendulum", folder / "pendulum.txt", "--json"))
    run = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert judged["verdict"] is True
    assert judged["rule"]["error_J"] <= run["error_J"] <= judged["rule"]["bound_J"]
    assert judged["reference"]["deviation"] == pytest.approx(run["agreement"]["worst"], rel=1e-3, abs=1e-12)


def test_its_reference_is_certified_by_two_derivations(tmp_path: Path) -> None:
    call("reference", "pendulum", "--recompute", "--times", "0.5,2", "--out", tmp_path / "pendulum.json")
    found = json.loads((tmp_path / "pendulum.json").read_text(encoding="utf-8"))
    assert found["columns"]["x"] == pytest.approx(pendulum.columns(np.array([0.5, 2.0]))["x"], rel=0, abs=1e-15)
    assert max(found["bars"]["x"]) < 1e-14


def test_its_other_names_and_its_known_mistakes_are_told(tmp_path: Path) -> None:
    case = make_case("pendulum")
    times = case.times(case.t_end)
    moon = pendulum.columns(times, "1.62")
    path = tmp_path / "moon.txt"
    np.savetxt(path, np.column_stack([times, moon["xdot"], moon["x"], 0.0 * times]), header="time xdot TIP E_tot")
    text = call("verify", "pendulum", path, code=1)
    assert "looks like a pendulum on the moon" in text
