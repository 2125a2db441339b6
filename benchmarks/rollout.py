"""The same runs with `mujoco.rollout`: each row is a separate model, and all of them are passed to one call, in one
thread.

Models and starts come from Grashof's adapter, whose time is not counted. The setting is the coarsest of the adapter's
ladder at which all rows satisfy the problem's rule.
"""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from grashof.engines.base import EngineFailed, Setting
from grashof.engines.mujoco import ENGINE
from grashof.engines.mujoco.run import PreparedMuJoCo
from grashof.engines.observed import ObservedMotion
from grashof.model.model import Model
from grashof.problems import Case
from grashof.situation import situation


class Rollout:
    """Rows of a study in MuJoCo."""

    RUNS: ClassVar[int] = 8

    @staticmethod
    def missing(case: Case) -> str:
        """Why it cannot be measured; empty if it can."""
        if importlib.util.find_spec("mujoco") is None:
            return "MuJoCo is not installed, so it is not measured: pip install mujoco."
        if case.problem != "andrews":
            return "MuJoCo is measured on andrews alone."
        return ""

    def __init__(self, case: Case, models: Sequence[Model]) -> None:
        self.case = case
        self.rows = [ENGINE.prepare(situation(model)) for model in models]
        self.setting, self.error = self._choose()
        self._states = np.stack([row._start() for row in self.rows])
        self._steps = round((case.t_end - self.rows[0].situation.time) / float(self.setting.values["timestep"]))

    def _choose(self) -> tuple[Setting, float]:
        """The coarsest setting that passes, and the largest error there, J."""
        for setting in ENGINE.ladder(self.rows[0].situation, self.case.t_end):
            error = 0.0
            for row in self.rows:
                error = max(error, self._error(row, setting))
                if not error <= self.case.bound:
                    break
            else:
                return setting, error
        raise EngineFailed("MuJoCo keeps the rule at no setting of its ladder.")

    def _error(self, row: PreparedMuJoCo, setting: Setting) -> float:
        times = self.case.times(self.case.t_end)
        try:
            motion = row.run(setting, times).motion
        except EngineFailed:
            return float("inf")
        return float(np.max(np.abs(self.case.error(ObservedMotion(row.situation, motion)))))

    def run(self) -> tuple[float, int]:
        """All rows in one call: CPU seconds, and steps times stages."""
        from mujoco import rollout

        models: list[Any] = [row.model for row in self.rows]
        step = float(self.setting.values["timestep"])
        for model in models:
            model.opt.timestep = step
        control = np.ones((len(models), self._steps, models[0].nu)) if models[0].nu else None
        clock = time.process_time()
        rollout.rollout(models, self.rows[0].data, self._states, control, nstep=self._steps)
        return time.process_time() - clock, 4 * self._steps * len(models)
