"""Force along a distance or a coordinate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.forces.base import ForceBase, ForceElement, Load, written
from grashof.model.laws import Law
from grashof.model.state import State
from grashof.model.units import ForceLaw
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.model import Model


class Pull(ForceBase, tag="pull", frozen=True):
    """A force F (N, a law) along a distance or a coordinate x, positive if it increases x; it acts on both bodies and
    does the work ∫ F dx. It is to a distance what a torque is to an angle.

    measure   the name of the distance or coordinate
    """

    measure: str
    force: ForceLaw

    def element(self) -> ForceElement:
        return ForceElement("drive", (("type", "pull"), ("force", f"{written(self.force)} N")), measure=self.measure)

    def check(self, owner: str, model: Model) -> None:
        found = model.quantities.get(self.measure)
        if found is None or found.unit != "m":
            lengths = [name for name, measure in model.quantities.items() if measure.unit == "m"]
            hint = did_you_mean(self.measure, lengths)
            raise ModelError(f"{owner}: there is no distance or coordinate '{self.measure}'; {hint}")

    def targets(self) -> list[str]:
        return [self.measure]

    def laws(self) -> tuple[Law, ...]:
        return (self.force,)

    def loads(self, state: State) -> list[Load]:
        return [(self.measure, [self.now(self.force, state)])]

    def work(self, state: State) -> Scalar | None:
        force = self.constant(self.force)
        return None if force is None else force * state.measure(self.measure)
