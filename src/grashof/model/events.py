"""Events: what happens when a quantity crosses a value during a run, or a condition becomes true."""

from __future__ import annotations

import keyword
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
    r"(?P<stop>stop)|record|(?P<restart>restart)|switch (?P<force>.+) (?P<way>on|off)"
    r"|reset (?P<angle>.+)|bounce (?P<restitution>[-+.\de]+)"
)

STICK = "stick"
"""The action of an event at which a joint with dry friction comes to rest."""

_WORDS = re.compile(r"[\w.]+(?: [\w.]+)+")
"""Several words, which are no expression unless one of them is a keyword such as `and`."""


class Event(Bound, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """An event: `quantity` crosses a value or, if it is a condition such as `rod.end.y < 0`, becomes true.

    quantity    a named quantity, or an expression of time and of named quantities
    crosses     the value, in the quantity's unit; not for conditions
    direction   the direction of crossing: up, down or either. By default, a condition counts when it becomes true (up)
    does        `record`: the event is listed; `stop`: the run ends there; `restart`: an integration step ends there, as
                is best where a force has a kink; `switch NAME on` or `off`: a force is switched; `reset NAME`: the
                whole turns of an angle, or the integral NAME.integral of a controller, start again from zero;
                `bounce E`: an impulse along the quantity reverses its rate and multiplies it by E (restitution, 0 to
                1), while joints and motors hold; the quantity may come to rest there

    A condition that already holds at the start does not count as becoming true; with `stop`, however, the run ends at
    once.
    """

    name: str
    quantity: str
    crosses: float = 0.0
    direction: Direction | None = None
    does: str = "record"

    @property
    def owner(self) -> str:
        """The words with which error messages about its expression begin."""
        return f"event '{self.name}'"

    @property
    def text(self) -> str:
        """Its quantity as laws spell it. What bounces is a name, and one of several words needs no backquotes."""
        alone = _WORDS.fullmatch(self.quantity) and not any(map(keyword.iskeyword, self.quantity.split()))
        return f"`{self.quantity}`" if alone or self.bounces is not None else self.quantity

    @property
    def is_condition(self) -> bool:
        """Whether it watches a condition rather than a quantity."""
        return is_condition(self.text, self.owner)

    @property
    def way(self) -> int:
        """1 if its margin must become positive, −1 if it must cease to be positive, 0 for both."""
        direction = self.direction or ("up" if self.is_condition else "either")
        return {"up": 1, "down": -1, "either": 0}[direction]

    @property
    def understood(self) -> bool:
        """Whether `does` is one of the known actions."""
        return _ACTIONS.fullmatch(self.does) is not None

    @property
    def stops(self) -> bool:
        """Whether the run ends there."""
        return self.does == "stop"

    @property
    def restarts(self) -> bool:
        """Whether it only ends an integration step."""
        return self.does == "restart"

    @property
    def sticks(self) -> bool:
        """Whether it is the event at which a joint with dry friction comes to rest; only friction adds such events."""
        return self.does == STICK

    @property
    def switches(self) -> tuple[str, bool] | None:
        """The force that it switches, and whether it is switched on."""
        found = _ACTIONS.fullmatch(self.does)
        return (found["force"], found["way"] == "on") if found and found["force"] else None

    @property
    def resets(self) -> str | None:
        """The angle whose whole turns it resets, or the integral that it resets."""
        found = _ACTIONS.fullmatch(self.does)
        return found["angle"] if found else None

    @property
    def bounces(self) -> float | None:
        """The coefficient of restitution with which its quantity bounces; NaN if it is not a number."""
        found = _ACTIONS.fullmatch(self.does)
        if not found or not found["restitution"]:
            return None
        try:
            return float(found["restitution"])
        except ValueError:
            return math.nan

    @property
    def expression(self) -> Expression:
        """The expression from which the margin is computed."""
        return parse_margin(self.text, self.owner).given(self.parameters)

    def margin(self, state: State) -> Scalar:
        """quantity − crosses or, for a condition, its margin, which is positive where it holds."""
        found = laws.evaluate_law(self.expression, state)
        return found if self.is_condition else found - self.crosses

    def reads(self) -> list[str]:
        """The points and measures that it depends on."""
        return list(dict.fromkeys(source(name) for name in self.expression.quantities))

    def tracked(self) -> list[str]:
        """The angles whose whole turns it depends on; names of other quantities are ignored."""
        found = [name for name in self.expression.quantities if not name.endswith(RATE)]
        return [*found, self.resets] if self.resets else found
