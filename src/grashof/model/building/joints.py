"""Joints, as methods of the builder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from grashof.common.errors import ModelError
from grashof.model import joints as kinds
from grashof.model.bodies import GROUND
from grashof.model.building.base import Methods
from grashof.model.fields import Vector, dot, perpendicular, unit
from grashof.model.formula import has_formulas
from grashof.model.given import Number, numbers
from grashof.model.handles import Handle, Line, Point, own_line, own_point
from grashof.model.joints import Joint


class JointMethods(Methods):
    """Joints, for the builder."""

    def revolute(
        self,
        a: Point | Handle,
        b: Point | Handle,
        *,
        axis: Sequence[float] | None = None,
        at: Sequence[Number] | None = None,
        name: str | None = None,
    ) -> Joint:
        """A pin or hinge: the two points coincide, and the bodies turn relative to each other.

        In space they turn about `axis`, given in world axes at the guessed position. Instead of points, two bodies may
        be given with the place where they meet, in world axes at their guessed positions: revolute(crank, rod,
        at=(0.2, 0.1)).
        """
        m = self._mechanism
        a, b = self._meeting(a, b, at)
        if m.dimension == 2 and axis is not None and numbers("Revolute: axis", axis) in ((0, 0, 1), (0, 0, -1)):
            axis = None  # in the plane there is only one axis
        return m._join(kinds.Revolute, a, b, name, axis=axis)

    def slider(self, a: Line, b: Line | Point, *, name: str | None = None) -> Joint:
        """A line or a point of one body that slides along line a of another (plane).

        If b is a line, its body slides without turning, as in `prismatic`; in a file this is a "slider". If b is a
        point, it stays on the line and its body is free to turn, as in `pin_in_slot`; in a file this is a "pin in
        slot".

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("slider crank")
        >>> rod = m.bar("rod", length=0.5, mass=0.5)
        >>> guide = m.slider(m.ground.line((0, 0), (1, 0)), rod.end)
        """
        m = self._mechanism
        if isinstance(a, Point):
            given = f"the points '{a}' and '{b}'" if isinstance(b, Point) else f"the point '{a}' first"
            raise ModelError(
                f"m.slider was given {given}; its first argument is the line on which something slides, such as "
                f"m.{'ground' if a.body == GROUND else 'body'}.line((0, 0), (1, 0)), its second the point or "
                "line that slides there. "
                "With two points, write m.prismatic(a, b, axis=(1, 0)), which keeps b's body from turning."
            )
        if isinstance(b, Point):
            return self.pin_in_slot(a, b, name=name)
        line_a, line_b = own_line(m, a), own_line(m, b)
        return m._add(
            kinds.Slider(
                name=m._joint_name(name, line_a.point, line_b.point),
                a=str(line_a.point),
                b=str(line_b.point),
                axis_a=m._local(line_a.point.body, line_a.direction),
                axis_b=m._local(line_b.point.body, line_b.direction),
            )
        )

    def pin_in_slot(self, slot: Line, pin: Point, *, name: str | None = None) -> Joint:
        """A pin in a slot: a point of one body stays on a line of another, and the bodies are free to turn (plane)."""
        m = self._mechanism
        line = own_line(m, slot)
        axis = m._local(line.point.body, line.direction)
        joint_name = m._joint_name(name, line.point, own_point(m, pin))
        return m._add(kinds.PinInSlot(name=joint_name, a=str(line.point), b=str(pin), axis_a=axis))

    def slot(
        self,
        slot: Line,
        pin: Point,
        *,
        clearance: Number = 0.0,
        stiffness: Number = 0.0,
        damping: Number = 0.0,
        exponent: Number = 1.5,
        restitution: Number | None = None,
        name: str | None = None,
    ) -> Joint:
        """A pin in a slot that ends (plane): from the start of a line of one body to its end; see `Slot`.

        The clearance (m) is the width of the slot less the diameter of the pin. The ends and sides are compliant if a
        stiffness is given, and rigid if a restitution is given, as for `stop`.

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("latch", gravity=(0, -9.81))
        >>> arm = m.bar("arm", length=0.5, mass=0.5)
        >>> slot = m.slot(m.ground.line((0, 0), (0.2, 0)), arm.start, restitution=0.3, name="slot")
        >>> slot.length
        0.2
        """
        m = self._mechanism
        line = own_line(m, slot)
        joint_name = m._joint_name(name, line.point, own_point(m, pin))

        def given(field: str, value: Number, unit: str | None = None) -> float:
            return m._number(f"Joint '{joint_name}': {field}", value, unit)

        return m._add(
            kinds.Slot(
                name=joint_name,
                a=str(line.point),
                b=str(pin),
                length=line.length,
                axis_a=m._local(line.point.body, line.direction),
                clearance=given("clearance", clearance, "m"),
                stiffness=given("stiffness", stiffness),
                damping=given("damping", damping),
                exponent=given("exponent", exponent),
                restitution=None if restitution is None else given("restitution", restitution),
            )
        )

    def point_on_line(self, a: Point, b: Point, *, axis: Sequence[float], name: str | None = None) -> Joint:
        """Point b stays on the line through a, along an `axis` of a's body (world axes at the guessed position; space).

        Everything else is free, as for a bead on a wire: b slides along the line, and its body turns about the point in
        any way.
        """
        m = self._mechanism
        joint_name = m._joint_name(name, a, b)
        return m._add(kinds.PointOnLine(name=joint_name, a=str(a), b=str(b), axis_a=m._local(a.body, axis)))

    def prismatic(self, a: Point, b: Point, *, axis: Sequence[float], name: str | None = None) -> Joint:
        """Body b slides relative to body a along `axis` without turning (plane or space).

        The axis is given in world axes at the guessed position. Point b stays on the line through point a.
        """
        m = self._mechanism
        normal = None if m.dimension == 2 else perpendicular(unit(m._vector("An axis", axis)))
        return m._join(kinds.Slider, a, b, name, axis=axis, normal=normal)

    def cylindrical(self, a: Point, b: Point, *, axis: Sequence[float], name: str | None = None) -> Joint:
        """Body b turns about `axis` and slides along it (world axes at the guessed position; space)."""
        m = self._mechanism
        return m._join(kinds.Cylindrical, a, b, name, axis=axis)

    def spherical(
        self, a: Point | Handle, b: Point | Handle, *, at: Sequence[Number] | None = None, name: str | None = None
    ) -> Joint:
        """A ball joint: the two points coincide, and all rotations are free (space); `at` as for `revolute`."""
        m = self._mechanism
        a, b = self._meeting(a, b, at)
        return m._join(kinds.Spherical, a, b, name)

    def universal(
        self, a: Point, b: Point, *, axis_a: Sequence[float], axis_b: Sequence[float], name: str | None = None
    ) -> Joint:
        """A universal (Cardan) joint: a cross with one arm along axis_a in a's body and the other along axis_b in b's.

        The two axes are given in world axes at the guessed position and must be at right angles. Space only.
        """
        m = self._mechanism
        return m._add(
            kinds.Universal(
                name=m._joint_name(name, a, b),
                a=str(a),
                b=str(b),
                axis_a=m._local(a.body, axis_a),
                axis_b=m._local(b.body, axis_b),
            )
        )

    def planar(self, a: Point, b: Point, *, normal: Sequence[float], name: str | None = None) -> Joint:
        """A planar joint: two faces with this normal (world axes at the guessed position; space) slide on each
        other."""
        m = self._mechanism
        return m._join(kinds.Plane, a, b, name, normal=normal)

    def knife_edge(self, a: Point, b: Point, *, normal: Sequence[float], name: str | None = None) -> Joint:
        """A knife edge, skate or wheel at point b, which does not slip sideways on the body of point a.

        Its `normal` is the direction across the blade, in world axes at the guessed position. The body of point b moves
        along the blade and turns; where it gets is not restricted. In space, another joint has to keep it on its track.

        >>> import grashof as gr
        >>> m = gr.Mechanism("sleigh")
        >>> sleigh = m.body("sleigh", mass=1.0, inertia=0.2, center=(0.3, 0))
        >>> blade = m.knife_edge(m.ground.at(0, 0), sleigh.at(0, 0), normal=(0, 1))
        """
        m = self._mechanism
        joint_name = m._joint_name(name, a, b)
        return m._add(kinds.KnifeEdge(name=joint_name, a=str(a), b=str(b), normal_b=m._local(b.body, normal)))

    def rolling_wheel(
        self,
        a: Point,
        b: Point,
        *,
        radius: Number,
        axis: Sequence[float],
        normal: Sequence[float] = (0.0, 0.0, 1.0),
        name: str | None = None,
    ) -> Joint:
        """A thin wheel around point b that rolls without slipping on the plane through point a (space).

        The wheel has this radius (m) and `axis`, and may be inclined; the plane has this `normal` and belongs to a's
        body, which may move. Both directions are given in world axes at the guessed position.

        >>> import grashof as gr
        >>> m = gr.Mechanism("coin", gravity=(0, 0, -9.81))
        >>> coin = m.body("coin", mass=0.01, inertia=(2e-6, 1e-6, 1e-6))
        >>> m.guess(coin, (0, 0, 0.02))
        >>> rolling = m.rolling_wheel(m.ground.at(0, 0, 0), coin.at(0, 0, 0), radius=0.02, axis=(1, 0, 0))
        """
        m = self._mechanism
        if not has_formulas([*axis, *normal]) and abs(dot(unit(tuple(axis)), unit(tuple(normal)))) > 1.0 - 1e-12:
            raise ModelError(
                f"A rolling wheel around '{b}' has its axis along the normal of the plane: it would lie flat on it and "
                "touch it everywhere. Incline the wheel."
            )
        return self._rolling(kinds.RollingWheel, a, b, radius, normal, name, axis_b=m._local(b.body, axis))

    def rolling_ball(
        self, a: Point, b: Point, *, radius: Number, normal: Sequence[float] = (0.0, 0.0, 1.0), name: str | None = None
    ) -> Joint:
        """A ball around point b that rolls without slipping on the plane through point a (space).

        The ball has this radius (m). The plane has this `normal`, given in world axes at the guessed position, and
        belongs to a's body, which may move.
        """
        return self._rolling(kinds.RollingBall, a, b, radius, normal, name)

    def _meeting(self, a: Point | Handle, b: Point | Handle, at: Sequence[Number] | None) -> tuple[Point, Point]:
        """The points that a joint connects, also if two bodies and the place where they meet are given."""
        if at is None:
            given = [x for x in (a, b) if isinstance(x, Handle)]
            if given:
                raise ModelError(
                    f"'{given[0]}' is a body; give one of its points, or the place where the bodies meet: at=(…)."
                )
        found = [x.at_world(*at) if isinstance(x, Handle) and at is not None else x for x in (a, b)]
        return found[0], found[1]  # type: ignore[return-value]

    def _rolling(
        self,
        kind: Any,
        a: Point,
        b: Point,
        radius: Number,
        normal: Sequence[float],
        name: str | None,
        **directions: Vector,
    ) -> Joint:
        m = self._mechanism
        joint_name = m._joint_name(name, a, b)
        size = m._number(f"Joint '{joint_name}': radius", radius, "m")
        across = m._local(a.body, normal)
        return m._add(kind(name=joint_name, a=str(a), b=str(b), radius=size, normal_a=across, **directions))

    def weld(
        self, a: Point | Handle, b: Point | Handle, *, at: Sequence[Number] | None = None, name: str | None = None
    ) -> Joint:
        """Joins two bodies rigidly: the points coincide, and the relative orientation is that of the guessed
        positions; `at` as for `revolute`."""
        m = self._mechanism
        a, b = self._meeting(a, b, at)
        first: Vector = (1.0, 0.0) if m.dimension == 2 else (1.0, 0.0, 0.0)
        normal = None if m.dimension == 2 else (0.0, 1.0, 0.0)
        return m._join(kinds.Weld, a, b, name, axis=first, normal=normal)

    def distance(self, a: Point, b: Point, length: Number, *, name: str | None = None) -> Joint:
        """A massless rod of the given length (m) between two points."""
        m = self._mechanism
        joint_name = m._joint_name(name, a, b)
        span = m._number(f"Joint '{joint_name}': length", length, "m")
        return m._add(kinds.Distance(name=joint_name, a=str(a), b=str(b), length=span))
