"""The accelerations of trees in relative coordinates are those in natural coordinates, and those of a fixed-base arm
are those of Newton's and Euler's equations."""

from __future__ import annotations

import numpy as np
import pytest
from campaign.trees import PLANAR, SPATIAL, random_tree

import grashof as gr
from grashof.assembly.assembled_model import assemble_model
from grashof.formulation.relative.equations import Relative
from grashof.formulation.relative.start import relative_coordinates
from grashof.formulation.relative.tree import make_tree
from grashof.model.mechanism import as_model

REFINED = 30
"""Refinements of the accelerations in natural coordinates, so that these are exact up to round-off."""


def in_motion(seed: int, dimension: int, forces: bool = True) -> tuple[Relative, list[float]]:
    """A random tree and a random state of it, x = [t, y]."""
    dynamics = assemble_model(as_model(random_tree(seed, dimension, forces=forces))).dynamics
    relative = Relative(dynamics, make_tree(dynamics.model))
    rng = np.random.default_rng(seed)
    q = relative.length * rng.uniform(-2.0, 2.0, relative.layout.nq)
    v = relative.length * rng.normal(size=relative.layout.nv)
    q, v = relative.coordinates.normalise(q.tolist(), v.tolist())
    return relative, [0.1, *q, *v, *rng.uniform(-1.0, 1.0, relative.layout.extra).tolist()]


CASES = [(2, seed) for seed in range(len(PLANAR))] + [(3, seed) for seed in range(len(SPATIAL))]


@pytest.mark.parametrize(("dimension", "seed"), CASES)
def test_a_tree_with_any_joints_and_forces_accelerates_as_in_natural_coordinates(dimension: int, seed: int) -> None:
    relative, x = in_motion(100 * len(SPATIAL) * len(PLANAR) + seed, dimension)
    natural, n = relative.natural, relative.natural.n
    rates = relative.derivative(x)
    own = relative.layout.of_a
    seen = relative.naturally(x, rates[own])
    q, v, a = seen[:n], seen[n : 2 * n], seen[2 * n :]
    expected = natural.derivative([x[0], *q, *v, *relative.layout.split(x)[3]], REFINED)
    size = max(1.0, float(np.max(np.abs(expected))))
    assert np.max(np.abs(natural.rows.violation(x[0], q)), initial=0.0) < 1e-12
    assert np.max(np.abs(np.array([*a, *rates[own.stop :]]) - expected)) < 1e-11 * size


@pytest.mark.parametrize("dimension", [2, 3])
def test_relative_coordinates_are_found_again_from_natural_ones(dimension: int) -> None:
    for seed in range(20):
        relative, x = in_motion(seed, dimension, forces=False)
        n, still = relative.natural.n, [0.0] * relative.layout.nv
        seen = relative.naturally(x, still)
        q, v = relative_coordinates(relative, seen[:n], seen[n : 2 * n])
        again = relative.naturally([x[0], *q, *v], still)
        assert np.max(np.abs(np.subtract(again[: 2 * n], seen[: 2 * n]))) < 1e-11


def test_measures_of_joints_are_coordinates_of_the_tree() -> None:
    relative, _ = in_motion(2, 2)
    first, last = (relative.linear(relative.model.quantities[name]) for name in ("b0.angle", "b5.angle"))
    assert first is not None
    assert last is not None
    assert relative.linear(relative.model.quantities["gap"]) is None
    assert set(first.weights.values()) | set(last.weights.values()) <= {1.0, -1.0}


def test_a_distance_and_an_angle_that_jumps_are_not_coordinates_of_the_tree() -> None:
    m = gr.Mechanism("gimbal on a slide", gravity=(0, 0, 0))
    slide, ring, rotor = (
        m.body(name, mass=1.0, inertia=(1.0, 1.5, 2.0), points={"p": (0, 0, 0)}) for name in ("slide", "ring", "rotor")
    )
    m.prismatic(m.ground.at(0, 0, 0), slide.p, axis=(1, 0, 0))
    m.revolute(slide.p, ring.p, axis=(0, 0, 1))
    m.revolute(ring.p, rotor.p, axis=(1, 0, 0))
    names = ["way", "gap", "turn", "swing"]
    m.coordinate("way", slide.p, (1, 0, 0))
    m.separation("gap", m.ground.at(0, 0, 0), slide.p)
    m.angle("turn", ring, axis=(0, 0, 1))
    m.angle("swing", rotor, axis=(0, 0, 1), direction=(0, 1, 0))
    dynamics = assemble_model(as_model(m)).dynamics
    relative = Relative(dynamics, make_tree(dynamics.model))
    found = [relative.linear(dynamics.model.quantities[name]) is not None for name in names]
    assert found == [True, False, True, False]
