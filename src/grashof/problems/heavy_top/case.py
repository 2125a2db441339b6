"""Heavy top: a symmetric body whose centre of mass is 1 m from a fixed point."""

from __future__ import annotations

from collections.abc import Mapping

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure
from grashof.problems.certified import certified_solution
from grashof.problems.columns import TIME, energy

DATA = {
    "g": "9.81",
    "mass": "15",
    "length": "1",
    "I_axis": "0.46875",
    "I_across": "0.234375",
    "spin": "150",
    "precession": "-4.61538",
}
"""Inertias about the centre of mass [kg m²], and angular velocities about y and z at the start [rad/s]."""


def mechanism() -> Model:
    """The axis of the top lies along +y at the start."""
    value = {name: float(text) for name, text in DATA.items()}
    m = Mechanism("heavy top", gravity=(0.0, 0.0, -value["g"]))
    top = m.body(
        "top",
        mass=value["mass"],
        inertia=(value["I_across"], value["I_axis"], value["I_across"]),
        center=(0.0, value["length"], 0.0),
        points={"tip": (0.0, 0.0, 0.0), "centre": (0.0, value["length"], 0.0)},
    )
    m.spherical(m.ground.at(0.0, 0.0, 0.0), top.tip, name="tip")
    m.need(top, angular_velocity=(0.0, value["spin"], value["precession"]))
    return m.model


def _place(axis: str) -> Column:
    return Column(axis, "m", lambda run: run[f"top.centre.{axis}"], also=(f"com{axis}", f"{axis}com", f"{axis}c"))


COLUMNS = (TIME, *map(_place, "xyz"), energy(lambda run: run["balance"]))


def case(variant: str, values: Mapping[str, float]) -> Case:
    from grashof.problems.heavy_top.derivations import derive

    return Case(
        problem="heavy-top",
        variant=variant,
        parameters=values,
        model=mechanism(),
        t_end=2.0,
        step=0.01,
        bound=1e-2,
        error_text="max |E − E₀|, E = kinetic + potential energy",
        columns=COLUMNS,
        final=COLUMNS[1:4],
        reference=certified_solution(__package__ or "", "heavy-top-standard.csv", derive),
        figures=(Figure("Centre of mass", ("x", "y", "z")), Figure("Total energy, E − E₀", ("energy",))),
    )
