"""Random trees whose joints are geared, driven and otherwise tied to each other."""

from __future__ import annotations

import numpy as np
from campaign.trees import random_body

import grashof as gr
from grashof.model.handles import Handle, Point


def geared_tree(seed: int, dimension: int, bodies: int = 7, tie: bool = True) -> gr.Mechanism:
    """A tree of turns and slides with the measures m0, m1, … of its joints, most of which couplings and motors tie."""
    rng = np.random.default_rng(seed)
    m = gr.Mechanism(f"geared {seed}", gravity=tuple(rng.normal(size=dimension) * 5.0))
    points: list[tuple[Point, Handle | None]] = [(m.ground.at(*rng.normal(size=dimension)), None)]
    for k in range(bodies):
        body, (base, other) = random_body(m, rng, k, dimension), points[int(rng.integers(len(points)))]
        axis = tuple(rng.normal(size=dimension))
        if rng.random() < 0.6:
            about = {} if dimension == 2 else {"axis": axis}
            m.revolute(base, body.near, **about)
            m.angle(f"m{k}", body, reference=other, **about)
        else:
            m.prismatic(base, body.near, axis=axis)
            m.coordinate(f"m{k}", body.near, axis, origin=base)
        points += [(body.far, body), (body.side, body)]
    m.spring(points[0][0], points[-1][0], stiffness=30.0, length=0.4, damping=0.5)
    if tie:
        m.motor("m0", law="0.3*sin(2*t) + 0.1")
        m.motor("m1", speed="0.5 + 0.2*cos(3*t)")
        m.coupling({"m2": 2.0, "m3": -1.0, "m1": 0.3})
        m.coupling("m4 - 0.2*sin(m2) - 0.1*m3*m3")
        m.variator("m5", "m3", ratio="0.5 + 0.1*sin(t) + 0.05*m6")
    return m
