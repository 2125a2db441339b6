"""A force that events switch on and off."""

from __future__ import annotations

from grashof.model.fields import Scalars
from grashof.model.forces.base import ForceBase, Load
from grashof.model.state import State
from grashof.scalar.functions import Scalar


class Switched(ForceBase, frozen=True):
    """A force multiplied by s, which is 1 while it acts and 0 while it does not. s is an additional state of the run,
    so that switching needs no recompilation.

    The energy stored in a switched spring would appear and vanish with it; therefore all work of a switched force is
    integrated. The integral of a controller keeps its value while the controller is switched off.
    """

    force: ForceBase

    def targets(self) -> list[str]:
        return self.force.targets()

    def reads(self) -> list[str]:
        return self.force.reads()

    def tracked(self) -> list[str]:
        return self.force.tracked()

    def bodies(self) -> list[str]:
        return self.force.bodies()

    def loads(self, state: State) -> list[Load]:
        factor = state.switch(self.name, self.force.active)

        def scaled(effort: Scalars) -> Scalars:
            return [factor * x for x in effort]

        return [(target, scaled(effort)) for target, effort in self.force.loads(state)]

    def integrands(self, state: State) -> list[Scalar]:
        factor = state.switch(self.name, self.force.active)
        return [factor * x for x in self.force.integrands(state)]

    @property
    def period(self) -> Scalar | None:
        return self.force.period

    def sample(self, state: State, *, first: bool) -> dict[str, Scalar]:
        factor, found = state.switch(self.name, self.force.active), self.force.sample(state, first=first)
        for name in self.force.integrals():
            before = state.integral(name)
            found[name] = before + factor * (found[name] - before)
        return found

    def work(self, state: State) -> None:
        return None
