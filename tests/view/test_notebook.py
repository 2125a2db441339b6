"""The notebook of the examples, executed and exported to HTML, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.view.test_motion_page import wait_until

NOTEBOOK = Path(__file__).parents[2] / "examples" / "first_look.ipynb"


@pytest.fixture(scope="module")
def exported() -> str:
    """As `jupyter nbconvert --execute --to html` makes it."""
    nbformat = pytest.importorskip("nbformat")
    client = pytest.importorskip("nbclient")
    exporters = pytest.importorskip("nbconvert.exporters")
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    client.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    return exporters.HTMLExporter().from_notebook_node(notebook)[0]


def viewers(page) -> list[object]:
    """The frames of the outputs that show mechanisms, in order."""
    found = []
    for element in page.query_selector_all("iframe"):
        element.scroll_into_view_if_needed()
        frame = element.content_frame()
        frame.wait_for_selector(".canvas[data-time]", timeout=120_000)
        found.append(frame)
    return found


def test_an_exported_notebook_shows_mechanisms_that_move_offline(browser, exported: str, tmp_path: Path) -> None:
    path = tmp_path / "notebook.html"
    path.write_text(exported, encoding="utf-8")
    context = browser.new_context(offline=True, viewport={"width": 1280, "height": 900})
    page = context.new_page()
    asked, complaints = [], []
    page.on("request", lambda request: asked.append((request.frame, request.url)))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.goto(path.as_uri())
    still, moving = viewers(page)
    assert still.locator(".transport").count() == 0  # a mechanism at its start does not play
    first = float(moving.get_attribute(".canvas", "data-time"))
    wait_until(page, lambda: float(moving.get_attribute(".canvas", "data-time")) > first)
    # the exporter's own page asks for fonts of formulas; ours ask for nothing
    inside = [
        url for frame, url in asked if frame != page.main_frame and not url.startswith(("about:", "data:", "blob:"))
    ]
    assert inside == []
    assert complaints == []
    context.close()


def test_reports_in_words_and_tables(exported: str) -> None:
    assert "<strong>slider crank: 1 degree of freedom, no redundant constraints.</strong>" in exported
    assert '<th scope="col">largest force [N]</th>' in exported
    assert '<th scope="row">main bearing</th>' in exported
    assert "<strong>slider crank without a motor: linearised motion" in exported


def test_the_notebook_has_no_outputs() -> None:
    assert '"outputs": []' in NOTEBOOK.read_text(encoding="utf-8")
    assert "iframe" not in NOTEBOOK.read_text(encoding="utf-8")
