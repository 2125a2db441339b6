"""The workbench in a real browser against the real server."""

from __future__ import annotations

import base64
import gzip
import json
import math
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import grashof as gr
from grashof.examples import example_text
from grashof.model.files import loads
from tests.server.conftest import wait_until

FOUR_BAR = {"A": (200, 400), "B": (240, 330), "C": (480, 180), "D": (560, 400)}
"""Pixels on the sheet; AB + AD is shorter than BC + CD, so that AB can turn all around (Grashof's condition)."""


def answered(page, state: str) -> str:
    """What the workbench says about the mechanism, once it is good or bad."""
    page.wait_for_timeout(400)  # the pause after which it asks
    wait_until(page, lambda: page.get_attribute(".verdict", "data-state") == state)
    return page.locator(".verdict").inner_text()


def sheet(page) -> Callable[[float, float], tuple[float, float]]:
    page.wait_for_selector(".sheet .grid")
    box = page.locator(".sheet").bounding_box()
    return lambda x, y: (box["x"] + x, box["y"] + y)


def draw_four_bar(page) -> None:
    at = sheet(page)
    for one, other in ("AB", "BC", "CD"):
        page.mouse.click(*at(*FOUR_BAR[one]))
        page.mouse.click(*at(*FOUR_BAR[other]))
    page.get_by_role("button", name="Ground", exact=True).click()
    for name in "AD":
        page.mouse.click(*at(*FOUR_BAR[name]))


def whole_description(page) -> str:
    """All of the text, of which the editor shows only what can be seen, without the drawing at its end."""
    return saved(page, "Description (TOML)").read_text("utf-8").partition("\n# drawing: ")[0]


def saved(page, form: str) -> Path:
    """A file that is saved."""
    with page.expect_download() as download:
        page.get_by_label("Save as").select_option(form)
    return Path(download.value.path())


def test_a_four_bar_is_drawn_by_the_mouse_run_shared_and_found_again(visit) -> None:
    page = visit("workbench")
    draw_four_bar(page)
    assert "1 degree of freedom, no redundant constraints" in answered(page, "good")
    assert page.locator(".position").is_hidden()  # the sketch shows everything
    # the description says what was drawn: lengths in the ratio of the pixels
    text = whole_description(page)
    model = loads(text)
    lengths = [body.length for body in model.bodies]
    pixels = [
        sum((a - b) ** 2 for a, b in zip(FOUR_BAR[one], FOUR_BAR[other], strict=True)) ** 0.5
        for one, other in ("AB", "BC", "CD")
    ]
    assert [length / lengths[1] for length in lengths] == pytest.approx([p / pixels[1] for p in pixels], rel=0.08)
    assert gr.mobility(model).dof == 1
    page.get_by_role("button", name="Motor", exact=True).click()
    at = sheet(page)
    page.mouse.click(*at(220, 365))
    assert "1 degree of freedom, driven by 1 motor" in answered(page, "good")
    page.get_by_role("button", name="Trace", exact=True).click()
    page.mouse.click(*at(*FOUR_BAR["C"]))
    page.get_by_label("Seconds to simulate").fill("1")
    page.get_by_role("button", name="Run", exact=True).click()
    # it plays in the sketch, with plots beside it and the path of C
    page.wait_for_selector(".controls .transport", timeout=120_000)
    assert "Finished at t = 1 s" in page.locator(".played .status").inner_text()
    assert page.locator(".played .plot").count() >= 1
    assert page.locator(".sheet .path").count() == 1
    pin = page.locator(".sheet .points circle").nth(1)
    places = {pin.get_attribute("cx")}

    def moves() -> bool:
        places.add(pin.get_attribute("cx"))
        return len(places) > 5

    wait_until(page, moves)
    page.get_by_role("button", name="Back to the drawing").click()
    assert page.locator(".transport").count() == 0
    page.get_by_role("button", name="Copy link").click()
    wait_until(page, lambda: "#m=" in page.url)
    text, link = whole_description(page), page.url
    other = visit(link.rpartition("/")[2])
    assert "1 degree of freedom, driven by 1 motor" in answered(other, "good")
    assert whole_description(other) == text
    assert other.get_by_label("Seconds to simulate").input_value() == "1"
    assert other.locator(".sheet .link").count() == 3


