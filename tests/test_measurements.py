"""The page of measured numbers tells the values that the code has."""

from __future__ import annotations

import re
from ast import literal_eval
from importlib import import_module
from pathlib import Path

import pytest

PAGE = Path(__file__).parent.parent / "docs" / "measurements.md"
ROWS = re.findall(r"^\| `([\w.]+)` \| ([^|]+) \|", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def test_there_are_numbers_on_the_page() -> None:
    assert len(ROWS) > 30


@pytest.mark.parametrize(("name", "told"), ROWS)
def test_a_number_on_the_page_is_that_of_the_code(name: str, told: str) -> None:
    module, *path = name.split(".")
    found = import_module(f"grashof.{module}")
    for part in path:
        if not hasattr(found, part):
            import_module(f"{found.__name__}.{part}")
        found = getattr(found, part)
    assert found == literal_eval(told)
