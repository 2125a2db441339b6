"""Mechanisms that leave Python."""

from __future__ import annotations

from grashof.model.mechanism import Mechanism

TORQUE = "drive.torque"
"""The torque of the slider-crank's drive."""


def slider_crank() -> Mechanism:
    """A torque turns the crank."""
    m = Mechanism("slider crank", gravity=(0, -9.81))
    crank = m.bar("crank", length=0.2, mass=1.0)
    rod = m.bar("rod", length=0.5, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    m.motor(crank, torque=0.3, name="drive")
    m.need(crank.angle, value=0.4)
    return m
