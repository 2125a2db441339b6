"""`grashof show` and `grashof report`."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grashof.cli.app import app
from tests.cli.files import PENDULUM
from tests.cli.test_run import call


@pytest.fixture
def pendulum(tmp_path: Path) -> Path:
    path = tmp_path / "pendulum.toml"
    path.write_text(PENDULUM)
    return path


def refused(*arguments: str | Path) -> str:
    """The sentence with which a command line is refused."""
    result = CliRunner().invoke(app, [str(argument) for argument in arguments], catch_exceptions=False)
    assert result.exit_code == 2
    return result.stderr


def test_a_motion_is_written_as_a_page(pendulum: Path, tmp_path: Path) -> None:
    page = tmp_path / "new" / "swing.html"
    text = call("show", pendulum, "--t-end", "2", "-o", page)
    assert f"wrote {page}" in text
    assert "Finished at t = 2 s." in text
    assert "<title>pendulum</title>" in page.read_text(encoding="utf-8")


def test_a_page_has_the_name_of_its_subject(pendulum: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "wrote pendulum.html" in call("show", pendulum)
    assert "wrote double-four-bar.html" in call("show", "double-four-bar", "--t-end", "0.1")


def test_a_report_of_a_file_and_of_a_variant(pendulum: Path, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    text = call("report", pendulum, "andrews:ivp", "--t-end", "0.01", "--no-work-precision", "-o", page, code=0)
    assert f"{pendulum}: Finished at t = 0.01 s." in text
    assert "andrews:ivp: PASSED so far" in text
    assert "<title>Report on 2 runs</title>" in page.read_text(encoding="utf-8")


def test_a_report_of_a_failed_rule_is_written_and_ends_with_1(tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert "andrews: FAILED" in call("report", "andrews", "--tol", "0.1", "--no-work-precision", "-o", page, code=1)
    assert page.is_file()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Name what the report is about"),
        (["andrews", "--all"], "Name what the report is about"),
        (["andrews", "-o", "report.pdf"], "must end in .html"),
        (["andrews:nix"], "has no variant 'nix'"),
        (["nothing"], "gallery named 'nothing'"),
        (["missing.toml", "--t-end", "1"], "missing.toml: there is no such file"),
        (["andrews", "--t-end", "-1"], "--t-end is -1.0"),
    ],
)
def test_what_cannot_be_reported_is_said(
    arguments: list[str], sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert sentence in refused("report", *arguments)
    assert not list(tmp_path.iterdir())


def test_a_file_needs_an_end(pendulum: Path) -> None:
    assert "give --t-end" in refused("report", pendulum)
