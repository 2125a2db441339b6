"""Bodies and their points, as methods of the builder."""

from __future__ import annotations

import reprlib
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from grashof.common.errors import ModelError
from grashof.model.bodies import Bar, Body, RigidBody
from grashof.model.building.base import Methods
from grashof.model.building.inertias import central_inertia, pose_through, turned_inertia
from grashof.model.building.outlines import measure_outline
from grashof.model.building.start import suspect_degrees
from grashof.model.fields import Vector, dot, perpendicular, unit
from grashof.model.formula import has_formulas, span, value_of
from grashof.model.given import Number, is_row, text
from grashof.model.handles import Handle
from grashof.model.rotations import quaternion
from grashof.model.start import Pose
from grashof.scalar import atan2, sqrt
from grashof.scalar.algebra import norm
from grashof.scalar.functions import Scalar

_ABOVE = ((0, 1), (0, 2), (1, 2))
"""The entries of a matrix above its diagonal, in the order xy, xz, yz."""


class BodyMethods(Methods):
    """Bodies and their points, for the builder."""

    def body(
        self,
        name: str,
        *,
        mass: Number = 0.0,
        center: Sequence[Number] | None = None,
        inertia: Number | Sequence[Number] | Sequence[Sequence[Number]] | None = None,
        points: Mapping[str, Sequence[Number]] | None = None,
        position: Sequence[Number] | None = None,
        angle: Number = 0.0,
        rotation: Sequence[float] | None = None,
        about: Sequence[Number] | None = None,
        axes: Number | Sequence[Sequence[float]] | None = None,
        at: Mapping[str, Sequence[Number]] | None = None,
    ) -> Handle:
        """A general rigid body.

        mass       kg
        center     centre of mass in the body's own axes, m; by default their origin
        inertia    about the centre of mass, kg m²: a number in the plane; (Ixx, Iyy, Izz), (Ixx, Iyy, Izz, Ixy, Ixz,
                   Iyz) or the symmetric 3 × 3 matrix of these in space
        points     named points in the body's own axes, m: {"pin": (0.1, 0)}; `body.at(0.1, 0)` adds one later
        position, angle, rotation   a guess of the initial position: the body's origin, m, and its angle, rad, or in
                   space its orientation as a quaternion w, x, y, z
        about      the point about which the inertia is given, in the body's own axes, m, if it is not the centre of
                   mass: CAD programs often give it about the origin of a drawing
        axes       the axes in which the inertia is given, if they are not the body's own: three unit vectors in the
                   body's axes (space)
        at         the same guess by the places of some of its points in world axes, m: {"A": (0, 0), "B": (1, 0.5)};
                   two points in the plane, two or three in space

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("piston")
        >>> piston = m.body("piston", mass=0.8, inertia=1e-3, points={"pin": (0, 0), "face": ("30 mm", 0)})
        >>> print(piston.face)
        piston.face
        """
        m, owner = self._mechanism, self._new(name)
        zero = (0.0,) * m.dimension
        words = f"{owner}: inertia"
        entries = (0.0 if m.dimension == 2 else (0.0, 0.0, 0.0)) if inertia is None else _entries(words, inertia)
        given = (m._numbers if is_row(entries) else m._number)(words, entries, unit="kg m2")
        place = zero if center is None else m._place(f"{owner}: center", center)
        if points is not None and not isinstance(points, Mapping):
            raise ModelError(
                f"{owner}: points is {reprlib.repr(points)}; write it as {{'p': ({', '.join('0' * m.dimension)})}}."
            )
        named = {
            text(f"{owner}: the name of a point", key): m._place(f"{owner}: point '{key}'", at)
            for key, at in ({} if points is None else points).items()
        }
        suspect_degrees(f"{owner}: angle", angle)
        angle = m._number(f"{owner}: angle", angle, "rad")
        weight = m._number(f"{owner}: mass", mass, "kg")
        if axes is not None:
            given = turned_inertia(owner, given, axes)
        if about is not None:
            arm = [x - y for x, y in zip(m._place(f"{owner}: about", about), place, strict=True)]
            given = central_inertia(owner, given, value_of(weight), [value_of(x) for x in arm])
        body = RigidBody(name, weight, place, given)
        if center is None and inertia is None and len(named) > 1 and value_of(body.mass) > 0.0:
            warnings.warn(
                f"{owner} has mass, but neither a centre nor an inertia, so it is a point mass at its origin. Give "
                "both, or describe it with `bar` or `plate`, which compute them.",
                stacklevel=3,
            )
        if doubt := body.doubt(m.dimension):
            warnings.warn(doubt, stacklevel=3)
        pose = None
        if position is not None or angle != 0.0 or rotation is not None:
            pose = m._pose(owner, zero if position is None else position, angle, rotation)
        if at is not None:
            if pose is not None:
                raise ModelError(f"{owner}: give its guessed position either by at or by position, angle and rotation.")
            where = {key: m._place(f"{owner}: the place of '{key}'", place) for key, place in at.items()}
            pose = pose_through(owner, named, where)
        return self._add_body(body, named, pose)

    def plate(
        self,
        name: str,
        points: Mapping[str, Sequence[Number]],
        *,
        mass: Number | None = None,
        density: Number | None = None,
        thickness: Number | None = None,
        position: Sequence[Number] | None = None,
        angle: Number = 0.0,
        rotation: Sequence[float] | None = None,
    ) -> Handle:
        """A uniform flat plate whose outline is a polygon with named corners; centre of mass and inertia follow.

        points      the corners in order around the outline, m, in the plate's own x-y plane: {"a": (0, 0), "b": (1, 0),
                    "c": (0, 1)}
        mass        kg; or
        density     kg/m³, and thickness, m
        thickness   in space it also adds to the inertia; the plate is centred on its x-y plane
        position, angle, rotation   as those of a `body`

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("rocker")
        >>> rocker = m.plate("rocker", {"a": (0, 0), "b": ("300 mm", 0), "c": (0, "300 mm")}, mass=1.8)
        >>> print(rocker.c, [round(x, 6) for x in m.model.bodies[0].center], round(m.model.bodies[0].inertia, 6))
        rocker.c [0.1, 0.1] 0.018
        """
        m, owner = self._mechanism, f"Plate '{text('The name of a body', name)}'"
        if not isinstance(points, Mapping) or len(points) < 3:
            raise ModelError(
                f"{owner}: give at least three corners, such as {{'a': (0, 0), 'b': (1, 0), 'c': (0, 1)}}."
            )
        corners = [m._numbers(f"{owner}: corner '{key}'", at, 2, "m") for key, at in points.items()]
        outline = measure_outline(owner, corners)
        depth = 0.0 if thickness is None else m._number(f"{owner}: thickness", thickness, "m")
        if (mass is None) == (density is None):
            raise ModelError(f"{owner}: give either its mass, or its density and its thickness.")
        if density is not None:
            if thickness is None:
                raise ModelError(f"{owner}: give its thickness, too: its mass is density times area times thickness.")
            mass = m._number(f"{owner}: density", density, "kg/m3") * outline.area * depth
        weight = m._number(f"{owner}: mass", mass, "kg")
        xx, yy, xy = (weight * moment for moment in outline.moments)
        inertia: Any = xx + yy
        if m.dimension == 3:
            slab = weight * depth * depth / 12.0
            inertia = (yy + slab, xx + slab, xx + yy, -xy, 0.0, 0.0)
        flat = () if m.dimension == 2 else (0.0,)
        return self.body(
            name,
            mass=weight,
            center=(*outline.center, *flat),
            inertia=inertia,
            points={key: (*at, *flat) for key, at in zip(points, corners, strict=True)},
            position=position,
            angle=angle,
            rotation=rotation,
        )

    def bar(
        self,
        name: str,
        length: Number | None = None,
        *,
        mass: Number = 0.0,
        start: Sequence[Number] | None = None,
        end: Sequence[Number] | None = None,
    ) -> Handle:
        """A slender uniform bar with the points `start` and `end`.

        Give either its length (m) or the positions of its two ends, which then also serve as the guess of its initial
        position. Its moment of inertia is m l²/12 about its centre, and zero about its own axis.

        >>> from grashof.model.mechanism import Mechanism
        >>> m = Mechanism("crank")
        >>> crank = m.bar("crank", length="120 mm", mass=0.5)
        >>> print(crank.start, crank.end, crank.angle)
        crank.start crank.end crank.angle
        """
        m, owner = self._mechanism, self._new(name)
        if (start is None) != (end is None):
            raise ModelError(f"Bar '{name}': only one of its ends is given; give both or neither.")
        zero = (0.0,) * m.dimension
        pose = None
        if start is not None and end is not None:
            first, last = m._place(f"{owner}: start", start), m._place(f"{owner}: end", end)
            along = span(first, last)
            if length is None:
                length = sqrt(dot(along, along)) if has_formulas(along) else norm(along)
            pose = _pose_along(first, along, name)
        if length is None:
            raise ModelError(f"Bar '{name}': give its length, or both its start and its end.")
        bar = Bar(name, m._number(f"{owner}: length", length, "m"), m._number(f"{owner}: mass", mass, "kg"))
        return self._add_body(bar, {"start": zero, "end": (bar.length, *zero[1:])}, pose)

    def points_of(self, body: str) -> dict[str, Vector]:
        """The named points that a body has so far, in its own axes."""
        return self._mechanism._points[body]

    def add_point(self, body: str, name: str, place: Vector) -> None:
        """Adds a named point to a body."""
        points = self._mechanism._points[body]
        if points.get(name, place) != place:
            raise ModelError(f"Body '{body}' already has a point '{name}', at {points[name]}; choose another name.")
        points[name] = place

    # -- inside

    def _new(self, name: str) -> str:
        """The words with which error messages about a new body begin."""
        if text("The name of a body", name) in self._mechanism._points:
            raise ModelError(f"There is already a body '{name}'; give each body a name of its own.")
        return f"Body '{name}'"

    def _add_body(self, body: Body, points: dict[str, Vector], pose: Pose | None) -> Handle:
        m = self._mechanism
        m._bodies[body.name], m._points[body.name] = body, points
        if pose is not None:
            m._guesses[body.name] = pose
        return Handle(m, body.name)


