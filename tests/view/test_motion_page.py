"""A page with a recorded motion, in a real browser."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import grashof as gr
from grashof.problems import make_case
from grashof.view import motion_page

STORE = "window.grashof.viewers[0].store"
STAGE = "window.grashof.viewers[0].stage"


@pytest.fixture(scope="module")
def andrews() -> tuple[gr.Trajectory, str]:
    case = make_case("andrews")
    run = gr.simulate(case.model, case.t_end)
    return run, motion_page(run)


def ready(page) -> None:
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)


def seen(page) -> float:
    """The time that the picture shows."""
    return float(page.get_attribute(".canvas", "data-time"))


def wait_until(page, holds: Callable[[], bool]) -> None:
    """The content policy of the page forbids Playwright's own waiting, which evaluates texts in it."""
    for _ in range(600):
        if holds():
            return
        page.wait_for_timeout(50)
    raise AssertionError("nothing happened for half a minute")


def paused_at(page, time: float) -> None:
    """Waits for the picture of a time."""
    page.evaluate(f"{STORE}.set({{ playing: false, time: {time!r} }})")
    wait_until(page, lambda: seen(page) == time)


def test_a_page_is_small(andrews) -> None:
    assert len(andrews[1].encode()) < 1_000_000


def test_the_mechanism_moves_while_it_plays(open_page, andrews) -> None:
    page = open_page(andrews[1])
    ready(page)
    first = seen(page)
    wait_until(page, lambda: seen(page) > first + 1e-4)
    page.get_by_role("button", name="Pause").click()
    assert page.get_by_role("button", name="Play").is_visible()


@pytest.mark.parametrize("time", [0.0, 0.0125, 0.041])
def test_a_point_is_in_pixels_where_the_trajectory_says(open_page, andrews, time: float) -> None:
    run, html = andrews
    page = open_page(html)
    ready(page)
    paused_at(page, time)
    motion = gr.Trajectory(run.program, run.steps, np.array([time]))
    # two points tell scale and origin of the picture, a third one is then where it must be
    pixels = {name: np.array(page.evaluate(f"{STAGE}.pixel('{name}')")) for name in ("ground.O", "OF.F", "EBD.E")}
    places = {"ground.O": np.zeros(2)} | {
        name: np.array([motion[f"{name}.x"][0], -motion[f"{name}.y"][0]]) for name in ("OF.F", "EBD.E")
    }
    scale = np.linalg.norm(pixels["EBD.E"] - pixels["ground.O"]) / np.linalg.norm(places["EBD.E"] - places["ground.O"])
    expected = pixels["ground.O"] + scale * (places["OF.F"] - places["ground.O"])
    assert np.max(np.abs(pixels["OF.F"] - expected)) < 0.5


def test_the_picture_shows_ink_at_a_pin_and_paper_beside_the_mechanism(open_page, andrews) -> None:
    page = open_page(andrews[1], color_scheme="light")
    ready(page)
    paused_at(page, 0.0)
    page.wait_for_timeout(200)
    x, y = page.evaluate(f"{STAGE}.pixel('ground.A')")

    def color(px: float, py: float) -> list[int]:
        return page.evaluate(
            """([x, y]) => {
                const canvas = document.querySelector('.canvas');
                const copy = document.createElement('canvas');
                [copy.width, copy.height] = [canvas.width, canvas.height];
                const context = copy.getContext('2d');
                context.drawImage(canvas, 0, 0);
                const ratio = canvas.width / canvas.clientWidth;
                return [...context.getImageData(Math.round(x * ratio), Math.round(y * ratio), 1, 1).data];
            }""",
            [px, py],
        )

    rim = [color(x + 5.5 * np.cos(a), y + 5.5 * np.sin(a)) for a in np.linspace(0.0, 6.0, 9)]
    assert min(sum(c[:3]) for c in rim) < 250  # the dark rim of the pin
    assert sum(color(8, 8)[:3]) > 3 * 250  # paper in the corner


