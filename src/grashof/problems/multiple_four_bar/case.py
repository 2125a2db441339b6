"""Multiple four-bar mechanism: a grid of R × C four-bars, modelled in space."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import cast

import numpy as np

from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import BranchCondition, Case, Column, Columns, Figure
from grashof.problems.columns import TIME, energy
from grashof.problems.multiple_four_bar import reference

AXIS = (1.0, 0.0, 0.0)
RATE = 2.0 * math.pi / 3.0


MOST = 300
"""Largest number of rows and of columns: 30 × 30 have been measured, with 160 MB and one minute; the cost grows
faster than the number of bars."""


def mechanism(rows: int, columns: int, variant: str) -> Model:
    """Ground pivots at z = 0, y = 0 … C; rows of C + 1 vertical and C horizontal bars below them (`upright`: above).

    All bars 1 m and 1 kg, all joints revolute about x. φ_r is the angle of row r from hanging straight down, positive
    about +x, that is towards +y.
    """
    m = Mechanism(f"{rows} × {columns} four-bar grid", gravity=(0.0, 0.0, -9.81))
    down = 1.0 if variant == "upright" else -1.0

    def node(r: int, c: int) -> tuple[float, float, float]:
        return (0.0, float(c), down * r)

    vertical = {
        (r, c): m.bar(f"vertical{r}_{c}", start=node(r - 1, c), end=node(r, c), mass=1.0)
        for r in range(1, rows + 1)
        for c in range(columns + 1)
    }
    horizontal = {
        (r, c): m.bar(f"horizontal{r}_{c}", start=node(r, c), end=node(r, c + 1), mass=1.0)
        for r in range(1, rows + 1)
        for c in range(columns)
    }
    for (r, c), bar in vertical.items():
        above = m.ground.at(*node(0, c)) if r == 1 else vertical[r - 1, c].end
        m.revolute(above, bar.start, axis=AXIS)
    for (r, c), bar in horizontal.items():
        m.revolute(vertical[r, c].end, bar.start, axis=AXIS)
        m.revolute(bar.end, vertical[r, c + 1].end, axis=AXIS)
    for r in range(1, rows + 1):
        angle = m.angle(f"phi_{r}", vertical[r, 0], axis=AXIS, zero=(0.0, 0.0, -1.0))
        turning = r == 1 or variant == "all-rows"
        m.need(angle, rate=RATE if turning else 0.0)
    if variant == "upright":
        m.need("phi_1", value=math.pi)
    return m.model


def case(variant: str, values: Mapping[str, float]) -> Case:
    sizes = (values["R"], values["C"])
    if not all(1 <= x <= MOST and x == int(x) for x in sizes):
        raise ModelError(
            f"Problem 'multiple-four-bar': R × C is {sizes[0]:g} × {sizes[1]:g}; both must be whole numbers "
            f"from 1 to {MOST}."
        )
    rows, columns = int(sizes[0]), int(sizes[1])
    corner = f"vertical{rows}_{columns}.end"

    def out_of_reach(found: Columns) -> np.ndarray:
        reach: np.ndarray = np.hypot(
            found["y_A"] - columns - np.sin(found["phi_1"]), found["z_A"] + np.cos(found["phi_1"])
        )
        return (reach - (rows - 1)) / rows

    table = (
        TIME,
        Column("phi_1", "rad", lambda run: run["phi_1"], also=("phi", "angle1", "theta1")),
        Column(
            *("phidot_1", "rad/s", lambda run: run["phi_1.rate"]),
            also=("phidot", "phi1dot", "dphi1", "dphi1dt", "omega1", "phi1rate"),
        ),
        Column("y_A", "m", lambda run: run[f"{corner}.y"], also=("ay", "yofa", f"vertical{rows}{columns}endy")),
        Column("z_A", "m", lambda run: run[f"{corner}.z"], also=("az", "zofa", f"vertical{rows}{columns}endz")),
        energy(lambda run: run["energy"]),
    )

    def solution(times: np.ndarray) -> dict[str, np.ndarray]:
        names = ("phi_1", "phidot_1", "y_A", "z_A", "energy")
        if (rows, columns) == (5, 5) and np.array_equal(times, [10.0]):
            # calculated only once, since the series takes seconds
            final = reference.FINAL[cast(reference.Variant, variant)]
            return {name: np.array([float(x)]) for name, x in zip(names, final, strict=True)}
        motion = reference.solution(times, rows, columns, cast(reference.Variant, variant))
        return dict(zip(names, motion.columns.T[1:], strict=True))

    return Case(
        problem="multiple-four-bar",
        variant=variant,
        parameters={"R": rows, "C": columns},
        model=mechanism(rows, columns, variant),
        t_end=10.0,
        step=0.01,
        bound=1.0,
        error_text="max |E − E₀|, E = kinetic + potential energy",
        columns=table,
        final=table[1:5],
        reference=solution,
        figures=(
            Figure("Angle of the first row", ("phi_1",)),
            Figure("Angular velocity of the first row", ("phidot_1",)),
            Figure("Point A", ("y_A", "z_A")),
            Figure("Total energy", ("energy",)),
        ),
        condition=BranchCondition(
            columns=("phi_1", "y_A", "z_A"),
            beyond=out_of_reach,
            words="A is too far from the first row: |(y_A − C − sin φ₁, z_A + cos φ₁)| > R − 1",
        ),
    )
