"""Bushings: springs and dampers between two frames."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from grashof.model.fields import Vector, body_of, cross, unit
from grashof.model.forces.base import ForceBase, ForceElement, Load
from grashof.model.measures import Angle, Coordinate, Measure
from grashof.model.state import State
from grashof.model.units import Damping, Stiffness, TorsionDamping, TorsionStiffness
from grashof.model.validation import (
    check_count,
    check_direction,
    check_not_negative,
    check_right_angle,
    check_two_bodies,
)
from grashof.scalar.functions import Scalar, atan2, cos, sin
from grashof.scalar.jet import Jet

if TYPE_CHECKING:
    from grashof.model.joints import Joint
    from grashof.model.model import Model


class Bushing(ForceBase, tag="bushing", frozen=True):
    """A rubber bushing: springs and dampers between a frame at point `a` of one body and a frame at point `b` of
    another.

        f_i = −k_i x_i − c_i ẋ_i           x_i = e_i · (P_b − P_a), along the axes e_i of a's frame
        τ_i = −κ_i φ_i − d_i φ̇_i           φ_i: angle about e_i from the next axis of a's frame to that of b's frame
        V = ½ Σ k_i x_i² + ½ Σ κ_i φ_i²

    In space, φ_i is the angle by which the axes of b's frame appear turned when seen along e_i. For small rotations the
    φ_i are the components of the rotation vector; they are defined while no axis of b's frame is turned by 90° or more.
    In the plane, φ is the angle of rotation itself, within half a turn.

    stiffness, damping                        k_i, N/m, and c_i, N s/m: one number per dimension
    rotational_stiffness, rotational_damping  κ_i, N m/rad, and d_i, N m s/rad: one number in the plane, three in space
    axis_a, normal_a, axis_b, normal_b        first and second axis of each frame, in the axes of its body (normals in
                                              space only); x and y by default

    The x_i are the quantities `NAME.x`, `NAME.y`, `NAME.z`, and the angles `NAME.rx`, `NAME.ry`, `NAME.rz`. In the
    plane the only angle is `NAME.rz`, from the x axis of one body to the x axis of the other.
    """

    a: str
    b: str
    stiffness: tuple[Stiffness, ...]
    damping: tuple[Damping, ...] = ()
    rotational_stiffness: tuple[TorsionStiffness, ...] = ()
    rotational_damping: tuple[TorsionDamping, ...] = ()
    axis_a: Vector = ()
    normal_a: Vector = ()
    axis_b: Vector = ()
    normal_b: Vector = ()

    def element(self) -> ForceElement:
        return ForceElement("bushing", (("type", "bushing"),), (self.a, self.b))

    def check(self, owner: str, model: Model) -> None:
        check_two_bodies(owner, model, self.a, self.b, "between which nothing moves")
        size = model.dimension
        turns = 1 if size == 2 else 3
        check_count(f"{owner}: stiffness", self.stiffness, size)
        check_count(f"{owner}: damping", self.damping, size, may_be_empty=True)
        check_count(f"{owner}: rotational_stiffness", self.rotational_stiffness, turns, may_be_empty=True)
        check_count(f"{owner}: rotational_damping", self.rotational_damping, turns, may_be_empty=True)
        for field in ("stiffness", "damping", "rotational_stiffness", "rotational_damping"):
            for value in getattr(self, field):
                check_not_negative(f"{owner}: {field}", value, "in SI units")
        for side in "ab":
            given = {f"{word}_{side}": getattr(self, f"{word}_{side}") for word in ("axis", "normal")}
            for field, direction in given.items():
                needed = bool(direction) and (size == 3 or field[0] == "a")
                check_direction(f"{owner}: {field}", direction, size, needed=needed, advice="")
            if size == 3:
                axis, normal = given.values()
                first, second = axis or (1.0, 0.0, 0.0), normal or (0.0, 1.0, 0.0)
                check_right_angle(owner, (f"axis_{side}", f"normal_{side}"), first, second)

    def targets(self) -> list[str]:
        return []

    def measures(self, joints: Mapping[str, Joint]) -> tuple[Measure, ...]:
        size = len(self.stiffness)
        given = (self.axis_a, self.axis_b, self.normal_a, self.normal_b)
        if size not in (2, 3) or any(len(direction) not in (0, size) for direction in given):
            return ()  # the check of the description refuses it
        first, second = body_of(self.a), body_of(self.b)
        axes_a, axes_b = _frame(self.axis_a, self.normal_a, size), _frame(self.axis_b, self.normal_b, size)
        found: list[Measure] = [
            Coordinate(f"{self.name}.{name}", self.b, axis, self.a) for name, axis in zip("xyz", axes_a, strict=False)
        ]
        if size == 2:
            return *found, Angle(f"{self.name}.rz", second, first)
        for k, name in enumerate("xyz"):
            zero = (k + 1) % 3
            found.append(
                Angle(f"{self.name}.r{name}", second, first, axis=axes_a[k], zero=axes_a[zero], direction=axes_b[zero])
            )
        return tuple(found)

    def loads(self, state: State) -> list[Load]:
        found: list[Load] = []
        for name, k, c in self._springs:
            x = self._deflection(name, state)
            found.append((name, [-k * x.value - c * x.first]))
        return found

    def potential(self, state: State) -> Scalar:
        total: Scalar = 0.0
        for name, k, _ in self._springs:
            total = total + 0.5 * k * self._deflection(name, state) ** 2
        return total

    def work(self, state: State) -> Scalar | None:
        return None if any(self.damping) or any(self.rotational_damping) else 0.0

    def _deflection(self, name: str, state: State) -> Jet:
        """x_i or φ_i; an angle within half a turn."""
        x = state.measure(name)
        if name in self._angles:
            turned = x - self._rest
            x = atan2(sin(turned), cos(turned))
        return x

    @property
    def _angles(self) -> list[str]:
        return [f"{self.name}.r{axis}" for axis in ("z" if len(self.stiffness) == 2 else "xyz")]

    @property
    def _rest(self) -> float:
        """The angle between the bodies' x axes at which the two frames coincide (plane)."""
        if len(self.stiffness) == 3:
            return 0.0
        (x_a, y_a), (x_b, y_b) = self.axis_a or (1.0, 0.0), self.axis_b or (1.0, 0.0)
        return float(atan2(y_a, x_a) - atan2(y_b, x_b))

    @property
    def _springs(self) -> list[tuple[str, float, float]]:
        """The measure, stiffness and damping of each spring."""
        found = []
        for names, stiffness, damping in (
            ([f"{self.name}.{axis}" for axis in "xyz"[: len(self.stiffness)]], self.stiffness, self.damping),
            (self._angles, self.rotational_stiffness, self.rotational_damping),
        ):
            none = (0.0,) * len(names)
            found += list(zip(names, stiffness or none, damping or none, strict=True))
        return [(name, k, c) for name, k, c in found if k or c]


def _frame(axis: Vector, normal: Vector, size: int) -> list[Vector]:
    """The axes of a frame."""
    first = unit(axis) if axis else (1.0, 0.0, 0.0)[:size]
    if size == 2:
        return [first, (-first[1], first[0])]
    second = unit(normal) if normal else (0.0, 1.0, 0.0)
    return [first, second, cross(first, second)]
