"""Formulations converge with the order on their cards, and say so when they fail."""

from __future__ import annotations

import json
import math

import pytest

import grashof as gr
from grashof.common.errors import ModelError
from grashof.lab import Ending


def test_a_pendulum_converges_to_its_closed_form_with_the_order_of_the_card() -> None:
    steps = [0.02, 0.01, 0.005]
    found = gr.lab.compare("simple-pendulum", 2.0, formulations=["baumgarte"], settings={"step": steps})
    assert all(x.status.ok for x in found["baumgarte"])
    measured = found.order("baumgarte")
    assert measured is not None
    assert measured == pytest.approx(gr.lab.FORMULATIONS["baumgarte"].card.order, abs=0.3)


def test_a_motion_that_leaves_the_reference_is_no_success() -> None:
    """The double four-bar passes flat positions, at which the Jacobian loses rank: index-1 equations lose the motion
    there, and some runs do not even remain finite."""
    found = gr.lab.compare("double-four-bar", formulations=["baumgarte"], settings={"step": [0.02, 0.005]})
    other, broken = found["baumgarte"]
    assert (other.status.ending, broken.status.ending) == (Ending.DEPARTED, Ending.NOT_FINITE)
    assert not other.status.ok
    assert other.error is not None
    assert other.error > 0.1
    assert broken.error is None  # it has none, since it did not reach the end
    assert broken.status.time < 10.0
    assert "Failed at t =" in str(broken.status)
    data = json.loads(json.dumps(found.as_dict(), allow_nan=False))
    runs = data["formulations"]["baumgarte"]["runs"]
    assert [x["ok"] for x in runs] == [False, False]
    assert runs[1]["error"] is None


def test_names_and_durations_that_are_missing_are_said() -> None:
    with pytest.raises(ModelError, match="There is no formulation 'baumgart'; "):
        gr.lab.compare("simple-pendulum", 1.0, formulations=["baumgart"])
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    with pytest.raises(ModelError, match="does not say how long its motion lasts; give t_end"):
        gr.lab.compare(m)
    assert math.isfinite(gr.lab.compare(m, 0.5, formulations=["baumgarte"])["baumgarte"][-1].error or math.nan)
