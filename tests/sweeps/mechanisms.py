"""Mechanisms whose motions are known in closed form."""

from __future__ import annotations

import math

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from tests import classics

G = 9.81


def pendulum(deflection: float = 1e-3) -> Model:
    """A bar that hangs from a pin, deflected a little: φ = −π/2 + a cos ωt, ω² = 3g/2ℓ, as long as a is small."""
    return classics.pendulum(-0.5 * math.pi + deflection).model


def slider_crank() -> Model:
    """A crank of 0.2 m that turns at 2π rad/s, and a rod of 0.5 m: x = r cos φ + √(ℓ² − r² sin² φ)."""
    m, crank, _ = classics.slider_crank()
    m.motor(crank, speed=2.0 * math.pi)
    m.need(crank.angle, value=0.3)
    return m.model


def four_bar() -> Model:
    """Crank 1 m, coupler 2 m, rocker 2 m on ground pivots 2 m apart; it can be assembled while no side is longer
    than the others together."""
    m = Mechanism("four-bar", gravity=(0.0, -G))
    crank = m.bar("crank", start=(0.0, 0.0), end=(0.0, 1.0), mass=1.0)
    coupler = m.bar("coupler", length=2.0, mass=1.0)
    rocker = m.bar("rocker", start=(2.0, 0.0), end=(2.3, 1.9773719933285189), mass=1.0)
    m.revolute(m.ground.at(0.0, 0.0), crank.start)
    m.revolute(crank.end, coupler.start)
    m.revolute(coupler.end, rocker.end)
    m.revolute(m.ground.at(2.0, 0.0), rocker.start)
    m.need(crank.angle, value=0.5 * math.pi)
    return m.model
