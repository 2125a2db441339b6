"""Radau IIA: collocation with simplified Newton iterations, in the ordinary loop."""

from __future__ import annotations

from dataclasses import asdict, replace
from fractions import Fraction
from math import exp, pi

import numpy as np
import pytest
from scipy.optimize import fsolve

from grashof.formulation.layout import Sizes
from grashof.integrate import Choice, Settings, Trigger
from grashof.integrate.lanes import LaneIntegrator
from grashof.integrate.methods.radau import RADAU5, RADAU9, RADAU13, Radau

from .systems import compiled, oscillator, tapes_of
from .test_events import watch
from .test_implicit import carried, in_thick_oil
from .test_rosenbrock import SIZES, STATE, coupled, relaxing

FAMILY = pytest.mark.parametrize("method", [RADAU5, RADAU9, RADAU13], ids=lambda x: x.name)


@FAMILY
def test_its_tables_are_those_of_collocation(method: Radau) -> None:
    """D differentiates the powers of x exactly, and its inverse A has the quadrature of order 2S − 1 as last row; λ are
    its eigenvalues, and T its eigenvectors."""
    s, c = method.stages, np.array(method.nodes)
    d, t = np.array(method.derivatives), np.array(method.columns)
    for k in range(1, s + 1):
        assert d @ c**k == pytest.approx(k * c ** (k - 1), abs=1e-12)
    weights = np.linalg.solve(d.T, np.eye(s)[-1])
    for k in range(1, 2 * s):
        assert weights @ c ** (k - 1) == pytest.approx(1.0 / k, abs=1e-14)
    assert abs(weights @ c ** (2 * s - 1) - 1.0 / (2 * s)) > 1e-9
    assert np.array(method.rows) @ t == pytest.approx(np.eye(s), abs=1e-13)
    found = np.linalg.eigvals(d)
    assert np.sort_complex(found[found.imag > -1e-9]) == pytest.approx(np.sort_complex(method.poles), abs=1e-11)
    blocks = np.array(method.rows) @ d @ t
    for columns, pole in zip(method.systems, method.poles, strict=True):
        part = blocks[np.ix_(columns, columns)]
        expected = [[pole.real, pole.imag], [-pole.imag, pole.real]]
        assert part == pytest.approx(np.array(expected)[: len(columns), : len(columns)], abs=1e-11)


@FAMILY
def test_its_estimate_compares_with_a_quadrature_of_order_s(method: Radau) -> None:
    """For u = x^k, k ≤ S, the embedded result is exact: Σ_j E_j c_j^k = −[k = 1]/λ₀; for S + 1 it is not."""
    for k in range(1, method.stages + 2):
        total = sum(Fraction(e) * Fraction(c) ** k for e, c in zip(method.lacks, method.nodes, strict=True))
        left = abs(float(total) + (1.0 / method.poles[0].real if k == 1 else 0.0))
        assert left < 1e-13 if k <= method.stages else left > 1e-6


@FAMILY
def test_one_step_solves_the_equations_of_collocation(method: Radau) -> None:
    """By SciPy, for all states at once."""
    system, h, t, y = compiled(SIZES, coupled), 0.2, 0.7, np.array(STATE)
    exact = replace(method, solved=1e-16)
    steps = system.collect(y, t, t + h, Settings(1e3, 1.0, 1.0, method=Choice(exact, ""), step=h))
    assert steps.counters.steps == 1
    s, d = method.stages, np.array(method.derivatives)

    def lack(z: np.ndarray) -> np.ndarray:
        z = z.reshape(s, 9)
        slopes = [
            np.concatenate([(y + x)[3:6], system.derivative(t + c * h, y + x)])
            for c, x in zip(method.nodes, z, strict=True)
        ]
        return (h * np.array(slopes) - d @ z).ravel()

    z = fsolve(lack, np.zeros(9 * s), xtol=1e-14).reshape(s, 9)
    assert np.abs(lack(z)).max() < 1e-12
    assert steps.y[-1] == pytest.approx(y + z[-1], abs=1e-11)
    inside = system.sample(steps, t + np.array(method.nodes[:-1]) * h)[0]
    assert inside == pytest.approx(y + z[:-1], abs=1e-10)


