"""The benchmark of open trees: its mechanisms are trees, the same every time, and what it finds keeps its goals."""

from __future__ import annotations

import pytest

from benchmarks import robots, trees
from grashof.situation import situation


@pytest.mark.parametrize("count", [3, 12])
def test_arms_are_open_trees_of_turns(count: int) -> None:
    model = robots.arm(count).model
    assert model == robots.arm(count).model
    s = situation(model)
    assert not s.closures
    assert len(s.tree) == count
    assert all([freedom.kind for freedom in link.freedoms] == ["turn"] for link in s.tree)


@pytest.mark.parametrize(("name", "bodies"), [("quadruped", 13), ("humanoid", 15)])
def test_robots_have_a_free_trunk_and_turns(name: str, bodies: int) -> None:
    s = situation(robots.TREES[name]().model)
    assert not s.closures
    assert len(s.bodies) == bodies
    assert sum(len(link.freedoms) for link in s.tree if link.joint is not None) == bodies - 1


def test_what_is_found_keeps_its_goal() -> None:
    measured = trees.measure("arm of 7", rounds=1, limit_s=10.0)
    ours = [found for found in measured["found"] if found["engine"] in trees.OURS]
    assert [found["goal"] for found in ours] == 2 * list(trees.GOALS)
    assert all(found["apart"] <= found["goal"] for found in measured["found"])
    assert all(found["cpu_s"] > 0.0 for found in measured["found"])
