"""Elementary motions: what joints leave free and what measures count, in pieces that every program knows."""

from __future__ import annotations

from typing import Literal, NamedTuple

from grashof.model.fields import Vector

NORMAL: Vector = (0.0, 0.0, 1.0)
"""The axis of all rotations of a planar mechanism that moves in the plane z = 0 of space."""


class ElementaryMotion(NamedTuple):
    """A turn about an axis, a slide along an axis, or a ball: any rotation about a point.

    axis_a, axis_b   the axis, in the axes of either body, if it is fixed there; otherwise None. It is empty for a
                     turn in the plane. A ball has none
    """

    kind: Literal["turn", "slide", "ball"]
    axis_a: Vector | None = None
    axis_b: Vector | None = None

    @property
    def is_shared(self) -> bool:
        """Whether the axis is fixed in both bodies."""
        return self.axis_a is not None and self.axis_b is not None
