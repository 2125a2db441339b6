"""Checks that the points of bodies match the dimension, and that mass and inertia are physically possible."""

from __future__ import annotations

import numpy as np

from grashof.common.errors import ModelError
from grashof.model.bodies import Bar, Body, RigidBody
from grashof.model.check.numbers import ROUND_OFF, check_count, check_not_negative, check_positive


def check_body(body: Body, dimension: int) -> None:
    """Checks one body."""
    owner = f"Body '{body.name}'"
    for name, place in body.points.items():
        check_count(f"{owner}: point '{name}'", place, dimension)
    check_not_negative(f"{owner}: mass", body.mass, "kg")
    if isinstance(body, Bar):
        check_positive(f"{owner}: length", body.length, "m")
        return
    check_count(f"{owner}: center", body.center, dimension, may_be_empty=True)
    if dimension == 2:
        _check_planar_inertia(owner, body)
    else:
        _check_spatial_inertia(owner, body)


def _check_planar_inertia(owner: str, body: RigidBody) -> None:
    if isinstance(body.inertia, tuple):
        raise ModelError(
            f"{owner}: inertia is {body.inertia}; in the plane it is one number, I_z about the centre of mass in kg m²."
        )
    check_not_negative(f"{owner}: inertia", body.inertia, "kg m²")


def _check_spatial_inertia(owner: str, body: RigidBody) -> None:
    """Principal moments are I₁ = S₂ + S₃ and so on, with S = ∫ x² dm ≥ 0: 0 ≤ I₁ ≤ I₂ ≤ I₃ ≤ I₁ + I₂."""
    if body.inertia == 0.0:
        return  # none given
    if not isinstance(body.inertia, tuple) or len(body.inertia) not in (3, 6):
        raise ModelError(
            f"{owner}: inertia is {body.inertia}; in space it is 3 numbers (I_xx, I_yy, I_zz) or 6 "
            "(then I_xy, I_xz, I_yz), about the centre of mass in kg m²."
        )
    small, middle, large = np.linalg.eigvalsh(body.inertia_matrix)
    allowed = -ROUND_OFF * max(abs(small), abs(large))
    moments = f"{small:.6g}, {middle:.6g}, {large:.6g} kg m²"
    if small < allowed:
        raise ModelError(
            f"{owner}: inertia {body.inertia} has the principal moments {moments}; none may be negative "
            "(products of inertia are the matrix entries: I_xy = −∫ x y dm)."
        )
    if small + middle - large < allowed:
        raise ModelError(
            f"{owner}: inertia {body.inertia} has the principal moments {moments}; no body has one larger "
            "than the sum of the other two: check the numbers and that they are about the centre of mass."
        )
