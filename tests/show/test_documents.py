"""The example of the page about pictures runs."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "pictures.md"


def test_the_example_of_the_page_writes_its_pictures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    example = re.search(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    assert example is not None
    exec(example[1], {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["end.svg", "gears.gif", "gears.png"]
