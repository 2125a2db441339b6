"""Forces and motors in OpenSim: those it has, and the reasons why it has not the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grashof.model.bodies import GROUND
from grashof.model.couplings import Motor
from grashof.model.fields import Vector, body_of
from grashof.model.forces import Force, PointForce, Pull, SpringDamper, Torque, TorsionSpring
from grashof.model.measures import Angle, Separation
from grashof.scalar.jet import Jet
from grashof.situation import Situation
from grashof.situation.tree import coordinate_of

if TYPE_CHECKING:
    from grashof.exchange.opensim_writer import Document

HIGHEST = 4
"""Degree of the laws of motors, at most."""
ORIGIN: Vector = (0.0, 0.0, 0.0)


def force_refusal(situation: Situation, force: Force) -> str | None:
    """Why OpenSim cannot push like this, or None if it can."""
    if not force.active:
        return "it is not active at the start, and OpenSim's forces are not switched by events."
    if force.varies:
        return "its law changes with time or with the motion, and OpenSim's forces are constant or follow one spring's own length."
    match force:
        case PointForce() | SpringDamper():
            return None
        case Torque() | TorsionSpring():
            angle = situation.model.all_measures[force.angle]
            constant = isinstance(force, Torque) and situation.planar and situation.coaxial(angle)
            if constant or coordinate_of(situation, angle):
                return None
            return f"OpenSim has torques along joint coordinates, and the angle '{force.angle}' is none."
        case Pull():
            measure = situation.model.quantities[force.measure]
            if isinstance(measure, Separation) or coordinate_of(situation, measure):
                return None
            return f"OpenSim has forces along joint coordinates and distances, and '{force.measure}' is neither."
    return f"OpenSim has no force of type '{force.__struct_config__.tag}' that follows the same law."


def motor_refusal(situation: Situation, motor: Motor) -> str | None:
    """Why OpenSim cannot drive like this, or None if it can."""
    if coordinate_of(situation, situation.model.all_measures.get(motor.target)) is None:
        return f"OpenSim prescribes joint coordinates, and '{motor.target}' is none."
    if motor.integrates or polynomial(motor) is None:
        return (
            f"its law {motor.law or motor.speed} is no polynomial in t up to degree {HIGHEST}, and OpenSim's own expressions have no second "
            "derivatives."
        )
    return None


def push(document: Document, force: Force) -> None:
    """Adds a force; the refused ones do not come here."""
    s = document.situation
    match force:
        case SpringDamper():
            k, length, c = map(float, map(force.number, force.laws()))
            if c == 0.0:
                made = document.force("PointToPointSpring", force.name)
                made.add("socket_body1", document.body(force.a))
                made.add("socket_body2", document.body(force.b))
                made.add("point1", s.model.points[force.a])
                made.add("point2", s.model.points[force.b])
                made.add("stiffness", k)
                made.add("rest_length", length)
            else:
                _between(document, force, force.a, force.b, f"{k!r}*(d-({length!r}))+{c!r}*ddot")
        case PointForce():
            if body_of(force.point) != GROUND:
                values = tuple(float(force.number(x)) for x in force.force)
                _prescribed(
                    document,
                    force,
                    body_of(force.point),
                    values,
                    ORIGIN,
                    s.model.points[force.point],
                    force.axes == "world",
                )
        case Pull():
            measure, size = s.model.quantities[force.measure], float(force.number(force.force))
            coordinate = coordinate_of(s, measure)
            if coordinate is not None:
                _along(document, force, coordinate.link, coordinate.freedom, repr(coordinate.sign * size))
            elif isinstance(measure, Separation):
                _between(document, force, measure.a, measure.b, repr(-size))
        case TorsionSpring() | Torque():
            angle = s.model.all_measures[force.angle]
            assert isinstance(angle, Angle)
            coordinate = coordinate_of(s, angle)
            if coordinate is None:
                assert isinstance(force, Torque)
                axis = float(force.number(force.torque)) * s.heading(angle.reference, angle.axis)
                for body, torque in ((angle.body, axis), (angle.reference, -axis)):
                    if body != GROUND:
                        _prescribed(document, force, body, ORIGIN, tuple(map(float, torque)), ORIGIN, True)
            elif isinstance(force, Torque):
                _along(
                    document,
                    force,
                    coordinate.link,
                    coordinate.freedom,
                    repr(coordinate.sign * float(force.number(force.torque))),
                )
            else:
                named = document.coordinates[coordinate.link][coordinate.freedom]
                k, rest, c = map(float, map(force.number, force.laws()))
                if named.slot.name != force.angle:
                    # θ = θ₀ + sign · (q − q₀)
                    rest = named.slot.value + coordinate.sign * (rest - float(s.assembly.angles[force.angle]))
                made = document.force("SpringGeneralizedForce", force.name)
                made.add("coordinate", named.name)
                made.add("stiffness", k)
                made.add("rest_length", rest)
                made.add("viscosity", c)


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


def _between(document: Document, force: Force, a: str, b: str, law: str) -> None:
    made = document.force("ExpressionBasedPointToPointForce", force.name)
    made.add("body1", document.body(a))
    made.add("body2", document.body(b))
    made.add("point1", document.situation.model.points[a])
    made.add("point2", document.situation.model.points[b])
    made.add("expression", law)


def _along(document: Document, force: Force, link: int, freedom: int, law: str) -> None:
    made = document.force("ExpressionBasedCoordinateForce", force.name)
    made.add("coordinate", document.coordinates[link][freedom].name)
    made.add("expression", law)


def _prescribed(
    document: Document, of: Force, body: str, force: Vector, torque: Vector, at: Vector, world: bool
) -> None:
    """A constant force at a point of a body, and a torque, in world axes or the body's own."""
    made = document.force("PrescribedForce", of.name)
    made.add("socket_frame", document.bodies[body])
    made.add("pointIsGlobal", False)
    made.add("forceIsGlobal", world)
    for what, values in (("force", force), ("point", at), ("torque", torque)):
        functions = made.add("FunctionSet", name=f"{what}Functions").add("objects")
        for value in values:
            functions.add("Constant").add("value", float(value))
