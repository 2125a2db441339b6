"""Sketches of descriptions, and descriptions that are changed by their sketch: whatever was not touched stays as it
was written."""

from __future__ import annotations

import math
import re
import tomllib
from functools import cache
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import grashof as gr
from grashof.examples import example_text, gallery
from grashof.model.files import dumps, loads
from grashof.server import tasks
from tests.live.node import ask, bundled

PLANAR = [entry.name for entry in gallery() if gr.example(entry.name).dimension == 2]
SMALL = [name for name in PLANAR if len(gr.example(name).bodies) < 40]

DRIVER = """\
import { readFileSync } from "node:fs";
import { merged, moved, without, withLink, withPoint, withSpring, withMotor } from "./bundle.mjs";
const { text, sketch, step } = JSON.parse(readFileSync(0, "utf8"));
const [kind, ...given] = step;
let after = sketch;
if (kind === "move") after = moved(sketch, given[0], given[1], given[2]);
if (kind === "remove") after = without(sketch, given[0]);
if (kind === "hang") {
  const [found, name] = withPoint(sketch, given[1], given[2]);
  after = withSpring(withLink(found, [given[0], name]), given[0], name, 50, 0);
}
if (kind === "drive") after = withMotor(sketch, given[0]);
console.log(merged(text, sketch, after));
"""


def changed(text: str, sketch: dict[str, Any], *step: object) -> str:
    """The description after a step in its sketch."""
    driver = bundled(DRIVER, "app/workbench/merge", "app/workbench/sketch")
    return ask(driver, {"text": text, "sketch": sketch, "step": step}).removesuffix("\n")


@cache
def checked(name: str) -> dict[str, Any]:
    return tasks.check(lambda part, words: None, text=example_text(name))


@pytest.mark.parametrize("name", SMALL)
def test_a_sketch_has_the_points_where_the_closed_mechanism_has_them(name: str) -> None:
    found, model = checked(name), gr.example(name)
    sketch = found["sketch"]
    places = {point["name"]: (point["x"], point["y"]) for point in sketch["points"]}
    for link in sketch["links"]:
        local = {label: np.array(model.points[f"{link['name']}.{label}"]) for label in link["own"]["labels"].values()}
        here = {label: np.array(places[point]) for point, label in link["own"]["labels"].items()}
        first = next(iter(local))
        for label in local:  # a rigid motion keeps distances
            apart = np.linalg.norm(here[label] - here[first]) - np.linalg.norm(local[label] - local[first])
            assert abs(apart) < 5e-6
    for slider in sketch["sliders"]:
        joint = model.joints_by_name[slider["own"]["name"]]
        gap = np.array(places[slider["point"]]) - np.array(model.points[joint.a])
        assert abs(gap[0] * joint.axis_a[1] - gap[1] * joint.axis_a[0]) < 5e-6
    for slot in sketch["slots"]:
        joint = model.joints_by_name[slot["name"]]
        base = places[slot["from"]] if slot["from"] else model.points[joint.a]
        gap, turn = np.array(places[slot["point"]]) - np.array(base), math.radians(slot["angle"])
        assert abs(gap[0] * math.sin(turn) - gap[1] * math.cos(turn)) < 5e-6
    shown = {pin["name"] for pin in sketch["pins"]} | {slider["own"]["name"] for slider in sketch["sliders"]}
    shown |= {slot["name"] for slot in sketch["slots"]}
    for joint in model.joints:  # nothing is left out without a word
        assert joint.name in shown or joint.name in found["kept"]


@pytest.mark.parametrize("name", SMALL)
def test_moving_a_point_changes_its_links_and_nothing_else(name: str) -> None:
    text, sketch = example_text(name), checked(name)["sketch"]
    point = next(point for point in sketch["points"] if not point["ground"])
    links = {link["name"] for link in sketch["links"] if point["name"] in link["points"]}
    after = changed(text, sketch, "move", [point["name"]], 1e-3, 2e-3)
    assert after != text
    comments = re.findall(r"#.*", text)
    assert re.findall(r"#.*", after) == comments
    old, new = tomllib.loads(text), tomllib.loads(after)
    loads(after)  # it still is a mechanism
    for key in old.keys() | new.keys():
        if key in ("bodies", "start", "ground", "joints"):
            continue
        assert old.get(key) == new.get(key), key
    for one, other in zip(old["bodies"], new["bodies"], strict=True):
        touched = {"length", "points"} if one["name"] in links else set()
        assert {k: v for k, v in one.items() if k not in touched} == {
            k: v for k, v in other.items() if k not in touched
        }
    guesses = [data.get("start", {}).get("guesses", {}) for data in (old, new)]
    assert all(guesses[0][link] == guesses[1][link] for link in guesses[0] if link not in links)


@pytest.mark.parametrize("name", SMALL)
def test_a_bar_and_a_spring_are_added_and_removed_again(name: str) -> None:
    text, sketch = example_text(name), checked(name)["sketch"]
    point = next(point for point in sketch["points"] if not point["ground"])
    after = changed(text, sketch, "hang", point["name"], point["x"] + 0.1, point["y"] - 0.1)
    model, before = loads(after), gr.example(name)
    assert len(model.bodies) == len(before.bodies) + 1
    assert len(model.joints) == len(before.joints) + 1
    assert len(model.forces) == len(before.forces) + 1
    assert model.bodies[-1].length == pytest.approx(0.1 * 2**0.5, rel=1e-4)
    assert model.bodies[:-1] == before.bodies
    again = tasks.check(lambda part, words: None, text=after)["sketch"]
    added = model.bodies[-1].name
    less = changed(after, again, "remove", {"kind": "link", "name": added})
    rest = tomllib.loads(less)
    assert [body["name"] for body in rest["bodies"]] == [body.name for body in before.bodies]
    assert dumps(loads(less)) == dumps(before)


def test_what_is_removed_from_a_sketch_is_removed_from_either_form_of_toml() -> None:
    inline = (
        'format = "grashof 1"\nname = "m" # a comment\nbodies = [\n    { type = "bar", name = "one", length = 1, '
        'mass = 1 }, # first\n    { type = "bar", name = "two", length = 1, mass = 1 },\n]\njoints = [{ type = '
        '"revolute", name = "B", a = "one.end", b = "two.start" }]\n'
    )
    blocks = dumps(loads(inline))
    for text in (inline, blocks):
        sketch = tasks.check(lambda part, words: None, text=text)["sketch"]
        less = loads(changed(text, sketch, "remove", {"kind": "link", "name": "two"}))
        assert [body.name for body in less.bodies] == ["one"]
        assert less.joints == ()
        driven = loads(changed(text, sketch, "drive", "one"))
        assert [motor.target for motor in driven.motors] == ["one.angle"]


def test_mechanisms_in_space_have_no_sketch() -> None:
    found = checked("stewart")
    assert found["sketch"] is None
    assert "in space" in found["kept"]
