"""Files of the workbench: each form is saved by the page and read back by something else."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import grashof as gr
from grashof.model.files import loads
from tests.live.node import ask, bundled
from tests.server.conftest import wait_until
from tests.server.test_page_runs import BAR, SPRUNG, E, sketch_of
from tests.server.test_workbench import FOUR_BAR, answered, draw_four_bar, saved, whole_description

SCRIPT = """\
import { readFileSync } from "node:fs";
import { script, toml } from "./bundle.mjs";
const sketch = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify([script(sketch, 1), toml(sketch)]));
"""

LEVER = {"A": (0.0, 0.0), "B": (0.1, 0.0), "C": (0.02, -0.3), "D": (0.12, 0.15), "P": (0.0, 0.1)}
SLOT = {"name": "slot 1", "guide": "CDP", "rider": "AB", "point": "B", "from": "C", "to": "D", "angle": 0.0}

SKETCHES = {
    "a four-bar with a motor, a spring and a damper": {
        **BAR,
        "points": [*BAR["points"], E],
        "springs": SPRUNG,
        "motors": [{"link": "AB", "speed": 7.0}],
    },
    "a lever of three points with a slot, a force, a torque, and a slider": {
        **sketch_of(LEVER | {"S": (0.3, 0.15)}, ["AB", "CDP", "DS"], "AC", {"S": 0.0}),
        "slots": [{**SLOT, "keeps": False}],
        "forces": [{"name": "push", "point": "P", "x": 5.0, "y": -3.0}],
        "torques": [{"name": 'turn "it"', "link": "AB", "torque": 0.7}],
    },
    "a body that slides along a link without turning": {
        **sketch_of({"A": (0, 0), "B": (0.4, 0.3), "C": (0.2, 0.15), "D": (0.3, 0.4)}, ["AB", "CD"], "A"),
        "slots": [{**SLOT, "guide": "AB", "rider": "CD", "point": "C", "from": "A", "to": "B", "keeps": True}],
    },
}


@pytest.mark.parametrize("name", SKETCHES)
def test_a_script_builds_the_mechanism_of_the_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    driver = bundled(SCRIPT, "app/workbench/python", "app/workbench/toml")
    script, text = json.loads(ask(driver, SKETCHES[name]))
    monkeypatch.setattr(gr.Trajectory, "plot", lambda run: None)
    found: dict[str, Any] = {}
    exec(compile(script, "mechanism.py", "exec"), found)
    mine, model = found["run"], loads(text)
    theirs = gr.simulate(model, 1.0, times=mine.t)
    assert mine.status.ok
    assert theirs.status.ok
    for body in model.bodies:
        np.testing.assert_allclose(mine[f"{body.name}.angle"], theirs[f"{body.name}.angle"], atol=1e-9)
    assert {joint.name for joint in found["m"].model.joints} == {joint.name for joint in model.joints}


def test_pictures_tables_scripts_and_descriptions_are_saved_and_opened(visit, tmp_path: Path) -> None:
    page = visit("workbench")
    draw_four_bar(page)
    answered(page, "good")
    text = whole_description(page)
    svg = ElementTree.parse(saved(page, "Picture (SVG)")).getroot()
    texts = [element.text for element in svg.iter("{http://www.w3.org/2000/svg}text")]
    assert [name for name in texts if name] == ["A", "B", "C", "D"]
    assert {element.get("class") for element in svg.iter()} == {None}  # nothing depends on the style of the page
    assert saved(page, "Picture (PNG)").read_bytes().startswith(b"\x89PNG")
    assert "gr.simulate" in saved(page, "Python script").read_text("utf-8")
    page.get_by_label("Save as").select_option("Table of the run (CSV)")
    wait_until(page, lambda: "There is no run yet" in page.locator(".remark").inner_text())
    page.get_by_label("Seconds to simulate").fill("1")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_selector(".controls .transport", timeout=120_000)
    heads, *rows = csv.reader(saved(page, "Table of the run (CSV)").read_text("utf-8").splitlines())
    column = heads.index("link 2.end.x [m]")
    times, values = np.array([[float(row[0]), float(row[column])] for row in rows]).T
    run = gr.simulate(loads(text), 1.0, times=times)
    np.testing.assert_allclose(values, run["link 2.end.x"], atol=1e-5)  # 32-bit floats
    # the browser keeps it, and the file brings it back as a drawing
    place = tmp_path / "mechanism.toml"
    place.write_bytes(saved(page, "Description (TOML)").read_bytes())
    page.get_by_label("Save as").select_option("In this browser")
    page.get_by_role("button", name="New", exact=True).click()
    assert page.locator(".sheet .link").count() == 0
    page.get_by_label("Open", exact=True).select_option("kept linkage")
    wait_until(page, lambda: page.locator(".sheet .link").count() == 3)
    assert whole_description(page) == text
    page.get_by_role("button", name="New", exact=True).click()
    page.get_by_label("File to open").set_input_files(place)
    wait_until(page, lambda: page.locator(".sheet .link").count() == 3)
    assert whole_description(page) == text
    # a description of any other origin is opened, too
    place.write_text(text.replace('name = "linkage"', 'name = "another"'), encoding="utf-8")
    page.get_by_label("File to open").set_input_files(place)
    wait_until(page, lambda: 'name = "another"' in whole_description(page))
    answered(page, "good")
    wait_until(page, lambda: page.locator(".sheet .link").count() == 3)


def test_films_and_drawings_of_links_are_saved(visit) -> None:
    image, ezdxf = pytest.importorskip("PIL.Image"), pytest.importorskip("ezdxf")
    page = visit("workbench")
    draw_four_bar(page)
    page.keyboard.press("t")
    box = page.locator(".sheet").bounding_box()
    page.mouse.click(box["x"] + FOUR_BAR["C"][0], box["y"] + FOUR_BAR["C"][1])
    text = whole_description(page)
    page.get_by_label("Seconds to simulate").fill("2")
    page.get_by_label("Seconds to simulate").press("Tab")
    with image.open(saved(page, "Film of the run (GIF)")) as film:
        assert film.n_frames == 40  # two seconds in real time
    page.on("dialog", lambda dialog: dialog.accept("30 mm, 12 mm"))
    side_by_side = ezdxf.readfile(saved(page, "Links to be cut (DXF)")).modelspace()
    assert len(side_by_side.query("LWPOLYLINE")) == 3
    assert [circle.dxf.radius for circle in side_by_side.query("CIRCLE")] == [6.0] * 6
    assembled = ezdxf.readfile(saved(page, "Links and paths, assembled (DXF)")).modelspace()
    (curve,) = assembled.query('LWPOLYLINE[layer ? "curve.*"]')
    # C is a pin at the end of the last link, so that its path is an arc about the pin D
    places = np.array([place[:2] for place in curve.get_points()])
    (last,) = [body for body in loads(text).bodies if body.name == "link 3"]
    pins = np.array([list(circle.dxf.center)[:2] for circle in assembled.query('CIRCLE[layer=="link 3"]')])
    distances = np.linalg.norm(places[:, None] - pins, axis=2)
    np.testing.assert_allclose(distances[:, np.argmin(np.ptp(distances, axis=0))], 1e3 * last.length, rtol=1e-6)
