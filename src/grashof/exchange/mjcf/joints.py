"""Joints of MJCF documents: hinges, slides, balls and free bodies, with their springs, dampers, friction and limits."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from grashof.common.errors import ModelError
from grashof.exchange.mjcf.limits import Limit, is_limited
from grashof.exchange.mjcf.parts import ORIGIN, ElementPart
from grashof.exchange.moves import Frame, Move
from grashof.exchange.parsing import direction, number, numbers
from grashof.exchange.pulls import spring_law
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector
from grashof.model.forces import Friction, Inerter, Pull, TorsionSpring
from grashof.model.rotations import quaternion, rotation_matrix

if TYPE_CHECKING:
    from grashof.exchange.mjcf.reader import MjcfReader


class Single(NamedTuple):
    """A hinge or a slide: its move from the reference position, its place on the body, its coordinate in the
    reference position and at the start."""

    move: Move
    place: Vector
    reference: float
    value: float


def hang(
    reader: MjcfReader,
    joints: list[ElementPart],
    name: str,
    parent: str,
    at: Frame,
    principal: Callable[[ElementPart], Frame | None],
) -> None:
    """Attaches a body to its parent by a sequence of joints; `at` is its frame on the parent, and `principal` finds the
    frame on the body whose pose the coordinates of a free joint are, if it is not that of the body."""
    joints = sorted(joints, key=lambda joint: joint.element.tag != "freejoint")
    kind = ["free" if one.element.tag == "freejoint" else one.given.get("type", "hinge") for one in joints]
    if "free" in kind or "ball" in kind:
        if len(kind) > 1:
            raise ModelError("a ball or free joint together with others is not supported.")
        _loose(reader, kind[0], joints[0], name, parent, at, principal)
        return
    single = [_single(reader, joint, f"body {name} joint {k}") for k, joint in enumerate(joints, 1)]
    turning = {one.place for one in single if one.move.kind == "turn"}
    label = single[0].move.name if joints else f"{name}_weld"
    slides_first = [one.move.kind for one in single] == sorted(one.move.kind for one in single)
    rubs = any(numbers(x.element, "frictionloss", x.given.get("frictionloss", "0"))[:1] > (0.0,) for x in joints)
    if len(single) == 1 or (len(turning) <= 1 and slides_first and not rubs):
        on = next(iter(turning), ORIGIN)
        frame = (tuple(map(float, np.array(at[0]) + at[1] @ np.array(on))), at[1]) if any(on) else at
        # three hinges are a ball, unless each of them needs its own coordinate
        sprung = any(any(_sizes(x)) or is_limited(reader, x.given) or x.element.name in reader.used for x in joints)
        _join_tables(reader, label, parent, frame, name, (on, np.eye(3)), single, measured=sprung)
    else:
        here, frame = parent, at
        for k, one in enumerate(single):
            last = k + 1 == len(single)
            below = name if last else f"{name}_between_{k + 1}"
            if not last:
                reader.draft.body(below, 0.0, ORIGIN, (0.0, 0.0, 0.0))
            shifted = (tuple(map(float, np.array(frame[0]) + frame[1] @ np.array(one.place))), frame[1])
            _join_tables(reader, one.move.name, here, shifted, below, (one.place, np.eye(3)), [one])
            here, frame = below, (ORIGIN, np.eye(3))
    place, axes = reader.reference[name]
    for joint, one in zip(joints, single, strict=True):
        through, axis = np.array(place) + axes @ np.array(one.place), axes @ np.array(one.move.axis)
        armature = number(joint.element, "armature", joint.given.get("armature", "0"))
        reader.inertia.add(one.move.name, name, one.move.kind == "turn", axis, through, armature)
        _passive(reader, joint, one.move)


def _single(reader: MjcfReader, part: ElementPart, key: str) -> Single:
    joint, given = part.element, part.given
    kind = given.get("type", "hinge")
    if kind not in ("hinge", "slide"):
        raise ModelError(f"{joint.place}: type is '{kind}'; it must be hinge, slide, ball or free.")
    axis = part.axis(direction(joint, "axis", numbers(joint, "axis", given.get("axis", "0 0 1"), 3)))
    ref = number(joint, "ref", given.get("ref", "0"))
    ref = reader.settings.angle(ref) if kind == "hinge" else ref
    (value,), (rate,) = reader.next_position(1, (ref,)), reader.next_speed(1)
    place = part.place(numbers(joint, "pos", given.get("pos", "0 0 0"), 3)) if kind == "hinge" else ORIGIN
    name = joint.name or f"joint{len(reader.references) + 1}"
    reader.references[name] = ref
    reader.keep_joint(key, part, name, kind, (value,), (rate,))
    return Single(Move("turn" if kind == "hinge" else "slide", axis, value - ref, rate, name), place, ref, value)


def _join_tables(
    reader: MjcfReader,
    label: str,
    parent: str,
    at: Frame,
    name: str,
    on: Frame,
    single: list[Single],
    *,
    measured: bool = False,
) -> None:
    moves = [one.move for one in single]
    offsets = [one.reference for one in single]
    if len(single) == 1 and offsets[0]:
        # the coordinate itself: a constant part before it brings it to the reference position
        move = moves[0]
        moves = [
            Move(move.kind, move.axis, -offsets[0]),
            Move(move.kind, move.axis, single[0].value, move.rate, move.name),
        ]
        offsets = [0.0]
    points = ("o" if not any(on[0]) and parent != GROUND else label, label)
    shown = reader.draft.hang(label, parent, at, name, on, moves, points, measured=measured)
    for move, measure, offset in zip((one.move for one in single), shown, offsets, strict=True):
        if move.name in reader.joints:
            raise ModelError(f"there are two joints named '{move.name}'; give each joint a unique name.")
        reader.joints[move.name] = measure, offset
        reader.names[move.name] = reader.draft.joints[-1].name if reader.draft.joints else ""


def _loose(
    reader: MjcfReader,
    kind: str,
    part: ElementPart,
    name: str,
    parent: str,
    at: Frame,
    principal: Callable[[ElementPart], Frame | None],
) -> None:
    """A ball, or a free body."""
    joint, given = part.element, part.given
    place = part.place(numbers(joint, "pos", given.get("pos", "0 0 0"), 3)) if kind == "ball" else ORIGIN
    turned, moves = at[1], []
    if kind == "free":
        values = reader.next_position(7, (*at[0], 0.0, 0.0, 0.0, 0.0))
        speeds = reader.next_speed(6)
        if any(values[3:]) and (own := principal(part)) is not None:
            values, speeds = _of_the_body(values, speeds, own)
        origin = values[:3]
        if any(values[3:]):
            turned = rotation_matrix(values[3:])
        moving = [*map(float, turned.T @ np.array(speeds[:3]))]
        moves = [
            Move("slide", tuple(map(float, axis)), 0.0, rate, f"slide{k}")
            for k, (axis, rate) in enumerate(zip(np.eye(3), moving, strict=True))
        ]
        spins = speeds[3:]
    else:
        values = reader.next_position(4, (1.0, 0.0, 0.0, 0.0))
        origin = tuple(map(float, np.array(at[0]) + at[1] @ np.array(place)))
        turned = at[1] @ (np.eye(3) if not any(values[1:]) else rotation_matrix(values))
        speeds = spins = reader.next_speed(3)
    moves += [
        Move("turn", tuple(float(i == k) for i in range(3)), 0.0, rate, f"turn{k}") for k, rate in enumerate(spins)
    ]
    label = joint.name or f"{name}_{kind}"
    reader.keep_joint(f"body {name} joint 1", part, label, kind, values, speeds)
    reader.draft.hang(label, parent, (origin, turned), name, (place, np.eye(3)), moves, (label, label))
    reader.joints[label] = "", 0.0
    base, axes = np.array(reader.reference[name][0]), reader.reference[name][1]
    armature = number(joint, "armature", given.get("armature", "0"))
    for turns in (False, True) if kind == "free" else (True,):
        for k in range(3):
            axis = np.eye(3)[k] if not turns else axes[:, k]
            reader.inertia.add("", name, turns, axis, base + axes @ np.array(place), armature)
    drag = numbers(joint, "damping", given.get("damping", "0"))
    if kind == "ball" and any(drag[:1]) and "damper" not in reader.settings.disabled:
        reader.draft.push(Friction(name=f"damping {label}", joint=reader.draft.joints[-1].name, viscous=drag[0]))
    if any(_sizes(part, ("stiffness", "frictionloss", "armature"))) or any(drag if kind == "free" else drag[1:]):
        reader.leave_out(joint, f"springs, dry friction and armature of a {kind} joint are not supported")
    if is_limited(reader, given) and not reader.settings.disabled & {"limit", "constraint"}:
        reader.leave_out(joint, f"the limit of a {kind} joint is not simulated")
    _refuse_time_constant(reader, part)


def _of_the_body(values: Vector, speeds: Vector, own: Frame) -> tuple[Vector, Vector]:
    """Pose and velocity of a body, from those of a frame that is fixed in it."""
    frame = rotation_matrix(values[3:])
    axes = frame @ own[1].T
    arm = axes @ np.array(own[0])
    spin = own[1] @ np.array(speeds[3:])
    velocity = np.array(speeds[:3]) - np.cross(axes @ spin, arm)
    place = np.array(values[:3]) - arm
    return (*map(float, place), *quaternion(axes)), (*map(float, velocity), *map(float, spin))


SIZES = ("stiffness", "damping", "frictionloss", "armature")


def _sizes(part: ElementPart, keys: tuple[str, ...] = SIZES) -> list[float]:
    """Stiffness, damping, friction and armature of a joint, in one list."""
    return [x for key in keys for x in numbers(part.element, key, part.given.get(key, "0"))]


def _passive(reader: MjcfReader, part: ElementPart, move: Move) -> None:
    """Springs, dampers, friction and limits of a joint."""
    joint, given, off = part.element, part.given, reader.settings.disabled
    (k, *bent), (c, *thick), (friction, *_) = (
        numbers(joint, key, given.get(key, "0")) or (0.0,) for key in ("stiffness", "damping", "frictionloss")
    )
    if any(bent) or any(thick):
        reader.leave_out(joint, "higher-degree terms of its stiffness and damping are not supported")
    k, c = 0.0 if "spring" in off else k, 0.0 if "damper" in off else c
    measure, offset = reader.joints[move.name]
    turns = move.kind == "turn"
    if (k or c) and measure:
        rest = number(joint, "springref", given.get("springref", "0"))
        rest = (reader.settings.angle(rest) if turns else rest) - offset
        name = f"spring {move.name}"
        if turns:
            reader.draft.push(TorsionSpring(name=name, angle=measure, stiffness=k, rest=rest, damping=c))
        else:
            reader.draft.push(Pull(name=name, measure=measure, force=spring_law(measure, k, rest, c)))
    elif k or c:
        reader.leave_out(joint, "springs and damping of hinges that together form a ball are not supported")
    armature = number(joint, "armature", given.get("armature", "0"))
    if armature and measure:
        reader.draft.push(Inerter(name=f"armature {move.name}", measure=measure, inertance=armature))
    elif armature:
        reader.leave_out(joint, "the armature of hinges that together form a ball is not supported")
    if friction and not off & {"frictionloss", "constraint"}:
        reader.draft.rub(f"friction {move.name}", reader.names[move.name], friction)
    if is_limited(reader, given) and not off & {"limit", "constraint"}:
        reader.limits.append(Limit(joint, given, measure, offset, reader.row({move.name: 1.0}), turns))
    _refuse_time_constant(reader, part)


def _refuse_time_constant(reader: MjcfReader, part: ElementPart) -> None:
    if any(numbers(part.element, "springdamper", part.given.get("springdamper", "0 0"))):
        reader.leave_out(part.element, "its springdamper, a spring given by its time constant, is not supported")
