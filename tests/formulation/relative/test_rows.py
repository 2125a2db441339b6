"""Couplings, motors and rows for velocities over a tree: accelerations and powers as in natural coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.assembly.assembled_model import assemble_model
from grashof.formulation.relative.equations import Relative
from grashof.formulation.relative.rows import are_regular
from grashof.formulation.relative.tree import make_tree
from grashof.model.mechanism import as_model

from .geared import geared_tree
from .test_accelerations import REFINED


def over_tree(m: gr.Mechanism) -> Relative:
    dynamics = assemble_model(as_model(m)).dynamics
    return Relative(dynamics, make_tree(dynamics.model))


def consistent_state(relative: Relative, seed: int, time: float) -> list[float]:
    """A random state x = [t, y] on the rows."""
    rng, layout = np.random.default_rng(seed), relative.layout
    x = [time, *(relative.length * rng.normal(size=layout.nq + layout.nv)).tolist(), *([0.0] * layout.extra)]
    for _ in range(20):
        *y, left = relative.project(x)
        x = [time, *y]
    assert left < 1e-26
    return x


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_a_geared_and_driven_tree_accelerates_as_in_natural_coordinates(dimension: int, seed: int) -> None:
    relative = over_tree(geared_tree(seed, dimension))
    natural, n, own = relative.natural, relative.natural.n, relative.layout.of_a
    assert relative.has_regular_rows
    x = consistent_state(relative, seed, 0.3)
    rates, extra = relative.derivative(x), relative.layout.split(x)[3]
    seen = relative.naturally(x, rates[own])
    q, v, a = seen[:n], seen[n : 2 * n], seen[2 * n :]
    expected = natural.derivative([x[0], *q, *v, *extra], REFINED)
    turns = natural.rows.turns(extra)
    assert np.max(np.abs(natural.rows.violation(x[0], q, turns))) < 1e-12
    drift = natural.velocity_rows.dense(natural.velocity_rows.jacobian(x[0], q, turns, ())) @ v
    assert np.max(np.abs(drift + natural.velocity_rows.slip(x[0], q, turns))) < 1e-11
    # the powers of motors are among the rates
    size = max(1.0, float(np.max(np.abs(expected))))
    assert np.max(np.abs(np.array([*a, *rates[own.stop :]]) - expected)) < 1e-11 * size


def test_motors_of_single_joints_take_no_multipliers() -> None:
    relative = over_tree(geared_tree(0, 3))
    driven = [relative.tree_rows.couplings[k].owner for k in relative.held]
    assert driven == ["motor m0", "motor m1"]


def test_rows_are_regular_if_constant_factors_show_it() -> None:
    assert are_regular([])
    assert are_regular([{(0, 0): 2.0, (1, 0): None}, {(1, 0): 1.0}])
    assert are_regular([{(0, 0): 1.0, (1, 0): -2.0}, {(0, 0): 1.0, (1, 0): 3.0}])
    assert not are_regular([{(0, 0): 1.0, (1, 0): -2.0}, {(0, 0): 2.0, (1, 0): -4.0}])
    assert not are_regular([{(0, 0): None, (1, 0): None}])
    assert not are_regular([{(0, 0): 1.0}, {(0, 0): 1.0}])
    assert not are_regular([{}])
