"""The start: where bodies roughly are (guesses), what must hold (needs), what would be nice (wants)."""

from __future__ import annotations

from typing import Annotated

import msgspec

from grashof.model.units import Angle, Place, Time, named


class Pose(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A guess of where a body is: its origin (m) and its attitude.

    angle     of the body's x axis, in rad (plane)
    rotation  as a quaternion w, x, y, z (space)
    """

    position: Place = ()
    angle: Angle = 0.0
    rotation: Annotated[tuple[float, float, float, float], named("w", "x", "y", "z")] = (1.0, 0.0, 0.0, 0.0)


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A quantity (`body.point.x`, `body.angle`, a measure) that has a value (m, rad) or a rate (m/s, rad/s) at the start."""

    quantity: str
    value: float | None = None
    rate: float | None = None


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How the motion begins. Needs hold exactly; guesses and wants as nearly as the joints allow."""

    time: Time = 0.0
    guesses: dict[str, Pose] = {}
    needs: tuple[Condition, ...] = ()
    wants: tuple[Condition, ...] = ()
