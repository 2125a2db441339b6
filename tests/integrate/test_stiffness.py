"""Stiffness is noticed by the spectral radius of the Jacobian and by the steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from grashof.formulation.layout import Sizes
from grashof.integrate import EXPLICIT, Choice, Settings, Trigger
from grashof.integrate.methods.dop853 import DOP853
from grashof.integrate.methods.rodas5p import RODAS5P
from grashof.integrate.stiffness import PowerIteration, scale_of
from grashof.scalar import Scalar, cos, sin, tanh

from . import test_own_rates as top
from .systems import compiled, oscillator
from .test_events import watch
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
    found = PowerIteration(system, scale_of(sizes, 1.0, 1.0)).spectral_radius(0.3, y)
    assert found == pytest.approx(exact, rel=0.15)


def test_the_reach_of_explicit_methods_is_known() -> None:
    """RK4: 2.785; DOPRI5: 3.31 (Hairer, Wanner II, IV.2)."""
    assert EXPLICIT["rk4"].reach == pytest.approx(2.785, abs=0.02)
    assert EXPLICIT["dopri5"].reach == pytest.approx(3.31, abs=0.02)
    assert EXPLICIT["dop853"].reach == pytest.approx(6.39, abs=0.02)


def test_a_stiff_run_goes_on_with_an_implicit_method() -> None:
    system = compiled(Sizes(1, 1), in_thick_oil)
    steps = system.collect(carried(0.0), 0.0, 5.0, Settings(1e-7, 1.0, 1.0, method=TENTATIVE, alternative=RODAS5P))
    (switch,) = steps.method.switches
    assert switch.time < 0.02
    assert switch.method is RODAS5P
    assert steps.counters.steps < 1_000
    at = np.linspace(0.0, 5.0, 300)
    assert np.abs(system.sample(steps, at)[0] - [carried(t) for t in at]).max() < 1e-6


def held_for_a_while(x: list[Scalar]) -> list[Scalar]:
    """v̇ = −λ (v − cos t) − sin t, where λ is 2e5/s for 4 s and 1/s afterwards and before; v = cos t."""
    t, v = x[0], x[2]
    rate = 1.0 + 1e5 * (tanh(20.0 * (t - 2.0)) - tanh(20.0 * (t - 6.0)))
    return [-rate * (v - cos(t)) - sin(t)]


@pytest.mark.parametrize("watched", [False, True])
def test_methods_change_where_stiffness_begins_and_where_it_is_over(watched: bool) -> None:
    system = compiled(Sizes(1, 1), held_for_a_while)
    seen = watch(lambda x: [x[1] - 0.5], 3, Trigger("half")) if watched else None
    settings = Settings(1e-7, 1.0, 1.0, method=TENTATIVE, alternative=RODAS5P, watch=seen, longest=0.01)
    steps = system.collect([0.0, 1.0], 0.0, 60.0, settings)
    first, second = steps.method.switches
    assert first.method is RODAS5P
    assert 1.5 < first.time < 3.0
    assert second.method is DOP853
    assert 6.0 < second.time < 20.0
    assert steps.method.name == "dop853"
    at = np.linspace(0.0, 60.0, 999)
    assert np.abs(system.sample(steps, at)[0] - np.transpose([np.sin(at), np.cos(at)])).max() < 1e-5
    planned = replace(steps.method, tentative=False)
    again = system.collect([0.0, 1.0], 0.0, 60.0, replace(settings, tol=1e-8, method=planned))
    assert np.isin([first.time, second.time], again.t).all()
    assert again.method == planned
    assert np.abs(again.y[-1] - [np.sin(60.0), np.cos(60.0)]).max() < 1e-6
    if watched:
        times = [x.time for x in steps.occurrences]
        assert np.abs(np.sin(times) - 0.5).max() < 1e-5
        assert len(times) == 20


def test_an_oscillation_that_has_to_be_followed_is_not_stiff() -> None:
    system = compiled(Sizes(1, 1), oscillator(250.0))
    steps = system.collect([1.0, 0.0], 0.0, 500.0, Settings(1e-4, 1.0, 250.0, method=TENTATIVE))
    assert steps.status.ok
    assert steps.counters.steps > 20_000
