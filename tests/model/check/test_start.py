"""A start guesses bodies that there are and asks for quantities that there are."""

from __future__ import annotations

import pytest

from grashof.model.check import check
from grashof.model.model import Model
from grashof.model.start import Condition, Pose

from .descriptions import PLANAR, SPATIAL, X, refusal, with_start


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (with_start(PLANAR, guesses={"crnk": Pose()}), "did you mean 'crank'?"),
        (with_start(PLANAR, guesses={"ground": Pose()}), "'ground', which is not a body"),
        (with_start(PLANAR, guesses={"crank": Pose(X)}), "position is (1.0, 0.0, 0.0)"),
        (with_start(PLANAR, guesses={"crank": Pose(rotation=(0.0, 1.0, 0.0, 0.0))}), "as an angle"),
        (with_start(SPATIAL, guesses={"crank": Pose(angle=1.0)}), "as a rotation"),
        (with_start(SPATIAL, guesses={"crank": Pose(rotation=(0.0, 0.0, 0.0, 0.0))}), "not all zero"),
        (with_start(PLANAR, guesses={"crank": Pose(angle=5e99)}), "angle is 5e+99 rad; beyond 1e+09 rad"),
        (
            with_start(PLANAR, needs=(Condition("crank.angle", value=-1e12),)),
            "is -1000000000000.0 rad; beyond 1e+09 rad",
        ),
        (with_start(PLANAR, needs=(Condition("crank.angle"),)), "neither value nor rate"),
        (with_start(PLANAR, needs=(Condition("crank.angel", 0.0),)), "did you mean 'crank.angle'?"),
        (with_start(PLANAR, wants=(Condition("rod.b.z", 0.0),)), "want of 'rod.b.z'"),
        (with_start(PLANAR, wants=(Condition("ground.pin.x", 0.0),)), "want of 'ground.pin.x'"),
        (with_start(SPATIAL, needs=(Condition("crank.angle", 0.0),)), "need of 'crank.angle'"),
    ],
)
def test_impossible_starts(model: Model, words: str) -> None:
    text = refusal(model)
    assert text.startswith("Start")
    assert words in text


@pytest.mark.parametrize("quantity", ["crank.end.x", "rod.b.y", "rod.angle", "stroke"])
@pytest.mark.parametrize("fields", [{"value": 0.0}, {"rate": 0.0}, {"value": 1.0, "rate": 0.0}])
def test_coordinates_angles_and_measures_may_be_needed(quantity: str, fields: dict[str, float]) -> None:
    check(with_start(PLANAR, needs=(Condition(quantity, **fields),)))
