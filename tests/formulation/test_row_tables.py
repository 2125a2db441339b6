"""Rows at many positions at once are the rows at each of them."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.system import compile_system
from tests.formulation.test_couplings import floating


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("wound", [False, True])
def test_gradients_of_couplings_at_many_positions(dimension: int, wound: bool) -> None:
    dynamics = make_dynamics(compile_system(floating(dimension).model))
    rng = np.random.default_rng(3)
    t, q = rng.uniform(size=5), rng.normal(size=(5, dynamics.n))
    turns = rng.normal(scale=20.0, size=(5, len(dynamics.system.tracked))) if wound else None
    found = dynamics.jacobians(t, q, turns)
    for k in range(5):
        near = () if turns is None else turns[k].tolist()
        entries = iter(dynamics.rows.jacobian(t[k], q[k].tolist(), near))
        for row, columns in zip(found[k], dynamics.rows.pattern, strict=True):
            expected = np.zeros(dynamics.n)
            expected[list(columns)] = [next(entries) for _ in columns]
            assert row == pytest.approx(expected, rel=1e-12, abs=1e-12, nan_ok=True)
