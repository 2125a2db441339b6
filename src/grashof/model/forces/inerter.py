"""Inerters: inertias of joints, such as those of rotors behind gears."""

from __future__ import annotations

from typing import TYPE_CHECKING

from grashof.common.errors import ModelError, did_you_mean
from grashof.model.forces.base import ForceBase, ForceElement, Load, written
from grashof.model.state import State
from grashof.model.validation import check_not_negative
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.model.model import Model


class Inerter(ForceBase, tag="inerter", frozen=True):
    """An inertia that resists the acceleration of a measure m and nothing else (M. C. Smith, IEEE Trans. Autom. Control
    47, 2002):

        f = −J m̈        T = ½ J ṁ²

    A rotor that turns n times as fast as a joint has J = n² I_rotor on the angle of the joint; its mass belongs to the
    body that carries it, and its gyroscopic moment is left out.

    measure     the name of an angle, a distance or a coordinate
    inertance   J, kg m² for an angle, kg for a distance
    """

    measure: str
    inertance: float

    def element(self) -> ForceElement:
        return ForceElement(
            "drive", (("type", "inerter"), ("inertance", written(self.inertance))), measure=self.measure
        )

    def check(self, owner: str, model: Model) -> None:
        found = model.quantities.get(self.measure)
        if found is None:
            known = [*model.all_measures, *model.quantities]
            raise ModelError(f"{owner}: there is no measure '{self.measure}'; {did_you_mean(self.measure, known)}")
        if self.name in model.switchable:
            raise ModelError(f"{owner}: an inerter cannot be switched, because its momentum would be lost.")
        check_not_negative(f"{owner}: inertance", self.inertance, "kg m²" if found.winds else "kg")

    def targets(self) -> list[str]:
        return [self.measure]

    @property
    def resists(self) -> tuple[tuple[str, Scalar], ...]:
        return ((self.measure, self.inertance),)

    def loads(self, state: State) -> list[Load]:
        return []
