"""Gears, belts, racks, worms, screws, differentials and other couplings, as methods of the builder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from grashof.errors import ModelError
from grashof.model.bodies import GROUND
from grashof.model.couplings import Belt, Coupling, Differential, Gear, Linear, Rack, Screw, Worm
from grashof.model.given import number, numbers, text
from grashof.model.handles import Handle, Point
from grashof.model.joints import Joint, Revolute
from grashof.model.measures import Angle, Measure

Turning = Handle | str
"""A body, which stands for its angle, or an angle by its name."""


class Builder(Protocol):
    """What these methods need of the builder."""

    _couplings: list[Coupling]
    _joints: list[Joint]
    _measures: list[Measure]

    def coordinate(self, name: str, point: Point, direction: Sequence[float], *, origin: Point) -> str: ...

    def cylindrical(self, a: Point, b: Point, *, axis: Sequence[float], name: str | None) -> Joint: ...

    def _angle_name(self, target: Turning) -> str: ...

    def _spatial_angle(self, name: str, body: str, reference: str, axis: Sequence[float]) -> Angle: ...

    def _add_coupling(self, coupling: Coupling) -> None: ...

    def _pair(self, a: Turning, b: Turning, carrier: Turning | None, what: str) -> tuple[str, str, str]: ...


class CouplingMethods:
    """Couplings, for the builder."""

    def coupling(
        self: Builder,
        terms: Mapping[Turning, float],
        law: str | float | None = None,
        *,
        name: str | None = None,
    ) -> None:
        """Ties measures by Σ cᵢ mᵢ = f(t): a body stands for its angle, a text for any measure or coordinate such as "rod.end.x".

        terms   the factor of each measure
        law     f, as an expression in t or a number; unless given, the sum keeps the value that it has at the start
        """
        factors = {
            self._angle_name(target): number(f"The factor of '{target}'", factor) for target, factor in terms.items()
        }
        called = _name(name, "coupling", *factors)
        written = law if law is None or isinstance(law, str) else repr(number(f"Coupling '{called}': law", law))
        self._add_coupling(Linear(name=called, terms=factors, law=written))

    def gear(
        self: Builder,
        a: Turning,
        b: Turning,
        *,
        teeth: Sequence[float],
        internal: bool = False,
        carrier: Turning | None = None,
        name: str | None = None,
    ) -> None:
        """Two gears with these numbers of teeth (or pitch radii); `internal` if one is a ring around the other.

        The carrier is the body that holds both axes. Of bodies it is found by their pins; of angles it is the ground unless given. A ring
        that stands still is `m.ground`.

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
        called = _name(name, "gear", a, b)
        first, second, held = self._pair(a, b, carrier, f"Coupling '{called}'")
        z_a, z_b = numbers(f"Coupling '{called}': teeth", teeth, 2)
        self._add_coupling(
            Gear(name=called, a=first, b=second, teeth=(z_a, z_b), internal=bool(internal), carrier=held)
        )

    def belt(
        self: Builder,
        a: Turning,
        b: Turning,
        *,
        radii: Sequence[float],
        crossed: bool = False,
        carrier: Turning | None = None,
        name: str | None = None,
    ) -> None:
        """A belt or chain around two wheels with these radii (m); the carrier is found as for gears."""
        called = _name(name, "belt", a, b)
        first, second, held = self._pair(a, b, carrier, f"Coupling '{called}'")
        r_a, r_b = numbers(f"Coupling '{called}': radii", radii, 2)
        self._add_coupling(Belt(name=called, a=first, b=second, radii=(r_a, r_b), crossed=bool(crossed), carrier=held))

    def rack(self: Builder, rack: str, pinion: Turning, *, radius: float, name: str | None = None) -> None:
        """A rack whose coordinate (such as "rack.tooth.y", or one named by `m.coordinate`) is moved by radius × angle of the pinion."""
        turn = self._angle_name(pinion)
        called = _name(name, "rack", rack, pinion)
        travel = text(f"Coupling '{called}': the coordinate of the rack", rack)
        self._add_coupling(
            Rack(name=called, rack=travel, pinion=turn, radius=number(f"Coupling '{called}': radius", radius))
        )

    def worm(
        self: Builder,
        worm: Turning,
        wheel: Turning,
        *,
        teeth: float,
        starts: float = 1,
        hand: Any = "right",
        name: str | None = None,
    ) -> None:
        """A worm that turns a wheel by starts/teeth of its own angle; see `Worm` for the directions."""
        called = _name(name, "worm", worm, wheel)
        if hand not in ("right", "left"):
            raise ModelError(f"Coupling '{called}': hand is {hand!r}; it must be 'right' or 'left'.")
        self._add_coupling(
            Worm(
                name=called,
                wheel=self._angle_name(wheel),
                worm=self._angle_name(worm),
                teeth=number(f"Coupling '{called}': teeth", teeth),
                starts=number(f"Coupling '{called}': starts", starts),
                hand=hand,
            )
        )

    def screw(
        self: Builder, a: Point, b: Point, *, axis: Sequence[float], lead: float, name: str | None = None
    ) -> None:
        """A screw joint in space: b turns about and slides along `axis` (world axes at the guessed position), `lead` metres a turn.

        It is a cylindrical joint and a coupling of the measures `NAME turn` and `NAME travel`; a left-handed thread has a negative lead.
        """
        called = _name(name, "screw", a, b)
        self.cylindrical(a, b, axis=axis, name=called)
        short = called.replace(".", " ")
        turn = self._spatial_angle(f"{short} turn", b.body, a.body, axis)
        self._measures.append(turn)
        travel = self.coordinate(f"{short} travel", b, axis, origin=a)
        pitch = number(f"Coupling '{called}': lead", lead)
        self._add_coupling(Screw(name=called, travel=travel, turn=turn.name, lead=pitch))

    def differential(self: Builder, a: Turning, b: Turning, carrier: Turning, *, name: str | None = None) -> None:
        """Two shafts whose mean angle is that of the carrier."""
        first, second, held = (self._angle_name(x) for x in (a, b, carrier))
        self._add_coupling(Differential(name=_name(name, "differential", a, b), a=first, b=second, carrier=held))

    # -- inside

    def _add_coupling(self: Builder, coupling: Coupling) -> None:
        self._couplings.append(coupling)

    def _pair(self: Builder, a: Turning, b: Turning, carrier: Turning | None, what: str) -> tuple[str, str, str]:
        """The angles of two wheels and of their carrier, by name."""
        if carrier is None and isinstance(a, Handle) and isinstance(b, Handle):
            carriers = _around(self._joints, a.name) & _around(self._joints, b.name) - {a.name, b.name}
            if len(carriers) != 1:
                found = " and ".join(f"'{x}'" for x in sorted(carriers)) or "no body"
                raise ModelError(
                    f"{what}: {found} holds the axes of both '{a}' and '{b}' by revolute joints; say which with carrier=."
                )
            (held,) = carriers
            middle = held if held == GROUND else f"{held}.angle"
        else:
            middle = GROUND if carrier is None else _or_ground(self, carrier)
        return _or_ground(self, a), _or_ground(self, b), middle


def _or_ground(builder: Builder, body: Turning) -> str:
    """The name of an angle; that of the ground is zero and has none."""
    return GROUND if isinstance(body, Handle) and body.name == GROUND else builder._angle_name(body)


def _around(joints: Sequence[Joint], body: str) -> set[str]:
    """The bodies that hold one of its axes in place: those pinned to it, and those pinned to these at the same point."""
    pins = [(joint.a, joint.b) for joint in joints if isinstance(joint, Revolute)]
    found: set[str] = set()
    for start in {point for pin in pins for point in pin if point.rpartition(".")[0] == body}:
        points, more = {start}, {start}
        while more:
            more = {b for pin in pins for a, b in (pin, pin[::-1]) if a in points} - points
            points |= more
        found |= {point.rpartition(".")[0] for point in points}
    return found


def _name(name: str | None, kind: str, *parts: object) -> str:
    return f"{kind} {' '.join(map(str, parts))}" if name is None else text("A name", name)
