"""SciPy: general integrators on the index-reduced equations of rigid bodies (`maximal`)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch, installed_version
from grashof.engines.maximal import Equations, massless
from grashof.engines.situation import Situation


class SciPy:
    """`scipy.integrate`: DOP853 (explicit Runge–Kutta) and LSODA (Adams and BDF, switching), by relative tolerance."""

    name = "scipy"
    package = "scipy"
    notes = (
        "Our equations in maximal coordinates, in NumPy; SciPy integrates them.",
        "Violations decay at five times the pace of the start; absolute tolerances are rtol times the size of each quantity.",
    )

    def version(self) -> str:
        return installed_version(self.package)

    def refuses(self, situation: Situation) -> str | None:
        return massless(situation)

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        return tuple(
            Setting(f"{method}, rtol {rtol:g}", {"method": method, "rtol": rtol})
            for rtol in (1e-3, 1e-4, 1e-5, 1e-6, 1e-8, 1e-10, 1e-12)
            for method in ("DOP853", "LSODA")
        )

    def prepare(self, situation: Situation) -> PreparedSciPy:
        return PreparedSciPy(Equations(situation))


ENGINE = SciPy()


@dataclass(frozen=True)
class PreparedSciPy:
    """Equations of motion, to be integrated."""

    equations: Equations

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        from scipy import integrate

        equations, watch = self.equations, Stopwatch(limit_s)
        start, end = equations.situation.time, float(times[-1])
        pace = equations.pace(end - start)
        y0 = equations.start()
        states = np.tile(y0, (len(times), 1))
        method = getattr(integrate, str(setting.values["method"]))
        rtol = float(setting.values["rtol"])
        steps, done = 0, int(np.searchsorted(times, start, side="right"))

        def derivative(t: float, y: np.ndarray) -> np.ndarray:
            watch.check()
            return equations.derivative(t, y, pace)

        try:
            with watch:
                solver = method(
                    derivative,
                    start,
                    y0,
                    end,
                    rtol=rtol,
                    atol=rtol * equations.sizes(pace),
                )
                while done < len(times):
                    message = solver.step()
                    if solver.status == "failed":
                        raise EngineFailed(f"{message} (t = {solver.t:g} s)")
                    steps += 1
                    upto = int(np.searchsorted(times, solver.t, side="right"))
                    if upto > done:
                        states[done:upto] = solver.dense_output()(times[done:upto]).T
                        done = upto
        except ArithmeticError as problem:
            raise EngineFailed(f"SciPy: {problem}") from problem
        return Result(equations.motion(times, states), watch.cpu_s, watch.wall_s, steps)
