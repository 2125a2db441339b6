"""Bodies: a general rigid body and a slender bar. The ground is the body named `ground`; it has points but no mass."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, ClassVar, Self

import msgspec
import numpy as np

from grashof.common.errors import ModelError
from grashof.model.fields import Vector
from grashof.model.formula import has_formulas
from grashof.model.units import Inertia, Length, Mass, Place, component_names
from grashof.model.validation import ROUND_OFF, check_count, check_not_negative, check_positive
from grashof.scalar.algebra import plain, principal

GROUND = "ground"


class BodyBase(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", omit_defaults=True):
    """A body, described in its own axes."""

    slender: ClassVar[bool] = False
    """Whether it has no inertia about its own x axis, on which its ends lie."""

    name: str

    def ends(self, dimension: int) -> dict[str, Vector]:
        """The points that it has without being given them, by name."""
        return {}

    def doubt(self, dimension: int) -> str:
        """A sentence about numbers that can be computed with, but that no real body has; "" if there are none."""
        return ""

    def negative_moments(self) -> Vector:
        """The principal moments of inertia (space), if one of them is negative."""
        return ()

    def with_points(self, places: Mapping[str, Vector]) -> Self:
        """The body with other places of all its points, by name."""
        return msgspec.structs.replace(self, points=dict(places))


class RigidBody(BodyBase, tag="rigid", frozen=True):
    """A rigid body, described in its own axes.

    mass     m in kg
    center   centre of mass, in m
    inertia  about the centre of mass, in kg m²: I_z in the plane; I_xx, I_yy, I_zz or I_xx, I_yy, I_zz, I_xy, I_xz,
             I_yz in space (I_xy = −∫ x y dm and so on: the entries of the matrix)
    points   named points, in m
    """

    mass: Mass = 0.0
    center: Place = ()
    inertia: Inertia | Annotated[tuple[Inertia, ...], component_names("xx", "yy", "zz", "xy", "xz", "yz")] = 0.0
    points: dict[str, Place] = {}

    @property
    def inertia_matrix(self) -> np.ndarray:
        """The inertia matrix about the centre of mass (space), (3, 3), kg m²."""
        given = self.inertia if isinstance(self.inertia, tuple) else (0.0,) * 3
        xx, yy, zz, xy, xz, yz = (*given, 0.0, 0.0, 0.0)[:6]
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])

    @property
    def planar_inertia(self) -> float:
        """I_z about the centre of mass, in kg m²."""
        return self.inertia[0] if isinstance(self.inertia, tuple) else self.inertia

    def mass_center(self, dimension: int) -> Vector:
        """The centre of mass in the body's axes."""
        return self.center or (0.0,) * dimension

    def second_moments(self) -> list[tuple[float, np.ndarray]]:
        """∫ x xᵀ dm about the centre of mass, as principal values and axes: S = ½ tr(I) 1 − I, in kg m².

        One of them is negative if a principal moment of inertia exceeds the sum of the other two.
        """
        inertia = self.inertia_matrix
        second = 0.5 * np.trace(inertia) * np.eye(3) - inertia
        if not np.any(second - np.diag(np.diag(second))):
            values, axes = np.diag(second), np.eye(3)
        else:
            values, axes = principal(second) if second.dtype != object else _squares(second)
        largest = max(*values, *(-s for s in values))
        return [(plain(s), axes[:, k]) for k, s in enumerate(values) if s > 1e-12 * largest or -s > 1e-12 * largest]

    @property
    def has_matter(self) -> bool:
        """Whether it has mass or inertia."""
        return bool(self.mass) or self._has_inertia

    @property
    def _has_inertia(self) -> bool:
        return any(self.inertia) if isinstance(self.inertia, tuple) else bool(self.inertia)

    def with_unit_mass(self, dimension: int, turning: bool) -> Self:
        """The body with unit mass if it has none, and unit inertia if it has none, unless it has only one point in the
        plane and is not `turning`."""
        unit = 1.0 if dimension == 2 else (1.0, 1.0, 1.0)
        point = dimension == 2 and len(self.points) < 2 and not turning
        inertia = self.inertia if self._has_inertia or point else unit
        return msgspec.structs.replace(self, mass=self.mass or 1.0, inertia=inertia)

    def without_mass(self) -> Self:
        """The body with neither mass nor inertia."""
        return msgspec.structs.replace(self, mass=0.0, inertia=0.0)

    def properties(self) -> list[tuple[str, str]]:
        """What there is to say about it, as pairs of a name and a value with its unit."""
        found = [("mass", f"{self.mass:.6g} kg")]
        if self.mass:
            inertia = self.inertia if isinstance(self.inertia, tuple) else (self.inertia,)
            found.append(("inertia", f"{', '.join(f'{x:.4g}' for x in inertia)} kg m²"))
        return found

    def check(self, owner: str, dimension: int) -> None:
        """Refuses numbers that are physically impossible; `owner` names the body in the message."""
        check_count(f"{owner}: center", self.center, dimension, may_be_empty=True)
        if dimension == 2:
            self._check_planar_inertia(owner)
        else:
            self._check_spatial_inertia(owner)

    def _check_planar_inertia(self, owner: str) -> None:
        if isinstance(self.inertia, tuple):
            raise ModelError(
                f"{owner}: inertia is {self.inertia}; in the plane it is one number, I_z about the centre of mass in "
                "kg m²."
            )
        check_not_negative(f"{owner}: inertia", self.inertia, "kg m²")

    def _check_spatial_inertia(self, owner: str) -> None:
        """How many numbers there are; `check_inertias` refuses negative principal moments."""
        if self.inertia == 0.0:
            return  # none given
        if not isinstance(self.inertia, tuple) or len(self.inertia) not in (3, 6):
            raise ModelError(
                f"{owner}: inertia is {self.inertia}; in space it is 3 numbers (I_xx, I_yy, I_zz) or 6 "
                "(then I_xy, I_xz, I_yz), about the centre of mass in kg m²."
            )

    def negative_moments(self) -> Vector:
        """The principal moments of inertia (space), if one of them is negative."""
        if not isinstance(self.inertia, tuple) or has_formulas(self.inertia):
            return ()
        small, _, large = moments = np.linalg.eigvalsh(self.inertia_matrix)
        return tuple(map(float, moments)) if small < -ROUND_OFF * max(abs(small), abs(large)) else ()

    def doubt(self, dimension: int) -> str:
        """Principal moments are I₁ = S₂ + S₃ and so on, with S = ∫ x² dm ≥ 0, so that I₃ ≤ I₁ + I₂."""
        if dimension == 2 or not isinstance(self.inertia, tuple) or has_formulas(self.inertia):
            return ""
        small, middle, large = moments = np.linalg.eigvalsh(self.inertia_matrix)
        if small + middle - large >= -ROUND_OFF * abs(large):
            return ""
        what = "a negative one" if small < -ROUND_OFF * abs(large) else "one larger than the sum of the other two"
        return (
            f"Body '{self.name}': inertia {self.inertia} has the principal moments {_join(moments)} kg m², and no body "
            f"has {what}; it is used as given. Check the numbers, and that they are about the centre of mass."
        )


