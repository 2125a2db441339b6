"""The static site: all links lead somewhere, and nothing on it needs a server."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("jinja2", reason="the extra `web` is not installed")

from grashof.examples import gallery
from grashof.problems import PROBLEMS
from grashof.server import tasks
from grashof.server.site import write_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site; its viewers, which other tests look at, are left out of it."""
    folder = tmp_path_factory.mktemp("site")
    with pytest.MonkeyPatch.context() as patch:
        for name in ("motion", "example"):
            patch.setattr(tasks, name, lambda progress, **given: "<!DOCTYPE html><title>A viewer</title>")
        patch.setattr(tasks, "picture", lambda progress, **given: b"a picture")
        write_site(folder / "site", folder / "results.sqlite")
    return folder / "site"


def test_every_link_leads_to_a_file(site: Path) -> None:
    broken = []
    pages = list(site.rglob("*.html"))
    for page in pages:
        for link in re.findall(r'(?:href|src)="([^"]*)"', page.read_text(encoding="utf-8")):
            parts = urlsplit(unescape(link))
            if parts.scheme in ("data", "http", "https") or not parts.path:
                continue
            if not (page.parent / parts.path).is_file():
                broken.append((page.name, link))
    assert broken == []
    assert len(pages) >= 3 + 2 * len(gallery()) + 2 * len(PROBLEMS)


def test_nothing_on_it_needs_a_server(site: Path) -> None:
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<form" not in text
        assert "/workbench" not in text


def test_every_page_can_be_reached_from_the_first(site: Path) -> None:
    reached, open_pages = set(), [site / "index.html"]
    while open_pages:
        page = open_pages.pop()
        if page in reached:
            continue
        reached.add(page)
        for link in re.findall(r'(?:href|src)="([^"#]*)', page.read_text(encoding="utf-8")):
            target = (page.parent / unescape(link)).resolve()
            if target.suffix == ".html" and target.is_file():
                open_pages.append(target)
    assert reached == set(site.rglob("*.html"))
