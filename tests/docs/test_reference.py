"""The reference of the Python interface: every function and every method of the builder has its heading."""

from __future__ import annotations

import importlib.util
import re

from tests.docs.pages import DOCS


def test_everything_is_under_a_heading() -> None:
    spec = importlib.util.spec_from_file_location("interface", DOCS / "site" / "interface.py")
    assert spec is not None
    assert spec.loader is not None
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    pages = script.pages()  # a method whose module has no heading raises KeyError
    assert "## Others" not in pages["functions"]
    named = re.findall(r"^### (\w+)$", pages["functions"], re.MULTILINE)
    assert len(named) == len(set(named)) > 25
    headings = re.findall(r"^### (.+)$", pages["mechanism"].partition("## Handle")[0], re.MULTILINE)
    assert headings == list(script.PARTS.values())