class Bar(BodyBase, tag="bar", frozen=True):
    """A slender uniform bar along its own x axis, from point `start` at 0 to point `end` at `length` (m).

    Its moment of inertia is I = m l²/12 about its centre, and zero about its axis.
    """

    slender = True

    length: Length
    mass: Mass = 0.0
    points: dict[str, Place] = {}

    def ends(self, dimension: int) -> dict[str, Vector]:
        zero = (0.0,) * dimension
        return {"start": zero, "end": (self.length, *zero[1:])}

    def with_points(self, places: Mapping[str, Vector]) -> Self:
        own = {name: place for name, place in places.items() if name not in ("start", "end")}
        return msgspec.structs.replace(self, length=places["end"][0], points=own)

    @property
    def inertia_matrix(self) -> np.ndarray:
        """The inertia matrix about the centre (space), (3, 3), kg m²."""
        return self.planar_inertia * np.diag([0.0, 1.0, 1.0])

    @property
    def planar_inertia(self) -> float:
        """I_z about the centre, in kg m²."""
        return self.mass * (self.length * self.length) / 12.0

    def mass_center(self, dimension: int) -> Vector:
        """The centre of mass in the bar's axes."""
        return (0.5 * self.length, *(0.0,) * (dimension - 1))

    def second_moments(self) -> list[tuple[float, np.ndarray]]:
        """∫ x xᵀ dm about the centre, as principal values and axes, in kg m²."""
        return [(self.planar_inertia, np.array([1.0, 0.0, 0.0]))]

    @property
    def has_matter(self) -> bool:
        """Whether it has mass."""
        return bool(self.mass)

    def with_unit_mass(self, dimension: int, turning: bool) -> Self:
        """The bar with unit mass if it has none."""
        return msgspec.structs.replace(self, mass=self.mass or 1.0)

    def without_mass(self) -> Self:
        """The bar without mass."""
        return msgspec.structs.replace(self, mass=0.0)

    def properties(self) -> list[tuple[str, str]]:
        """What there is to say about it, as pairs of a name and a value with its unit."""
        return [("mass", f"{self.mass:.6g} kg"), ("length", f"{self.length:.6g} m")]

    def check(self, owner: str, dimension: int) -> None:
        """Refuses numbers that are physically impossible; `owner` names the bar in the message."""
        check_positive(f"{owner}: length", self.length, "m")


Body = RigidBody | Bar


def _join(moments: np.ndarray) -> str:
    return ", ".join(f"{x:.6g}" for x in moments)


def _squares(second: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """S = Σ s_k x_k x_kᵀ with x_k that need not be orthogonal: L D Lᵀ, rational in the numbers left symbolic."""
    axes, values, rest = np.zeros((3, 3), object), [], second.copy()
    for k in range(3):
        values.append(rest[k, k])
        axes[:, k] = rest[:, k] / rest[k, k]
        rest = rest - np.outer(axes[:, k], axes[:, k]) * values[k]
    return np.array(values), np.tril(axes)
