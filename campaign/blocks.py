"""Building blocks shared by several suites: random times, a mass on a slider, a wheel."""

from __future__ import annotations

import numpy as np

import grashof as gr
from campaign.structure import Array
from campaign.suite import Rng
from grashof.model.handles import Handle

SAMPLES = 64
"""Number of times at which a run is judged."""

G = 9.81


def random_times(rng: Rng, end: float, count: int = SAMPLES) -> Array:
    """Random times, so that none coincides with an event of the motion by design, and the end."""
    return np.sort(np.append(rng.uniform(0.0, end, count - 1), end))


def with_rate(name: str, value: Array, rate: Array) -> dict[str, Array]:
    """A quantity and its rate, by name."""
    return {name: value, f"{name}.rate": rate}


def mass_on_slider(mass: float) -> tuple[gr.Mechanism, Handle]:
    """A mass whose point p moves along x."""
    m = gr.Mechanism("mass on a slider")
    ball = m.body("ball", mass=mass, inertia=0.1, points={"p": (0, 0)})
    m.slider(m.ground.line((0, 0), (1, 0)), ball.line((0, 0), (1, 0)))
    return m, ball


def wheel(inertia: float) -> tuple[gr.Mechanism, Handle]:
    """A wheel on a fixed axle, without gravity."""
    m = gr.Mechanism("wheel")
    body = m.body("wheel", mass=1.0, inertia=inertia, points={"o": (0, 0), "p": (1, 0)})
    m.revolute(m.ground.at(0, 0), body.o)
    return m, body
