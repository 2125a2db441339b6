"""Starts exactly at singular positions: the velocities choose a branch, or are refused; and the motion follows its
branch."""

from __future__ import annotations

import math
import re
from collections.abc import Callable

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

import grashof as gr
from grashof.formulation.natural.closing import Positions
from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.system import compile_system
from grashof.problems.four_bar import case as four_bar
from grashof.problems.multiple_four_bar import case as multiple_four_bar
from grashof.singular.start_branches import are_farther, least_singular_values
from tests.linkages import windows_lying_flat

Curve = Callable[[float], tuple[np.ndarray, np.ndarray]]
"""Ends of crank and rocker of a four-bar on one of its branches, from the crank's angle."""


def flat_four_bar(lengths: tuple[float, ...], dimension: int = 2, **rates: float) -> gr.Mechanism:
    """Ground, crank, coupler and rocker on the x axis, all pointing to the right; uniform bars of 1 kg, no gravity."""
    ground, crank, coupler, rocker = lengths
    rest = (0.0,) * (dimension - 2)
    axis = None if dimension == 2 else (0, 0, 1)
    m = gr.Mechanism("flat", dimension=dimension)
    a = m.bar("crank", mass=1.0, start=(0, 0, *rest), end=(crank, 0, *rest))
    b = m.bar("coupler", mass=1.0, start=(crank, 0, *rest), end=(crank + coupler, 0, *rest))
    c = m.bar("rocker", mass=1.0, start=(ground, 0, *rest), end=(ground + rocker, 0, *rest))
    m.revolute(m.ground.at(0, 0, *rest), a.start, axis=axis)
    m.revolute(m.ground.at(ground, 0, *rest), c.start, axis=axis)
    m.revolute(a.end, b.start, axis=axis)
    m.revolute(b.end, c.end, axis=axis)
    for name, rate in rates.items():
        m.need(f"{name}.end.y", rate=rate * {"crank": crank, "rocker": rocker}[name])
    return m


PARALLELOGRAM = (2.0, 1.0, 2.0, 1.0)
KITE = (1.0, 1.0, 1.5, 1.5)


def parallel(angle: float) -> tuple[np.ndarray, np.ndarray]:
    """The rocker stays parallel to the crank."""
    end = np.array([math.cos(angle), math.sin(angle)])
    return end, end + np.array([2.0, 0.0])


def crossed(angle: float) -> tuple[np.ndarray, np.ndarray]:
    """The antiparallelogram: the parallelogram's rocker end, mirrored at the diagonal from the crank's end to the
    rocker's pivot."""
    near, far = parallel(angle)
    along = (np.array([2.0, 0.0]) - near) / math.dist((2.0, 0.0), near)
    return near, near + 2.0 * along * ((far - near) @ along) - (far - near)


def deltoid(angle: float) -> tuple[np.ndarray, np.ndarray]:
    """The kite is symmetric about the line through the crank's pivot at half the crank's angle."""
    half = 0.5 * angle
    reach = math.cos(half) + math.sqrt(1.5**2 - math.sin(half) ** 2)
    return np.array([math.cos(angle), math.sin(angle)]), reach * np.array([math.cos(half), math.sin(half)])


BRANCHES = {
    "parallelogram": (PARALLELOGRAM, parallel, 1.0),
    "antiparallelogram": (PARALLELOGRAM, crossed, -3.0),
    "deltoid": (KITE, deltoid, 5.0 / 6.0),
}


def inertia(curve: Curve, angle: float) -> float:
    """2 T/θ̇² of three uniform bars of 1 kg, |p|² + p·q + |q|² over 3 with the velocities p, q of a bar's ends."""
    h = 1e-3  # the central difference of sixth order then errs by about its round-off, 1e-13
    weights = {3: 1 / 60, 2: -3 / 20, 1: 3 / 4}
    near, far = (
        sum(w / h * (curve(angle + k * h)[end] - curve(angle - k * h)[end]) for k, w in weights.items())
        for end in (0, 1)
    )
    pairs = [(near, 0.0 * near), (near, far), (far, 0.0 * far)]
    return float(sum(p @ p + p @ q + q @ q for p, q in pairs)) / 3.0


# -- velocities that choose a branch


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("branch", BRANCHES)
def test_the_motion_leaves_on_the_branch_of_its_velocity(branch: str, dimension: int) -> None:
    """Without forces the energy ½ I(θ) θ̇² is constant: the crank is at θ after ∫ √(I/2E) dθ. The rocker's place is
    geometry."""
    lengths, curve, rocker = BRANCHES[branch]
    run = gr.simulate(flat_four_bar(lengths, dimension, crank=1.0, rocker=rocker), 0.8)
    assert run.status.ok
    assert run.assembly.singular == 1
    x, y = run["crank.end.x"][-1], run["crank.end.y"][-1]
    angle, energy = math.atan2(y, x), 0.5 * inertia(curve, 0.0)
    taken, _ = quad(lambda theta: math.sqrt(inertia(curve, theta) / (2.0 * energy)), 0.0, angle)
    assert angle > 0.5
    assert [run[f"rocker.end.{axis}"][-1] for axis in "xy"] == pytest.approx(curve(angle)[1], abs=1e-9)
    assert taken == pytest.approx(0.8, abs=1e-6)


