"""Double four-bar mechanism, and the same with any number of windows."""

from __future__ import annotations

import numpy as np

from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure
from grashof.problems.columns import TIME, VIOLATIONS, energy
from grashof.problems.four_bar import reference

MOST = 100_000
"""Largest number of windows: 2,000 have been measured, with 160 MB and half a minute; the cost grows slightly faster
than their number."""


def mechanism(windows: int, speed: float) -> Model:
    """N + 1 upright bars on ground pivots 1 m apart, N bars on top, all of 1 m and 1 kg; the top pins initially move
    to the right."""
    m = Mechanism(f"{windows}-window four-bar", gravity=(0.0, -9.81))
    uprights = [m.bar(f"upright{i}", start=(i, 0.0), end=(i, 1.0), mass=1.0) for i in range(windows + 1)]
    tops = [m.bar(f"top{i}", start=(i, 1.0), end=(i + 1, 1.0), mass=1.0) for i in range(windows)]
    for i, upright in enumerate(uprights):
        m.revolute(m.ground.at(i, 0.0), upright.start)
    for i, top in enumerate(tops):
        m.revolute(uprights[i].end, top.start)
        m.revolute(top.end, uprights[i + 1].end)
    m.need("upright0.end.x", rate=speed)
    return m.model


COLUMNS = (
    TIME,
    Column("x_1", "m", lambda run: run["upright0.end.x"], also=("upright0endx",)),
    Column(
        *("xdot_1", "m/s", lambda run: run["upright0.end.x.rate"]),
        also=("x1dot", "dx1", "vx1", "v1", "x1rate", "dx1dt", "upright0endxrate"),
    ),
    energy(lambda run: run["balance"]),  # against the start
    *VIOLATIONS,
)

FIGURES = (
    Figure("Histories of x₁ and its rate", ("x_1", "xdot_1")),
    Figure("Total energy, E − E₀", ("energy",)),
    Figure(
        "Constraint violations",
        ("violation_position", "violation_velocity", "violation_acceleration"),
        logarithmic=True,
    ),
)


def case(problem: str, windows: float, speed: float, t_end: float, step: float) -> Case:
    if not (1 <= windows <= MOST and windows == int(windows)):
        raise ModelError(f"Problem '{problem}': N is {windows:g}; it must be a whole number from 1 to {MOST:,}.")
    count = int(windows)

    def solution(times: np.ndarray) -> dict[str, np.ndarray]:
        x, xdot = reference.solution(times, count, speed)
        return {"x_1": np.asarray(x, float), "xdot_1": np.asarray(xdot, float)}

    return Case(
        problem=problem,
        variant="standard",
        parameters={"N": count, "speed": speed},
        model=mechanism(count, speed),
        t_end=t_end,
        step=step,
        bound=0.1,
        error_text="max |E − E₀|, E = kinetic + potential energy",
        columns=COLUMNS,
        final=COLUMNS[1:3],
        reference=solution,
        figures=FIGURES,
        levels=("x_1",),
    )
