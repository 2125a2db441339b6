"""The compiled equations of the laboratory are those of `gr.equations` and their exact derivatives."""

from __future__ import annotations

import numpy as np
import pytest

import grashof as gr
from grashof.lab.motion import integral
from grashof.lab.subject import subject
from grashof.problems import make_case
from grashof.questions.equations import FullState


@pytest.mark.parametrize("problem", ["double-four-bar", "andrews", "car-axis", "bricard-mechanism"])
def test_they_are_those_of_the_mechanism(problem: str) -> None:
    case = make_case(problem)
    found, eq = subject(case).equations, gr.equations(case.model)
    rng = np.random.default_rng(3)
    t, q = eq.t + 0.01, eq.q + 1e-3 * found.length * rng.normal(size=eq.n)
    v = eq.v + rng.normal(size=eq.n)
    here = found.at(t, q, v)
    for mine, theirs in (
        (here.mass, eq.mass(t, q)),
        (here.forces, eq.forces(t, q, v)),
        (here.jacobian, eq.jacobian(t, q)),
        (here.violation, eq.violation(t, q)),
        (here.velocity_term, eq.velocity_term(t, q)),
        (here.bias, eq.bias(t, q, v)),
    ):
        assert np.allclose(mine, theirs, rtol=1e-13, atol=1e-13 * max(1.0, np.max(np.abs(theirs))))
    a, multipliers = rng.normal(size=eq.n), rng.normal(size=eq.m)
    slopes = found.slopes(t, q, v, a, multipliers)
    exact = found.found.slopes(FullState(t, q, v, a, multipliers, found.turns))
    for mine, theirs in ((-slopes.stiffness, exact.force_q), (-slopes.damping, exact.force_v)):
        assert np.allclose(mine, theirs, rtol=1e-12, atol=1e-12 * max(1.0, np.max(np.abs(theirs))))
    assert np.allclose(slopes.rate, exact.rate_q, rtol=1e-12, atol=1e-12 * max(1.0, np.max(np.abs(exact.rate_q))))


def test_accelerations_are_found_with_redundant_constraints() -> None:
    """The smallest multipliers, as in `gr.equations`; also slightly off the constraints, where redundant rows
    contradict each other."""
    model = make_case("bricard-mechanism").model
    found, eq = subject("bricard-mechanism").equations, gr.equations(model)
    assert found.redundant == 1
    mine = found.accelerations(found.at(found.t, found.q, found.v))
    for x, known in zip(mine, eq.accelerations(eq.t, eq.q, eq.v), strict=True):
        assert np.allclose(x, known, rtol=0, atol=1e-9 * max(1.0, np.max(np.abs(known))))
    off = found.q + 1e-7 * np.random.default_rng(1).normal(size=found.n)
    a, _ = found.accelerations(found.at(found.t, off, found.v))
    assert np.max(np.abs(a - mine[0])) < 1e-4 * np.max(np.abs(mine[0]))


def test_works_are_integrated_with_order_four() -> None:
    def error(steps: int) -> float:
        t = np.linspace(0.0, 2.0, steps + 1)
        found = integral(t, np.column_stack([np.cos(3.0 * t), t**3]))
        assert np.allclose(found[:, 1], t**4 / 4.0, rtol=0, atol=1e-12)  # exact for cubics
        return float(np.max(np.abs(found[:, 0] - np.sin(3.0 * t) / 3.0)))

    assert np.log2(error(40) / error(80)) == pytest.approx(4.0, abs=0.3)


def test_angles_are_counted_in_whole_turns() -> None:
    m = gr.Mechanism("spinner")
    rod = m.bar("rod", length=1.0, mass=1.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.torque(rod, "0.01*rod.angle")
    m.need(rod.angle, value=0.0, rate=10.0)
    result = gr.lab.compare(m, 2.0, formulations=["baumgarte"], settings={"step": [0.002]})["baumgarte"][0]
    assert result.status.ok, result.status  # some three turns; an angle that jumped by a turn would change the motion
    assert result.error is not None
    assert result.error < 1e-6
