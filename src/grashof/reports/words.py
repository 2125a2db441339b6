"""A run in words: the verdict, the equations used along its branch, and the work of the integration."""

from __future__ import annotations

from grashof.common.wording import count_of
from grashof.integrate import Steps
from grashof.judge.verdict import VerdictOutcome
from grashof.program import Program

SHOWN = 2
"""Number of relations that are shown before the text says how many more there are."""


def verdict_in_words(outcome: VerdictOutcome) -> tuple[str, str]:
    """PASSED or FAILED, and the duration that was judged if it was not the whole problem."""
    word = "PASSED" if outcome.passed else "FAILED"
    if not outcome.run.status.ok:
        return word, ": the run is incomplete"
    if outcome.whole:
        return word, ""
    return word, f" so far: judged over {outcome.t_end:g} s only, the problem lasts {outcome.case.t_end:g} s"


def agreement_in_words(outcome: VerdictOutcome) -> str:
    """The deviation of the run from the independent solution."""
    found = outcome.agreement
    if found is None:
        return "not compared"
    count = len(found.times)
    where = "at the end" if count == 1 else f"over {count} times"
    text = ", ".join(f"{name} {x:.1e}" for name, x in found.by_column.items()) + f" relative deviation {where}"
    if found.agrees:
        return text
    until = "not from the start on" if found.until is None else f"until t = {found.until:g} s"
    return f"{text}; within {found.limit:g} {until if count > 1 else 'not at the end'}"


def branch_in_words(program: Program) -> str:
    """The relations that hold along the motion and are used in addition to the joints' equations."""
    if program.branch is None:
        return " ".join(["joint equations only.", program.remark]) if program.remark else "joint equations only"
    relations, added = program.relations, program.branch.added
    found = []
    if relations:
        more = f" and {len(relations) - SHOWN} more" if len(relations) > SHOWN else ""
        found.append(
            f"{count_of(len(relations), 'coordinate')} eliminated, because along the motion "
            + "; ".join(relations[:SHOWN])
            + more
        )
    if added:
        found.append(f"{count_of(added, 'quadratic equation')} added, which distinguish branches that cross")
    return "; ".join(found)


def work_in_words(steps: Steps) -> str:
    """The work of the integration: steps, evaluations and crossings of singular positions."""
    counters, crossed = steps.counters, [f"{x.begin + 0.5 * x.length:.4g}" for x in steps.crossings]
    text = f"{counters.steps} steps, {counters.rejected} rejected, {counters.evaluations} evaluations"
    if not crossed:
        return text
    more = f" and {len(crossed) - SHOWN} more" if len(crossed) > SHOWN else ""
    return f"{text}; singular positions crossed in one step each at t = {', '.join(crossed[:SHOWN])} s{more}"
