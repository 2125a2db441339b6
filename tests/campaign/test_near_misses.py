"""What the judge knows of linkages that narrowly miss a singular position."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.energy_integral import Panels, going_round, panels, series
from campaign.linkage import Linkage
from campaign.suites.near_misses import four_bar, slider_crank, spherical_four_bar

MAKERS = {
    "four-bar": lambda rng: four_bar(rng, space=False),
    "four-bar in space": lambda rng: four_bar(rng, space=True),
    "slider-crank": slider_crank,
    "spherical four-bar": spherical_four_bar,
}


def worlds(linkage: Linkage, s: np.ndarray, body: str, pin: str) -> np.ndarray:
    """A pin of a body in the world, (k, d)."""
    origin, axes = linkage.path(s)[body]
    (solid,) = (x for x in linkage.bodies if x.name == body)
    return origin + axes @ solid.pins[pin]


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", MAKERS)
def test_bodies_are_rigid_and_pins_meet_all_round(kind: str, seed: int) -> None:
    linkage = MAKERS[kind](np.random.default_rng(seed))
    s = np.linspace(0.0, linkage.period, 50)
    for body in linkage.bodies:
        _, axes = linkage.path(s)[body.name]
        assert np.max(np.abs(np.swapaxes(axes, 1, 2) @ axes - np.eye(linkage.dimension))) < 1e-9
    for hinge in linkage.hinges:
        there = worlds(linkage, s, hinge.b, hinge.at_b)
        here = np.asarray(hinge.at_a) if not isinstance(hinge.at_a, str) else worlds(linkage, s, hinge.a, hinge.at_a)
        assert np.max(np.abs(there - here)) < 1e-9 * linkage.length
    for slot in linkage.slots:
        across = np.array([-slot.along[1], slot.along[0]])
        assert np.max(np.abs((worlds(linkage, s, slot.body, slot.pin) - slot.through) @ across)) < 1e-12


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", MAKERS)
def test_the_elbow_never_changes_sides(kind: str, seed: int) -> None:
    """The two links that come near to one line keep the sign of their cross product, which is the root that must not
    vanish."""
    linkage = MAKERS[kind](np.random.default_rng(seed))
    narrow = np.add.outer(np.array(linkage.flats), np.linspace(-1e-3, 1e-3, 401)).ravel()
    s = np.concatenate([np.linspace(0.0, linkage.period, 2001), narrow])
    poses = linkage.path(s)
    if kind == "slider-crank":
        elbow = poses["rod"][1][:, 0, 0]
    elif kind == "spherical four-bar":
        elbow = np.einsum("ki,ki->k", poses["coupler"][1][:, :, 2], poses["output"][1][:, :, 0])
    else:
        first, second, normal = poses["coupler"][1][:, :, 0], poses["output"][1][:, :, 0], poses["coupler"][1][:, :, -1]
        elbow = (
            first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]
            if linkage.dimension == 2
            else np.einsum("ki,ki->k", np.cross(first, second), normal)
        )
    assert np.min(np.abs(elbow)) > 0.0
    assert len(set(np.sign(elbow))) == 1


@pytest.mark.parametrize("narrow", [1e-6, 1e-12])
def test_panels_integrate_what_a_fourier_series_cannot(narrow: float) -> None:
    """f = 2 + d/dx √(ε² + sin²(x/2)), which turns from 1.5 to 2.5 within ε of x = 0."""

    def root(x: np.ndarray) -> np.ndarray:
        return np.sqrt(narrow + np.sin(0.5 * x) ** 2)

    clock = going_round(lambda x: 2.0 + 0.25 * np.sin(x) / root(x), 2.0 * np.pi, (0.0,))
    assert isinstance(clock, Panels)
    x = np.array([-3.0, -1e-4, 0.0, 1e-7, 1e-6, 1e-3, 1.0, 3.0, 6.0, 20.0])
    exact = 2.0 * x + root(x) - np.sqrt(narrow)
    assert np.max(np.abs(clock.read(x)[0] - exact)) < 1e-10
    assert np.max(np.abs(clock.phase(exact) - x)) < 1e-10


def test_panels_and_series_agree() -> None:
    def f(x: np.ndarray) -> np.ndarray:
        return 1.0 / (1.3 - np.cos(x))

    times = np.linspace(-5.0, 40.0, 17)
    long, short = series(f, 2.0 * np.pi), panels(f, 2.0 * np.pi, (0.0,))
    assert np.max(np.abs(long.phase(times) - short.phase(times))) < 1e-11
