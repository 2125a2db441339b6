"""The pages of problems: the mechanism is simulated in the page, and its recorded run is one link away."""

from __future__ import annotations

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

from tests.server.conftest import moves

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
