"""Checks a description before anything is computed from it.

Every refusal is one sentence: the thing by its name, what was found, what was expected or what to do.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Iterator

import msgspec
import numpy as np

from grashof.errors import ModelError
from grashof.model.bodies import GROUND, Bar, Body, RigidBody
from grashof.model.expressions import compile_expression
from grashof.model.fields import Vector, body_of, dot
from grashof.model.forces import Force, PointForce, SpringDamper, Torque, TorsionSpring, UserForce
from grashof.model.joints import PLANAR, SPATIAL, Distance, Joint, Revolute
from grashof.model.measures import Angle, Measure, Separation
from grashof.model.model import Model
from grashof.model.motors import Motor
from grashof.model.start import Condition, Pose
from grashof.scalar.jet import Jet

RESERVED = ("t", "kinetic", "potential", "energy", "balance")
"""Quantities that every run has."""

ROUND_OFF = 1e-9
"""How far a length may be from one, a cosine from zero, and an inertia (relatively) from possible."""

Part = Body | Joint | Force | Motor | Measure
"""What has a name of its own in a description."""


def check(model: Model) -> None:
    """Raises ModelError at the first thing that cannot be right."""
    if model.dimension not in (2, 3):
        raise ModelError(_of(model, f"dimension is {model.dimension!r}; it must be 2 (plane) or 3 (space)."))
    if not model.bodies:
        raise ModelError(_of(model, "it has no bodies; add at least one."))
    _check_names(model)
    _check_finite(model)
    _check_count(_of(model, "gravity"), model.gravity, model.dimension, may_be_empty=True)
    for name, place in model.ground.items():
        _check_count(f"Ground: point '{name}'", place, model.dimension)
    for body in model.bodies:
        _check_body(body, model.dimension)
    for joint in model.joints:
        _check_joint(joint, model)
    for measure in model.measures:
        _check_measure(measure, model)
    for force in model.forces:
        _check_force(force, model)
    _check_motors(model)
    _check_start(model)


def did_you_mean(wrong: str, known: Iterable[str]) -> str:
    """Advice after an unknown word: the nearest known one, or those there are."""
    known = list(known)
    near = difflib.get_close_matches(wrong, known, n=1)
    if near:
        return f"did you mean '{near[0]}'?"
    if not known:
        return "none are known."
    shown = ", ".join(f"'{word}'" for word in known[:12])
    return f"known: {shown}{' and so on' if len(known) > 12 else ''}."


def needed_directions(joint: Joint, dimension: int) -> list[str]:
    """The directions a joint needs: in space all it has; in the plane no normals, and no axis for a pin."""
    fields = [field for field, _ in joint.directions()]
    if dimension == 3:
        return fields
    return [] if isinstance(joint, Revolute) else [field for field in fields if not field.startswith("normal")]


# -- names


def _of(model: Model, what: str) -> str:
    return f"Mechanism '{model.name}': {what}"


def _groups(model: Model) -> Iterator[tuple[str, tuple[Part, ...]]]:
    yield "Body", model.bodies
    yield "Joint", model.joints
    yield "Force", model.forces
    yield "Motor", model.motors
    yield "Measure", model.measures


def _check_names(model: Model) -> None:
    _check_name("Mechanism", model.name)
    for kind, parts in _groups(model):
        seen: set[str] = set()
        for part in parts:
            _check_name(kind, part.name)
            if part.name in seen:
                raise ModelError(f"{kind} '{part.name}' is there twice; give each {kind.lower()} a name of its own.")
            seen.add(part.name)
    for name in {force.name for force in model.forces} & {motor.name for motor in model.motors}:
        raise ModelError(
            f"'{name}' is both a force and a motor, and their works would have one name; rename one of them."
        )
    for body in model.bodies:
        if body.name == GROUND:
            raise ModelError(f"Body '{GROUND}': this name is the ground's, which is always there; choose another.")
        _check_no_dot("Body", body.name)
        _check_point_names(f"Body '{body.name}'", body.points, isinstance(body, Bar))
    _check_point_names("Ground", model.ground, False)
    for measure in model.measures:
        if measure.name in RESERVED:
            raise ModelError(f"Measure '{measure.name}': this name is a quantity of every run; choose another.")
        # In the plane `body.angle` is there already; in space it is the natural name of a body's one angle.
        own_angle = model.dimension == 3 and isinstance(measure, Angle) and measure.name == f"{measure.body}.angle"
        if not own_angle:
            _check_no_dot("Measure", measure.name)


def _check_name(kind: str, name: str) -> None:
    if not name:
        raise ModelError(f"{kind}: a name is empty; give it one.")
    if not name.isprintable() or name != name.strip():
        raise ModelError(f"{kind} {name!r}: the name has invisible characters or spaces at its ends; leave them out.")


def _check_no_dot(kind: str, name: str) -> None:
    if "." in name:
        raise ModelError(
            f"{kind} '{name}': the name has a dot, which is what separates body and point in 'rod.end'; leave it out."
        )


def _check_point_names(owner: str, points: dict[str, Vector], is_bar: bool) -> None:
    for name in points:
        _check_name(f"{owner}: point", name)
        _check_no_dot(f"{owner}: point", name)
        if name == "angle" or (is_bar and name in ("start", "end")):
            raise ModelError(f"{owner}: point '{name}' has a name with a meaning of its own; choose another.")


# -- numbers


def _check_finite(model: Model) -> None:
    _refuse_infinite(_of(model, "gravity"), model.gravity)
    _refuse_infinite("Ground: point", model.ground)
    for kind, parts in _groups(model):
        for part in parts:
            _refuse_infinite(f"{kind} '{part.name}':", part)
    _refuse_infinite("Start: time", model.start.time)
    for name, pose in model.start.guesses.items():
        _refuse_infinite(f"Start: guess of '{name}':", pose)
    for word, conditions in (("need", model.start.needs), ("want", model.start.wants)):
        for condition in conditions:
            _refuse_infinite(f"Start: {word} of '{condition.quantity}':", condition)


def _refuse_infinite(words: str, value: object) -> None:
    """Walks down to numbers and rows of numbers; `words` say where we are."""
    if isinstance(value, msgspec.Struct):
        for field in value.__struct_fields__:
            _refuse_infinite(f"{words} {field}", getattr(value, field))
    elif isinstance(value, dict):
        for key, item in value.items():
            _refuse_infinite(f"{words} '{key}'", item)
    else:
        numbers = value if isinstance(value, tuple) else (value,)
        if not all(math.isfinite(x) for x in numbers if isinstance(x, int | float)):
            raise ModelError(f"{words} is {value}; it must be finite.")


def _check_count(words: str, vector: Vector, dimension: int, *, may_be_empty: bool = False) -> None:
    """An empty vector stands for zero where `may_be_empty`."""
    if len(vector) != dimension and not (may_be_empty and not vector):
        place = "in the plane" if dimension == 2 else "in space"
        raise ModelError(
            f"{words} is {vector}, which has {len(vector)} components; {place} it has {dimension} "
            "(the mechanism's 'dimension' says which)."
        )


def _check_not_negative(words: str, value: float, unit: str) -> None:
    if value < 0.0:
        raise ModelError(f"{words} is {value} {unit}; it must be zero or positive.")


def _check_positive(words: str, value: float, unit: str) -> None:
    if value <= 0.0:
        raise ModelError(f"{words} is {value} {unit}; it must be positive.")


def _check_direction(words: str, direction: Vector, dimension: int) -> None:
    _check_count(words, direction, dimension)
    length = math.hypot(*direction)
    if abs(length - 1.0) > ROUND_OFF:
        advice = "give one that is not zero" if length == 0.0 else "divide it by its length"
        raise ModelError(f"{words} is {direction}, of length {length:.12g}; a direction has length 1: {advice}.")


def _check_unused(words: str, direction: Vector) -> None:
    if direction:
        raise ModelError(f"{words} is {direction}, which has no meaning in the plane; leave it out.")


def _check_right_angle(owner: str, fields: tuple[str, str], first: Vector, second: Vector) -> None:
    cosine = dot(first, second)
    if abs(cosine) > ROUND_OFF:
        degrees = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
        raise ModelError(
            f"{owner}: {fields[0]} {first} and {fields[1]} {second} are {degrees:.9g}° apart; "
            "they must be at right angles."
        )


# -- bodies


def _check_body(body: Body, dimension: int) -> None:
    owner = f"Body '{body.name}'"
    for name, place in body.points.items():
        _check_count(f"{owner}: point '{name}'", place, dimension)
    _check_not_negative(f"{owner}: mass", body.mass, "kg")
    if isinstance(body, Bar):
        _check_positive(f"{owner}: length", body.length, "m")
        return
    _check_count(f"{owner}: center", body.center, dimension, may_be_empty=True)
    if dimension == 2:
        _check_planar_inertia(owner, body)
    else:
        _check_spatial_inertia(owner, body)


def _check_planar_inertia(owner: str, body: RigidBody) -> None:
    if isinstance(body.inertia, tuple):
        raise ModelError(
            f"{owner}: inertia is {body.inertia}; in the plane it is one number, I_z about the centre of mass in kg m²."
        )
    _check_not_negative(f"{owner}: inertia", body.inertia, "kg m²")


def _check_spatial_inertia(owner: str, body: RigidBody) -> None:
    """Principal moments are I₁ = S₂ + S₃ and so on, with S = ∫ x² dm ≥ 0: 0 ≤ I₁ ≤ I₂ ≤ I₃ ≤ I₁ + I₂."""
    if body.inertia == 0.0:
        return  # none given
    if not isinstance(body.inertia, tuple) or len(body.inertia) not in (3, 6):
        raise ModelError(
            f"{owner}: inertia is {body.inertia}; in space it is 3 numbers (I_xx, I_yy, I_zz) or 6 "
            "(then I_xy, I_xz, I_yz), about the centre of mass in kg m²."
        )
    xx, yy, zz, xy, xz, yz = (*body.inertia, 0.0, 0.0, 0.0)[:6]
    small, middle, large = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    allowed = -ROUND_OFF * max(abs(small), abs(large))
    moments = f"{small:.6g}, {middle:.6g}, {large:.6g} kg m²"
    if small < allowed:
        raise ModelError(
            f"{owner}: inertia {body.inertia} has the principal moments {moments}; none may be negative "
            "(products of inertia are the matrix entries: I_xy = −∫ x y dm)."
        )
    if small + middle - large < allowed:
        raise ModelError(
            f"{owner}: inertia {body.inertia} has the principal moments {moments}; no body has one larger "
            "than the sum of the other two: check the numbers and that they are about the centre of mass."
        )


# -- joints and measures


def _check_point(owner: str, reference: str, model: Model) -> None:
    if reference in model.points:
        return
    body = body_of(reference)
    bodies = [GROUND, *(b.name for b in model.bodies)]
    if not body:
        raise ModelError(
            f"{owner}: '{reference}' is not a point, written body.point; {did_you_mean(reference, model.points)}"
        )
    if body not in bodies:
        raise ModelError(f"{owner}: point '{reference}' is on no known body; {did_you_mean(body, bodies)}")
    own = [point for point in model.points if body_of(point) == body]
    raise ModelError(f"{owner}: body '{body}' has no point '{reference}'; {did_you_mean(reference, own)}")


def _check_two_bodies(owner: str, model: Model, a: str, b: str, why: str) -> None:
    _check_point(owner, a, model)
    _check_point(owner, b, model)
    if body_of(a) == body_of(b):
        raise ModelError(f"{owner}: '{a}' and '{b}' are points of one body, {why}; take points of two bodies.")


def _check_joint(joint: Joint, model: Model) -> None:
    owner = f"Joint '{joint.name}'"
    allowed, where = (PLANAR, "in the plane") if model.dimension == 2 else (SPATIAL, "in space")
    if not isinstance(joint, allowed):
        names = ", ".join(_kind(kind) for kind in allowed)
        raise ModelError(
            f"{owner}: there is no joint of type '{_kind(type(joint))}' {where} (the mechanism has dimension "
            f"{model.dimension}); there {where} you have {names}."
        )
    _check_two_bodies(owner, model, joint.a, joint.b, "which cannot be joined to itself")
    if isinstance(joint, Distance):
        _check_positive(f"{owner}: length", joint.length, "m")
    given = dict(joint.directions())
    needed = needed_directions(joint, model.dimension)
    for field, direction in given.items():
        if field not in needed:
            _check_unused(f"{owner}: {field}", direction)
        elif not direction:
            body = body_of(joint.a if field.endswith("_a") else joint.b)
            raise ModelError(
                f"{owner}: {field} is missing; give the direction as {model.dimension} numbers in the axes of '{body}'."
            )
        else:
            _check_direction(f"{owner}: {field}", direction, model.dimension)
    for side in "ab":
        axis, normal = f"axis_{side}", f"normal_{side}"
        if axis in needed and normal in needed:
            _check_right_angle(owner, (axis, normal), given[axis], given[normal])


def _kind(joint: type[msgspec.Struct]) -> str:
    return str(joint.__struct_config__.tag)


def _check_measure(measure: Measure, model: Model) -> None:
    owner = f"Measure '{measure.name}'"
    if isinstance(measure, Separation):
        _check_two_bodies(owner, model, measure.a, measure.b, "whose distance never changes")
        return
    bodies = [GROUND, *(body.name for body in model.bodies)]
    for body in (measure.body, measure.reference):
        if body not in bodies:
            raise ModelError(f"{owner}: there is no body '{body}'; {did_you_mean(body, bodies)}")
    if measure.body == measure.reference:
        raise ModelError(f"{owner}: it turns '{measure.body}' against itself; choose another body or reference.")
    for field in ("axis", "zero", "direction"):
        direction = getattr(measure, field)
        if model.dimension == 2:
            _check_unused(f"{owner}: {field}", direction)
        elif not direction:
            raise ModelError(f"{owner}: {field} is missing; an angle in space needs axis, zero and direction.")
        else:
            _check_direction(f"{owner}: {field}", direction, 3)
    if model.dimension == 3:
        _check_right_angle(owner, ("axis", "zero"), measure.axis, measure.zero)


# -- forces and motors


def _check_force(force: Force, model: Model) -> None:
    owner = f"Force '{force.name}'"
    match force:
        case PointForce():
            _check_point(owner, force.point, model)
            _check_count(f"{owner}: force", force.force, model.dimension)
            if force.axes not in ("world", "body"):
                raise ModelError(f"{owner}: axes is '{force.axes}'; it must be 'world' or 'body'.")
        case SpringDamper():
            _check_two_bodies(owner, model, force.a, force.b, "between which nothing stretches")
            _check_not_negative(f"{owner}: stiffness", force.stiffness, "N/m")
            _check_not_negative(f"{owner}: damping", force.damping, "N s/m")
            _check_not_negative(f"{owner}: length", force.length, "m")
        case Torque():
            _check_angle(owner, force.angle, model)
        case TorsionSpring():
            _check_angle(owner, force.angle, model)
            _check_not_negative(f"{owner}: stiffness", force.stiffness, "N m/rad")
            _check_not_negative(f"{owner}: damping", force.damping, "N m s/rad")
        case UserForce():
            if not force.on:
                raise ModelError(f"{owner}: 'on' is empty; list the points and measures it acts on.")
            for target in force.on:
                if target not in model.all_measures and target not in model.points:
                    known = [*model.all_measures, *model.points]
                    raise ModelError(f"{owner}: there is no point or measure '{target}'; {did_you_mean(target, known)}")


def _check_angle(owner: str, name: str, model: Model) -> None:
    found = model.all_measures.get(name)
    if found is None:
        angles = [known for known, measure in model.all_measures.items() if isinstance(measure, Angle)]
        raise ModelError(f"{owner}: there is no angle '{name}'; {did_you_mean(name, angles)}")
    if not isinstance(found, Angle):
        raise ModelError(f"{owner}: '{name}' is a distance; it acts on angles only: use a spring along a distance.")


def _check_motors(model: Model) -> None:
    drivers: dict[str, str] = {}
    for motor in model.motors:
        owner = f"Motor '{motor.name}'"
        measure = model.all_measures.get(motor.target)
        if measure is None:
            raise ModelError(
                f"{owner}: there is no measure '{motor.target}' to drive; "
                f"{did_you_mean(motor.target, model.all_measures)}"
            )
        if motor.target in drivers:
            raise ModelError(
                f"{owner} drives '{motor.target}', which motor '{drivers[motor.target]}' drives already; "
                "remove one of them."
            )
        drivers[motor.target] = motor.name
        _check_law(owner, motor, measure, model.start.time)


def _check_law(owner: str, motor: Motor, measure: Measure, time: float) -> None:
    """The law, its rate and its acceleration must exist where the motion starts."""
    law = compile_expression(motor.law, f"motor '{motor.name}'")
    try:
        begin = law(Jet(time, 1.0, 0.0))
    except (ArithmeticError, ValueError):
        begin = math.nan
    f = begin if isinstance(begin, Jet) else Jet(begin, 0.0, 0.0)
    if not all(math.isfinite(x) for x in (f.value, f.first, f.second)):
        raise ModelError(
            f"{owner}: the law '{motor.law}' has no finite value, rate and acceleration at the start, "
            f"t = {time} s; change the law or the start time."
        )
    if isinstance(measure, Separation) and f.value <= 0.0:
        raise ModelError(
            f"{owner}: the law '{motor.law}' starts at {f.value} m; a driven distance must start positive."
        )


# -- the start


def _check_start(model: Model) -> None:
    bodies = {body.name for body in model.bodies}
    for name, pose in model.start.guesses.items():
        if name not in bodies:
            raise ModelError(f"Start: a guess is for '{name}', which is no body; {did_you_mean(name, sorted(bodies))}")
        _check_pose(f"Start: guess of '{name}'", pose, model.dimension)
    measures = set(model.all_measures)
    moving = [point for point in model.points if body_of(point) != GROUND]
    known = measures.union(f"{point}.{axis}" for point in moving for axis in "xyz"[: model.dimension])
    for word, conditions in (("need", model.start.needs), ("want", model.start.wants)):
        for condition in conditions:
            _check_condition(f"Start: {word} of '{condition.quantity}'", condition, known)


def _check_pose(owner: str, pose: Pose, dimension: int) -> None:
    _check_count(f"{owner}: position", pose.position, dimension, may_be_empty=True)
    if dimension == 3 and pose.angle != 0.0:
        raise ModelError(f"{owner}: angle is {pose.angle} rad; in space give the attitude as a rotation (quaternion).")
    if dimension == 2 and pose.rotation != Pose().rotation:
        raise ModelError(f"{owner}: rotation is {pose.rotation}; in the plane give the attitude as an angle (rad).")
    if len(pose.rotation) != 4 or not any(pose.rotation):
        raise ModelError(f"{owner}: rotation is {pose.rotation}; a quaternion is w, x, y, z, not all zero.")


def _check_condition(owner: str, condition: Condition, known: set[str]) -> None:
    if condition.quantity not in known:
        raise ModelError(
            f"{owner}: no such quantity; it is a measure or a coordinate body.point.x: "
            f"{did_you_mean(condition.quantity, sorted(known))}"
        )
    if condition.value is None and condition.rate is None:
        raise ModelError(f"{owner}: it has neither value nor rate; give one or both.")
