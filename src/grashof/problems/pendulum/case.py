"""Planar simple pendulum: a point mass on a massless bar, released horizontally."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure
from grashof.problems.columns import TIME, energy
from grashof.problems.pendulum import reference

DURATIONS = {"short": (10.0, 0.01), "long": (2000.0, 0.25)}
"""Duration and time between official results of each variant, s."""


def mechanism() -> Model:
    """A mass of 1 kg at the end of a bar of 1 m, at rest at (−1, 0)."""
    m = Mechanism("simple pendulum", gravity=(0.0, -reference.GRAVITY))
    bob = m.body("bob", mass=1.0, inertia=0.0, center=(1.0, 0.0), points={"pivot": (0.0, 0.0), "end": (1.0, 0.0)})
    m.revolute(m.ground.at(0.0, 0.0), bob.pivot, name="pivot")
    m.need(bob.angle, value=np.pi, rate=0.0)
    return m.model


COLUMNS = (
    TIME,
    Column("x", "m", lambda run: run["bob.end.x"], also=("xp", "px", "x1", "bobendx")),
    Column("y", "m", lambda run: run["bob.end.y"], also=("yp", "py", "y1", "bobendy")),
    energy(lambda run: run["balance"]),  # against the start
)


def case(variant: str, values: Mapping[str, float]) -> Case:
    t_end, step = DURATIONS[variant]
    return Case(
        problem="simple-pendulum",
        variant=variant,
        parameters=values,
        model=mechanism(),
        t_end=t_end,
        step=step,
        bound=5e-5,
        error_text="max |E − E₀|, E = kinetic + potential energy",
        columns=COLUMNS,
        final=COLUMNS[1:3],
        reference=reference.solution,
        figures=(Figure("Position of the mass", ("x", "y")), Figure("Total energy, E − E₀", ("energy",))),
        levels=("x", "y"),
        tol=1e-8 if variant == "long" else None,
    )
