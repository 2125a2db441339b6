"""Pin in a slot with ends and clearance."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.common.errors import ModelError
from grashof.model.fields import Fields, Scalars, Vector, perpendicular
from grashof.model.forces.stop import Stop
from grashof.model.joints.base import JointBase, offset_along
from grashof.model.measures import Coordinate, Measure
from grashof.model.motions import NORMAL, ElementaryMotion
from grashof.model.units import Length
from grashof.model.validation import check_not_negative, check_positive

if TYPE_CHECKING:
    from grashof.model.model import Model


class Slot(JointBase, tag="slot", frozen=True):
    """A pin at point b in a straight slot of body a, which ends (plane only).

    The slot begins at point `a` and runs along `axis_a`: the pin moves along it, 0 ≤ x ≤ `length`, and turns in it. The
    clearance is the width of the slot less the diameter of the pin, so that the pin also moves across, |y| ≤
    clearance/2; without clearance, y = 0. Where the pin meets an end or a side, it is held back as by a `Stop`:
    compliant if a stiffness is given, rigid if a restitution is given.

    length, clearance              m
    stiffness, damping, exponent   k, c and n of a compliant stop: f = δⁿ (k + c δ̇) at a depth δ
    restitution                    e of a rigid stop, 0 to 1

    Leaves two degrees of freedom, and with clearance all three. `NAME.along` is x, and with clearance `NAME.across` is
    y; the works of the stops are those of the forces `NAME ends` and `NAME sides`.
    """

    symbol = "slot"
    dimensions = (2,)
    lower_pair = False

    length: Length
    axis_a: Vector = ()
    clearance: Length = 0.0
    stiffness: float = 0.0
    damping: float = 0.0
    exponent: float = 1.5
    restitution: float | None = None

    @property
    def is_loose(self) -> bool:
        """Whether the pin has clearance."""
        if not isinstance(self.clearance, float | int):
            raise ModelError(f"Joint '{self.name}': its clearance cannot be left open; give it as a number.")
        return self.clearance != 0.0

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        pin = NORMAL if len(self.axis_a) == 3 else ()
        axes = (self.axis_a, self._side) if self.is_loose else (self.axis_a,)
        return *(ElementaryMotion("slide", axis) for axis in axes), ElementaryMotion("turn", pin, pin)

    @property
    def reach(self) -> tuple[float, float]:
        return 0.0, self.length

    def properties(self) -> list[tuple[str, str]]:
        return [("length", f"{self.length:.6g} m"), ("clearance", f"{self.clearance:.6g} m")]

    def check(self, owner: str, model: Model) -> None:
        super().check(owner, model)
        check_positive(f"{owner}: length", self.length, "m")
        check_not_negative(f"{owner}: clearance", self.clearance, "m")
        for stop in self.forces():
            stop.check(owner, model)

    def measures(self) -> tuple[Measure, ...]:
        along = Coordinate(f"{self.name}.along", self.b, self.axis_a, self.a)
        across = Coordinate(f"{self.name}.across", self.b, self._side, self.a)
        return (along, across) if self.is_loose else (along,)

    def forces(self) -> tuple[Stop, ...]:
        ends = self._stop("ends", "along", 0.0, self.length)
        return (ends, self._stop("sides", "across", -0.5 * self.clearance, 0.5 * self.clearance))[: 1 + self.is_loose]

    def equations(self, fields: Fields) -> Scalars:
        return [] if self.is_loose else offset_along(self, fields, self._side)

    def bearing(self, dimension: int) -> int:
        return 0 if self.is_loose else 1

    @property
    def _side(self) -> Vector:
        """The direction across the slot, 90° counter-clockwise from its axis."""
        x, y, *rest = self.axis_a or (1.0, 0.0)
        return perpendicular((x, y)) + tuple(rest)

    def _stop(self, word: str, measure: str, lower: float, upper: float) -> Stop:
        return Stop(
            name=f"{self.name} {word}",
            measure=f"{self.name}.{measure}",
            lower=lower,
            upper=upper,
            stiffness=self.stiffness,
            damping=self.damping,
            exponent=self.exponent,
            restitution=self.restitution,
        )
