"""Two motions are compared by positions, orientations and energies, of every body that there is."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import grashof as gr
from grashof.engines.comparison import Difference, MotionNorms
from grashof.engines.grashof import ENGINE, by_tolerance
from grashof.situation import Situation, situation
from grashof.situation.motion import Motion
from grashof.situation.rotations import turns

from . import linkages


def moved(m: gr.Mechanism, t_end: float = 1.0) -> tuple[Situation, Motion]:
    """A mechanism and its motion."""
    s = situation(m.model)
    return s, ENGINE.prepare(s).run(by_tolerance(1e-8), np.linspace(0.0, t_end, 21)).motion


def turned(motion: Motion, body: int, axis: tuple[float, float, float], angle: float) -> Motion:
    """The same motion, one body turned about an axis of its own through its origin."""
    rotations = motion.rotations.copy()
    rotations[:, body] = rotations[:, body] @ turns(np.array(axis), np.array([angle]))[0]
    return replace(motion, rotations=rotations)


def wheel(inertia: float = 0.1) -> gr.Mechanism:
    """A wheel at rest whose only point is its axle."""
    m = gr.Mechanism("wheel", gravity=(0.0, -9.81))
    m.revolute(m.ground.at(0, 0), m.body("wheel", mass=2.0, inertia=inertia, points={"axle": (0, 0)}).axle)
    return m


@pytest.mark.parametrize("angle", [1e-9, 1e-3, 1.0, 3.0])
def test_a_wheel_that_is_known_by_its_axle_alone_is_compared_by_its_orientation(angle: float) -> None:
    s, motion = moved(wheel())
    apart = MotionNorms(s, motion).between(motion, turned(motion, 0, (0.0, 0.0, 1.0), angle))
    assert apart.by_kind["position"] == 0.0
    assert apart.by_kind["orientation"] == pytest.approx(angle, rel=1e-6)
    assert "the orientations of 'wheel'" in apart.named_largest()


@pytest.mark.parametrize("seed", range(5))
def test_the_angle_of_two_orientations_is_that_of_the_rotation_between_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    s, motion = moved(linkages.hung("spherical"))
    axis, angle = rng.normal(size=3), rng.uniform(0.0, np.pi)
    other = turned(motion, 1, tuple(axis / np.linalg.norm(axis)), angle)
    assert MotionNorms(s, motion).between(motion, other).angles[:, 1] == pytest.approx(angle, rel=1e-7)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("maker", linkages.MECHANISMS.values())
def test_no_body_of_any_mechanism_moves_unnoticed(maker: linkages.Maker, seed: int) -> None:
    """Turned by 0.002 rad about its centre of mass, or shifted by 0.002 of the size, in any direction."""
    rng = np.random.default_rng(seed)
    s = situation(maker().model)
    start = Motion(np.array([s.time]), s.positions[None], s.rotations[None], s.velocities[None], s.spins[None])
    comparison = MotionNorms(s, start)
    for k in range(len(s.bodies)):
        axis, shift = (x / np.linalg.norm(x) for x in rng.normal(size=(2, 3)))
        positions = start.positions.copy()
        positions[0, k] += 0.002 * comparison.size * shift
        assert comparison.between(start, replace(start, positions=positions)).largest >= 0.00199
        rotations = start.rotations.copy()
        rotations[0, k] = turns(axis, np.array([0.002]))[0] @ rotations[0, k]
        positions[0, k] = start.positions[0, k] + (start.rotations[0, k] - rotations[0, k]) @ s.centers[k]
        found = comparison.between(start, replace(start, positions=positions, rotations=rotations))
        assert found.angles[0, k] == pytest.approx(0.002)


def test_what_is_not_defined_is_not_compared() -> None:
    """A slender bar between ball joints has a direction, and nothing says how it spins about it."""
    m = gr.Mechanism("slender", gravity=(0.0, 0.0, -9.81))
    bar = m.bar("bar", start=(0, 0, 0), end=(1, 0, 0), mass=1.0)
    m.spherical(m.ground.at(0, 0, 0), bar.start)
    s, motion = moved(m)
    comparison = MotionNorms(s, motion)
    assert comparison.between(motion, turned(motion, 0, (1.0, 0.0, 0.0), 2.0)).largest < 1e-12
    assert comparison.between(motion, turned(motion, 0, (0.0, 1.0, 0.0), 0.2)).by_kind["orientation"] == pytest.approx(
        0.2
    )


def test_a_body_without_points_is_compared_by_its_centre_of_mass() -> None:
    m = wheel()
    m.body("ball", mass=1.0, inertia=0.1, position=(1.0, 0.0))
    s, motion = moved(m)
    positions = motion.positions.copy()
    positions[:, 1, 0] += 0.01
    comparison = MotionNorms(s, motion)
    apart = comparison.between(motion, replace(motion, positions=positions))
    assert apart.by_kind["position"] == pytest.approx(0.01 / comparison.size)
    assert "the positions of 'ball'" in apart.named_largest()


def test_speeds_are_compared_by_their_energy() -> None:
    """Of a pendulum, 1 % more speed is 2 % more kinetic energy."""
    s, motion = moved(linkages.follower())
    comparison = MotionNorms(s, motion)
    faster = replace(motion, velocities=1.01 * motion.velocities, spins=1.01 * motion.spins)
    apart = comparison.between(motion, faster)
    kinetic = 0.5 * (1.0 / 3.0) * np.max(motion.spins[:, 0, 2] ** 2)
    assert apart.by_kind["energy"] == pytest.approx(0.0201 * kinetic / comparison.energy, rel=1e-9)
    assert "the energies" in apart.named_largest()


def test_the_size_is_the_box_of_all_points_or_a_radius_of_gyration() -> None:
    s, motion = moved(wheel(inertia=0.5))
    assert MotionNorms(s, motion).size == pytest.approx(0.5)  # √(0.5/2)
    s, motion = moved(linkages.trammel(), 1e-9)
    assert MotionNorms(s, motion).size == pytest.approx(1.0, rel=1e-6)


def test_at_rest_there_is_a_scale_too() -> None:
    s, motion = moved(wheel())
    assert MotionNorms(s, motion).energy == pytest.approx(1e-6 * 2.0 * 9.81 * np.sqrt(0.05))


def test_between_times_a_difference_is_that_of_the_next_time() -> None:
    values = np.array([0.0, 1.0, 2.0])
    held = Difference(("a",), values[:, None], values[:, None], values).hold_until_next(2, 5)
    assert held.overall.tolist() == [0.0, 1.0, 1.0, 2.0, 2.0]
