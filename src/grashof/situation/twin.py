"""The spatial equivalent of a planar mechanism, for engines that only support motion in space."""

from __future__ import annotations

import msgspec

from grashof.model.bodies import Body, RigidBody
from grashof.model.fields import Vector, body_of
from grashof.model.model import Model
from grashof.model.start import Start


def in_space(model: Model) -> Model:
    """A planar mechanism as a spatial one in the plane z = 0; a spatial mechanism is returned unchanged.

    Pins become revolutes about z, I_z the inertia about all three axes, implied angles are declared. A pin in a slot
    stays one, the pin being along z; user forces stay as they are, with points of two components.
    """
    if model.dimension == 3:
        return model
    return msgspec.structs.replace(
        model,
        dimension=3,
        gravity=_lift(model.gravity or (0.0, 0.0)),
        ground={name: _lift(place) for name, place in model.ground.items()},
        bodies=tuple(_body_in_space(model, body) for body in model.bodies),
        joints=tuple(joint.in_space() for joint in model.joints),
        forces=tuple(force.in_space() for force in model.forces),
        measures=tuple(measure.in_space() for measure in model.all_measures.values()),
        start=Start(time=model.start.time),
        defined={},
    )


def _lift(vector: Vector) -> Vector:
    return (*vector, 0.0)


def _body_in_space(model: Model, body: Body) -> RigidBody:
    points = {
        reference.rpartition(".")[2]: _lift(place)
        for reference, place in model.points.items()
        if body_of(reference) == body.name
    }
    inertia = body.planar_inertia
    return RigidBody(body.name, body.mass, _lift(body.mass_center(2)), (inertia,) * 3, points)
