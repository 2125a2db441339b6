"""The pages of problems: the mechanism is simulated in the page, and its recorded run is one link away."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from tests.server.conftest import moves, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Route

MOVING = {
    "andrews": "OF.F",
    "double-four-bar": "upright0.end",
    "n-four-bar": "upright0.end",
    "multiple-four-bar": "vertical1_0.end",
}
"""A point of each that moves."""


@pytest.mark.parametrize("name", MOVING)
def test_a_problem_page_simulates_its_mechanism(visit, name: str) -> None:
    page = visit(f"problems/{name}")
    moves(page, MOVING[name])
    assert page.locator("iframe.viewer").get_attribute("title").endswith("simulated in the page")


def test_a_variant_has_its_own_mechanism_and_its_recorded_run(visit) -> None:
    page = visit("problems/multiple-four-bar?variant=all-rows")
    moves(page, "vertical5_0.end")
    page.get_by_role("link", name="Recorded run over 10 s").click()
    page.wait_for_selector(".canvas[data-time]")


def test_a_picture_is_shown_until_the_mechanism_is_prepared(visit) -> None:
    held: list[Route] = []
    page = visit("gallery/jansen", routes={"**/live": lambda route: held.append(route)})
    waiting = page.locator(".frame .waiting")
    waiting.wait_for()
    assert waiting.inner_text().strip() == "The mechanism is being prepared …"
    wait_until(page, lambda: page.evaluate("document.querySelector('.waiting img').naturalWidth") > 0)
    wait_until(page, lambda: bool(held))
    held[0].continue_()
    moves(page, "crank.end")
    wait_until(page, lambda: waiting.count() == 0)


def test_where_there_is_no_mechanism_the_frame_says_why(visit) -> None:
    def refuse(route: Route) -> None:
        answer = route.fetch(url=route.request.url.replace("jansen", "nothing"))
        route.fulfill(response=answer)

    page = visit("gallery/jansen", routes={"**/live": refuse})
    sentence = page.frame_locator("iframe.viewer").locator("[role=alert]")
    assert sentence.inner_text() == "There is no such mechanism in the gallery."
    wait_until(page, lambda: page.locator(".frame .waiting").count() == 0)


@pytest.mark.parametrize("width", [1280, 390])
def test_a_frame_is_as_high_as_what_it_shows_on_a_phone_and_bounded_on_a_desk(visit, width: int) -> None:
    page = visit("gallery/jansen", viewport={"width": width, "height": 900})
    moves(page, "crank.end")
    inside = page.frames[1]
    if width < 760:
        # nothing is left to be scrolled inside the frame
        wait_until(page, lambda: inside.evaluate("document.documentElement.scrollHeight - innerHeight") <= 0)
    else:
        wait_until(page, lambda: 34 * 16 < page.locator("iframe.viewer").bounding_box()["height"] <= 46 * 16)
