"""Runs that the workbench computes itself, without a server: they are those of the native engine."""

from __future__ import annotations

import base64
import json
import math
from typing import Any

import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import grashof as gr
from grashof.examples import example_text
from grashof.model.files import loads
from grashof.server import tasks
from grashof.server.typescript import shared_constants
from tests.live.node import WEB, ask, bundled
from tests.server.test_drag import four_bar, sketch_of

DRIVER = """\
import { readFileSync } from "node:fs";
import { Machine, simulated, recorded, toml } from "./bundle.mjs";
const { sketch, end, frames, tolerance } = JSON.parse(readFileSync(0, "utf8"));
const machine = new Machine(sketch);
const found = [];
const steps = simulated(machine, end, frames, tolerance);
let next = steps.next();
for (; !next.done; next = steps.next()) found.push(next.value);
const outcome = { ok: next.value.ok, code: "", text: next.value.sentence };
const scene = recorded(machine, found, outcome, []);
const places = machine.linkage.points.map((name) => [name, machine.linkage.coordinate(name)]);
const at = (i) => found.map(({ q, v, a }) => [q, v, a].flatMap((x) => [x[i], x[i + 1]]));
const points = Object.fromEntries(places.map(([name, i]) => [name, at(i)]));
const times = found.map(({ t }) => t);
console.log(JSON.stringify({ times, points, scene, ending: next.value, text: toml(sketch) }));
"""


def run(sketch: dict[str, Any], end: float, frames: int = 200, tolerance: float = 1e-10) -> dict[str, Any]:
    """What the page computes of a sketch."""
    modules = ("dynamics/machine", "dynamics/integrate", "dynamics/recording", "toml")
    driver = bundled(DRIVER, *(f"app/workbench/{x}" for x in modules))
    given = {"sketch": sketch, "end": end, "frames": frames, "tolerance": tolerance}
    found: dict[str, Any] = json.loads(ask(driver, given))
    return found


def series(found: dict[str, Any], name: str) -> np.ndarray:
    """A quantity of the scene, 32-bit floats."""
    data = next(x["values"]["data"] for x in found["scene"]["series"] if x["name"] == name)
    return np.frombuffer(base64.b64decode(data), "<f4")


def with_parts(sketch: dict[str, Any], **parts: list[dict[str, Any]]) -> dict[str, Any]:
    return {**sketch, **parts}


SPRUNG = [{"name": "spring 1", "a": "C", "b": "E", "stiffness": 400.0, "damping": 3.0}]
E = {"name": "E", "x": 0.5, "y": 0.3, "ground": True, "traced": False}

BAR = four_bar(0.1, 0.25, 0.22, 0.26)
RUNS = {
    "a four-bar that falls": (BAR, 1.0, {"C": "BC.end"}),
    "a four-bar with a motor, a spring and a damper": (
        {**BAR, "points": [*BAR["points"], E], "springs": SPRUNG, "motors": [{"link": "AB", "speed": 7.0}]},
        3.0,
        {"C": "BC.end"},
    ),
    "a slider-crank that falls": (
        sketch_of({"A": (0, 0), "B": (0.06, 0.08), "C": (0.36, 0.0)}, ["AB", "BC"], "A", {"C": 0.0}),
        1.0,
        {"C": "BC.end", "B": "AB.end"},
    ),
    "a motor that carries a pendulum of a plate": (
        {
            **sketch_of({"A": (0, 0), "B": (0.2, 0.0), "P": (0.3, -0.3), "Q": (0.1, -0.2)}, ["AB", "BPQ"], "A"),
            "motors": [{"link": "AB", "speed": -4.0}],
        },
        1.0,
        {"P": "BPQ.P"},
    ),
    "a six-bar with a slider aslant": (
        {
            **sketch_of(
                {"A": (0, 0), "B": (0.05, 0.08), "C": (0.3, 0.2), "D": (0.3, 0), "P": (0.25, 0.3), "Q": (0.5, 0.3)},
                ["AB", "BCP", "DC", "PQ"],
                "AD",
                {"Q": 30.0},
            ),
            "motors": [{"link": "AB", "speed": 12.0}],
        },
        1.0,
        {"P": "PQ.start", "Q": "PQ.end"},
    ),
    "redundant: three equal cranks, which swing": (
        sketch_of(
            {"A": (0, 0), "B": (0.05, -0.2), "C": (0.3, 0), "D": (0.35, -0.2), "E": (0.6, 0), "F": (0.65, -0.2)},
            ["AB", "CD", "EF", "BDF"],
            "ACE",
        ),
        2.0,
        {"F": "EF.end"},
    ),
}


