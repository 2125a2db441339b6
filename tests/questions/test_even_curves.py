"""Curves sampled evenly, and ranges by name."""

from __future__ import annotations

import math

import numpy as np
import pytest

import grashof as gr
from grashof.common.errors import ModelError


def crank_slider() -> gr.Mechanism:
    m = gr.Mechanism("slider crank")
    crank, rod = m.bar("crank", length=0.2), m.bar("rod", length=0.5)
    m.revolute(m.ground.at(0, 0), crank.start, name="O")
    m.revolute(crank.end, rod.start, name="A")
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end, name="B")
    return m


def test_a_circle_is_divided_evenly() -> None:
    """The crank's end: points of a regular polygon, exactly on the circle."""
    curve = gr.linkage(crank_slider()).curve("crank.end", 24)
    assert np.max(np.abs(np.linalg.norm(curve, axis=1) - 0.2)) < 1e-12
    chords = np.linalg.norm(np.diff(curve, axis=0, append=curve[:1]), axis=1)
    assert np.max(np.abs(chords - 0.4 * math.sin(math.pi / 24))) < 2e-4 * 0.2
    with pytest.raises(ModelError, match="at least 2"):
        gr.linkage(crank_slider()).curve("crank.end", 1)


def test_a_joint_by_its_name() -> None:
    found = gr.linkage(crank_slider())
    assert found["B"].range == pytest.approx((0.3, 0.7), abs=1e-9)
    with pytest.raises(ModelError, match="There is no joint 'C'"):
        found["C"]


def test_equations_by_the_names_of_textbooks() -> None:
    """ẏ of a pendulum at rest, horizontal: the tip falls with 3/2 g."""
    m = gr.Mechanism("pendulum", gravity=(0, -10))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    m.need(rod.angle, value=0.0)
    found = gr.equations(m)
    rates = found.rhs(0.0, np.concatenate([found.q, found.v]))
    assert np.array_equal(rates[: found.n], found.v)
    tip = found.point("rod.end", found.q + 1e-3 * rates[found.n :]) - found.point("rod.end", found.q)
    assert np.allclose(tip / 1e-3, (0.0, -15.0), atol=1e-9)
    assert np.array_equal(found.mass_matrix(0.0, found.q), found.mass(0.0, found.q))
    with pytest.raises(ModelError, match=r"A state of mechanism 'pendulum' is \[q, v\]"):
        found.rhs(0.0, found.q)


def test_a_program_fits_a_screen() -> None:
    text = str(gr.build(crank_slider_with_mass()))
    assert len(text.splitlines()) < 8
    assert "1 degree of freedom" in text


def crank_slider_with_mass() -> gr.Mechanism:
    m = gr.Mechanism("rod", gravity=(0, -10))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    return m
