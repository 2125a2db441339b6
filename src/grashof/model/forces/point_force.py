"""Constant force at a point."""

from __future__ import annotations

from typing import Literal

from grashof.model.fields import Vector, body_of, dot
from grashof.model.forces.base import ForceBase, Load, State
from grashof.scalar.functions import Scalar


class PointForce(ForceBase, tag="force", frozen=True):
    """A constant force F (N) at a point: components in world axes, or in the body's own, turning with it (a follower)."""

    point: str
    force: Vector
    axes: Literal["world", "body"] = "world"

    def targets(self) -> list[str]:
        return [self.point]

    def bodies(self) -> list[str]:
        return [body_of(self.point)] if self.axes == "body" else []

    def loads(self, state: State) -> list[Load]:
        if self.axes == "world":
            return [(self.point, list(self.force))]
        axes = state.axes(body_of(self.point))
        return [(self.point, [dot(self.force, [e[i].value for e in axes]) for i in range(state.dimension)])]

    def work(self, state: State) -> Scalar | None:
        return dot(self.force, state.point(self.point)) if self.axes == "world" else None
