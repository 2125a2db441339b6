"""Mechanisms that questions are asked about."""

import grashof as gr


def diagonal_spring_four_bar(angle=2.0):
    """The IFToMM library's four-bar with a diagonal spring: bars of 1 m and 1 kg, 25 N/m, √2 m, 1 N s/m."""
    m = gr.Mechanism("four-bar with a diagonal spring", gravity=(0, -9.81))
    bars = [m.bar(f"rod{k}", length=1.0, mass=1.0) for k in (1, 2, 3)]
    m.revolute(m.ground.at(0, 0), bars[0].start)
    m.revolute(bars[0].end, bars[1].start)
    m.revolute(bars[1].end, bars[2].end)
    m.revolute(m.ground.at(1, 0), bars[2].start)
    m.spring(m.ground.at(0, 0), bars[1].end, stiffness=25.0, length=2.0**0.5, damping=1.0)
    m.need(bars[0].angle, value=angle)
    return m


def pendulum(angle, **spring):
    """A rod of 1 m and 2 kg, hinged at its start; perhaps with a torsion spring."""
    m = gr.Mechanism("pendulum", gravity=(0, -9.81))
    rod = m.bar("rod", length=1.0, mass=2.0)
    m.revolute(m.ground.at(0, 0), rod.start)
    if spring:
        m.torsion_spring(rod, **spring)
    m.need(rod.angle, value=angle)
    return m


def chain(lengths, masses, angles, spring=None):
    """Rods one after the other from the origin; `spring` is (x, y, stiffness, length, damping) from there to the
    last end."""
    m = gr.Mechanism("chain", gravity=(0, -9.81))
    last = m.ground.at(0, 0)
    for k, (length, mass, angle) in enumerate(zip(lengths, masses, angles, strict=True)):
        rod = m.bar(f"rod{k}", length=length, mass=mass)
        m.revolute(last, rod.start)
        m.want(rod.angle, value=angle)
        last = rod.end
    if spring is not None:
        x, y, stiffness, length, damping = spring
        m.spring(m.ground.at(x, y), last, stiffness=stiffness, length=length, damping=damping)
    return m
