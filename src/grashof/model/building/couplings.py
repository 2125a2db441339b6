"""Gears, belts, racks, worms, screws, differentials and other couplings, as methods of the builder."""

from __future__ import annotations

import reprlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from grashof.common.errors import ModelError
from grashof.model.bodies import GROUND
from grashof.model.building.base import GivenLaw, Methods, usual_name
from grashof.model.couplings import Belt, Differential, Equation, Gear, Linear, Rack, Screw, Variator, Worm
from grashof.model.fields import perpendicular
from grashof.model.formula import value_of
from grashof.model.given import Number, text
from grashof.model.handles import Circle, Handle, Line, Point, own_line, own_point
from grashof.model.joints import Joint
from grashof.model.laws import Law
from grashof.model.measures import Angle, Path

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism

Turning = Handle | str
"""A body, which stands for its angle, or the name of an angle."""


class CouplingMethods(Methods):
    """Couplings, for the builder."""

    def coupling(
        self, terms: Mapping[Turning, Number] | str, law: GivenLaw | None = None, *, name: str | None = None
    ) -> None:
        """Couples measures by the equation Σ cᵢ mᵢ = f(t).

        A body stands for its angle; a string names any measure or coordinate, such as "rod.end.x".

        terms   the factor of each measure; or a string, an expression in measures that is kept at zero, such as
                "wheel.angle - crank.angle - 0.3*sin(crank.angle)" for a gear of variable ratio
        law     f, as an expression in t or a number; by default the sum keeps its initial value
        """
        m = self._mechanism
        if isinstance(terms, str):
            if law is not None:
                raise ModelError(
                    f"The coupling '{terms}' has a law; write it as part of the expression, which stays zero."
                )
            m._couplings.append(Equation(name=usual_name(name, "coupling", terms), expression=terms))
            return
        factors = {
            m._angle_name(target): m._number(f"The factor of '{target}'", factor) for target, factor in terms.items()
        }
        called = usual_name(name, "coupling", *factors)
        written = None if law is None else _law_text(m._law(f"Coupling '{called}': law", law))
        m._couplings.append(Linear(name=called, terms=factors, law=written))

    def gear(
        self,
        a: Turning,
        b: Turning,
        *,
        teeth: Sequence[Number],
        internal: bool = False,
        carrier: Turning | None = None,
        name: str | None = None,
    ) -> None:
        """Two gears with the given numbers of teeth (or pitch radii); `internal` if one is a ring around the other.

        The carrier is the body that holds both axes. If a and b are bodies, it is found from their revolute joints; if
        they are angles, it is the ground by default. A fixed ring gear is `m.ground`.

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("planetary gears")
        >>> sun, arm, planet = (m.body(name, mass=1.0, inertia=0.1) for name in ("sun", "arm", "planet"))
        >>> for a, b in ((m.ground, sun), (m.ground, arm)):
        ...     _ = m.revolute(a.at(0, 0), b.at(0, 0))
        >>> _ = m.revolute(arm.at(0.3, 0), planet.at(0, 0))
        >>> m.gear(sun, planet, teeth=(40, 20))
        >>> m.gear(planet, m.ground, teeth=(20, 80), internal=True)
        >>> [gear.carrier for gear in m.model.couplings]
        ['arm.angle', 'arm.angle']
        """
        m = self._mechanism
        called = usual_name(name, "gear", a, b)
        first, second, held = m._pair(a, b, carrier, f"Coupling '{called}'")
        z_a, z_b = m._numbers(f"Coupling '{called}': teeth", teeth, 2)
        m._couplings.append(
            Gear(name=called, a=first, b=second, teeth=(z_a, z_b), internal=bool(internal), carrier=held)
        )

    def belt(
        self,
        a: Turning,
        b: Turning,
        *,
        radii: Sequence[Number],
        crossed: bool = False,
        carrier: Turning | None = None,
        name: str | None = None,
    ) -> None:
        """A belt or chain around two wheels with the given radii (m); the carrier is found as for gears."""
        m = self._mechanism
        called = usual_name(name, "belt", a, b)
        first, second, held = m._pair(a, b, carrier, f"Coupling '{called}'")
        r_a, r_b = m._numbers(f"Coupling '{called}': radii", radii, 2, "m")
        m._couplings.append(Belt(name=called, a=first, b=second, radii=(r_a, r_b), crossed=bool(crossed), carrier=held))

    def rack(self, rack: str, pinion: Turning, *, radius: Number, name: str | None = None) -> None:
        """A rack and pinion: the coordinate of the rack changes by `radius` times the angle of the pinion.

        The coordinate is one such as "rack.tooth.y", or one named by `m.coordinate`.
        """
        m = self._mechanism
        turn = m._angle_name(pinion)
        called = usual_name(name, "rack", rack, pinion)
        travel = text(f"Coupling '{called}': the coordinate of the rack", rack)
        m._couplings.append(
            Rack(name=called, rack=travel, pinion=turn, radius=m._number(f"Coupling '{called}': radius", radius, "m"))
        )

    def worm(
        self,
        worm: Turning,
        wheel: Turning,
        *,
        teeth: Number,
        starts: Number = 1,
        hand: Any = "right",
        name: str | None = None,
    ) -> None:
        """A worm gear: the wheel turns by starts/teeth times the angle of the worm; see `Worm` for the signs."""
        m = self._mechanism
        called = usual_name(name, "worm", worm, wheel)
        if hand not in ("right", "left"):
            raise ModelError(f"Coupling '{called}': hand is {hand!r}; it must be 'right' or 'left'.")
        m._couplings.append(
            Worm(
                name=called,
                wheel=m._angle_name(wheel),
                worm=m._angle_name(worm),
                teeth=m._number(f"Coupling '{called}': teeth", teeth),
                starts=m._number(f"Coupling '{called}': starts", starts),
                hand=hand,
            )
        )

    def screw(self, a: Point, b: Point, *, axis: Sequence[float], lead: Number, name: str | None = None) -> None:
        """A screw joint in space: b turns about `axis` (world axes at the guessed position) and advances along it by
        `lead` metres per turn.

        It consists of a cylindrical joint and a coupling of the measures `NAME turn` and `NAME travel`. A left-handed
        thread has a negative lead.
        """
        m = self._mechanism
        called = usual_name(name, "screw", a, b)
        m.cylindrical(a, b, axis=axis, name=called)
        short = called.replace(".", " ")
        turn = m._spatial_angle(f"{short} turn", b.body, a.body, axis)
        m._measures.append(turn)
        travel = m.coordinate(f"{short} travel", b, axis, origin=a)
        pitch = m._number(f"Coupling '{called}': lead", lead, "m")
        m._couplings.append(Screw(name=called, travel=travel, turn=turn.name, lead=pitch))

    def differential(self, a: Turning, b: Turning, carrier: Turning, *, name: str | None = None) -> None:
        """A differential: the mean of the angles of two shafts is the angle of the carrier."""
        m = self._mechanism
        first, second, held = (m._angle_name(x) for x in (a, b, carrier))
        m._couplings.append(Differential(name=usual_name(name, "differential", a, b), a=first, b=second, carrier=held))

    def variator(self, a: Turning | str, b: Turning | str, *, ratio: GivenLaw, name: str | None = None) -> None:
        """A continuously variable transmission: the rate of a is `ratio` times the rate of b.

        The ratio is a number or an expression in t and quantities of the mechanism; it may not jump. a and b are bodies
        of the plane, which stand for their angles, or names of angles or other quantities.

        >>> import grashof as gr
        >>> m = gr.Mechanism("variator")
        >>> drive, wheel = (m.body(name, mass=1.0, inertia=0.1) for name in ("drive", "wheel"))
        >>> pins = [m.revolute(m.ground.at(x, 0), body.at(0, 0)) for x, body in enumerate((drive, wheel))]
        >>> m.variator(wheel, drive, ratio="0.5 + 0.1*t")
        """
        m = self._mechanism
        called = usual_name(name, "variator", a, b)
        law = m._law(f"Coupling '{called}': ratio", ratio, None)
        m._couplings.append(Variator(name=called, a=m._angle_name(a), b=m._angle_name(b), ratio=law))

    def rope(
        self,
        points: Sequence[Point],
        *,
        radii: Sequence[Number] | None = None,
        wound: Mapping[Turning, Number] | None = None,
        length: GivenLaw | None = None,
        name: str | None = None,
    ) -> None:
        """An inextensible rope that runs without friction through points and, between its ends, around pulleys.

        Its length is the measure NAME, a `path`. The tension is the negative of the coupling's force. The rope is a
        constraint that acts both ways: it does not go slack, but transmits compression where the motion requires it.

        radii    radii of the pulleys (plane), positive where the rope passes counter-clockwise, zero for a point
        wound    wheels onto which the rope is wound as their angle increases, and their radii, m
        length   length of the rope that is not wound; by default its initial length
        """
        m = self._mechanism
        called = usual_name(name, "rope", *points)
        short = called.replace(".", " ")
        rounds = () if radii is None else m._numbers(f"Coupling '{called}': radii", radii, len(points), "m")
        m._measures.append(Path(short, tuple(str(own_point(m, point)) for point in points), rounds))
        drums = {} if wound is None else wound
        factors = {m._angle_name(wheel): m._number(f"The radius of '{wheel}'", r, "m") for wheel, r in drums.items()}
        law = None if length is None else _law_text(m._law(f"Coupling '{called}': length", length, "m"))
        m._couplings.append(Linear(name=called, terms={short: 1.0} | factors, law=law))

    def roll(
        self, track: Line | Circle, center: Point, *, radius: Number, inside: bool = False, name: str | None = None
    ) -> str:
        """A wheel that rolls without slipping on a line or a circle of another body (plane); its radius is in m.

        On a line, the wheel is to the left of the line's direction; it is modelled by a pin in a slot at the distance
        of the radius, and a rack and pinion. On a circle, outside or `inside`, it is modelled by a massless bar from
        centre to centre, `NAME arm`, and a pair of gears. Returns the name of the quantity that gives the wheel's
        position along the track: `NAME travel`, m, or the angle of the arm.
        """
        m = self._mechanism
        called = usual_name(name, "roll", center)
        r = m._number(f"Coupling '{called}': radius", radius, "m")
        if value_of(r) <= 0.0:
            raise ModelError(f"Coupling '{called}': radius is {r} m; it must be positive.")
        if isinstance(track, Line):
            return _roll_on_line(m, track, center, r, called)
        if not isinstance(track, Circle):
            raise ModelError(
                f"Coupling '{called}': {reprlib.repr(track)} is neither a line nor a circle; take one from a "
                "body, such as m.ground.line((…), (…))."
            )
        if inside and value_of(r) >= value_of(track.radius):
            raise ModelError(f"Coupling '{called}': a wheel of {r} m does not fit inside a circle of {track.radius} m.")
        return _roll_on_circle(m, track, center, r, inside, called)

    # -- inside

    def _pair(self, a: Turning, b: Turning, carrier: Turning | None, what: str) -> tuple[str, str, str]:
        """The names of the angles of two wheels and of their carrier."""
        m = self._mechanism
        if carrier is None and isinstance(a, Handle) and isinstance(b, Handle):
            carriers = _around(m._joints, a.name) & _around(m._joints, b.name) - {a.name, b.name}
            if len(carriers) != 1:
                found = f"each of {', '.join(map(repr, sorted(carriers)))}" if carriers else "no body"
                raise ModelError(
                    f"{what}: {found} holds the axes of both '{a}' and '{b}' by revolute joints; name the body "
                    "that does, carrier=…."
                )
            (held,) = carriers
            middle = held if held == GROUND else f"{held}.angle"
        else:
            middle = GROUND if carrier is None else _or_ground(m, carrier)
        return _or_ground(m, a), _or_ground(m, b), middle