@pytest.mark.parametrize("name", RUNS)
def test_a_run_in_the_page_is_that_of_the_native_engine(name: str) -> None:
    sketch, end, points = RUNS[name]
    found = run(sketch, end)
    assert found["ending"] == {"ok": True, "sentence": f"Finished at t = {end:g} s."}
    times = np.array(found["times"])
    native = gr.simulate(loads(found["text"], source="sketch"), end, tol=1e-10, times=times)
    for own, theirs in points.items():
        here = np.array(found["points"][own])
        # both have a tolerance of 1e-10; what is seen of them is a few units of it, times the growth of errors
        for k, suffix in enumerate(("", ".rate", ".acceleration")):
            there = np.stack([native[f"{theirs}.{axis}{suffix}"] for axis in "xy"], axis=1)
            np.testing.assert_allclose(here[:, 2 * k : 2 * k + 2], there, atol=1e-9 * (1.0 + np.abs(there).max()))
    for name in (f"{link['name']}.angle" for link in sketch["links"]):
        np.testing.assert_allclose(series(found, name), native[name], rtol=1e-6, atol=1e-6)  # 32-bit floats
        np.testing.assert_allclose(series(found, f"{name}.rate"), native[f"{name}.rate"], rtol=1e-5, atol=1e-5)
    for name in ("kinetic", "potential", *(f"motor of {motor['link']}.torque" for motor in sketch["motors"])):
        np.testing.assert_allclose(series(found, name), native[name], rtol=1e-5, atol=1e-5)


def test_a_motor_that_comes_to_a_dead_centre_stops_there_and_says_so() -> None:
    a, b, c, d = 0.3, 0.2, 0.25, 0.5  # the crank is too long to turn fully
    sketch = {**four_bar(a, b, c, d, 0.3), "motors": [{"link": "AB", "speed": 1.0}]}
    found = run(sketch, 2.0)
    # coupler and rocker are stretched: BD = b + c
    last = math.acos((a * a + d * d - (b + c) ** 2) / (2 * a * d)) - 0.3
    assert not found["ending"]["ok"]
    assert "dead centre" in found["ending"]["sentence"]
    assert f"t = {last:.4g} s" in found["ending"]["sentence"]
    assert last - 0.01 <= found["times"][-1] <= last


SQUARE = sketch_of({"A": (0, 0), "B": (0.06, 0.08), "C": (0.36, 0.08), "D": (0.3, 0)}, ["AB", "BC", "DC"], "AD")


def test_a_driven_parallelogram_goes_straight_on_where_it_is_flat() -> None:
    found = run({**SQUARE, "motors": [{"link": "AB", "speed": 3.0}]}, 5.0)
    assert found["ending"]["ok"]
    assert found["times"][-1] > 4.9  # flat four times on the way
    b, c = (np.array(found["points"][name]) for name in "BC")
    np.testing.assert_allclose(c[:, :2] - b[:, :2], np.broadcast_to([0.3, 0.0], (len(b), 2)), atol=1e-9)
    np.testing.assert_allclose(c[:, 2:4], b[:, 2:4], atol=1e-7)


