"""Joints, as methods of the builder."""

from __future__ import annotations

from collections.abc import Sequence

from grashof.model import joints as kinds
from grashof.model.building.base import Methods
from grashof.model.fields import Vector, perpendicular, unit
from grashof.model.given import Number
from grashof.model.handles import Line, Point, own_line, own_point
from grashof.model.joints import Joint


class JointMethods(Methods):
    """Joints, for the builder."""

    def revolute(self, a: Point, b: Point, *, axis: Sequence[float] | None = None, name: str | None = None) -> Joint:
        """A pin; in space about `axis`, given in world axes at the guessed position."""
        m = self._mechanism
        return m._join(kinds.Revolute, a, b, name, axis=axis)

    def slider(self, a: Line, b: Line | Point, *, name: str | None = None) -> Joint:
        """Line b slides along line a without turning (plane); a point b only stays on the line: a pin in a slot."""
        m = self._mechanism
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
        """A point of one body stays on a line of another (plane)."""
        m = self._mechanism
        line = own_line(m, slot)
        axis = m._local(line.point.body, line.direction)
        joint_name = m._joint_name(name, line.point, own_point(m, pin))
        return m._add(kinds.PinInSlot(name=joint_name, a=str(line.point), b=str(pin), axis_a=axis))

    def point_on_line(self, a: Point, b: Point, *, axis: Sequence[float], name: str | None = None) -> Joint:
        """Point b stays on the line through a, along an `axis` of a's body (world axes at the guessed position; space)."""
        m = self._mechanism
        joint_name = m._joint_name(name, a, b)
        return m._add(kinds.PointOnLine(name=joint_name, a=str(a), b=str(b), axis_a=m._local(a.body, axis)))

    def prismatic(self, a: Point, b: Point, *, axis: Sequence[float], name: str | None = None) -> Joint:
        """Slides along `axis` (world axes at the guessed position) without turning."""
        m = self._mechanism
        normal = None if m.dimension == 2 else perpendicular(unit(m._vector("An axis", axis)))
        return m._join(kinds.Slider, a, b, name, axis=axis, normal=normal)

    def cylindrical(self, a: Point, b: Point, *, axis: Sequence[float], name: str | None = None) -> Joint:
        """Turns about and slides along `axis` (world axes at the guessed position; space)."""
        m = self._mechanism
        return m._join(kinds.Cylindrical, a, b, name, axis=axis)

    def spherical(self, a: Point, b: Point, *, name: str | None = None) -> Joint:
        """A ball joint (space)."""
        m = self._mechanism
        return m._join(kinds.Spherical, a, b, name)

    def universal(
        self, a: Point, b: Point, *, axis_a: Sequence[float], axis_b: Sequence[float], name: str | None = None
    ) -> Joint:
        """A cross whose arms are axis_a in a's body and axis_b in b's (world axes at the guessed position; space)."""
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
        """A face on a face with this normal (world axes at the guessed position; space)."""
        m = self._mechanism
        return m._join(kinds.Plane, a, b, name, normal=normal)

    def weld(self, a: Point, b: Point, *, name: str | None = None) -> Joint:
        """Joins two bodies rigidly, in the relative attitude of their guesses."""
        m = self._mechanism
        first: Vector = (1.0, 0.0) if m.dimension == 2 else (1.0, 0.0, 0.0)
        normal = None if m.dimension == 2 else (0.0, 1.0, 0.0)
        return m._join(kinds.Weld, a, b, name, axis=first, normal=normal)

    def distance(self, a: Point, b: Point, length: Number, *, name: str | None = None) -> Joint:
        """A massless rod of this length (m) between two points."""
        m = self._mechanism
        joint_name = m._joint_name(name, a, b)
        span = m._number(f"Joint '{joint_name}': length", length, "m")
        return m._add(kinds.Distance(name=joint_name, a=str(a), b=str(b), length=span))
