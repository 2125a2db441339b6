"""`grashof sweep`."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from grashof.cli.app import app
from grashof.model.files import save
from grashof.sweeps.table import Sweep
from tests.cli.test_run import call
from tests.show.pictures import ink
from tests.sweeps.mechanisms import pendulum


@pytest.fixture
def file(tmp_path: Path) -> Path:
    save(pendulum(0.5), tmp_path / "pendulum.toml")
    return tmp_path / "pendulum.toml"


def test_a_grid_as_table_text_and_picture(file: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    table, picture = tmp_path / "table.parquet", tmp_path / "map.png"
    text = call(
        *("sweep", file, "--vary", "rod.length=500mm:1.5:3", "--vary", "rod.mass=1,2", "--t-end", "200 ms"),
        *("--output", "min rod.end.y", "--output", "rod.angle at end", "-o", table, "--plot", picture),
    )
    assert "6 success" in text
    assert f"wrote {table}" in text
    assert "min rod.end.y from" in " ".join(text.split())
    found = Sweep.read(table)
    assert found["rod.length"].tolist() == [0.5, 0.5, 1.0, 1.0, 1.5, 1.5]
    assert found.about.facts["t_end [s]"] == "0.2"
    assert ink(picture) > 0.1


def test_random_rows_as_data(file: Path) -> None:
    asked = ("sweep", file, "--sample", "normal", "--count", "5", "--vary", "rod.length=1±0.01", "--t-end", "0.1")
    data = json.loads(call(*asked, "--seed", "3", "--output", "rod.end.x at 0", "--json"))
    assert data["rows"] == data["rows_with_values"] == 5
    assert data["status"] == {"success": 5}
    assert data["outputs"]["rod.end.x at 0"]["unit"] == "m"
    assert data["outputs"]["rod.end.x at 0"]["max"] == pytest.approx(np.sin(0.5), abs=0.03)


def test_a_problem_has_its_own_end_and_error() -> None:
    data = json.loads(call("sweep", "double-four-bar", "--vary", "top0.mass=1,1.1", "--output", "error", "--json"))
    assert data["outputs"]["error"]["max"] < 0.1


def test_no_rows_with_values_end_with_one(file: Path) -> None:
    assert "1 outside bounds" in call(
        "sweep", file, "--vary", "rod.mass=-1", "--t-end", "0.1", "--output", "t at end", code=1
    )


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--vary", "rod.lenght=1,2", "--t-end", "1"], "did you mean 'rod.length'"),
        (["--vary", "rod.length=1:2", "--t-end", "1"], "write it as rod.length=START:STOP:COUNT or VALUE,VALUE,…"),
        (["--vary", "rod.length=1,2"], "give t_end"),
        (["--vary", "rod.length=1,2", "--t-end", "1", "-o", "table.xls"], "must end in .parquet"),
        (["--vary", "rod.length=1,2", "--t-end", "1", "--vary", "rod.length=1"], "gives rod.length twice"),
        (["--vary", "rod.length=1,2", "--t-end", "1", "--kind", "pie", "--plot", "a.png"], "kind is 'pie'"),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(
    options: list[str], sentence: str, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, ["sweep", str(file), "--output", "t at end", *options])
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
