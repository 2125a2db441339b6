"""Stiffness is noticed by the spectral radius of the Jacobian and by the steps."""

from __future__ import annotations

import numpy as np
import pytest

from grashof.formulation.layout import Sizes
from grashof.integrate import EXPLICIT, Choice, Settings
from grashof.integrate.methods.dop853 import DOP853
from grashof.integrate.stiffness import StiffRunError, scale_of, spectral_radius

from . import test_own_rates as top
from .systems import compiled, oscillator
from .test_implicit import carried, in_thick_oil
from .test_rosenbrock import SIZES, STATE, coupled

TENTATIVE = Choice(DOP853, "", tentative=True)


@pytest.mark.parametrize(
    ("sizes", "derivative", "state"),
    [
        (SIZES, coupled, STATE),
        (Sizes(1, 1), in_thick_oil, [0.3, 0.4]),
        (Sizes(1, 1), oscillator(250.0), [0.3, 0.4]),
        (top.SIZES, top.derivative, top.exact(0.4)),
    ],
)
def test_the_spectral_radius_is_that_of_the_exact_jacobian(sizes: Sizes, derivative, state) -> None:
    system, y = compiled(sizes, derivative), np.array(state)
    whole = np.zeros((sizes.size, sizes.size))
    whole[range(sizes.direct), range(sizes.nq, sizes.nq + sizes.direct)] = 1.0
    whole[sizes.direct :] = system.jacobian(0.3, y)[:, 1:]
    exact = np.abs(np.linalg.eigvals(whole)).max()
    assert spectral_radius(system, 0.3, y, scale_of(sizes, 1.0, 1.0)) == pytest.approx(exact, rel=0.15)


def test_the_reach_of_explicit_methods_is_known() -> None:
    """RK4: 2.785; DOPRI5: 3.31 (Hairer, Wanner II, IV.2)."""
    assert EXPLICIT["rk4"].reach == pytest.approx(2.785, abs=0.02)
    assert EXPLICIT["dopri5"].reach == pytest.approx(3.31, abs=0.02)
    assert EXPLICIT["dop853"].reach == pytest.approx(6.39, abs=0.02)


def test_a_stiff_run_is_given_up_after_some_hundred_steps_if_another_method_may_be_taken() -> None:
    system, settings = compiled(Sizes(1, 1), in_thick_oil), Settings(1e-6, 1.0, 1.0, method=TENTATIVE)
    with pytest.raises(StiffRunError) as noticed:
        system.collect(carried(0.0), 0.0, 5.0, settings)
    assert noticed.value.time < 0.1
    assert noticed.value.step == pytest.approx(6.4e-5, rel=0.1)
    assert noticed.value.steps == pytest.approx(5.0 / noticed.value.step, rel=0.05)


def test_an_oscillation_that_has_to_be_followed_is_not_stiff() -> None:
    system = compiled(Sizes(1, 1), oscillator(250.0))
    steps = system.collect([1.0, 0.0], 0.0, 500.0, Settings(1e-4, 1.0, 250.0, method=TENTATIVE))
    assert steps.status.ok
    assert steps.counters.steps > 20_000
