"""Measures contests: first the tolerance of each contestant is found, then all are timed in turn.

The machine's speed varies during a measurement, but the ratio of two times taken in immediate succession hardly does.
So the timing proceeds in rounds. In each round each contestant is timed once (the best of a few integrations), those of
one contest one after another, and every other round in the opposite order.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from benchmarks.contests import Contest
from benchmarks.engine import GrashofContestant
from benchmarks.hand_written import HandWritten, Unavailable
from benchmarks.ladder import Climb, Contestant, LadderRun, climb

Say = Callable[[str], None]


@dataclass
class Entry:
    """A contestant in a contest, and its results.

    about     a description of two words
    missing   why it cannot be measured; empty if it can
    cpu_s     process CPU seconds of one integration, the samples of each round
    off       relative deviation of each final quantity from the reference
    """

    name: str
    about: str
    contestant: Contestant | None = None
    missing: str = ""
    climb: Climb | None = None
    cpu_s: list[list[float]] = field(default_factory=list)
    off: dict[str, float] = field(default_factory=dict)

    @property
    def chosen(self) -> LadderRun | None:
        """The run at the loosest passing tolerance."""
        return self.climb.loosest if self.climb else None

    @property
    def best(self) -> list[float]:
        """The best time of each round, s."""
        return [min(samples) for samples in self.cpu_s]


@dataclass(frozen=True)
class Ratio:
    """Time of one entry divided by that of another, over the rounds: the median and the middle half."""

    median: float
    low: float
    high: float


@dataclass
class ContestResult:
    """A measured contest; the first entry is Grashof."""

    contest: Contest
    bound: float
    reference: dict[str, float]
    entries: list[Entry]
    engine: GrashofContestant
    output_s: list[float] = field(default_factory=list)


def ratio(entry: Entry, other: Entry) -> Ratio:
    """How many times longer the first takes."""
    rounds = np.array(entry.best) / np.array(other.best)
    low, median, high = np.quantile(rounds, (0.25, 0.5, 0.75))
    return Ratio(float(median), float(low), float(high))


def measure(contests: Sequence[Contest], rounds: int, samples: int, say: Say) -> list[ContestResult]:
    """All contests in one run."""
    with tempfile.TemporaryDirectory() as folder:
        results = [_prepare(contest, Path(folder) / str(k), say) for k, contest in enumerate(contests)]
        for k in range(rounds):
            say(f"round {k + 1} of {rounds}")
            for result in results:
                _time(result, samples, backwards=k % 2 == 1)
    return results


def _prepare(contest: Contest, folder: Path, say: Say) -> ContestResult:
    """Compiles everything and finds the tolerances."""
    say(f"{contest.title}: compiling")
    case = contest.case()
    engine = GrashofContestant(case)
    entries = [Entry(engine.name, "from the description", engine)]
    if engine.program.relations:
        plain = GrashofContestant(case, relations=False)
        entries.append(Entry(plain.name, "no relations", plain))
    for source in contest.programs:
        entry = Entry(source.file, source.about)
        try:
            entry.contestant = HandWritten(source, folder)
        except Unavailable as reason:
            entry.missing = str(reason)
        entries.append(entry)
    reference = {}
    if contest.predictable:
        say(f"{contest.title}: computing the independent solution")
        found = case.reference(np.array([case.t_end]))
        reference = {column.name: float(found[column.name][-1]) for column in case.final}
    for entry in entries:
        say(f"{contest.title}: finding the tolerance of {entry.name}")
        _choose(entry, case.bound, reference)
    return ContestResult(contest, case.bound, reference, entries, engine)


def _choose(entry: Entry, bound: float, reference: dict[str, float]) -> None:
    if entry.contestant is None:
        return
    try:
        entry.climb = climb(entry.contestant.run, bound)
    except Unavailable as reason:
        entry.missing = str(reason)
        return
    if entry.chosen is None:
        entry.missing = "it passes the rule at no tolerance"
        return
    final = entry.chosen.final
    entry.off = {name: abs(final[name] - expected) / abs(expected) for name, expected in reference.items()}


def _time(result: ContestResult, samples: int, backwards: bool) -> None:
    for entry in reversed(result.entries) if backwards else result.entries:
        if entry.contestant is not None and entry.chosen is not None:
            entry.cpu_s.append(entry.contestant.cpu(entry.chosen.tol, samples))
    chosen = result.entries[0].chosen
    if chosen is not None:
        result.output_s += result.engine.output(chosen.tol, 1)
