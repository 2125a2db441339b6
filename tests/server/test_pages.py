"""Every page of the web app, at the widths of a desk and of a phone, light and dark: axe finds nothing serious, and
nothing has to be scrolled sideways."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from benchmarks.served import Served

import grashof as gr
from tests.server.conftest import columns_of, wait_until, written

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

PATHS = {
    "home": "",
    "problem": "problems/andrews",
    "problem in space": "problems/multiple-four-bar?variant=all-rows",
    "leaderboards": "results",
    "gallery": "gallery",
    "example": "gallery/jansen",
    "workbench": "workbench",
    "workbench with an example": "workbench#example=four-bar",
    "no such page": "nowhere",
    "no such result": "results/nothing",
}


@pytest.fixture(scope="module")
def paths(served: Served) -> dict[str, str]:
    """Addresses of all kinds of pages, with an upload, a file that is refused, and published and measured results."""
    good = served.upload(written(columns_of("andrews")))
    refused = served.upload(b"no table")
    published = served.publish(good, "a tool")
    _, _, board = served.ask("GET", "/results")
    measured = board.decode().partition("other 1.0</a>")[0].rpartition('href="/')[2].partition('"')[0]
    others = {"upload": good, "refused file": refused, "published result": published, "measured result": measured}
    return PATHS | {name: path.lstrip("/") for name, path in others.items()}


def serious(page) -> list[dict[str, object]]:
    """What axe calls serious or critical."""
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("axe.run(document, { iframes: false })")
    return [
        {"rule": problem["id"], "where": [node["html"][:200] for node in problem["nodes"]]}
        for problem in found["violations"]
        if problem["impact"] in ("serious", "critical")
    ]


NAMES = [*PATHS, "upload", "refused file", "published result", "measured result"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
@pytest.mark.parametrize("name", NAMES)
def test_axe_finds_no_serious_accessibility_problem(visit, paths, name: str, width: int, scheme: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: `npm install` in web/ brings it")
    page = visit(paths[name], viewport={"width": width, "height": 900}, color_scheme=scheme, bypass_csp=True)
    if "workbench" in name:
        page.wait_for_selector(".sheet .grid")
        if name != "workbench":
            wait_until(page, lambda: page.get_attribute(".verdict", "data-state") == "good")
    assert page.locator("h1").count() == 1
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    assert serious(page) == [], json.dumps(serious(page), indent=1)
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("cancelled", [True, False])
def test_a_run_in_progress_and_one_that_was_cancelled_are_accessible(visit, cancelled: bool) -> None:
    """Jobs have no page of their own: they are shown below the workbench."""
    if not AXE.is_file():
        pytest.skip("axe-core is not installed: `npm install` in web/ brings it")
    page = visit("workbench#example=four-bar", bypass_csp=True)
    wait_until(page, lambda: page.get_attribute(".verdict", "data-state") == "good")
    page.get_by_label("Seconds to simulate").fill("1000000")
    page.get_by_role("button", name="Run", exact=True).click()
    wait_until(page, lambda: "%" in page.locator(".doing").inner_text())
    if cancelled:
        page.get_by_role("button", name="Cancel").click()
        wait_until(page, lambda: "cancelled" in page.locator(".run [role=alert]").inner_text())
    assert serious(page) == []
    # the run may have ended meanwhile; if not, it must not keep a worker from the tests after this one
    page.get_by_role("button", name="Cancel").evaluate_all("buttons => buttons.forEach(button => button.click())")


def test_the_gallery_is_searched_and_shown_by_kinds(visit) -> None:
    page = visit("gallery")
    everything = page.locator(".cards li:visible").count()
    assert everything == len(gr.gallery())
    page.get_by_role("button", name="walking", exact=True).click()
    assert page.locator(".cards li:visible strong").all_inner_texts() == ["Jansen's leg", "Klann's leg"]
    page.get_by_role("button", name="all", exact=True).click()
    page.get_by_label("Search in the gallery").fill("straight LINE")
    found = page.locator(".cards li:visible strong").all_inner_texts()
    assert {"Peaucellier-Lipkin linkage", "Hart's inversor"} <= set(found)
    assert page.locator("output").inner_text() == f"{len(found)} of {everything} mechanisms"
    assert len(found) < everything
