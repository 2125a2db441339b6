"""`grashof reference`."""

from __future__ import annotations

import json
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from grashof.cli.app import app
from grashof.problems import make_case
from grashof.problems.four_bar.reference import solution
from grashof.references import recompute


def call(*arguments: str | Path, code: int = 0) -> str:
    """Runs `grashof reference`, which must end with this exit code; gives what it printed."""
    result = CliRunner().invoke(app, ["reference", *map(str, arguments)], catch_exceptions=False)
    assert result.exit_code == code, result.output
    return " ".join(result.output.split())


def test_a_person_sees_final_values_bars_digits_and_provenance() -> None:
    text = call("double-four-bar")
    assert "0.3284581115408" in text
    assert "±" in text
    assert "at least 6 digits until t = 10 s" in text
    assert "First:" in text
    assert "Second:" in text
    assert "(no certain digits)" in call("multiple-four-bar", "--variant", "upright")
    late = call("multiple-four-bar", "--variant", "upright", "--times", "9")
    assert "11.9051" in late
    assert "(no certain digits) at 9 s phidot_1" in late


def test_exports_hold_the_official_columns_first_and_the_bars_after_them(tmp_path: Path) -> None:
    x, xdot = solution([2.5, 10.0], 2)
    for suffix, delimiter in (("csv", ","), ("txt", None)):
        call("double-four-bar", "--times", "2.5,10", "--out", tmp_path / f"a.{suffix}")
        table = np.genfromtxt(tmp_path / f"a.{suffix}", delimiter=delimiter, skip_header=9)
        assert table.shape == (2, 13)
        assert np.array_equal(table[:, :3].T, [[2.5, 10.0], x, xdot])
        assert (table[:, 7] > 0).all()
        assert (table[:, 7] < 1e-13).all()
    call("double-four-bar", "--out", tmp_path / "a.json")
    data = json.loads((tmp_path / "a.json").read_text(encoding="utf-8"))
    assert data["columns"]["x_1"][-1] == x[-1]
    assert data["units"]["xdot_1"] == "m/s"
    assert "First:" in (tmp_path / "a.csv").read_text(encoding="utf-8")


def test_recomputing_says_how_far_the_stored_values_are() -> None:
    assert "at 2 common times" in (text := call("double-four-bar", "--times", "0.5,0.505,1", "--recompute"))
    assert "all within the error bars" in text
    data = json.loads(call("double-four-bar", "--times", "0.5,1", "--recompute", "--json"))
    assert data["stored"] == {"times": 2, "difference": dict.fromkeys(data["columns"], 0.0), "within": True}


def test_no_common_time_is_no_agreement() -> None:
    assert "within the error bars" not in call("double-four-bar", "--times", "0.123", "--recompute")
    assert json.loads(call("double-four-bar", "--times", "0.123", "--recompute", "--json"))["stored"] is None


def test_how_far_the_second_way_has_come_is_told() -> None:
    case, told = make_case("double-four-bar"), []
    recompute(case, [0.5, 1.0], told.append)
    assert [doing for doing, _ in groupby(told, lambda part: part.doing)] == [
        "deriving the reference, first derivation",
        "deriving the reference, second derivation",
        "changing the data one by one",
    ]
    parts = [part for part in told if part.doing.endswith("second derivation")]
    assert len(parts) > 2
    assert parts == sorted(parts)
    assert parts[-1] == 1.0


def test_what_is_not_stored_can_be_derived() -> None:
    assert "--recompute" in call("n-four-bar", "--set", "N=3", code=2)
    assert "N = 3" in call("n-four-bar", "--set", "N=3", "--times", "0.5", "--recompute")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("double-four-bar", "--times", "1;2"), "--times is '1;2'"),
        (("double-four-bar", "--times", "0.123"), "not an official time"),
        (("double-four-bar", "--times", "2,1", "--recompute"), "increase"),
        (("double-four-bar", "--times", "2,1"), "increase"),
        (("andrews", "--out", "a.xls"), "must end in .csv, .txt, .json"),
        (("andrews", "--recompute", "--out", "no/such/folder/a.csv"), "folder does not exist"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...], sentence: str) -> None:
    assert sentence in call(*arguments, code=2)
