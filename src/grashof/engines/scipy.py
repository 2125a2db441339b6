"""SciPy: a general integrator on the index-reduced equations of rigid bodies (`maximal`)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch, installed_version
from grashof.engines.maximal import Equations, massless
from grashof.engines.situation import Situation


class SciPy:
    """`scipy.integrate.DOP853`, an explicit Runge–Kutta method of order 8, by relative tolerance."""

    name = "scipy"
    package = "scipy"
    notes = (
        "Our equations in maximal coordinates, in NumPy; SciPy integrates them.",
        "Each step starts from the state put back on the joints, positions and velocities (Eich, 1993).",
        "Absolute tolerances are rtol times the size of each quantity.",
        "1e-6 of m ℓ² is added to the inertia about axes that have none, such as a slender bar's own.",
    )

    def version(self) -> str:
        return installed_version(self.package)

    def refuses(self, situation: Situation) -> str | None:
        return massless(situation)

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        tolerances = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)
        return tuple(Setting(f"DOP853, rtol {rtol:g}", {"rtol": rtol}) for rtol in tolerances)

    def prepare(self, situation: Situation) -> PreparedSciPy:
        return PreparedSciPy(Equations(situation))


ENGINE = SciPy()


@dataclass(frozen=True)
class PreparedSciPy:
    """Equations of motion, to be integrated."""

    equations: Equations

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        from scipy.integrate import DOP853

        equations, watch = self.equations, Stopwatch(limit_s)
        start, end, y0 = equations.situation.time, float(times[-1]), equations.start()
        states = np.tile(y0, (len(times), 1))
        rtol = float(setting.values["rtol"])
        atol = rtol * equations.sizes(equations.pace(end - start))
        steps, done = 0, int(np.searchsorted(times, start, side="right"))

        def derivative(t: float, y: np.ndarray) -> np.ndarray:
            watch.check()
            return equations.derivative(t, y)

        try:
            with watch:
                solver = DOP853(derivative, start, y0, end, rtol=rtol, atol=atol)
                while done < len(times):
                    message = solver.step()
                    if solver.status == "failed":
                        raise EngineFailed(f"SciPy: {message} (t = {solver.t:g} s)")
                    steps += 1
                    upto = int(np.searchsorted(times, solver.t, side="right"))
                    if upto > done:
                        states[done:upto] = solver.dense_output()(times[done:upto]).T
                        done = upto
                    if solver.status == "running":
                        solver.y = equations.projected(solver.t, solver.y)
                        solver.f = derivative(solver.t, solver.y)
        except ArithmeticError as problem:
            raise EngineFailed(f"SciPy: {problem}") from problem
        return Result(equations.motion(times, states), watch.cpu_s, watch.wall_s, steps)
