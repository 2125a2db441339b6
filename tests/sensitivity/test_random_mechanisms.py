"""Random mechanisms with joints and forces of all kinds: differences of runs nearby never contradict the derivatives
with respect to masses, forces and gravity."""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import grashof as gr
from grashof.model.parameters import numbers
from grashof.program import build

from ..formulation.mechanisms import Structure, build_model, planar, spatial


@settings(max_examples=4, suppress_health_check=[HealthCheck.too_slow])
@given(planar | spatial, st.integers(0, 2**32 - 1))
def test_differences_never_contradict(structure: Structure, seed: int) -> None:
    model, rng = build_model(structure), np.random.default_rng(seed)
    names = [name for name in numbers(model) if name.endswith(".mass") or name.startswith(("force", "gravity"))]
    wrt = [str(name) for name in rng.choice(names, 2, replace=False)]
    output = str(rng.choice(list(model.quantities)))
    try:
        found = gr.sensitivities(model, wrt, [output], t_end=0.3, tol=1e-7)
    except gr.ModelError:
        with pytest.raises(gr.ModelError):  # motors that ask for more than the loops can reach
            build(model)
        return
    assert found.ok or not gr.simulate(model, 0.3, tol=1e-7).status.ok, str(found)
