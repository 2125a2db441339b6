"""The code shared by the engines that integrate the equations of rigid bodies."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from grashof.engines.base import Engine, EngineFailed, Result, Setting, Stopwatch
from grashof.engines.maximal.equations import MaximalEquations
from grashof.situation import Situation
from grashof.situation.known import unknown


class MaximalEngine(Engine):
    """A general integrator of differential equations."""

    def refuses(self, situation: Situation) -> str | None:
        names = [f"'{name}'" for name, mass in zip(situation.bodies, situation.masses, strict=True) if mass <= 0.0]
        if names:
            return f"Maximal coordinates need a mass in every body; {', '.join(names)} has none."
        return unknown(situation.original, self.name, any_joint=True)

    def prepare(self, situation: Situation) -> PreparedMaximal:
        return PreparedMaximal(self, MaximalEquations(situation))

    @abstractmethod
    def integrate(
        self, equations: MaximalEquations, setting: Setting, times: np.ndarray, states: np.ndarray, watch: Stopwatch
    ) -> int:
        """Writes the states at all times after the start, times the part that is measured, and returns the number of
        steps.

        May raise ArithmeticError, like the equations.
        """


@dataclass(frozen=True)
class PreparedMaximal:
    """Equations of motion that are ready to be integrated."""

    engine: MaximalEngine
    equations: MaximalEquations

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        watch, states = Stopwatch(limit_s), np.tile(self.equations.start(), (len(times), 1))
        try:
            steps = self.engine.integrate(self.equations, setting, times, states, watch)
        except ArithmeticError as problem:
            raise EngineFailed(f"{self.engine.name}: {problem}") from problem
        if self.equations.forces is not None:
            self.equations.forces.check()
        return Result(self.equations.motion(times, states), watch.cpu_s, watch.wall_s, steps)
