"""The branches the judge knows: bodies stay rigid, hinges stay together, and the way through a flat position is
smooth."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.linkage import Linkage
from campaign.structure import GROUND, Poses
from campaign.suites.singular_positions import FAMILIES

LINKAGES = [name for name in FAMILIES if name != "grid"]


def drawn(family: str, number: int) -> Linkage:
    linkage = FAMILIES[family][1](np.random.default_rng([2026, number]))
    assert isinstance(linkage, Linkage)
    return linkage


def gaps(linkage: Linkage, poses: Poses) -> float:
    """How far pins are apart, in lengths."""
    bodies = {body.name: body for body in linkage.bodies}

    def pin(body: str, name: str) -> np.ndarray:
        origin, axes = poses[body]
        place: np.ndarray = origin + axes @ bodies[body].pins[name]
        return place

    worst = 0.0
    for hinge in linkage.hinges:
        there = hinge.at_a if not isinstance(hinge.at_a, str) else pin(hinge.a, hinge.at_a)
        worst = max(worst, float(np.max(np.abs(pin(hinge.b, hinge.at_b) - there))))
    return worst / linkage.length


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("family", LINKAGES)
def test_the_loops_of_a_branch_are_closed_all_round(family: str, number: int) -> None:
    linkage = drawn(family, number)
    poses = linkage.path(np.linspace(0.01, linkage.period, 100))
    assert gaps(linkage, poses) < 1e-13
    for _, axes in poses.values():
        assert np.max(np.abs(np.swapaxes(axes, 1, 2) @ axes - np.eye(linkage.dimension))) < 1e-12
        assert np.min(np.linalg.det(axes)) > 0.0


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("family", LINKAGES)
def test_the_axis_of_a_hinge_is_fixed_in_both_of_its_bodies(family: str, number: int) -> None:
    linkage = drawn(family, number)
    poses = linkage.path(np.linspace(0.01, linkage.period, 100))
    for hinge in linkage.hinges:
        if hinge.axis is not None:
            world = poses[hinge.b][1] @ hinge.axis
            seen = world if hinge.a == GROUND else np.einsum("kji,kj->ki", poses[hinge.a][1], world)
            assert np.max(np.abs(seen - seen[0])) < 1e-13


@pytest.mark.parametrize("number", range(3))
@pytest.mark.parametrize("family", LINKAGES)
def test_a_branch_goes_smoothly_through_its_flat_positions(family: str, number: int) -> None:
    """Differences across it converge to the derivative with the square of their width; a corner's would not
    converge."""
    linkage = drawn(family, number)
    for flat in linkage.flats:
        errors = []
        for h in (1e-3, 5e-4):
            places, slopes = linkage.tangents(flat + h * np.array([-1.0, 0.0, 1.0]))
            errors.append(np.max(np.abs(slopes[1] - (places[2] - places[0]) / (2.0 * h))) / linkage.length)
        assert errors[1] < 0.26 * errors[0] + 1e-11


@pytest.mark.parametrize("family", ["antiparallelograms", "kites", "folded kite", "change point"])
def test_another_branch_meets_it_at_a_flat_position(family: str) -> None:
    """All pins on one line, where the joint equations of the window lose a rank: crank, coupler and output are
    parallel."""
    linkage = drawn(family, 0)
    for flat in linkage.flats:
        poses = linkage.path(np.array([flat]))
        first = [body.name for body in linkage.bodies if body.name in ("upright0", "top0", "upright1")]
        window = first or ["crank", "coupler", "output"]
        directions = [poses[name][1][0][:, 0] for name in window]
        assert all(abs(directions[0] @ np.array([-d[1], d[0]])) < 1e-12 for d in directions)
