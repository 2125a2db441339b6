"""SciPy: a general integrator on the index-reduced equations of rigid bodies (`maximal`)."""

from __future__ import annotations

import numpy as np

from grashof.engines.base import EngineFailed, Setting, Stopwatch
from grashof.engines.maximal import MaximalEngine, MaximalEquations
from grashof.situation import MADE_POSITIVE, Situation


class SciPy(MaximalEngine):
    """`scipy.integrate.DOP853`, an explicit Runge–Kutta method of order 8, by relative tolerance."""

    name = "scipy"
    package = "scipy"
    notes = (
        "Our equations in maximal coordinates, in NumPy; SciPy integrates them.",
        "Before each step, positions and velocities are projected onto the joint equations (Eich, 1993).",
        "Absolute tolerances are rtol times the size of each quantity.",
        MADE_POSITIVE,
    )

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        tolerances = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)
        return tuple(Setting(f"DOP853, rtol {rtol:g}", {"rtol": rtol}) for rtol in tolerances)

    def integrate(
        self, equations: MaximalEquations, setting: Setting, times: np.ndarray, states: np.ndarray, watch: Stopwatch
    ) -> int:
        from scipy.integrate import DOP853

        start, end, y0 = equations.situation.time, float(times[-1]), equations.start()
        rtol = float(setting.values["rtol"])
        atol = rtol * equations.sizes(equations.pace(end - start))
        steps, done = 0, int(np.searchsorted(times, start, side="right"))

        def derivative(t: float, y: np.ndarray) -> np.ndarray:
            watch.check()
            return equations.derivative(t, y)

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
                    solver.y = equations.project(solver.t, solver.y)
                    solver.f = derivative(solver.t, solver.y)
        return steps


ENGINE = SciPy()
