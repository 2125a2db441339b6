"""Force along a distance or a coordinate."""

from __future__ import annotations

from grashof.model.forces.base import ForceBase, Load
from grashof.model.laws import Law
from grashof.model.state import State
from grashof.model.units import ForceLaw
from grashof.scalar.functions import Scalar


class Pull(ForceBase, tag="pull", frozen=True):
    """A force F (N, a law) along a distance or a coordinate x, positive if it increases x; it acts on both bodies and
    does the work ∫ F dx. It is to a distance what a torque is to an angle.

    measure   the name of the distance or coordinate
    """

    measure: str
    force: ForceLaw

    def targets(self) -> list[str]:
        return [self.measure]

    def laws(self) -> tuple[Law, ...]:
        return (self.force,)

    def loads(self, state: State) -> list[Load]:
        return [(self.measure, [self.now(self.force, state)])]

    def work(self, state: State) -> Scalar | None:
        force = self.constant(self.force)
        return None if force is None else force * state.measure(self.measure)