def test_a_singular_position_of_a_free_linkage_is_named_and_not_crossed() -> None:
    found = run(SQUARE, 3.0)
    assert not found["ending"]["ok"]
    assert "singular position" in found["ending"]["sentence"]
    b, c = (np.array(found["points"][name]) for name in "BC")
    np.testing.assert_allclose(c[:, :2] - b[:, :2], np.broadcast_to([0.3, 0.0], (len(b), 2)), atol=1e-9)
    assert abs(b[-1, 1]) < 0.02  # it ends where it is flat


def test_what_can_move_without_mass_cannot_be_simulated() -> None:
    sketch = sketch_of({"A": (0, 0), "B": (0.1, 0), "C": (0.2, 0.1)}, ["AB", "BC"], "A")
    sketch["links"][1]["mass"] = 0.0
    found = run(sketch, 1.0)
    assert found["ending"] == {
        "ok": False,
        "sentence": "It cannot be simulated: something that can move has no mass.",
    }


def test_constants_of_the_workbench_are_those_of_python() -> None:
    assert (WEB / "src" / "app" / "workbench" / "shared.ts").read_text(encoding="utf-8") == shared_constants()


DESCRIBED = {"quick-return": 1.0, "scotch-yoke": 1.0, "radial-engine": 0.5, "jansen": 1.0}


@pytest.mark.parametrize("name", DESCRIBED)
def test_described_mechanisms_run_in_the_page_as_they_do_natively(name: str) -> None:
    """Slots of links, sliders that keep their direction, laws of constant speed, bodies with masses of their own."""
    text, end = example_text(name), DESCRIBED[name]
    sketch = tasks.check(lambda part, words: None, text=text)["sketch"]
    assert sketch["unknown"] == []
    found = run(sketch, end, 100)
    assert found["ending"]["ok"]
    native = gr.simulate(loads(text, source=name), end, tol=1e-9, times=np.array(found["times"]))
    named = {point["name"]: point["spot"] for point in found["scene"]["points"]}
    for link in sketch["links"]:
        # the sketch is drawn to a micrometre, which is where its motion begins
        angle = native[f"{link['name']}.angle"]
        here = series(found, f"{link['name']}.angle")
        np.testing.assert_allclose(here - here[0], angle - angle[0], rtol=1e-4, atol=1e-4)
        for own, label in link["own"]["labels"].items():
            assert f"{link['name']}.{label}" in named
            there = np.stack([native[f"{link['name']}.{label}.{axis}"] for axis in "xy"], axis=1)
            np.testing.assert_allclose(np.array(found["points"][own])[:, :2], there, atol=1e-5)


def test_forces_torques_and_slots_that_are_drawn_run_as_natively() -> None:
    sketch = sketch_of({"A": (0, 0), "B": (0.1, 0), "C": (0.02, -0.3), "D": (0.17, 0.15)}, ["AB", "CD"], "AC", {})
    # a quick return whose lever slides on the pin of the crank, pushed at its end and turned
    slot = {"name": "slot 1", "guide": "CD", "rider": "AB", "point": "B", "from": "C", "to": "D", "angle": 0.0}
    sketch["points"][3] = {**sketch["points"][3], "x": 0.02 + 0.08 * 1.5, "y": -0.3 + 0.3 * 1.5}
    sketch |= {
        "slots": [{**slot, "keeps": False}],
        "forces": [{"name": "force 1", "point": "D", "x": 5.0, "y": -3.0}],
        "torques": [{"name": "torque 1", "link": "AB", "torque": 0.7}],
    }
    found = run(sketch, 1.0, 100)
    native = gr.simulate(loads(found["text"], source="sketch"), 1.0, tol=1e-10, times=np.array(found["times"]))
    for own, theirs in {"B": "AB.end", "D": "CD.end"}.items():
        there = np.stack([native[f"{theirs}.{axis}"] for axis in "xy"], axis=1)
        np.testing.assert_allclose(np.array(found["points"][own])[:, :2], there, atol=1e-9)
