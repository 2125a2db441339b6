"""What all joints share: a name and the two points they connect, `a` and `b`, each written `body.point`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal, Self

import msgspec

from grashof.common.errors import ModelError
from grashof.model.fields import Fields, Scalars, Vector, body_of, difference, dot, perpendicular, unit
from grashof.model.measures import Angle, Coordinate, Measure
from grashof.model.motions import NORMAL, ElementaryMotion
from grashof.model.validation import check_direction, check_right_angle, check_two_bodies

if TYPE_CHECKING:
    from grashof.model.couplings import CouplingBase
    from grashof.model.forces import Force
    from grashof.model.model import Model

DIRECTIONS = ("axis_a", "axis_b", "normal_a", "normal_b")
"""The fields in which joints have directions, unit vectors in the axes of body a or b."""

Symbol = Literal["pin", "ball", "cross", "face", "rod", "weld", "block", "sleeve", "slot", "blade", "wheel"]
"""How a joint is drawn."""


class JointBase(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", omit_defaults=True, kw_only=True
):
    """A joint between point `a` of one body and point `b` of another.

    `equations` gives the residuals of the joint's constraint equations in metres; they are zero when the joint is
    closed. There may be more of them than are independent (equality of two directions is three equations, of which two
    are independent); the analysis counts ranks, not rows.
    """

    symbol: ClassVar[Symbol]
    """How it is drawn."""
    dimensions: ClassVar[tuple[int, ...]] = (3,)
    """Whether it exists in the plane (2), in space (3) or in both."""
    points_meet: ClassVar[bool] = False
    """Whether the points a and b coincide."""
    lower_pair: ClassVar[bool] = True
    """Whether the motions that it leaves form a group, as in a lower pair (Reuleaux): it then does not matter which of
    the bodies moves, and in which order."""
    slip_unit: ClassVar[Literal["m", "rad"]] = "m"
    """The unit of slip in it: rad if it only turns, so that friction is a torque."""
    slip_count: ClassVar[int] = 0
    """How many velocities it prevents that restrict no position (see `slips`)."""
    directions_coincide: ClassVar[bool] = True
    """Whether each direction given in a's axes is the one of the same name in b's axes."""

    name: str
    a: str
    b: str

    def bearing(self, dimension: int) -> int:
        """How many of its first equations are displacements of b relative to a along orthogonal directions.

        Their multipliers are the components of the force that the joint transmits, N.
        """
        return dimension if self.points_meet else 0

    @property
    def bodies(self) -> tuple[str, str]:
        """The two bodies."""
        return body_of(self.a), body_of(self.b)

    @property
    def motions(self) -> tuple[ElementaryMotion, ...] | None:
        """The motions of b relative to a that it leaves, one after another: each moves what follows it.

        None if they are not of this form, as for a rod.
        """
        return None

    @property
    def rod(self) -> float | None:
        """The distance of its points, in m, if keeping it is all that the joint does."""
        return None

    @property
    def rim(self) -> float | None:
        """The radius of the wheel or ball around point b that rolls in it, m, if there is one."""
        return None

    @property
    def reach(self) -> tuple[float, float] | None:
        """The range of point b along its slide, measured from a, m, if it is limited."""
        return None

    @property
    def axle(self) -> ElementaryMotion | None:
        """The turn about a line that is fixed in both bodies, if there is one; they may also slide along the line."""
        turns = [motion for motion in self.motions or () if motion.kind != "slide"]
        if len(turns) != 1 or not all(motion.is_shared for motion in self.motions or ()):
            return None
        return turns[0]

    @property
    def is_pin(self) -> bool:
        """Whether a turn about an axle is all that it leaves."""
        return self.axle is not None and len(self.motions or ()) == 1

    def independent_equations(self, dimension: int) -> int:
        """How many of its equations are independent: the freedoms of a body less those that it leaves."""
        if self.rod is not None:
            return 1
        left = sum(3 if motion.kind == "ball" else 1 for motion in self.motions or ())
        return (3 if dimension == 2 else 6) - left

    def directions(self) -> list[tuple[str, Vector]]:
        """The directions given in the description, as pairs (field, vector)."""
        return [(field, getattr(self, field)) for field in DIRECTIONS if field in self.__struct_fields__]

    def needed_directions(self, dimension: int) -> list[str]:
        """The directions that it must have: all of them in space, and no normals in the plane."""
        return [field for field, _ in self.directions() if dimension == 3 or not field.startswith("normal")]

    def usual_direction(self, field: str, dimension: int) -> Vector:
        """What a direction is in a file that does not give it; empty if it has to be given."""
        return ()

    def in_space(self) -> Self:
        """The joint of a planar mechanism that moves in the plane z = 0 of space."""
        if self.motions is None and self.rod is None:
            raise ModelError(f"Joint '{self.name}': a planar joint of its type cannot be translated to space.")
        planar = self.needed_directions(2)
        lifted = {field: (*given, 0.0) if field in planar else NORMAL for field, given in self.directions()}
        return msgspec.structs.replace(self, **lifted)

    def properties(self) -> list[tuple[str, str]]:
        """What there is to say about it, as pairs of a name and a value with its unit."""
        return []

    def measures(self) -> tuple[Measure, ...]:
        """The measures that it defines, which become quantities of every run; their names begin with its own."""
        return ()

    def forces(self) -> tuple[Force, ...]:
        """The forces that act in it, such as stops at its ends; their names begin with its own."""
        return ()

    def check(self, owner: str, model: Model) -> None:
        """Refuses errors in its fields; `owner` names the joint in the message."""
        check_two_bodies(owner, model, self.a, self.b, "which cannot be joined to itself")
        self.check_numbers(owner)
        given, needed = dict(self.directions()), self.needed_directions(model.dimension)
        for field, direction in given.items():
            body = body_of(self.a if field.endswith("_a") else self.b)
            advice = f"give the direction as {model.dimension} numbers in the axes of '{body}'."
            check_direction(f"{owner}: {field}", direction, model.dimension, needed=field in needed, advice=advice)
        for side in "ab":
            axis, normal = f"axis_{side}", f"normal_{side}"
            if axis in needed and normal in needed:
                check_right_angle(owner, (axis, normal), given[axis], given[normal])

    def check_numbers(self, owner: str) -> None:
        """Refuses impossible numbers in its fields."""

    def equations(self, fields: Fields) -> Scalars:
        """The residuals of the joint's constraint equations, in metres."""
        raise NotImplementedError

    def couplings(self) -> tuple[CouplingBase, ...]:
        """Equations of its own that are neither linear nor quadratic in points and directions."""
        return ()

    def slip_parts(self, fields: Fields) -> Scalars:
        """The components of points and directions on which `slips` depends."""
        return []

    def slips(self, parts: Scalars) -> Scalars:
        """The velocities that it prevents although they restrict no position, m/s: `slip_count` of them.

        They are linear in the rates of the parts, which are jets (see `slipping`).
        """
        return []

    def freedoms(self, name: str) -> tuple[Measure, ...]:
        """The displacements of b relative to a in the joint's free directions, which friction resists.

        Their names begin with `name`. Joints without bearing surfaces have none.
        """
        found: list[Measure] = []
        for motion in self.motions or ():
            if motion.axis_a is None:
                return ()
            found.append(self.measure_of(motion, name if not found else f"{name}{len(found) + 1}"))
        return tuple(found)

    def measure_of(self, motion: ElementaryMotion, name: str) -> Measure:
        """How far one of its motions has gone: the angle of b about an axis of both bodies, or the coordinate of point
        b along an axis of a's body, from point a, m."""
        a, b = self.bodies
        if motion.kind == "slide":
            return Coordinate(name, self.b, motion.axis_a or (), self.a)
        if not (motion.axis_a and motion.axis_b):  # in the plane
            return Angle(name, b, a)
        return Angle(name, b, a, motion.axis_a, _across(motion.axis_a), _across(motion.axis_b))


def coincide(joint: JointBase, fields: Fields) -> Scalars:
    """P_b − P_a = 0"""
    return difference(fields.point(joint.b), fields.point(joint.a))


def same(joint: JointBase, fields: Fields, direction_a: Vector, direction_b: Vector) -> Scalars:
    """ℓ (e_b − e_a) = 0: a direction fixed in one body coincides with a direction fixed in the other."""
    body_a, body_b = joint.bodies
    return difference(fields.arrow(body_b, direction_b), fields.arrow(body_a, direction_a))


def offset_along(joint: JointBase, fields: Fields, direction_a: Vector) -> Scalars:
    """n_a · (P_b − P_a) = 0: b stays in the plane through a whose normal is fixed in a's body."""
    arrow = fields.arrow(joint.bodies[0], direction_a)
    return [dot(arrow, coincide(joint, fields)) * (1.0 / fields.length)]


def _across(axis: Vector) -> Vector:
    """A direction at right angles to an axis, as close as possible to x, the line of a bar: a bar has no
    other direction."""
    rest = tuple((1.0 if i == 0 else 0.0) - axis[0] * x for i, x in enumerate(axis))
    return unit(rest) if dot(rest, rest) > 1e-6 else perpendicular(axis)
