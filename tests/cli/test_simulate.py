"""`grashof simulate` and its kin on a person's own mechanism."""

from __future__ import annotations

import csv
import json
import sys
from pathlib import Path

import pytest

from tests.cli.files import PENDULUM, SWINGING_BAR, USER_FORCE
from tests.cli.test_run import call

FORCES = """
def constant(t, positions, velocities):
    return [2.0]

def no_number(t, positions, velocities):
    return [float("nan")]
"""


@pytest.fixture
def pendulum(tmp_path: Path) -> Path:
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM, encoding="utf-8")
    return path


@pytest.fixture
def pushed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "own_forces.py").write_text(FORCES, encoding="utf-8")
    monkeypatch.delitem(sys.modules, "own_forces", raising=False)
    path = tmp_path / "pushed.toml"
    path.write_text(PENDULUM + USER_FORCE.format("constant"), encoding="utf-8")
    return path


def test_a_pendulum_in_words(pendulum: Path) -> None:
    text = call("simulate", pendulum, "--t-end", "1")
    assert "Finished at t = 1 s." in text
    assert "energy-balance error" in text
    assert "rod.end.x" in text


def test_a_pendulum_as_data(pendulum: Path) -> None:
    data = json.loads(call("simulate", pendulum, "--t-end", "1", "--json"))
    assert data["status"] == "success"
    assert data["final"]["t"] == 1.0
    assert data["energy_start"] == pytest.approx(0.5 * 9.81 * 0.29552020666133955)
    assert data["balance_max_J"] < 1e-5


def test_a_run_ends_where_a_condition_comes_true(pendulum: Path) -> None:
    data = json.loads(call("simulate", pendulum, "--t-end", "10", "--until", "rod.end.y < -0.5", "--json"))
    assert data["status"] == data["ended"] == "event"
    assert data["doubt"] is None
    assert data["final"]["rod.end.y"] == pytest.approx(-0.5, abs=1e-12)
    assert data["events"] == [
        {
            "name": "until rod.end.y < -0.5",
            "t": data["t_reached"],
            "rising": True,
            "error": pytest.approx(0.0, abs=1e-6),
        }
    ]
    text = call("simulate", pendulum, "--t-end", "10", "--until", "rod.end.y < -0.5")
    assert "until rod.end.y < -0.5 at t = " in text
    alone = json.loads(call("simulate", pendulum, "--until", "rod.end.y < -0.5", "--json"))
    assert alone["status"] == "event"
    assert alone["t_reached"] == pytest.approx(data["t_reached"], abs=1e-6)
    assert alone["t_end"] >= alone["t_reached"]


def test_an_angle_that_is_not_defined_is_left_out_and_told(tmp_path: Path) -> None:
    """A bar on a ball, let go from the horizontal, hangs straight down for a moment: it has no azimuth then."""
    path = tmp_path / "ball.toml"
    path.write_text(SWINGING_BAR, encoding="utf-8")
    assert "Angle 'azimuth' is not defined at t = 0.483" in " ".join(call("simulate", path, "--t-end", "1").split())
    data = json.loads(call("simulate", path, "--t-end", "1", "--json", "--out", tmp_path / "bar.csv"))
    assert list(data["undefined"]) == ["azimuth"]
    assert "azimuth" not in data["final"]
    assert "azimuth" not in (tmp_path / "bar.csv").read_text(encoding="utf-8")


def test_names_are_printed_as_they_are(pendulum: Path) -> None:
    name = "[/x] :smile: [red]"
    pendulum.write_text(PENDULUM.replace('"pendulum"', f'"{name}"').replace("rod", "r[a]"), encoding="utf-8")
    text = call("simulate", pendulum, "--t-end", "1")
    assert f"{name}: 1 s" in text
    assert "r[a].end.x" in text


def test_a_table_has_as_many_rows_as_asked_for(pendulum: Path, tmp_path: Path) -> None:
    call("simulate", pendulum, "--t-end", "1", "--times", "5", "--out", tmp_path / "run.csv")
    with (tmp_path / "run.csv").open(newline="", encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    assert header[0] == "t [s]"
    assert [float(row[0]) for row in rows] == [0.0, 0.25, 0.5, 0.75, 1.0]


def test_a_folder_gets_table_pictures_and_numbers(pendulum: Path, tmp_path: Path) -> None:
    call("simulate", pendulum, "--t-end", "1", "--out", tmp_path / "out")
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["histories.png", "mechanism.png", "run.json", "trajectory.csv"]


def test_code_runs_only_when_it_is_allowed(pushed: Path) -> None:
    call("simulate", pushed, "--t-end", "1", code=2)
    data = json.loads(call("simulate", pushed, "--t-end", "1", "--allow-code", "--json"))
    turned = data["final"]["rod.angle"] - 0.3
    assert data["works"]["push"] == pytest.approx(2.0 * turned, rel=1e-6)


def test_a_run_that_breaks_down_is_marked_as_partial(pushed: Path, tmp_path: Path) -> None:
    pushed.write_text(PENDULUM + USER_FORCE.format("no_number"), encoding="utf-8")
    text = call("simulate", pushed, "--t-end", "1", "--allow-code", "--out", tmp_path / "out", code=1)
    assert "Stopped at t = 0 s of 1 s" in text
    names = sorted(path.name for path in (tmp_path / "out").iterdir())
    assert names == ["run.partial.json", "trajectory.partial.csv"]
    data = json.loads((tmp_path / "out" / "run.partial.json").read_text(encoding="utf-8"))
    assert data["status"] == "not_finite"
    assert data["final"]["rod.end.x"] is None


def test_mobility_of_a_file(pendulum: Path) -> None:
    assert "1 degree of freedom" in call("mobility", pendulum)


def test_pictures_of_a_file(pendulum: Path, tmp_path: Path) -> None:
    call("plot", pendulum, "--t-end", "1", "--show", "rod.angle", "--out", tmp_path / "out")
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["histories.png", "mechanism.png"]


def test_a_folder_of_results_does_not_hide_the_mechanism_of_its_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    call("simulate", "scotch-yoke", "--t-end", "0.1", "--out", "scotch-yoke")
    assert (tmp_path / "scotch-yoke").is_dir()
    assert "Scotch yoke" in call("mobility", "scotch-yoke")
