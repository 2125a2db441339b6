"""A report, in a real browser."""

from __future__ import annotations

import numpy as np
import pytest
from msgspec.structs import replace

import grashof as gr
from grashof.problems import PROBLEMS, make_case
from grashof.reports import Subject, report
from grashof.view.report import Attempt, Goal, MethodCurve, WorkPrecision, report_page
from tests.view.test_motion_page import wait_until

HOSTILE = "<img src=x onerror=alert(1)>"


@pytest.fixture(scope="module")
def two_runs() -> str:
    m = gr.Mechanism(HOSTILE, gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    case = make_case("andrews")
    found, _ = report([Subject.of(case), Subject("rod.toml", m.model, 0.05)], command="grashof report …")
    return report_page(found)


def times(page) -> list[str | None]:
    """The times that pictures show."""
    return page.evaluate("[...document.querySelectorAll('.canvas')].map((canvas) => canvas.dataset.time ?? null)")


def test_a_report_shows_its_runs(open_page, two_runs) -> None:
    page = open_page(two_runs)
    page.wait_for_selector(".report")
    assert page.locator(".top h1").inner_text() == "Report on 2 runs"
    first = page.locator("tbody tr").first.inner_text()
    assert "andrews" in first
    assert "PASSED" in first
    assert page.locator(".chapter").count() == 2
    assert "1 degree of freedom" in page.locator(".mobility").first.inner_text()
    assert page.locator("#run-2-title").inner_text() == HOSTILE


def test_mechanisms_appear_where_one_scrolls_and_move_only_there(open_page, two_runs) -> None:
    page = open_page(two_runs)
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)
    assert page.locator(".canvas").count() == 1
    shown = times(page)[0]
    wait_until(page, lambda: times(page)[0] != shown)
    page.get_by_role("link", name="rod.toml").click()
    wait_until(page, lambda: len(times(page)) == 2 and times(page)[1] is not None)
    shown = times(page)[1]
    wait_until(page, lambda: times(page)[1] != shown)
    assert page.evaluate("window.grashof.viewers.map((viewer) => viewer.store.state.playing)") == [False, True]


def test_of_many_mechanisms_only_some_are_kept(open_page) -> None:
    m = gr.Mechanism("rod", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    subject = Subject("rod.toml", m.model, 3.0)
    found, _ = report([subject] * 10, work_precision=False)
    page = open_page(report_page(found))
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)
    heights = []
    for k in [*range(10), 0]:
        page.evaluate(f"document.getElementById('run-{k + 1}').scrollIntoView()")
        wait_until(page, lambda k=k: page.locator(f"#run-{k + 1} .canvas[data-time]").count() == 1)
        heights.append(page.evaluate("document.documentElement.scrollHeight"))
    assert page.locator(".canvas").count() == page.evaluate("window.grashof.viewers.length") <= 8
    assert heights[-1] == heights[-2]  # nothing moved when others went
    first = page.get_attribute("#run-1 .canvas", "data-time")
    wait_until(page, lambda: page.get_attribute("#run-1 .canvas", "data-time") != first)


def test_marks_of_work_and_precision_are_where_the_numbers_say(open_page, two_runs) -> None:
    """A mark for each run, of which the lower ones took longer; the table has the same numbers."""
    page = open_page(two_runs)
    page.wait_for_selector(".precision")
    page.get_by_label("Over").first.select_option("evaluations")
    marks = page.evaluate("""() => [...document.querySelector('.precision .plot g.c0').querySelectorAll('.mark')].map((mark) => {
        const box = mark.getBBox();
        return [box.x + box.width / 2, box.y + box.height / 2, mark.textContent];
    })""")
    evaluations = [int(text.split(" evaluations")[0].split()[-1]) for _, _, text in marks]
    assert len(marks) > 10
    assert sorted(evaluations) == evaluations
    # equal steps of logarithms are equal steps of pixels
    logs = np.log10(evaluations)
    slope, offset = np.polyfit(logs, [x for x, _, _ in marks], 1)
    assert np.max(np.abs(slope * logs + offset - [x for x, _, _ in marks])) < 0.2
    assert slope > 0
    page.get_by_text("All numbers").first.click()
    page.wait_for_selector(".precision tbody")
    cells = page.locator(".precision tbody").first.locator("tr").first.locator("td").all_inner_texts()
    assert cells[0] == "dop853"
    assert int(cells[3]) <= evaluations[0]  # the loosest may be too far off to be drawn


def test_a_diagram_without_errors_says_so(open_page) -> None:
    m = gr.Mechanism("rod")
    m.revolute(m.ground.at(0, 0), m.bar("rod", length=1.0, mass=1.0).start)
    found, _ = report([Subject("rod.toml", m.model, 1.0)], work_precision=False)
    curve = MethodCurve("bs5", "Bogacki–Shampine", (Attempt(1e-3, 1e-4, 20, (0.0, None)),))
    goals = (Goal("Energy balance", "J", "The energy-balance error."), Goal("Difference", "", "From the finest run."))
    chapter = replace(found.chapters[0], work_precision=WorkPrecision(goals, (curve,), ()))
    page = open_page(report_page(replace(found, chapters=(chapter,))))
    page.wait_for_selector(".precision")
    assert "Energy balance [J]: no run has an error." in page.locator(".precision").inner_text()
    assert page.locator(".precision .plot").count() == 0


def test_one_button_makes_all_of_it_dark(open_page, two_runs) -> None:
    page = open_page(two_runs, color_scheme="light")
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)
    page.get_by_role("button", name="Dark", exact=True).first.click()
    assert page.evaluate("[...document.querySelectorAll('.grashof')].map((x) => x.dataset.theme)") == ["dark", "dark"]


def test_a_phone_need_not_scroll_sideways(open_page, two_runs) -> None:
    page = open_page(two_runs, viewport={"width": 360, "height": 740})
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360


@pytest.mark.slow
def test_all_problems_fit_into_one_page(open_page) -> None:
    found, well = report([Subject.of(make_case(name)) for name in PROBLEMS], command="grashof report --all")
    html = report_page(found)
    assert well
    assert len(html.encode()) < 5_000_000
    page = open_page(html)
    page.wait_for_selector(".canvas[data-time]", timeout=60_000)
    for k in range(len(PROBLEMS)):
        page.locator("tbody a").nth(k).click()
        wait_until(page, lambda k=k: len(times(page)) > k and times(page)[k] is not None)
    assert page.locator(".precision").count() == len(PROBLEMS)
