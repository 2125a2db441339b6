"""Floats, forty digits and machine code give the same accelerations, extra rates and projections, up to round-off.

The states are random, near the assembled position but not on it, so that nothing is small by luck. All three solve the
same regularised and refined equations: what differs is rounding alone, and `round_off` says how much of it there is.
"""

from __future__ import annotations

import mpmath
import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grashof.assembly.guess import starting_coordinates
from grashof.formulation.natural.equations import Dynamics, make_dynamics
from grashof.formulation.natural.system import compile_system
from grashof.integrate import Integrator
from grashof.tape import Library, emit, trace

from .mechanisms import Structure, build_model, planar, redundant, spatial
from .rounding import round_off

few = settings(max_examples=14, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def near_the_guess(dynamics: Dynamics, seed: int) -> list[float]:
    """x = [t, q, v, e] off the constraints by a tenth of the mechanism's length, at a metre a second or so."""
    rng = np.random.default_rng(seed)
    system = dynamics.system
    q = starting_coordinates(system) + 0.1 * system.length * rng.normal(size=system.n)
    return [rng.uniform(0.0, 2.0), *q, *rng.normal(size=system.n), *rng.normal(size=dynamics.layout.extra)]


def machine_code(dynamics: Dynamics) -> Integrator:
    """As `grashof.program` makes it, but for a mechanism that need not be assembled."""
    sizes = dynamics.layout.sizes
    tapes = {
        name: trace(lambda x, _, of=of: of(x), 1 + sizes.size, 0)
        for name, of in (("derivative", dynamics.derivative), ("project", dynamics.project))
    }
    return Integrator(Library(emit(tapes)), sizes)


def agree(structure: Structure, seed: int) -> None:
    dynamics = make_dynamics(compile_system(build_model(structure)))
    native = machine_code(dynamics)
    x = near_the_guess(dynamics, seed)
    placed, left = native.project(x[0], x[1:])
    results = {
        "derivative": (dynamics.derivative, native.derivative(x[0], x[1:])),
        "project": (dynamics.project, np.append(placed, left**2)),
    }
    for name, (function, machine) in results.items():
        with mpmath.workdps(40):
            exact = np.array([float(y) for y in function([mpmath.mpf(value) for value in x])])
        allowed = round_off(function, x, exact)
        assert np.all(np.abs(np.array(function(x)) - exact) <= allowed), f"floats, {name}"
        assert np.all(np.abs(machine - exact) <= allowed), f"machine code, {name}"


@few
@given(planar, st.integers(0, 2**32 - 1))
def test_planar_mechanisms_move_alike_in_three_arithmetics(structure: Structure, seed: int) -> None:
    agree(structure, seed)


@few
@given(spatial, st.integers(0, 2**32 - 1))
def test_spatial_mechanisms_move_alike_in_three_arithmetics(structure: Structure, seed: int) -> None:
    agree(structure, seed)


@few
@given(redundant, st.integers(0, 2**32 - 1))
def test_redundant_mechanisms_move_alike_in_three_arithmetics(structure: Structure, seed: int) -> None:
    agree(structure, seed)
