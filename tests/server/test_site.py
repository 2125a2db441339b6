"""The static site: all links lead somewhere, and nothing on it needs a server."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("jinja2", reason="the extra `web` is not installed")

import grashof as gr
from grashof.bench.store import Published, Store
from grashof.bench.subject import subject
from grashof.examples import gallery
from grashof.model.files import loads
from grashof.problems import PROBLEMS
from grashof.server import tasks
from grashof.server.site import write_site
from tests.server.conftest import columns_of, measured_store, moves, wait_until, written
from tests.server.test_workbench import FOUR_BAR, draw_four_bar, sheet, whole_description

HOSTILE = "<script>alert(1)</script>\"'"

VIEWER = "<!DOCTYPE html><title>A viewer</title>"


def published_store(path: Path) -> Path:
    """A store with measured results and a published one."""
    place = path.parent / "file.txt"
    place.write_bytes(written(columns_of("andrews")))
    about = subject("andrews")
    verdict = tasks.judge(lambda part, words: None, path=str(place), problem="andrews", variant="iftomm", parameters={})
    with Store(measured_store(path)) as store:
        store.publish(Published("0" * 32, "2026-01-01", about, HOSTILE, HOSTILE, HOSTILE, None, verdict), b"")
    return path


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The whole site; of its viewers, which other tests look at, it has only one."""
    folder = tmp_path_factory.mktemp("site")
    live = tasks.problem

    def problem(progress: tasks.Progress, *, name: str, variant: str) -> str:
        return live(progress, name=name, variant=variant) if variant == "iftomm" else VIEWER

    with pytest.MonkeyPatch.context() as patch:
        for name in ("motion", "example", "result", "own"):
            patch.setattr(tasks, name, lambda progress, **given: VIEWER)
            patch.setitem(tasks.TASKS, name, lambda progress, **given: VIEWER)
        patch.setattr(tasks, "problem", problem)
        write_site(folder / "site", published_store(folder / "results.sqlite"))
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
        assert 'href="/' not in text


def test_names_are_text_on_every_page(site: Path) -> None:
    shown = 0
    for page in site.rglob("*.html"):
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text
        shown += "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert shown >= 6  # the first page, the leaderboards, the pages of the problem, and that of the result


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


def test_results_have_pages_with_their_motion(site: Path) -> None:
    pages = list((site / "results").glob("*.html"))
    moving = [page for page in pages if page.name.endswith("-motion.html")]
    assert len(pages) - len(moving) == 8
    assert len(moving) == 6  # five runs of Grashof, and the published result
    board = (site / "results.html").read_text(encoding="utf-8")
    assert board.count("data-group=") == 8


def test_a_problem_page_simulates_its_mechanism(site: Path, browser) -> None:
    page = browser.new_page()
    page.goto((site / "problems" / "andrews.html").as_uri())
    moves(page, "OF.F")
    page.close()


def test_the_workbench_draws_drags_and_runs_from_files(site: Path, browser) -> None:
    """No request leaves the page, and what it runs is what the native engine runs."""
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    complaints, asked = [], []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site / "workbench.html").as_uri())
    draw_four_bar(page)
    page.get_by_role("button", name="Motor", exact=True).click()
    at = sheet(page)
    page.mouse.click(*at(220, 365))
    wait_until(page, lambda: "crank-rocker" in page.locator(".verdict").inner_text())
    page.get_by_role("button", name="Move", exact=True).click()
    pin = page.locator(".sheet .points circle").nth(1)
    drawn = pin.get_attribute("cx"), pin.get_attribute("cy")
    page.mouse.move(*at(*FOUR_BAR["B"]))
    page.mouse.down()
    page.mouse.move(*at(280, 400))
    page.mouse.up()
    assert (pin.get_attribute("cx"), pin.get_attribute("cy")) != drawn
    text = whole_description(page)
    page.get_by_label("Seconds to simulate").fill("2")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(".controls .transport", timeout=60_000)
    assert "Finished at t = 2 s. Computed in this page" in page.locator(".played .status").inner_text()
    assert page.locator(".played .plot").count() >= 1
    page.get_by_label("Time", exact=False).first.wait_for()
    assert complaints == []
    assert [url for url in asked if not url.startswith(("file:", "data:", "blob:"))] == []
    page.close()
    assert gr.simulate(loads(text), 2.0).status.ok


def test_the_gallery_opens_in_the_workbench_from_files(site: Path, browser) -> None:
    page = browser.new_page(viewport={"width": 1400, "height": 1000})
    page.goto((site / "workbench.html").as_uri() + "#example=jansen")
    wait_until(page, lambda: page.locator(".sheet .link").count() > 5)
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(".controls .transport", timeout=60_000)
    assert "Computed in this page" in page.locator(".played .status").inner_text()
    # a mechanism of which the sketch lacks parts is refused by their names
    page.get_by_label("Open an example").select_option("planetary-gear")
    page.get_by_role("button", name="Run", exact=True).click()
    wait_until(page, lambda: "cannot run" in page.locator(".run .sentence").inner_text())
    page.close()
