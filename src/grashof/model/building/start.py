"""Events and the start, as methods of the builder."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Sequence
from typing import Any, Literal

from grashof.common.errors import ModelError
from grashof.model.building.base import Methods
from grashof.model.events import Event
from grashof.model.given import Number, given_name, numbers, text
from grashof.model.handles import Handle, own_body
from grashof.model.start import Condition, Pose

FEW_TURNS = 4.0 * math.pi
"""rad: an initial angle that is an integer larger than this was probably meant in degrees."""


def suspect_degrees(what: str, value: Number | None) -> None:
    """Warns about an angle that was probably meant in degrees."""
    if isinstance(value, int | float) and FEW_TURNS < abs(value) <= 3600 and value == round(value):
        warnings.warn(f"{what} is {value:g} rad; for degrees write '{value:g} deg'.", stacklevel=4)


class StartMethods(Methods):
    """Events and the start, for the builder."""

    def event(
        self,
        quantity: Handle | str,
        *,
        crosses: Number | None = None,
        direction: Any = None,
        does: str = "record",
        name: str | None = None,
    ) -> None:
        """Declares what happens when a quantity crosses a value, or when a condition becomes true.

        `m.event("slider.x", crosses=0.2, direction="up")`, `m.event("rod.end.y < 0", does="stop")`

        direction   "up", "down" or "either"
        does        "record", "stop", "restart", "switch NAME on", "switch NAME off", "reset NAME" or "bounce E"
                    (docs/events.md)
        """
        m = self._mechanism
        what = m._angle_name(quantity)
        at = None if crosses is None else m._number(f"The value that '{what}' crosses", crosses, m._unit_of(what))
        called = given_name(name) or (what if at is None else f"{what} crosses {at:g}")
        done = text(f"What event '{called}' does", does)
        value = 0.0 if at is None else at
        if isinstance(quantity, Handle) and not re.fullmatch(r"[\w. ]+", what):
            what = f"`{what}`"  # a name, not an expression
        m._events.append(Event(name=called, quantity=what, crosses=value, direction=direction, does=done))

    def guess(
        self,
        body: Handle | str,
        position: Sequence[Number],
        *,
        angle: Number = 0.0,
        rotation: Sequence[float] | None = None,
    ) -> None:
        """Gives the approximate initial position of a body: its origin (m), and its angle (rad; plane) or a quaternion
        w, x, y, z (space)."""
        m = self._mechanism
        suspect_degrees("The angle of a guess", angle)
        name = body if isinstance(body, str) else own_body(m, body)
        m._guesses[name] = self._pose(f"Guess of '{name}'", position, angle, rotation)

    def need(
        self,
        quantity: Handle | str,
        value: Number | None = None,
        *,
        rate: Number | None = None,
        angular_velocity: Sequence[Number] | None = None,
        axes: Literal["ground", "body"] = "ground",
    ) -> None:
        """An initial condition that must hold exactly: a value (m, rad, or a string such as "30 deg"), a rate (m/s,
        rad/s), or both.

        In the plane, a body stands for its angle: `m.need(crank, value=0.5, rate=2.0)`. In space, a body can be given
        its angular velocity x, y, z in rad/s, in the axes of the ground or in its own:
        `m.need(top, angular_velocity=(0, 0, 200), axes="body")`.
        """
        self._mechanism._needs.append(self._condition(quantity, value, rate, angular_velocity, axes))

    def want(
        self,
        quantity: Handle | str,
        value: Number | None = None,
        *,
        rate: Number | None = None,
        angular_velocity: Sequence[Number] | None = None,
        axes: Literal["ground", "body"] = "ground",
    ) -> None:
        """An initial condition that should hold as closely as the joints and the needs allow; see `need`."""
        self._mechanism._wants.append(self._condition(quantity, value, rate, angular_velocity, axes))

    # -- inside

    def _pose(self, owner: str, position: Sequence[Number], angle: Number, rotation: Sequence[float] | None) -> Pose:
        m = self._mechanism
        place = m._place(f"{owner}: position", position)
        turn = (1.0, 0.0, 0.0, 0.0) if rotation is None else numbers(f"{owner}: rotation", rotation, 4)
        if not any(turn):
            raise ModelError(f"{owner}: rotation is {turn}; a quaternion is w, x, y, z, not all zero.")
        w, x, y, z = turn
        return Pose(place, m._number(f"{owner}: angle", angle, "rad"), (w, x, y, z))

    def _condition(
        self,
        quantity: Handle | str,
        value: Number | None,
        rate: Number | None,
        angular_velocity: Sequence[Number] | None,
        axes: Literal["ground", "body"],
    ) -> Condition:
        m = self._mechanism
        if angular_velocity is not None:
            body = quantity if isinstance(quantity, str) else own_body(m, quantity)
            if m.dimension == 2:
                raise ModelError(
                    f"In the plane, the angular velocity of '{body}' is the rate of its angle: "
                    f"m.need({body!r}, rate=2.0)."
                )
            if value is not None or rate is not None:
                raise ModelError(
                    f"A condition on '{body}' has a value or a rate besides its angular velocity; give each on its own."
                )
            words = f"The angular velocity of '{body}'"
            return Condition(body, angular_velocity=m._numbers(words, angular_velocity, 3, "rad/s"), axes=axes)
        name = m._angle_name(quantity)
        if value is None and rate is None:
            raise ModelError(f"A condition on '{name}' needs a value or a rate.")
        if m._unit_of(name) == "rad":
            suspect_degrees(f"The value of '{name}'", value)
        return Condition(
            name,
            None if value is None else m._number(f"The value of '{name}'", value, m._unit_of(name)),
            None if rate is None else m._number(f"The rate of '{name}'", rate, f"{m._unit_of(name)}/s"),
        )