def test_a_four_bar_is_moved_by_hand_through_a_full_turn(visit) -> None:
    page = visit("workbench")
    draw_four_bar(page)
    before = loads(whole_description(page))
    page.get_by_role("button", name="Move", exact=True).click()
    at = sheet(page)
    (ax, ay), (bx, by) = FOUR_BAR["A"], FOUR_BAR["B"]
    arm, begin = math.hypot(bx - ax, by - ay), math.atan2(by - ay, bx - ax)

    def circles() -> dict[str, tuple[float, float]]:
        """Where the points are drawn, in pixels."""
        found = page.locator(".sheet .points circle").evaluate_all(
            "all => all.map(one => [+one.getAttribute('cx'), +one.getAttribute('cy')])"
        )
        return dict(zip("ABCD", found, strict=True))

    def lengths() -> list[float]:
        places = circles()
        return [math.dist(places[a], places[b]) for a, b in ("AB", "BC", "CD")]

    first, drawn = lengths(), circles()
    page.mouse.move(*at(bx, by))
    page.mouse.down()
    for k in range(1, 25):
        angle = begin + 2 * math.pi * k / 24
        page.mouse.move(*at(ax + arm * math.cos(angle), ay + arm * math.sin(angle)))
        places = circles()
        turned = math.atan2(places["B"][1] - places["A"][1], places["B"][0] - places["A"][0])
        assert math.cos(turned - angle) > 0.99  # the crank follows the pointer
        assert lengths() == pytest.approx(first, abs=0.02)
    page.mouse.up()
    for name, place in circles().items():
        assert place == pytest.approx(drawn[name], abs=8)
    after = loads(whole_description(page))
    assert [body.length for body in after.bodies] == pytest.approx([body.length for body in before.bodies], rel=1e-11)
    assert page.locator(".remark").is_hidden()
    # the rocker cannot be pulled beyond its limit, and the crank's pin is named
    page.mouse.move(*at(*circles()["C"]))
    page.mouse.down()
    page.mouse.move(*at(1200, 600), steps=20)
    assert "Dead centre at B: link 1 and link 2 are" in page.locator(".remark").inner_text()
    page.mouse.up()
    page.keyboard.press("Control+z")
    page.keyboard.press("Control+z")
    assert loads(whole_description(page)) == before


def test_lengths_angles_and_masses_are_typed_and_all_other_lengths_stay(visit) -> None:
    page = visit("workbench")
    draw_four_bar(page)
    before = [body.length for body in loads(whole_description(page)).bodies]
    page.get_by_role("button", name="Edit", exact=True).click()
    page.mouse.click(*sheet(page)(360, 255))  # the coupler

    def type_into(label: str, text: str) -> None:
        page.get_by_label(label, exact=True).fill(text)
        page.keyboard.press("Enter")

    assert page.locator(".sheet .dimension").count() == 1
    wanted = round(1000 * before[1]) + 40
    type_into("length", f"{wanted} mm")
    type_into("mass", "250 g")
    coupler = loads(whole_description(page)).bodies[1]
    assert (coupler.length, coupler.mass) == pytest.approx((wanted / 1000, 0.25), rel=1e-10)
    type_into("length", "90 m")
    assert "The loops cannot be closed with link 2 of 90 m" in page.locator(".remark").inner_text()
    type_into("length", "3 kg")
    assert "is no number with a unit" in page.locator(".remark").inner_text()
    assert page.get_by_label("length", exact=True).input_value() == f"{wanted / 1000:g} m"
    page.get_by_text("Parts", exact=True).click()
    page.locator("[data-field='link link 1 mass']").focus()
    type_into("angle A B", "90°")
    crank = loads(whole_description(page)).start.guesses["link 1"]
    assert crank.angle == pytest.approx(math.pi / 2, abs=1e-5)
    after = [body.length for body in loads(whole_description(page)).bodies]
    assert [after[0], after[2]] == pytest.approx([before[0], before[2]], rel=1e-10)


def test_points_are_dragged_and_everything_can_be_undone(visit) -> None:
    page = visit("workbench")
    draw_four_bar(page)
    at = sheet(page)
    before = whole_description(page)
    page.get_by_role("button", name="Edit", exact=True).click()
    page.mouse.move(*at(*FOUR_BAR["C"]))
    page.mouse.down()
    page.mouse.move(*at(500, 230), steps=4)
    page.mouse.up()
    dragged = whole_description(page)
    assert dragged != before
    page.keyboard.press("Control+z")
    assert whole_description(page) == before
    page.keyboard.press("Control+Shift+z")
    assert whole_description(page) == dragged
    page.mouse.click(*at(220, 365))
    page.keyboard.press("Delete")
    assert [body.name for body in loads(whole_description(page)).bodies] == ["link 2", "link 3"]
    for _ in range(7):
        page.get_by_role("button", name="Undo").click()
    assert page.get_by_role("button", name="Undo").is_disabled()
    assert "bodies" not in tomllib.loads(whole_description(page))


