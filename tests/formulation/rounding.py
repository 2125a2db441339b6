"""How much round-off a computation has: it is repeated with every operation disturbed by a unit in the last place.

Stochastic arithmetic (Vignes, 1993, "A stochastic arithmetic for reliable scientific computation"): the results of a
few disturbed runs differ by about as much as the undisturbed one differs from the exact result. Unlike a bound from
norms and condition numbers it is neither blind to an unstable algorithm nor millions of times too large.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from grashof.scalar import functions

UNIT = 2.0**-52
RUNS = 8
ALLOWED = 32.0
"""An error may be so many times the largest of RUNS disturbed ones. Were all of them normally distributed with one
variance, a larger ratio would occur about once in 10¹¹ times."""


class Shaken:
    """A float whose every operation is wrong by a unit in the last place, up or down."""

    __slots__ = ("value",)

    def __init__(self, value: float) -> None:
        self.value = value * (1.0 + UNIT * random.choice((-1.0, 1.0)))

    def apply_function(self, name: str, *arguments: Any) -> Shaken:
        return Shaken(getattr(functions, name)(*(_plain(x) for x in arguments)))

    def __neg__(self) -> Shaken:
        return Shaken(-self.value)

    def __pow__(self, exponent: int) -> Shaken:
        return Shaken(self.value**exponent)

    def __gt__(self, other: Any) -> bool:
        return bool(self.value > _plain(other))


def _plain(x: Any) -> float:
    return x.value if isinstance(x, Shaken) else float(x)


def _operation(operate: Callable[[float, float], float], swapped: bool) -> Callable[[Shaken, Any], Any]:
    def result(self: Shaken, other: Any) -> Any:
        if not isinstance(other, Shaken | float | int):
            return NotImplemented
        a, b = (_plain(other), self.value) if swapped else (self.value, _plain(other))
        return Shaken(operate(a, b))

    return result


for _name in ("add", "sub", "mul", "truediv"):
    setattr(Shaken, f"__{_name}__", _operation(getattr(operator, _name), False))
    setattr(Shaken, f"__r{_name}__", _operation(getattr(operator, _name), True))


def round_off(function: Callable[..., Sequence[Any]], x: Sequence[float], exact: np.ndarray) -> np.ndarray:
    """How large the round-off of each component of function(x) may be, given its exact value."""
    random.seed(1)
    runs = [[_plain(y) for y in function([Shaken(value) for value in x])] for _ in range(RUNS)]
    worst = np.max(np.abs(np.array(runs) - exact), axis=0)
    allowed: np.ndarray = ALLOWED * np.maximum(worst, UNIT * np.abs(exact))
    return allowed
