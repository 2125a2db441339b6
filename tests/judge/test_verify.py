"""`grashof verify`: exit codes, words for people, one JSON object for machines."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from grashof.cli.app import app
from tests.judge.motions import Columns, result


def call(*arguments: str | Path, code: int) -> str:
    """Runs a command that must end with this exit code; gives what it printed, without line breaks."""
    outcome = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert outcome.exit_code == code, outcome.output
    return " ".join((outcome.stdout or outcome.stderr).split())


def write(path: Path, table: Columns) -> Path:
    """A table with a header of names, as NumPy writes it."""
    with gzip.open(path, "wt") if path.suffix == ".gz" else path.open("w") as file:
        np.savetxt(file, np.column_stack(list(table.values())), header=" ".join(table), delimiter=";", comments="")
    return path


def test_a_good_file_ends_with_zero(tmp_path: Path) -> None:
    _, table = result("double-four-bar")
    text = call("verify", "double-four-bar", write(tmp_path / "good.csv", table), code=0)
    for words in (
        "verdict PASSES",
        "rule PASSED",
        "at most 0.1 J",
        "AGREES",
        "agrees up to 0.001",
        "digits x_1",
        "KEPT",
    ):
        assert words in text


def test_a_wrong_motion_ends_with_one_though_its_energy_passes(tmp_path: Path) -> None:
    _, table = result("double-four-bar")
    table["x_1"] = np.where(table["t"] < 4.0, table["x_1"], -table["x_1"])
    text = call("verify", "double-four-bar", write(tmp_path / "wrong.csv", table), code=1)
    assert "rule PASSED" in text
    assert "DOES NOT AGREE" in text
    assert "from t = 4 s on" in text


def test_an_energy_beyond_the_rule_ends_with_one(tmp_path: Path) -> None:
    _, table = result("double-four-bar")
    text = call("verify", "double-four-bar", write(tmp_path / "d.csv", {**table, "energy": 0.02 * table["t"]}), code=1)
    assert "NOT PASSED: 0.2 J" in text


def test_a_machine_gets_exactly_one_object_and_parameters_are_heeded(tmp_path: Path) -> None:
    _, table = result("n-four-bar", N=3)
    path = write(tmp_path / "n.txt.gz", table)
    data = json.loads(call("verify", "n-four-bar", path, "-p", "N=3", "--json", code=0))
    assert data["parameters"] == {"N": 3, "speed": 1.0}
    assert data["reference"]["agrees"] is True
    other = json.loads(call("verify", "n-four-bar", path, "--set", "N=4", "--json", code=1))
    assert other["suspicions"][0].startswith("It looks like N = 3:")


@pytest.mark.parametrize(
    ("content", "words"),
    [("t,x_1\n0,0\n0.01,oops\n", "line 3, column 6: found 'oops'"), (None, "no such file")],
)
def test_bad_input_ends_with_two_and_one_sentence(content: str | None, words: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    if content is not None:
        path.write_text(content)
    assert words in call("verify", "double-four-bar", path, code=2)
    assert "did you mean 'andrews'?" in call("verify", "andrew", path, code=2)


def test_names_with_brackets_are_shown_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "a[b].txt").write_text("t x_1 [/what]\n0 0 1\n")
    assert "a[b].txt" in call("verify", "double-four-bar", tmp_path / "a[b].txt", code=1)


def test_standard_input_is_read(tmp_path: Path) -> None:
    _, table = result("double-four-bar")
    content = write(tmp_path / "good.csv", table).read_bytes()
    command = [sys.executable, "-c", "from grashof.cli import main; main()", "verify", "double-four-bar", "-"]
    done = subprocess.run(command, input=content, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert b"-: 1001 rows" in done.stdout
    assert subprocess.run(command, input=b"nothing", capture_output=True, check=False).returncode == 2


@pytest.mark.parametrize("column", ["violation_position", "violation_velocity", "violation_acceleration"])
@pytest.mark.parametrize("value", [0.1, 1e300])
def test_joints_that_come_apart_do_not_pass_though_energy_and_motion_do(
    column: str, value: float, tmp_path: Path
) -> None:
    _, table = result("double-four-bar")
    table[column] = np.where(np.arange(len(table["t"])) == 500, value, 0.0)
    text = call("verify", "double-four-bar", write(tmp_path / "apart.csv", table), code=1)
    assert "rule PASSED" in text
    assert "reference AGREES" in text
    assert "joints DO NOT HOLD: violation_position" in text
    data = json.loads(call("verify", "double-four-bar", tmp_path / "apart.csv", "--json", code=1))
    assert data["verdict"] is False
    assert data["violations"]["largest"][column] == value


def test_without_energy_the_trajectory_is_judged(tmp_path: Path) -> None:
    _, table = result("double-four-bar")
    del table["energy"]
    text = call("verify", "double-four-bar", write(tmp_path / "a.csv", table), code=0)
    assert "verdict PASSES rule NOT JUDGED: no energy columns" in text
    table["x_1"] = -table["x_1"]
    text = call("verify", "double-four-bar", write(tmp_path / "b.csv", table), code=1)
    assert "DOES NOT AGREE" in text
    assert "hint Matches if x_1 has the opposite sign" in text


def test_a_file_with_nothing_to_compare_ends_with_two(tmp_path: Path) -> None:
    _, table = result("double-four-bar")
    energy = {name: table[name] for name in ("t", "energy")}
    text = call("verify", "double-four-bar", write(tmp_path / "a.csv", energy), code=2)
    assert "verdict NOT JUDGED rule PASSED" in text


def test_units_in_the_header_are_converted_and_reported(tmp_path: Path) -> None:
    _, table = result("double-four-bar")
    table["x_1"] = 1e3 * table["x_1"]
    path = write(tmp_path / "mm.csv", {**{name: x for name, x in table.items() if name != "x_1"}, "x_1": table["x_1"]})
    assert "hint Matches if x_1 is in mm (within " in call("verify", "double-four-bar", path, code=1)
    path.write_text(path.read_text().replace("x_1\n", "x_1/mm\n", 1).replace(" ", ";", 6))
    assert "Converted as the header states: x_1 from mm to m." in call("verify", "double-four-bar", path, code=0)
