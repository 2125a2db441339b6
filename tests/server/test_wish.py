"""A path is drawn on the workbench, and a four-bar follows it."""

from __future__ import annotations

import json
import math
import re

import httpx2 as httpx
import numpy as np
import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed")

import grashof as gr
from grashof.model.files import loads
from tests.server.conftest import wait_until
from tests.server.test_workbench import answered, sheet, whole_description


def test_a_four_bar_follows_a_path_that_is_drawn(visit) -> None:
    page = visit("workbench")
    at = sheet(page)
    page.get_by_role("button", name="Path", exact=True).click()
    angles = np.linspace(0.0, 2.0 * math.pi, 40)
    oval = [(420 + 90 * math.cos(a), 300 + 45 * math.sin(a)) for a in angles]
    page.mouse.move(*at(*oval[0]))
    page.mouse.down()
    for place in oval[1:]:
        page.mouse.move(*at(*place))
    page.mouse.up()
    wait_until(page, lambda: "follows the path within" in page.locator(".remark").inner_text())
    told = page.locator(".remark").inner_text()
    assert "the crank turns fully" in told
    said, unit = re.search(r"within ([\d.]+) (mm|m);", told).groups()  # type: ignore[union-attr]
    assert "1 degree of freedom, driven by 1 motor" in answered(page, "good")
    # the point's path by a run of what was drawn, against an ellipse with half axes in the ratio 2 : 1
    model = loads(whole_description(page))
    point = told.split()[0]
    body = next(body for body in model.bodies if point in getattr(body, "points", {}))
    run = gr.simulate(model, 1.0, times=np.linspace(0.0, 1.0, 721))
    x, y = run[f"{body.name}.{point}.x"], run[f"{body.name}.{point}.y"]
    a, b = np.ptp(x) / 2.0, np.ptp(y) / 2.0
    off = np.hypot((x - (x.max() + x.min()) / 2.0) / a, (y - (y.max() + y.min()) / 2.0) / b) - 1.0
    assert a / b == pytest.approx(2.0, rel=0.1)
    assert b * np.max(np.abs(off)) < 4.0 * float(said) * (1e-3 if unit == "mm" else 1.0) + 0.03 * b
    # undo takes the four-bar away, and the path with it
    page.keyboard.press("Control+z")
    wait_until(page, lambda: page.locator(".sheet .link").count() == 0)


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        ("[1, 2]", "This is not a path"),
        (json.dumps({"points": [[0, 0]] * 3}), "give five or more"),
        (json.dumps({"points": [[0.1, 0.2]] * 9}), "at one place"),
        (json.dumps({"points": [[0.0, 1e400]] * 9}), "This is not a path"),
        (json.dumps({"points": [[k, 0] for k in range(6000)]}), "5,000 are the most"),
    ],
)
def test_what_is_no_path_is_refused_in_a_sentence(address: str, sent: str, sentence: str) -> None:
    answer = httpx.post(address + "api/follow", content=sent)
    assert answer.status_code in (400, 413)
    assert sentence in answer.json()["sentence"]
