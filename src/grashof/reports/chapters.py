"""The chapter of a report that describes one run."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from grashof.common.progress import Part, Progress, silent
from grashof.common.status import Code
from grashof.common.wording import seconds, two_digits
from grashof.freedoms.mobility import mobility
from grashof.judge.verdict import Compare, VerdictOutcome, judge
from grashof.model.model import Model
from grashof.motion.trajectory import Trajectory
from grashof.problems import PROBLEMS, Case
from grashof.program import build
from grashof.reports.precision import of_case, of_program
from grashof.reports.words import branch_in_words, verdict_in_words, work_in_words
from grashof.scene import describe
from grashof.simulation.options import TOLERANCE
from grashof.simulation.simulate import simulate
from grashof.view.report import Chapter, Fact, Verdict

Solution = Callable[[np.ndarray], dict[str, np.ndarray]]

REPEAT = 5
"""Number of integrations of a judged run; the fastest one counts."""


@dataclass(frozen=True)
class Subject:
    """The subject of a chapter: a case of a problem, or a mechanism.

    name   the problem or file, as given by the user
    t_end  end time, s
    """

    name: str
    model: Model
    t_end: float
    case: Case | None = None

    @classmethod
    def of(cls, case: Case) -> Subject:
        """A problem, over its own duration."""
        return cls(case.problem, case.model, case.t_end, case)


def chapter(
    subject: Subject, *, tol: float = TOLERANCE, work_precision: bool = True, progress: Progress = silent
) -> tuple[Chapter, bool]:
    """Simulates a subject, and judges it if there is a rule; returns the chapter, and whether the result is good."""
    make = _of_model if subject.case is None else _of_case
    return make(subject, tol, work_precision, progress)


def _of_case(subject: Subject, tol: float, work_precision: bool, progress: Progress) -> tuple[Chapter, bool]:
    assert subject.case is not None
    case = replace(subject.case, reference=_remember_solution(subject.case.reference))
    outcome = judge(case, tol=tol, t_end=subject.t_end, repeat=REPEAT, compare=Compare.ALL, progress=progress)
    run = _run_unless_interrupted(outcome.run)
    estimated = simulate(run.program, outcome.t_end, tol=tol, progress=progress).error if run.status.ok else None
    word, rest = verdict_in_words(outcome)
    shorter = [] if subject.t_end == case.t_end else ["--t-end", f"{subject.t_end:g}"]
    variant = ["--variant", case.variant] if case.variant != PROBLEMS[case.problem].variants[0] else []
    setting = [] if tol == TOLERANCE else ["--tol", f"{tol:g}"]
    progress(Part(0.0, "describing the motion"))
    made = Chapter(
        title=PROBLEMS[case.problem].title,
        command=shlex.join(["grashof", "run", case.problem, *variant, *setting, *shorter]),
        verdict=Verdict(outcome.passed, word, rest),
        summary=_summary(subject.name, run, outcome),
        errors=(*_judge_run(outcome), *_estimate_text(estimated, tol)),
        making=(*_cost(run, outcome.cpu_s, REPEAT), *_make_run(run)),
        mobility=tuple(str(mobility(run.program.joints)).splitlines()),
        scene=describe(run),
        work_precision=of_case(case, run, progress) if work_precision and run.status.ok else None,
        notes=case.notes,
    )
    return made, outcome.passed


def _remember_solution(solution: Solution) -> Solution:
    """An independent solution that is not computed twice for the same times, because it can take seconds."""
    known: dict[bytes, dict[str, np.ndarray]] = {}

    def at(times: np.ndarray) -> dict[str, np.ndarray]:
        key = times.tobytes()
        if key not in known:
            known[key] = solution(times)
        return known[key]

    return at


def _of_model(subject: Subject, tol: float, work_precision: bool, progress: Progress) -> tuple[Chapter, bool]:
    program = build(subject.model, progress=progress)
    run = _run_unless_interrupted(simulate(program, subject.t_end, tol=tol, progress=progress))
    setting = [] if tol == TOLERANCE else ["--tol", f"{tol:g}"]
    progress(Part(0.0, "describing the motion"))
    balance = float(abs(run["balance"]).max())
    made = Chapter(
        title=subject.model.name,
        command=shlex.join(["grashof", "simulate", subject.name, "--t-end", f"{subject.t_end:g}", *setting]),
        verdict=None,
        summary=_summary(subject.name, run, None),
        errors=(
            Fact("Status", str(run.status)),
            Fact(
                "Energy balance",
                f"{two_digits(balance)} J at most",
                "The largest energy-balance error over the whole run.",
            ),
            *_estimate_text(run.error, tol),
        ),
        making=(*_cost(run, run.steps.cpu_s, 1), *_make_run(run)),
        mobility=tuple(str(mobility(program.joints)).splitlines()),
        scene=describe(run),
        work_precision=of_program(program, subject.t_end, progress) if work_precision and run.status.ok else None,
        notes=(),
    )
    return made, run.status.ok


def _run_unless_interrupted(run: Trajectory) -> Trajectory:
    """The run, unless the user interrupted it, which ends the whole report."""
    if run.status.code is Code.INTERRUPTED:
        raise KeyboardInterrupt
    return run


def _summary(name: str, run: Trajectory, outcome: VerdictOutcome | None) -> tuple[Fact, ...]:
    """The row of the run in the table at the top."""
    error = deviation = bound = "–"
    cpu_s = run.steps.cpu_s
    if outcome is not None:
        cpu_s, bound = outcome.cpu_s, f"{two_digits(outcome.case.bound)} J"
        error = "–" if outcome.error is None else f"{two_digits(outcome.error)} J"
        deviation = "–" if outcome.agreement is None else two_digits(outcome.agreement.deviation)
    return (
        Fact("Run", name),
        Fact("Error by the rule", error),
        Fact("Rule", bound),
        Fact("Deviation", deviation),
        Fact("CPU time", seconds(cpu_s)),
        Fact("Evaluations", f"{run.steps.counters.evaluations:,}"),
    )


def _judge_run(outcome: VerdictOutcome) -> list[Fact]:
    case, agreement = outcome.case, outcome.agreement
    error = "none" if outcome.error is None else f"{two_digits(outcome.error)} J"
    facts = [
        Fact("Status", str(outcome.run.status)),
        Fact(
            "Error by the rule",
            f"{error}, at most {two_digits(case.bound)} J is allowed",
            f"{case.error_text}; at the official times and at every step.",
        ),
    ]
    if agreement is not None:
        worst = ", ".join(f"{name} {two_digits(x)}" for name, x in agreement.by_column.items())
        word = "agrees" if agreement.agrees else "does not agree"
        facts.append(
            Fact(
                "Deviation from the independent solution",
                f"{worst}: {word}",
                f"The largest difference at {len(agreement.times)} official times, relative to each quantity's "
                "largest magnitude; it agrees up to "
                f"{two_digits(agreement.limit)}. The solution does not use the engine.",
            )
        )
    position, velocity = ("none" if x is None else two_digits(x) for x in outcome.violation)
    facts.append(
        Fact(
            "Violation of the joints",
            f"{position} m, {velocity} m/s at most",
            "The norm of all joint equations, and of their rates.",
        )
    )
    return facts


def _estimate_text(error: float | None, tol: float) -> list[Fact]:
    meaning = (
        "Of positions, relative to the mechanism's length, of velocities and of works, over the whole run; found by "
        f"runs with other step tolerances, as `grashof simulate` does at tolerance {two_digits(tol)}."
    )
    return [Fact("Estimated error", "not estimated" if error is None else f"about {two_digits(error)}", meaning)]


def _cost(run: Trajectory, cpu_s: float, repeat: int) -> list[Fact]:
    best = f", best of {repeat}" if repeat > 1 else ""
    return [
        Fact(
            "CPU time", f"{seconds(cpu_s)} integration{best}", "One thread; without compiling, assembling and output."
        ),
        Fact(
            "Compiling", f"{seconds(run.program.compile_s + run.steps.compile_s)}", "Wall time; zero if it was cached."
        ),
        Fact("Work", work_in_words(run.steps), "An evaluation is one call of the equations of motion."),
    ]


def _make_run(run: Trajectory) -> list[Fact]:
    system = run.program.system
    moving = f", {len(system.slips)} for velocities only" if system.slips else ""
    return [
        Fact("Method", str(run.method)),
        Fact("Assembly", str(run.assembly).partition("\n")[0]),
        Fact("Equations", f"{system.n} coordinates, {system.m} equations{moving}"),
        Fact("Branch", branch_in_words(run.program)),
    ]