def _roll_on_line(m: Mechanism, line: Line, center: Point, radius: float, name: str) -> str:
    body, short = own_line(m, line).point.body, name.replace(".", " ")
    along = m._local(body, line.direction)
    place = [p + radius * n for p, n in zip(m.points_of(body)[line.point.name], perpendicular(along), strict=True)]
    m.pin_in_slot(Line(Handle(m, body).at(*place), line.direction), center, name=name)
    travel = m.coordinate(f"{short} travel", center, line.direction, origin=line.point)
    turn = f"{center.body}.angle"
    if body != GROUND:
        turn = f"{short} turn"
        m._measures.append(Angle(turn, center.body, body))
    m._couplings.append(Rack(name=name, rack=travel, pinion=turn, radius=-radius))
    return travel


def _roll_on_circle(m: Mechanism, circle: Circle, center: Point, radius: float, inside: bool, name: str) -> str:
    length = circle.radius - radius if inside else circle.radius + radius
    arm = m.bar(f"{name} arm".replace(".", " "), length=length)
    m.revolute(circle.center, arm.start)
    m.revolute(arm.end, center)
    m.gear(
        Handle(m, center.body),
        Handle(m, circle.center.body),
        teeth=(radius, circle.radius),
        internal=inside,
        carrier=arm,
        name=name,
    )
    return arm.angle


def _law_text(law: Law) -> str:
    """A law as a string."""
    return law if isinstance(law, str) else repr(law)


def _or_ground(m: Mechanism, body: Turning) -> str:
    """The name of an angle, or "ground", whose angle is zero and has no name."""
    return GROUND if isinstance(body, Handle) and body.name == GROUND else m._angle_name(body)


def _around(joints: Sequence[Joint], body: str) -> set[str]:
    """The bodies that hold an axis of this one: those pinned to it, and those pinned to the former at the same
    point."""
    pins = [(joint.a, joint.b) for joint in joints if joint.is_pin]
    found: set[str] = set()
    for start in {point for pin in pins for point in pin if point.rpartition(".")[0] == body}:
        points, more = {start}, {start}
        while more:
            more = {b for pin in pins for a, b in (pin, pin[::-1]) if a in points} - points
            points |= more
        found |= {point.rpartition(".")[0] for point in points}
    return found
