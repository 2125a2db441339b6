"""What the README shows runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

README = Path(__file__).parents[1] / "README.md"


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    for code in re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, "README.md", "exec"), {})
    said = capsys.readouterr().out
    assert "1 degree of freedom, nothing redundant" in said
    assert "ended the run" in said
    assert "work begins" in said
    assert (tmp_path / "crank.png").stat().st_size > 1000


def test_the_files_it_links_are_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text(encoding="utf-8"))
    assert links
    missing = [link for link in links if not (README.parent / link).exists()]
    assert not missing
