"""Writes forces and motors for OpenSim, and gives the reasons why others cannot be written."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from grashof.exchange.opensim.laws import Function, Sine, add_function, parts, times
from grashof.exchange.pulls import spring_of
from grashof.exchange.source import numbers
from grashof.exchange.stages import coordinate, reading
from grashof.exchange.torques import NotOurs
from grashof.model.bodies import GROUND
from grashof.model.couplings import Motor
from grashof.model.fields import Vector, body_of
from grashof.model.forces import Force, PointForce, Pull, SpringDamper, Torque, TorsionSpring
from grashof.model.laws import Law
from grashof.scalar.jet import Jet
from grashof.situation import Situation

if TYPE_CHECKING:
    from grashof.exchange.opensim.document import Named, OpenSimDocument

HIGHEST = 4
"""The highest degree of a motor's polynomial."""
ORIGIN: Vector = (0.0, 0.0, 0.0)


def force_refusal(situation: Situation, force: Force) -> str | None:
    """Why OpenSim cannot represent this force, or None if it can."""
    if not force.active:
        return "it is not active at the start, and OpenSim's forces cannot be switched on by events."
    element = ELEMENTS.get(type(force))
    if element is None:
        return f"OpenSim has no force of type '{force.__struct_config__.tag}' that follows the same law."
    try:
        return element.refusal(situation, force)
    except NotOurs as reason:
        return f"{reason}."


def motor_refusal(situation: Situation, motor: Motor) -> str | None:
    """Why OpenSim cannot represent this motor, or None if it can."""
    if coordinate(situation, situation.model.all_measures.get(motor.target)) is None:
        return f"OpenSim can only prescribe joint coordinates, and '{motor.target}' is not a joint coordinate."
    if prescribed_function(motor) is None:
        return (
            f"its law {motor.law or motor.speed} is neither a polynomial in t up to degree {HIGHEST} nor a sine, and "
            "OpenSim's own expressions have no second derivatives."
        )
    return None


def own_names(measure: str, letter: str) -> dict[str, str]:
    """The names of a coordinate (q) or a distance (d) and of its rate in OpenSim's expressions."""
    return {measure: letter, f"{measure}.rate": f"{letter}dot"}


def components(force: PointForce) -> list[Function]:
    """The components of a force as functions of time."""
    return [_time_function(law, force) for law in force.force]


def spring_parts(force: Force, stiffness: Law, rest: Law, damping: Law) -> tuple[float, Function, float]:
    """Stiffness, rest length and damping of a spring; the rest length may depend on time."""
    k, c = force.constant(stiffness), force.constant(damping)
    if k is None or c is None:
        raise NotOurs("its stiffness or damping is not constant, and OpenSim's springs need constant ones")
    return float(k), _time_function(rest, force), float(c)


def _time_function(law: Law, force: Force) -> Function:
    always = force.constant(law)
    if always is not None:
        return float(always)
    found = parts(law, {}, force.parameters).of_time
    assert found is not None
    return found


def push(document: OpenSimDocument, force: Force) -> None:
    """Adds a force that was not refused before."""
    ELEMENTS[type(force)].write(document, force)


def _refuse_point_force(situation: Situation, force: PointForce) -> None:
    components(force)


def _write_point_force(document: OpenSimDocument, force: PointForce) -> None:
    if body_of(force.point) != GROUND:
        at = document.situation.model.points[force.point]
        zero: list[Function] = [0.0, 0.0, 0.0]
        _prescribed_force(document, force, body_of(force.point), components(force), zero, at, force.axes == "world")


def _refuse_torque(situation: Situation, force: Torque) -> str | None:
    angle = situation.model.all_measures[force.angle]
    own = own_names(force.angle, "q") if coordinate(situation, angle) else {}
    if not own and not (situation.planar and situation.coaxial(angle)):
        return _not_a_coordinate(force.angle)
    parts(force.torque, own, force.parameters)
    return None


def _write_torque(document: OpenSimDocument, force: Torque) -> None:
    s = document.situation
    angle = s.model.all_measures[force.angle]
    if coordinate(s, angle) is not None or angle.motion is None:
        _drive(document, force, force.angle, force.torque)
        return
    axis, torque = s.axis_of(angle.motion, *angle.bodies), _time_function(force.torque, force)
    for body, sign in zip(angle.bodies[::-1], (1.0, -1.0), strict=True):
        if body != GROUND:
            turning = [times(sign * float(x), torque) if abs(x) > 1e-15 else 0.0 for x in axis]
            _prescribed_force(document, force, body, [0.0, 0.0, 0.0], turning, ORIGIN, True)


