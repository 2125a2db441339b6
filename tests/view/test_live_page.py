"""Live pages in a real browser: they simulate what the engine in Python simulates."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import grashof as gr
from grashof.cli.app import app
from grashof.live import live_page
from grashof.model.mechanism import Mechanism
from grashof.problems import make_case
from tests.live import mechanisms
from tests.view.test_motion_page import wait_until

VIEWER = "window.grashof.viewers[0]"
ENGINE = f"{VIEWER}.simulator.engine"


def ready(page) -> None:
    page.wait_for_selector(".canvas[data-time]", timeout=120_000)


def pause(page) -> float:
    """Stops the time, and tells it."""
    page.evaluate(f"{VIEWER}.store.set({{ playing: false }})")
    page.wait_for_timeout(100)
    return float(page.evaluate(f"{ENGINE}.time"))


def quantities(page) -> dict[str, float]:
    return dict(
        zip(
            page.evaluate(f"{ENGINE}.observed.map((x) => x.name)"),
            page.evaluate(f"[...{ENGINE}.quantities()]"),
            strict=True,
        )
    )


@pytest.fixture(scope="module")
def crank() -> str:
    return live_page(mechanisms.slider_crank(), observe=["rod.end.x", "crank.angle"])


def test_a_slider_gives_the_motion_that_the_native_engine_gives(open_page, crank: str) -> None:
    page = open_page(crank)
    ready(page)
    pause(page)
    field = page.get_by_label("r, in m")
    field.fill("0.11")
    field.press("Enter")
    assert page.evaluate(f"{ENGINE}.time") == 0.0
    assert page.evaluate(f"{ENGINE}.values[0]") == 0.11
    assert page.evaluate(f"{ENGINE}.advance(1.3).ok")
    run = gr.simulate(gr.with_numbers(mechanisms.slider_crank().model, {"r": 0.11}), 1.3, times=[0.0, 1.3])
    found = quantities(page)
    assert found["rod.end.x"] == pytest.approx(run["rod.end.x"][-1], abs=1e-6)
    slider = page.get_by_role("slider", name="r", exact=True)
    slider.focus()
    slider.press("Home")
    assert page.evaluate(f"{ENGINE}.values[0]") == 0.06


def test_why_numbers_cannot_be_changed_stands_beside_the_numbers(open_page) -> None:
    """A long sentence above the picture would push the controls out of the frame of a problem's page, 734 pixels
    high."""
    page = open_page(live_page(make_case("double-four-bar").model))
    ready(page)
    page.set_viewport_size({"width": 1176, "height": 734})
    assert "cannot be changed" in page.locator(".knobs .notes").inner_text()
    box = page.locator(".transport").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 734


def test_a_tree_of_thirty_bodies_moves_as_in_the_native_engine(open_page) -> None:
    """In relative coordinates, of which the page does not know; then its end is pulled upwards."""
    page = open_page(live_page(mechanisms.robot_arm(30), 0.3, observe=["link29.b.z"]))
    ready(page)
    assert "cannot be changed" in page.locator("body").inner_text()
    pause(page)
    assert page.evaluate(f"{ENGINE}.restart([]).ok")
    run = gr.simulate(mechanisms.robot_arm(30), 0.25, times=[0.0, 0.2, 0.25])
    assert page.evaluate(f"{ENGINE}.advance(0.2).ok")
    z = quantities(page)["link29.b.z"]
    assert z == pytest.approx(run["link29.b.z"][1], abs=2e-6 * run.program.system.length)
    page.evaluate(f"{ENGINE}.pull(29, [0.3, 0, 0], [0, 0, {z + 3.0}], 100.0)")
    assert page.evaluate(f"{ENGINE}.advance(0.25).ok")
    assert quantities(page)["link29.b.z"] > run["link29.b.z"][2] + 1e-3


def test_the_drawing_has_the_length_that_is_chosen(open_page, crank: str) -> None:
    page = open_page(crank)
    ready(page)
    pause(page)

    def arm() -> float:
        ends = [np.array(page.evaluate(f"{VIEWER}.stage.pixel('{name}')")) for name in ("crank.start", "crank.end")]
        return float(np.linalg.norm(ends[1] - ends[0]))

    before = arm()
    field = page.get_by_label("r, in m")
    field.fill("0.16")
    field.press("Enter")
    wait_until(page, lambda: arm() == pytest.approx(2.0 * before, rel=1e-2))
    drawn = page.evaluate(f"{VIEWER}.stage.scene.bodies[1].shapes[0].through.map((spot) => spot.at)")
    assert np.linalg.norm(np.subtract(*drawn)) == pytest.approx(0.16)


def test_time_runs_pauses_and_runs_backwards(open_page, crank: str) -> None:
    page = open_page(crank)
    ready(page)
    wait_until(page, lambda: page.evaluate(f"{ENGINE}.time") > 0.2)
    page.get_by_role("button", name="Pause").click()
    time = pause(page)
    page.wait_for_timeout(300)
    assert page.evaluate(f"{ENGINE}.time") == time
    page.get_by_role("button", name="Reverse").click()
    page.get_by_role("button", name="Play").click()
    wait_until(page, lambda: page.evaluate(f"{ENGINE}.time") < time - 0.1)
    page.get_by_role("button", name="Restart").click()
    assert page.get_by_role("button", name="Reverse").get_attribute("aria-pressed") == "false"


def test_a_pause_shows_the_numbers_of_the_time_shown(open_page, crank: str) -> None:
    """Plots are drawn only now and then while time runs; whatever the moment of the pause, the numbers beside them
    are the last ones."""
    page = open_page(crank)
    ready(page)
    for _ in range(8):
        began = page.evaluate(f"{ENGINE}.time")
        wait_until(page, lambda began=began: page.evaluate(f"{ENGINE}.time") > began + 0.1)
        page.get_by_role("button", name="Pause").click()
        shown = [float(text.replace("−", "-").split()[0]) for text in page.locator(".legend output").all_inner_texts()]
        assert shown == pytest.approx(list(quantities(page).values()), rel=6e-4)  # four digits
        page.get_by_role("button", name="Play").click()


def test_a_loop_that_cannot_close_is_told_and_the_last_position_stays(open_page) -> None:
    page = open_page(live_page(mechanisms.four_bar(), observe=["crank.angle"]))
    ready(page)
    pause(page)
    before = page.evaluate(f"[...{ENGINE}.poses()]")
    field = page.get_by_label("a, in m")
    field.fill("2.9")
    field.press("Enter")
    assert "cannot be closed" in page.locator("p[role=status]").inner_text()
    assert field.get_attribute("aria-invalid") == "true"
    assert page.evaluate(f"[...{ENGINE}.poses()]") == before
    field.fill("0.25")
    field.press("Enter")
    assert field.get_attribute("aria-invalid") == "false"
    assert "cannot be closed" not in page.locator("p[role=status]").inner_text()


def test_a_point_is_pulled_by_the_mouse(open_page) -> None:
    """A pendulum at rest follows the mouse to the right, and swings when it is let go."""
    m = Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-0.5 * math.pi)
    page = open_page(live_page(m, observe=["rod.angle", "rod.end.x"]))
    ready(page)
    box = page.locator(".canvas").bounding_box()
    x, y = page.evaluate(f"{VIEWER}.stage.pixel('rod.end')")
    page.mouse.move(box["x"] + x, box["y"] + y)
    page.mouse.down()
    page.mouse.move(box["x"] + x + 120, box["y"] + y - 20, steps=5)
    wait_until(page, lambda: quantities(page)["rod.end.x"] > 0.05)
    page.mouse.up()
    highest = quantities(page)["rod.end.x"]
    wait_until(page, lambda: quantities(page)["rod.end.x"] < 0.5 * highest)


def test_a_motor_is_turned_by_the_mouse(open_page, crank: str) -> None:
    page = open_page(crank)
    ready(page)
    pause(page)
    page.get_by_role("button", name="Restart").click()
    wait_until(page, lambda: float(page.get_attribute(".canvas", "data-time")) == 0.0)
    box = page.locator(".canvas").bounding_box()
    (x0, y0), (x, y) = (page.evaluate(f"{VIEWER}.stage.pixel('{name}')") for name in ("crank.start", "crank.end"))
    reach = math.hypot(x - x0, y - y0)
    grip = 0.6
    page.mouse.move(box["x"] + x0 + grip * (x - x0), box["y"] + y0 + grip * (y - y0))
    page.mouse.down()
    page.mouse.move(box["x"] + x0, box["y"] + y0 - grip * reach, steps=8)
    page.mouse.up()
    found = quantities(page)
    assert found["crank.angle"] == pytest.approx(0.5 * math.pi, abs=0.05)
    assert found["rod.end.x"] == pytest.approx(math.sqrt(0.25**2 - 0.08**2), abs=2e-3)


def test_names_are_text(open_page) -> None:
    m = Mechanism("<script>alert(1)</script>", gravity=(0, -9.81))
    rod = m.bar("<img src=x onerror=alert(1)>", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=-1.0)
    page = open_page(live_page(m))
    ready(page)
    assert page.locator("h1").inner_text() == "<script>alert(1)</script>"
    assert page.locator(".knob label", has_text="<img src=x").count() > 0
    assert page.locator(".knob img").count() == 0


def test_the_page_of_andrews_squeezer_is_small() -> None:
    from grashof.problems import make_case

    assert len(live_page(make_case("andrews").model, 0.05)) < 1_000_000


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    out = tmp_path / "pages" / "andrews.html"
    done = CliRunner().invoke(app, ["live", "andrews", "-o", str(out), "--number", "drive.torque"])
    assert done.exit_code == 0, done.output
    assert "Wrote" in done.output
    assert "Content-Security-Policy" in out.read_text()
    refused = CliRunner().invoke(app, ["live", "andrews", "-o", str(tmp_path / "page.txt")])
    assert refused.exit_code == 2
    assert "ends in .html" in refused.output


def test_a_notebook_shows_a_live_page(tmp_path: Path) -> None:
    m = mechanisms.slider_crank()
    shown = m.live(tmp_path / "crank.html", numbers=["r"])
    assert (tmp_path / "crank.html").read_text() == shown.html
    assert shown._repr_html_().startswith("<iframe")
    run = gr.simulate(m, 1.0)
    assert "wasm-unsafe-eval" in run.live().html
