"""Nobody is told what takes less than a second."""

from __future__ import annotations

import time

import pytest

from grashof.cli import console
from grashof.cli.console import Activity, print_json


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "PATIENCE", 0.02)


def test_what_is_quick_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    with Activity() as say:
        say("compiling")
    assert capsys.readouterr() == ("", "")


@pytest.mark.usefixtures("impatient")
def test_what_takes_long_is_told_once_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    with Activity() as say:
        say("loading")
        say("compiling")
        time.sleep(0.3)
        say("integrating", 0.1)
        say("integrating", 0.9)
    out, err = capsys.readouterr()
    assert out == ""
    assert err == "grashof: compiling …\ngrashof: integrating …\n"


@pytest.mark.usefixtures("impatient")
def test_machines_are_told_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    with Activity(quiet=True) as say:
        say("compiling")
        time.sleep(0.3)
    assert capsys.readouterr() == ("", "")


def test_no_number_cannot_be_printed_as_json() -> None:
    with pytest.raises(ValueError, match="JSON"):
        print_json({"error_J": float("nan")})
