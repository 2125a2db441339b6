"""The spatial equivalent of a planar mechanism, for engines that only support motion in space."""

from __future__ import annotations

import msgspec

from grashof.common.errors import ModelError
from grashof.formulation.natural.masses import mass_center, planar_inertia
from grashof.model import joints as kinds
from grashof.model.bodies import Body, RigidBody
from grashof.model.fields import Vector, body_of
from grashof.model.forces import PointForce
from grashof.model.joints import Joint
from grashof.model.measures import Angle, Coordinate, Measure
from grashof.model.model import Model
from grashof.model.start import Start

Z: Vector = (0.0, 0.0, 1.0)


def in_space(model: Model) -> Model:
    """A planar mechanism as a spatial one in the plane z = 0; a spatial mechanism is returned unchanged.

    Pins become revolutes about z, I_z the inertia about all three axes, implied angles are declared. A pin in a slot stays one,
    the pin being along z; user forces stay as they are, with points of two components.
    """
    if model.dimension == 3:
        return model
    return msgspec.structs.replace(
        model,
        dimension=3,
        gravity=_lift(model.gravity or (0.0, 0.0)),
        ground={name: _lift(place) for name, place in model.ground.items()},
        bodies=tuple(_body_in_space(model, body) for body in model.bodies),
        joints=tuple(_joint_in_space(joint) for joint in model.joints),
        forces=tuple(
            msgspec.structs.replace(force, force=(*force.force, 0.0)) if isinstance(force, PointForce) else force
            for force in model.forces
        ),
        measures=tuple(map(_measure_in_space, model.all_measures.values())),
        start=Start(time=model.start.time),
        defined={},
    )


def _measure_in_space(measure: Measure) -> Measure:
    match measure:
        case Angle():
            return msgspec.structs.replace(measure, axis=Z, zero=(1.0, 0.0, 0.0), direction=(1.0, 0.0, 0.0))
        case Coordinate():
            return msgspec.structs.replace(measure, direction=_lift(measure.direction))
    return measure


def _lift(vector: Vector) -> Vector:
    return (*vector, 0.0)


def _body_in_space(model: Model, body: Body) -> RigidBody:
    points = {
        reference.rpartition(".")[2]: _lift(place)
        for reference, place in model.points.items()
        if body_of(reference) == body.name
    }
    inertia = planar_inertia(body)
    return RigidBody(body.name, body.mass, _lift(mass_center(body, 2)), (inertia,) * 3, points)


def _joint_in_space(joint: Joint) -> Joint:
    replace = msgspec.structs.replace
    match joint:
        case kinds.Revolute():
            return replace(joint, axis_a=Z, axis_b=Z)
        case kinds.Slider() | kinds.Weld():
            return replace(joint, axis_a=_lift(joint.axis_a), axis_b=_lift(joint.axis_b), normal_a=Z, normal_b=Z)
        case kinds.PinInSlot():
            return replace(joint, axis_a=_lift(joint.axis_a))
        case kinds.Distance():
            return joint
    raise ModelError(f"Joint '{joint.name}': a planar joint of its type cannot be translated to space.")
