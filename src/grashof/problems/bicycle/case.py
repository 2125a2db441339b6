"""Uncontrolled bicycle of Whipple, in three manoeuvres; x is forward, y to the right and z down."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from grashof.model.handles import Handle, Point
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure, Readings
from grashof.problems.certified import certified_solution
from grashof.problems.columns import KINETIC, POTENTIAL, TIME

DATA = {
    "g": "9.81",
    "base": "1.02",
    "trail": "0.08",
    "tilts": "10",
    "r_rear": "0.3",
    "m_rear": "2",
    "x_rear": "0",
    "z_rear": "-0.3",
    "xx_rear": "0.0603",
    "yy_rear": "0.12",
    "zz_rear": "0.0603",
    "xz_rear": "0",
    "m_frame": "85",
    "x_frame": "0.3",
    "z_frame": "-0.9",
    "xx_frame": "9.2",
    "yy_frame": "11",
    "zz_frame": "2.8",
    "xz_frame": "2.4",
    "m_fork": "4",
    "x_fork": "0.9",
    "z_fork": "-0.7",
    "xx_fork": "0.05892",
    "yy_fork": "0.06",
    "zz_fork": "0.00708",
    "xz_fork": "-0.00756",
    "r_front": "0.35",
    "m_front": "3",
    "x_front": "1.02",
    "z_front": "-0.35",
    "xx_front": "0.1405",
    "yy_front": "0.28",
    "zz_front": "0.1405",
    "xz_front": "0",
}
"""g [m/s²], wheel base and trail [m], the number of tilts of the steer axis in half a turn; radii [m]; mass [kg],
centre of mass [m] and elements of the inertia matrix [kg m²] of each body."""
BODIES = ("rear", "frame", "fork", "front")
MANOEUVRES = {"M1": ("4", "0.05"), "M2": ("4.6", "0.5"), "M3": ("8", "0.05")}
"""Speed [m/s] and roll rate [rad/s] at the start."""
ENERGY = {"M1": 1575.173, "M2": 1837.031, "M3": 3918.030}
"""Total energy at the start, J, as published."""


def data_of(manoeuvre: str) -> dict[str, str]:
    """The data of a manoeuvre."""
    return DATA | dict(zip(("speed", "rate"), MANOEUVRES[manoeuvre], strict=True))


def mechanism(data: Mapping[str, str]) -> Model:
    """Upright, rolling along x, and falling to the right about the line of both points of contact."""
    value = {name: float(text) for name, text in data.items()}
    m = Mechanism("uncontrolled bicycle", gravity=(0.0, 0.0, value["g"]))
    tilt = math.pi / value["tilts"]

    def body(name: str) -> Handle:
        own = {key: value[f"{key}_{name}"] for key in ("m", "x", "z", "xx", "yy", "zz", "xz")}
        made = m.body(name, mass=own["m"], inertia=(own["xx"], own["yy"], own["zz"], 0.0, own["xz"], 0.0))
        m.guess(made, (own["x"], 0.0, own["z"]))
        return made

    def at(handle: Handle, x: float, z: float, y: float = 0.0, name: str | None = None) -> Point:
        """A point of a body at a place on the upright bicycle."""
        return handle.at(x - value[f"x_{handle}"], y, z - value[f"z_{handle}"], name=name)

    rear, frame, fork, front = map(body, BODIES)
    # the steer axis meets the road `trail` in front of the front contact
    head = (value["base"] + value["trail"] - 0.8 * math.sin(tilt), -0.8 * math.cos(tilt))
    steering, across = (math.sin(tilt), 0.0, math.cos(tilt)), (0.0, 1.0, 0.0)
    rear_hub, front_hub = (0.0, -value["r_rear"]), (value["base"], -value["r_front"])
    m.revolute(at(frame, *rear_hub, name="hub"), at(rear, *rear_hub, name="hub"), axis=across, name="rear hub")
    m.revolute(at(fork, *front_hub, name="hub"), at(front, *front_hub, name="hub"), axis=across, name="front hub")
    m.revolute(at(frame, *head), at(fork, *head), axis=steering, name="head")
    at(frame, *rear_hub, y=1.0, name="right")
    m.angle("steer", fork, reference=frame, axis=steering)
    m.angle("wheel", rear, reference=frame, axis=across)
    road = m.ground.at(0.0, 0.0, 0.0)
    for wheel in (rear, front):
        radius = value[f"r_{wheel}"]
        m.rolling_wheel(road, wheel.hub, radius=radius, axis=across, normal=(0.0, 0.0, -1.0), name=f"{wheel} wheel")
    m.need("steer", value=0.0, rate=0.0)
    m.need("rear.hub.x", value=0.0)
    m.need("rear.hub.y", value=0.0)
    m.need("frame.right.x", value=0.0)
    m.need("frame.right.z", value=-value["r_rear"])
    m.need(rear, angular_velocity=(value["rate"], -value["speed"] / value["r_rear"], 0.0))
    return m.model


def _roll(run: Readings) -> np.ndarray:
    """The inclination of the plane of the frame: the axle points to the right and by sin φ down."""
    angle: np.ndarray = np.arcsin(run["frame.right.z"] - run["frame.hub.z"])
    return angle


def _roll_rate(run: Readings) -> np.ndarray:
    rate: np.ndarray = (run["frame.right.z.rate"] - run["frame.hub.z.rate"]) / np.cos(_roll(run))
    return rate


RADIUS = float(DATA["r_rear"])


def columns_of(manoeuvre: str) -> tuple[Column, ...]:
    """The columns; a file with all three manoeuvres has their numbers in its headings."""
    number = manoeuvre[1:].lower()

    def also(*names: str) -> tuple[str, ...]:
        return (*names, *(f"{name}{mark}{number}" for name in names for mark in ("", "m")))

    return (
        TIME,
        Column("roll", "rad", _roll, also=also("roll", "rollangle", "lean", "phi", "leanangle")),
        Column(
            "rollrate",
            "rad/s",
            _roll_rate,
            also=also("rollrate", "rollvelocity", "phidot", "leanrate", "rollangularvelocity"),
        ),
        Column(
            "speed", "m/s", lambda run: -RADIUS * run["wheel.rate"], also=also("speed", "forwardspeed", "v", "velocity")
        ),
        Column("potential", "J", lambda run: run["potential"], also=(*POTENTIAL.also, *also("potential"))),
        Column("kinetic", "J", lambda run: run["kinetic"], also=(*KINETIC.also, *also("kinetic"))),
        Column(
            *("energy", "J", lambda run: run["kinetic"] + run["potential"]),
            balance=1.0,
            also=("E", "etot", *also("totalenergy", "mechanicalenergy", "energy")),
        ),
        Column("steer", "rad", lambda run: run["steer"], also=also("steer", "steerangle", "delta", "steering")),
        Column(
            "steerrate",
            "rad/s",
            lambda run: run["steer.rate"],
            also=also("steerrate", "steervelocity", "deltadot", "steeringrate"),
        ),
    )


def case(variant: str, values: Mapping[str, float]) -> Case:
    from grashof.problems.bicycle.derivations import derive

    columns = columns_of(variant)
    return Case(
        problem="uncontrolled-bicycle",
        variant=variant,
        parameters=values,
        model=mechanism(data_of(variant)),
        t_end=5.0,
        step=0.01,
        bound=0.5e-5 * ENERGY[variant],
        error_text="max |E − E₀|, E = kinetic + potential energy",
        columns=columns,
        final=(columns[1], columns[3], columns[7]),
        reference=certified_solution(__package__ or "", f"uncontrolled-bicycle-{variant}.csv", lambda: derive(variant)),
        figures=(
            Figure("Roll and steer", ("roll", "steer")),
            Figure("Forward speed", ("speed",)),
            Figure("Total energy", ("energy",)),
        ),
    )
