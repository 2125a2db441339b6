"""Runs an assembled Exudyn system, and reads its results."""

from __future__ import annotations

import contextlib
import io
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch
from grashof.engines.exudyn.translated import Translated
from grashof.engines.interpolation import cubic, quintic


@dataclass(frozen=True)
class PreparedExudyn:
    """An assembled Exudyn system."""

    translated: Translated

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        import exudyn

        translated, watch = self.translated, Stopwatch(limit_s)
        start = translated.situation.time
        step, every, steps = _schedule(start, times, float(setting.values["stepSize"]))
        settings = self._settings(exudyn, setting)
        settings.timeIntegration.startTime = start
        settings.timeIntegration.endTime = start + steps * step
        settings.timeIntegration.numberOfSteps = steps
        settings.solution.sensors.writePeriod = every * step
        # with the accelerations, where there are no other means to be as precise between the steps
        settings.timeIntegration.explicit.computeEndOfStepAccelerations = every == 1
        recorded: dict[float, tuple[np.ndarray, np.ndarray, np.ndarray]] = {}
        data, output = translated.system.systemData, Stopwatch()
        for loads in translated.computed:
            loads.reset()

        def record(t: float) -> None:
            watch.check()
            with output:
                recorded[t] = data.GetODE2Coordinates(), data.GetODE2Coordinates_t(), data.GetODE2Coordinates_tt()

        translated.recorder = record
        try:
            with watch, contextlib.redirect_stdout(io.StringIO()):
                done = translated.system.SolveDynamic(settings, solverType=self._solver(exudyn))
        except (RuntimeError, ValueError) as problem:
            watch.check(watch.cpu_s)
            raise EngineFailed(f"Exudyn: {problem}") from problem
        if not done:
            raise EngineFailed("Exudyn: SolveDynamic did not succeed.")
        for loads in translated.computed:
            loads.check()
        at = np.array(list(recorded))
        q, v, a = (np.array([values[i] for values in recorded.values()]) for i in range(3))
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            raise EngineFailed(f"Exudyn: the coordinates are not finite (h = {step:g} s).")
        between = quintic(at, q, v, a, times) if translated.explicit and every == 1 else cubic(at, q, v, times)
        motion = translated.motion(times, *between)
        return Result(motion, watch.cpu_s - output.cpu_s, watch.wall_s - output.wall_s, steps)

    def _solver(self, exudyn: Any) -> Any:
        kinds = exudyn.DynamicSolverType
        return kinds.RK67 if self.translated.explicit else kinds.GeneralizedAlpha

    def _settings(self, exudyn: Any, setting: Setting) -> Any:
        settings = exudyn.SimulationSettings()
        integration = settings.timeIntegration
        integration.verboseMode = 0
        if not self.translated.explicit:
            integration.generalizedAlpha.spectralRadius = float(setting.values["spectralRadius"])
        if self.translated.one_iteration:
            integration.newton.useModifiedNewton = False
            integration.newton.relativeTolerance = integration.newton.absoluteTolerance = 1e3  # met after one iteration
        settings.parallel.numberOfThreads = 1
        settings.solution.file.write = False
        solvers = exudyn.LinearSolverType
        dense = self.translated.redundant or self.translated.explicit
        settings.linearSolver.solverType = solvers.EigenDense if dense else solvers.EigenSparse
        settings.linearSolver.reuseAnalyzedPattern = self.translated.planar
        settings.linearSolver.ignoreSingularJacobian = not self.translated.explicit
        return settings


def _schedule(start: float, times: np.ndarray, step: float) -> tuple[float, int, int]:
    """The step size, the number of steps between records, and the total number of steps.

    If the output times are evenly spaced by a whole number of steps, only these are recorded; otherwise every step is
    recorded.
    """
    spacing = np.diff(np.concatenate([[start], times[times > start]]))
    every = 1
    if len(spacing) and np.allclose(spacing, spacing[0], rtol=1e-6):
        count = round(float(spacing[0]) / step)
        if count >= 1 and math.isclose(count * step, float(spacing[0]), rel_tol=1e-6):
            step, every = float(spacing[0]) / count, count
    steps = math.ceil((float(times[-1]) - start) / step * (1.0 - 1e-9))
    return step, every, max(every * math.ceil(steps / every), 1)