def _refuse_torsion_spring(situation: Situation, force: TorsionSpring) -> str | None:
    if not coordinate(situation, situation.model.all_measures[force.angle]):
        return _not_a_coordinate(force.angle)
    spring_parts(force, *force.laws())
    return None


def _not_a_coordinate(angle: str) -> str:
    return f"OpenSim only has torques along joint coordinates, and the angle '{angle}' is not a joint coordinate."


def _write_torsion_spring(document: OpenSimDocument, force: TorsionSpring) -> None:
    _coil(document, force, force.angle, *spring_parts(force, *force.laws()))


def _refuse_spring(situation: Situation, force: SpringDamper) -> None:
    spring_parts(force, *force.laws())


def _refuse_pull(situation: Situation, force: Pull) -> str | None:
    measure = situation.model.quantities[force.measure]
    found = coordinate(situation, measure)
    if (measure.ends is None or measure.motion is not None) and found is None:
        return f"OpenSim only has forces along joint coordinates and distances, and '{force.measure}' is neither."
    parts(force.force, own_names(force.measure, "q" if found else "d"), force.parameters)
    return None


def _spring(document: OpenSimDocument, force: SpringDamper) -> None:
    s = document.situation
    k, length, c = spring_parts(force, *force.laws())
    rest = length if isinstance(length, float) else 0.0
    if c == 0.0:
        made = document.force("PointToPointSpring", force.name)
        made.add("socket_body1", document.body(force.a))
        made.add("socket_body2", document.body(force.b))
        made.add("point1", s.model.points[force.a])
        made.add("point2", s.model.points[force.b])
        made.add("stiffness", k)
        made.add("rest_length", rest)
    else:
        _between(document, force, force.a, force.b, f"{k!r}*(d-({rest!r}))+{c!r}*ddot")
    if not isinstance(length, float):
        _apart(document, force, force.a, force.b, times(k, length))


def _pull(document: OpenSimDocument, force: Pull) -> None:
    s = document.situation
    measure = s.model.quantities[force.measure]
    if coordinate(s, measure) is not None:
        if spring := spring_of(force):
            _coil(document, force, force.measure, *spring)
        else:
            _drive(document, force, force.measure, force.force)
        return
    assert measure.ends is not None
    a, b = measure.ends
    constant = force.constant(force.force)
    if constant is not None:
        _between(document, force, a, b, repr(-float(constant)))
        return
    law = parts(force.force, own_names(force.measure, "d"), force.parameters)
    if law.of_motion is not None:
        _between(document, force, a, b, f"-({law.of_motion})")
    if law.of_time is not None:
        _apart(document, force, a, b, law.of_time)


def _coil(document: OpenSimDocument, force: Force, measure: str, k: float, given: Function, c: float) -> None:
    """A spring and damper along a joint coordinate."""
    s = document.situation
    named, sign = document.named(measure)
    rest, by = given if isinstance(given, float) else 0.0, named.factor
    if named.slot.name != measure:
        # m = m₀ + sign · (q − q₀)
        rest = named.slot.value + sign * (rest - reading(s, s.model.quantities[measure]))
    made = document.force("SpringGeneralizedForce", force.name)
    made.add("coordinate", named.name)
    sizes = {"stiffness": k * by**2, "rest_length": rest / by, "viscosity": c * by**2}
    if by != 1.0:
        told = {tag: numbers(document.source, f"force {force.name}", tag, 1) or (x,) for tag, x in sizes.items()}
        (k_told,), (rest_told,), (c_told,) = told.values()
        if (k_told / by**2, by * rest_told, c_told / by**2) == (k, rest, c):
            sizes = {tag: x for tag, (x,) in told.items()}
    for tag, x in sizes.items():
        made.add(tag, x)
    if not isinstance(given, float):
        _actuate(document, force, named, times(k * sign * by, given))


def _drive(document: OpenSimDocument, force: Force, measure: str, law: Law) -> None:
    """A force or torque along a measure that is a coordinate: m = m₀ + slope · (q − q₀)."""
    named, sign = document.named(measure)
    slope = sign * named.factor
    constant = force.constant(law)
    if constant is not None:
        _along(document, force, named.name, repr(slope * float(constant)))
        return
    own = own_names(measure, "q")
    if named.slot.name != measure or slope != 1.0:
        start = reading(document.situation, document.situation.model.quantities[measure])
        offset = start - sign * named.slot.value if named.slot.name != measure else 0.0
        own = {measure: f"({offset!r}+({slope!r})*q)", f"{measure}.rate": f"(({slope!r})*qdot)"}
    given = parts(law, own, force.parameters)
    if given.of_motion is not None:
        by = {1.0: "", -1.0: "-"}.get(slope, f"({slope!r})*")
        _along(document, force, named.name, f"{by}({given.of_motion})" if by else given.of_motion)
    if given.of_time is not None:
        _actuate(document, force, named, times(slope, given.of_time))


