"""Puts a page that simulates the mechanism beside every mechanism of the gallery. The pages are kept in out/live as
long as the package does not change."""

from __future__ import annotations

import re
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import grashof as gr
from grashof.live import shown_live

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "out" / "live"

_PICTURE = re.compile(
    r"^!\[([^\]]*)\]\([^)]*/examples/pictures/([\w-]+)\.png\)$", re.MULTILINE
)

FIRST = "four-bar"
"""The mechanism on the first page, in place of its picture."""

_FIRST = re.compile(
    rf"^!\[[^\]]*\]\([^)]*/examples/pictures/{FIRST}\.png\)$", re.MULTILINE
)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the pages."""
    KEPT.mkdir(parents=True, exist_ok=True)
    changed = max(
        path.stat().st_mtime
        for path in (ROOT / "src" / "grashof").rglob("*.*")
        if "__pycache__" not in path.parts
    )
    for entry in gr.gallery():
        path = KEPT / f"{entry.name}.html"
        if not path.exists() or path.stat().st_mtime < changed:
            shown_live(gr.example(entry.name), path, t_end=entry.t_end)
        files.append(
            File.generated(config, f"live/{entry.name}.html", abs_src_path=str(path))
        )
    return files


def on_page_markdown(
    markdown: str, page: Page, config: MkDocsConfig, files: Files
) -> str:
    """Puts them into the pages of the gallery, in place of the pictures, and one into the first page."""
    if page.file.src_uri == "index.md":
        return _FIRST.sub(_frame(FIRST, "live", "A four-bar that moves"), markdown)
    if not page.file.src_uri.startswith("gallery/"):
        return markdown
    return _PICTURE.sub(lambda found: _frame(found[2], "../live", found[1]), markdown)


def _frame(name: str, folder: str, title: str) -> str:
    """A live page within a page, and a link that opens it on its own."""
    return (
        f'<iframe class="live" src="{folder}/{name}.html" title="{title}, simulated in the page" loading="lazy">'
        f"</iframe>\n\nDrag a body to pull it, or change a number. [Open it in a window of its own]({folder}/{name}.html)"
    )
