"""Units and sizes of a mechanism's quantities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError, did_you_mean
from grashof.formulation.natural.rigid import VIOLATIONS
from grashof.model.model import Model
from grashof.model.quantities import moving_names
from grashof.model.state import RATE
from grashof.quantities.derived import derived_units

Array = np.ndarray

_ENERGIES = ("kinetic", "potential", "energy", "balance")
_WORK = "work."


def unit_of(model: Model, name: str) -> str:
    """The unit of a quantity; refused if a run of the model would not have it."""
    if name == "t":
        return "s"
    if name in VIOLATIONS:
        return VIOLATIONS[name]
    if name in model.integrals:
        return f"{model.integrals[name].unit} s"
    if name in (known := derived_units(model)):
        return known[name]
    if name.removesuffix(RATE) in model.quantities:
        return model.quantities[name.removesuffix(RATE)].unit + ("/s" if name.endswith(RATE) else "")
    workers = {thing.name for thing in (*model.forces, *model.motors)} | set(model.bouncing)
    if name in _ENERGIES or name.removeprefix(_WORK) in workers:
        return "J"
    candidates = [
        *moving_names(model),
        *_ENERGIES,
        *(f"{_WORK}{worker}" for worker in sorted(workers)),
        *known,
        *VIOLATIONS,
    ]
    raise ModelError(
        f"There is no quantity '{name}' in mechanism '{model.name}'; {did_you_mean(name, candidates, at_most=3)}"
    )


@dataclass(frozen=True, eq=False)
class Scales:
    """What errors are compared with, for B runs: the mechanism's length, its largest speed, the energy that moves, and the time of a run."""

    length: Array
    speed: Array
    energy: Array
    span: Array

    def of(self, unit: str, magnitude: Array) -> Array:
        """The size of a quantity with this unit, whose largest magnitude is given, (B,).

        For units of motion and of energy it is the same as in `simulate`.
        """
        known = {"m": self.length, "m/s": self.speed, "rad": np.ones_like(self.length), "J": self.energy}
        known |= {"rad/s": self.speed / self.length, "s": self.span}
        if unit in known:
            return known[unit]
        others = {
            "m/s²": self.speed * self.speed / self.length,
            "rad/s²": self.speed * self.speed / (self.length * self.length),
            "m s": self.length * self.span,
            "rad s": self.span,
        }
        return np.asarray(np.maximum(others.get(unit, 0.0), magnitude))
