"""Bricard's linkage: five bars between two fixed hinges, in two readings of their inertia."""

from __future__ import annotations

from collections.abc import Mapping

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure
from grashof.problems.certified import certified_solution
from grashof.problems.columns import TIME, energy

DATA = {"g": "9.81", "mass": "1", "length": "1"}
READINGS = {"prism": ("0.02", "1.01"), "thin": ("0", "1")}
"""Twelve times the inertia of a bar of 1 kg and 1 m along itself and across [kg m²]: a prism of 1 × 0.1 × 0.1 m, or a
thin rod."""
AXES_OF_JOINTS = (1, 2, 0, 1, 2, 0)
"""The axes of the hinges P1 … P6 at the start, as numbers of x, y, z."""
POINTS = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (1.0, -1.0, 0.0), (1.0, -1.0, 1.0), (0.0, -1.0, 1.0), (0.0, 0.0, 1.0))
"""P1 … P6 at the start, in lengths of a bar."""


def data_of(reading: str) -> dict[str, str]:
    """The data of a reading; inertias are twelve times those."""
    return DATA | dict(zip(("along12", "across12"), READINGS[reading], strict=True))


def mechanism(data: Mapping[str, str]) -> Model:
    """Five bars along edges of a cube, each hinge at right angles to the next, at rest."""
    value = {name: float(text) for name, text in data.items()}
    m = Mechanism("Bricard mechanism", gravity=(0.0, -value["g"], 0.0))
    bars = []
    places = [tuple(value["length"] * x for x in point) for point in POINTS]
    for k in range(5):
        here, there = POINTS[k : k + 2]
        way = tuple(b - a for a, b in zip(here, there, strict=True))
        inertia = [value["along12" if x else "across12"] / 12.0 for x in way]
        long = tuple(x * value["length"] for x in way)
        end = {"start": (0.0, 0.0, 0.0), "end": long}
        middle = tuple(0.5 * x for x in long)
        bars.append(
            m.body(f"bar{k + 1}", mass=value["mass"], inertia=inertia, center=middle, points=end, position=places[k])
        )
    ends = [
        m.ground.at(*places[0]),
        *(point for bar in bars for point in (bar.start, bar.end)),
        m.ground.at(*places[5]),
    ]
    for k, axis in enumerate(AXES_OF_JOINTS):
        direction = tuple(float(i == axis) for i in range(3))
        m.revolute(ends[2 * k], ends[2 * k + 1], axis=direction, name=f"P{k + 1}")
    m.angle("turn", bars[0], axis=(0.0, 1.0, 0.0), zero=(1.0, 0.0, 0.0), direction=(1.0, 0.0, 0.0))
    m.need("turn", value=0.0, rate=0.0)
    return m.model


def _place(axis: str) -> Column:
    return Column(axis, "m", lambda run: run[f"bar2.end.{axis}"], also=(f"p3{axis}", f"{axis}3", f"{axis}p3"))


COLUMNS = (TIME, *map(_place, "xyz"), energy(lambda run: run["balance"]))


def case(variant: str, values: Mapping[str, float]) -> Case:
    from grashof.problems.bricard.derivations import derive

    return Case(
        problem="bricard-mechanism",
        variant=variant,
        parameters=values,
        model=mechanism(data_of(variant)),
        t_end=10.0,
        step=0.01,
        bound=1e-3,
        error_text="max |E − E₀|, E = kinetic + potential energy",
        columns=COLUMNS,
        final=COLUMNS[1:4],
        reference=certified_solution(__package__ or "", f"bricard-mechanism-{variant}.csv", lambda: derive(variant)),
        figures=(Figure("Joint P3", ("x", "y", "z")), Figure("Total energy, E − E₀", ("energy",))),
        levels=("x", "y", "z"),
    )