@pytest.mark.parametrize("rate", [1e6, 1e9])
@pytest.mark.parametrize(("method", "counts"), [(RADAU5, (10, 14, 20, 28)), (RADAU9, (3, 4, 5, 6))])
def test_positions_keep_their_order_however_stiff_the_equations(method: Radau, counts, rate: float) -> None:
    """v̇ = −λ (v − cos t) − sin t. Velocities, which the fast force holds, have errors of O(h^S/λ)."""
    system, errors, s = relaxing(rate), [], method.stages
    exact = Choice(replace(method, solved=1e-14), "")
    for count in counts:
        settings = Settings(1e3, 1.0, 1.0, method=exact, step=2.0 / count, longest=2.0 / count)
        steps = system.collect([0.0, 1.0], 0.0, 2.0, settings)
        assert steps.counters.steps == count
        errors.append(np.abs(steps.y[:, 0] - np.sin(steps.t)).max())
        assert np.abs(steps.y[:, 1] - np.cos(steps.t)).max() < 0.02 * (2.0 / count) ** s / rate + 1e-14
    order = -np.polyfit(np.log(counts), np.log(errors), 1)[0]
    assert order > method.order - 0.3


@FAMILY
def test_a_fast_part_decays_as_it_should_and_costs_few_steps(method: Radau) -> None:
    """From rest: q̇ = carried(t) − carried(0) e^(−ct), with c = 1e5/s."""
    system, settings = compiled(Sizes(1, 1), in_thick_oil), Settings(1e-8, 1.0, 1.0, method=Choice(method, ""))
    steps = system.collect([0.0, 0.0], 0.0, 5.0, settings)
    assert steps.status.ok
    exact = [carried(t)[1] - carried(0.0)[1] * exp(-1e5 * t) for t in steps.t]
    assert np.abs(steps.y[:, 1] - exact).max() < 3e-8
    assert steps.counters.steps < {3: 800, 5: 200, 7: 120}[method.stages]
    at = np.linspace(0.1, 5.0, 400)
    assert np.abs(system.sample(steps, at)[0][:, 1] - [carried(t)[1] for t in at]).max() < 1e-7


def test_events_of_a_stiff_motion_are_located() -> None:
    """The velocity is cos t and the position sin t, delayed by 1e-5 s."""
    system = compiled(Sizes(1, 1), in_thick_oil)
    seen = watch(lambda x: [x[2], x[1] - 0.5], 3, Trigger("turn"), Trigger("half", 1))
    settings = Settings(1e-9, 1.0, 1.0, method=Choice(RADAU9, ""), watch=seen)
    steps = system.collect(carried(0.0), 0.0, 10.0, settings)
    turns = [x.time for x in steps.occurrences if x.name == "turn"]
    assert turns == pytest.approx(pi * (np.arange(3) + 0.5) + 1e-5, abs=1e-8)
    rising = [x.time for x in steps.occurrences if x.name == "half"]
    assert rising == pytest.approx([pi / 6 + 1e-5, 13 * pi / 6 + 1e-5], abs=1e-8)


def test_steps_whose_equations_cannot_be_solved_are_made_shorter() -> None:
    """A first step of ten periods of a pendulum's small oscillations, and then the motion is right all the same."""
    system = compiled(Sizes(1, 1), lambda x: [-1e4 * x[1] * (1.0 + 50.0 * x[1] * x[1])])
    loose, tight = (
        system.collect([1.0, 0.0], 0.0, 0.1, Settings(tol, 1.0, 100.0, method=Choice(RADAU9, ""), step=0.05))
        for tol in (1e-5, 1e-9)
    )
    assert loose.status.ok
    assert loose.counters.rejected > 0
    assert loose.y[-1, 0] == pytest.approx(tight.y[-1, 0], abs=1e-3)


def test_it_does_not_lose_what_oscillates() -> None:
    """q = cos 20t: 32 periods at a tolerance of 1e-10."""
    system = compiled(Sizes(1, 1), oscillator(20.0))
    steps = system.collect([1.0, 0.0], 0.0, 10.0, Settings(1e-11, 1.0, 20.0, method=Choice(RADAU13, "")))
    assert np.abs(steps.y[:, 0] - np.cos(20.0 * steps.t)).max() < 1e-9


@pytest.mark.parametrize("width", [1, 4])
def test_lanes_make_its_steps_as_single_runs_do(width: int) -> None:
    settings = Settings(1e-6, 1.0, 1.0, weights=[1.0], method=Choice(RADAU5, ""))
    starts = [np.array(STATE) * x for x in (1.0, 0.5, -1.0, 0.2, 1.7)]
    at = np.linspace(0.0, 3.0, 7)
    tapes = tapes_of(SIZES, derivative=coupled, project=lambda x: [*x[1:], 0.0], observe=lambda x: list(x[1:]))
    runs = LaneIntegrator(tapes, SIZES, lanes=width).run(starts, 0.0, 3.0, settings, times=at)
    alone = compiled(SIZES, coupled)
    for row, start in enumerate(starts):
        single = alone.collect(start, 0.0, 3.0, settings)
        assert {name: int(column[row]) for name, column in runs.counters.items()} == asdict(single.counters)
        assert runs.observed[row] == pytest.approx(alone.sample(single, at)[0], abs=2e-8)
