"""Stops: limits of the range of a measure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.events import Direction, Event
from grashof.model.forces.base import ForceBase, Load
from grashof.model.state import State
from grashof.model.validation import check_not_negative, check_positive
from grashof.scalar.functions import Scalar, maximum, minimum, power, where
from grashof.scalar.jet import Jet

if TYPE_CHECKING:
    from grashof.model.model import Model

TINY = 1e-100
"""m or rad: a lower bound of depths, which avoids the logarithm of zero."""

TOUCH = 1e-6
"""The fraction of its width at which a stop with a damper counts as touched; its force is still negligible there."""

LIMITS = {"lower": -1.0, "upper": 1.0}
DIRECTIONS: dict[str, Direction] = {"lower": "down", "upper": "up", "both": "either"}


class Stop(ForceBase, tag="stop", frozen=True):
    """Keeps a measure between two limits: compliant if it has a stiffness, rigid if it has a restitution.

    Compliant: at a depth δ beyond a limit it pushes back with

        f = δⁿ (k + c δ̇), never negative;     V = k δⁿ⁺¹/(n + 1)

    (K. H. Hunt, F. R. E. Crossley, J. Appl. Mech. 42, 1975). For small approach speeds v the coefficient of restitution
    is 1 − ⅔ (c/k) v. Integration steps end exactly where a limit is reached. A damper of its own, which is engaged
    over the depth w, adds b φ(δ/w) δ̇ to the force, with φ(x) = x² (3 − 2x) up to x = 1 and 1 beyond.

    Rigid: when a limit is reached with the speed u, an impulse along the measure changes the speed to −e u, while
    joints and motors hold (docs/stops.md). A measure that comes to rest at a limit is held there until the
    force that presses it against the limit has fallen to zero.

    measure       name of an angle, a distance or a coordinate, such as `ball.center.y`
    lower, upper  limits, m or rad; one of them may be omitted
    stiffness     k, N/mⁿ or N m/radⁿ
    damping       c, N s/mⁿ⁺¹ or N m s/radⁿ⁺¹
    exponent      n: 3/2 for round bodies, 1 for a linear spring
    viscous       b, N s/m or N m s/rad
    width         w, m or rad
    restitution   e, 0 to 1
    """

    measure: str
    lower: float | None = None
    upper: float | None = None
    stiffness: float = 0.0
    damping: float = 0.0
    exponent: float = 1.5
    viscous: float = 0.0
    width: float = 1e-3
    restitution: float | None = None

    @property
    def stop(self) -> Stop:
        return self

    @property
    def limits(self) -> list[tuple[str, float]]:
        """The limits that are given, each with its name."""
        return [(which, limit) for which in LIMITS if (limit := getattr(self, which)) is not None]

    @property
    def rigid(self) -> bool:
        """Whether the stop is rigid: the measure bounces off it without penetration."""
        return self.restitution is not None

    def check(self, owner: str, model: Model) -> None:
        measure = model.quantities.get(self.measure)
        if measure is None:
            known = [*model.all_measures, *model.quantities]
            raise ModelError(f"{owner}: there is no measure '{self.measure}'; {did_you_mean(self.measure, known)}")
        if not self.limits:
            raise ModelError(f"{owner}: it has no limit; give lower, upper or both.")
        if self.lower is not None and self.upper is not None and not self.lower < self.upper:
            raise ModelError(
                f"{owner}: lower is {self.lower} and upper {self.upper} {measure.unit}; lower must be below."
            )
        per = "N" if measure.unit == "m" else "N m"
        check_not_negative(f"{owner}: damping", self.damping, f"{per} s/{measure.unit}^(n+1)")
        check_positive(f"{owner}: exponent", self.exponent, "")
        check_not_negative(f"{owner}: viscous", self.viscous, f"{per} s/{measure.unit}")
        check_positive(f"{owner}: width", self.width, measure.unit)
        if self.rigid:
            if self.stiffness or self.damping or self.viscous:
                raise ModelError(
                    f"{owner}: it has both a restitution and a stiffness or damping; a stop is rigid or compliant: "
                    "give one."
                )
            if not 0.0 <= (self.restitution or 0.0) <= 1.0:
                raise ModelError(f"{owner}: restitution is {self.restitution}; it must be between 0 and 1.")
        elif not self.stiffness > 0.0:
            raise ModelError(f"{owner}: give it a positive stiffness in {per}/{measure.unit}^n, or a restitution.")

    def targets(self) -> list[str]:
        return [self.measure]

    def tracked(self) -> list[str]:
        return [self.measure]

    def events(self) -> list[Event]:
        found = []
        for which, limit in self.limits:
            does, way, watched = "restart", DIRECTIONS["both"], f"`{self.measure}`"
            if self.rigid:
                if not isinstance(self.restitution, float | int):
                    raise ModelError(f"Force '{self.name}': its restitution cannot be left open; give it as a number.")
                does, way, watched = f"bounce {self.restitution!r}", DIRECTIONS[which], self.measure
            elif self.viscous:  # a measure that a drive holds at its limit does not cross it all the time
                limit = limit + LIMITS[which] * TOUCH * self.width
            name = f"{self.name} {which}"
            found.append(Event(name=name, quantity=watched, crosses=limit, direction=way, does=does))
        return found

    def loads(self, state: State) -> list[Load]:
        if self.rigid:
            return []
        total: Scalar = 0.0
        for which, depth in self._depths(state):
            if self.viscous:
                push = (self.stiffness + self.damping * depth.first) * self._power(depth.value, self.exponent)
                push = maximum(push + self.viscous * depth.first * self._engaged(depth.value), 0.0)
            else:
                push = maximum(self.stiffness + self.damping * depth.first, 0.0)
                push = push * self._power(depth.value, self.exponent)
            total = total - LIMITS[which] * push
        return [(self.measure, [total])]

    def potential(self, state: State) -> Scalar:
        total: Scalar = 0.0
        order = self.exponent + 1.0
        for _, depth in self._depths(state) if not self.rigid else ():
            total = total + (self.stiffness / order) * self._power(depth, order)
        return total

    def work(self, state: State) -> Scalar | None:
        return 0.0 if self.rigid or self.damping == self.viscous == 0.0 else None

    def _depths(self, state: State) -> list[tuple[str, Jet]]:
        """The depth δ beyond each limit; negative where the limit is not reached."""
        value = state.measure(self.measure)
        return [(which, LIMITS[which] * (value - limit)) for which, limit in self.limits]

    def _engaged(self, depth: Scalar) -> Scalar:
        """φ(δ/w)"""
        x = minimum(maximum(depth, 0.0) * (1.0 / self.width), 1.0)
        return x * x * (3.0 - 2.0 * x)

    @staticmethod
    def _power(depth: Scalar, order: float) -> Scalar:
        if float(order).is_integer():
            return power(maximum(depth, 0.0), order)  # the same kink as that of the damper
        return where(depth, power(maximum(depth, TINY), order), 0.0)
