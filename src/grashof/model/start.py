"""The start: approximate positions of bodies (guesses), and initial conditions that must hold exactly (needs) or as
closely as possible (wants)."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from grashof.model.units import Angle, AngularSpeed, Place, Time, component_names


class Pose(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A guess of the initial position of a body: its origin (m) and its orientation.

    angle     angle of the body's x axis, in rad (plane)
    rotation  orientation as a quaternion w, x, y, z (space)
    """

    position: Place = ()
    angle: Angle = 0.0
    rotation: Annotated[tuple[float, float, float, float], component_names("w", "x", "y", "z")] = (1.0, 0.0, 0.0, 0.0)


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An initial value (m, rad) or rate (m/s, rad/s) of a quantity (`body.point.x`, `body.angle`, a measure), or the
    initial angular velocity of a body in space.

    quantity          the quantity, or the body
    angular_velocity  its components x, y, z in rad/s
    axes              the axes of these components: those of the ground, or the body's own
    """

    quantity: str
    value: float | None = None
    rate: float | None = None
    angular_velocity: tuple[AngularSpeed, ...] = ()
    axes: Literal["ground", "body"] = "ground"


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The initial conditions. Needs hold exactly, guesses and wants as closely as the joints allow."""

    time: Time = 0.0
    guesses: dict[str, Pose] = {}
    needs: tuple[Condition, ...] = ()
    wants: tuple[Condition, ...] = ()
