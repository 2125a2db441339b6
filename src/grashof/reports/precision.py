"""Work-precision measurements: the same run with every integration method, at a sequence of tolerances."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from time import process_time

import numpy as np

from grashof.common.errors import finite
from grashof.common.near import AGREES
from grashof.common.progress import Part, Progress, silent
from grashof.common.status import Code
from grashof.common.wording import two_digits
from grashof.integrate import METHODS, Steps
from grashof.motion.trajectory import Trajectory
from grashof.problems import Case
from grashof.program import Program
from grashof.simulation.simulate import integrate
from grashof.view.report import Attempt, Goal, MethodCurve, WorkPrecision

TOLERANCES = tuple(float(f"{10 ** (-k / 2):.1e}") for k in range(4, 23))
"""From 1e-2 to 1e-11, two per decade."""

FINEST = 1e-12
"""Tolerance of the run with which others are compared if there is no independent solution."""

SAMPLES = 3
"""Number of integrations for each setting; the fastest one counts."""

COMPARED = 21
"""Number of times at which runs are compared with the finest one."""

BUDGET_S = 20.0
"""CPU time for one diagram, s. When it is used up, finer tolerances are omitted, and the diagram says so."""


@dataclass(frozen=True)
class Rung:
    """A method at one setting: its tolerance (or number of fixed steps), the run, and its best CPU time in s."""

    setting: float
    steps: Steps
    cpu_s: float


def climb_ladders(
    program: Program,
    t_end: float,
    ladders: Mapping[str, Sequence[float]],
    samples: int,
    *,
    budget_s: float = inf,
    progress: Progress = silent,
) -> tuple[dict[str, list[Rung]], bool]:
    """The runs of each method that reach the end, in the order of its ladder, and whether the budget sufficed for all.

    Methods take turns, so that other load on the machine affects all of them alike.
    """
    found: dict[str, list[Rung]] = {name: [] for name in ladders}
    begin, rungs = process_time(), max(map(len, ladders.values()))
    for rung in range(rungs):
        progress(Part(rung / rungs, "measuring work and precision"))
        runs, cpu_s = {}, dict.fromkeys(ladders, inf)
        for _ in range(samples):
            for name, ladder in ladders.items():
                if rung < len(ladder):
                    adaptive = METHODS[name].adaptive
                    tol, step = (ladder[rung], None) if adaptive else (1e-6, t_end / ladder[rung])
                    runs[name] = integrate(program, t_end, tol=tol, method=name, step=step)
                    cpu_s[name] = min(cpu_s[name], runs[name].cpu_s)
                if process_time() - begin > budget_s:
                    return found, False
        for name, steps in runs.items():
            if steps.status.code is Code.INTERRUPTED:
                raise KeyboardInterrupt
            if steps.status.ok:
                found[name].append(Rung(ladders[name][rung], steps, cpu_s[name]))
    return found, True


def of_case(case: Case, judged: Trajectory, progress: Progress = silent) -> WorkPrecision:
    """The error by a problem's rule, and the deviation from the independent solution.

    judged   a run that was judged at the official times
    """
    program, official = judged.program, judged.t
    t_end = float(official[-1])
    exact = case.reference(official)
    sizes = {x.name: max(float(np.max(np.abs(exact[x.name]))), np.finfo(float).tiny) for x in case.final}
    goals = (
        Goal(
            "Error by the rule",
            "J",
            f"{case.error_text}, the largest at the official times and at every step.",
            case.bound,
            "the rule",
        ),
        Goal(
            "Deviation from the independent solution",
            "",
            f"The largest difference of {', '.join(column.name for column in case.final)} at {len(official)} official "
            "times, relative to the largest magnitude of each.",
            AGREES,
            "agreement",
        ),
    )

    def errors(steps: Steps) -> tuple[float | None, ...]:
        views = [Trajectory(program, steps, times) for times in (official, steps.t)]
        error = max(float(np.max(np.abs(case.error(view)))) for view in views)
        run = views[0]
        apart = [
            float(np.max(np.abs(column.value(run) - exact[column.name]))) / sizes[column.name] for column in case.final
        ]
        return finite(error), finite(max(apart))

    return _measure_method(program, t_end, goals, errors, progress)


def of_program(program: Program, t_end: float, progress: Progress = silent) -> WorkPrecision | None:
    """The energy-balance error, and the difference from a finer run; None if there is no finer run for comparison."""
    progress(Part(0.0, "measuring work and precision"))
    begin = process_time()
    finest = integrate(program, t_end, tol=FINEST, method="verner9")
    if not finest.status.ok or process_time() - begin > BUDGET_S:
        return None
    times = np.linspace(program.assembly.time, finest.t[-1], COMPARED)
    exact = Trajectory(program, finest, times).q
    goals = (
        Goal("Energy balance", "J", "The largest energy-balance error at any step."),
        Goal(
            "Difference from the finest run",
            "",
            f"The largest difference of a coordinate at {COMPARED} times from a run of verner9 at tolerance "
            f"{two_digits(FINEST)}, relative to the "
            f"mechanism's length of {program.system.length:.3g} m. Errors that all runs have in common do not show.",
        ),
    )

    def errors(steps: Steps) -> tuple[float | None, ...]:
        if abs(steps.t[-1] - finest.t[-1]) > 1e-6 * abs(finest.t[-1] - finest.t[0]):
            return None, None
        balance = float(np.max(np.abs(Trajectory(program, steps, steps.t)["balance"])))
        apart = float(np.max(np.abs(Trajectory(program, steps, times.clip(steps.t[0], steps.t[-1])).q - exact)))
        return finite(balance), finite(apart / program.system.length)

    return _measure_method(program, t_end, goals, errors, progress)


def _measure_method(
    program: Program,
    t_end: float,
    goals: tuple[Goal, ...],
    errors: Callable[[Steps], tuple[float | None, ...]],
    progress: Progress,
) -> WorkPrecision:
    ladders = {name: TOLERANCES for name, method in METHODS.items() if method.adaptive}
    found, complete = climb_ladders(program, t_end, ladders, SAMPLES, budget_s=BUDGET_S, progress=progress)
    curves = []
    for name, rungs in found.items():
        attempts = [Attempt(x.setting, x.cpu_s, x.steps.counters.evaluations, errors(x.steps)) for x in rungs]
        curves.append(MethodCurve(name, METHODS[name].title, tuple(attempts)))
    notes = [
        f"Each mark is one tolerance. CPU time is that of the integration alone, one thread, the best of {SAMPLES}; "
        "each step's error is controlled, as by `check_error=False`."
    ]
    if not complete:
        notes.append(f"Finer tolerances are left out: they would have taken more than {BUDGET_S:g} s of CPU time.")
    return WorkPrecision(goals, tuple(curve for curve in curves if curve.attempts), tuple(notes))
