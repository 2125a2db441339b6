"""The installed command as a process of its own: streams, exit codes, interruption, start-up."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.files import PENDULUM

# interrupts are heard although whoever runs the tests may ignore them, as nohup does
COMMAND = [
    sys.executable,
    "-c",
    "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from grashof.cli import main; main()",
]


def start(*arguments: str) -> subprocess.Popen[str]:
    """The program as a shell starts it, which listens to interrupts even if the tests were started by something that
    ignores them."""
    pipe = subprocess.PIPE
    listens = None if os.name == "nt" else lambda: signal.signal(signal.SIGINT, signal.default_int_handler)
    return subprocess.Popen(
        [*COMMAND, *arguments], stdout=pipe, stderr=pipe, text=True, encoding="utf-8", preexec_fn=listens
    )


def test_json_goes_to_standard_output_and_nothing_else_does() -> None:
    process = start("run", "double-four-bar", "--json")
    out, _ = process.communicate()
    assert process.returncode == 0
    assert json.loads(out)["passed"] is True


@pytest.mark.skipif(os.name == "nt", reason="pipes are closed in another way there")
@pytest.mark.parametrize("arguments", [("list",), ("list", "--json"), ("mobility", "andrews"), ("--help",)])
def test_nothing_is_said_when_nobody_reads_on(arguments: tuple[str, ...]) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    patient = "from grashof.cli import console, main; console.PATIENCE = 1e6; main()"
    command = [sys.executable, "-c", patient, *arguments]
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, env=buffered)
    os.close(writer)
    assert (done.returncode, done.stderr) == (1, b"")


def test_bad_input_ends_with_two_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "it.toml").write_text(PENDULUM.replace("mass = 1.0", "mass = -1.0"), encoding="utf-8")
    process = start("simulate", str(tmp_path / "it.toml"), "--t-end", "1")
    out, err = process.communicate()
    assert (process.returncode, out) == (2, "")
    assert "mass is -1.0 kg" in err
    assert "Traceback" not in err


@pytest.mark.skipif(os.name == "nt", reason="interrupts are sent in another way there")
def test_an_interrupted_run_ends_with_130_and_writes_nothing_that_looks_whole(tmp_path: Path) -> None:
    process = start(
        "run",
        "n-four-bar",
        "--set",
        "N=40",
        "--joints-alone",
        "--tol",
        "1e-11",
        "--t-end",
        "1e6",
        "--out",
        f"{tmp_path}/out",
    )
    assert process.stderr is not None
    while "integrating" not in process.stderr.readline():
        assert process.poll() is None
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in err
    assert not (tmp_path / "out" / "run.json").exists()
    assert not (tmp_path / "out" / "n-four-bar.txt").exists()
    assert "interrupted" in out
    assert (tmp_path / "out" / "n-four-bar.partial.txt").read_text().startswith("# PARTIAL. Stopped at t = ")


@pytest.mark.skipif(os.name == "nt", reason="streams are closed in another way there")
@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_closed_streams_are_no_error(closed: str, tmp_path: Path) -> None:
    command = ["sh", "-c", f'"$@" {closed}', "sh", *COMMAND, "results", "--store", str(tmp_path / "none")]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == ("" if "2>&-" in closed else done.stderr)
    assert "Traceback" not in done.stderr
    command = ["sh", "-c", f'"$@" {closed}', "sh", *COMMAND, "run", "andrews"]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 0


@pytest.mark.parametrize("arguments", [("list",), ("list", "--json"), ("run", "andrews"), ("mobility", "andrews")])
def test_any_encoding_of_the_output_will_do(arguments: tuple[str, ...]) -> None:
    ascii_only = {**os.environ, "PYTHONIOENCODING": "ascii:strict", "PYTHONUTF8": "0"}
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, env=ascii_only, check=False)
    assert done.returncode == 0, done.stderr
    if "--json" in arguments:
        assert "−" in json.loads(done.stdout)["problems"][0]["error_definition"]
    else:
        assert b"\\u2212" in done.stdout


def imported(code: str) -> set[str]:
    """The modules that a piece of code brings in."""
    script = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    return {name for name in done.stdout.split() if re.fullmatch(r"\w+", name)}


def test_importing_the_package_brings_in_nothing_heavy() -> None:
    heavy = {"numpy", "llvmlite", "matplotlib", "mpmath", "typer", "rich", "pandas", "pyarrow"}
    assert not imported("import grashof") & heavy


def test_simulating_does_not_wait_for_what_it_does_not_need() -> None:
    needless = {"matplotlib", "mpmath", "typer", "rich", "pandas", "pyarrow", "scipy"}
    assert not imported("import grashof; grashof.Mechanism; grashof.simulate; grashof.mobility") & needless


def test_running_andrews_does_not_wait_for_pictures_or_tables() -> None:
    code = (
        "import contextlib, io, sys\nfrom grashof.cli import main\nsys.argv = ['grashof', 'run', 'andrews']\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n    main()"
    )
    assert not imported(code) & {"matplotlib", "pandas", "pyarrow", "scipy"}
