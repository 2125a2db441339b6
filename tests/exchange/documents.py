"""Documents of OpenSim for tests."""

from __future__ import annotations

import random

JOINTS = {
    "WeldJoint": "",
    "PinJoint": "Coordinate",
    "SliderJoint": "Coordinate",
    "UniversalJoint": "Coordinate Coordinate",
    "PlanarJoint": "Coordinate Coordinate Coordinate",
    "BallJoint": "Coordinate Coordinate Coordinate",
    "GimbalJoint": "Coordinate Coordinate Coordinate",
}
"""Kinds of joints, with their coordinates."""


def document(*parts: str, forces: str = "", controllers: str = "") -> str:
    """A model from bodies, joints and constraints."""
    groups = {"BodySet": "<Body ", "JointSet": "Joint ", "ConstraintSet": "Constraint "}
    text = "".join(
        f"<{group}><objects>{''.join(part for part in parts if word in part.partition('name=')[0])}</objects></{group}>\n"
        for group, word in groups.items()
    )
    text += f"<ForceSet><objects>{forces}</objects></ForceSet>\n<ControllerSet><objects>{controllers}</objects></ControllerSet>\n"
    return (
        '<OpenSimDocument Version="40000"><Model name="test"><gravity>0 0 '
        f"0</gravity>\n{text}</Model></OpenSimDocument>"
    )


def body(name: str, draw: random.Random | None = None) -> str:
    """A body of 2 kg, or of a random mass."""
    mass = 2.0 if draw is None else draw.uniform(0.5, 3.0)
    center = (0.0, 0.0, 0.0) if draw is None else tuple(draw.uniform(-1.0, 1.0) for _ in range(3))
    return (
        f'<Body name="{name}"><mass>{mass!r}</mass><mass_center>{" ".join(map(repr, center))}</mass_center>'
        f"<inertia>{0.3 + mass / 3!r} 0.9 1.1 0 0 0</inertia></Body>\n"
    )


def joint(kind: str, name: str, parent: str, child: str, draw: random.Random | None, count: int, more: str = "") -> str:
    """A joint, with frames of random places and attitudes."""

    def numbers(size: float) -> str:
        return "0 0 0" if draw is None else " ".join(repr(draw.uniform(-size, size)) for _ in range(3))

    def value() -> float:
        return 0.0 if draw is None else draw.uniform(-0.7, 0.7)

    coordinates = "".join(
        f'<Coordinate name="q_{name}_{k}"><default_value>{value()!r}</default_value>{more}</Coordinate>'
        for k in range(count)
    )
    path = {name: "/ground" if name == "ground" else f"/bodyset/{name}" for name in (parent, child)}
    frames = "".join(
        f'<PhysicalOffsetFrame name="{end}_frame"><socket_parent>{path[end]}</socket_parent>'
        f"<translation>{numbers(1.0)}</translation><orientation>{numbers(1.5)}</orientation></PhysicalOffsetFrame>"
        for end in (parent, child)
    )
    return (
        f"<{kind} "
        f'name="{name}"><socket_parent_frame>{parent}_frame</socket_parent_frame><socket_child_frame>{child}_frame</socket_child_frame>'
        f"<coordinates>{coordinates}</coordinates><frames>{frames}</frames></{kind}>\n"
    )


def constraint() -> str:
    """One of each kind, all satisfied at the start."""
    two = "<socket_body_1>/ground</socket_body_1><socket_body_2>/bodyset/b</socket_body_2>"
    places = "<location_body_1>0 0 0</location_body_1><location_body_2>0 0 0</location_body_2>"
    frame = (
        '<PhysicalOffsetFrame name="{}"><socket_parent>{}</socket_parent><translation>0 0 '
        "1</translation></PhysicalOffsetFrame>"
    )
    return (
        f'<PointConstraint name="p">{two}{places}</PointConstraint>'
        "<PointOnLineConstraint "
        'name="l"><socket_line_body>/ground</socket_line_body><socket_follower_body>/bodyset/b</socket_follower_body>'
        "<line_direction_vec>0 0 2</line_direction_vec></PointOnLineConstraint>"
        f'<ConstantDistanceConstraint name="d">{two}<location_body_2>0 0 '
        "1</location_body_2><constant_distance>1</constant_distance></ConstantDistanceConstraint>"
        "<WeldConstraint "
        f'name="w"><socket_frame1>f1</socket_frame1><socket_frame2>f2</socket_frame2><frames>{frame.format("f1", "/ground")}{frame.format("f2", "/bodyset/b")}</frames></WeldConstraint>'
        f'<PointConstraint name="off"><isEnforced>false</isEnforced>{two}{places}</PointConstraint>\n'
    )
