"""Linkages moved by hand: wherever the pointer goes, the points are where the native engine has them."""

from __future__ import annotations

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
from tests.live.node import ask, bundled

DRIVER = """\
import { readFileSync } from "node:fs";
import { Drag, Linkage, toml } from "./bundle.mjs";
const { sketch, point, link, from, targets } = JSON.parse(readFileSync(0, "utf8"));
const drag = Drag.begin(new Linkage(sketch), point, link, ...from);
const frames = typeof drag === "string" ? [] : targets.map(([x, y]) => {
  const stop = drag.to(x, y);
  return { stop, points: Object.fromEntries(drag.linkage.posed(drag.q).points.map((p) => [p.name, [p.x, p.y]])) };
});
console.log(JSON.stringify({ refused: typeof drag === "string" ? drag : null, frames, text: toml(sketch) }));
"""

Places = dict[str, tuple[float, float]]


def sketch_of(points: Places, links: list[str], ground: str, sliders: dict[str, float] | None = None) -> dict[str, Any]:
    """A sketch as the workbench has it: links by the letters of their points."""
    return {
        "name": "linkage",
        "gravity": 9.81,
        "points": [{"name": k, "x": x, "y": y, "ground": k in ground, "traced": False} for k, (x, y) in points.items()],
        "links": [{"name": name, "points": list(name), "mass": 1.0} for name in links],
        "sliders": [{"point": name, "angle": angle} for name, angle in (sliders or {}).items()],
        **{name: [] for name in ("springs", "motors", "slots", "forces", "torques", "devices")},
    }


def four_bar(a: float, b: float, c: float, d: float, angle: float = 1.0) -> dict[str, Any]:
    """Crank a, coupler b, rocker c, ground d, with C on the left of the line from B to D."""
    bx, by = a * math.cos(angle), a * math.sin(angle)
    apart = math.hypot(d - bx, by)
    turn = math.atan2(-by, d - bx) + math.acos((b * b + apart * apart - c * c) / (2 * b * apart))
    points = {"A": (0.0, 0.0), "B": (bx, by), "C": (bx + b * math.cos(turn), by + b * math.sin(turn)), "D": (d, 0.0)}
    return sketch_of(points, ["AB", "BC", "DC"], "AD")


