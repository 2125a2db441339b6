"""The mechanisms of docs/validation/first-try.md give what textbooks say."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import DOCS

from . import last_thirty, mechanisms, ten_last, ten_more, thirty_more

TRIES = mechanisms.TRIES | ten_more.TRIES | thirty_more.TRIES | last_thirty.TRIES | ten_last.TRIES


@pytest.mark.parametrize("name", TRIES)
def test_textbook(name: str) -> None:
    found, expected, allowed = TRIES[name]()
    assert abs(found - expected) <= allowed * abs(expected)


def test_the_page_lists_all_of_them() -> None:
    page = (DOCS / "validation" / "first-try.md").read_text(encoding="utf-8")
    assert re.findall(r"^\| \d+ \| `(\w+)`", page, re.MULTILINE) == list(TRIES)
