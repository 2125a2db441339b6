"""Rows of couplings: their gradients, slips and biases against numerical differentiation in many digits."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import grashof as gr
from grashof.formulation.natural.couplings import CouplingRow
from grashof.formulation.natural.system import System, compile_system


def floating(dimension: int) -> gr.Mechanism:
    """Three bodies, far apart, with couplings of every kind between them."""
    m = gr.Mechanism("everything", dimension=dimension)
    a, b, c = (
        m.body(name, mass=1.0, inertia=0.1 if dimension == 2 else (0.1, 0.1, 0.1))
        for name in ("first", "second", "third")
    )
    if dimension == 3:
        turns = [m.angle(f"turn {body}", body, axis=(0, 0.6, 0.8), reference=c) for body in (a, b)]
        m.gear(*turns, teeth=(20, 30))
        m.screw(a.at(0, 0, 0), b.at(0.1, 0.2, 0), axis=(1, 0, 0), lead=0.1)
        m.coupling({turns[0]: 1.0, "first.p1.x": 0.3}, "sin(3*t)")
        m.rope([a.at(0, 0, 0), b.at(0.1, 0.2, 0), m.ground.at(1, 2, 3)])
        m.coupling("`turn first`**2 - 2*`turn second`*cos(t) + first.p1.x*second.p1.y")
        return m
    m.gear(a, b, teeth=(20, 30), carrier=c)
    m.belt(a, b, radii=(20, 30), carrier=c)
    m.differential(a, b, c)
    m.rack("first.p1.x", b, radius=0.3)
    m.coupling({"first.p1.x": 0.2, a: 1.0, m.separation("gap", a.at(0, 0), b.at(0, 0)): -2.0}, "t*exp(-t)")
    m.coupling("second.angle - first.angle - 0.3*sin(first.angle)*first.p1.y")
    m.rope([a.at(0, 0), b.at(0.1, 0.2), m.ground.at(1, 2)], radii=(0, 0.1, 0))
    m.rope([a.at(0, 0), b.at(0.1, 0.2), c.at(0, 0.2), m.ground.at(1, 2)], radii=(0, -0.1, 0.2, 0), wound={a: 0.1})
    m.roll(c.line((0, 0), (1, 1)), a.at(0, 0), radius=0.2)
    for form in ({"implicit": "x**2/4 + x*y**3 - 1"}, {"y": "0.3*sin(x)"}, {"radius": "1 + 0.2*cos(3*phi)"}):
        m.pin_on_curve(c.curve(**form), a.at(0.1, 0.3), name=f"pin {form}")
        m.roller(c.curve(**form), b.at(0.1, 0.3), radius=0.1, name=f"roller {form}")
    return m


SYSTEMS = {dimension: compile_system(floating(dimension).model) for dimension in (2, 3)}
CASES = [(dimension, k) for dimension, system in SYSTEMS.items() for k in range(len(system.couplings))]


def place(system: System, seed: int) -> tuple[list[float], list[float]]:
    """Coordinates of bodies that need not be rigid, and velocities."""
    rng = np.random.default_rng(seed)
    return list(rng.normal(size=system.n)), list(rng.normal(size=system.n))


def turns(system: System, row: CouplingRow, q: list[float]) -> list[float]:
    """Tracked angles somewhere near those of the position, with some whole turns."""
    angles = [0.0] * len(system.tracked)
    for measure, parts, k in zip(row.measures, row.parts, row.turns, strict=True):
        if k is not None:
            angles[k] = float(measure.value([part.at(q) for part in parts])) + 8.0 * np.pi + 0.3
    return angles


@settings(deadline=None, max_examples=60)
@given(case=st.sampled_from(CASES), seed=st.integers(0, 10**6))
def test_rows_are_differentiated_exactly(case: tuple[int, int], seed: int) -> None:
    system, row = SYSTEMS[case[0]], SYSTEMS[case[0]].couplings[case[1]]
    q, v = place(system, seed)
    near, time = turns(system, row, q), 0.7
    if not np.isfinite(row.at(time, q, near)):
        return  # a rope that ends within a pulley
    with mpmath.workdps(40):

        def moved(s: mpmath.mpf, clock: float = 1.0) -> mpmath.mpf:
            return row.at(time + clock * s, [mpmath.mpf(x) + s * y for x, y in zip(q, v, strict=True)], near)

        slip = mpmath.diff(lambda t: row.at(t, [mpmath.mpf(x) for x in q], near), time)
        rate, curvature = mpmath.diff(lambda s: moved(s, 0.0), 0), mpmath.diff(moved, 0, 2)
    gradient = row.gradient(time, q, near)
    assert set(gradient) <= row.columns
    size = 1.0 + max(abs(x) for x in gradient.values())
    assert sum(x * v[a] for a, x in gradient.items()) == pytest.approx(float(rate), abs=1e-12 * size * len(gradient))
    assert row.slip(time, q, near) == pytest.approx(float(slip), abs=1e-12)
    assert row.bias(time, q, v, near) == pytest.approx(-float(curvature), rel=1e-9, abs=1e-9 * size)
