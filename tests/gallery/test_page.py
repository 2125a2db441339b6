"""docs/gallery.md and the pages of its mechanisms are what their script writes; pictures are there; the example
runs."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

import grashof as gr

DOCS = Path(__file__).parents[2] / "docs"
PAGE = DOCS / "gallery.md"


def test_the_page_is_up_to_date() -> None:
    spec = importlib.util.spec_from_file_location("make_gallery", DOCS / "make_gallery.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    assert script.text() == PAGE.read_text(encoding="utf-8"), "run python docs/make_gallery.py"
    for entry in gr.gallery():
        page = DOCS / "gallery" / f"{entry.name}.md"
        assert script.page(entry) == page.read_text(encoding="utf-8"), "run python docs/make_gallery.py"
    assert {path.stem for path in (DOCS / "gallery").glob("*.md")} == {entry.name for entry in gr.gallery()}


def test_every_mechanism_has_a_picture_and_all_of_them_are_small() -> None:
    linked = set(re.findall(r"\(([^()]+\.png)\)", PAGE.read_text(encoding="utf-8")))
    assert linked == {f"../src/grashof/examples/pictures/{entry.name}.png" for entry in gr.gallery()}
    assert sum((DOCS / link).stat().st_size for link in linked) < 1.5e6


def test_the_example_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    code = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)[0]
    exec(compile(code, "gallery.md", "exec"), {})
    assert "Jansen's leg: 1 degree of freedom, driven by 1 motor" in capsys.readouterr().out
    assert (tmp_path / "foot.png").stat().st_size > 1000
    assert (tmp_path / "leg.html").stat().st_size > 10000
