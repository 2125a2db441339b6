"""Descriptions as a whole: valid ones pass, and a fault is found wherever it is."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grashof.model.check import check
from grashof.model.model import Model

from ..strategies import planar_models, spatial_models
from .descriptions import planar, refusal


@settings(max_examples=60, deadline=None)
@given(st.one_of(planar_models(), spatial_models()))
def test_valid_descriptions_pass(model: Model) -> None:
    check(model)


@settings(max_examples=100, deadline=None)
@given(st.one_of(planar_models(), spatial_models()), st.sampled_from([math.nan, math.inf, -math.inf]), st.data())
def test_a_number_that_is_not_finite_is_found_wherever_it_is(model: Model, bad: float, data: st.DataObject) -> None:
    content = msgspec.to_builtins(model)
    container, key, owner = data.draw(st.sampled_from(list(_places_of_numbers(content, model.name))))
    container[key] = bad
    text = refusal(msgspec.convert(content, Model))
    assert str(bad) in text
    assert f"'{owner}'" in text or owner in ("gravity", "ground", "time")


def _places_of_numbers(content: Any, owner: str) -> Iterator[tuple[Any, Any, str]]:
    """Every float in a description: where it is held, under which key, and the name of what it belongs to."""
    if isinstance(content, dict):
        owner = content.get("name", content.get("quantity", owner))
    for key, item in list(content.items() if isinstance(content, dict) else enumerate(content)):
        if isinstance(item, tuple):
            item = content[key] = list(item)
        if isinstance(item, float):
            yield content, key, key if key == "time" else owner
        elif isinstance(item, dict | list):
            owned_by_key = owner == "guesses" or key in ("gravity", "ground", "guesses")
            yield from _places_of_numbers(item, key if owned_by_key else owner)


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (Model("empty"), "no bodies"),
        (planar(dimension=4), "dimension is 4"),
        (planar(gravity=(0.0, 0.0, -9.81)), "gravity is (0.0, 0.0, -9.81), which has 3 components"),
        (planar(ground={"pin": (0.0,)}), "Ground: point 'pin'"),
    ],
)
def test_impossible_mechanisms(model: Model, words: str) -> None:
    assert words in refusal(model)
