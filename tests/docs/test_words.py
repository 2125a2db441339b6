"""Everything that a person reads is plain English, without expressions that have been replaced by better ones."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import grashof as gr
from tests.docs.pages import DOCS

SOURCE = DOCS.parent / "src" / "grashof"

AVOIDED = re.compile(
    r"\bwhatever\b|made up its mind|\bpull at it\b|nothing redundant|motors? running and|\banswers part\b"
    r"|Try to find the cause|joints' equations alone"
    r"|(?:^|[.:;] |- )(?-i:What) (?:is|are|has|remains|else|cannot|a|the) [^?*]*$",
    re.IGNORECASE,
)
"""See the list of terms in CONTRIBUTING.md."""


def test_avoided_expressions_do_not_return() -> None:
    pages = [*DOCS.rglob("*.md"), *SOURCE.rglob("*.html"), DOCS.parent / "README.md"]
    found = [f"{page.name}: {line}" for page in pages for line in _lines(page) if AVOIDED.search(line)]
    found += [f"{name}: {text}" for name, text in _messages() if AVOIDED.search(text)]
    assert not found, "\n".join(found)


def _lines(page: Path) -> list[str]:
    return page.read_text(encoding="utf-8").splitlines()


def _messages() -> Iterator[tuple[str, str]]:
    """The string constants of the package that are not docstrings."""
    for path in SOURCE.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documents = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documents:
                yield path.name, node.value


def test_the_documentation_of_a_function_begins_with_a_verb() -> None:
    """As in `Simulates from the start …`: the first word of what `help` shows."""
    functions = [getattr(gr, name) for name in gr.__all__ if inspect.isfunction(getattr(gr, name))]
    own = [x for x in functions if not x.__module__.startswith("grashof.scalar")]
    assert len(own) > 25
    first = {x.__name__: (inspect.getdoc(x) or "").split(maxsplit=1)[0] for x in own}
    assert not {name: word for name, word in first.items() if not re.fullmatch(r"[A-Z][a-z]+s", word)}
