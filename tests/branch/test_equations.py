"""Linear relations hold on a branch, not on the joints: they tell a parallelogram from the crossed four-bar of the
same bars."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from benchmarks.builds import scissor_lift

import grashof as gr
from grashof.branch.equations import search
from grashof.branch.relations import relations_of
from grashof.branch.sampling import Piece
from grashof.formulation.natural.closing import Positions
from grashof.formulation.natural.forms import Form
from grashof.motion.trajectory import Trajectory
from grashof.problems import make_case
from grashof.program import Program
from grashof.simulation.simulate import integrate


def four_bar(left: float, right: float, second: tuple[float, float], coupler: float = 2.0) -> Program:
    """Pivots 2 m apart; the left bar ends near (0.3, 0.9), the right one near `second`."""
    first, pivot = (0.3, 0.9), (2.0, 0.0)
    m = gr.Mechanism("four-bar", gravity=(0, -9.81))
    a = m.bar("a", length=left, mass=1.0, start=(0, 0), end=first)
    b = m.bar("b", length=coupler, mass=1.0, start=first, end=second)
    c = m.bar("c", length=right, mass=1.0, start=pivot, end=second)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(m.ground.at(*pivot), c.start)
    m.need("a.angle", rate=1.0)
    return gr.build(m)


def test_the_coupler_of_a_parallelogram_only_translates() -> None:
    program = four_bar(1.0, 1.0, second=(2.3, 0.9))
    assert program.relations == ("b.end.x = a.end.x + 2 m", "b.end.y = a.end.y")
    assert (program.system.n, program.system.m) == (2, 1)


def test_the_crossed_four_bar_of_the_same_bars_has_no_linear_relation() -> None:
    program = four_bar(1.0, 1.0, second=(1.4, -0.8))
    assert program.relations == ()
    assert program.system.n == 4


def test_a_general_four_bar_has_none() -> None:
    assert four_bar(1.0, 1.3, second=(2.1, 1.3)).relations == ()


@pytest.mark.parametrize("off", [1e-3, 1e-6, 1e-9, 1e-10, 2e-11])
def test_nearly_a_parallelogram_is_none(off: float) -> None:
    assert four_bar(1.0, 1.0 + off, second=(2.3, 0.9)).relations == ()


def test_bodies_that_turn_freely_in_space_have_none() -> None:
    """Rotations about a few axes lie in a subspace; rotations do not."""
    m = gr.Mechanism("chain", gravity=(0, 0, -9.81))
    inertia = (0.1, 0.2, 0.15)
    upper = m.body("upper", mass=1.0, center=(0.5, 0, 0), inertia=inertia, points={"a": (0, 0, 0), "b": (1, 0.2, 0)})
    lower = m.body(
        "lower", mass=1.0, center=(0.5, 0, 0), inertia=inertia, points={"a": (0, 0, 0)}, position=(1, 0.2, 0)
    )
    m.spherical(m.ground.at(0, 0, 0), upper.a)
    m.spherical(upper.b, lower.a)
    program = gr.build(m)
    assert program.relations == ()
    assert added(program) == 0


def test_a_pantograph_copies_at_its_scale() -> None:
    """e along the long arm, u along the other: the pen at 3 e + 3 u, the stylus at e + u, for ever."""
    e, u = np.array([np.cos(0.3), np.sin(0.3)]), np.array([np.cos(1.9), np.sin(1.9)])
    m = gr.Mechanism("pantograph", gravity=(0, -9.81))
    long = m.body(
        "long", mass=1.0, center=(1.5, 0), inertia=1.0, points={"o": (0, 0), "p": (1, 0), "q": (3, 0)}, angle=0.3
    )
    points = {"q": (0.0, 0.0), "r": (2.0, 0.0), "pen": (3.0, 0.0)}
    other = m.body("other", mass=1.0, center=(1.5, 0), inertia=1.0, points=points, position=tuple(3 * e), angle=1.9)
    short = m.bar("short", length=2.0, mass=1.0, start=tuple(e), end=tuple(e + 2 * u))
    short.at(1.0, 0.0, name="stylus")
    cross = m.bar("cross", length=2.0, mass=1.0, start=tuple(e + 2 * u), end=tuple(3 * e + 2 * u))
    m.revolute(m.ground.at(0, 0), long.o)
    m.revolute(long.q, other.q)
    m.revolute(long.p, short.start)
    m.revolute(short.end, cross.start)
    m.revolute(cross.end, other.r)
    program = gr.build(m)
    assert len(program.relations) == 2
    for pen, stylus in zip(program.system.point("other.pen"), program.system.point("short.stylus"), strict=True):
        assert pen.terms == pytest.approx({i: 3.0 * x for i, x in stylus.terms.items()}, abs=1e-12)


@pytest.mark.parametrize(
    ("name", "left", "gone"), [("double-four-bar", 2, 4), ("multiple-four-bar", 10, 50), ("andrews", 8, 0)]
)
def test_benchmarks(name: str, left: int, gone: int) -> None:
    program = gr.build(make_case(name).model)
    assert (program.system.n, len(program.relations)) == (left, gone)


@pytest.mark.parametrize("name", ["double-four-bar", "multiple-four-bar"])
def test_with_relations_and_without_the_motion_is_one(name: str) -> None:
    """Two formulations: one that passes singular positions, one that has none."""
    case = make_case(name)
    ends = []
    for relations in (True, False):
        program = gr.build(case.model, relations=relations)
        steps = integrate(program, 3.0, tol=1e-9)
        run = Trajectory(program, steps, np.array([3.0]))
        ends.append(np.array([column.value(run)[-1] for column in case.final]))
    assert ends[0] == pytest.approx(ends[1], abs=1e-7)


def test_the_joints_own_equations_hold_along_the_branch() -> None:
    program = gr.build(make_case("multiple-four-bar", "all-rows").model)
    steps = integrate(program, 10.0)
    assert program.branch is not None
    assert np.max(program.branch.misfit(steps.y[:, : program.system.n])) < 1e-12


def test_a_relation_that_is_false_shows() -> None:
    program = gr.build(make_case("double-four-bar").model)
    branch = program.branch
    assert branch is not None
    coordinates = list(branch.coordinates)
    gone = next(i for i in range(len(coordinates)) if i not in branch.left)
    coordinates[gone] = Form(coordinates[gone].terms, coordinates[gone].constant + 1e-3)
    false = replace(branch, coordinates=tuple(coordinates))
    assert false.misfit(program.assembly.q[None])[0] > 1e-4


def test_a_large_chain_is_taken_in_pieces() -> None:
    program = gr.build(make_case("n-four-bar", None, {"N": 60}).model, relations=False)
    _, branch = search(program.joints.system, program.assembly.q)
    assert branch is not None
    assert branch.system.n == 2
    assert len(branch.relations) == 2 * 60


def test_crossed_four_bars_and_kites_have_a_quadratic_equation_of_their_own_and_others_have_none() -> None:
    crossed, kite = four_bar(1.0, 1.0, second=(1.4, -0.8)), four_bar(2.0, 2.0, second=(1.9, 1.6), coupler=2.5)
    general, open_one = four_bar(1.0, 1.3, second=(2.1, 1.3)), four_bar(1.0, 1.0, second=(2.3, 0.9))
    assert [added(p) for p in (crossed, general, open_one)] == [1, 0, 0]
    assert added(kite) == 0  # equal sides opposite, unequal coupler: no special shape
    assert added(four_bar(2.0, 1.0, second=(2.3, 0.9), coupler=1.0)) == 1


def crossed_positions(count: int) -> np.ndarray:
    """Both pins of the crossed four-bar all the way round: reflected in the diagonal from the left bar's end to the
    right pivot, the parallelogram's corner keeps its distances to both, and is the right bar's end."""
    pivot, positions = np.array([2.0, 0.0]), []
    for angle in np.linspace(0.0, 2.0 * np.pi, count, endpoint=False):
        a = np.array([np.cos(angle), np.sin(angle)])
        along = (pivot - a) / np.linalg.norm(pivot - a)
        # the corner is at `pivot` from the left bar's end
        positions.append([*a, *(a + 2.0 * along * (pivot @ along) - pivot)])
    return np.array(positions)


def test_the_equation_holds_all_the_way_round() -> None:
    """Against positions found by reflection, flat ones among them."""
    program = four_bar(1.0, 1.0, second=(1.4, -0.8))
    positions = crossed_positions(64)
    for row in program.system.rows:
        assert np.max(np.abs(row.expression.at(list(positions.T)))) < 1e-13


def test_with_the_equation_flat_positions_are_regular() -> None:
    program = four_bar(1.0, 1.0, second=(1.4, -0.8))
    flat = np.array([1.0, 0.0, 3.0, 0.0])
    assert Positions(program.joints, 0.0).rank(flat) == 2
    assert Positions(program.dynamics, 0.0).rank(flat) == 3


def added(program: Program) -> int:
    return 0 if program.branch is None else program.branch.added


@pytest.mark.parametrize("stages", [3, 40, 80])
def test_a_scissor_lift_of_any_height_is_its_foot_and_its_height(stages: int) -> None:
    """x² + h² = 1 for the foot at x and stages of height h: the joint at the left end of stage k is at (0, k h)."""
    program = gr.build(scissor_lift(stages))
    assert (program.system.n, program.system.m) == (2, 1)
    for angle in (0.2, 0.7, 1.3):
        top = program.system.point(f"down{stages - 1}.end")
        there = dict(zip(program.system.labels, [0.0, 0.0], strict=True))
        for label in there:
            place = np.array([0.0, 0.0])
            body, point, axis = label.split(".")
            stage = int(body.removeprefix("up").removeprefix("down"))
            right = (point == "end") == body.startswith("up")
            heights = {"start": stage, "end": stage + 1, "p1": stage + 0.5}
            width = {"p1": 0.5}.get(point, float(right))
            place = np.array([width * np.cos(angle), heights[point] * np.sin(angle)])
            there[label] = place["xy".index(axis)]
        q = list(there.values())
        assert [float(x.at(q)) for x in top] == pytest.approx([0.0, stages * np.sin(angle)], abs=1e-12 * stages)


def test_what_goes_wrong_in_the_search_is_told_and_refuses_no_mechanism(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(piece: object) -> list[Form]:
        raise np.linalg.LinAlgError("no convergence")

    monkeypatch.setattr("grashof.branch.equations.relations_of", fail)
    monkeypatch.setenv("GRASHOF_CACHE", "off")
    program = four_bar(1.0, 1.0, second=(2.3, 0.9))
    assert program.branch is None
    assert "no convergence" in program.remark


def test_a_relation_that_does_not_hold_to_round_off_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    """One of a parallelogram, with a factor of 1 + 1e-11."""
    right = relations_of

    def wrong(piece: Piece) -> list[Form]:
        return [Form({a: x * (1.0 + 1e-11 * (x < 0.0)) for a, x in f.terms.items()}, f.constant) for f in right(piece)]

    monkeypatch.setattr("grashof.branch.equations.relations_of", wrong)
    monkeypatch.setenv("GRASHOF_CACHE", "off")
    program = four_bar(1.0, 1.0, second=(2.3, 0.9))
    assert program.branch is None
    assert "round-off" in program.remark


def test_what_was_found_is_found_again_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRASHOF_CACHE", str(tmp_path / "cache"))
    first = [four_bar(1.0, 1.0, second=(2.3, 0.9)), four_bar(1.0, 1.0, second=(1.4, -0.8))]
    monkeypatch.setattr("grashof.assembly.assembled_model.assemble", None)
    monkeypatch.setattr("grashof.program.structure.search", None)
    monkeypatch.setattr("grashof.program.machine_code.trace", None)
    second = [four_bar(1.0, 1.0, second=(2.3, 0.9)), four_bar(1.0, 1.0, second=(1.4, -0.8))]
    for before, after in zip(first, second, strict=True):
        y = np.concatenate([before.assembly.q, before.assembly.v])
        assert after.relations == before.relations
        assert np.array_equal(before.integrator.derivative(0.0, y), after.integrator.derivative(0.0, y))