def test_a_kite_folded_on_its_ground_turns_about_its_pivot_with_the_crank_at_rest() -> None:
    """The kite's other branch: coupler and rocker lie on each other and turn as one."""
    run = gr.simulate(flat_four_bar(KITE, crank=0.0, rocker=1.0), 2.0)
    assert run.status.ok
    assert np.max(np.abs(run["crank.end.y"])) < 1e-9
    assert run["rocker.end.y"] == pytest.approx(1.5 * np.sin(run.t), abs=1e-6)


@pytest.mark.parametrize("windows", [2, 10])
def test_windows_lying_flat_rise_as_parallelograms_if_all_uprights_turn_alike(windows: int) -> None:
    """Uprights (m l²/3 each) and tops (translating on the circle) make a pendulum: I θ̈ = −m g l (uprights/2 + tops)
    cos θ."""
    m = windows_lying_flat(windows)
    m.gravity = (0.0, -9.81)
    for k in range(windows + 1):
        m.need(f"upright{k}.angle", rate=6.0)
    run = gr.simulate(m, 1.0)
    uprights, tops = windows + 1, windows
    pull = 9.81 * (0.5 * uprights + tops) / (uprights / 3.0 + tops)
    pendulum = solve_ivp(lambda _, y: (y[1], -pull * math.cos(y[0])), (0, 1), (0, 6.0), rtol=1e-12, atol=1e-12)
    assert run.status.ok
    assert run.assembly.singular == windows
    assert run["upright0.angle"][-1] == pytest.approx(pendulum.y[0, -1], abs=1e-5)
    assert run[f"upright{windows}.angle"][-1] == pytest.approx(pendulum.y[0, -1], abs=1e-5)


@pytest.mark.parametrize(("rocker", "curve"), [(1.0, parallel), (-3.0, crossed)])
def test_a_motor_drives_the_crank_out_of_the_flat_position_and_the_needed_rate_says_which_way(
    rocker: float, curve: Curve
) -> None:
    m = flat_four_bar(PARALLELOGRAM, rocker=rocker)
    m.motor("crank.angle", "t")
    run = gr.simulate(m, 1.0)
    assert run.status.ok
    assert [run[f"rocker.end.{axis}"][-1] for axis in "xy"] == pytest.approx(curve(1.0)[1], abs=1e-9)


def test_the_flat_position_may_be_found_from_a_rough_guess() -> None:
    """Only the crank's angle is needed: the rest of the way is a double root, where positions are known to 1e-6
    only."""
    m = flat_four_bar(PARALLELOGRAM)
    m.guess("coupler", (1.02, 0.05), angle=0.1)
    m.guess("rocker", (2.0, 0.0), angle=-0.05)
    m.need("crank.angle", value=0.0, rate=1.0)
    m.need("rocker.angle", rate=1.0)
    run = gr.simulate(m, 1.0)
    assert run.assembly.singular == 1
    assert run["rocker.angle"][-1] == pytest.approx(1.0, abs=1e-5)


def test_the_assembly_says_that_the_position_is_singular() -> None:
    text = str(gr.assemble(flat_four_bar(PARALLELOGRAM, crank=1.0, rocker=1.0)))
    assert "singular: it has 1 more degree of freedom than the motion selected by its velocities" in text


# -- velocities that do not


@pytest.mark.parametrize(("rates", "directions"), [({}, "1 direction"), ({"crank": 0.0, "rocker": 0.0}, "1 direction")])
@pytest.mark.parametrize("dimension", [2, 3])
def test_rest_determines_nothing(dimension: int, rates: dict[str, float], directions: str) -> None:
    with pytest.raises(
        gr.ModelError, match=rf"2 degrees of freedom there and 1 nearby.* not determined in {directions}\."
    ):
        gr.assemble(flat_four_bar(PARALLELOGRAM, dimension, **rates))


def test_three_windows_at_rest_leave_three_directions_open() -> None:
    with pytest.raises(gr.ModelError, match=r"not determined in 3 directions\. Need the rates of 4 quantities"):
        gr.assemble(windows_lying_flat(3))


def test_what_moves_elsewhere_does_not_determine_what_rests_here() -> None:
    m = flat_four_bar(PARALLELOGRAM)
    stone = m.body("stone", mass=1.0, inertia=1.0, points={"p": (0.0, 0.0)}, position=(0, 5))
    m.need(f"{stone.name}.p.x", rate=1.0)
    with pytest.raises(gr.ModelError, match=r"not determined in 1 direction\."):
        gr.assemble(m)


@pytest.mark.parametrize(("lengths", "rocker"), [(PARALLELOGRAM, -1.0), (PARALLELOGRAM, 0.9999), (KITE, 0.8)])
def test_velocities_between_the_branches_are_refused(lengths: tuple[float, ...], rocker: float) -> None:
    """They satisfy the joints to first order; to second order the lengths of the bars contradict each other."""
    with pytest.raises(
        gr.ModelError,
        match=r"no motion has the given initial velocities.* body 'coupler'.* would be violated by [\d.]+ m/s²",
    ):
        gr.assemble(flat_four_bar(lengths, crank=1.0, rocker=rocker))


