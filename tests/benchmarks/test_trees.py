"""The benchmark of open trees: its arms are trees, the same every time, and what it finds keeps its goals."""

from __future__ import annotations

import pytest

from benchmarks import trees
from grashof.situation import situation


@pytest.mark.parametrize("count", [3, 12])
def test_arms_are_open_trees_of_turns(count: int) -> None:
    model = trees.arm(count).model
    assert model == trees.arm(count).model
    s = situation(model)
    assert not s.closures
    assert len(s.tree) == count
    assert all([freedom.kind for freedom in link.freedoms] == ["turn"] for link in s.tree)


def test_what_is_found_keeps_its_goal() -> None:
    measured = trees.measure(3, rounds=1, limit_s=10.0)
    ours = [found for found in measured["found"] if found["engine"] == "grashof"]
    assert [found["goal"] for found in ours] == list(trees.GOALS)
    assert all(found["apart"] <= found["goal"] for found in measured["found"])
    assert all(found["cpu_s"] > 0.0 for found in measured["found"])
