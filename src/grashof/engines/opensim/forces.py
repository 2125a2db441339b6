"""Forces and motors in OpenSim: those it has, and the reasons why it has not the others."""

from __future__ import annotations

from typing import Any

import numpy as np

from grashof.engines.opensim.model import Built, vec
from grashof.engines.situation import Situation
from grashof.engines.tree import coordinate_of
from grashof.model.bodies import GROUND
from grashof.model.couplings import Motor
from grashof.model.fields import Vector, body_of
from grashof.model.forces import Force, PointForce, SpringDamper, Torque, TorsionSpring
from grashof.model.measures import Angle

HIGHEST = 4
"""Degree of the laws of motors, at most."""


def force_refusal(situation: Situation, force: Force) -> str | None:
    """Why OpenSim cannot push like this, or None if it can."""
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
    return "OpenSim's forces cannot be written in Python."


def motor_refusal(situation: Situation, motor: Motor) -> str | None:
    """Why OpenSim cannot drive like this, or None if it can."""
    if coordinate_of(situation, situation.model.all_measures[motor.target]) is None:
        return f"OpenSim prescribes joint coordinates, and '{motor.target}' is none."
    if _polynomial(motor, situation.time) is None:
        return (
            f"its law {motor.law} is no polynomial in t up to degree {HIGHEST}, and OpenSim's own expressions have no second "
            "derivatives."
        )
    return None


def push(built: Built, force: Force) -> None:
    """Adds a force; the refused ones do not come here."""
    import opensim

    s = built.situation
    match force:
        case SpringDamper():
            ends = [built.bodies[body_of(p)].getAbsolutePathString() for p in (force.a, force.b)]
            places = [vec(s.model.points[p]) for p in (force.a, force.b)]
            k, length, c = map(force.number, force.laws())
            law = f"{k!r}*(d-({length!r}))+{c!r}*ddot"
            _add(built, opensim.ExpressionBasedPointToPointForce(ends[0], places[0], ends[1], places[1], law))
        case PointForce():
            body = body_of(force.point)
            if body != GROUND:
                at, world = s.model.points[force.point], force.axes == "world"
                _prescribed(built, body, force=tuple(map(force.number, force.force)), at=at, world=world)
        case TorsionSpring() | Torque():
            angle = s.model.all_measures[force.angle]
            assert isinstance(angle, Angle)
            coordinate = coordinate_of(s, angle)
            if coordinate is not None:
                law = _torque_law(force, coordinate.sign, float(s.assembly.angles[force.angle]))
                name = built.coordinate(coordinate).getName()
                _add(built, opensim.ExpressionBasedCoordinateForce(name, law))
            elif isinstance(force, Torque):
                axis = force.number(force.torque) * s.heading(angle.reference, angle.axis)
                for body, torque in ((angle.body, axis), (angle.reference, -axis)):
                    if body != GROUND:
                        _prescribed(built, body, torque=torque)


def drive(built: Built, motor: Motor) -> None:
    """Prescribes the coordinate: q(t) = sign · (f(t) − f(start))."""
    import opensim

    s = built.situation
    found, law = coordinate_of(s, s.model.all_measures[motor.target]), _polynomial(motor, s.time)
    assert found is not None
    assert law is not None
    law[-1] -= float(motor.value(s.time))
    coordinate = built.coordinate(found)
    coordinate.setPrescribedFunction(opensim.PolynomialFunction(opensim.Vector.createFromMat(found.sign * law)))
    coordinate.setDefaultIsPrescribed(True)


def _prescribed(
    built: Built,
    body: str,
    force: Vector | np.ndarray = (0.0, 0.0, 0.0),
    torque: Vector | np.ndarray = (0.0, 0.0, 0.0),
    at: Vector = (0.0, 0.0, 0.0),
    world: bool = True,
) -> None:
    """A constant force at a point of a body, and a torque, in world axes or the body's own."""
    import opensim

    made = opensim.PrescribedForce()
    made.connectSocket_frame(built.bodies[body])
    made.setForceIsInGlobalFrame(world)
    made.setPointIsInGlobalFrame(False)
    for put, values in (
        (made.setForceFunctions, force),
        (made.setPointFunctions, at),
        (made.setTorqueFunctions, torque),
    ):
        put(*(opensim.Constant(float(x)) for x in values))
    _add(built, made)


def _add(built: Built, force: Any) -> None:
    force.setName(f"force{built.model.getForceSet().getSize()}")
    built.model.addForce(force)


def _polynomial(motor: Motor, start: float) -> np.ndarray | None:
    """The coefficients of a motor's law, highest power first, if it is a polynomial."""
    t = start + np.array([0.0, 0.4, 1.0, 1.7, 2.3, 3.1, 5.9, 11.3])
    values = np.array([float(motor.value(float(x))) for x in t])
    for degree in range(HIGHEST + 1):
        law: np.ndarray = np.polyfit(t[: degree + 1], values[: degree + 1], degree)
        if np.allclose(np.polyval(law, t), values, rtol=1e-9, atol=1e-12):
            return law
    return None


def _torque_law(force: Torque | TorsionSpring, sign: float, start: float) -> str:
    """The torque along the coordinate q, with θ = start + sign · q."""
    if isinstance(force, Torque):
        return repr(sign * force.number(force.torque))
    k, rest, c = map(force.number, force.laws())
    return f"-{k!r}*(q-({sign * (rest - start)!r}))-{c!r}*qdot"
