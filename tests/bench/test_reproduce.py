"""A published result is made again by the command that its author states, which can do no harm."""

from __future__ import annotations

import gzip
import json
import os
import socket
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from grashof.bench.databases import Place
from grashof.bench.isolation import Limits, run_command, why_not_isolated
from grashof.bench.reproduction import reproduce
from grashof.bench.store import Published, Store
from grashof.bench.subject import subject
from grashof.cli.app import app
from grashof.judge import assess
from grashof.problems.pendulum import reference

Places = Callable[[str], Place]

PENDULUM = subject("simple-pendulum")
SHORT = Limits(seconds=20.0, megabytes=1024)


def result_text(noise: float, *, rows: int = 1001, energy: float = 1e-6) -> str:
    """A result of the pendulum that is wrong by a slow wave."""
    t = 0.01 * np.arange(rows)
    exact = reference.solution(t)
    wave = noise * np.sin(t)
    columns = [t, exact["x"] + wave, exact["y"] + wave, energy * t]
    return "t x y energy\n" + "\n".join(" ".join(f"{x:.12g}" for x in row) for row in zip(*columns, strict=True)) + "\n"


def published(command: str, number: int = 1) -> Published:
    rows = np.array([line.split() for line in result_text(1e-6).splitlines()[1:]], float).T
    case = PENDULUM.case()
    verdict = assess(case, dict(zip(("t", "x", "y", "energy"), rows, strict=True)), None).as_dict()
    return Published(f"{number:032x}", "2026-01-01", PENDULUM, "tool", "", "", None, verdict, command)


FILE = gzip.compress(result_text(1e-6).encode())


@pytest.mark.parametrize(
    ("text", "reproduced", "words"),
    [
        (result_text(1e-6), True, "No value differs by more than 0.0e+00 of its column (1.0e-07 are allowed)."),
        (result_text(1.05e-6), True, "(1.0e-07 are allowed)"),
        (result_text(1.5e-6), False, "of its size at t = 1.57 s, where 1.0e-07 are allowed."),
        (result_text(0.0), False, "where 1.0e-07 are allowed."),
        (result_text(1e-6, rows=1000), False, "Its output has 1000 rows, the published file 1001."),
        (result_text(1e-6, energy=1.0), False, "does not pass the rule, the published result passes the rule."),
        ("\n".join(x.rsplit(" ", 2)[0] for x in result_text(1e-6).splitlines()), False, "Its output lacks y."),
        ("no numbers\n", False, "Its output cannot be judged"),
        (result_text(1e-6).replace("\n0.01 ", "\n0.015 "), False, "rows at other times"),
        (result_text(1e-6).replace("\n0.02 ", "\n0.02 nan "), False, ""),
    ],
)
def test_what_is_made_again_differs_by_less_than_a_tenth_of_its_error(
    tmp_path: Path, text: str, reproduced: bool, words: str
) -> None:
    (tmp_path / "again").write_text(text)
    found = reproduce(published(f"cat {tmp_path}/again"), FILE, SHORT, isolated=False)
    assert found.reproduced is reproduced
    assert words in found.sentence
    assert not found.isolated


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("echo some words >&2; exit 3", "Its process ended with code 3. some words"),
        ("kill -9 $$", "SIGKILL"),
        ("echo '\x1b[2J' >&2", "It wrote nothing on its standard output. [2J"),
        ("exec sleep 60", "It was ended after 0.5 s."),
        ("exec cat /dev/zero", "SIGXFSZ"),
        ("exec python -c 'x = bytearray(2 << 30)'", "MemoryError"),
        ("cat /dev/zero | head -c 1000 | gzip", "Its output is compressed"),
    ],
)
def test_a_command_that_fails_or_takes_too_much_is_ended_and_told(command: str, words: str) -> None:
    limits = Limits(0.5 if "sleep" in command else 60.0, 1024)
    found = reproduce(published(command), FILE, limits, isolated=False)
    assert not found.reproduced
    assert found.difference is None
    assert words in found.sentence


def test_a_command_sees_no_settings_of_the_operator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GRASHOF_STORE", "postgresql://me:secret@example.org/store")
    found = run_command("env; pwd; ls -A", SHORT, isolated=False).output.decode()
    assert "secret" not in found
    assert os.getcwd() not in found.splitlines()


