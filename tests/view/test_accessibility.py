"""Pages for everybody: axe finds nothing, the keyboard reaches everything, and screen readers are left in peace."""

from __future__ import annotations

from pathlib import Path

import pytest

import grashof as gr
from grashof.live.page import live_page
from grashof.problems import make_case
from grashof.reports import Subject, report
from grashof.view import motion_page
from grashof.view.report import report_page
from tests import classics
from tests.view.test_motion_page import wait_until

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

PHONE, DESK = {"width": 390, "height": 844}, {"width": 1280, "height": 800}


def slider_crank() -> gr.Mechanism:
    m, _, _ = classics.slider_crank()
    m.event("rod.end.x", crosses=0.5, name="half way")
    return m


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    run = gr.simulate(slider_crank(), 2.0)
    case = make_case("double-four-bar")
    found, _ = report([Subject.of(case), Subject("crank.toml", slider_crank().model, 2.0)], command="grashof report …")
    return {
        "motion": motion_page(run),
        "still": motion_page(slider_crank()),
        "live": live_page(slider_crank(), 2.0),
        "report": report_page(found),
    }


def findings(page) -> list[str]:
    """What axe finds, worst first, with the elements in question."""
    page.add_script_tag(path=str(AXE))
    found = page.evaluate("async () => (await axe.run()).violations")
    return [
        f"{x['impact']}: {x['id']}: {x['help']}: {' | '.join(node['html'][:120] for node in x['nodes'][:4])}"
        for x in sorted(found, key=lambda x: ["critical", "serious", "moderate", "minor"].index(x["impact"]))
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("viewport", [DESK, PHONE], ids=["desk", "phone"])
@pytest.mark.parametrize("name", ["motion", "still", "live", "report"])
def test_axe_finds_nothing(open_page, pages, name: str, viewport: dict[str, int], scheme: str) -> None:
    if not AXE.is_file():
        pytest.skip("axe is not installed: `make viewer` does that")
    page = open_page(pages[name], viewport=viewport, color_scheme=scheme, bypass_csp=True)
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    page.evaluate("window.grashof.viewers.forEach((viewer) => viewer.store.set({ playing: false }))")
    page.wait_for_timeout(100)
    assert findings(page) == []


@pytest.mark.parametrize("name", ["motion", "live"])
def test_screen_readers_are_not_told_every_frame(open_page, pages, name: str) -> None:
    page = open_page(pages[name])
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)
    page.evaluate("""() => {
        window.told = [];
        const watch = new MutationObserver((changes) => changes.forEach((change) => {
            const place = change.target instanceof Element ? change.target : change.target.parentElement;
            const region = place?.closest("[aria-live], output, [role=status], [role=alert], [role=log]");
            if (region && region.getAttribute("aria-live") !== "off") window.told.push(region.outerHTML.slice(0, 200));
        }));
        watch.observe(document.body, { childList: true, characterData: true, subtree: true });
    }""")
    first = float(page.get_attribute(".canvas", "data-time"))
    wait_until(page, lambda: float(page.get_attribute(".canvas", "data-time")) != first)
    page.wait_for_timeout(500)
    assert page.evaluate("window.told") == []


@pytest.mark.parametrize("name", ["motion", "live", "report"])
def test_the_keyboard_reaches_every_control(open_page, pages, name: str) -> None:
    """Tab goes through all that can be used, in order, and comes out again."""
    page = open_page(pages[name])
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)
    page.evaluate("document.querySelectorAll('details').forEach((details) => (details.open = true))")
    page.evaluate("window.grashof.viewers.forEach((viewer) => viewer.store.set({ playing: false }))")
    page.wait_for_timeout(100)
    page.evaluate("""() => [...document.querySelectorAll("button, select, input, a[href], summary, [role=slider], .canvas")]
        .filter((x) => x.checkVisibility()).forEach((x, k) => (x.dataset.wanted = String(k)))""")
    wanted = page.evaluate("document.querySelectorAll('[data-wanted]').length")
    reached: list[int] = []
    for _ in range(3 * wanted + 20):
        page.keyboard.press("Tab")
        at = page.evaluate("document.activeElement?.dataset?.wanted ?? null")
        if at is not None:
            if int(at) in reached:
                break
            reached.append(int(at))
    assert reached == sorted(reached)
    assert set(range(wanted)) - set(reached) == set()


def test_arrow_keys_move_the_time_in_a_plot(open_page, pages) -> None:
    page = open_page(pages["motion"])
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)
    page.evaluate("window.grashof.viewers[0].store.set({ playing: false, time: 1 })")
    page.locator("[role=slider].plot").first.focus()
    page.keyboard.press("ArrowRight")
    later = page.evaluate("window.grashof.viewers[0].store.state.time")
    assert later == pytest.approx(1.01)
    assert page.locator("[role=slider].plot").first.get_attribute("aria-valuetext") == "1.01 seconds"
