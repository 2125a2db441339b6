"""The examples of the page about sweeps run, and give what they say."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

DOCS = Path(__file__).parents[2] / "docs"


def test_the_examples_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict = {}
    for code in re.findall(r"```python\n(.*?)```", (DOCS / "sweeps.md").read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, "sweeps.md", "exec"), names)
    assert "Sweep of 'slider crank': 10 rows (10 success)" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["fan.png", "stroke.png", "table.parquet"]
    assert names["table"]["max rod.end.x"] == pytest.approx(np.array([0.6, 0.7]), abs=1e-6)
