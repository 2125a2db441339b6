"""Critical points of the constraints: nodes, and singular positions that are only nearly reached."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from grashof.formulation.natural.row_tables import row_tables_of
from grashof.singular.critical_points import critical_point

from ..simulation.four_bars import FourBar

ANGLE = 0.15


def change_point(margin: float, rate: float) -> gr.Program:
    """All bars lie in one line where the crank does, but for the margin; not yet."""
    four_bar = FourBar(2.0, 1.0, 2.5, 1.5 + margin)
    return gr.build(four_bar.driven(ANGLE, rate) if rate else four_bar.at(ANGLE))


@pytest.mark.parametrize("rate", [0.0, 2.0, -2.0])
@pytest.mark.parametrize("margin", [0.0, 1e-12, -1e-12, 1e-9, 1e-6, -1e-6])
def test_the_gap_is_half_of_what_the_lengths_miss(margin: float, rate: float) -> None:
    """In one line, λ = (1, √2, 1)/2 for the rows of crank, coupler and rocker with gradients of unit length: that of
    the coupler, which moves at both ends, is √2 with its row in metres. Then λᵀ Φ is half of what is missing,
    whoever misses it."""
    program = change_point(margin, rate)
    found = critical_point(program.dynamics, 0.0, program.assembly.q, redundant=0, rate=abs(rate))
    assert found is not None
    assert found.gap == pytest.approx(0.5 * abs(margin), rel=1e-5, abs=1e-15)
    if rate:
        assert ANGLE + rate * found.time == pytest.approx(0.0, abs=1e-9)


def test_there_is_one_for_each_position_of_a_pendulum_that_takes_no_part() -> None:
    m = FourBar(2.0, 1.0, 2.5, 1.5).at(ANGLE)
    pendulum = m.bar("pendulum", length=0.5, mass=1)
    m.revolute(m.ground.at(0, 0), pendulum.start)
    m.need(pendulum.angle, value=1.0)
    program = gr.build(m)
    found = critical_point(program.dynamics, 0.0, program.assembly.q, redundant=0, rate=0.0)
    assert found is not None
    assert found.gap < 1e-15
    x, y = (form.at(found.q.tolist()) for form in program.system.point("pendulum.end"))
    assert (x, y) == pytest.approx((0.5 * math.cos(1.0), 0.5 * math.sin(1.0)), abs=1e-9)


@pytest.mark.parametrize("rate", [0.0, 2.0])
def test_tables_of_rows_say_what_the_rows_say(rate: float) -> None:
    dynamics = change_point(0.1, rate).dynamics
    rows, rng = row_tables_of(dynamics), np.random.default_rng(1)
    t, q, weights = rng.normal(size=3), rng.normal(size=(3, dynamics.n)), rng.normal(size=dynamics.rows.count)
    for time, place, jacobian in zip(t.tolist(), q, rows.jacobians(t, q), strict=True):
        for k, row in enumerate(dynamics.rows.by_row(dynamics.rows.jacobian(time, place.tolist()))):
            assert jacobian[k] == pytest.approx([float(row.get(a, 0.0)) for a in range(dynamics.n)], abs=1e-14)
    h, (time, place), aside = 1e-6, (t[:1], q[:1]), rng.normal(size=dynamics.n)
    ahead, behind = (rows.jacobians(time + way * h, place)[0] for way in (1.0, -1.0))
    assert rows.jacobians(time, place, rates=True)[0] == pytest.approx((ahead - behind) / (2 * h), abs=1e-8)
    change = weights @ (rows.jacobians(time, place + aside) - rows.jacobians(time, place))[0]
    assert rows.hessian(float(time[0]), place[0], weights) @ aside == pytest.approx(change, abs=1e-13)
