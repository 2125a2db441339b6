"""Spinning coin: a thin disc, inclined by 1°, that spins about the vertical through its point of contact."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure, Readings
from grashof.problems.certified import certified_solution
from grashof.problems.columns import TIME, energy

DATA = {"g": "9.81", "mass": "1", "radius": "0.01", "lean_deg": "1", "spin_pi": "10"}
"""The inclination in degrees, and the angular velocity about the vertical as a multiple of π rad/s."""


def mechanism() -> Model:
    """The contact point is at the origin and at rest; the top of the coin leans towards −y."""
    value = {name: float(text) for name, text in DATA.items()}
    radius, lean, spin = value["radius"], math.radians(value["lean_deg"]), math.pi * value["spin_pi"]
    m = Mechanism("spinning coin", gravity=(0.0, 0.0, -value["g"]))
    inertia = [k * value["mass"] * radius**2 for k in (0.25, 0.5, 0.25)]
    coin = m.body(
        "coin", mass=value["mass"], inertia=inertia, points={"centre": (0.0, 0.0, 0.0), "axle": (0.0, 1.0, 0.0)}
    )
    place = (0.0, -radius * math.sin(lean), radius * math.cos(lean))
    m.guess(coin, place, rotation=(math.cos(lean / 2), math.sin(lean / 2), 0.0, 0.0))
    axis = (0.0, math.cos(lean), math.sin(lean))
    m.rolling_wheel(m.ground.at(0.0, 0.0, 0.0), coin.centre, radius=radius, axis=axis, name="roll")
    m.need("coin.centre.x", value=0.0)
    m.need("coin.centre.y", value=place[1])
    m.need("coin.axle.x", value=0.0)
    m.need("coin.axle.z", value=place[2] + math.sin(lean))
    m.need(coin, angular_velocity=(0.0, 0.0, spin))
    return m.model


def _contact(run: Readings, axis: str) -> np.ndarray:
    """The point of contact: the centre less r u, u = (k − (k·e) e)/|…| with the direction e of the axle."""
    e, up = (run[f"coin.axle.{name}"] - run[f"coin.centre.{name}"] for name in (axis, "z"))
    place: np.ndarray = run[f"coin.centre.{axis}"] + float(DATA["radius"]) * up * e / np.sqrt(1.0 - up * up)
    return place


COLUMNS = (
    TIME,
    Column("x", "m", lambda run: _contact(run, "x"), also=("contactx", "xcontact")),
    Column("y", "m", lambda run: _contact(run, "y"), also=("contacty", "ycontact")),
    Column("z", "m", lambda run: run["coin.centre.z"], also=("height", "centrez", "zcentre")),
    energy(lambda run: run["balance"]),  # against the start
)


def case(variant: str, values: Mapping[str, float]) -> Case:
    from grashof.problems.coin.derivations import derive

    return Case(
        problem="spinning-coin",
        variant=variant,
        parameters=values,
        model=mechanism(),
        t_end=0.5,
        step=0.001,
        bound=1e-5,
        error_text="max |E − E₀|, E = kinetic + potential energy",
        columns=COLUMNS,
        final=COLUMNS[1:4],
        reference=certified_solution(__package__ or "", "spinning-coin-standard.csv", derive),
        figures=(
            Figure("Point of contact", ("x", "y")),
            Figure("Height of the centre", ("z",)),
            Figure("Total energy, E − E₀", ("energy",)),
        ),
    )
