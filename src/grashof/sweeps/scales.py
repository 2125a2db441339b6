"""Sizes of a mechanism's quantities."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class Scales:
    """What errors are compared with, for B runs: the mechanism's length, its largest speed, the energy that moves,
    and the time of a run."""

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