def test_a_point_dropped_on_another_is_pinned_to_it(visit) -> None:
    page = visit("workbench")
    at = sheet(page)
    for one, other in (((200, 400), (300, 300)), ((400, 300), (520, 400))):
        page.mouse.move(*at(*one))
        page.mouse.down()
        page.mouse.move(*at(*other), steps=4)
        page.mouse.up()
    assert loads(whole_description(page)).joints == ()
    page.get_by_role("button", name="Edit", exact=True).click()
    page.mouse.move(*at(400, 300))
    page.mouse.down()
    page.mouse.move(*at(302, 298), steps=4)
    page.mouse.up()
    assert [(joint.a, joint.b) for joint in loads(whole_description(page)).joints] == [("link 1.end", "link 2.start")]


def test_plates_sliders_springs_and_dampers_are_drawn(visit) -> None:
    page = visit("workbench")
    at = sheet(page)
    page.get_by_role("button", name="Plate", exact=True).click()
    for place in ((200, 400), (400, 400), (300, 250), (200, 400)):
        page.mouse.click(*at(*place))
    page.get_by_role("button", name="Slider", exact=True).click()
    page.mouse.click(*at(200, 400))
    page.mouse.move(*at(400, 400))
    page.mouse.down()
    page.mouse.move(*at(402, 300), steps=4)
    page.mouse.up()
    for tool in ("Spring", "Damper"):
        page.get_by_role("button", name=tool, exact=True).click()
        page.mouse.click(*at(300, 250))
        page.mouse.click(*at(300, 100))
    assert "1 degree of freedom" in answered(page, "good")
    model = loads(whole_description(page))
    plate = model.bodies[0]
    assert [joint.axis_a for joint in model.joints] == [(1.0, 0.0), (0.0, 1.0)]
    assert [(force.stiffness, force.damping) for force in model.forces] == [(100, 0), (0, 10)]
    # a uniform triangle: centre at the mean of the corners, inertia m (a² + b² + c²)/36
    corners = list(plate.points.values())
    mean = [sum(corner[k] for corner in corners) / 3 for k in range(2)]
    assert plate.center == pytest.approx(mean)
    sides = sum((corners[i][k] - corners[i - 1][k]) ** 2 for i in range(3) for k in range(2))
    assert plate.inertia == pytest.approx(plate.mass * sides / 36, rel=1e-9)


def test_a_plate_is_uniform_over_the_hull_of_its_points(visit) -> None:
    page = visit("workbench")
    at = sheet(page)
    page.get_by_role("button", name="Plate", exact=True).click()
    for place in ((200, 400), (500, 400), (340, 310), (500, 250), (200, 250), (200, 400)):
        page.mouse.click(*at(*place))
    plate = loads(whole_description(page)).bodies[0]
    corners = list(plate.points.values())
    assert len(corners) == 5
    width = max(x for x, _ in corners) - min(x for x, _ in corners)
    height = max(y for _, y in corners) - min(y for _, y in corners)
    assert plate.inertia == pytest.approx(plate.mass * (width**2 + height**2) / 12, rel=1e-9)
    assert plate.center == pytest.approx((width / 2, height / 2))


