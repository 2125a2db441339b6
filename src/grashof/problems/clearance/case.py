"""Slider-crank with clearance: four corners of the slider between the two walls of its guide."""

from __future__ import annotations

from collections.abc import Mapping

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure
from grashof.problems.certified import certified_solution
from grashof.problems.columns import TIME, energy

DATA = {
    "crank": "0.153",
    "rod": "0.306",
    "half_length": "0.05",
    "half_height": "0.025",
    "clearance": "0.001",
    "crank_mass": "0.038",
    "rod_mass": "0.038",
    "slider_mass": "0.076",
    "crank_inertia": "7.4e-5",
    "rod_inertia": "5.9e-4",
    "slider_inertia": "2.7e-6",
    "g": "9.81",
    "e": "0.4",
    "mu": "0.01",
    "omega": "150",
    "omega_rod": "-75",
    "phi": "0",
}
"""Lengths, halves of the slider's, clearance on each side, m; kg, kg m²; the start: rates of crank and rod, rad/s, and
angle of the slider, rad."""

INCLINED = "0.01"
CORNERS = {"lower_left": (-1, -1), "lower_right": (1, -1), "upper_left": (-1, 1), "upper_right": (1, 1)}


def data_of(variant: str) -> dict[str, str]:
    """The data of a variant."""
    return DATA | ({"phi": INCLINED} if variant == "inclined" else {})


def mechanism(variant: str) -> Model:
    """Crank and rod lie on the x axis at the start; centres of mass in the middle."""
    x = {name: float(text) for name, text in data_of(variant).items()}
    m = Mechanism("slider-crank with clearance", gravity=(0.0, -x["g"]))
    bars = []
    for name, begins in (("crank", 0.0), ("rod", x["crank"])):
        half = x[name] / 2
        ends = {"start": (-half, 0.0), "end": (half, 0.0)}
        mass, inertia = x[f"{name}_mass"], x[f"{name}_inertia"]
        bars.append(m.body(name, mass=mass, inertia=inertia, points=ends, position=(begins + half, 0.0)))
    crank, rod = bars
    corners = {name: (a * x["half_length"], b * x["half_height"]) for name, (a, b) in CORNERS.items()}
    slider = m.body(
        "slider",
        mass=x["slider_mass"],
        inertia=x["slider_inertia"],
        points={"pin": (0.0, 0.0), **corners},
        position=(x["crank"] + x["rod"], 0.0),
    )
    m.revolute(m.ground.at(0.0, 0.0), crank.start, name="bearing")
    m.revolute(crank.end, rod.start, name="crank pin")
    m.revolute(rod.end, slider.pin, name="slider pin")
    half = x["half_height"] + x["clearance"]
    walls = {-1: m.ground.line((0.0, -half), (1.0, -half)), 1: m.ground.line((1.0, half), (0.0, half))}
    law = "newton" if variant == "inclined" else "moreau"
    for name, (_, side) in CORNERS.items():
        m.contact(walls[side], slider.point(name), restitution=x["e"], mu=x["mu"], impact=law, name=name)
    if variant == "driven":
        m.motor(crank, speed=x["omega"])
    m.need(crank.angle, value=0.0, rate=x["omega"])
    m.need(rod.angle, value=0.0, rate=x["omega_rod"])
    m.need(slider.angle, value=x["phi"], rate=0.0)
    return m.model


COLUMNS = (
    TIME,
    Column("x", "m", lambda run: run["slider.pin.x"], also=("xslider", "sliderx", "xs", "slider")),
    Column("y", "m", lambda run: run["slider.pin.y"], also=("yslider", "slidery", "ys")),
    Column("theta", "rad", lambda run: run["crank.angle"], also=("θ", "theta1", "crank", "crankangle")),
    Column("phi", "rad", lambda run: run["slider.angle"], also=("φ", "theta3", "sliderangle")),
    energy(lambda run: run["balance"]),  # against the start, less all works
)


def case(variant: str, values: Mapping[str, float]) -> Case:
    from grashof.problems.clearance.derivations import derive

    return Case(
        problem="slider-crank-clearance",
        variant=variant,
        parameters=values,
        model=mechanism(variant),
        t_end=0.1,
        step=0.0005,
        bound=1e-5,
        error_text="max |E − E₀ − W|, W = work of friction, of impacts and of the motor",
        columns=COLUMNS,
        final=COLUMNS[1:4],  # the slider does not turn in one of the variants
        reference=certified_solution(
            __package__ or "", f"slider-crank-clearance-{variant}.csv", lambda: derive(variant)
        ),
        figures=(
            Figure("Slider in its guide", ("y",)),
            Figure("Crank", ("theta",)),
            Figure("Total energy, E − E₀ − W", ("energy",)),
        ),
    )