HOSTILE = """
cat {secret} {home}/.ssh/id_rsa /etc/passwd /proc/1/environ
echo gone > {secret}; rm -rf {folder}; touch {folder}/mine /usr/mine /etc/mine /mine /dev/mine
echo '|/room/x' > /proc/sys/kernel/core_pattern; echo b > /proc/sysrq-trigger
head -c 40000000 /dev/zero > x; cp x y; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14; do cp y $i; done
python -c 'import socket; socket.create_connection(("127.0.0.1", {port}), 3)' && echo connected
kill -9 -1 {pid}; (setsid sleep 299.75 &)
ls /room | wc -l; id -u
"""


def test_a_hostile_command_reads_changes_reaches_and_leaves_nothing(tmp_path: Path) -> None:
    reason = why_not_isolated()
    if reason:
        pytest.skip(f"{reason}; on Debian: apt-get install bubblewrap")
    secret, pattern = tmp_path / "secret", Path("/proc/sys/kernel/core_pattern")
    secret.write_text("the operator's")
    before = pattern.read_text()
    with socket.create_server(("127.0.0.1", 0)) as server:
        given = {"secret": secret, "folder": tmp_path, "home": Path.home(), "pid": os.getpid()}
        script = HOSTILE.format(port=server.getsockname()[1], **given)
        found = run_command(script, SHORT, isolated=True)
    assert found.code is not None
    assert found.output.decode().split()[-1] == "65534"
    assert b"operator" not in found.output
    assert b"connected" not in found.output
    assert secret.read_text() == "the operator's"
    assert [x.name for x in tmp_path.iterdir()] == ["secret"]
    assert pattern.read_text() == before
    assert not any(Path(f"{folder}/mine").exists() for folder in ("", "/usr", "/etc", "/dev"))
    assert not [x for x in Path("/proc").glob("[0-9]*/cmdline") if _reads(x) == b"sleep\x00299.75\x00"]


def _reads(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


def test_the_mark_is_kept_shown_and_recorded(place: Places) -> None:
    with Store(place("r")) as store:
        first = published("exit 1")
        other = published("", number=2)
        store.publish(first, FILE, content="1")
        store.publish(other, FILE, content="2")
        assert [(x.id, x.command, x.reproduced) for x in store.entries_with_command()] == [(first.id, "exit 1", None)]
        found = reproduce(first, FILE, SHORT, isolated=False)
        assert store.mark(first.id, found)
        assert not store.mark("none such", found)
    with Store(place("r")) as store:
        assert store.published(id=first.id)[0].reproduction == found
        assert store.published(id=other.id)[0] == other
        assert [x.reproduced for x in store.entries("simple-pendulum", 9)] == [False, None]
        record = store.audit()[-1]
        assert (record.action, record.reason) == ("not reproduced", "Its process ended with code 1.")


def test_nothing_of_a_stranger_runs_unless_it_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grashof.bench.isolation.why_not_isolated", lambda: "bubblewrap is away")
    (tmp_path / "again").write_text(result_text(1e-6))
    result = published(f"touch {tmp_path}/ran; cat {tmp_path}/again")
    with Store(tmp_path / "s") as store:
        store.publish(result, FILE)
        store.publish(published("", 2), FILE)

    def ask(*arguments: str, code: int) -> str:
        found = CliRunner().invoke(app, ["reproduce", *arguments, "--store", str(tmp_path / "s")])
        assert found.exit_code == code, found.output
        return found.output

    assert "not run" in ask(code=0)
    shown = ask(result.id, code=0)
    assert "touch" in shown
    assert "It can use the network." in shown
    assert "bubblewrap is away" in ask(result.id, "--run", code=2)
    assert "does not state the command" in ask(f"{2:032x}", "--run", code=2)
    assert "no published result 'x'" in ask("x", "--run", code=2)
    assert "no such folder" in ask(result.id, "--run", "--tools", str(tmp_path / "none"), code=2)
    assert not (tmp_path / "ran").exists()
    told = json.loads(ask(result.id, "--run", "--without-isolation", "--json", code=0))
    assert (tmp_path / "ran").exists()
    assert told["reproduced"] is True
    assert "reproduced" in ask(code=0)
