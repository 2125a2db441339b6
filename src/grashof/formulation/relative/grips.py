"""Joints of a tree that stick by dry friction: their nodes have no acceleration while they do (see `natural.grips`)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from grashof.formulation.natural.grips import GripState, grips_of, margins, slow_rate
from grashof.formulation.natural.resting import TINY, unit
from grashof.formulation.relative.state import RelativeState
from grashof.scalar.functions import Scalar, absolute

if TYPE_CHECKING:
    from grashof.formulation.relative.equations import Relative


BLUR = 1e-12
"""A force or torque is round-off below this fraction of those that it balances."""


@dataclass(frozen=True, eq=False)
class TreeGrips:
    """The functions of `NaturalGrips`, for a tree."""

    relative: Relative

    def look(self, x: Sequence[Scalar]) -> list[Scalar]:
        """The numbers of the joints with dry friction, one after another; then v̇."""
        state = self.relative.state(x)
        rates = self.relative.derivative(x)[self.relative.layout.of_a]
        return [number for now in self._states(state) for number in now] + rates

    def margins(self, x: Sequence[Scalar]) -> list[Scalar]:
        """What must stay positive while nothing changes (see `natural.grips.margins`)."""
        state = self.relative.state(x)
        return margins(self._states(state), state, self.relative.model.grips)

    def _states(self, state: RelativeState) -> list[GripState]:
        relative, natural = self.relative, self.relative.natural
        response = relative.solve(state).response
        assert response is not None
        speed: Scalar = 0.0
        for node, own in zip(relative.tree.nodes, state.rates, strict=True):
            scale = 1.0 if node.kind == "slide" else relative.length
            speed = sum((scale * absolute(x) for x in own), speed)
        found = []
        for (force, grip), k in zip(grips_of(natural), relative.gripped, strict=True):
            scale = unit(relative.model.quantities[grip.measure], relative.length)
            sliding, sticking = force.grip_limits(state)
            found.append(
                GripState(
                    state.rates[k][0],
                    response.accelerations[k][0],
                    response.efforts.get(k, 0.0),
                    sliding,
                    sticking,
                    BLUR * response.sizes.get(k, 0.0) + TINY,
                    slow_rate(natural, grip, speed * (1.0 / scale), sticking),
                )
            )
        return found
