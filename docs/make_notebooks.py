"""Writes the notebooks of the tutorial and the studies from their pages, and the pictures that these show: `python
docs/make_notebooks.py`.

The pages are the source. Their Python blocks become cells; outputs are not stored. `--notebooks` leaves the pictures
alone, which takes no time.
"""

from __future__ import annotations

import json
import os
import posixpath
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

from grashof.common.writing import write_atomically

DOCS = Path(__file__).parent
EXAMPLES = DOCS.parent / "examples"

NOTEBOOKS = {
    "tutorial": (
        "tutorial/1-build",
        "tutorial/2-look",
        "tutorial/3-ask",
        "tutorial/4-simulate",
        "tutorial/5-trust",
    ),
    "coupler_curve": ("studies/coupler-curve",),
    "tolerances": ("studies/tolerances",),
    "redundancy": ("studies/redundancy",),
}
"""Each notebook, and the pages that it is made of."""

_FENCE = re.compile(r"^```(\w+)\n(.*?)^```\n?", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\]\((?!https?:|#)([^)\s]+)\)")
_ASIDE = re.compile(
    r"^!\[.*?\]\(.*?\)\n|^Next: .*\n| (?:All steps together are also|As) a \[notebook\]\([^)]*\)[^.;]*[.;]?",
    re.MULTILINE,
)
"""What makes sense in the page only: its pictures, which a notebook draws itself, and the way to the next page."""


def notebook(pages: tuple[str, ...]) -> str:
    """The notebook as it is written to its file."""
    cells: list[dict[str, Any]] = []
    for page in pages:
        text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
        end = 0
        for match in _FENCE.finditer(text):
            if match[1] == "python":
                _add(cells, "markdown", _words(text[end : match.start()], page))
                _add(cells, "code", match[2].rstrip("\n"))
                end = match.end()
            elif match[1] == "text":
                _add(cells, "markdown", _words(text[end : match.start()], page))
                end = match.end()
        _add(cells, "markdown", _words(text[end:], page))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    whole = {
        "cells": cells,
        "metadata": {"kernelspec": kernel, "language_info": {"name": "python"}},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def _add(cells: list[dict[str, Any]], kind: str, text: str) -> None:
    if text:
        cell: dict[str, Any] = {
            "cell_type": kind,
            "id": f"cell-{len(cells)}",
            "metadata": {},
        }
        cell["source"] = text.splitlines(keepends=True)
        if kind == "code":
            cell |= {"execution_count": None, "outputs": []}
        cells.append(cell)


def _words(text: str, page: str) -> str:
    """Text between code, with its links as seen from examples/, and formulas as notebooks know them."""

    def moved(match: re.Match[str]) -> str:
        path, mark, anchor = match[1].partition("#")
        target = posixpath.normpath(
            posixpath.join("docs", posixpath.dirname(page), path)
        )
        return f"]({posixpath.relpath(target, 'examples')}{mark}{anchor})"

    text = _LINK.sub(moved, _ASIDE.sub("", text))
    return re.sub(
        r"^```math\n(.*?)^```$", r"$$\n\1$$", text, flags=re.MULTILINE | re.DOTALL
    ).strip()


def pictures(pages: tuple[str, ...]) -> None:
    """Runs the code of pages in a folder of their own, and keeps the pictures that they show."""
    import matplotlib

    matplotlib.use("agg")
    here = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        names: dict[str, Any] = {}
        try:
            for page in pages:
                text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
                for match in _FENCE.finditer(text):
                    if match[1] == "python":
                        exec(compile(match[2], page, "exec"), names)
                for link in re.findall(r"!\[.*?\]\(\.\./(images/\S+)\)", text):
                    (DOCS / link).parent.mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(
                        Path(folder) / posixpath.basename(link), DOCS / link
                    )
        finally:
            os.chdir(here)


def main() -> None:
    for name, pages in NOTEBOOKS.items():
        write_atomically(EXAMPLES / f"{name}.ipynb", notebook(pages))
        if "--notebooks" not in sys.argv:
            pictures(pages)


if __name__ == "__main__":
    main()
