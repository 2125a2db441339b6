"""Friction, stops, contacts, bushings and inerters, as methods of the builder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from grashof.common.errors import ModelError
from grashof.model.building.base import GivenLaw, Methods, usual_name
from grashof.model.converting import measured_unit
from grashof.model.fields import Vector
from grashof.model.forces import Bushing, Contact, Friction, Inerter, SpatialContact, Stop
from grashof.model.forces.friction import SLIP_SPEED
from grashof.model.formula import Formula
from grashof.model.given import Number, text
from grashof.model.handles import Circle, Handle, Line, Plane, Point, Sphere, own_line, own_point
from grashof.model.joints import Joint

if TYPE_CHECKING:
    from grashof.model.mechanism import Mechanism


class ContactMethods(Methods):
    """Friction, stops, contacts, bushings and inerters, for the builder."""

    def friction(
        self,
        joint: Joint | str,
        *,
        viscous: GivenLaw = 0.0,
        coulomb: GivenLaw = 0.0,
        mu: GivenLaw = 0.0,
        radius: Number = 0.0,
        slip_speed: Number = SLIP_SPEED,
        static: GivenLaw = 0.0,
        name: str | None = None,
    ) -> None:
        """Friction in a joint; see `Friction`.

        It has up to three parts: viscous friction, Coulomb friction of a given magnitude, and Coulomb friction
        proportional to the joint reaction. They are forces in joints that slide, and torques in joints that only turn.

        slip_speed   below which Coulomb friction is smooth; with 0 it is exact: the joint sticks until the load exceeds
                     `coulomb`, or `static` if that is larger
        """
        m = self._mechanism
        which = text("The joint of a friction", joint if isinstance(joint, str) else getattr(joint, "name", joint))
        called = usual_name(name, "friction", which)
        slip = next((joint.slip_unit for joint in m._joints if joint.name == which), None)

        def unit(field: str) -> str | None:
            return slip and measured_unit(field, slip)

        m._forces.append(
            Friction(
                name=called,
                joint=which,
                viscous=m._law(f"Force '{called}': viscous", viscous, unit("viscous")),
                coulomb=m._law(f"Force '{called}': coulomb", coulomb, unit("coulomb")),
                mu=m._law(f"Force '{called}': mu", mu),
                radius=m._number(f"Force '{called}': radius", radius, "m"),
                slip_speed=m._number(f"Force '{called}': slip_speed", slip_speed, unit("slip_speed")),
                static=m._law(f"Force '{called}': static", static, unit("static")),
            )
        )

    def bushing(
        self,
        a: Point,
        b: Point,
        *,
        stiffness: Number | Sequence[Number],
        damping: Number | Sequence[Number] = 0.0,
        rotational_stiffness: Number | Sequence[Number] = 0.0,
        rotational_damping: Number | Sequence[Number] = 0.0,
        axis: Sequence[float] | None = None,
        normal: Sequence[float] | None = None,
        name: str | None = None,
    ) -> None:
        """A bushing: springs and dampers along and about `axis`, `normal` and the third axis; see `Bushing`.

        The axes are given in world axes at the guessed position, where the rotational springs are unloaded; the default
        is x and y. A single number applies to all axes.
        """
        m = self._mechanism
        first, second = str(own_point(m, a)), str(own_point(m, b))
        called = usual_name(name, "bushing", f"{first}~{second}")
        turns = 1 if m.dimension == 2 else 3

        def given(field: str, value: Number | Sequence[Number], count: int, unit: str) -> Vector:
            words = f"Force '{called}': {field}"
            is_number = isinstance(value, int | float | str | Formula)
            return (m._number(words, value, unit),) * count if is_number else m._numbers(words, value, count, unit)

        first_axis = (1.0, 0.0, 0.0)[: m.dimension] if axis is None else axis
        second_axis = (0.0, 1.0, 0.0) if normal is None else normal
        m._forces.append(
            Bushing(
                name=called,
                a=first,
                b=second,
                stiffness=given("stiffness", stiffness, m.dimension, "N/m"),
                damping=given("damping", damping, m.dimension, "N s/m"),
                rotational_stiffness=given("rotational_stiffness", rotational_stiffness, turns, "N m/rad"),
                rotational_damping=given("rotational_damping", rotational_damping, turns, "N m s/rad"),
                axis_a=m._local(a.body, first_axis),
                axis_b=m._local(b.body, first_axis),
                normal_a=() if m.dimension == 2 else m._local(a.body, second_axis),
                normal_b=() if m.dimension == 2 else m._local(b.body, second_axis),
            )
        )

    def stop(
        self,
        measure: Handle | str,
        *,
        lower: Number | None = None,
        upper: Number | None = None,
        stiffness: Number = 0.0,
        damping: Number = 0.0,
        exponent: Number = 1.5,
        viscous: Number = 0.0,
        width: Number = 1e-3,
        restitution: Number | None = None,
        name: str | None = None,
    ) -> None:
        """Keeps a measure or a body's angle between limits (m, rad).

        The stop is compliant if a stiffness is given, and rigid if a restitution is given; see `Stop`.
        """
        m = self._mechanism
        target = m._angle_name(measure)
        called = usual_name(name, "stop", target)

        def given(field: str, value: Number, unit: str | None = None) -> float:
            return m._number(f"Force '{called}': {field}", value, unit)

        of = m._unit_of(target)
        m._forces.append(
            Stop(
                name=called,
                measure=target,
                lower=None if lower is None else given("lower", lower, of),
                upper=None if upper is None else given("upper", upper, of),
                stiffness=given("stiffness", stiffness),
                damping=given("damping", damping),
                exponent=given("exponent", exponent),
                viscous=given("viscous", viscous, measured_unit("viscous", of)),
                width=given("width", width, of),
                restitution=None if restitution is None else given("restitution", restitution),
            )
        )

    def contact(
        self,
        a: Line | Circle | Point | Plane | Sphere,
        b: Circle | Point | Sphere,
        *,
        ends: bool = False,
        inside: bool = False,
        thickness: Number = 0.0,
        stiffness: Number = 0.0,
        damping: Number = 0.0,
        exponent: Number = 1.5,
        viscous: Number = 0.0,
        width: Number = 1e-3,
        restitution: Number | None = None,
        mu: Number = 0.0,
        slip_speed: Number = SLIP_SPEED,
        impact: str = "newton",
        name: str | None = None,
    ) -> None:
        """Contact of a point or a circle b with a line or a circle a of another body in the plane, see `Contact`; or of
        a point, a sphere or a circle b with a plane or a sphere a in space, see `SpatialContact`.

        The free side of a line is on its left, that of a plane on the side of its normal. With `ends` the line is the
        part between its two points, and has two sides. It may have a thickness (m). With `inside`, b is inside the
        circle or sphere a. `viscous` and `width` exist in space only, `impact` in the plane only.

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("ball on a floor", gravity=(0, -9.81))
        >>> ball = m.body("ball", mass=1.0, inertia=0.004, position=(0, 1))
        >>> floor = m.ground.line((0, 0), (1, 0))
        >>> m.contact(floor, ball.circle((0, 0), 0.1), stiffness=1e6, mu=0.3, name="floor")
        """
        m = self._mechanism
        (first, axis, length, radius_a), (second, axis_b, _, radius_b) = _outline(m, a), _outline(m, b)
        called = usual_name(name, "contact", f"{first}~{second}")

        def given(field: str, value: Number, unit: str | None = None) -> float:
            return m._number(f"Force '{called}': {field}", value, unit)

        if isinstance(b, Line | Plane):
            raise ModelError(f"Force '{called}': the line or plane comes first: m.contact(line, circle or point).")
        if (ends or thickness) and not isinstance(a, Line):
            raise ModelError(f"Force '{called}': 'ends' and 'thickness' are those of a line; give a line first.")
        common: dict[str, Any] = {
            "name": called,
            "a": str(first),
            "b": str(second),
            "radius_b": radius_b,
            "inside": inside,
            "stiffness": given("stiffness", stiffness),
            "damping": given("damping", damping),
            "exponent": given("exponent", exponent),
            "restitution": None if restitution is None else given("restitution", restitution),
            "mu": given("mu", mu),
            "slip_speed": given("slip_speed", slip_speed, "m/s"),
        }
        if m.dimension == 3:
            if isinstance(a, Line | Circle):
                raise ModelError(f"Force '{called}': in space a contact begins with a plane or a sphere.")
            if impact != "newton":
                raise ModelError(f"Force '{called}': 'impact' is that of rigid contacts in the plane; leave it out.")
            soft: dict[str, Any] = {"viscous": given("viscous", viscous, "N s/m"), "width": given("width", width, "m")}
            m._forces.append(SpatialContact(normal_a=axis, radius_a=radius_a, axis_b=axis_b, **soft, **common))
            return
        if viscous:
            raise ModelError(f"Force '{called}': 'viscous' is that of contacts in space; use 'damping'.")
        m._forces.append(
            Contact(
                axis_a=m._local(first.body, axis) if axis else (),
                length=length if ends else 0.0,
                radius_a=0.5 * given("thickness", thickness, "m") if axis else radius_a,
                impact=text(f"Force '{called}': impact", impact),
                **common,
            )
        )

    def inerter(self, measure: Handle | str, inertance: Number, *, name: str | None = None) -> None:
        """An inertia J that resists the acceleration of a measure or of a body's angle with −J m̈, such as that of a
        motor's rotor: kg m² for an angle, kg for a distance; see `Inerter`."""
        m = self._mechanism
        target = m._angle_name(measure)
        called = usual_name(name, "inerter", target)
        unit = "kg m^2" if m._unit_of(target) == "rad" else "kg"
        size = m._number(f"Force '{called}': inertance", inertance, unit)
        m._forces.append(Inerter(name=called, measure=target, inertance=size))


def _outline(m: Mechanism, shape: Line | Circle | Point | Plane | Sphere) -> tuple[Point, Vector, float, float]:
    """A shape: its point, the direction of a line, plane or circle in space, the length of a line, and a radius."""
    if isinstance(shape, Line):
        return own_line(m, shape).point, shape.direction, shape.length, 0.0
    if isinstance(shape, Plane):
        return own_point(m, shape.point), shape.normal, 0.0, 0.0
    if isinstance(shape, Circle):
        return own_point(m, shape.center), shape.axis, 0.0, shape.radius
    if isinstance(shape, Sphere):
        return own_point(m, shape.center), (), 0.0, shape.radius
    return own_point(m, shape), (), 0.0, 0.0
