"""What commands print fits into the width of the terminal, 80 columns as a rule, and no name is broken."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grashof.cli.app import app
from grashof.cli.demo import print_outcomes
from grashof.judge.verdict import judge
from grashof.problems import PROBLEMS, make_case


def call(*arguments: str | Path, code: int = 0) -> list[str]:
    outcome = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert outcome.exit_code == code, outcome.output
    return outcome.stdout.splitlines()


@pytest.fixture(autouse=True)
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


@pytest.mark.parametrize(
    "command", ["run double-four-bar", "reference andrews", "reference multiple-four-bar --variant upright"]
)
def test_facts_fit(command: str) -> None:
    assert max(map(len, call(*command.split()))) <= 80


def test_a_verdict_fits(tmp_path: Path) -> None:
    (tmp_path / "short.csv").write_text("t,x_F [mm],y_F/mm\n0,1,2\n")
    lines = call("verify", "andrews", tmp_path / "short.csv", code=1)
    assert max(len(line) for line in lines if "short.csv" not in line) <= 80


def test_the_table_of_the_demo_fits_and_breaks_no_name(capsys: pytest.CaptureFixture[str]) -> None:
    one = judge(make_case("double-four-bar"))
    print_outcomes([replace(one, case=replace(one.case, problem=name), cpu_s=6.37e-5) for name in PROBLEMS])
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    for name in PROBLEMS:
        assert sum(line.split()[:1] == [name] and "PASSED" in line for line in lines) == 1


@pytest.mark.parametrize(
    "command", ["linkage four-bar", "equilibrium engine", "modes engine", "kinematics four-bar", "audit four-bar"]
)
def test_reports_fit(command: str) -> None:
    assert max(map(len, call(*command.split()))) <= 80


def test_second_opinions_fit_and_break_no_name() -> None:
    """The columns are spread over two tables, and the reasons why engines did not run are below them."""
    lines = call("second-opinion", "four-bar", "--t-end", "0.2", "--engines", "scipy,sundials")
    assert max(map(len, lines)) <= 80
    for name in ("grashof", "scipy"):
        assert sum(line.startswith(f"│ {name} ") for line in lines) == 2
    assert any(line.startswith("Within 0.001 of Grashof over the whole time: scipy") for line in lines)
