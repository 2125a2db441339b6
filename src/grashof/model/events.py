"""Events: what to do where a quantity reaches a value on the way, or a condition becomes true."""

from __future__ import annotations

import math
import re
from typing import Literal

from grashof.model import laws
from grashof.model.bound import Bound
from grashof.model.expressions import Expression, is_condition, parse_margin
from grashof.model.state import RATE, State, source
from grashof.scalar.functions import Scalar

Direction = Literal["up", "down", "either"]

_ACTIONS = re.compile(
    r"(?P<stop>stop)|record|(?P<restart>restart)|switch (?P<force>.+) (?P<way>on|off)|reset (?P<angle>.+)|bounce (?P<restitution>[-+.\de]+)"
)


class Event(Bound, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An event: `quantity` crosses a value, or becomes true if it is a condition such as `rod.end.y < 0`.

    quantity    a named quantity, or an expression of time and of named quantities
    crosses     the value, in the quantity's unit; not for conditions
    direction   which way it must cross: up, down or either. A condition counts when it becomes true (up), unless another direction is given
    does        `record`: the event is listed; `stop`: the run ends there; `restart`: a step ends there, as is best at the kink of a force; `switch NAME on` or `off`: a force begins or ceases to act;
                `reset NAME`: the whole turns of an angle are counted from zero again, or NAME.integral of a controller begins with zero again; `bounce E`: the quantity turns back with E times its speed
                (restitution, 0 to 1), joints and motors holding, by an impulse that acts along it; it may come to rest there

    A condition that holds at the start has not become true; `stop` ends the run there at once, however.
    """

    name: str
    quantity: str
    crosses: float = 0.0
    direction: Direction | None = None
    does: str = "record"

    @property
    def owner(self) -> str:
        """How errors about its expression begin."""
        return f"event '{self.name}'"

    @property
    def is_condition(self) -> bool:
        """Whether it is about a condition, not a quantity."""
        return is_condition(self.quantity, self.owner)

    @property
    def way(self) -> int:
        """1 if its margin must become positive, −1 if it must cease to be so, 0 for both."""
        direction = self.direction or ("up" if self.is_condition else "either")
        return {"up": 1, "down": -1, "either": 0}[direction]

    @property
    def understood(self) -> bool:
        """Whether it is known what it does."""
        return _ACTIONS.fullmatch(self.does) is not None

    @property
    def stops(self) -> bool:
        """Whether the run ends there."""
        return self.does == "stop"

    @property
    def restarts(self) -> bool:
        """Whether a step ends there, and nothing else happens."""
        return self.does == "restart"

    @property
    def switches(self) -> tuple[str, bool] | None:
        """The force that it switches, and whether on."""
        found = _ACTIONS.fullmatch(self.does)
        return (found["force"], found["way"] == "on") if found and found["force"] else None

    @property
    def resets(self) -> str | None:
        """The angle whose whole turns it resets, or the integral."""
        found = _ACTIONS.fullmatch(self.does)
        return found["angle"] if found else None

    @property
    def bounces(self) -> float | None:
        """The restitution with which its quantity turns back; NaN if it is not a number."""
        found = _ACTIONS.fullmatch(self.does)
        if not found or not found["restitution"]:
            return None
        try:
            return float(found["restitution"])
        except ValueError:
            return math.nan

    @property
    def expression(self) -> Expression:
        """What its margin is made from."""
        return parse_margin(self.quantity, self.owner).given(self.parameters)

    def margin(self, state: State) -> Scalar:
        """quantity − crosses or, of a condition, by how much it holds: positive where it does."""
        found = laws.evaluated(self.expression, state)
        return found if self.is_condition else found - self.crosses

    def reads(self) -> list[str]:
        """The points and measures it depends on."""
        return list(dict.fromkeys(source(name) for name in self.expression.quantities))

    def tracked(self) -> list[str]:
        """The angles whose whole turns it depends on; other names among them do no harm."""
        found = [name for name in self.expression.quantities if not name.endswith(RATE)]
        return [*found, self.resets] if self.resets else found
