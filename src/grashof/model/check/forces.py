"""Checks that forces act on existing points and measures."""

from __future__ import annotations

import math

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.bodies import Bar
from grashof.model.check.joints import check_point, check_two_bodies
from grashof.model.check.laws import check_expression
from grashof.model.check.numbers import (
    check_count,
    check_direction,
    check_not_negative,
    check_positive,
    check_right_angle,
)
from grashof.model.expressions import parse
from grashof.model.forces import (
    Bushing,
    Controller,
    Force,
    Friction,
    PointForce,
    Pull,
    SpringDamper,
    Stop,
    Torque,
    TorsionSpring,
    UserForce,
)
from grashof.model.joints import Spherical
from grashof.model.measures import Angle
from grashof.model.model import Model


def check_force(force: Force, model: Model) -> None:
    """Checks one force: its targets and its coefficients."""
    owner = f"Force '{force.name}'"
    _check_laws(owner, force, model)
    if force.events() and not force.active:
        raise ModelError(f"{owner}: active is false, and no event can switch a stop on; leave 'active' out.")
    match force:
        case Bushing():
            _check_bushing(owner, force, model)
        case PointForce():
            check_point(owner, force.point, model)
            check_count(f"{owner}: force", force.force, model.dimension)
            if force.axes not in ("world", "body"):
                raise ModelError(f"{owner}: axes is '{force.axes}'; it must be 'world' or 'body'.")
        case Friction():
            _check_friction(owner, force, model)
        case Pull():
            found = model.quantities.get(force.measure)
            if found is None or found.unit != "m":
                lengths = [name for name, measure in model.quantities.items() if measure.unit == "m"]
                raise ModelError(
                    f"{owner}: there is no distance or coordinate '{force.measure}'; {did_you_mean(force.measure, lengths)}"
                )
        case SpringDamper():
            check_two_bodies(owner, model, force.a, force.b, "between which nothing stretches")
            check_not_negative(f"{owner}: stiffness", force.constant(force.stiffness), "N/m")
            check_not_negative(f"{owner}: damping", force.constant(force.damping), "N s/m")
            check_not_negative(f"{owner}: length", force.constant(force.length), "m")
        case Stop():
            _check_stop(owner, force, model)
        case Torque():
            _check_angle(owner, force.angle, model)
        case TorsionSpring():
            _check_angle(owner, force.angle, model)
            check_not_negative(f"{owner}: stiffness", force.constant(force.stiffness), "N m/rad")
            check_not_negative(f"{owner}: damping", force.constant(force.damping), "N m s/rad")
        case Controller():
            if force.measure not in model.quantities:
                known = [*model.all_measures, *model.quantities]
                raise ModelError(
                    f"{owner}: there is no measure '{force.measure}'; {did_you_mean(force.measure, known)}"
                )
            force.check(owner)
        case UserForce():
            if not force.on:
                raise ModelError(f"{owner}: 'on' is empty; list the points and measures it acts on.")
            for target in force.on:
                if target not in model.all_measures and target not in model.points:
                    known = [*model.all_measures, *model.points]
                    raise ModelError(f"{owner}: there is no point or measure '{target}'; {did_you_mean(target, known)}")


def _check_bushing(owner: str, force: Bushing, model: Model) -> None:
    check_two_bodies(owner, model, force.a, force.b, "between which nothing moves")
    size = model.dimension
    turns = 1 if size == 2 else 3
    check_count(f"{owner}: stiffness", force.stiffness, size)
    check_count(f"{owner}: damping", force.damping, size, may_be_empty=True)
    check_count(f"{owner}: rotational_stiffness", force.rotational_stiffness, turns, may_be_empty=True)
    check_count(f"{owner}: rotational_damping", force.rotational_damping, turns, may_be_empty=True)
    for field in ("stiffness", "damping", "rotational_stiffness", "rotational_damping"):
        for value in getattr(force, field):
            check_not_negative(f"{owner}: {field}", value, "in SI units")
    for side in "ab":
        axis, normal = getattr(force, f"axis_{side}"), getattr(force, f"normal_{side}")
        for field, direction in ((f"axis_{side}", axis), (f"normal_{side}", normal)):
            check_direction(
                f"{owner}: {field}",
                direction,
                size,
                needed=bool(direction) and (size == 3 or field[0] == "a"),
                advice="",
            )
        if size == 3:
            check_right_angle(
                owner, (f"axis_{side}", f"normal_{side}"), axis or (1.0, 0.0, 0.0), normal or (0.0, 1.0, 0.0)
            )


