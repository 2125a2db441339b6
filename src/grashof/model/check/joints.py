"""Checks that joints and measures refer to existing points and bodies, and have the directions they need."""

from __future__ import annotations

import msgspec

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.bodies import GROUND
from grashof.model.check.numbers import check_direction, check_positive, check_right_angle
from grashof.model.fields import body_of
from grashof.model.joints import PLANAR, SPATIAL, Distance, Joint, Revolute
from grashof.model.measures import Coordinate, Measure, Path, Separation
from grashof.model.model import Model


def needed_directions(joint: Joint, dimension: int) -> list[str]:
    """The directions that a joint needs: all of them in space; in the plane no normals, and no axis for a pin."""
    fields = [field for field, _ in joint.directions()]
    if dimension == 3:
        return fields
    return [] if isinstance(joint, Revolute) else [field for field in fields if not field.startswith("normal")]


def check_point(owner: str, reference: str, model: Model) -> None:
    """Checks that `reference` is an existing point, written body.point."""
    if reference in model.points:
        return
    body = body_of(reference)
    if not body:
        raise ModelError(
            f"{owner}: '{reference}' is not a point; points are written body.point: {did_you_mean(reference, model.points)}"
        )
    bodies = _all_bodies(model)
    if body not in bodies:
        raise ModelError(f"{owner}: point '{reference}' is on no known body; {did_you_mean(body, bodies)}")
    own = [point for point in model.points if body_of(point) == body]
    raise ModelError(f"{owner}: body '{body}' has no point '{reference}'; {did_you_mean(reference, own)}")


def check_two_bodies(owner: str, model: Model, a: str, b: str, why: str) -> None:
    """Checks that a and b are points of different bodies; `why` explains why one body makes no sense."""
    check_point(owner, a, model)
    check_point(owner, b, model)
    if body_of(a) == body_of(b):
        raise ModelError(f"{owner}: '{a}' and '{b}' are points of the same body, {why}; take points of two bodies.")


def check_joint(joint: Joint, model: Model) -> None:
    """Checks one joint, with its points and directions."""
    owner = f"Joint '{joint.name}'"
    allowed, where = (PLANAR, "in the plane") if model.dimension == 2 else (SPATIAL, "in space")
    if not isinstance(joint, allowed):
        names = ", ".join(_kind(kind) for kind in allowed)
        other = "" if model.dimension == 3 else " For a mechanism in space, set its dimension to 3."
        raise ModelError(
            f"{owner}: there is no joint of type '{_kind(type(joint))}' {where}, and the mechanism has dimension "
            f"{model.dimension}; the joints {where} are {names}.{other}"
        )
    check_two_bodies(owner, model, joint.a, joint.b, "which cannot be joined to itself")
    if isinstance(joint, Distance):
        check_positive(f"{owner}: length", joint.length, "m")
    given = dict(joint.directions())
    needed = needed_directions(joint, model.dimension)
    for field, direction in given.items():
        body = body_of(joint.a if field.endswith("_a") else joint.b)
        advice = f"give the direction as {model.dimension} numbers in the axes of '{body}'."
        check_direction(f"{owner}: {field}", direction, model.dimension, needed=field in needed, advice=advice)
    for side in "ab":
        axis, normal = f"axis_{side}", f"normal_{side}"
        if axis in needed and normal in needed:
            check_right_angle(owner, (axis, normal), given[axis], given[normal])


def check_measure(measure: Measure, model: Model) -> None:
    """Checks one measure, with its points or bodies."""
    owner = f"Measure '{measure.name}'"
    measure.check(owner, model.dimension)
    if isinstance(measure, Path):
        for reference in measure.points:
            check_point(owner, reference, model)
        return
    if isinstance(measure, Separation):
        check_two_bodies(owner, model, measure.a, measure.b, "whose distance never changes")
        return
    if isinstance(measure, Coordinate):
        for reference in (measure.point, measure.origin) if measure.origin else (measure.point,):
            check_point(owner, reference, model)
        advice = f"give the direction as {model.dimension} numbers."
        check_direction(f"{owner}: direction", measure.direction, model.dimension, needed=True, advice=advice)
        if len(set(measure.bodies)) == 1:
            raise ModelError(
                f"{owner}: '{measure.point}' never moves relative to its origin; choose a point of another body."
            )
        return
    bodies = _all_bodies(model)
    for body in (measure.body, measure.reference):
        if body not in bodies:
            raise ModelError(f"{owner}: there is no body '{body}'; {did_you_mean(body, bodies)}")
    if measure.body == measure.reference:
        raise ModelError(f"{owner}: it measures '{measure.body}' relative to itself; choose another body or reference.")
    in_space = model.dimension == 3
    for field in ("axis", "zero", "direction"):
        advice = "an angle in space needs axis, zero and direction."
        check_direction(f"{owner}: {field}", getattr(measure, field), 3, needed=in_space, advice=advice)
    if in_space:
        check_right_angle(owner, ("axis", "zero"), measure.axis, measure.zero)


def _all_bodies(model: Model) -> list[str]:
    return [GROUND, *(body.name for body in model.bodies)]


def _kind(joint: type[msgspec.Struct]) -> str:
    return str(joint.__struct_config__.tag)
