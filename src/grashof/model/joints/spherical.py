"""Spherical joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars
from grashof.model.joints.base import JointBase, coincide
from grashof.model.motions import ElementaryMotion


class Spherical(JointBase, tag="spherical", frozen=True):
    """A ball-and-socket joint (space only): P_a = P_b. Leaves three rotations."""

    symbol = "ball"
    points_meet = True
    slip_unit = "rad"

    @property
    def motions(self) -> tuple[ElementaryMotion, ...]:
        return (ElementaryMotion("ball"),)

    def equations(self, fields: Fields) -> Scalars:
        return coincide(self, fields)