def drag(sketch: dict[str, Any], held: str, targets: Any) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Where the points are in every frame, and all that was said."""
    one = held in [point["name"] for point in sketch["points"]]
    given = {"sketch": sketch, "point": held if one else None, "link": None if one else held, "from": [0, 0]}
    driver = bundled(DRIVER, *(f"app/workbench/{x}" for x in ("kinematics/drag", "kinematics/linkage", "toml")))
    found = json.loads(ask(driver, {**given, "targets": np.asarray(targets).tolist()}))
    return found["frames"], found


def circle(sketch: dict[str, Any], angles: Any, held: str = "B", pivot: str = "A") -> np.ndarray:
    """Where the pointer is on a turn of a point around another, from the position that is drawn."""
    at = {point["name"]: np.array([point["x"], point["y"]]) for point in sketch["points"]}
    arm = at[held] - at[pivot]
    begin = math.atan2(arm[1], arm[0])
    return at[pivot] + math.hypot(*arm) * np.column_stack((np.cos(begin + angles), np.sin(begin + angles)))


def angles_of(frames: list[dict[str, Any]]) -> np.ndarray:
    """The angle of AB."""
    arms = np.array([np.subtract(frame["points"]["B"], frame["points"]["A"]) for frame in frames])
    return np.arctan2(arms[:, 1], arms[:, 0])


def side(frame: dict[str, Any], a: str, b: str, c: str) -> float:
    """Positive if c is on the left of the line from a to b."""
    (ax, ay), (bx, by), (cx, cy) = (frame["points"][name] for name in (a, b, c))
    return float((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))


FULL = np.linspace(0.0, 2 * np.pi, 73)
JUMPS = np.random.default_rng(7).uniform(-2.6, 2.6, 40).cumsum()
"""Turns of a pointer that is moved so fast that it is elsewhere on the sheet in every frame."""

MOVES = {
    "crank-rocker": (four_bar(0.1, 0.25, 0.22, 0.26), {"C": "BC.end"}),
    "almost flat": (four_bar(0.1, 0.25, 0.1 + 1e-3, 0.25), {"C": "BC.end"}),
    "flat but for 10 µm": (four_bar(0.1, 0.25, 0.1 + 1e-5, 0.25), {"C": "BC.end"}),
    "almost flat the other way": (four_bar(0.2, 0.1 + 2e-4, 0.2, 0.1), {"C": "BC.end"}),
    "slider-crank": (
        sketch_of({"A": (0, 0), "B": (0.06, 0.08), "C": (0.36, 0.0)}, ["AB", "BC"], "A", {"C": 0.0}),
        {"C": "BC.end"},
    ),
    "six-bar": (
        sketch_of(
            {"A": (0, 0), "B": (0.05, 0.08), "C": (0.3, 0.2), "D": (0.3, 0), "P": (0.25, 0.3), "Q": (0.5, 0.3)}
            | {"R": (0.55, 0.0)},
            ["AB", "BCP", "DC", "PQ", "RQ"],
            "ADR",
        ),
        {"C": "DC.end", "P": "PQ.start", "Q": "PQ.end"},
    ),
}


@pytest.mark.parametrize("name", MOVES)
def test_every_frame_of_a_turn_is_where_the_native_engine_has_it(name: str) -> None:
    sketch, points = MOVES[name]
    turns = np.concatenate((FULL, FULL[::-1], -FULL, JUMPS))
    frames, found = drag(sketch, "B", circle(sketch, turns))
    assert [frame["stop"] for frame in frames] == [None] * len(turns)
    begin = next(math.atan2(point["y"], point["x"]) for point in sketch["points"] if point["name"] == "B")
    turned = np.remainder(angles_of(frames) - begin, 2 * np.pi)
    # the native engine turns the crank by a motor, once around
    text = found["text"] + '\n[[motors]]\nname = "drive"\ntarget = "AB.angle"\nspeed = 1\n'
    times, order = np.unique(turned, return_inverse=True)
    run = gr.kinematics(loads(text), 2 * np.pi, times=times)
    assert run.status.ok, str(run.status)
    for point, place in points.items():
        shown = np.array([frame["points"][point] for frame in frames])
        expected = np.column_stack((run[f"{place}.x"], run[f"{place}.y"]))[order]
        np.testing.assert_allclose(shown, expected, atol=2e-8, err_msg=point)


def test_a_linkage_stops_at_its_dead_centre_names_it_and_comes_back_the_way_it_went() -> None:
    a, b, c, d = 0.2, 0.25, 0.22, 0.4  # a is not a crank: a + d > b + c
    sketch = four_bar(a, b, c, d)
    turns = np.concatenate((np.linspace(0, 2, 41), np.linspace(2, -0.5, 51)))
    frames, _ = drag(sketch, "B", circle(sketch, turns))
    limit = math.acos((a * a + d * d - (b + c) ** 2) / (2 * a * d))  # B, C and D are in line
    angles = angles_of(frames)
    stopped = [k for k, frame in enumerate(frames) if frame["stop"]]
    assert stopped == [k for k, turn in enumerate(turns) if 1.0 + turn > limit]
    np.testing.assert_allclose(angles[stopped], limit, atol=1e-6)
    assert {frames[k]["stop"]["point"] for k in stopped} == {"C"}
    assert frames[stopped[0]]["stop"]["sentence"].startswith("Dead centre at C: BC and DC are stretched in line")
    assert min(side(frame, "B", "D", "C") for frame in frames) > 0.0
    free = [k for k in range(len(frames)) if k not in stopped]
    np.testing.assert_allclose(angles[free], 1.0 + turns[free], atol=1e-5)


def test_redundant_parallel_cranks_stay_parallel_through_their_flat_positions() -> None:
    points = {"A": (0, 0), "B": (0.1, 0.2), "C": (0.5, 0.2), "D": (0.4, 0), "E": (0.2, 0), "F": (0.3, 0.2)}
    sketch = sketch_of(points, ["AB", "BFC", "DC", "EF"], "ADE")
    frames, _ = drag(sketch, "B", circle(sketch, np.concatenate((2 * FULL, 2 * FULL[::-1]))))
    for frame in frames:
        assert frame["stop"] is None
        cranks = [np.subtract(frame["points"][tip], frame["points"][foot]) for tip, foot in ("BA", "CD", "FE")]
        np.testing.assert_allclose(cranks, [cranks[0]] * 3, atol=1e-9)


def test_a_chain_that_is_stretched_follows_the_pointer_around_and_its_elbow_stays_on_its_side() -> None:
    sketch = sketch_of({"A": (0, 0), "B": (0.3, 0.2), "C": (0.6, 0)}, ["AB", "BC"], "A")
    reach = 2 * math.hypot(0.3, 0.2)
    around = np.linspace(0, 7, 80)
    far = 1.5 * np.column_stack((np.cos(around), np.sin(around)))
    frames, _ = drag(sketch, "C", [*far, [0.2, 0.1], [0.5, -0.2]])
    tips = np.array([frame["points"]["C"] for frame in frames])
    np.testing.assert_allclose(tips[:80], reach / 1.5 * far, atol=0.02 * reach)
    np.testing.assert_allclose(tips[80:], [[0.2, 0.1], [0.5, -0.2]], atol=1e-5)
    assert all("stretched in line" in frame["stop"]["sentence"] for frame in frames[:80])
    assert max(side(frame, "A", "B", "C") for frame in frames) < 0.0
    lengths = [math.dist(frame["points"]["B"], frame["points"]["C"]) for frame in frames]
    np.testing.assert_allclose(lengths, reach / 2, rtol=1e-11)


def test_the_cusp_of_a_coupler_curve_is_no_dead_centre() -> None:
    # the rim of a wheel that rolls: a bar on two sliders at right angles has cusps nowhere, but its ends turn back
    ladder = sketch_of({"A": (0.3, 0.0), "B": (0.0, 0.4), "P": (0.15, 0.2)}, ["APB"], "", {"A": 0.0, "B": 90.0})
    turn = np.linspace(0, 2 * np.pi, 60) + math.atan2(0.2, 0.15)
    frames, _ = drag(ladder, "P", 0.25 * np.column_stack((np.cos(turn), np.sin(turn))))
    assert all(frame["stop"] is None for frame in frames)
    for frame, angle in zip(frames, turn, strict=True):  # the middle of a ladder is on a circle
        np.testing.assert_allclose(frame["points"]["P"], 0.25 * np.array([math.cos(angle), math.sin(angle)]), atol=1e-6)
        np.testing.assert_allclose(frame["points"]["A"], [0.5 * math.cos(angle), 0.0], atol=1e-6)
    # held at its lower end, it stops where the other end is at the corner
    frames, _ = drag(ladder, "A", [[0.4, 0.0], [0.8, 0.0], [0.3, 0.0]])
    assert [frame["stop"] and frame["stop"]["point"] for frame in frames] == [None, "B", None]
    np.testing.assert_allclose(frames[1]["points"]["A"], [0.5, 0.0], atol=1e-6)
    np.testing.assert_allclose(frames[2]["points"]["B"], [0.0, 0.4], atol=1e-5)


def test_what_cannot_be_moved_is_refused_with_a_reason() -> None:
    triangle = sketch_of({"A": (0, 0), "B": (1, 0), "C": (0.5, 1)}, ["AC", "BC"], "AB")
    assert "no degree of freedom" in drag(triangle, "C", [])[1]["refused"]
    assert "A is fixed to the ground" in drag(triangle, "A", [])[1]["refused"]
    gears = tasks.check(lambda part, words: None, text=example_text("planetary-gear"))["sketch"]
    held = next(link["points"][-1] for link in gears["links"] if len(link["points"]) > 1)
    assert "does not follow planet 1 and ring" in drag(gears, held, [])[1]["refused"]


@pytest.mark.parametrize("name", ["jansen", "four-bar", "quick-return", "radial-engine", "scotch-yoke"])
def test_mechanisms_of_the_gallery_move_by_hand_as_by_their_motor(name: str) -> None:
    sketch = tasks.check(lambda part, words: None, text=example_text(name))["sketch"]
    crank = next(link for link in sketch["links"] if link["name"] == sketch["motors"][0]["link"])
    fixed = {point["name"] for point in sketch["points"] if point["ground"]}
    held = next(point for point in crank["points"] if point not in fixed)
    run = gr.kinematics(gr.example(name), 2 * math.pi / abs(sketch["motors"][0]["speed"]), times=61)

    def path(link: dict[str, Any], point: str) -> np.ndarray:
        place = f"{link['name']}.{link['own']['labels'][point]}"
        return np.column_stack((run[f"{place}.x"], run[f"{place}.y"]))

    frames, _ = drag(sketch, held, path(crank, held))
    assert all(frame["stop"] is None for frame in frames)
    for link in sketch["links"]:
        for point in link["points"]:
            shown = [frame["points"][point] for frame in frames]
            np.testing.assert_allclose(shown, path(link, point), atol=5e-6)


FACTS = """\
import { readFileSync } from "node:fs";
import { courseOf, factsOf, fromUnits, inUnits, resized } from "./bundle.mjs";
const { sketches, typed, resize } = JSON.parse(readFileSync(0, "utf8"));
const told = sketches.map((sketch) => {
  const course = courseOf(sketch);
  return course && { freedoms: course.freedoms, redundant: course.redundant, lines: factsOf(course) };
});
const numbers = typed.map(([kind, text, before]) => [fromUnits(kind, text, before), inUnits(kind, before)]);
const others = resize.map(([sketch, link, length]) => resized(sketch, link, length));
console.log(JSON.stringify({ told, numbers, resized: others }));
"""


def tell(sketches: Any = (), typed: Any = (), resize: Any = ()) -> dict[str, Any]:
    modules = ("kinematics/course", "kinematics/facts", "kinematics/resize", "units")
    driver = bundled(FACTS, *(f"app/workbench/{module}" for module in modules))
    return json.loads(ask(driver, {"sketches": list(sketches), "typed": list(typed), "resize": list(resize)}))


def test_freedoms_and_redundant_equations_are_those_that_the_server_finds() -> None:
    sketches, expected = [], []
    for entry in gr.gallery():
        model = gr.example(entry.name)
        found = tasks.check(lambda part, words: None, text=example_text(entry.name)) if model.dimension == 2 else None
        sketch = found and found["sketch"]
        if sketch and not sketch["beyond"] and len(sketch["links"]) == len(model.bodies) < 15:
            mobility = gr.mobility(model)
            sketches.append(sketch)
            expected.append((entry.name, mobility.dof_without_motors, mobility.redundant))
    assert len(sketches) >= 8
    told = tell(sketches)["told"]
    assert [
        (name, one["freedoms"], one["redundant"]) for (name, *_), one in zip(expected, told, strict=True)
    ] == expected


def test_grashofs_class_swings_and_transmission_angles_are_those_of_closed_forms() -> None:
    cases = [(0.1, 0.25, 0.22, 0.26), (0.25, 0.22, 0.26, 0.1), (0.25, 0.1, 0.22, 0.26), (0.2, 0.25, 0.22, 0.4)]
    told = tell([four_bar(*lengths) for lengths in cases] + [four_bar(0.1, 0.25, 0.1, 0.25)])["told"]
    lines = ["\n".join(one["lines"]) for one in told]
    assert "crank-rocker, AB turns fully (Grashof: 0.1 + 0.26 < 0.22 + 0.25)" in lines[0]
    assert "double crank, AB and DC turn fully" in lines[1]
    assert "double rocker, only the coupler turns fully" in lines[2]
    assert "triple rocker, no link turns fully (0.2 + 0.4 > 0.22 + 0.25)" in lines[3]
    assert "change point" in lines[4]
    assert [line.endswith("AB turns fully.") for line in lines] == [True, True, False, False, True]
    a, b, c, d = cases[0]  # extreme where crank and ground are in line
    extremes = [math.degrees(math.acos((b * b + c * c - (d + s * a) ** 2) / (2 * b * c))) for s in (-1, 1)]
    assert extremes[0] < 90 < extremes[1]
    assert f"Transmission angle at C: {extremes[0]:.1f}° to 90° along the motion" in lines[0]
    a, b, c, d = cases[3]
    swing = 2 * math.degrees(math.acos((a * a + d * d - (b + c) ** 2) / (2 * a * d)))
    assert f"AB swings by about {swing:.0f}°, between its dead centres" in lines[3]


def test_lengths_and_speeds_are_typed_with_units() -> None:
    typed = [
        ("length", "120 mm", 0.1, 0.12, "100 mm"),
        ("length", "150", 0.1, 0.15, "100 mm"),
        ("length", "1,5 in", 2.0, 0.0381, "2 m"),
        ("angle", "-90 deg", 1.0, -math.pi / 2, "57.2958°"),
        ("speed", "1 rad/s", 2 * math.pi, 1.0, "60 rpm"),
        ("mass", "250 g", 3.0, 0.25, "3 kg"),
        ("mass", "3 mm", 3.0, None, "3 kg"),
        ("length", "", 0.0, None, "0 m"),
    ]
    for (value, shown), (*_, expected, text) in zip(tell(typed=[x[:3] for x in typed])["numbers"], typed, strict=True):
        assert value == (expected if expected is None else pytest.approx(expected, rel=1e-12))
        assert shown == text


def test_a_bar_of_another_length_leaves_all_other_lengths_as_they_are() -> None:
    sketch = four_bar(0.1, 0.25, 0.22, 0.26)
    longer, impossible = tell(resize=[(sketch, "BC", 0.3), (sketch, "BC", 0.9)])["resized"]
    at = {point["name"]: (point["x"], point["y"]) for point in longer["points"]}
    lengths = [math.dist(at[a], at[b]) for a, b in ("AB", "BC", "DC", "AD")]
    np.testing.assert_allclose(lengths, [0.1, 0.3, 0.22, 0.26], rtol=1e-11)
    assert side({"points": at}, "B", "D", "C") > 0.0
    assert impossible is None
