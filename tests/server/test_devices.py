"""Gears, belts, racks, cams, cylinders, stops, ropes and friction of the workbench: what they say, in a file, in a
script, in the page's own solver and back from a file."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import grashof as gr
from grashof.model.files import loads
from grashof.server import tasks
from tests.live.node import ask, bundled
from tests.server.test_drag import Places, drag, sketch_of
from tests.server.test_page_runs import run, series

DRIVER = """\
import { readFileSync } from "node:fs";
import { toml, script, withDevice, courseOf, merged, unknown } from "./bundle.mjs";
const { sketch, make, text, value } = JSON.parse(readFileSync(0, "utf8"));
let found = sketch;
const refused = [];
for (const [type, links, points] of make) {
  const next = withDevice(found, type, links, points);
  if (typeof next === "string") refused.push(next);
  else found = next;
}
if (value) {
  const [name, key, to] = value;
  const changed = (one) => (one.name === name ? { ...one, values: { ...one.values, [key]: to } } : one);
  const after = { ...found, devices: found.devices.map(changed) };
  const gone = merged(text, found, { ...found, devices: [] });
  console.log(JSON.stringify({ text: merged(text, found, after), gone }));
} else {
  const course = courseOf(found);
  const counts = { freedoms: course?.freedoms ?? null, redundant: course?.redundant ?? null };
  const said = { text: toml(found), script: script(found, 1), refused, unknown: unknown(found) };
  console.log(JSON.stringify({ sketch: found, ...counts, ...said }));
}
"""

MODULES = ("toml", "python", "devices/kinds", "kinematics/course", "merge")


def asked(**given: Any) -> dict[str, Any]:
    driver = bundled(DRIVER, *(f"app/workbench/{x}" for x in MODULES))
    found: dict[str, Any] = json.loads(ask(driver, {"make": [], **given}))
    return found


def drawn(
    points: Places, links: list[str], ground: str, make: list[Any], sliders: dict[str, float], **more: Any
) -> Any:
    return {**asked(sketch={**sketch_of(points, links, ground, sliders), **more}, make=make)}


WHEELS = {"A": (0.0, 0.0), "B": (0.1, 0.05), "C": (0.3, 0.0), "D": (0.38, 0.1)}
SLIDE = {**WHEELS, "E": (0.4, -0.06), "F": (0.5, -0.3)}
LEVER = {"A": (0.0, 0.0), "B": (0.4, 0.1), "C": (0.3, -0.3)}
PLANETS = {"A": (0.0, 0.0), "B": (0.2, 0.05), "C": (0.25, 0.15), "S": (0.05, -0.02)}
CASES: dict[str, tuple[Places, list[str], str, dict[str, float], list[Any], int]] = {
    "gears": (WHEELS, ["AB", "CD"], "AC", {}, [["gear", ["AB", "CD"], []]], 1),
    "a planet": (PLANETS, ["AS", "AB", "BC"], "A", {}, [["gear", ["AS", "BC"], []]], 2),
    "a belt": (WHEELS, ["AB", "CD"], "AC", {}, [["belt", ["AB", "CD"], []]], 1),
    "a rack": (SLIDE, ["CD", "EF"], "C", {"E": 0.0}, [["rack", ["CD"], ["E"]]], 2),
    "a rack aslant": (SLIDE, ["CD", "EF"], "C", {"E": 30.0}, [["rack", ["CD"], ["E"]]], 2),
    "a cam": (WHEELS, ["AB", "CD"], "AC", {}, [["cam", ["AB"], ["D"]]], 1),
    "a cylinder": (LEVER, ["AB"], "AC", {}, [["cylinder", [], ["C", "B"]]], 1),
    "stops": (LEVER, ["AB"], "A", {}, [["stop", ["AB"], []], ["stop", [], ["B"]]], 1),
    "a rope": (LEVER, ["AB"], "AC", {}, [["rope", [], ["C", "B"]]], 1),
    "friction": (SLIDE, ["CD", "EF"], "C", {"E": 0.0}, [["friction", [], ["C"]], ["friction", [], ["E"]]], 3),
}


@pytest.mark.parametrize("name", CASES)
def test_a_device_says_the_same_in_a_file_in_a_script_and_read_back(name: str) -> None:
    points, links, ground, sliders, make, freedoms = CASES[name]
    found = drawn(points, links, ground, make, sliders)
    assert found["refused"] == []
    model = loads(found["text"])
    assert gr.mobility(model).dof + len(model.motors) == freedoms
    if found["freedoms"] is not None:
        assert (found["freedoms"], found["redundant"]) == (freedoms, 0)
    space: dict[str, Any] = {}
    exec(found["script"].partition("\nrun = ")[0], space)
    made = space["m"].model
    for part in ("measures", "forces", "motors", "couplings", "joints"):
        assert getattr(made, part) == getattr(model, part), part
    back = tasks.check(lambda *_: None, text=found["text"])
    assert back["kept"] == ""
    known = {part["name"]: part for part in back["sketch"]["devices"]}
    for device in found["sketch"]["devices"]:
        twin = known[device["name"]]
        assert (twin["type"], twin["links"], len(twin["points"])) == (
            device["type"],
            device["links"],
            len(device["points"]),
        )
        if device["type"] != "cam":
            assert {key: twin["values"].get(key) for key in device["values"]} == pytest.approx(device["values"])
    if name in ("stops", "a rope", "friction"):  # the others are run below
        assert gr.simulate(model, 0.3).status.ok


@pytest.mark.parametrize(
    ("name", "value", "line"),
    [
        ("gears", ("gear 1", "b", 35), "teeth = [20, 35]"),
        ("a cylinder", ("cylinder 1", "speed", "0.2*t"), 'speed = "0.2*t"'),
        ("stops", ("stop 1", "stiffness", 500), "stiffness = 500"),
        ("friction", ("friction 2", "mu", 0.25), "mu = 0.25"),
    ],
)
def test_a_value_is_changed_in_a_description_and_nothing_else(name: str, value: Any, line: str) -> None:
    points, links, ground, sliders, make, _ = CASES[name]
    text = "# a remark\n" + drawn(points, links, ground, make, sliders)["text"]
    sketch = tasks.check(lambda *_: None, text=text)["sketch"]
    found = asked(sketch=sketch, text=text, value=value)
    before, after = text.splitlines(), found["text"].splitlines()
    assert line in after
    assert sum(one not in after for one in before) <= 1
    assert sum(one not in before for one in after) == 1
    # without its devices, nothing of them is left
    bare = loads(found["gone"])
    assert (bare.couplings, bare.forces, bare.motors, bare.measures) == ((), (), (), ())


MOTOR = {"motors": [{"link": "AB", "speed": 5.0}]}
PENDULUM = {**LEVER, "D": (0.6, -0.1)}
RUNS: dict[str, Any] = {
    "gears": (WHEELS, ["AB", "CD"], "AC", {}, [["gear", ["AB", "CD"], []]], {}, {}),
    "gears with a motor": (WHEELS, ["AB", "CD"], "AC", {}, [["gear", ["AB", "CD"], []]], MOTOR, {"a": 18, "b": 42}),
    "an internal planet": (
        PLANETS,
        ["AS", "AB", "BC"],
        "A",
        {},
        [["gear", ["AS", "BC"], []]],
        {},
        {"a": 60, "b": 18, "internal": True},
    ),
    "a crossed belt": (
        WHEELS,
        ["AB", "CD"],
        "AC",
        {},
        [["belt", ["AB", "CD"], []]],
        {},
        {"a": 0.03, "b": 0.07, "crossed": True},
    ),
    "a rack aslant": (SLIDE, ["CD", "EF"], "C", {"E": 30.0}, [["rack", ["CD"], ["E"]]], {}, {}),
    "a cylinder": (PENDULUM, ["AB", "BD"], "AC", {}, [["cylinder", [], ["C", "B"]]], {}, {"speed": "0.05"}),
}


@pytest.mark.parametrize("name", RUNS)
def test_the_page_computes_what_the_native_engine_does(name: str) -> None:
    points, links, ground, sliders, make, more, values = RUNS[name]
    sketch = drawn(points, links, ground, make, sliders, **more)["sketch"]
    sketch["devices"] = [{**one, "values": {**one["values"], **values}} for one in sketch["devices"]]
    assert asked(sketch=sketch)["unknown"] == []
    page = run(sketch, 1.0)
    assert page["ending"]["ok"], page["ending"]
    native = gr.simulate(loads(page["text"]), 1.0, tol=1e-10, times=page["times"])
    assert native.status.ok
    for link in sketch["links"]:
        # quantities of pages have seven digits
        here, there = series(page, f"{link['name']}.angle"), native[f"{link['name']}.angle"]
        turns = 2 * math.pi * round((here[0] - there[0]) / (2 * math.pi))
        assert here - turns == pytest.approx(there, abs=2e-5 if "rack" in name else 5e-6)
        for point in link["points"]:
            label = "start" if point == link["points"][0] else "end"
            places = np.array(page["points"][point])[:, :2]
            for k, axis in enumerate("xy"):
                seen = native[f"{link['name']}.{label}.{axis}"]
                assert np.max(np.abs(places[:, k] - seen)) < 1e-8


def test_gears_turn_by_their_ratio_when_moved_by_hand_and_stops_and_ropes_hold() -> None:
    points, links, ground, sliders, make, _ = CASES["gears"]
    sketch = drawn(points, links, ground, make, sliders)["sketch"]
    sketch["devices"][0]["values"].update(a=20, b=50)
    angles = np.linspace(0, 4 * math.pi, 100)
    radius, begin = math.hypot(0.1, 0.05), math.atan2(0.05, 0.1)
    frames, _ = drag(sketch, "B", radius * np.column_stack((np.cos(begin + angles), np.sin(begin + angles))))
    arms = np.array([np.subtract(frame["points"]["D"], frame["points"]["C"]) for frame in frames])
    turned = np.unwrap(np.arctan2(arms[:, 1], arms[:, 0]))
    assert turned - turned[0] == pytest.approx(-0.4 * angles, abs=1e-6)
    for name, sentence in (("stops", "stop 1 stops it here."), ("a rope", "rope 1 stops it here.")):
        points, links, ground, sliders, make, _ = CASES[name]
        sketch = drawn(points, links, ground, make[:1], sliders)["sketch"]
        goal = (0.0, 0.5) if name == "stops" else (-0.2, 0.4)
        frames, _ = drag(sketch, "B", [goal])
        assert frames[0]["stop"]["sentence"] == sentence
        x, y = frames[0]["points"]["B"]
        if name == "stops":
            assert math.atan2(y, x) == pytest.approx(math.atan2(0.1, 0.4) + math.pi / 4, abs=2e-6)
        else:
            assert math.hypot(x - 0.3, y + 0.3) == pytest.approx(math.hypot(0.1, 0.4), abs=1e-6)


def test_what_cannot_be_there_is_refused_with_a_sentence() -> None:
    loose = sketch_of({**WHEELS, "X": (1.0, 1.0), "Y": (1.2, 1.0)}, ["AB", "CD", "XY"], "AC")
    tried = [
        ["gear", ["AB", "XY"], []],
        ["gear", ["AB", "AB"], []],
        ["rack", ["AB"], ["D"]],
        ["rack", ["XY"], ["D"]],
        ["cam", ["XY"], ["B"]],
        ["cam", ["AB"], ["B"]],
        ["stop", ["XY"], []],
        ["stop", [], ["A"]],
        ["rope", [], ["B", "B"]],
        ["cylinder", [], ["B", "B"]],
        ["friction", [], ["X"]],
    ]
    found = asked(sketch=loose, make=tried)
    assert len(found["refused"]) == len(tried)
    assert all(sentence.endswith(".") for sentence in found["refused"])
    assert found["sketch"]["devices"] == []
