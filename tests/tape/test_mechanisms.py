"""Tapes of mechanisms: unrolled code and programs with loops give the same, up to round-off.

The states are near the start but not on the constraints, so that nothing is small by luck.
"""

import mpmath
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grashof.assembly.guess import starting_coordinates
from grashof.formulation.natural.equations import Dynamics, make_dynamics
from grashof.formulation.natural.system import compile_system
from grashof.problems import make_case
from grashof.tape import Tape, trace

from ..formulation.mechanisms import Structure, build_model, planar, spatial
from ..formulation.rounding import round_off


def tapes(dynamics: Dynamics) -> list[Tape]:
    n = dynamics.n
    return [
        trace(lambda t, q, v, e: dynamics.derivative([*t, *q, *v, *e]), 1, n, n, dynamics.layout.extra),
        trace(lambda t, q, v, e: dynamics.project([*t, *q, *v, *e]), 1, n, n, dynamics.layout.extra),
    ]


def state(dynamics: Dynamics, seed: int) -> list[float]:
    rng = np.random.default_rng(seed)
    system = dynamics.system
    q = starting_coordinates(system) + 0.1 * system.length * rng.normal(size=system.n)
    return [rng.uniform(0.0, 2.0), *q, *rng.normal(size=system.n), *rng.normal(size=dynamics.layout.extra)]


def agree(native, dynamics: Dynamics, seed: int) -> None:
    x = state(dynamics, seed)
    for tape in tapes(dynamics):
        with mpmath.workdps(40):
            exact = np.array([float(y) for y in tape.evaluate([mpmath.mpf(value) for value in x])])
        allowed = round_off(tape.evaluate, x, exact)
        for unroll in (True, False):
            assert np.all(np.abs(np.array(native(tape, x, unroll=unroll)) - exact) <= allowed)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(planar | spatial, st.integers(0, 2**32 - 1))
def test_mechanisms_of_all_kinds(native, structure: Structure, seed: int) -> None:
    agree(native, make_dynamics(compile_system(build_model(structure))), seed)


LARGE = {
    "thirty four-bars": ("n-four-bar", {"N": 30}),
    "grid of nine four-bars": ("multiple-four-bar", {"R": 3, "C": 3}),
}


@pytest.mark.parametrize(("problem", "parameters"), LARGE.values(), ids=LARGE.keys())
def test_large_mechanisms(native, problem: str, parameters: dict[str, float]) -> None:
    agree(native, make_dynamics(compile_system(make_case(problem, None, parameters).model)), seed=1)
