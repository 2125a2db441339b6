"""Car axis: a bar with a mass at each end, one on a slot of the road's frame, both on springs."""

from __future__ import annotations

from collections.abc import Mapping

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure
from grashof.problems.certified import certified_solution
from grashof.problems.columns import TIME, energy

DATA = {"g": "1", "half": "5", "stiffness": "10000", "rest": "0.5", "length": "1", "bump": "0.1", "frequency": "10"}
"""Mass of each end [kg], springs [N/m, m], length of the bar and of the road [m], height [m] and rate [rad/s] of the
bumps."""


def mechanism() -> Model:
    """The road is a line from the origin to (√(1 − y²), y) with y = 0.1 sin 10t; the left mass stays on the
    perpendicular at the origin."""
    m = Mechanism("car axis", gravity=(0.0, -1.0))
    road = m.body("road", mass=1.0, inertia=1.0, points={"left": (0.0, 0.0), "right": (1.0, 0.0)})
    axle = m.body("axle", mass=10.0, inertia=2.5, center=(0.5, 0.0), points={"left": (0.0, 0.0), "right": (1.0, 0.0)})
    m.guess(axle, (0.0, 0.5))
    m.revolute(m.ground.at(0.0, 0.0), road.left, name="origin")
    m.pin_in_slot(road.line((0.0, 0.0), (0.0, 1.0)), axle.left, name="slot")
    m.spring(road.left, axle.left, stiffness=1e4, length=0.5, name="left spring")
    m.spring(road.right, axle.right, stiffness=1e4, length=0.5, name="right spring")
    m.motor(road.angle, angle="asin(0.1*sin(10*t))", name="road")
    m.need("axle.left.y", value=0.5, rate=0.0)
    m.need(axle.angle, value=0.0, rate=0.0)
    return m.model


def _place(name: str, quantity: str) -> Column:
    return Column(name, "m", lambda run: run[quantity], also=(name.replace("_", ""), quantity.replace(".", "")))


COLUMNS = (
    TIME,
    _place("x_l", "axle.left.x"),
    _place("y_l", "axle.left.y"),
    _place("x_r", "axle.right.x"),
    _place("y_r", "axle.right.y"),
    energy(lambda run: run["balance"]),  # against the start and the work of the road
)


def case(variant: str, values: Mapping[str, float]) -> Case:
    from grashof.problems.car_axis.derivations import derive

    return Case(
        problem="car-axis",
        variant=variant,
        parameters=values,
        model=mechanism(),
        t_end=3.0,
        step=0.01,
        bound=1e-3,
        error_text="max |E − E₀ − W|, E = kinetic + potential energy, W = work of the road",
        columns=COLUMNS,
        final=COLUMNS[1:5],
        reference=certified_solution(__package__ or "", "car-axis-standard.csv", derive),
        figures=(
            Figure("The two masses", ("x_l", "y_l", "x_r", "y_r")),
            Figure("Energy balance, E − E₀ − W", ("energy",)),
        ),
    )