def test_one_rate_leaves_a_choice_and_the_one_of_least_energy_is_no_motion() -> None:
    with pytest.raises(
        gr.ModelError, match=r"no motion has .* Need the rates of 2 quantities consistent with one branch"
    ):
        gr.assemble(flat_four_bar(PARALLELOGRAM, crank=1.0))


def test_what_misses_to_second_order_grows_with_the_square_of_the_speed() -> None:
    missing = []
    for speed in (1.0, 3.0):
        with pytest.raises(gr.ModelError) as caught:
            gr.assemble(flat_four_bar(PARALLELOGRAM, crank=speed, rocker=-speed))
        missing.append(float(re.findall(r"violated by ([\d.]+) m/s²", str(caught.value))[0]))
    assert missing[1] == pytest.approx(9.0 * missing[0], rel=0.01)  # written with three digits


@pytest.mark.parametrize("rate", [None, 1.0])
def test_two_bars_in_line_between_fixed_pivots_move_nowhere_and_no_rate_is_asked_for(rate: float | None) -> None:
    """They can begin to move, to first order; to second order they cannot."""
    m = gr.Mechanism("in line")
    left = m.bar("left", mass=1.0, start=(0, 0), end=(1, 0))
    right = m.bar("right", mass=1.0, start=(1, 0), end=(2, 0))
    m.revolute(m.ground.at(0, 0), left.start)
    m.revolute(left.end, right.start)
    m.revolute(m.ground.at(2, 0), right.end)
    if rate is not None:
        m.need("left.end.y", rate=rate)
    with pytest.raises(gr.ModelError, match=r"1 degree of freedom there and 0 nearby.*it is a structure") as caught:
        gr.assemble(m)
    assert ("no motion has the given initial velocities" in str(caught.value)) == (rate is not None)
    assert "Need a rate" not in str(caught.value)


def test_the_least_singular_value_falls_with_the_distance_from_a_flat_position() -> None:
    """Of a square window, by the angle left to lying flat; rows of unit length."""
    dynamics = make_dynamics(compile_system(four_bar.mechanism(1, 1.0)))
    angles = np.array([0.5, 0.05, 0.005, 0.0])
    bar = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    q = np.hstack([bar, bar + np.array([1.0, 0.0])])
    found = least_singular_values(dynamics, np.zeros(4), q, redundant=0)
    for value, position in zip(found, q, strict=True):
        rows, _ = Positions(dynamics, 0.0).unit_rows(position)
        assert value == pytest.approx(np.linalg.svd(rows, compute_uv=False)[-1], abs=1e-15)
    assert found[1] / found[2] == pytest.approx(10.0, rel=0.01)
    assert found[3] < 1e-15
    assert np.all(least_singular_values(dynamics, np.zeros(4), q, redundant=3) == 1.0)


def test_only_loops_can_be_singular() -> None:
    """The rows of grids are those of a chain of pendulums on their branch, and loops with the joints alone."""
    grid = multiple_four_bar.mechanism(2, 2, "all-rows")
    assert [gr.build(grid, relations=relations).dynamics.rows.closed for relations in (True, False)] == [False, True]
    assert make_dynamics(compile_system(four_bar.mechanism(1, 1.0))).rows.closed


def test_positions_are_farther_from_singular_ones_than_less_than_their_least_singular_value() -> None:
    """Whether all of them are farther or only some."""
    dynamics = make_dynamics(compile_system(flat_four_bar((3.0, 1.0, 4.0, 2.5), crank=1.0).model))
    rng = np.random.default_rng(3)
    t, q = np.zeros(20), rng.normal(size=(20, dynamics.n))
    least = least_singular_values(dynamics, t, q, 0)
    assert np.all(are_farther(dynamics, t, q, 0, 0.99 * least))
    factors = rng.choice([0.99, 1.01], size=20)
    assert np.array_equal(are_farther(dynamics, t, q, 0, factors * least), factors < 1.0)
    assert not np.any(are_farther(dynamics, t, q, 0, 1.01 * least))


def test_singular_values_of_many_rows_are_those_of_their_decomposition() -> None:
    """Of 16 windows at several angles to lying flat, far from singular and next to it, where they are in proportion
    to the angle."""
    dynamics = make_dynamics(compile_system(windows_lying_flat(16).model))
    assert dynamics.rows.count == 33
    angles = np.array([0.5, 0.05, 5e-3, 5e-4, 5e-8])
    bar = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    q = np.hstack([bar + np.array([float(k), 0.0]) for k in range(17)])
    found = least_singular_values(dynamics, np.zeros(5), q, redundant=0)
    for value, position in zip(found, q, strict=True):
        rows, _ = Positions(dynamics, 0.0).unit_rows(position)
        assert value == pytest.approx(np.linalg.svd(rows, compute_uv=False)[-1], rel=1e-9, abs=1e-15)
    assert found[2:-1] / found[3:] == pytest.approx([10.0, 1e4], rel=1e-3)