def polynomial(motor: Motor) -> tuple[float, ...] | None:
    """The coefficients of a motor's law, highest power first, if it is a polynomial; exact up to the second power."""
    t = np.array([0.0, 0.4, 1.0, 1.7, 2.3, 3.1, 5.9, 11.3])
    values = np.array([float(motor.value(float(x))) for x in t])
    start = motor.value(Jet(0.0, 1.0, 0.0))
    series = [start.value, start.first, 0.5 * start.second] if isinstance(start, Jet) else [start]
    while len(series) > 1 and series[-1] == 0.0:
        series.pop()
    exact = tuple(float(x) for x in reversed(series))
    if np.allclose(np.polyval(exact, t), values, rtol=1e-12, atol=1e-12):
        return exact
    for degree in range(3, HIGHEST + 1):
        law: np.ndarray = np.polyfit(t[: degree + 1], values[: degree + 1], degree)
        if np.allclose(np.polyval(law, t), values, rtol=1e-9, atol=1e-12):
            return tuple(map(float, law))
    return None


def prescribed_function(motor: Motor) -> tuple[float, ...] | Sine | None:
    """A motor's law as a polynomial or a sine; None if it is neither."""
    if motor.integrates:
        return None
    if isinstance(motor.law, str):
        try:
            law = parts(motor.law, {}, motor.parameters).of_time
        except NotOurs:
            law = None
        if isinstance(law, tuple | Sine):
            return law
    return polynomial(motor)


def _between(document: OpenSimDocument, force: Force, a: str, b: str, law: str) -> None:
    """A force that pulls two points together."""
    made = document.force("ExpressionBasedPointToPointForce", force.name)
    made.add("body1", document.body(a))
    made.add("body2", document.body(b))
    made.add("point1", document.situation.model.points[a])
    made.add("point2", document.situation.model.points[b])
    made.add("expression", law)


def _apart(document: OpenSimDocument, force: Force, a: str, b: str, law: Function) -> None:
    """A force that drives two points apart, as a function of time."""
    made = document.force("PointToPointActuator", force.name)
    for letter, point in (("A", a), ("B", b)):
        # it acts between bodies, and the ground does not count as one
        body = document.anchor() if body_of(point) == GROUND else document.body(point)
        made.add(f"body{letter}", body.rpartition("/")[2])
        made.add(f"point{letter}", document.situation.model.points[point])
    made.add("optimal_force", 1.0)
    document.control(made, law)


def _along(document: OpenSimDocument, force: Force, name: str, law: str) -> None:
    made = document.force("ExpressionBasedCoordinateForce", force.name)
    made.add("coordinate", name)
    made.add("expression", law)


def _actuate(document: OpenSimDocument, force: Force, named: Named, law: Function) -> None:
    """A force or torque along a coordinate, as a function of time."""
    made = document.force("CoordinateActuator", force.name)
    made.add("coordinate", named.name)
    made.add("optimal_force", 1.0)
    document.control(made, law)


def _prescribed_force(
    document: OpenSimDocument,
    of: Force,
    body: str,
    force: Sequence[Function],
    torque: Sequence[Function],
    at: Vector,
    world: bool,
) -> None:
    """A force at a point of a body, and a torque, in world axes or the body's own, as functions of time."""
    made = document.force("PrescribedForce", of.name)
    made.add("socket_frame", document.bodies[body])
    made.add("pointIsGlobal", False)
    made.add("forceIsGlobal", world)
    for what, values in (("force", force), ("point", at), ("torque", torque)):
        functions = made.add("FunctionSet", name=f"{what}Functions").add("objects")
        for value in values:
            add_function(functions, value)


class Element(NamedTuple):
    """How a kind of force is written: why it cannot be, or None if it can, and what is added to the document."""

    refusal: Callable[[Situation, Any], str | None]
    write: Callable[[OpenSimDocument, Any], None]


ELEMENTS: dict[type, Element] = {
    PointForce: Element(_refuse_point_force, _write_point_force),
    SpringDamper: Element(_refuse_spring, _spring),
    Torque: Element(_refuse_torque, _write_torque),
    TorsionSpring: Element(_refuse_torsion_spring, _write_torsion_spring),
    Pull: Element(_refuse_pull, _pull),
}
"""The forces that OpenSim has elements for."""
