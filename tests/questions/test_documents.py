"""The examples of the pages about questions run, and give what they say."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[2] / "docs"


@pytest.mark.parametrize("page", ["equilibrium-and-modes", "kinematics", "linkage"])
def test_the_example_of_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example = re.search(r"```python\n(.*?)```", (DOCS / f"{page}.md").read_text(encoding="utf-8"), re.DOTALL)[1]
    names = {}
    exec(example, names)
    assert len(list(tmp_path.iterdir())) == 1  # the picture
    if page == "equilibrium-and-modes":
        assert names["found"]["rod1.angle"] == pytest.approx(2.23433101902, abs=1e-11)
