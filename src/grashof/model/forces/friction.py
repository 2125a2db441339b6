"""Friction in a joint."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Self

import msgspec

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.events import STICK, Event
from grashof.model.fields import dot
from grashof.model.forces.base import ForceBase, Grip, Load
from grashof.model.forces.relative_turning import RelativeTurning
from grashof.model.laws import Law
from grashof.model.measures import Measure, MeasureBase
from grashof.model.state import State
from grashof.model.units import Length
from grashof.model.validation import check_not_negative, check_positive
from grashof.scalar.functions import Scalar, maximum, minimum, sqrt

if TYPE_CHECKING:
    from grashof.model.joints import Joint
    from grashof.model.model import Model

SLIP_SPEED = 1e-3
"""m/s, or rad/s in joints that only turn."""


class Friction(ForceBase, tag="friction", frozen=True):
    """Viscous and Coulomb friction in a joint: f = −(d + F φ(|s|/v_s)/|s|) s, where s is the slip velocity.

    In joints that only turn, s is the rate of an angle in rad/s and f a torque in N m, for each axis separately; in a
    spherical joint, s is the relative angular velocity and f a torque that opposes it. In joints that slide, s is a
    velocity in m/s and f a force in N; a rotation contributes to s with `radius` times its rate.

        F = coulomb + mu R          in joints that slide
        F = coulomb + mu radius R   in joints that only turn (N m): the friction of a pin of this radius

    R is the magnitude of the force that the joint transmits at the same instant, in N; in a sliding joint, without the
    forces along its free directions.

        φ(x) = x (3 − x²)/2 for |x| < 1, ±1 beyond: below the slip speed v_s the joint sticks.

    A joint that sticks under a load below F creeps at less than v_s; when it slips, the friction is exactly F.

    With v_s = 0 friction is exact, in joints with one freedom (docs/friction.md): the joint sticks, s = 0, and bears up
    to F, or `static` if that is given; or it slips with F against the motion.

    joint       its name
    viscous     d, N s/m or N m s/rad; a law
    coulomb     N or N m; a law
    mu, radius  coefficient of friction (a law), and the radius of the pin or of the surface that slips in rotation, m
    slip_speed  v_s, m/s or rad/s; 0 for exact friction
    static      the largest friction of a joint that sticks exactly, if it exceeds `coulomb`, N or N m; a law

    `NAME.slip` is the displacement in m or rad and `NAME.slip.rate` the slip velocity s; further free directions are
    `NAME.slip2` and so on.
    """

    joint: str
    viscous: Law = 0.0
    coulomb: Law = 0.0
    mu: Law = 0.0
    radius: Length = 0.0
    slip_speed: float = SLIP_SPEED
    static: Law = 0.0

    @property
    def exact(self) -> bool:
        """Whether the joint sticks and slips exactly."""
        return isinstance(self.slip_speed, int | float) and self.slip_speed == 0.0

    def check(self, owner: str, model: Model) -> None:
        joint = model.joints_by_name.get(self.joint)
        if joint is None:
            hint = did_you_mean(self.joint, model.joints_by_name)
            raise ModelError(f"{owner}: there is no joint '{self.joint}'; {hint}")
        if _is_ball(joint):
            for body in model.bodies:
                if body.slender and body.name in joint.bodies:
                    raise ModelError(
                        f"{owner}: '{body.name}' is a slender bar, which has no inertia about its line to resist "
                        f"friction in the spherical joint '{joint.name}'; use a rigid body with inertia."
                    )
        elif not joint.freedoms(""):
            kind = joint.__struct_config__.tag
            raise ModelError(
                f"{owner}: joint '{joint.name}' is of type '{kind}', which has no surfaces that slip; "
                "use a joint that turns or slides."
            )
        rotary = joint.slip_unit == "rad"
        check_not_negative(f"{owner}: viscous", self.constant(self.viscous), "N m s/rad" if rotary else "N s/m")
        check_not_negative(f"{owner}: coulomb", self.constant(self.coulomb), "N m" if rotary else "N")
        check_not_negative(f"{owner}: mu", self.constant(self.mu), "")
        check_not_negative(f"{owner}: radius", self.radius, "m")
        check_not_negative(f"{owner}: static", self.constant(self.static), "N m" if rotary else "N")
        if self.exact:
            self._check_exact(owner, model, len(joint.freedoms("")))
        else:
            check_positive(f"{owner}: slip_speed", self.slip_speed, "rad/s" if rotary else "m/s")
            if self.constant(self.static) != 0.0:
                raise ModelError(
                    f"{owner}: static is given with a slip speed, below which the joint creeps; leave static out, or "
                    "set slip_speed = 0 for exact friction."
                )
        if self.bearings() and joint.bearing(model.dimension) == 0:
            raise ModelError(
                f"{owner}: mu is given, but joint '{joint.name}' holds its bodies by stops alone, and transmits no "
                "reaction; leave mu out."
            )
        if self.bearings() and rotary and self.radius == 0.0:
            raise ModelError(f"{owner}: mu is given without the radius of the pin; give the radius in m.")

    def _check_exact(self, owner: str, model: Model, freedoms: int) -> None:
        advice = f"give a positive slip_speed, such as {SLIP_SPEED}, for smooth friction"
        if self.bearings():
            raise ModelError(
                f"{owner}: friction that is proportional to a reaction (mu) is smooth, but slip_speed is 0; {advice}."
            )
        if freedoms != 1:
            raise ModelError(
                f"{owner}: slip_speed is 0, but joint '{self.joint}' leaves more than one freedom; exact friction "
                f"needs a joint with one; {advice}."
            )
        if not self.active:
            raise ModelError(
                f"{owner}: exact friction (slip_speed = 0) acts at all times; remove 'active', or {advice}."
            )
        coulomb, static = self.constant(self.coulomb), self.constant(self.static)
        if coulomb == 0.0 and static != 0.0:
            raise ModelError(
                f"{owner}: static is given without coulomb, the friction while the joint slips; give both."
            )
        if coulomb is not None and static is not None and 0.0 < static < coulomb:
            raise ModelError(
                f"{owner}: static is {static}, less than coulomb, {coulomb}; it must be at least as large."
            )
        for force in model.all_forces:
            if force.bearings():
                raise ModelError(
                    f"{owner}: slip_speed is 0, but force '{force.name}' depends on joint reactions; exact friction "
                    f"cannot be combined with this: {advice}."
                )
        for event in model.all_events:
            if event.bounces is not None:
                raise ModelError(
                    f"{owner}: slip_speed is 0, but something bounces at event '{event.name}'; exact friction cannot "
                    f"be combined with impacts: {advice}, or give the stop a stiffness instead of a restitution."
                )

    def smooth(self) -> Self:
        """The same with the usual slip speed, if it is exact."""
        return msgspec.structs.replace(self, slip_speed=SLIP_SPEED, static=0.0) if self.exact else self

    def without_coulomb(self) -> Self:
        return msgspec.structs.replace(self, coulomb=0.0, static=0.0)

    def targets(self) -> list[str]:
        return []

    def laws(self) -> tuple[Law, ...]:
        return (self.viscous, self.coulomb, self.mu, self.static)

    def measures(self, joints: Mapping[str, Joint]) -> tuple[Measure, ...]:
        return joints[self.joint].freedoms(f"{self.name}.slip") if self.joint in joints else ()

    def uses(self, joints: Mapping[str, Joint]) -> tuple[MeasureBase, ...]:
        joint = joints.get(self.joint)
        if joint is not None and _is_ball(joint):
            return RelativeTurning(*joint.bodies).measures
        return self.measures(joints)

    def bearings(self) -> list[str]:
        return [] if self.constant(self.mu) == 0.0 else [self.joint]

    def grips(self) -> tuple[Grip, ...]:
        if not self.exact or self.constant(self.coulomb) == 0.0:
            return ()
        return (Grip(self.name, self.joint, f"{self.name}.slip"),)

    def grip_limits(self, state: State) -> tuple[Scalar, Scalar]:
        sliding = self.now(self.coulomb, state)
        return sliding, sliding if self.constant(self.static) == 0.0 else maximum(sliding, self.now(self.static, state))

    def events(self) -> list[Event]:
        return [
            Event(name=f"{grip.name} stick", quantity=f"`{grip.measure}.rate`", direction="either", does=STICK)
            for grip in self.grips()
        ]

    def loads(self, state: State) -> list[Load]:
        freedoms = self.measures(state.joints)
        rotary = all(measure.unit == "rad" for measure in freedoms)
        viscous, limit, mu = (self.now(law, state) for law in (self.viscous, self.coulomb, self.mu))
        if self.exact:
            (slip,) = freedoms
            return [(slip.name, [-viscous * state.measure(slip.name).first - limit * state.slipping(self.name)])]
        if self.bearings():
            limit = limit + mu * (self.radius if rotary else 1.0) * state.bearing(self.joint)
        joint = state.joints[self.joint]
        if _is_ball(joint):
            return self._in_ball(joint, state, viscous, limit)
        rates = {measure.name: state.measure(measure.name).first for measure in freedoms}
        if rotary or len(freedoms) == 1:
            return [(name, [-viscous * v - limit * smooth_sign(v, self.slip_speed)]) for name, v in rates.items()]
        levers = {measure.name: 1.0 if measure.unit == "m" else self.radius for measure in freedoms}
        slips = {name: lever * rates[name] for name, lever in levers.items() if lever}
        resistance = viscous + limit * friction_per_speed(slips.values(), self.slip_speed)
        return [(name, [-levers[name] * resistance * slip]) for name, slip in slips.items()]

    def work(self, state: State) -> Scalar | None:
        return None

    def _in_ball(self, joint: Joint, state: State, viscous: Scalar, limit: Scalar) -> list[Load]:
        """A torque that opposes the relative angular velocity."""
        turning = RelativeTurning(*joint.bodies)
        spin = turning.velocity(state)
        resistance = viscous + limit * friction_per_speed(spin, self.slip_speed)
        return turning.loads(state, [-resistance * w for w in spin])


def friction_per_speed(slips: Iterable[Scalar], slip_speed: Scalar) -> Scalar:
    """φ(|s|/v_s)/|s| of a slip velocity with these components, in s/m"""
    scale = 1.0 / slip_speed
    parts = [scale * s for s in slips]
    square = dot(parts, parts)
    # one of the two is 1; they switch at the same place, so that it is one kink
    return scale * (1.5 - 0.5 * minimum(square, 1.0)) / sqrt(maximum(square, 1.0))


def smooth_sign(speed: Scalar, slip_speed: Scalar) -> Scalar:
    """φ(v/v_s)"""
    x = maximum(-1.0, minimum(1.0, speed * (1.0 / slip_speed)))
    return x * (1.5 - 0.5 * (x * x))


def _is_ball(joint: Joint) -> bool:
    """Whether a ball is all that a joint leaves."""
    return [motion.kind for motion in joint.motions or ()] == ["ball"]
