"""The loops of a mechanism: how many there are, and the shortest way around each."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from grashof.model.bodies import GROUND, RigidBody
from grashof.model.joints import Revolute
from grashof.model.loops import Loops, Tie, find_loops, spanning_tree
from grashof.model.model import Model
from grashof.problems.four_bar import case as four_bar
from grashof.problems.multiple_four_bar import case as multiple_four_bar


def mechanism(*joints: tuple[str, str], bodies: int | None = None) -> Model:
    """A description with bodies b0, b1 … (or as many as the joints name) and pins j0, j1 … between these bodies."""
    named = {body for joint in joints for body in joint} - {GROUND}
    names = sorted(named) if bodies is None else [f"b{i}" for i in range(bodies)]
    return Model(
        "graph",
        bodies=tuple(RigidBody(name) for name in names),
        joints=tuple(Revolute(name=f"j{i}", a=f"{a}.p", b=f"{b}.p") for i, (a, b) in enumerate(joints)),
    )


def loops(*joints: tuple[str, str]) -> Loops:
    return find_loops(mechanism(*joints))


def test_an_open_chain_has_no_loop_and_is_put_together_from_the_ground() -> None:
    found = loops(("b1", "b2"), ("ground", "b0"), ("b0", "b1"))
    assert found.closed == {}
    assert found.order == ("j1", "j2", "j0")


def test_a_four_bar_has_one_loop_closed_by_a_joint_away_from_the_ground() -> None:
    found = loops(("ground", "crank"), ("crank", "coupler"), ("coupler", "rocker"), ("rocker", "ground"))
    ((closing, loop),) = found.closed.items()
    assert closing == loop.joints[0] == "j2"
    assert set(loop.joints) == {"j0", "j1", "j2", "j3"}
    assert str(loop) == "coupler – crank – ground – rocker"


def test_two_joints_between_the_same_bodies_are_a_loop_of_two() -> None:
    found = loops(("ground", "door"), ("door", "ground"))
    assert found.closed["j1"].joints == ("j1", "j0")
    assert set(found.closed["j1"].bodies) == {"ground", "door"}


def test_a_ring_that_touches_no_ground_is_a_loop_too() -> None:
    found = loops(("b0", "b1"), ("b1", "b2"), ("b2", "b0"))
    assert [len(loop.joints) for loop in found.closed.values()] == [3]


def test_each_window_of_a_row_is_a_loop_of_four_bars() -> None:
    found = find_loops(four_bar.mechanism(40, 1.0)).closed.values()
    assert [len(loop.joints) for loop in found] == [4] * 40


def test_each_window_of_the_grid_is_a_loop_by_itself() -> None:
    found = find_loops(multiple_four_bar.mechanism(5, 5, "top-row")).closed.values()
    assert len(found) == 25


BODIES = 6
graphs = st.lists(
    st.tuples(st.integers(-1, BODIES - 1), st.integers(-1, BODIES - 1)).filter(lambda joint: joint[0] != joint[1]),
    max_size=14,
).map(lambda joints: [tuple(GROUND if i < 0 else f"b{i}" for i in joint) for joint in joints])


@given(graphs)
def test_there_are_as_many_loops_as_joints_beyond_a_tree(joints: list[tuple[str, str]]) -> None:
    """Euler: loops = joints − bodies (the ground among them) + connected parts."""
    parts = {name: {name} for name in [GROUND, *(f"b{i}" for i in range(BODIES))]}
    for a, b in joints:
        joined = parts[a] | parts[b]
        parts |= dict.fromkeys(joined, joined)
    connected = len({id(part) for part in parts.values()})
    found = find_loops(mechanism(*joints, bodies=BODIES))
    assert len(found.closed) == len(joints) - (BODIES + 1) + connected


@given(graphs)
def test_every_loop_comes_back_to_where_it_began(joints: list[tuple[str, str]]) -> None:
    found = find_loops(mechanism(*joints, bodies=BODIES))
    ends = {f"j{i}": set(pair) for i, pair in enumerate(joints)}
    for loop in found.closed.values():
        around = [*loop.bodies, loop.bodies[0]]
        first, *way = loop.joints
        steps = [{a, b} for a, b in pairwise(around)]
        assert [ends[joint] for joint in [*way, first]] == steps
        assert len(set(loop.joints)) == len(loop.joints)


@given(graphs)
def test_a_joint_is_put_on_only_when_the_way_around_is_there(joints: list[tuple[str, str]]) -> None:
    found = find_loops(mechanism(*joints, bodies=BODIES))
    assert sorted(found.order) == sorted(f"j{i}" for i in range(len(joints)))
    for closing, loop in found.closed.items():
        before = found.order[: found.order.index(closing)]
        assert set(loop.joints[1:]) <= set(before)


def test_a_spanning_tree_reaches_every_body_by_the_fewest_joints() -> None:
    found = spanning_tree(mechanism(("b1", "b2"), ("ground", "b0"), ("b0", "b1"), ("b2", "ground"), ("b0", "b2")))
    assert [(tie.body, tie.base, tie.joint) for tie in found.ties] == [
        ("b0", "ground", "j1"),
        ("b2", "ground", "j3"),
        ("b1", "b2", "j0"),
    ]
    assert set(found.closing) == {"j2", "j4"}


def test_joints_can_be_kept_out_of_the_tree_or_taken_only_where_there_is_no_other() -> None:
    model = mechanism(("ground", "b0"), ("b0", "b1"), ("b1", "ground"))
    assert spanning_tree(model, never=["j0"]).closing == ("j0",)
    assert spanning_tree(model, rather_not=lambda joint: joint.name == "j2").closing == ("j2",)
    assert spanning_tree(model, never=["j0", "j2"]).ties[0] == Tie("b0")


@given(st.lists(st.tuples(*[st.sampled_from([GROUND, *(f"b{i}" for i in range(6))])] * 2), max_size=12))
def test_in_a_spanning_tree_each_body_is_once_and_after_what_it_hangs_on(joints: list[tuple[str, str]]) -> None:
    model = mechanism(*((a, b) for a, b in joints if a != b), bodies=6)
    found = spanning_tree(model)
    known = [GROUND]
    for tie in found.ties:
        assert tie.base in known
        known.append(tie.body)
    assert sorted(known) == sorted([GROUND, *(f"b{i}" for i in range(6))])
    used = [tie.joint for tie in found.ties if tie.joint is not None]
    assert sorted([*used, *found.closing]) == sorted(joint.name for joint in model.joints)
    assert len(found.closing) == len(find_loops(model).closed)
