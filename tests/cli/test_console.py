"""Nobody is told what takes less than a second, and no name or file commands a terminal."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable

import pytest

from grashof.cli import console
from grashof.cli.console import Activity, echo, print_facts, print_json

RAW = "[/] \x1b[2J\x07 \x9b31m \u202e \udcff [bold]"
SHOWN = r"[/] \x1b[2J\x07 \x9b31m \u202e \udcff [bold]"


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Call it, and the time is up after which what is done is told."""
    waiting: list[Callable[[], None]] = []

    class Timer:
        def __init__(self, seconds: float, ring: Callable[[], None]) -> None:
            self.ring = ring

        def start(self) -> None:
            waiting.append(self.ring)

        def cancel(self) -> None:
            waiting.clear()

    monkeypatch.setattr(console.threading, "Timer", Timer)
    return lambda: [ring() for ring in waiting] and None


def test_what_is_quick_is_not_told(impatience: Callable[[], None], capsys: pytest.CaptureFixture[str]) -> None:
    with Activity() as say:
        say("compiling")
    impatience()
    assert capsys.readouterr() == ("", "")


def test_what_takes_long_is_told_once_on_standard_error(
    impatience: Callable[[], None], capsys: pytest.CaptureFixture[str]
) -> None:
    with Activity() as say:
        say("loading")
        say(f"compiling {RAW}")
        impatience()
        say("integrating", 0.1)
        say("integrating", 0.9)
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"grashof: compiling {SHOWN} …\ngrashof: integrating …\n"


def test_machines_are_told_nothing(impatience: Callable[[], None], capsys: pytest.CaptureFixture[str]) -> None:
    with Activity(quiet=True) as say:
        say("compiling")
        impatience()
    assert capsys.readouterr() == ("", "")


class Terminal(io.StringIO):
    """A stream that says that a person watches it."""

    def isatty(self) -> bool:
        return True


def test_a_name_with_brackets_and_escape_sequences_is_only_a_name(
    impatience: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "200")
    out, err = Terminal(), Terminal()
    monkeypatch.setattr(sys, "stdout", out)
    monkeypatch.setattr(sys, "stderr", err)
    with Activity() as say:
        say(f"compiling {RAW}")
        impatience()
    print_facts([(RAW, RAW)])
    echo(RAW)
    assert f"compiling {SHOWN}" in err.getvalue()
    assert out.getvalue().count(SHOWN) == 3
    assert not any(raw in out.getvalue() + err.getvalue() for raw in ("\x1b[2J", "\x07", "\x9b", "\u202e"))


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_json_says_the_same_in_any_encoding_and_commands_nothing(
    encoding: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(raw, encoding))
    print_json({"name": RAW + " − é 𝛷"})
    assert json.loads(raw.getvalue().decode(encoding)) == {"name": RAW + " − é 𝛷"}
    assert not set(raw.getvalue().decode(encoding)) & set("\x1b\x07\x9b\u202e")


def test_no_number_cannot_be_printed_as_json() -> None:
    with pytest.raises(ValueError, match="JSON"):
        print_json({"error_J": float("nan")})
