"""Grashof itself, by the same protocol as the others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from time import perf_counter

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting
from grashof.engines.motion import motion_of
from grashof.engines.situation import Situation
from grashof.simulation import integrate


@dataclass(frozen=True)
class _Prepared:
    situation: Situation

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        program = self.situation.program
        began = perf_counter()

        def watch(part: float) -> None:
            if perf_counter() - began > limit_s:
                raise EngineFailed(f"Given up after {limit_s:g} s, with {part:.0%} done.")

        steps = integrate(program, float(times[-1]), tol=float(setting.values["tol"]), progress=watch)
        wall_s = perf_counter() - began
        if not steps.status.ok:
            raise EngineFailed(str(steps.status))
        y, _ = program.integrator.sample(steps, times)
        n = program.system.n
        motion = motion_of(program.system, times, y[:, :n], y[:, n : 2 * n])
        return Result(motion, steps.cpu_s, wall_s, steps.counters.steps)


class Grashof:
    """Natural coordinates, Dormand–Prince 8(5,3) with projection, compiled."""

    name = "grashof"
    package = "grashof"
    notes = ("Default settings but for the tolerance.",)

    def version(self) -> str:
        try:
            return version(self.package)
        except PackageNotFoundError:  # run from its source
            return "source"

    def refuses(self, situation: Situation) -> str | None:
        return None

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        return tuple(
            Setting(f"tol = {tol:.0e}", {"tol": tol})
            for tol in (1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
        )

    def prepare(self, situation: Situation) -> _Prepared:
        _ = situation.program  # compiles
        return _Prepared(situation)


ENGINE = Grashof()