def test_the_cursor_of_a_plot_moves_the_time(open_page, andrews) -> None:
    page = open_page(andrews[1])
    ready(page)
    paused_at(page, 0.0)
    box = page.locator(".plot").first.bounding_box()
    left, right = 62 / 420, 1 - 10 / 420  # of the plot's width, where its axis begins and ends
    for part in (0.25, 0.8):
        page.mouse.move(box["x"] + box["width"] * 0.5, box["y"] + box["height"] / 2)
        page.mouse.down()
        page.mouse.move(box["x"] + box["width"] * (left + part * (right - left)), box["y"] + box["height"] / 2, steps=4)
        page.mouse.up()
        assert page.evaluate(f"{STORE}.state.time") == pytest.approx(0.05 * part, abs=0.05 * 0.004)


def test_the_legend_tells_the_values_of_the_run(open_page, andrews) -> None:
    run, html = andrews
    page = open_page(html)
    ready(page)
    paused_at(page, 0.03)
    told = page.locator(".legend li", has_text="kinetic").locator("output").inner_text()
    motion = gr.Trajectory(run.program, run.steps, np.array([0.03]))
    assert float(told.removesuffix(" J")) == pytest.approx(motion["kinetic"][0], rel=2e-3)


def test_keys_and_menus(open_page, andrews) -> None:
    page = open_page(andrews[1])
    ready(page)
    page.focus(".canvas")
    page.keyboard.press(" ")
    assert not page.evaluate(f"{STORE}.state.playing")
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(f"{STORE}.state.time") == pytest.approx(0.05 / 200)
    page.get_by_text("Show", exact=True).click()
    page.get_by_label("Names of points").check()
    wait_until(page, lambda: page.locator(".names span", has_text="OF.F").first.is_visible())
    page.get_by_label("Select a part").select_option(label="OF")
    assert "kg" in page.locator(".inspector").inner_text()
    page.get_by_label("Plot a quantity").select_option("OF.F.x")
    assert page.locator(".legend", has_text="OF.F.x").count() == 1


def test_angles_are_plotted_in_degrees_wrapped_and_over_one_another(open_page, andrews) -> None:
    run = andrews[0]
    page = open_page(andrews[1])
    ready(page)
    paused_at(page, 0.025)
    angle = float(np.interp(0.025, run.t, run["OF.angle"]))

    def shown() -> float:
        text = page.locator(".legend li", has_text="OF.angle").locator("output").first.inner_text()
        assert text.endswith("°")
        return float(text.split()[0].replace("−", "-"))

    page.get_by_label("Angles").select_option("degrees")
    assert shown() == pytest.approx(np.degrees(angle), rel=1e-3)
    page.get_by_label("Angles").select_option("wrapped")
    assert shown() == pytest.approx(np.remainder(np.degrees(angle) + 180, 360) - 180, rel=1e-3)
    page.get_by_label("Plot against").select_option("OF.F.x")
    assert page.locator(".plot .unit", has_text="m").count() >= 1
    # the cursor stands at the value of what is plotted against, of its whole range
    place = float(np.interp(0.025, run.t, run["OF.F.x"]))
    low, high = run["OF.F.x"].min(), run["OF.F.x"].max()
    part = (place - low + 0.06 * (high - low)) / (1.12 * (high - low))
    moved = page.locator(".plot .cursor").first.get_attribute("transform")
    assert float(moved.partition("(")[2].split()[0]) == pytest.approx(62 + part * (420 - 62 - 10), abs=1.5)


def test_a_click_selects_what_is_there(open_page, andrews) -> None:
    page = open_page(andrews[1])
    ready(page)
    paused_at(page, 0.0)
    page.wait_for_timeout(100)
    box = page.locator(".canvas").bounding_box()
    x, y = page.evaluate(f"{STAGE}.pixel('ground.A')")
    page.mouse.click(box["x"] + x, box["y"] + y)
    selected = page.evaluate(f"{STORE}.state.selected")
    assert selected["kind"] == "symbol"
    assert "revolute" in page.locator(".inspector").inner_text()


