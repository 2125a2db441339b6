"""Bodies: a general rigid body and a slender bar. The ground is the body named `ground`; it has points but no mass."""

from __future__ import annotations

from typing import Annotated

import msgspec
import numpy as np

from grashof.model.units import Inertia, Length, Mass, Place, named

GROUND = "ground"


class RigidBody(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="rigid", omit_defaults=True
):
    """A rigid body, described in its own axes.

    mass     m in kg
    center   centre of mass, in m
    inertia  about the centre of mass, in kg m²: I_z in the plane; I_xx, I_yy, I_zz or I_xx, I_yy, I_zz, I_xy, I_xz, I_yz in
             space (I_xy = −∫ x y dm and so on: the entries of the matrix)
    points   named points, in m
    """

    name: str
    mass: Mass = 0.0
    center: Place = ()
    inertia: Inertia | Annotated[tuple[Inertia, ...], named("xx", "yy", "zz", "xy", "xz", "yz")] = 0.0
    points: dict[str, Place] = {}

    @property
    def inertia_matrix(self) -> np.ndarray:
        """The inertia matrix about the centre of mass (space), (3, 3), kg m²."""
        given = self.inertia if isinstance(self.inertia, tuple) else (0.0,) * 3
        xx, yy, zz, xy, xz, yz = (*given, 0.0, 0.0, 0.0)[:6]
        return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


class Bar(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag="bar", omit_defaults=True):
    """A slender uniform bar along its own x axis, from point `start` at 0 to point `end` at `length` (m).

    Its moment of inertia is I = m l²/12 about its centre, and zero about its axis.
    """

    name: str
    length: Length
    mass: Mass = 0.0
    points: dict[str, Place] = {}

    @property
    def inertia_matrix(self) -> np.ndarray:
        """The inertia matrix about the centre (space), (3, 3), kg m²."""
        return self.mass * (self.length * self.length) / 12.0 * np.diag([0.0, 1.0, 1.0])


Body = RigidBody | Bar
