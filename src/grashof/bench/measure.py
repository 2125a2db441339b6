"""Measures engines on problems, each measurement in a new process, and stores every sample immediately.

Problems are measured one after the other. First each engine searches its ladder of settings for the cheapest one at
each goal (see `walk`): in each round every unfinished engine tries one more setting, so that all engines are measured
over the same period of time. Then the final settings, the cheapest at the rule and the cheapest that agrees, are
measured in further rounds, every other one in the opposite order. Measurements that the store already has from this
machine and this version of the engine are not repeated.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import msgspec

from grashof.bench.calibration import VERSION as CALIBRATION
from grashof.bench.machine import machine_facts
from grashof.bench.messages import BenchJob, BenchRung, Excuse, Judged, Sample, Survey
from grashof.bench.process import ask
from grashof.bench.store import Measurement, Store, new_measurement
from grashof.bench.subject import BenchSubject
from grashof.bench.summary import agrees, curves
from grashof.bench.walk import Goal, Tried, next_place
from grashof.common.progress import Part, Progress
from grashof.engines.base import families

USUAL = 10
"""Typical number of settings that an engine tries; the actual number is not known in advance."""


@dataclass(frozen=True)
class MeasuringPlan:
    """The plan of a measurement.

    limit_s  CPU seconds after which an integration is aborted
    rounds   number of processes for each final setting
    again    whether to repeat stored measurements, which are then set aside
    """

    subjects: Sequence[BenchSubject]
    engines: Sequence[str]
    limit_s: float = 60.0
    rounds: int = 3
    again: bool = False


@dataclass
class Search:
    """The search of an engine on its ladder; `found` has its measurements on this machine so far."""

    subject: BenchSubject
    engine: str
    version: str = ""
    notes: tuple[str, ...] = ()
    ladder: tuple[BenchRung, ...] = ()
    found: list[Measurement] = field(default_factory=list)

    def at(self, place: int) -> list[Measurement]:
        """The completed measurements of one setting."""
        return [m for m in self.found if m.setting == self.ladder[place] and m.done]

    def next(self) -> int | None:
        """The place of the next setting to try; None at the end of the search."""
        outcomes = {place: here[-1].outcome for place in range(len(self.ladder)) if (here := self.at(place))}
        return next_place(families(self.ladder), {place: _try_setting(outcome) for place, outcome in outcomes.items()})

    def counting(self) -> list[int]:
        """The places of the settings that the table will show: the cheapest that passes the rule, and the cheapest
        that agrees."""
        best = [point for curve in curves(self.found) for point in (curve.at_rule, curve.at_agreement)]
        return sorted({point.setting.place for point in best if point is not None})

    def ahead(self, rounds: int) -> int:
        """The estimated number of processes still to come."""
        if self.next() is not None:
            return max(1, min(USUAL, len(self.ladder)) - len(self.found)) + rounds - 1
        return sum(max(0, rounds - len(self.at(place))) for place in self.counting())


def _try_setting(outcome: Judged | Excuse) -> Tried:
    if isinstance(outcome, Excuse):
        return Tried(too_long=outcome.limit_s > 0.0)
    # without a reference, the rule is the only goal
    agreed = outcome.passes if outcome.deviation is None else agrees(outcome)
    reached: dict[Goal, bool] = {"rule": outcome.passes, "agreement": agreed}
    errors: dict[Goal, float | None] = {"rule": outcome.error, "agreement": outcome.deviation}
    return Tried(
        frozenset(goal for goal, yes in reached.items() if yes),
        {goal: error for goal, error in errors.items() if error is not None},
    )


def bench(plan: MeasuringPlan, store: Store, progress: Progress) -> str:
    """Executes the plan; returns the fingerprint of this machine, under which the results are stored."""
    machine = store.add_machine(machine_facts())
    run = _Bench(plan, store, progress, machine)
    for subject in plan.subjects:
        run.measure(subject)
    return machine


class _Bench:
    def __init__(self, plan: MeasuringPlan, store: Store, progress: Progress, machine: str) -> None:
        self.plan, self.store, self.progress, self.machine = plan, store, progress, machine
        self.done = 0
        self.waiting = len(plan.subjects) * len(plan.engines)  # engines not yet surveyed
        self.searches: list[Search] = []

    def measure(self, subject: BenchSubject) -> None:
        """One problem on all engines."""
        self.searches = []
        for engine in self.plan.engines:
            self.searches.append(self.survey(Search(subject, engine)))
        going = self.searches
        while going:
            for search in going:
                place = search.next()
                if place is not None:
                    self.take(search, place)
            going = [search for search in reversed(going) if search.next() is not None]
        for number in range(2, self.plan.rounds + 1):
            for search in self.searches if number % 2 else reversed(self.searches):
                for place in search.counting():
                    if len(search.at(place)) < number:
                        self.take(search, place)

    def survey(self, search: Search) -> Search:
        """Asks the engine for its ladder, and the store for known results."""
        if self.plan.again:
            self.store.supersede(self.machine, search.subject, search.engine)
        self.tell(search, "asking")
        for message in ask(BenchJob(search.subject, search.engine)):
            if isinstance(message, Survey):
                search.version, search.notes, search.ladder = message.version, message.notes, message.ladder
            elif isinstance(message, Excuse):
                self.excuse(search, message)
        self.done += 1
        self.waiting -= 1
        search.found = [m for m in self.known(search) if self.usable(m, search)]
        return search

    def known(self, search: Search) -> list[Measurement]:
        """The stored measurements."""
        found = self.store.measurements(machine=self.machine, subject=search.subject, engine=search.engine)
        return [m for m in found if m.unit == CALIBRATION]

    def usable(self, measurement: Measurement, search: Search) -> bool:
        """Whether it belongs to this version and ladder, and was not aborted earlier than it would be now."""
        outcome = measurement.outcome
        too_short = isinstance(outcome, Excuse) and 0.0 < outcome.limit_s < self.plan.limit_s
        return measurement.version == search.version and measurement.setting in search.ladder and not too_short

    def excuse(self, search: Search, excuse: Excuse) -> None:
        """Stores once why an engine cannot be run at all."""
        if all(m.outcome != excuse for m in self.known(search)):
            self.store.add(
                new_measurement(self.machine, search.subject, search.engine, excuse.version, (), None, excuse)
            )

    def take(self, search: Search, place: int) -> None:
        """One measurement; every sample is in the store before the next one is taken."""
        rung = search.ladder[place]
        self.tell(search, rung.name)
        taken: Measurement | None = None
        for message in ask(BenchJob(search.subject, search.engine, rung.name, self.plan.limit_s)):
            if isinstance(message, Sample):
                assert taken is not None
                self.store.add_sample(taken, message)
                taken = msgspec.structs.replace(taken, samples=(*taken.samples, message))
            elif isinstance(message, Judged) or not (isinstance(message, Survey) or (taken and taken.samples)):
                taken = new_measurement(
                    self.machine, search.subject, search.engine, search.version, search.notes, rung, message
                )
                self.store.add(taken)
        if taken is not None:
            search.found.append(taken)
        self.done += 1

    def tell(self, search: Search, doing: str) -> None:
        ahead = self.waiting * (USUAL + self.plan.rounds) + sum(c.ahead(self.plan.rounds) for c in self.searches)
        total = self.done + ahead
        what = f"{self.done + 1} of about {total}: {search.subject.label}, {search.engine}: {doing}"
        self.progress(Part(self.done / max(total, 1), what))