def test_hostile_names_are_text(open_page) -> None:
    name = "<script>alert(1)</script>"
    m = gr.Mechanism("</script><img src=x onerror=alert(2)>", gravity=(0, -9.81))
    bar = m.bar(name, length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), bar.start)
    page = open_page(motion_page(gr.simulate(m, 1.0)))
    dialogs = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())
    ready(page)
    page.get_by_label("Select a part").select_option(label=name)
    assert name in page.locator(".inspector").inner_text()
    assert "<img" in page.locator("h1").inner_text()
    assert page.title().startswith("</script>")
    assert dialogs == []


def test_a_mechanism_in_space_is_drawn_and_turned(open_page) -> None:
    m = gr.Mechanism("Cardan shaft", dimension=3)
    one, two = m.bar("one", length=1.0, mass=1.0), m.bar("two", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0, 0), one.start, axis=(0, 0, 1))
    m.spherical(one.end, two.start)
    page = open_page(motion_page(gr.simulate(m, 1.0)))
    ready(page)
    before = page.evaluate(f"{STAGE}.pixel('two.end')")
    box = page.locator(".canvas").bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 300)
    page.mouse.down()
    page.mouse.move(box["x"] + 420, box["y"] + 340, steps=5)
    page.mouse.up()
    page.evaluate(f"{STORE}.set({{ playing: false, time: 0 }})")
    after = page.evaluate(f"{STAGE}.pixel('two.end')")
    assert np.linalg.norm(np.subtract(before, after)) > 5


def test_a_page_follows_the_theme_of_the_system(open_page, andrews) -> None:
    for scheme in ("light", "dark"):
        page = open_page(andrews[1], color_scheme=scheme)
        ready(page)
        assert page.get_attribute(".grashof", "data-theme") == scheme


def test_the_view_is_turned_moved_and_zoomed_by_keys(open_page, andrews) -> None:
    """In space Shift and arrows turn the view about what it looks at; in the plane they move it; a point beside the
    middle shows both."""
    space = open_page(motion_page(gr.example("stewart")))
    ready(space)
    point = space.evaluate(f"{STAGE}.scene.points.find((point) => point.spot.body > 0).name")

    def pixel(page, name: str) -> np.ndarray:
        return np.array(page.evaluate(f"{STAGE}.pixel({name!r})"))

    first = pixel(space, point)
    space.locator(".canvas").focus()
    for _ in range(24):  # all around, in steps of 15 degrees
        space.keyboard.press("Shift+ArrowRight")
        assert np.isfinite(pixel(space, point)).all()
    assert pixel(space, point) == pytest.approx(first, abs=0.5)
    space.keyboard.press("Shift+ArrowRight")
    assert np.linalg.norm(pixel(space, point) - first) > 5
    space.keyboard.press("Shift+ArrowLeft")
    space.keyboard.press("Shift+ArrowUp")
    assert np.linalg.norm(pixel(space, point) - first) > 5
    plane = open_page(andrews[1])
    ready(plane)
    paused_at(plane, 0.01)
    before = pixel(plane, "OF.F"), pixel(plane, "EBD.D")
    plane.locator(".canvas").focus()
    plane.keyboard.press("Shift+ArrowRight")
    after = pixel(plane, "OF.F"), pixel(plane, "EBD.D")
    moved = after[0] - before[0]
    assert moved[0] < -20  # the view goes to the right, so that what is seen goes to the left
    assert after[1] - before[1] == pytest.approx(moved, abs=0.5)
    assert seen(plane) == 0.01  # the time is not touched
    plane.keyboard.press("+")
    larger = np.linalg.norm(pixel(plane, "OF.F") - pixel(plane, "EBD.D"))
    assert larger == pytest.approx(1.2 * np.linalg.norm(after[0] - after[1]), rel=1e-3)
