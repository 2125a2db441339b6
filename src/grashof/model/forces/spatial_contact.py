"""Contact of a point, a ball or a disc with a plane or a ball (space)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from grashof.common.errors import ModelError
from grashof.model.events import Event
from grashof.model.fields import Scalars, Vector, body_of, cross, difference, dot
from grashof.model.forces.base import ForceBase, ForceSurface, Load
from grashof.model.forces.contact import TOUCH
from grashof.model.forces.friction import SLIP_SPEED, friction_per_speed
from grashof.model.forces.relative_turning import AXES, RelativeTurning
from grashof.model.forces.stop import Stop
from grashof.model.measures import Coordinate, Measure, MeasureBase
from grashof.model.measures.spatial_gap import TINY, SpatialGap, sine
from grashof.model.state import State
from grashof.model.units import Length
from grashof.model.validation import check_direction, check_not_negative, check_positive, check_two_bodies
from grashof.scalar.functions import Scalar, maximum, sqrt

if TYPE_CHECKING:
    from grashof.model.joints import Joint
    from grashof.model.model import Model


class SpatialContact(ForceBase, tag="spatial contact", frozen=True):
    """Contact of a point, a ball or the rim of a disc of one body with a plane or a ball of another (space).

    The gap g ≥ 0 is kept by a `Stop`, compliant or rigid, which pushes with the force N. Compliant ones have friction
    at the place C where they touch, against the slip velocity s of b relative to a at C, which is a vector across the
    normal n:

        T = −μ N φ(|s|/v_s) s/|s|,     s = v − n (n · v),     v = Ṗ_b + ω × (C − P_b) relative to a

    with the smooth φ of `Friction`. C is at the distance r_b from P_b: −r_b n from the centre of a ball, and from that
    of a disc with the axis e at −r_b (n − c e)/√(1 − c²), where c = n · e.

    a, normal_a   a plane through the point a, with the normal on its free side
    radius_a      without a normal, a is a ball of this radius, m, about the point a
    inside        whether b is inside that ball
    b, radius_b   a ball about the point b, m; 0 for the point alone
    axis_b        axis of a disc of that radius, which touches a plane with its rim
    stiffness, damping, exponent, viscous, width   of a compliant contact, as of a `Stop`
    restitution   of a rigid contact, which has no friction
    mu            μ
    slip_speed    v_s, m/s

    `NAME.gap` is g.
    """

    directions = ("normal_a", "axis_b")

    a: str
    b: str
    normal_a: Vector = ()
    radius_a: Length = 0.0
    inside: bool = False
    radius_b: Length = 0.0
    axis_b: Vector = ()
    stiffness: float = 0.0
    damping: float = 0.0
    exponent: float = 1.5
    viscous: float = 0.0
    width: Length = 1e-3
    restitution: float | None = None
    mu: float = 0.0
    slip_speed: float = SLIP_SPEED

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
            viscous=self.viscous,
            width=self.width,
            restitution=self.restitution,
        )

    @property
    def gap(self) -> SpatialGap:
        """The measure of the distance."""
        return SpatialGap(
            f"{self.name}.gap", self.a, self.b, self.normal_a, self.radius_a, self.radius_b, self.inside, self.axis_b
        )

    def check(self, owner: str, model: Model) -> None:
        if model.dimension != 3:
            raise ModelError(f"{owner}: this type of contact exists in space only; in the plane, use 'contact'.")
        check_two_bodies(owner, model, self.a, self.b, "which cannot meet")
        for field in self.directions:
            if getattr(self, field):
                check_direction(f"{owner}: {field}", getattr(self, field), 3, needed=True, advice="")
        for field in ("radius_a", "radius_b", "mu"):
            check_not_negative(f"{owner}: {field}", getattr(self, field), "" if field == "mu" else "m")
        check_positive(f"{owner}: slip_speed", self.slip_speed, "m/s")
        self._check_shapes(owner)
        self.stop.check(owner, model)
        if self.mu and self.stop.rigid:
            raise ModelError(
                f"{owner}: rigid contacts in space have no friction; give a stiffness instead of the restitution, or "
                "leave mu out."
            )
        for body in model.bodies if self.mu and self.radius_b else ():
            if body.slender and body.name in (body_of(self.a), body_of(self.b)):
                raise ModelError(
                    f"{owner}: '{body.name}' is a slender bar, which has no inertia about its line to resist friction "
                    "at a round surface; use a rigid body with inertia, or leave the radius out."
                )

    def _check_shapes(self, owner: str) -> None:
        if self.normal_a and (self.radius_a or self.inside):
            raise ModelError(f"{owner}: it has a normal_a, so a is a plane, which has neither a radius nor an inside.")
        if self.axis_b and not (self.normal_a and self.radius_b > 0.0):
            raise ModelError(
                f"{owner}: axis_b is that of a disc; give its radius_b, and normal_a: a disc touches planes only."
            )
        if self.inside and not self.radius_b < self.radius_a:
            raise ModelError(
                f"{owner}: a ball with the radius {self.radius_b} m is inside one with {self.radius_a} m; the inner "
                "one must be smaller."
            )
        if not (self.normal_a or self.radius_a + self.radius_b > 0.0):
            raise ModelError(f"{owner}: two points do not meet; give one of them a radius, or a plane by normal_a.")

    def surfaces(self) -> tuple[ForceSurface, ...]:
        first = ForceSurface(self.a, self.normal_a, self.radius_a, self.inside, self.b)
        second = ForceSurface(self.b, self.axis_b, self.radius_b, False, self.a)
        return (first, second) if self.radius_b else (first,)

    def targets(self) -> list[str]:
        return [self.gap.name]

    def measures(self, joints: Mapping[str, Joint]) -> tuple[Measure, ...]:
        return (self.gap,)  # type: ignore[return-value]

    def uses(self, joints: Mapping[str, Joint]) -> tuple[MeasureBase, ...]:
        if not self.mu:
            return (self.gap,)
        return (self.gap, *self._places, *(self._turning.measures if self.radius_b else ()))

    def events(self) -> list[Event]:
        return [msgspec.structs.replace(event, name=f"{self.name} {TOUCH}") for event in self.stop.events()]

    def loads(self, state: State) -> list[Load]:
        loads = self.stop.loads(state)
        if not (loads and self.mu):
            return loads
        ((_, (push,)),) = loads
        place = [state.jet_of(x) for x in self._places]
        normal = self._normal([x.value for x in place])
        velocity: Scalars = [x.first for x in place]
        arm = self._arm(state, normal)
        if arm:
            velocity = [x + y for x, y in zip(velocity, cross_scalars(self._turning.velocity(state), arm), strict=True)]
        along = dot(normal, velocity)
        slip = difference(velocity, [along * x for x in normal])
        drag = -self.mu * push * friction_per_speed(slip, self.slip_speed)
        friction = [drag * x for x in slip]
        loads += [(measure, [effort]) for measure, effort in zip(self._places, friction, strict=True)]
        return loads + (self._turning.loads(state, cross_scalars(arm, friction)) if arm else [])

    def potential(self, state: State) -> Scalar:
        return self.stop.potential(state)

    def work(self, state: State) -> Scalar | None:
        return None if self.mu else self.stop.work(state)

    def _normal(self, place: Scalars) -> Scalars:
        """n, along which a pushes b, in the axes of a."""
        if self.normal_a:
            return list(self.normal_a)
        inverse = (-1.0 if self.inside else 1.0) / sqrt(maximum(dot(place, place), TINY))
        return [inverse * x for x in place]

    def _arm(self, state: State, normal: Scalars) -> Scalars:
        """C − P_b, in the axes of a; empty where b is a point."""
        if not self.radius_b:
            return []
        if not self.axis_b:
            return [-self.radius_b * x for x in normal]
        axis = self._turning.direction(state, self.axis_b)
        cosine = dot(normal, axis)
        factor = -self.radius_b / sine(cosine)
        return [factor * (x - cosine * y) for x, y in zip(normal, axis, strict=True)]

    @property
    def _places(self) -> tuple[Coordinate, ...]:
        """P_b − P_a in the axes of a."""
        return tuple(Coordinate("", self.b, axis, self.a) for axis in AXES)

    @property
    def _turning(self) -> RelativeTurning:
        return RelativeTurning(body_of(self.a), body_of(self.b))


def cross_scalars(a: Scalars, b: Scalars) -> Scalars:
    """a × b"""
    return list(cross((a[0], a[1], a[2]), (b[0], b[1], b[2])))
