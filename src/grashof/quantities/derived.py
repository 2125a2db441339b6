"""Quantities that are computed from a motion on request: accelerations, centres of mass, angular velocities, momenta."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from grashof.formulation.natural.forms import Expression, Form, curvature_of, rate_of
from grashof.formulation.natural.state import measure_parts
from grashof.formulation.natural.system import System, center, matter
from grashof.formulation.natural.turning import angular_velocity
from grashof.model.model import Model
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet

ACCELERATION, TURNING, PUSH = ".acceleration", ".angular_velocity", "push."

Scalars = Sequence[Scalar]


def derived_units(model: Model) -> dict[str, str]:
    """The names of these quantities, and their units.

    rod.end.x.acceleration, crank.angle.acceleration    second time derivatives of coordinates and measures
    rod.center.x, rod.center.x.rate                     the centre of mass of a body with mass that has no point of that name
    rotor.angular_velocity.x                            of a body in space, in the axes of the ground; of a bar whose rotation about
                                                        its own axis nothing determines, the part across the bar
    center.x, center.x.rate, momentum.x                 the same for all bodies together
    angular_momentum (plane), angular_momentum.x        of all bodies about the origin of the ground
    push.NAME                                           the force or torque of a rigid stop or bounce along its measure while that rests there
    """
    axes = "xyz"[: model.dimension]
    units = {f"{name}{ACCELERATION}": f"{measure.unit}/s²" for name, measure in model.quantities.items()}
    for owner in ["", *(f"{name}." for name in _with_center(model))]:
        for axis in axes:
            name = f"{owner}center.{axis}"
            units |= {name: "m", f"{name}.rate": "m/s", f"{name}{ACCELERATION}": "m/s²"}
    units |= {f"momentum.{axis}": "kg m/s" for axis in axes}
    if model.dimension == 3:
        turning = [f"{body.name}{TURNING}" for body in model.bodies]
        units |= {f"{name}.{axis}": "rad/s" for name in turning if name not in model.points for axis in axes}
    bounces = [event for event in model.all_events if event.bounces is not None]
    units |= {f"{PUSH}{x.name}": "N m" if model.quantities[x.quantity].unit == "rad" else "N" for x in bounces}
    whole = ["angular_momentum"] if model.dimension == 2 else [f"angular_momentum.{axis}" for axis in axes]
    return units | dict.fromkeys(whole, "kg m²/s")


def _with_center(model: Model) -> list[str]:
    return [body.name for body in model.bodies if body.mass > 0.0 and f"{body.name}.center" not in model.points]


def derived(system: System, q: Scalars, v: Scalars, a: Scalars, name: str) -> Scalar:
    """One of these quantities, except forces of stops, given coordinates, velocities and accelerations (n); over any scalars."""

    def jet(expression: Expression) -> Jet:
        bent = rate_of(expression, q, a) + curvature_of(expression, v)
        return Jet(expression.at(q), rate_of(expression, q, v), bent)

    measure = system.model.quantities.get(name.removesuffix(ACCELERATION))
    if measure is not None:
        value = measure.value([jet(part) for part in measure_parts(system, measure)])
        return value.second if isinstance(value, Jet) else 0.0
    owner, _, last = name.removesuffix(ACCELERATION).removesuffix(".rate").rpartition(".")
    if owner == "center" or (owner.endswith(".center") and owner not in system.model.points):
        return _level(jet(_center(system, owner.removesuffix("center").removesuffix("."))["xyz".index(last)]), name)
    if owner.endswith(TURNING):
        directions = system.frames[owner.removesuffix(TURNING)].directions
        return angular_velocity([[jet(x) for x in d] for d in directions])["xyz".index(last)]
    if owner == "momentum":
        return sum(w * jet(x["xyz".index(last)]).first for w, x in _masses(system))
    return _angular_momentum(system, jet, last if system.dimension == 3 else "z")


def _level(jet: Jet, name: str) -> Scalar:
    return jet.second if name.endswith(ACCELERATION) else jet.first if name.endswith(".rate") else jet.value


def _masses(system: System) -> list[tuple[float, list[Form]]]:
    return [(body.mass, center(body, system)) for body in system.model.bodies if body.mass > 0.0]


def _center(system: System, body: str) -> list[Expression]:
    """The centre of mass of a body, or of all."""
    if body:
        (found,) = (each for each in system.model.bodies if each.name == body)
        return list(center(found, system))
    masses = _masses(system)
    total: list[Expression] = [Form()] * system.dimension
    for mass, place in masses:
        total = [t + x.scaled(mass / sum(m for m, _ in masses)) for t, x in zip(total, place, strict=True)]
    return total


def _angular_momentum(system: System, jet: Callable[[Expression], Jet], axis: str) -> Scalar:
    """One component of Σ w x × ẋ."""
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    total: Scalar = 0.0
    for body in system.model.bodies:
        for weight, forms in matter(body, system):
            x, y = jet(forms[i]), jet(forms[j])
            total = total + weight * (x.value * y.first - y.value * x.first)
    return total