def test_a_pendulum_is_drawn_by_touch_on_a_phone(visit) -> None:
    page = visit("workbench", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page.wait_for_selector(".sheet .grid")
    page.locator(".sheet").scroll_into_view_if_needed()

    def tap(x: float, y: float) -> None:
        box = page.locator(".sheet").bounding_box()
        page.touchscreen.tap(box["x"] + x, box["y"] + y)

    page.get_by_role("button", name="Bar", exact=True).tap()
    page.locator(".sheet").scroll_into_view_if_needed()
    tap(120, 100)
    tap(220, 200)
    page.get_by_role("button", name="Ground", exact=True).tap()
    page.locator(".sheet").scroll_into_view_if_needed()
    tap(120, 100)
    assert "1 degree of freedom" in answered(page, "good")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_all_can_be_drawn_by_the_keyboard(visit) -> None:
    page = visit("workbench")
    page.get_by_text("Parts", exact=True).click()
    for x, y in ((0, 0), (0.3, 0.4)):
        page.get_by_label("Add a point: x, m").fill(str(x))
        page.get_by_label("Add a point: y, m").fill(str(y))
        page.keyboard.press("Enter")
    page.get_by_label("Add a link: its points, such as A B").fill("A B")
    page.keyboard.press("Enter")
    page.locator("[data-field='point A ground']").check()
    page.locator("[data-field='link link 1 mass']").fill("2.5")
    page.keyboard.press("Enter")
    assert "1 degree of freedom" in answered(page, "good")
    bar = loads(whole_description(page)).bodies[0]
    assert (bar.length, bar.mass) == (0.5, 2.5)


def test_a_contradiction_is_told_and_the_last_position_kept(visit) -> None:
    page = visit("workbench")
    draw_four_bar(page)
    answered(page, "good")
    page.locator(".text .cm-line", has_text="length").first.click()
    page.keyboard.press("End")
    page.keyboard.press("Shift+Home")
    page.keyboard.type("length = 9")
    sentence = answered(page, "bad")
    assert "cannot close at joint 'C'" in sentence
    assert page.locator(".still.old .canvas").count() == 1
    assert page.locator(".text .cm-lintRange-error").count() >= 1
    assert page.get_by_text("The sketch shows the last description without one.").is_visible()
    page.get_by_role("button", name="Undo").click()
    assert "1 degree of freedom" in answered(page, "good")
    assert "length = 9\n" not in whole_description(page)


def test_the_editor_completes_by_the_schema_and_marks_what_is_not_toml(visit) -> None:
    page = visit("workbench")
    draw_four_bar(page)
    answered(page, "good")
    page.locator(".text .cm-content").focus()
    page.keyboard.press("Control+End")
    page.keyboard.type("\n[[joints]]\ntype = ")
    page.keyboard.press("Control+Space")
    offers = page.locator(".text .cm-tooltip-autocomplete")
    offers.wait_for()
    assert "pin in slot" in offers.inner_text()
    page.keyboard.type("pin")
    page.keyboard.press("Enter")
    page.keyboard.type("\na = ")
    page.keyboard.press("Control+Space")
    offers.wait_for()
    assert "link 1.start" in offers.inner_text()
    assert "ground.D" in offers.inner_text()
    page.keyboard.press("Escape")
    assert "not TOML" in answered(page, "bad")
    assert page.locator(".text .cm-lintRange-error, .text .cm-lint-marker-error").count() >= 1


def test_an_example_of_the_gallery_is_opened(visit) -> None:
    page = visit("workbench")
    menu = page.get_by_label("Open an example")
    wait_until(page, lambda: menu.locator("optgroup[label=Gallery] option").count() == len(gr.gallery()))
    menu.select_option("jansen")
    assert "driven by 1 motor" in answered(page, "good")
    assert page.locator(".position").is_hidden()
    assert loads(whole_description(page)) == gr.example("jansen")
    assert page.locator(".sheet .link").count() == 7
    page.get_by_text("Parts", exact=True).click()
    assert page.locator("[data-part^='point']").count() == 8
    menu.select_option("engine")
    assert "degree" in answered(page, "good")
    kept = page.locator(".detached").inner_text()
    assert "joints" not in kept  # the cylinder is drawn
    assert page.locator(".still .canvas").is_visible()
    assert "forces: gas, load" in kept


def test_a_description_that_is_edited_changes_its_sketch_and_the_sketch_keeps_the_rest_of_it(visit) -> None:
    page = visit("workbench#example=four-bar")
    answered(page, "good")
    before = example_text("four-bar")
    assert whole_description(page) == before
    # a point is dragged: its place in the description changes, comments and parameters stay
    page.get_by_role("button", name="Edit", exact=True).click()
    circle = page.locator(".sheet .points circle").nth(5)  # P, whose trace is a circle, too
    box = circle.bounding_box()
    start = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 40, start[1] - 30, steps=4)
    page.mouse.up()
    after = whole_description(page)
    assert after != before
    old, new = tomllib.loads(before), tomllib.loads(after)
    assert new["bodies"][1]["points"]["C"] == ["b", 0]
    assert new["bodies"][1]["points"]["P"] != old["bodies"][1]["points"]["P"]
    assert "# coupler point, along the coupler" in after
    assert new["parameters"] == old["parameters"]
    assert "1 degree of freedom, driven by 1 motor" in answered(page, "good")
    page.keyboard.press("Control+z")
    assert whole_description(page) == before
    # a number is edited: the sketch follows
    page.get_by_text("Parts", exact=True).click()
    field = page.locator("[data-field='point D x']")
    assert field.input_value() == "0.26"
    page.locator(".text .cm-line", has_text='"260 mm"').click()
    page.keyboard.press("Home")
    for _ in '{ name = "d", value = "26':
        page.keyboard.press("ArrowRight")
    page.keyboard.press("Backspace")
    page.keyboard.type("8")
    assert '"280 mm"' in whole_description(page)
    wait_until(page, lambda: field.input_value() == "0.28")