def _pose_along(start: Vector, along: list[Scalar], name: str) -> Pose:
    """A pose whose x axis points along a vector; in space, formulas are replaced by their current values."""
    if len(start) == 2:
        return Pose(start, atan2(along[1], along[0]))
    values = [value_of(x) for x in along]
    if not norm(values) > 0:
        raise ModelError(f"Bar '{name}': its start and its end are the same point.")
    x = np.array(unit(tuple(values)))
    y = np.array(perpendicular(tuple(x)))
    return Pose(start, 0.0, quaternion(np.column_stack([x, y, np.cross(x, y)])))


def _entries(about: str, inertia: Any) -> Any:
    """The six entries of a symmetric 3 × 3 matrix; anything else as it is."""
    rows = list(inertia) if is_row(inertia) or (isinstance(inertia, np.ndarray) and inertia.ndim == 2) else []
    if len(rows) != 3 or not all(map(is_row, rows)):
        return inertia
    if any(len(row) != 3 for row in rows) or not all(_are_alike(rows[i][j], rows[j][i]) for i, j in _ABOVE):
        raise ModelError(
            f"{about} is {reprlib.repr(inertia)}; a matrix must have three rows of three numbers and be symmetric."
        )
    return [*(rows[i][i] for i in range(3)), *(rows[i][j] for i, j in _ABOVE)]


def _are_alike(a: Any, b: Any) -> bool:
    """Whether two entries are equal, up to round-off if they are numbers."""
    if isinstance(a, float) and isinstance(b, float):
        return abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1e-6)
    return bool(a == b)
