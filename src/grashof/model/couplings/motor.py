"""Motor: an angle, a distance or a coordinate that follows a law of time, or moves at a given speed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

import msgspec

from grashof.model.couplings.base import CoupledPlace, CouplingBase
from grashof.model.laws import Law, constant
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet


class Motor(CouplingBase, frozen=True):
    """Keeps the measure `target` equal to f(t): a coupling of a single measure. Give one expression in t:

    law     f itself, such as "0.5*sin(2*pi*t)" (rad or m)
    speed   the rate of f (rad/s or m/s); f is then the initial value of the measure plus the integral of the speed. A
            constant speed w gives f = offset + w t; for any other speed, f is integrated along the run

    For an angle the equation is ℓ sin(θ − f) = 0, which does not depend on whole turns; the assembly ensures cos(θ − f)
    > 0. `offset` is determined during assembly unless it is given.
    """

    is_motor = True

    target: str
    law: Law | None = None
    speed: Law | None = None
    offset: float | None = None

    @property
    def timed(self) -> bool:
        return True

    @property
    def open(self) -> bool:
        return self.speed is not None and self.offset is None

    def kept(self, value: float) -> Self:
        return msgspec.structs.replace(self, offset=value)

    @property
    def follows(self) -> bool:
        return bool(self.integrates)

    @property
    def integrates(self) -> tuple[str, ...]:
        return (self.target,) if self.speed is not None and self._constant_speed is None else ()

    @property
    def held(self) -> Scalar | None:
        """The constant value at which the motor holds its target; None if the motor moves it."""
        return None if self.law is None else constant(self.law, self._owner, self.parameters)

    def in_words(self, unit: str) -> str:
        """A description of what the motor does, to follow its name; `unit` is the unit of its target."""
        if self.speed is not None:
            speed = self._constant_speed
            return f"drives {self.target} at {self.speed if speed is None else _number(speed)} {unit}/s"
        if self.held is not None:
            return f"holds {self.target} at {_number(self.held)} {unit}"
        return f"moves {self.target} as {self.law} {unit}"

    @property
    def _constant_speed(self) -> Scalar | None:
        return None if self.speed is None else constant(self.speed, self._owner, self.parameters)

    @property
    def _owner(self) -> str:
        return f"motor '{self.name}'"

    def value(self, time: Scalar, so_far: Scalar | None = None) -> Scalar:
        """f at a time. If f is integrated along the run, `so_far` is its current value; without it, f is the initial
        value."""
        if self.speed is None:
            return 0.0 if self.law is None else self._of_time(self.law, self._owner, time)
        begin, speed = 0.0 if self.offset is None else self.offset, self._constant_speed
        if speed is not None:
            return begin + speed * time
        here = begin if so_far is None else so_far
        if not isinstance(time, Jet):
            return here
        rate = self._of_time(self.speed, self._owner, time)
        return Jet(here, rate.value, rate.first) if isinstance(rate, Jet) else Jet(here, rate, 0.0)

    def laws(self, time: Scalar) -> list[Scalar]:
        return [self.value(time)]

    @property
    def names(self) -> tuple[str, ...]:
        return (self.target,)

    def equation(self, values: Sequence[Scalar], time: Scalar) -> Scalar:
        return values[0] - self.value(time)

    def miss(self, place: CoupledPlace) -> Scalar:
        value = self.value(place.time, place.near[0] if self.integrates else None)
        return place.measures[0].miss(place.parts[0], value, place.length)


def _number(x: Scalar) -> str:
    return f"{x:g}" if isinstance(x, float) else str(x)
