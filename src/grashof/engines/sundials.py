"""SUNDIALS (scikit-sundae): CVODE on the index-reduced equations of rigid bodies (`maximal`)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.base import EngineFailed, Result, Setting, Stopwatch, installed_version
from grashof.engines.maximal import Equations, massless
from grashof.engines.situation import Situation


class Sundials:
    """CVODE with Adams' formulas, by relative tolerance; Newton with matrix-free GMRES."""

    name = "sundials"
    package = "scikit-sundae"
    notes = (
        "Our equations in maximal coordinates, in NumPy; CVODE integrates them, called from Python.",
        "Violations decay at five times the pace of the start: the package has no way to put CVODE's state back on the joints.",
        "Absolute tolerances are rtol times the size of each quantity.",
        "1e-6 of m ℓ² is added to the inertia about axes that have none, such as a slender bar's own.",
        "Adams' formulas: BDF was slower for the same error on most problems tried.",
        "Newton's linear systems by GMRES without a matrix: finite differences of all columns would cost many times more.",
    )

    def version(self) -> str:
        return installed_version(self.package)

    def refuses(self, situation: Situation) -> str | None:
        return massless(situation)

    def ladder(self, situation: Situation, t_end: float) -> tuple[Setting, ...]:
        tolerances = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10)
        return tuple(Setting(f"CVODE Adams, rtol {rtol:g}", {"method": "Adams", "rtol": rtol}) for rtol in tolerances)

    def prepare(self, situation: Situation) -> PreparedSundials:
        return PreparedSundials(Equations(situation))


ENGINE = Sundials()


@dataclass(frozen=True)
class PreparedSundials:
    """Equations of motion, to be integrated."""

    equations: Equations

    def run(self, setting: Setting, times: np.ndarray, limit_s: float = math.inf) -> Result:
        from sksundae.cvode import CVODE

        equations, watch = self.equations, Stopwatch(limit_s)
        start, end = equations.situation.time, float(times[-1])
        pace = equations.pace(end - start)
        y0 = equations.start()
        rtol = float(setting.values["rtol"])
        reached = [start]  # new times at which CVODE asks for the derivative: its steps, tried and accepted

        def derivative(t: float, y: np.ndarray, yp: np.ndarray) -> None:
            watch.check()
            if t > reached[-1]:
                reached.append(t)
            yp[:] = equations.drawn(t, y, pace)

        solver = CVODE(
            derivative,
            method=setting.values["method"],
            rtol=rtol,
            atol=rtol * equations.sizes(pace),
            linsolver="gmres",
            max_num_steps=1_000_000,
        )
        states = np.tile(y0, (len(times), 1))
        try:
            with watch:
                solver.init_step(start, y0)
                for k, t in enumerate(times):
                    if t > start:
                        answer: Any = solver.step(float(t))
                        if not answer.success:
                            raise EngineFailed(f"CVODE: {answer.message} (t = {answer.t:g} s)")
                        states[k] = answer.y
        except ArithmeticError as problem:
            raise EngineFailed(f"CVODE: {problem}") from problem
        return Result(equations.motion(times, states), watch.cpu_s, watch.wall_s, len(reached) - 1)
