"""The package's own formulations in the laboratory: simulations, by tolerance."""

from __future__ import annotations

from collections.abc import Iterable
from time import process_time
from typing import ClassVar

import numpy as np

from grashof.common.progress import Part
from grashof.lab.member import Member, Performed
from grashof.lab.status import Ending
from grashof.lab.subject import Subject
from grashof.program import build
from grashof.simulation.simulate import simulate

TOLERANCES = (1e-3, 1e-5, 1e-7, 1e-9, 1e-11)


class _TooLong(Exception):
    """The limit of CPU time is exceeded."""


class ByTolerance(Member):
    """A formulation with error control."""

    setting: ClassVar[str] = "tolerance"

    def settings(self, subject: Subject) -> Iterable[float]:
        return TOLERANCES


class Simulated(ByTolerance):
    """`gr.simulate` in given coordinates, with the method that it chooses, without the second run that estimates the
    error: the laboratory compares with a reference anyway. Building the program is not counted."""

    coordinates: ClassVar[str]

    def perform(self, subject: Subject, setting: float, limit_s: float) -> Performed:
        program = build(subject.model, formulation=self.coordinates)
        times = subject.start + subject.step * np.arange(subject.intervals + 1)

        def watch(part: Part) -> None:
            if process_time() - begin > limit_s:
                raise _TooLong

        begin = process_time()
        try:
            run = simulate(program, subject.t_end, tol=setting, times=times, check_error=False, progress=watch)
        except _TooLong:
            why = f"The limit is {limit_s:g} s of CPU time for a run."
            return Performed(None, Ending.GIVEN_UP, subject.start, why, 0, None, None, None, process_time() - begin)
        counters = run.steps.counters
        ending = Ending.FINISHED if run.status.ok else Ending.DOUBTED
        why = "" if run.status.ok else str(run.status)
        work = counters.steps, counters.evaluations, None, None, run.steps.cpu_s
        return Performed(run, ending, run.status.time, why, *work)
