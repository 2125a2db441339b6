"""`grashof verify`: exit codes, words for people, one JSON object for machines."""

from __future__ import annotations

import gzip
import json
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
    for words in ("PASSED", "at most 0.1 J", "AGREES", "it agrees up to 0.001", "digits x_1", "KEPT"):
        assert words in text


def test_a_wrong_motion_ends_with_one_though_its_energy_passes(tmp_path: Path) -> None:
    _, table = result("double-four-bar")
    table["x_1"] = np.where(table["t"] < 4.0, table["x_1"], -table["x_1"])
    text = call("verify", "double-four-bar", write(tmp_path / "wrong.csv", table), code=1)
    assert "rule PASSED" in text
    assert "DOES NOT AGREE" in text
    assert "departed at t = 4 s" in text


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
