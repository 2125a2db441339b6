"""Grashof itself, behind the same protocol as the other engines."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grashof._version import __version__
from grashof.engines.base import Engine, EngineFailed, Result, Setting, Stopwatch
from grashof.program import Program
from grashof.simulation.simulate import integrate
from grashof.situation import Situation
from grashof.situation.motion import motion_of

TOLERANCES = (0.1, *(first * 10.0**-k for k in range(2, 12) for first in (5.0, 2.0, 1.0)))


def by_tolerance(tol: float) -> Setting:
    """Default settings but for the tolerance."""
    return Setting(f"tol = {tol:.0e}", {"tol": tol})


@dataclass(frozen=True)
class PreparedGrashof:
    """A compiled mechanism."""

    program: Program

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        program, watch = self.program, Stopwatch(limit_s)
        tol = float(setting.values["tol"])
        with watch:
            steps = integrate(program, float(times[-1]), tol=tol, progress=lambda part: watch.check())
        if not steps.status.ok:
            raise EngineFailed(str(steps.status))
        if steps.status.time < times[-1]:
            raise EngineFailed(
                f"An event ends the run at t = {steps.status.time:g} s, before the requested end at {times[-1]:g} s."
            )
        y, _ = program.integrator.sample(steps, times)
        layout = program.dynamics.layout
        motion = motion_of(program.system, times, y[:, layout.of_q], y[:, layout.of_v])
        return Result(motion, steps.cpu_s, watch.wall_s, steps.counters.steps)


class Grashof(Engine):
    """Natural or relative coordinates, explicit Runge–Kutta with projection, compiled."""

    name = "grashof"
    package = "grashof"
    notes = ("Default settings but for the tolerance.",)

    def version(self) -> str:
        return __version__

    def refuses(self, situation: Situation) -> str | None:
        return None

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        return tuple(map(by_tolerance, TOLERANCES))

    def prepare(self, situation: Situation) -> PreparedGrashof:
        for tol in (TOLERANCES[0], TOLERANCES[-1]):
            # compiles the mechanism, and the method for loose or fine tolerances
            integrate(situation.program, situation.time + 1.0, tol=tol, max_steps=1)
        return PreparedGrashof(situation.program)


ENGINE = Grashof()