def test_a_mechanism_of_the_gallery_runs_live_in_the_page(visit) -> None:
    page = visit("workbench#example=four-bar")
    answered(page, "good")
    page.get_by_role("button", name="Run live").click()
    page.wait_for_selector("iframe.viewer", timeout=120_000)
    frame = page.frame_locator("iframe.viewer")
    frame.locator(".canvas[data-time]").wait_for(timeout=120_000)

    def time() -> float:
        return float(frame.locator(".canvas").get_attribute("data-time"))

    first = time()
    wait_until(page, lambda: time() > first)
    wait_until(page, lambda: "#m=" in page.url)  # the address holds it, and another profile finds the same
    other = visit(page.url.rpartition("/")[2])
    answered(other, "good")
    assert loads(whole_description(other)) == gr.example("four-bar")


def test_a_long_run_shows_its_progress_and_is_cancelled(visit) -> None:
    page = visit("workbench")
    draw_four_bar(page)
    answered(page, "good")
    page.get_by_label("Seconds to simulate").fill("1000000")
    page.get_by_role("button", name="Run", exact=True).click()
    wait_until(
        page, lambda: "left" in page.locator(".doing").inner_text() or "%" in page.locator(".doing").inner_text()
    )
    page.get_by_role("button", name="Cancel").click()
    wait_until(page, lambda: "cancelled" in page.locator(".run [role=alert]").inner_text())
    assert page.get_by_role("button", name="Run", exact=True).is_enabled()
    # the worker is free for the next question
    page.get_by_role("button", name="Undo").click()
    answered(page, "good")


def test_an_empty_sheet_is_not_run(visit) -> None:
    page = visit("workbench")
    page.wait_for_selector(".sheet .grid")
    page.get_by_role("button", name="Run", exact=True).click()
    assert "nothing to simulate yet" in page.locator(".run [role=alert]").inner_text()


def test_a_run_ends_when_its_page_is_closed(visit, served) -> None:
    page = visit("workbench#example=four-bar")
    answered(page, "good")
    page.get_by_label("Seconds to simulate").fill("1000000")
    with page.expect_response("**/api/runs?*") as begun:
        page.get_by_role("button", name="Run", exact=True).click()
    job = begun.value.json()["job"]
    wait_until(page, lambda: "%" in page.locator(".doing").inner_text())
    page.goto(page.url.partition("workbench")[0] + "gallery")
    wait_until(page, lambda: json.loads(served.ask("GET", f"/api/runs/{job}")[2])["state"] == "cancelled")


def test_hostile_names_are_text(visit) -> None:
    page = visit("workbench")
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())
    draw_four_bar(page)
    page.get_by_text("Parts", exact=True).click()
    for part, name in (
        ("point B", "<img src=x onerror=alert(1)>"),
        ("link link 1", '"]\n</script><script>alert(2)</script>'),
    ):
        page.locator(f"[data-field='{part} name']").fill(name)
        page.keyboard.press("Enter")
    assert "1 degree of freedom" in answered(page, "good")
    assert page.locator(".sheet .name", has_text="<img src=x onerror=alert(1)>").count() == 1
    assert page.locator("img, main script:not([src])").count() == 0
    page.get_by_label("Seconds to simulate").fill("0.1")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(".controls .transport", timeout=120_000)
    assert dialogs == []


def packed(content: bytes) -> str:
    return "#m=" + base64.urlsafe_b64encode(gzip.compress(content, mtime=0)).decode().rstrip("=")


@pytest.mark.parametrize(
    ("fragment", "sentence"),
    [
        ("#m=AAAA", "damaged"),
        ("#m=%%%", "damaged"),
        (packed(b" " * 50_000_000), "too large"),
        (packed(b'{"version": 2}'), "another version"),
        (
            packed(b'{"version": 1, "sketch": {"points": "all"}, "text": null, "traced": [], "seconds": 1}'),
            "no mechanism",
        ),
        (packed(b'{"version": 1, "sketch": null, "text": ["x"], "traced": [], "seconds": 1}'), "no mechanism"),
    ],
    ids=["nothing", "other characters", "too large", "another version", "another sketch", "another text"],
)
def test_a_damaged_link_is_told(visit, fragment: str, sentence: str) -> None:
    page = visit(f"workbench{fragment}")
    wait_until(page, lambda: page.locator(".remark").inner_text() != "")
    assert sentence in page.locator(".remark").inner_text()
