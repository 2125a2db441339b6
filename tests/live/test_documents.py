"""What the page on live pages shows runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCUMENT = Path(__file__).parents[2] / "docs" / "live.md"


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not (Path(__file__).parents[2] / "src" / "grashof" / "view" / "bundle" / "viewer.js").exists():
        pytest.skip("the viewer has not been built: `make viewer` builds it")
    monkeypatch.chdir(tmp_path)
    for code in re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, DOCUMENT.name, "exec"), {})
    assert (tmp_path / "crank.html").stat().st_size > 100_000


def test_the_files_it_links_are_there() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", DOCUMENT.read_text(encoding="utf-8"))
    assert links
    assert all((DOCUMENT.parent / link).exists() for link in links)
