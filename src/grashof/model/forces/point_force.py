"""Force at a point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Self

import msgspec

from grashof.common.errors import ModelError
from grashof.model.fields import body_of, dot
from grashof.model.forces.base import ForceBase, ForceElement, Load, written
from grashof.model.laws import Law
from grashof.model.state import State
from grashof.model.units import ForceLaw
from grashof.model.validation import check_count, check_point
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.model import Model


class PointForce(ForceBase, tag="force", frozen=True):
    """A force F (N, each component a law) at a point: in world axes, or in body axes, turning with the body."""

    point: str
    force: tuple[ForceLaw, ...]
    axes: Literal["world", "body"] = "world"

    def element(self) -> ForceElement:
        facts = (("type", "force"), ("force", f"({', '.join(written(x) for x in self.force)}) N"))
        parts = [self.constant(part) for part in self.force]
        known = tuple(0.0 if x is None or None in parts else float(x) for x in parts)
        return ForceElement("load", facts, (self.point,), direction=known, follows=self.axes == "body")

    def check(self, owner: str, model: Model) -> None:
        check_point(owner, self.point, model)
        check_count(f"{owner}: force", self.force, model.dimension)
        if self.axes not in ("world", "body"):
            raise ModelError(f"{owner}: axes is '{self.axes}'; it must be 'world' or 'body'.")

    def in_space(self) -> Self:
        return msgspec.structs.replace(self, force=(*self.force, 0.0))

    def targets(self) -> list[str]:
        return [self.point]

    def laws(self) -> tuple[Law, ...]:
        return self.force

    def bodies(self) -> list[str]:
        return [body_of(self.point)] if self.axes == "body" else []

    def loads(self, state: State) -> list[Load]:
        force = [self.now(law, state) for law in self.force]
        if self.axes == "world":
            return [(self.point, force)]
        axes = state.axes(body_of(self.point))
        return [(self.point, [dot(force, [e[i].value for e in axes]) for i in range(state.dimension)])]

    def work(self, state: State) -> Scalar | None:
        if self.varies or self.axes == "body":
            return None
        return dot([self.constant(law) for law in self.force], state.point(self.point))
