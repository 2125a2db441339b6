"""Spherical joint."""

from __future__ import annotations

from grashof.model.fields import Fields, Scalars
from grashof.model.joints.base import JointBase, coincide


class Spherical(JointBase, tag="spherical", frozen=True):
    """A ball-and-socket joint (space only): P_a = P_b. Leaves three rotations."""

    points_meet = True

    def equations(self, fields: Fields) -> Scalars:
        return coincide(self, fields)
