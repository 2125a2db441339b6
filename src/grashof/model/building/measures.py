"""Named angles, distances and coordinates, as methods of the builder."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.common.errors import ModelError
from grashof.model.bodies import GROUND
from grashof.model.building.base import Methods
from grashof.model.fields import Vector, dot, perpendicular, unit
from grashof.model.formula import has_formulas
from grashof.model.given import is_row, text
from grashof.model.handles import Handle, Point, own_body, own_point
from grashof.model.measures import Angle, Between, Coordinate, Separation
from grashof.scalar.algebra import norm


class MeasureMethods(Methods):
    """Measures, for the builder."""

    def angle(
        self,
        name: str,
        body: Handle,
        *,
        reference: Handle | None = None,
        axis: Sequence[float] | None = None,
        zero: Sequence[float] | None = None,
        direction: Sequence[float] | None = None,
    ) -> str:
        """Names the angle of a body relative to another (the ground by default), and returns the name.

        In the plane, the angle relative to the ground exists already: `crank.angle`.
        In space, it is the angle about `axis` from `zero` to the body's `direction`, both projected along the axis; all
        three are given in world axes at the guessed position. By default the angle is zero there, and the direction is
        the line of a bar or, for other bodies, the projection of the x axis at the guessed position, which then stays
        fixed in the body.
        """
        m = self._mechanism
        text("The name of an angle", name)
        own_name, other = own_body(m, body), GROUND if reference is None else own_body(m, reference)
        if m.dimension == 2:
            m._measures.append(Angle(name, own_name, other))
            return name
        if axis is None:
            raise ModelError(f"Angle '{name}': give the axis it turns about.")
        m._measures.append(self._spatial_angle(name, own_name, other, axis, zero, direction))
        return name

    def angle_between(self, name: str, first: tuple[Point, Point], second: tuple[Point, Point]) -> str:
        """Names the angle from one line to another, each through two points, positive counter-clockwise (plane), and
        returns the name. It is a quantity like all others: it can be plotted, varied in sweeps, and used in laws and
        events.

        The transmission angle of a four-bar is that between coupler and rocker, both seen from their common pin; the
        pressure angle of a slider-crank is that between its rod and its guide.

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("four-bar")
        >>> coupler, rocker = m.bar("coupler", length=1.0), m.bar("rocker", length=0.8)
        >>> m.angle_between("mu", (coupler.end, coupler.start), (rocker.end, rocker.start))
        'mu'
        """
        m, lines = self._mechanism, []
        text("The name of an angle", name)
        for given in (first, second):
            if not is_row(given) or len(given) != 2:
                raise ModelError(f"Angle '{name}': {given!r} is not a line; give two points, (coupler.C, coupler.B).")
            lines.append((str(own_point(m, given[0])), str(own_point(m, given[1]))))
        m._measures.append(Between(name, lines[0], lines[1]))
        return name

    def separation(self, name: str, a: Point, b: Point) -> str:
        """Names the distance between two points (m), and returns the name."""
        m = self._mechanism
        text("The name of a distance", name)
        m._measures.append(Separation(name, str(own_point(m, a)), str(own_point(m, b))))
        return name

    def coordinate(self, name: str, point: Point, direction: Sequence[float], *, origin: Point | None = None) -> str:
        """Names the coordinate of a point along a direction, measured from an origin (m), and returns the name.

        The direction is given in world axes at the guessed position and is fixed in the body of the origin. By default
        the origin is that of the ground.
        """
        m = self._mechanism
        text("The name of a coordinate", name)
        base = GROUND if origin is None else own_point(m, origin).body
        if not has_formulas(direction):
            direction = unit(m._vector(f"Coordinate '{name}': direction", direction))
        along = m._local(base, direction)
        m._measures.append(Coordinate(name, str(own_point(m, point)), along, "" if origin is None else str(origin)))
        return name

    # -- inside

    def _unit_of(self, quantity: str) -> str:
        """The unit of a quantity: rad for angles, m for all other measures, and the same per second for their rates."""
        measures = {measure.name: measure.unit for measure in self._mechanism._measures}
        source = quantity.removesuffix(".rate")
        unit = "rad" if measures.get(source) == "rad" or source.endswith(".angle") else "m"
        return unit if source == quantity else f"{unit}/s"

    def _spatial_angle(
        self,
        name: str,
        body: str,
        reference: str,
        axis: Sequence[float],
        zero: Sequence[float] | None = None,
        direction: Sequence[float] | None = None,
    ) -> Angle:
        m = self._mechanism
        about = np.array(unit(m._vector(f"Angle '{name}': axis", axis)))
        turned = m.rotation_of(body)[:, 0]
        own = np.array(turned if direction is None else m._vector(f"Angle '{name}': direction", direction))
        seen = own - about * dot(about, own)
        if norm(seen) < 1e-6 * norm(own):
            own = seen = np.array(perpendicular(tuple(about)))
        elif direction is None and not m._bodies[body].slender:
            own = seen
        start = seen if zero is None else m._vector(f"Angle '{name}': zero", zero)
        return Angle(
            name,
            body,
            reference,
            axis=m._local(reference, about),
            zero=m._local(reference, start),
            direction=m._local(body, own),
        )

    def _joint_angles(self) -> list[Angle]:
        """In space, each `body.angle` that is used but not declared, about the body's revolute joint with the
        ground."""
        m = self._mechanism
        if m.dimension == 2:
            return []
        used = [name for force in m._forces for name in (*force.targets(), *force.reads())]
        used += [motor.target for motor in m._motors]
        used += [name for coupling in m._couplings for name in coupling.names]
        used += [name for event in m._events for name in event.reads()]
        used += [condition.quantity for condition in (*m._needs, *m._wants)]
        declared = {measure.name for measure in m._measures}
        found = []
        for name in dict.fromkeys(used):
            body = name.removesuffix(".angle")
            if name == f"{body}.angle" and body in m._bodies and name not in declared:
                found.append(self._spatial_angle(name, body, GROUND, self._axis_on_ground(body)))
        return found

    def _axis_on_ground(self, body: str) -> Vector:
        axes = []
        for joint in self._mechanism._joints:
            if joint.is_pin and joint.axle and set(joint.bodies) == {GROUND, body}:
                axes.append((joint.axle.axis_a if joint.bodies[0] == GROUND else joint.axle.axis_b) or ())
        if not axes or any(abs(np.dot(axis, axes[0])) < 1.0 - 1e-9 for axis in axes):
            m = self._mechanism
            is_start = f"{body}.angle" in {condition.quantity for condition in (*m._needs, *m._wants)}
            turning = f" An angular velocity is given by m.need({body}, angular_velocity=(…))." if is_start else ""
            raise ModelError(
                f"'{body}.angle' has no axis in space unless a revolute joint with the ground gives body '{body}' one; "
                f"name an angle, m.angle('turn', {body}, axis=(…)), and use that.{turning}"
            )
        return axes[0]
