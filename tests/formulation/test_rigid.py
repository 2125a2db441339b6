"""Violations of rigid bodies, compiled and over plain numbers."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.rigid import RigidFields, violations
from grashof.formulation.natural.system import compile_system

from .mechanisms import Structure, build_model

SPATIAL = tuple((joint, False) for joint in ("spherical", "revolute", "universal", "cylindrical", "slider"))
PLANAR = tuple((joint, False) for joint in ("revolute", "slider", "pin in slot"))


@pytest.mark.parametrize(
    "structure",
    [Structure(3, SPATIAL, seed=4), Structure(2, PLANAR, seed=5), Structure(2, PLANAR, motors=("angle",), seed=6)],
)
def test_violations_are_the_norms_of_the_joints_equations_and_of_their_derivatives(structure: Structure) -> None:
    """At positions that no joint allows, moving and accelerating as no body can: each joint's own equations, one
    after the other."""
    model = build_model(structure)
    dynamics = make_dynamics(compile_system(model))
    rng = np.random.default_rng(structure.seed)
    t = np.array([0.3, 0.7])
    q, v, a = rng.normal(size=(3, 2, dynamics.n))
    e = np.zeros((2, dynamics.layout.extra))
    found = np.array(violations(dynamics, t, np.hstack([q, v, e]), a))
    for k in range(2):
        fields = RigidFields(dynamics.system, *(x[k].tolist() for x in (q, v, a)))
        rows = [row for joint in model.joints for row in joint.equations(fields)]
        norms = np.linalg.norm([[row.value, row.first, row.second] for row in rows], axis=0)
        if model.motors:
            assert np.all(found[:, k] > norms)
        else:
            assert np.allclose(found[:, k], norms, rtol=1e-12)
