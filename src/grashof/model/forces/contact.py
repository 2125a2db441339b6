"""Contact of a point or a circle with a line or a circle (plane)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from grashof.common.errors import ModelError
from grashof.model.events import Event
from grashof.model.fields import Vector
from grashof.model.forces.base import ForceBase, ForceOutline, Load, Rub
from grashof.model.forces.friction import SLIP_SPEED, smooth_sign
from grashof.model.forces.stop import Stop
from grashof.model.measures import Measure
from grashof.model.measures.contact import Gap, Slide
from grashof.model.state import State
from grashof.model.units import Length
from grashof.model.validation import check_direction, check_not_negative, check_positive, check_two_bodies
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.joints import Joint
    from grashof.model.model import Model

IMPACTS = ("newton", "moreau", "poisson")

TOUCH = "touch"
"""The event of a contact is called NAME touch."""


class Contact(ForceBase, tag="contact", frozen=True):
    """Contact of a point or a circle of one body with a line or a circle of another (plane).

    b is a circle about the point `b`, or that point alone. a is a line through the point `a`, whose free side is on the
    left of `axis_a`; or, with a `length`, the part of it from there on, which has both sides and round ends; or,
    without `axis_a`, a circle about the point `a`. The gap g ≥ 0 is kept by a `Stop`: compliant if a stiffness is
    given, f = δⁿ (k + c δ̇) with δ = −g, and rigid if a restitution is given. Friction acts along the slip velocity s at
    the place where they touch,

        |T| ≤ μ N

    compliant: T = −μ N φ(s/v_s), smooth near s = 0 as for `Friction`.
    rigid: it sticks, s = 0, or slips with T = −μ N s/|s|, also during impacts (docs/contact.md).

    radius_a      of the circle, or half the thickness of the line, m
    radius_b      m; 0 for a corner
    inside        whether b is inside the circle of a, as a shaft in its bearing
    stiffness, damping, exponent    k, c and n
    restitution   e, 0 to 1
    mu            μ
    slip_speed    v_s, m/s, of a compliant contact
    impact        what restitution e relates: "newton", the speeds before and after an impact along the normal;
                  "moreau", the same, which is also chosen as the law for contacts that are hit at once; or "poisson",
                  the impulses of its two phases

    `NAME.gap` is g, and `NAME.slide.rate` is s.
    """

    directions = ("axis_a",)

    a: str
    b: str
    axis_a: Vector = ()
    length: Length = 0.0
    radius_a: Length = 0.0
    radius_b: Length = 0.0
    inside: bool = False
    stiffness: float = 0.0
    damping: float = 0.0
    exponent: float = 1.5
    restitution: float | None = None
    mu: float = 0.0
    slip_speed: float = SLIP_SPEED
    impact: str = "newton"

    @property
    def stop(self) -> Stop:
        """The stop that keeps the gap."""
        return Stop(
            name=self.name,
            measure=self.gap.name,
            lower=0.0,
            stiffness=self.stiffness,
            damping=self.damping,
            exponent=self.exponent,
            restitution=self.restitution,
        )

    @property
    def gap(self) -> Gap:
        """The measure of the distance."""
        return Gap(f"{self.name}.gap", *self._outlines)

    @property
    def slide(self) -> Slide:
        """The measure along which friction acts."""
        return Slide(f"{self.name}.slide", *self._outlines)

    def check(self, owner: str, model: Model) -> None:
        if model.dimension != 2:
            raise ModelError(
                f"{owner}: contacts of this type exist in the plane only; in space, use 'spatial contact'."
            )
        check_two_bodies(owner, model, self.a, self.b, "which cannot meet")
        if self.axis_a:
            check_direction(f"{owner}: axis_a", self.axis_a, 2, needed=True, advice="")
        for field in ("length", "radius_a", "radius_b"):
            check_not_negative(f"{owner}: {field}", getattr(self, field), "m")
        check_not_negative(f"{owner}: mu", self.mu, "")
        if self.impact not in IMPACTS:
            raise ModelError(f"{owner}: impact is '{self.impact}'; it must be one of {', '.join(IMPACTS)}.")
        for field in ("mu", "radius_a", "radius_b", "length") if self.restitution is not None else ():
            if not isinstance(getattr(self, field), float | int):
                raise ModelError(f"{owner}: {field} of a rigid contact cannot be left open; give it as a number.")
        check_positive(f"{owner}: slip_speed", self.slip_speed, "m/s")
        if not self.axis_a:
            self._check_circles(owner)
        elif self.inside:
            raise ModelError(f"{owner}: it is inside a line; leave 'inside' out, or leave 'axis_a' out for a circle.")
        elif self.length and not self.radius_a + self.radius_b > 0.0:
            raise ModelError(
                f"{owner}: a point passes through a thin line with ends; give the point a radius (a round corner), the "
                "line a thickness, or leave out the length."
            )
        self.stop.check(owner, model)

    def _check_circles(self, owner: str) -> None:
        if self.length:
            raise ModelError(f"{owner}: its length is that of a line; give its direction, axis_a.")
        if self.inside and not self.radius_b < self.radius_a:
            raise ModelError(
                f"{owner}: a circle with the radius {self.radius_b} m is inside one with {self.radius_a} m; the inner "
                "one must be smaller."
            )
        if not self.radius_a + self.radius_b > 0.0:
            raise ModelError(f"{owner}: two points do not meet; give one of them a radius, or give a line by axis_a.")

    def outlines(self) -> tuple[ForceOutline, ...]:
        first = ForceOutline(self.a, self.axis_a, self.length, self.radius_a, self.inside, self.b)
        second = ForceOutline(self.b, (), 0.0, self.radius_b, False, self.a)
        return tuple(x for x in (first, second) if x.axis or x.radius)

    def targets(self) -> list[str]:
        return [self.gap.name]

    def measures(self, joints: Mapping[str, Joint]) -> tuple[Measure, ...]:
        return (self.gap, self.slide) if self.mu else (self.gap,)  # type: ignore[return-value]

    def events(self) -> list[Event]:
        return [msgspec.structs.replace(event, name=f"{self.name} {TOUCH}") for event in self.stop.events()]

    def rubs(self) -> tuple[Rub, ...]:
        if not (self.mu and self.stop.rigid):
            return ()
        return (Rub(f"{self.name} {TOUCH}", self.slide.name, self.mu, self.impact),)

    def bearings(self) -> list[str]:
        return [rub.event for rub in self.rubs()]

    def loads(self, state: State) -> list[Load]:
        if rubs := self.rubs():
            ((event, slide, mu, _),) = rubs
            return [(slide, [-mu * state.slipping(event) * state.bearing(event)])]
        loads = self.stop.loads(state)
        if not (loads and self.mu):
            return loads
        ((_, (push,)),) = loads
        slip = state.measure(self.slide.name).first
        return [*loads, (self.slide.name, [-self.mu * push * smooth_sign(slip, self.slip_speed)])]

    def potential(self, state: State) -> Scalar:
        return self.stop.potential(state)

    def work(self, state: State) -> Scalar | None:
        return None if self.mu else self.stop.work(state)

    @property
    def _outlines(self) -> tuple[str, str, Vector, float, float, float, bool]:
        return self.a, self.b, self.axis_a, self.length, self.radius_a, self.radius_b, self.inside
