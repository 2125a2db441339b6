"""Four-bars for a purpose do what was wanted, by the native engine and by closed forms."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from grashof.questions.synthesis.design import placed
from grashof.questions.synthesis.paths import _derivatives

POSITIONS = [(0.0, 0.0, 0.0), (0.4, 0.25, 0.3), (0.9, 0.2, 0.7)]


def test_the_coupler_passes_three_positions() -> None:
    design = gr.four_bar_for_positions(POSITIONS, moving=[(0.1, -0.2), (0.6, 0.1)])
    assert design.error < 1e-12
    # the pins are equally far from the pivots in all positions
    for pivot, pin in zip(design.pivots, [(0.1, -0.2), (0.6, 0.1)], strict=True):
        places = [
            (x + math.cos(t) * pin[0] - math.sin(t) * pin[1], y + math.sin(t) * pin[0] + math.cos(t) * pin[1])
            for x, y, t in POSITIONS
        ]
        arms = [math.dist(pivot, place) for place in places]
        assert arms == pytest.approx([arms[0]] * 3, rel=1e-12)


def test_given_pivots_lead_to_the_pins_from_which_they_came() -> None:
    design = gr.four_bar_for_positions(POSITIONS, moving=[(0.1, -0.2), (0.6, 0.1)])
    back = gr.four_bar_for_positions(POSITIONS, fixed=design.pivots)
    assert (back.crank, back.coupler, back.rocker) == pytest.approx((design.crank, design.coupler, design.rocker))
    assert back.point == pytest.approx(design.point)


def test_the_mechanism_of_a_design_moves_as_the_design_says() -> None:
    design = gr.four_bar_for_positions(POSITIONS, moving=[(0.1, -0.2), (0.6, 0.1)])
    assert design.remarks == ()
    first, last = (float(x) for x in np.unwrap(design.angles)[[0, 2]])
    run = gr.kinematics(design.mechanism(speed=math.copysign(1.0, last - first)), abs(last - first), times=31)
    p = design.places(np.linspace(first, last, 31))[2]
    np.testing.assert_allclose(np.stack([run["coupler.P.x"], run["coupler.P.y"]], axis=1), p, atol=1e-9)
    np.testing.assert_allclose(p[[0, -1]], [POSITIONS[0][:2], POSITIONS[2][:2]], atol=1e-12)


def test_places_in_line_have_no_circle() -> None:
    with pytest.raises(gr.ModelError, match=r"three places of the pin \(0, 0\) lie in line"):
        gr.four_bar_for_positions([(0, 0, 0), (1, 0, 0.3), (2, 0, 0.9)], moving=[(0, 0), (1, 1)])


def test_positions_on_two_branches_are_remarked() -> None:
    random = np.random.default_rng(3)
    remarked = 0
    for _ in range(60):
        positions = [tuple(random.uniform(-1, 1, 3)) for _ in range(3)]
        design = gr.four_bar_for_positions(positions, moving=[(0, 0), (0.5, 0)])
        # each position is one of the two ways of closing the four-bar, whatever the branch
        assert design.error < 1e-9
        p = design.places(design.angles)[2]
        on_branch = np.linalg.norm(p - np.array([position[:2] for position in positions]), axis=1)
        c = design.places(design.angles)[1]
        pins = np.array([(x + 0.5 * math.cos(t), y + 0.5 * math.sin(t)) for x, y, t in positions])
        same = np.linalg.norm(c - pins, axis=1).max() + on_branch.max() < 1e-6
        assert same == (design.remarks == ())
        remarked += not same
    assert 5 < remarked < 55


def test_the_rocker_has_three_given_angles() -> None:
    crank, rocker = np.radians([40.0, 45.0, 50.0]) + 0.6, np.radians([110.0, 118.0, 129.0])
    design = gr.four_bar_for_function(crank, rocker, frame=0.3)
    assert design.error < 1e-9
    assert design.frame == 0.3
    # by the law of the loop itself, without Freudenstein's constants
    signs = [-1.0 if any(f"The {name} points" in x for x in design.remarks) else 1.0 for name in ("crank", "rocker")]
    a, c = design.crank * signs[0], design.rocker * signs[1]
    apart = np.abs(0.3 + c * np.exp(1j * rocker) - a * np.exp(1j * crank))
    np.testing.assert_allclose(apart, design.coupler, rtol=1e-12)


def test_a_function_of_a_known_four_bar_is_found_again_by_many_points() -> None:
    numbers = np.array([0.0, 0.0, 0.0, 0.3, 1.0, 0.8, 1.1, 0.0, 0.0])
    phi = np.linspace(0.3, 2.5, 9)
    psi = np.angle(placed(numbers, phi, 1)[1] - 1.1)
    design = gr.four_bar_for_function(phi, psi, frame=1.1)
    assert (design.crank, design.coupler, design.rocker) == pytest.approx((0.3, 1.0, 0.8), rel=1e-9)
    assert design.branch == 1
    assert design.error < 1e-9


def test_derivatives_of_coupler_points_are_those_of_differences() -> None:
    numbers = np.array([0.2, -0.1, 0.3, 0.4, 1.1, 0.9, 1.0, 0.6, 0.7])
    angles, h = np.linspace(0, 6, 17), 1e-6
    for branch in (1, -1):
        by_numbers, by_angle = _derivatives(numbers, angles, branch)
        for k, step in enumerate(h * np.eye(9)):
            ahead, back = (placed(numbers + s * step, angles, branch)[2] for s in (1, -1))
            np.testing.assert_allclose(by_numbers[:, k], (ahead - back) / (2 * h), atol=1e-8)
        ahead, back = (placed(numbers, angles + s * h, branch)[2] for s in (1, -1))
        np.testing.assert_allclose(by_angle, (ahead - back) / (2 * h), atol=1e-8)


def test_the_coupler_curve_of_a_four_bar_is_followed_exactly_and_natively() -> None:
    numbers = np.array([0.2, -0.1, 0.3, 0.4, 1.1, 0.9, 1.0, 0.6, 0.7])
    path = placed(numbers, np.linspace(0, 2 * math.pi, 40, endpoint=False), 1)[2]
    design = gr.four_bar_for_path([(z.real, z.imag) for z in path])
    # it, or one of its cognates, has no error at all
    assert design.error < 1e-9
    assert design.turns_fully
    run = gr.kinematics(design.mechanism(speed=2 * math.pi), 1.0, times=721)
    curve = run["coupler.P.x"] + 1j * run["coupler.P.y"]
    nearest = [np.abs(curve - point).min() for point in path]
    assert max(nearest) < 0.01 * np.abs(path - path.mean()).max()  # the samples are that far apart


def test_a_path_that_no_four_bar_has_is_followed_with_the_error_that_is_said() -> None:
    path = [(0.0, 0.0), (0.1, 0.0), (0.2, 0.0), (0.2, 0.06), (0.2, 0.12), (0.1, 0.12), (0.0, 0.12), (0.0, 0.06)]
    design = gr.four_bar_for_path(path, closed=True)
    p = design.places(np.linspace(0, 2 * math.pi, 20_001))[2]
    real = [np.linalg.norm(p - np.array(point), axis=1).min() for point in path]
    np.testing.assert_allclose(design.errors, real, atol=1e-6)
    assert 1e-4 < design.error < 0.03


@pytest.mark.parametrize(
    ("points", "sentence"),
    [
        ([(0, 0)] * 6, "All points of the path are at one place"),
        ([(0, 0), (1, 1)], "The path has 2 points; give five or more"),
        ([(0, 0), (1, 1), (math.nan, 0), (2, 1), (1, 2)], "all of them finite"),
    ],
)
def test_paths_that_are_none_are_refused(points: list[tuple[float, float]], sentence: str) -> None:
    with pytest.raises(gr.ModelError, match=sentence):
        gr.four_bar_for_path(points)


def test_pivots_stay_within_reach_of_the_path() -> None:
    """Of a straight line there are guides with pivots near and far."""
    path = [(k / 20, 0.0) for k in range(21)]
    for reach in (3.0, 5.0):
        design = gr.four_bar_for_path(path, closed=False, reach=reach)
        assert max(math.dist(pivot, (0.5, 0.0)) for pivot in design.pivots) <= reach * 0.5 * 1.001
        assert design.error < 0.01
    with pytest.raises(gr.ModelError, match="above 0, within which"):
        gr.four_bar_for_path(path, reach=0.0)
