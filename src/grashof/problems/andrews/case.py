"""Andrews' squeezer mechanism: seven bodies, one degree of freedom, a very small time scale."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.andrews import reference
from grashof.problems.andrews.reference import IFTOMM, Squeezer
from grashof.problems.base import Case, Column, Figure
from grashof.problems.columns import KINETIC, POTENTIAL, TIME, VIOLATIONS, work

GUESSES = {
    "OF": ((0.0, 0.0), -0.06),
    "EF": ((-0.021, 0.0013), -0.06),
    "HE": ((-0.031, -0.016), 1.05),
    "GE": ((-0.034, 0.016), -0.85),
    "AG": ((-0.069, -0.002), 0.5),
    "AH": ((-0.069, -0.002), -0.35),
    "EBD": ((-0.021, 0.0013), 0.45),
}
"""Rough poses: E near (−0.021, 0.0013), G above the line A–E and H below it."""


def mechanism(data: Squeezer, beta0: float) -> Model:
    """Six rods and a triangle, pinned; spring from C to D, constant torque on O–F; starts at rest with β = beta0."""
    m = Mechanism("Andrews' squeezer")
    pivots = {"O": (0.0, 0.0), "A": data.a, "B": data.b, "C": data.c}
    ground = {name: m.ground.at(*place, name=name) for name, place in pivots.items()}
    links = {}
    for rod in data.rods:
        name = rod.start + rod.end
        position, angle = GUESSES[name]
        links[name] = m.body(
            name,
            mass=rod.mass,
            center=rod.com,
            inertia=rod.inertia,
            points={rod.start: (0.0, 0.0), rod.end: (rod.length, 0.0)},
            position=position,
            angle=angle,
        )
    position, angle = GUESSES["EBD"]
    triangle = m.body(
        "EBD",
        mass=data.triangle.mass,
        center=data.triangle.com,
        inertia=data.triangle.inertia,
        points={"E": (0.0, 0.0), "B": data.triangle.b, "D": data.triangle.d},
        position=position,
        angle=angle,
    )
    m.revolute(ground["O"], links["OF"].O, name="O")
    m.revolute(links["OF"].F, links["EF"].F, name="F")
    m.revolute(links["EF"].E, triangle.E, name="E1")
    m.revolute(links["HE"].E, triangle.E, name="E2")
    m.revolute(links["GE"].E, triangle.E, name="E3")
    m.revolute(links["GE"].G, links["AG"].G, name="G")
    m.revolute(links["HE"].H, links["AH"].H, name="H")
    m.revolute(ground["A"], links["AG"].A, name="A1")
    m.revolute(ground["A"], links["AH"].A, name="A2")
    m.revolute(ground["B"], triangle.B, name="B")
    m.spring(ground["C"], triangle.D, stiffness=data.stiffness, length=data.rest_length, name="spring")
    m.torque(links["OF"], data.torque, name="drive")
    m.need(links["OF"].angle, value=beta0)
    return m.model


COLUMNS = (
    TIME,
    Column("x_F", "m", lambda run: run["OF.F.x"], also=("fx", "offx")),
    Column("y_F", "m", lambda run: run["OF.F.y"], also=("fy", "offy")),
    KINETIC,
    POTENTIAL,
    work(lambda run: run["work.drive"]),
    *VIOLATIONS[:2],
)

FIGURES = (
    Figure("Coordinates of point F", ("x_F", "y_F")),
    Figure("Energy balance ΔU = T + V − E₀ − τ(β − β₀)", ("balance",)),
    Figure("Constraint violations", ("violation_position", "violation_velocity"), logarithmic=True),
)


def case(variant: str, values: Mapping[str, float]) -> Case:
    data, beta0, t_end = IFTOMM, IFTOMM.beta0, IFTOMM.duration
    notes: tuple[str, ...] = ()
    if variant == "ivp":
        beta0, t_end = float(reference.IVP_BETA0), 0.03
    elif variant == "opensim":
        from grashof.problems.andrews import opensim

        data = opensim.correct_document()
        beta0, t_end = data.beta0, data.duration
        notes = tuple(str(finding) for seed in opensim.SEEDS for finding in opensim.audit(seed))

    def solution(times: np.ndarray) -> dict[str, np.ndarray]:
        motion = reference.solution(times, beta0, IFTOMM)
        return {"x_F": motion.x_f, "y_F": motion.y_f, "beta": motion.beta}

    return Case(
        problem="andrews",
        variant=variant,
        parameters=values,
        model=mechanism(data, beta0),
        t_end=t_end,
        step=2.5e-4,
        bound=1e-5,
        error_text="max |ΔU|, ΔU = T + V − E₀ − τ(β − β₀)",
        columns=COLUMNS,
        final=(*COLUMNS[1:3], Column("beta", "rad", lambda run: run["OF.angle"])),
        reference=solution,
        figures=FIGURES,
        notes=notes,
    )
