"""Cart-pole with a light cart: a bob of 1 kg under a cart of 1 mg."""

from __future__ import annotations

import math
from collections.abc import Mapping

from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems.base import Case, Column, Figure
from grashof.problems.cart_pole.reference import DATA
from grashof.problems.certified import certified_solution
from grashof.problems.columns import TIME, energy


def mechanism() -> Model:
    """The pole starts at rest, horizontally, with the bob at (1, 0)."""
    value = {name: float(text) for name, text in DATA.items()}
    m = Mechanism("light cart-pole", gravity=(0.0, -value["g"]))
    cart = m.body("cart", mass=value["cart"], inertia=0.0, points={"pin": (0.0, 0.0)})
    pole = m.body(
        "pole",
        mass=value["bob"],
        inertia=0.0,
        center=(value["length"], 0.0),
        points={"pin": (0.0, 0.0), "bob": (value["length"], 0.0)},
    )
    m.slider(m.ground.line((0.0, 0.0), (1.0, 0.0)), cart.line((0.0, 0.0), (1.0, 0.0)), name="track")
    m.revolute(cart.pin, pole.pin, name="pin")
    m.need("cart.pin.x", value=0.0, rate=0.0)
    m.need(pole.angle, value=0.0, rate=0.0)
    return m.model


COLUMNS = (
    TIME,
    Column("x", "m", lambda run: run["cart.pin.x"], also=("cart", "cartx", "xcart", "position")),
    Column("theta", "rad", lambda run: run["pole.angle"] + math.pi / 2.0, also=("θ", "angle", "pole", "poleangle")),
    Column("xdot", "m/s", lambda run: run["cart.pin.x.rate"], also=("dx", "vx", "v", "dxdt")),
    Column("thetadot", "rad/s", lambda run: run["pole.angle.rate"], also=("dtheta", "omega", "dthetadt", "thetarate")),
    energy(lambda run: run["balance"]),  # against the start
)


def case(variant: str, values: Mapping[str, float]) -> Case:
    from grashof.problems.cart_pole.derivations import derive

    return Case(
        problem="light-cart-pole",
        variant=variant,
        parameters=values,
        model=mechanism(),
        t_end=10.0,
        step=0.01,
        bound=1e-6,
        error_text="max |E − E₀|, E = kinetic + potential energy",
        columns=COLUMNS,
        final=COLUMNS[1:5],
        reference=certified_solution(__package__ or "", "light-cart-pole-standard.csv", derive),
        figures=(
            Figure("Cart and pole", ("x", "theta")),
            Figure("Their rates", ("xdot", "thetadot")),
            Figure("Total energy, E − E₀", ("energy",)),
        ),
        tol=1e-8,
    )
