"""SUNDIALS (scikit-sundae): CVODE on the index-reduced equations of rigid bodies (`maximal`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Setting, Stopwatch
from grashof.engines.maximal import MaximalEngine, MaximalEquations
from grashof.situation import MADE_POSITIVE, Situation


class Sundials(MaximalEngine):
    """CVODE with Adams' formulas, by relative tolerance; Newton with matrix-free GMRES."""

    name = "sundials"
    package = "scikit-sundae"
    notes = (
        "Our equations in maximal coordinates, in NumPy; CVODE integrates them, called from Python.",
        "Constraint violations are damped out at five times the initial rate of the motion, since the package "
        "offers no way to project CVODE's state.",
        "Absolute tolerances are rtol times the size of each quantity.",
        MADE_POSITIVE,
        "Adams' formulas: BDF was slower for the same error on most problems tried.",
        "The linear systems of Newton's method are solved by matrix-free GMRES; finite differences of all "
        "columns would cost many times more.",
    )

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        tolerances = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
        return tuple(Setting(f"CVODE Adams, rtol {rtol:g}", {"method": "Adams", "rtol": rtol}) for rtol in tolerances)

    def integrate(
        self, equations: MaximalEquations, setting: Setting, times: np.ndarray, states: np.ndarray, watch: Stopwatch
    ) -> int:
        from sksundae.cvode import CVODE

        start, y0 = equations.situation.time, equations.start()
        pace = equations.pace(float(times[-1]) - start)
        rtol = float(setting.values["rtol"])
        reached = [start]  # new times at which CVODE asks for the derivative: its steps, tried and accepted

        def derivative(t: float, y: np.ndarray, yp: np.ndarray) -> None:
            watch.check()
            if t > reached[-1]:
                reached.append(t)
            yp[:] = equations.rates_towards_constraints(t, y, pace)

        solver = CVODE(
            derivative,
            method=setting.values["method"],
            rtol=rtol,
            atol=rtol * equations.sizes(pace),
            linsolver="gmres",
            max_num_steps=1_000_000,
        )
        with watch:
            solver.init_step(start, y0)
            for k, t in enumerate(times):
                if t > start:
                    answer: Any = solver.step(float(t))
                    if not answer.success:
                        raise EngineFailed(f"CVODE: {answer.message} (t = {answer.t:g} s)")
                    states[k] = answer.y
        return len(reached) - 1


ENGINE = Sundials()
