"""Grashof as a contestant."""

from __future__ import annotations

import numpy as np

from benchmarks.ladder import LadderRun
from grashof.motion.trajectory import Trajectory
from grashof.problems import Case
from grashof.program import build
from grashof.simulation.simulate import integrate

BUILDS = 2


class GrashofContestant:
    """A case, compiled and assembled, with the relations that hold on its branch or as the joints alone describe it.

    compile_s   wall seconds of compiling, for each of BUILDS builds
    assemble_s  wall seconds of assembling, for each build
    """

    def __init__(self, case: Case, relations: bool = True) -> None:
        self.case = case
        self.name = "Grashof" if relations else "Grashof, joints alone"
        programs = [build(case.model, relations=relations) for _ in range(BUILDS)]
        self.compile_s = [program.compile_s for program in programs]
        self.assemble_s = [program.assemble_s for program in programs]
        self.program = programs[-1]
        self.times = case.times(case.t_end)

    def run(self, tol: float) -> LadderRun:
        """The error is sampled at the official times and at every step."""
        trajectory = self._trajectory(tol)
        status, counters = trajectory.status, trajectory.steps.counters
        error, final = None, {}
        if status.ok:
            views = (trajectory, trajectory.at_steps())
            error = max(float(np.max(np.abs(self.case.error(view)))) for view in views)
            final = {column.name: float(column.value(trajectory)[-1]) for column in self.case.final}
        return LadderRun(
            tol=tol,
            message="" if status.ok else str(status),
            error=error,
            steps=counters.steps,
            rejected=counters.rejected,
            evaluations=counters.evaluations,
            final=final,
        )

    def cpu(self, tol: float, samples: int) -> list[float]:
        """The integration alone, without the trajectory."""
        return [integrate(self.program, self.case.t_end, tol=tol).cpu_s for _ in range(samples)]

    def output(self, tol: float, samples: int) -> list[float]:
        """Process CPU seconds of evaluating the run at the official times."""
        return [self._trajectory(tol).output_s for _ in range(samples)]

    def _trajectory(self, tol: float) -> Trajectory:
        steps = integrate(self.program, self.case.t_end, tol=tol)
        reached = self.times[self.times <= steps.status.time]
        return Trajectory(self.program, steps, reached)
