"""Stiff flyball governor, as specified."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure, Readings
from grashof.problems.certified import certified_solution
from grashof.problems.columns import TIME, energy

DATA = {
    "g": "9.81",
    "shaft": "0.3",
    "slider": "3",
    "rod": "0.3",
    "ball": "5",
    "length": "1",
    "width": "0.01",
    "cube": "0.1",
    "pivot": "0.05",
    "start": "0.5",
    "angle_deg": "30",
    "stiffness": "800000",
    "damping": "40000",
    "spin_pi": "2",
}
"""Masses [kg]; length of shaft and rods and their width, edge of the slider, distance of the pivots from the shaft,
height of the slider at the start [m]; angle of the rods below the horizontal at the start; stiffness [N/m] and damping
[N s/m] of the springs; angular velocity at the start as a multiple of π rad/s."""


def mechanism(data: Mapping[str, str]) -> Model:
    """Turning at the given rate, with the slider and the rods at rest on the shaft."""
    value = {name: float(text) for name, text in data.items()}
    m = Mechanism("stiff governor", gravity=(0.0, 0.0, -value["g"]))
    length, pivot, square = value["length"], value["pivot"], value["width"] ** 2
    along, across = square / 6.0, (length**2 + square) / 12.0
    arms = ((1.0, "right"), (-1.0, "left"))
    shaft = m.body(
        "shaft",
        mass=value["shaft"],
        center=(0.0, 0.0, length / 2.0),
        inertia=[value["shaft"] * x for x in (across, across, along)],
        points={"foot": (0.0, 0.0, 0.0)} | {name: (sign * pivot, 0.0, length) for sign, name in arms},
        position=(0.0, 0.0, 0.0),
    )
    slider = m.body(
        "slider",
        mass=value["slider"],
        inertia=(value["slider"] * value["cube"] ** 2 / 6.0,) * 3,
        points={"centre": (0.0, 0.0, 0.0)} | {name: (sign * pivot, 0.0, 0.0) for sign, name in arms},
        position=(0.0, 0.0, value["start"]),
    )
    up, hinge = (0.0, 0.0, 1.0), (0.0, 1.0, 0.0)
    m.angle("turn", shaft, axis=up)
    m.revolute(m.ground.at(0.0, 0.0, 0.0), shaft.foot, axis=up, name="bearing")
    m.prismatic(shaft.foot, slider.centre, axis=up, name="guide")
    m.need("turn", rate=value["spin_pi"] * math.pi)
    m.need("slider.centre.z", value=value["start"], rate=0.0)
    # rod and ball are one body, whose centre of mass lies between the rod's and the ball
    mass = value["rod"] + value["ball"]
    center = length * (0.5 * value["rod"] + value["ball"]) / mass
    swing = value["rod"] * (across + (center - length / 2.0) ** 2) + value["ball"] * (length - center) ** 2
    down = math.radians(value["angle_deg"])
    for sign, name in arms:
        half = 0.5 * (down if sign > 0.0 else math.pi - down)
        rod = m.body(
            f"{name} rod",
            mass=mass,
            center=(center, 0.0, 0.0),
            inertia=(value["rod"] * along, swing, swing),
            points={"hinge": (0.0, 0.0, 0.0), "middle": (length / 2.0, 0.0, 0.0), "ball": (length, 0.0, 0.0)},
            position=(sign * pivot, 0.0, length),
            rotation=(math.cos(half), 0.0, math.sin(half), 0.0),
        )
        m.revolute(shaft.point(name), rod.hinge, axis=hinge, name=f"{name} hinge")
        m.spring(
            slider.point(name),
            rod.middle,
            stiffness=value["stiffness"],
            damping=value["damping"],
            length=length / 2.0,
            name=f"{name} spring",
        )
        points = (sign * math.cos(down), 0.0, -math.sin(down))
        m.angle(name, rod, reference=shaft, axis=hinge, zero=(sign, 0.0, 0.0), direction=points)
        m.need(name, value=sign * down, rate=0.0)
    return m.model


def _below(run: Readings) -> np.ndarray:
    """The angle of the right rod below the horizontal."""
    angle: np.ndarray = run["right"]
    return angle


COLUMNS = (
    TIME,
    Column("s", "m", lambda run: run["slider.centre.z"], also=("z", "slider", "sliderz", "height", "sliderheight")),
    Column("omega", "rad/s", lambda run: run["turn.rate"], also=("ω", "shaftspeed", "speed", "phidot", "thetadot")),
    Column("alpha", "rad", _below, also=("rod", "rodangle", "armangle", "angle")),
    energy(lambda run: run["balance"]),  # against the start and the work of the dampers
)


def case(variant: str, values: Mapping[str, float]) -> Case:
    from grashof.problems.governor.derivations import derive

    return Case(
        problem="stiff-governor",
        variant=variant,
        parameters=values,
        model=mechanism(DATA),
        t_end=10.0,
        step=0.01,
        bound=1e-2,
        error_text="max |E − E₀ − W|, E = kinetic + potential energy, W = work of the dampers",
        columns=COLUMNS,
        final=COLUMNS[1:4],
        reference=certified_solution(__package__ or "", "stiff-governor-standard.csv", derive),
        figures=(
            Figure("Height of the slider", ("s",)),
            Figure("Speed of the shaft", ("omega",)),
            Figure("Energy balance, E − E₀ − W", ("energy",)),
        ),
        levels=("s",),
    )
