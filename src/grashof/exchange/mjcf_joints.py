"""Joints of MJCF documents: hinges, slides, balls and free bodies, with their springs, dampers, friction and limits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from grashof.errors import ModelError
from grashof.exchange.draft import Frame, Move
from grashof.exchange.lexis import direction, number, numbers
from grashof.exchange.mjcf_parts import ORIGIN, Part
from grashof.model.bodies import GROUND
from grashof.model.fields import Vector
from grashof.model.forces import Friction, Pull, TorsionSpring
from grashof.model.rotations import rotation_matrix

if TYPE_CHECKING:
    from grashof.exchange.mjcf_reader import Reader

Single = tuple[Move, Vector, float]
"""A hinge or a slide: its move from the reference position, its place on the body, and its coordinate in the reference position."""


def hang(reader: Reader, joints: list[Part], name: str, parent: str, at: Frame) -> None:
    """Hangs a body on its parent by its joints, one after the other; `at` is where it is on the parent."""
    joints = sorted(joints, key=lambda joint: joint.element.tag != "freejoint")
    kind = ["free" if one.element.tag == "freejoint" else one.given.get("type", "hinge") for one in joints]
    if "free" in kind or "ball" in kind:
        if len(kind) > 1:
            raise ModelError("a ball or free joint together with others is not supported.")
        _loose(reader, kind[0], joints[0], name, parent, at)
        return
    single = [_single(reader, joint) for joint in joints]
    turning = {place for move, place, _ in single if move.kind == "turn"}
    label = joints[0].element.name if joints else f"{name}_weld"
    slides_first = [move.kind for move, _, _ in single] == sorted((move.kind for move, _, _ in single))
    if len(turning) <= 1 and slides_first:
        on = next(iter(turning), ORIGIN)
        frame = (tuple(map(float, np.array(at[0]) + at[1] @ np.array(on))), at[1]) if any(on) else at
        _joined(reader, label, parent, frame, name, (on, np.eye(3)), single)
    else:
        here, frame = parent, at
        for k, (move, place, offset) in enumerate(single):
            last = k + 1 == len(single)
            below = name if last else f"{name}_between_{k + 1}"
            if not last:
                reader.draft.body(below, 0.0, ORIGIN, (0.0, 0.0, 0.0))
            shifted = (tuple(map(float, np.array(frame[0]) + frame[1] @ np.array(place))), frame[1])
            _joined(reader, move.name, here, shifted, below, (place, np.eye(3)), [(move, place, offset)])
            here, frame = below, (ORIGIN, np.eye(3))
    for joint, (move, _, _) in zip(joints, single, strict=True):
        _passive(reader, joint, move, len(single))


def _single(reader: Reader, part: Part) -> Single:
    joint, given = part.element, part.given
    kind = given.get("type", "hinge")
    if kind not in ("hinge", "slide"):
        raise ModelError(f"{joint.place}: type is '{kind}'; it must be hinge, slide, ball or free.")
    axis = part.axis(direction(joint, "axis", numbers(joint, "axis", given.get("axis", "0 0 1"), 3)))
    ref = number(joint, "ref", given.get("ref", "0"))
    ref = reader.settings.angle(ref) if kind == "hinge" else ref
    value, rate = reader.next_position(1, (ref,)), reader.next_speed(1)
    place = part.place(numbers(joint, "pos", given.get("pos", "0 0 0"), 3)) if kind == "hinge" else ORIGIN
    name = joint.name or f"joint{len(reader.joints) + 1}"
    reader.references[name] = ref
    return Move("turn" if kind == "hinge" else "slide", axis, value[0] - ref, rate[0], name), place, ref


def _joined(reader: Reader, label: str, parent: str, at: Frame, name: str, on: Frame, single: list[Single]) -> None:
    moves = [move for move, _, _ in single]
    offsets = [offset for _, _, offset in single]
    if len(single) == 1 and offsets[0]:
        # the coordinate itself: a constant part before it brings it to the reference position
        move = moves[0]
        moves = [
            Move(move.kind, move.axis, -offsets[0]),
            Move(move.kind, move.axis, move.value + offsets[0], move.rate, move.name),
        ]
        offsets = [0.0]
    shown = reader.draft.hang(
        label, parent, at, name, on, moves, ("o" if not any(on[0]) and parent != GROUND else label, label)
    )
    for (move, _, _), measure, offset in zip(single, shown, offsets, strict=True):
        if move.name in reader.joints:
            raise ModelError(f"joint '{move.name}' is there twice; give each joint a name of its own.")
        reader.joints[move.name] = measure, offset
        reader.names[move.name] = reader.draft.joints[-1].name if reader.draft.joints else ""


def _loose(reader: Reader, kind: str, part: Part, name: str, parent: str, at: Frame) -> None:
    """A ball, or a free body."""
    joint, given = part.element, part.given
    place = part.place(numbers(joint, "pos", given.get("pos", "0 0 0"), 3)) if kind == "ball" else ORIGIN
    turned, moves = at[1], []
    if kind == "free":
        values = reader.next_position(7, (*at[0], 0.0, 0.0, 0.0, 0.0))
        origin = values[:3]
        if any(values[3:]):
            turned = rotation_matrix(values[3:])
        speeds = reader.next_speed(6)
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
        spins = reader.next_speed(3)
    moves += [
        Move("turn", tuple(float(i == k) for i in range(3)), 0.0, rate, f"turn{k}") for k, rate in enumerate(spins)
    ]
    label = joint.name or f"{name}_{kind}"
    reader.draft.hang(label, parent, (origin, turned), name, (place, np.eye(3)), moves, (label, label))
    reader.joints[label] = "", 0.0
    if any(any(numbers(joint, key, given.get(key, "0"))) for key in ("stiffness", "damping", "frictionloss")):
        reader.leave_out(joint, f"springs, damping and friction of a {kind} joint are not supported")
    _rest(reader, part)


def _passive(reader: Reader, part: Part, move: Move, count: int) -> None:
    """Springs, dampers, friction and limits of a joint."""
    joint, given, off = part.element, part.given, reader.settings.disabled
    (k, *bent), (c, *thick), (friction, *_) = (
        numbers(joint, key, given.get(key, "0")) or (0.0,) for key in ("stiffness", "damping", "frictionloss")
    )
    if any(bent) or any(thick):
        reader.leave_out(joint, "terms of higher degree of its stiffness and damping are not supported")
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
            law = f"-{k!r}*(`{measure}` - ({rest!r})) - {c!r}*`{measure}.rate`"
            reader.draft.push(Pull(name=name, measure=measure, force=law))
    elif k or c:
        reader.leave_out(joint, "springs and damping of hinges that make a ball together are not supported")
    if friction and not off & {"frictionloss", "constraint"}:
        if count == 1:
            reader.draft.push(Friction(name=f"friction {move.name}", joint=reader.names[move.name], coulomb=friction))
        else:
            reader.leave_out(joint, "friction of one of several joints of a body is not supported")
    _rest(reader, part)


def _rest(reader: Reader, part: Part) -> None:
    """Armature, springs by a time constant, and limits: what joints have and ours do not."""
    joint, given = part.element, part.given
    if number(joint, "armature", given.get("armature", "0")):
        reader.leave_out(joint, "its armature, an inertia of the joint, is not supported")
    if any(numbers(joint, "springdamper", given.get("springdamper", "0 0"))):
        reader.leave_out(joint, "its springdamper, a spring by its time constant, is not supported")
    limited = given.get("limited", "auto")
    told = limited == "true" or (limited == "auto" and reader.settings.limits and "range" in given)
    if told and not reader.settings.disabled & {"limit", "constraint"}:
        reader.draft.left_out.append(
            f"{joint.place}: it is limited to the range {given.get('range', '0 0')}, and such limits are not simulated; the joint is free."
        )
