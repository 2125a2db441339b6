"""Results: their motion, where they depart, and the leaderboard in a real browser."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import grashof as gr
from grashof.model.joints import Joint
from grashof.problems import PROBLEMS, make_case
from grashof.scene import Scene
from grashof.server import leaderboard, results, tasks
from grashof.server.motions import follow, result_scene
from tests.server.conftest import columns_of, measured_store, wait_until, written


def quiet(part: float, words: str) -> None:
    """Progress that nobody looks at."""


def place(scene: Scene, name: str) -> np.ndarray:
    """Where a point is in each frame of a scene, in the plane."""
    spot = next(point.spot for point in scene.points if point.name == name)
    pose = scene.poses.array()[:, spot.body - 1]
    angle = 2.0 * np.arctan2(pose[:, 6], pose[:, 3])
    x, y, _ = spot.at
    turned = np.stack([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y], axis=1)
    return pose[:, :2] + turned


@pytest.mark.parametrize(("problem", "point"), [("andrews", "EBD.D"), ("double-four-bar", "upright2.end")])
def test_bodies_that_no_column_names_move_as_the_columns_say(problem: str, point: str) -> None:
    """The motion of another tool whose clock is wrong: every position is one of the mechanism, and comes at another
    time."""
    case = make_case(problem)
    times = case.times(case.t_end)
    wrong = times * (0.7 + 0.3 * times / case.t_end)
    run = gr.simulate(case.model, case.t_end, times=wrong, check_error=False)
    columns = {"t": times, **{x.name: np.asarray(x.value(run), float) for x in case.columns if x.name != "t"}}
    rate = 0.7 + 0.6 * times / case.t_end  # what such a tool would tell as speeds
    columns.update({name: columns[name] * rate for name in columns if name.startswith("xdot")})
    found = follow(case, columns)
    assert found is not None
    scene = result_scene(case, "another tool", found, columns, {})
    shown = place(scene, point)
    there = np.stack([run[f"{point}.x"], run[f"{point}.y"]], axis=1)
    expected = np.stack([CubicSpline(times, x)(found.times) for x in there.T], axis=1)
    reach = np.ptp(expected, axis=0).max()
    assert found.until is None
    assert np.max(np.abs(shown - expected)) < 0.02 * reach
    assert np.allclose(scene.times.array(), found.times, rtol=1e-6)


SHOWN = [
    (name, variant) for name in ("andrews", "double-four-bar", "n-four-bar") for variant in PROBLEMS[name].variants
]
"""Some problems with one degree of freedom."""


def gap(scene: Scene, joints: Sequence[Joint], poses: np.ndarray) -> float:
    """The largest distance of two points that a joint joins, m."""
    spots = {point.name: point.spot for point in scene.points}

    def world(name: str) -> np.ndarray:
        spot, p = spots[name], np.array(spots[name].at)
        if spot.body == 0:
            return np.broadcast_to(p, (len(poses), 3))
        place, w, u = (poses[:, spot.body - 1, part] for part in (slice(0, 3), slice(3, 4), slice(4, 7)))
        once = np.cross(u, p)
        return place + p + 2.0 * (w * once + np.cross(u, once))

    joined = [joint for joint in joints if joint.points_meet]
    assert joined
    return float(max(np.max(np.linalg.norm(world(joint.a) - world(joint.b), axis=1)) for joint in joined))


def between(poses: np.ndarray, part: float) -> np.ndarray:
    """Poses between the frames, as the viewer takes them (`Recorded.at` in web/src/motion.ts)."""
    found = (1.0 - part) * poses[:-1] + part * poses[1:]
    found[..., 3:] /= np.linalg.norm(found[..., 3:], axis=-1, keepdims=True)
    return found


@pytest.mark.parametrize(("rows", "clock"), [(1001, 1.0), (30, 1.0), (30, 1.2)])
@pytest.mark.parametrize(("problem", "variant"), SHOWN)
def test_the_bars_of_a_result_stay_joined_in_every_frame_and_between_frames(
    problem: str, variant: str, rows: int, clock: float
) -> None:
    """A motor or a pendulum comes by the same place in every period. A result whose clock is too fast ends beyond
    the run to which it is compared."""
    case = make_case(problem, variant)
    times = np.linspace(0.0, case.t_end, rows)
    run = gr.simulate(case.model, clock * case.t_end, times=clock * times, check_error=False)
    columns = {"t": times, **{x.name: np.asarray(x.value(run), float) for x in case.columns if x.name != "t"}}
    found = follow(case, columns)
    assert found is not None
    scene = result_scene(case, "another tool", found, columns, {})
    poses, passes = scene.poses.array().astype(float), np.diff(scene.times.array()) > 0.0
    size = np.max(np.ptp(poses[..., :3], axis=0))
    assert len(poses) > 500
    assert gap(scene, case.model.joints, poses) < 1e-5 * size
    assert max(gap(scene, case.model.joints, between(poses, part)[passes]) for part in (0.25, 0.5, 0.75)) < 0.01 * size
    if clock == 1.0:
        assert found.until is None
        assert found.phases == pytest.approx(found.times, abs=1e-3 * case.t_end)


def test_a_motion_is_shown_until_the_columns_are_no_position_of_the_mechanism() -> None:
    case, columns = make_case("andrews"), columns_of("andrews")
    columns["x_F"] = np.where(columns["t"] > 0.03, 1.5, 1.0) * columns["x_F"]
    found = follow(case, columns)
    assert found is not None
    assert found.until == pytest.approx(0.03, abs=1e-3)
    assert found.times[-1] < found.until


def test_with_several_degrees_of_freedom_the_columns_are_plotted_and_the_reason_is_given(tmp_path: Path) -> None:
    path = tmp_path / "grid.txt"
    path.write_bytes(written(columns_of("multiple-four-bar")))
    given = {"problem": "multiple-four-bar", "variant": "top-row", "parameters": {"R": 5.0, "C": 5.0}}
    verdict = tasks.judge(quiet, path=str(path), **given)
    assert verdict["motion"]["shown"] is False
    assert "5 degrees of freedom" in verdict["motion"]["sentence"]
    assert [plot["title"] for plot in verdict["plots"]][:2] == ["Relative deviation from the reference", "phi_1"]


def test_a_measured_run_of_grashof_is_repeated_and_others_have_no_motion(tmp_path: Path) -> None:
    store = measured_store(tmp_path / "r.sqlite")
    rows = {row.tool: row for row in leaderboard.leaderboards(store).measured}
    task, given = results.motion_task(results.find(store, rows["grashof 1.0"].id))
    assert task == "own"
    assert "Agrees" in given["title"] or given["tol"] <= 1e-2
    assert results.result_facts(results.find(store, rows["other 1.0"].id))["motion"] is None


# -- in a browser


def test_a_leaderboard_is_sorted_filtered_and_drawn_as_work_against_precision(visit) -> None:
    page = visit("results")
    board = page.locator("[data-results='measured results']")  # others may have published results
    rows = board.locator("tbody tr:visible")
    count = rows.count()
    assert count >= 7
    board.get_by_role("button", name="Error, J").click()
    errors = [
        float(x) for x in board.locator("tbody td:nth-child(6)").evaluate_all("all => all.map((x) => x.dataset.value)")
    ]
    assert errors == sorted(errors)
    board.get_by_role("button", name="Error, J").click()
    assert board.locator("th[aria-sort=descending]").inner_text().startswith("Error, J")
    # the diagrams show the rows of the table: one mark each
    group = board.locator(".precision .group", has_text="andrews iftomm, A processor")
    assert group.locator("svg.plot").count() == 2
    assert [text.strip() for text in group.locator(".legend li").all_inner_texts()] == [
        "grashof 1.0",
        "other 1.0, RK4",
        "other 1.0, Euler",
    ]
    board.get_by_label("Method", exact=True).select_option("RK4")
    assert rows.count() == 1
    assert group.locator("svg.plot").first.locator(".mark").count() == 1
    board.get_by_label("Method", exact=True).select_option("")
    board.get_by_label("Tool", exact=True).select_option("grashof 1.0")
    assert rows.count() == 5
    assert group.locator("svg.plot").nth(1).locator(".mark").count() == 5
    # what the diagrams say is there as text, too: the least time of those that pass
    passed = [row for row in rows.all() if "not passed" not in row.inner_text()]
    least = min(float(row.locator("td").nth(4).get_attribute("data-value")) for row in passed)
    words = group.locator("p.note").inner_text()
    told = re.search(r"meets the rule in (\S+) s", words)
    assert told
    assert float(told[1].replace("−", "-")) == pytest.approx(least, rel=0.01)
    assert group.locator("svg.plot").first.get_attribute("aria-label").endswith(words)
    board.get_by_label("Reference", exact=True).select_option("does not agree")
    assert all("does not agree" in text for text in rows.all_inner_texts())


def test_good_bad_and_hostile_files_are_uploaded_and_their_verdicts_read(visit) -> None:
    good = columns_of("andrews", 1e-9)  # other tests publish those of 1e-8, and the same numbers are one entry
    wrong = {**good, "x_F": good["x_F"] * np.where(good["t"] > 0.03, 1.02, 1.0)}
    hostile = b"t x_F <script>alert(1)</script>\n" + b"0 1 2\n" * 10 + b"1 <img src=x onerror=alert(2)>\n"
    page = visit("problems/andrews")
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: dialogs.append(dialog.message) or dialog.dismiss())

    def upload(content: bytes) -> None:
        page.set_input_files("input[type=file]", {"name": "<b>.txt", "mimeType": "text/plain", "buffer": content})
        page.get_by_role("button", name="Judge").click()
        page.wait_for_url("**/uploads/*")

    upload(written(wrong))
    facts = page.locator("table.facts").inner_text()
    assert "does not agree" in facts
    assert "from t = 0.030" in facts
    assert page.locator(".plots .departed text").first.text_content() == "departs"
    frame = page.frame_locator("iframe.viewer")
    frame.locator(".canvas[data-time]").wait_for(timeout=120_000)
    assert "Departs from the reference at t = 0.030" in frame.locator("header").inner_text()
    page.get_by_role("link", name="Back to the problem").click()
    upload(hostile)
    assert page.get_by_role("heading", level=1).inner_text() == "This file could not be judged"
    assert dialogs == []
    page.get_by_role("link", name="Back to the problem").click()
    upload(written(good))
    assert "passes" in page.locator("table.facts").inner_text()
    page.get_by_label("Tool and version").fill("<i>my tool</i>")
    page.get_by_label("CPU time in s, if known").fill("0.25")
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url("**/results/*")
    assert page.get_by_role("heading", level=1).inner_text() == "<i>my tool</i>: andrews iftomm"
    frame.locator(".canvas[data-time]").wait_for(timeout=120_000)
    header = frame.locator("header").inner_text()
    assert "<i>my tool</i>: andrews iftomm" in header
    assert "Agrees with the reference." in header
    page.get_by_role("link", name="Leaderboards").click()
    page.get_by_label("Search in reported results").fill("my tool")
    reported = page.locator("[data-results='reported results'] tbody tr:visible")
    wait_until(page, lambda: reported.count() == 1)
    assert dialogs == []
