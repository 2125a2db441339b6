"""The mechanisms with which most tests begin: pendulum, slider-crank, four-bar; tests add what is special."""

from __future__ import annotations

import grashof as gr
from grashof.model.handles import Handle

DOWN = (0.0, -9.81)


def pendulum(
    angle: float | None = None, rate: float | None = None, *, length: float = 1.0, mass: float = 1.0
) -> gr.Mechanism:
    """A uniform rod on a pin at the origin, at an angle (rad) from the horizontal, with an angular velocity (rad/s)."""
    m = gr.Mechanism("pendulum", gravity=DOWN)
    rod = m.bar("rod", length=length, mass=mass)
    m.revolute(m.ground.at(0, 0), rod.start, name="pin")
    if angle is not None:
        m.need(rod.angle, value=angle, rate=rate)
    return m


def slider_crank(gravity: tuple[float, float] = DOWN) -> tuple[gr.Mechanism, Handle, Handle]:
    """A crank of 0.2 m, a rod of 0.5 m and a pin in a slot along x: the mechanism, its crank and its rod."""
    m = gr.Mechanism("slider crank", gravity=gravity)
    crank = m.bar("crank", length=0.2, mass=1.0)
    rod = m.bar("rod", length=0.5, mass=0.5)
    m.revolute(m.ground.at(0, 0), crank.start)
    m.revolute(crank.end, rod.start)
    m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
    return m, crank, rod


def four_bar(
    lengths: tuple[float, float, float] = (1.0, 2.5, 2.2),
    masses: tuple[float, float, float] | None = None,
    *,
    gravity: tuple[float, float] = DOWN,
) -> tuple[gr.Mechanism, Handle, Handle, Handle]:
    """Bars a, b and c on ground pivots 2 m apart, as heavy as they are long unless masses are given."""
    m = gr.Mechanism("four-bar", gravity=gravity)
    parts = zip("abc", lengths, masses or lengths, strict=True)
    a, b, c = (m.bar(name, length=length, mass=mass) for name, length, mass in parts)
    m.revolute(m.ground.at(0, 0), a.start)
    m.revolute(a.end, b.start)
    m.revolute(b.end, c.end)
    m.revolute(c.start, m.ground.at(2, 0))
    return m, a, b, c
