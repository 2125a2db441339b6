"""Runs of a mechanism with open numbers, with or without derivatives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.changes.kinks import merge_stops
from grashof.integrate import Choice, Integrator, Settings, Spacing
from grashof.integrate.lanes import checked_rows
from grashof.program.open_code import OpenCode
from grashof.quantities.catalog import catalog_of
from grashof.quantities.energy_balance import CHECKED, adds_up
from grashof.sensitivity.motion import MotionWithDerivatives, columns
from grashof.sensitivity.start import StartSolver, StartWithDerivatives
from grashof.sensitivity.tangent import Tangent, TangentEquations
from grashof.simulation.task import Attempt, Task, weights_of
from grashof.simulation.trust import allowed_imbalance
from grashof.singular.sides import compare_sides
from grashof.sweeps.outputs import Output
from grashof.tape import Library

Array = np.ndarray

TIGHTEST = 1e-12
"""Smallest tolerance of a run."""


@dataclass(frozen=True, eq=False)
class Runs:
    """A task whose program has open numbers.

    task   the run with the nominal values, which supplies its steps and the scales for error control
    """

    opened: OpenCode
    task: Task

    @cached_property
    def equations(self) -> TangentEquations:
        """The equations that are integrated."""
        tapes = self.opened.staged.tapes
        return TangentEquations(self.opened.equations.running.layout.sizes, tapes["derivative"], tapes["project"])

    @cached_property
    def starts(self) -> StartSolver:
        """The solver for the starts of runs."""
        return StartSolver(self.opened)

    @cached_property
    def tangent(self) -> Tangent:
        """The equations with a direction for each open number."""
        return Tangent(self.equations, len(self.opened.names))

    @cached_property
    def _without_directions(self) -> Tangent:
        return Tangent(self.equations, 0)

    @cached_property
    def method(self) -> Choice:
        """The integration method, which does not change."""
        return replace(self.task.choose(), tentative=False)

    def place(self, output: Output) -> int:
        """The index of an output's quantity among those observed."""
        (quantity,) = output.quantities(None)
        return self.opened.observes.index(quantity)

    @cached_property
    def works(self) -> tuple[int, ...]:
        """The indices of works and the like among the observed quantities."""
        catalog = catalog_of(self.opened.model)
        return tuple(k for k, name in enumerate(self.opened.observes) if catalog[name].since_start)

    @cached_property
    def _library(self) -> Library:
        return self.tangent.library()

    def moved(
        self, start: StartWithDerivatives, tol: float, times: Sequence[float] = (), spacing: Spacing | None = None
    ) -> MotionWithDerivatives:
        """The run from a start, with derivatives; a step ends at each of the given times."""
        integrator = self.tangent.integrator(self._library, start.c, start.c_slopes)
        return self._run(self.tangent, integrator, start, tol, times, spacing)

    def plain(self, start: StartWithDerivatives, tol: float, times: Sequence[float] = ()) -> MotionWithDerivatives:
        """The run from a start, without derivatives; a step ends at each of the given times."""
        none = StartWithDerivatives(start.y, start.y_slopes[:0], start.c, start.c_slopes[:0], start.placed)
        integrator = self._without_directions.integrator(self.opened.native.library, start.c, none.c_slopes)
        return self._run(self._without_directions, integrator, none, tol, times)

    def adds_up(self, motion: MotionWithDerivatives, tol: float) -> bool:
        """Whether the energy balance and the angles of motors are satisfied at all steps of a run."""
        t, (y, _) = motion.steps.t, motion.tangent.split(motion.steps.y)
        found = self.opened.native.rows("observe", np.column_stack([t, y]), np.tile(motion.c, (len(t), 1)))
        return bool(adds_up(found[:, -CHECKED:], allowed_imbalance(tol)))

    def stay_aside(self, motion: MotionWithDerivatives) -> bool:
        """Whether a run certainly stays away from singular positions of loops, if it is made in relative coordinates,
        which do not lead there."""
        relative, tapes = self.opened.equations.relative, self.opened.staged.tapes
        if relative is None or relative.solving is None:
            return True
        t, (y, _) = motion.steps.t, motion.tangent.split(motion.steps.y)
        x = [t, *y.T, *motion.c.tolist()]
        with np.errstate(all="ignore"):
            weakness, gradients = (columns(list(tapes[name].evaluate(x)), t) for name in ("weakness", "gradients"))
        if not np.all(relative.strengths(weakness) > relative.solving.least):
            return False
        rows, pattern = np.zeros((len(t), relative.rows.count, relative.n)), checked_rows(relative)
        for entry, (k, a) in enumerate((k, a) for k, own in enumerate(pattern) for a in own):
            rows[:, k, a] = gradients[:, entry]
        return not pattern or bool(np.all(compare_sides(rows, relative.redundant)[0]))

    def _run(
        self,
        tangent: Tangent,
        integrator: Integrator,
        start: StartWithDerivatives,
        tol: float,
        times: Sequence[float],
        spacing: Spacing | None = None,
    ) -> MotionWithDerivatives:
        y0 = tangent.joined(start.y, start.y_slopes)
        settings = replace(
            self._settings(start.y, tol), weights=tangent.weights(np.array(weights_of(self.opened.dynamics.system)))
        )
        begin, end = self.opened.time, self.task.t_end
        stops = merge_stops([*settings.stops, *((t, t) for t in times if begin < t < end)], begin, end)
        # kinks are found along motions without derivatives
        settings = replace(settings, stops=stops, spacing=spacing or settings.spacing, kinks=None)
        steps = integrator.collect(y0, self.opened.time, self.task.t_end, settings)
        observe = self.opened.staged.tapes["observe"]
        return MotionWithDerivatives(tangent, integrator, steps, settings, observe, self.works, start.c, start.c_slopes)

    def _settings(self, y0: Array, tol: float) -> Settings:
        """Settings of the integration as in the task.

        Runs with different tolerances use the same method, so that they can be compared.
        """
        settings = self.task.settings(Attempt(max(tol, TIGHTEST), self.method))
        speed = max(self.task.speed, float(np.max(np.abs(y0[self.equations.sizes.of_v]), initial=0.0)))
        return replace(settings, speed=speed, surroundings=None, watch=None)
