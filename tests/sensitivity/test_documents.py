"""The examples of the page about derivatives run, and give what they say."""

import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "sensitivities.md"


def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict = {}
    for code in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(compile(code, PAGE.name, "exec"), names)
    assert "∂/∂ drive.torque" in capsys.readouterr().out
    assert names["found"].ok
    assert names["best"].x == pytest.approx([0.55, 1.9, 1.6, 1.0, 0.7, 2.0], abs=1e-4)
