"""Mechanisms whose numbers are left open."""

from __future__ import annotations

import grashof as gr
from grashof.model.mechanism import as_model
from grashof.model.model import Model


def sprung_four_bar() -> Model:
    m = gr.Mechanism("sprung four-bar", gravity=(0, -9.81))
    crank, rod, rocker = (m.bar(n, length=l, mass=l) for n, l in (("crank", 0.3), ("rod", 1.0), ("rocker", 0.8)))
    m.revolute(m.ground.at(0, 0, name="A"), crank.start)
    m.revolute(crank.end, rod.start)
    m.revolute(rod.end, rocker.end)
    m.revolute(m.ground.at(0.9, 0, name="B"), rocker.start)
    m.spring(rod.end, m.ground.at(0.5, 1.5, name="C"), stiffness=20.0, length=0.5, damping=0.1, name="spring")
    m.need(crank.angle, value=0.4, rate=3.0)
    return as_model(m)
