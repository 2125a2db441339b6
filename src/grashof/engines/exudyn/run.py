"""Running an assembled Exudyn system, and reading what it did."""

from __future__ import annotations

import contextlib
import io
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch
from grashof.engines.exudyn.translated import Translated
from grashof.engines.interpolation import cubic


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
        recorded: dict[float, tuple[np.ndarray, np.ndarray]] = {}
        data, output = translated.system.systemData, Stopwatch()
        for loads in translated.computed:
            loads.reset()

        def record(t: float) -> None:
            watch.check()
            with output:
                recorded[t] = data.GetODE2Coordinates(), data.GetODE2Coordinates_t()

        translated.recorder = record
        try:
            with watch, contextlib.redirect_stdout(io.StringIO()):
                done = translated.system.SolveDynamic(settings)
        except (RuntimeError, ValueError) as problem:
            watch.check(watch.cpu_s)
            raise EngineFailed(f"Exudyn: {problem}") from problem
        if not done:
            raise EngineFailed("Exudyn: SolveDynamic did not succeed.")
        at = np.array(list(recorded))
        q, v = (np.array([pair[i] for pair in recorded.values()]) for i in range(2))
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            raise EngineFailed(f"Exudyn: the coordinates are not finite (h = {step:g} s).")
        motion = translated.motion(times, *cubic(at, q, v, times))
        return Result(motion, watch.cpu_s - output.cpu_s, watch.wall_s - output.wall_s, steps)

    def _settings(self, exudyn: Any, setting: Setting) -> Any:
        settings = exudyn.SimulationSettings()
        integration = settings.timeIntegration
        integration.verboseMode = 0
        integration.generalizedAlpha.spectralRadius = float(setting.values["spectralRadius"])
        if self.translated.one_iteration:
            integration.newton.useModifiedNewton = False
            integration.newton.relativeTolerance = integration.newton.absoluteTolerance = 1e3  # met after one iteration
        settings.parallel.numberOfThreads = 1
        settings.solution.file.write = False
        solvers = exudyn.LinearSolverType
        settings.linearSolver.solverType = solvers.EigenDense if self.translated.redundant else solvers.EigenSparse
        settings.linearSolver.reuseAnalyzedPattern = self.translated.planar
        settings.linearSolver.ignoreSingularJacobian = True
        return settings


def _schedule(start: float, times: np.ndarray, step: float) -> tuple[float, int, int]:
    """Step size, how many steps between records, and steps in all.

    Where the times are evenly spaced by a whole number of steps, only they are recorded; else every step is.
    """
    spacing = np.diff(np.concatenate([[start], times[times > start]]))
    every = 1
    if len(spacing) and np.allclose(spacing, spacing[0], rtol=1e-6):
        count = round(float(spacing[0]) / step)
        if count >= 1 and math.isclose(count * step, float(spacing[0]), rel_tol=1e-6):
            step, every = float(spacing[0]) / count, count
    steps = math.ceil((float(times[-1]) - start) / step * (1.0 - 1e-9))
    return step, every, max(every * math.ceil(steps / every), 1)