def _check_friction(owner: str, force: Friction, model: Model) -> None:
    joint = model.joints_by_name.get(force.joint)
    if joint is None:
        raise ModelError(
            f"{owner}: there is no joint '{force.joint}'; {did_you_mean(force.joint, model.joints_by_name)}"
        )
    if isinstance(joint, Spherical):
        for body in model.bodies:
            if isinstance(body, Bar) and body.name in joint.bodies:
                raise ModelError(
                    f"{owner}: '{body.name}' is a slender bar, which has no inertia about its line to resist friction in the spherical joint "
                    f"'{joint.name}'; use a rigid body with inertia."
                )
    elif not joint.freedoms(""):
        kind = joint.__struct_config__.tag
        raise ModelError(
            f"{owner}: joint '{joint.name}' is of type '{kind}', which has no surfaces that slip; use a joint that turns or slides."
        )
    rotary = all(measure.unit == "rad" for measure in joint.freedoms(""))
    check_not_negative(f"{owner}: viscous", force.constant(force.viscous), "N m s/rad" if rotary else "N s/m")
    check_not_negative(f"{owner}: coulomb", force.constant(force.coulomb), "N m" if rotary else "N")
    check_not_negative(f"{owner}: mu", force.constant(force.mu), "")
    check_not_negative(f"{owner}: radius", force.radius, "m")
    check_positive(f"{owner}: slip_speed", force.slip_speed, "rad/s" if rotary else "m/s")
    if force.bearings() and rotary and force.radius == 0.0:
        raise ModelError(f"{owner}: mu is given without the radius of the pin; give the radius in m.")


def _check_stop(owner: str, force: Stop, model: Model) -> None:
    measure = model.quantities.get(force.measure)
    if measure is None:
        known = [*model.all_measures, *model.quantities]
        raise ModelError(f"{owner}: there is no measure '{force.measure}'; {did_you_mean(force.measure, known)}")
    if not force.limits:
        raise ModelError(f"{owner}: it has no limit; give lower, upper or both.")
    if force.lower is not None and force.upper is not None and not force.lower < force.upper:
        raise ModelError(
            f"{owner}: lower is {force.lower} and upper {force.upper} {measure.unit}; lower must be below."
        )
    per = "N" if measure.unit == "m" else "N m"
    check_not_negative(f"{owner}: damping", force.damping, f"{per} s/{measure.unit}^(n+1)")
    check_positive(f"{owner}: exponent", force.exponent, "")
    if force.rigid:
        if force.stiffness or force.damping:
            raise ModelError(
                f"{owner}: it has both a restitution and a stiffness or damping; a stop is rigid or compliant: give one."
            )
        if not 0.0 <= (force.restitution or 0.0) <= 1.0:
            raise ModelError(f"{owner}: restitution is {force.restitution}; it must be between 0 and 1.")
    elif not force.stiffness > 0.0:
        raise ModelError(f"{owner}: give it a positive stiffness in {per}/{measure.unit}^n, or a restitution.")


def _check_laws(owner: str, force: Force, model: Model) -> None:
    """Checks that coefficients depend on existing quantities, and that constant ones have a value."""
    for law in force.laws():
        if isinstance(law, str):
            check_expression(owner, parse(law, f"force '{force.name}'"), model)
        number = force.constant(law)
        if number is not None and not math.isfinite(number):
            raise ModelError(f"{owner}: the law '{law}' has no finite value; change it.")


def _check_angle(owner: str, name: str, model: Model) -> None:
    found = model.all_measures.get(name)
    if found is None:
        angles = [known for known, measure in model.all_measures.items() if isinstance(measure, Angle)]
        raise ModelError(f"{owner}: there is no angle '{name}'; {did_you_mean(name, angles)}")
    if not isinstance(found, Angle):
        raise ModelError(f"{owner}: '{name}' is a distance; it acts on angles only: use a spring along a distance.")
