"""Spatial rigid slider-crank, in three readings of the rod's inertia."""

from __future__ import annotations

from collections.abc import Mapping

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure
from grashof.problems.columns import TIME, energy
from grashof.problems.slider_crank.reference import READINGS, data_of, motion

X = (1.0, 0.0, 0.0)
A, B, C = (0.0, 0.1, 0.12), (0.0, 0.1, 0.2), (0.2, 0.0, 0.0)


def mechanism(reading: str) -> Model:
    """The crank points upwards, and turns at 6 rad/s about X."""
    m = Mechanism("spatial slider-crank", gravity=(0.0, 0.0, -9.81))
    along = tuple((c - b) / 0.3 for b, c in zip(B, C, strict=True))
    size = (along[1] ** 2 + along[2] ** 2) ** 0.5
    pin = (0.0, -along[2] / size, along[1] / size)  # perpendicular to X and to the rod
    third = (
        along[1] * pin[2] - along[2] * pin[1],
        along[2] * pin[0] - along[0] * pin[2],
        along[0] * pin[1] - along[1] * pin[0],
    )
    values = [float(x) for x in READINGS[reading]]
    inertia = [
        [sum(v * (e[i] * e[k]) for v, e in zip(values, (along, pin, third), strict=True)) for k in range(3)]
        for i in range(3)
    ]
    crank = m.body(
        "crank",
        mass=0.12,
        inertia=(1e-4, 1e-5, 1e-4),
        center=(0.0, 0.0, 0.04),
        points={"A": (0.0, 0.0, 0.0), "B": (0.0, 0.0, 0.08)},
        position=A,
    )
    middle = tuple((b + c) / 2 for b, c in zip(B, C, strict=True))
    rod = m.body(
        "rod",
        mass=0.5,
        inertia=inertia,
        points={
            "B": tuple(b - x for b, x in zip(B, middle, strict=True)),
            "C": tuple(c - x for c, x in zip(C, middle, strict=True)),
        },
        position=middle,
    )
    slider = m.body("slider", mass=2.0, inertia=(1e-4, 1e-4, 1e-4), points={"C": (0.0, 0.0, 0.0)}, position=C)
    m.revolute(m.ground.at(*A), crank.A, axis=X, name="A")
    m.spherical(crank.B, rod.B, name="B")
    m.universal(slider.C, rod.C, axis_a=X, axis_b=pin, name="C")
    m.prismatic(m.ground.at(0.0, 0.0, 0.0), slider.C, axis=X, name="guide")
    m.angle("theta", crank, axis=X, zero=(0.0, 0.0, 1.0))
    m.need("theta", value=0.0, rate=6.0)
    return m.model


COLUMNS = (
    TIME,
    Column(
        "x", "m", lambda run: run["slider.C.x"], also=("s", "slider", "sliderposition", "position", "xc", "xslider")
    ),
    Column("theta", "rad", lambda run: run["theta"], also=("θ", "crank", "crankangle", "angle", "phi")),
    energy(lambda run: run["balance"]),  # against the start
)


def case(variant: str, values: Mapping[str, float]) -> Case:
    data = data_of(variant)
    return Case(
        problem="slider-crank",
        variant=variant,
        parameters=values,
        model=mechanism(variant),
        t_end=5.0,
        step=0.02,
        bound=1e-4,
        error_text="max |E − E₀|, E = kinetic + potential energy",
        columns=COLUMNS,
        final=COLUMNS[1:3],
        reference=lambda times: motion(times, data),
        figures=(
            Figure("Position of the slider", ("x",)),
            Figure("Angle of the crank", ("theta",)),
            Figure("Total energy, E − E₀", ("energy",)),
        ),
    )
