"""Pages in a real browser, without a network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


@pytest.fixture
def open_page(browser, tmp_path: Path) -> Iterator[Callable[..., object]]:
    """Opens HTML as a file, offline; whatever the page complains about fails the test."""
    opened, complaints = [], []

    def opening(html: str, **options: object) -> object:
        path = tmp_path / f"page{len(opened)}.html"
        path.write_text(html, encoding="utf-8")
        context = browser.new_context(offline=True, **{"viewport": {"width": 1280, "height": 800}, **options})
        page = context.new_page()
        page.set_default_timeout(120_000)  # other work on the machine must not decide a test
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        opened.append(context)
        return page

    requests: list[str] = []
    yield opening
    for context in opened:
        context.close()
    assert complaints == []
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:", "about:"))] == []
