"""Checks that guesses refer to existing bodies, and initial conditions to quantities that can be measured."""

from __future__ import annotations

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of
from grashof.model.model import Model
from grashof.model.start import Condition, Pose
from grashof.model.validation import check_count

LARGEST_ANGLE = 1e9
"""rad. Above this, adjacent floating-point numbers are more than 1e-7 rad apart, too coarse for a motion."""


def check_start(model: Model) -> None:
    """Checks guesses, needs and wants."""
    bodies = {body.name for body in model.bodies}
    for name, pose in model.start.guesses.items():
        if name not in bodies:
            raise ModelError(
                f"Start: there is a guess of '{name}', which is not a body; {did_you_mean(name, sorted(bodies))}"
            )
        _check_pose(f"Start: guess of '{name}'", pose, model.dimension)
    measures = set(model.all_measures)
    moving = [point for point in model.points if body_of(point) != GROUND]
    known = measures.union(f"{point}.{axis}" for point in moving for axis in "xyz"[: model.dimension])
    for word, conditions in (("need", model.start.needs), ("want", model.start.wants)):
        for condition in conditions:
            if condition.angular_velocity:
                _check_turning(f"Start: {word} of '{condition.quantity}'", condition, bodies, model.dimension)
                continue
            _check_condition(f"Start: {word} of '{condition.quantity}'", condition, known)
            measure = model.quantities[condition.quantity]
            if condition.value is not None and not measure.quadratic:
                raise ModelError(
                    f"Start: {word} of '{condition.quantity}': there is no way to start with a given length of a path; "
                    "give the coupling a law, or say where its points are."
                )
            if measure.unit == "rad":
                _check_angle(f"Start: {word} of '{condition.quantity}'", condition.value or 0.0)


def _check_pose(owner: str, pose: Pose, dimension: int) -> None:
    check_count(f"{owner}: position", pose.position, dimension, may_be_empty=True)
    if dimension == 3 and pose.angle != 0.0:
        raise ModelError(f"{owner}: angle is {pose.angle} rad; in space give the attitude as a rotation (quaternion).")
    if dimension == 2 and pose.rotation != Pose().rotation:
        raise ModelError(f"{owner}: rotation is {pose.rotation}; in the plane give the attitude as an angle (rad).")
    _check_angle(f"{owner}: angle", pose.angle)
    if len(pose.rotation) != 4 or not any(pose.rotation):
        raise ModelError(f"{owner}: rotation is {pose.rotation}; a quaternion is w, x, y, z, not all zero.")


def _check_angle(words: str, angle: float) -> None:
    if abs(angle) > LARGEST_ANGLE:
        raise ModelError(
            f"{words} is {angle} rad; beyond {LARGEST_ANGLE:g} rad an angle has too few digits: subtract whole turns."
        )


def _check_condition(owner: str, condition: Condition, known: set[str]) -> None:
    if condition.quantity not in known:
        raise ModelError(
            f"{owner}: no such quantity; it is a measure or a coordinate body.point.x: "
            f"{did_you_mean(condition.quantity, sorted(known))}"
        )
    if condition.value is None and condition.rate is None:
        raise ModelError(f"{owner}: it has neither value nor rate; give one or both.")
    if condition.axes != "ground":
        raise ModelError(f"{owner}: axes belong to an angular velocity, which is not given; leave them out.")


def _check_turning(owner: str, condition: Condition, bodies: set[str], dimension: int) -> None:
    if dimension == 2:
        raise ModelError(
            f"{owner}: in the plane, the angular velocity of a body is the rate of its angle: give 'body.angle' a rate."
        )
    if condition.quantity not in bodies:
        hint = did_you_mean(condition.quantity, sorted(bodies))
        raise ModelError(f"{owner}: only a body has an angular velocity; {hint}")
    if condition.value is not None or condition.rate is not None:
        raise ModelError(f"{owner}: it has a value or a rate besides the angular velocity; give each on its own.")
    check_count(f"{owner}: angular_velocity", condition.angular_velocity, 3)
    if condition.axes not in ("ground", "body"):
        raise ModelError(f"{owner}: axes is {condition.axes!r}; it must be 'ground' or 'body'.")
