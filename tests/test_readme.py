"""What the README shows runs as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import grashof as gr
from grashof.problems import make_case

README = Path(__file__).parents[1] / "README.md"


def test_the_example_and_the_command_after_it_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = README.read_text(encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(compile(code, "README.md", "exec"), {})
    assert "1 degree of freedom, no redundant constraints" in capsys.readouterr().out
    assert all((tmp_path / name).stat().st_size > 1000 for name in ("crank.png", "crank.html"))
    (command,) = re.findall(r"^    (grashof simulate crank.toml .*)$", text, re.MULTILINE)
    ended = subprocess.run([sys.executable, "-m", *command.split()], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr
    assert list((tmp_path / "results").iterdir())


def test_the_mobility_report_is_what_the_command_prints() -> None:
    shown = re.search(r"\$ grashof mobility (\S+)\n\n(.*?)\n\n", README.read_text(encoding="utf-8"), re.DOTALL)
    assert shown is not None
    printed = str(gr.mobility(make_case(shown[1]).model))
    assert shown[2].split("…")[0].split() == printed.split()[: len(shown[2].split("…")[0].split())]
    assert shown[2].split("…")[1].split() == printed.split()[-len(shown[2].split("…")[1].split()) :]


def test_the_files_it_links_are_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert links
    missing = [link for link in links if not (README.parent / link).exists()]
    assert not missing
