"""Formulations side by side: `gr.lab.compare`."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from grashof.common.blas import one_thread
from grashof.common.errors import ModelError, did_you_mean
from grashof.common.progress import Part, Progress, silent
from grashof.lab.formulations import DEFAULT, FORMULATIONS
from grashof.lab.judging import DEFINITION, LabResult, judge
from grashof.lab.member import Member, Performed
from grashof.lab.status import Ending
from grashof.lab.subject import Subject, subject
from grashof.model.given import Number
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.problems import Case

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LIMIT_S = 20.0
"""CPU time after which a run is given up, s."""


@dataclass(frozen=True, eq=False)
class LabComparison:
    """Runs of several formulations on one mechanism, judged alike.

    name       the mechanism
    reference  what they were compared with, as sentences
    members    by label
    results    of each, from coarse to fine
    """

    name: str
    t_end: float
    reference: tuple[str, ...]
    members: Mapping[str, Member]
    results: Mapping[str, tuple[LabResult, ...]]

    def __getitem__(self, label: str) -> tuple[LabResult, ...]:
        """The runs of a formulation, from coarse to fine."""
        if label not in self.results:
            raise ModelError(f"'{label}' was not compared; {did_you_mean(label, list(self.results))}")
        return self.results[label]

    def order(self, label: str) -> float | None:
        """The measured order of convergence: log₂-slope of the error over the finest two runs that have one, if their
        settings are steps; None if that is not possible."""
        found = [x for x in self[label] if x.status.ok and x.error]
        if self.members[label].setting != "step" or len(found) < 2:
            return None
        coarse, fine = found[-2:]
        assert coarse.error is not None
        assert fine.error is not None
        return math.log(coarse.error / fine.error) / math.log(coarse.setting / fine.setting)

    def as_dict(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "mechanism": self.name,
            "t_end_s": self.t_end,
            "reference": list(self.reference),
            "error": DEFINITION,
            "formulations": {
                label: {
                    "name": member.name,
                    "parameters": member.parameters,
                    "setting": member.setting,
                    "card": member.card.as_dict(),
                    "measured_order": self.order(label),
                    "runs": [result.as_dict() for result in self.results[label]],
                }
                for label, member in self.members.items()
            },
        }

    def __str__(self) -> str:
        from grashof.lab.report import text

        return text(self)

    def plot(self, path: str | os.PathLike[str] | None = None) -> Figure:
        """Error over evaluations and over CPU time, drift and energy over the error; written to a file if a path is
        given."""
        from grashof.lab.report import plot

        return plot(self, path)


@one_thread()
def compare(
    mechanism: str | Case | Mechanism | Model,
    t_end: Number | None = None,
    *,
    formulations: Iterable[str | Member] | None = None,
    settings: Mapping[str, Sequence[float]] | None = None,
    limit_s: float = LIMIT_S,
    repeat: int = 1,
    progress: Progress | None = None,
) -> LabComparison:
    """Runs a mechanism under several formulations, each at several settings, and judges all runs alike.

    mechanism     a mechanism, or the name of a benchmark problem, which has a certified reference
    t_end         the end of the runs, s; that of the problem unless given
    formulations  names (`gr.lab.FORMULATIONS`) or formulations, also of your own (docs/own-formulation.md); by default
                  all that need no further package
    settings      steps in s ("step") and tolerances ("tolerance"), coarse to fine, instead of the usual ones
    limit_s       CPU time after which a run is given up, s; finer settings are then left out
    repeat        how often each run is made; the least CPU time counts

    A mechanism without a certified reference is compared with a run of `gr.simulate` at tolerance 1e-11.
    """
    found = subject(mechanism, t_end)
    members = {member.label: member for member in map(member_of, DEFAULT if formulations is None else formulations)}
    return run_ladders(found, members, settings or {}, limit_s, repeat, progress or silent)


def member_of(given: str | Member) -> Member:
    """A formulation by its name, with its defaults, or one that is given."""
    if not isinstance(given, str):
        return given
    if given not in FORMULATIONS:
        raise ModelError(f"There is no formulation '{given}'; {did_you_mean(given, list(FORMULATIONS))}")
    return FORMULATIONS[given]()


def run_ladders(
    found: Subject,
    members: Mapping[str, Member],
    settings: Mapping[str, Sequence[float]],
    limit_s: float,
    repeat: int,
    progress: Progress,
) -> LabComparison:
    """All runs; the formulations take turns, so that other load on the machine affects all of them alike."""
    ladders = {label: list(settings.get(x.setting) or x.settings(found)) for label, x in members.items()}
    results: dict[str, list[LabResult]] = {label: [] for label in members}
    longest = max(map(len, ladders.values()), default=0)
    for rung in range(longest):
        for label, member in members.items():
            done = results[label]
            if rung >= len(ladders[label]) or (done and done[-1].status.ending in (Ending.GIVEN_UP, Ending.REFUSED)):
                continue
            progress(Part(rung / longest, f"running {label}"))
            setting = ladders[label][rung]
            made = _perform(found, member, setting, limit_s)
            for _ in range(repeat - 1):
                made = replace(made, cpu_s=min(made.cpu_s, _perform(found, member, setting, limit_s).cpu_s))
            done.append(judge(found, member, setting, made))
    sentences = found.reference.provenance
    return LabComparison(
        found.name, found.t_end, sentences, dict(members), {label: tuple(x) for label, x in results.items()}
    )


def _perform(found: Subject, member: Member, setting: float, limit_s: float) -> Performed:
    try:
        return member.perform(found, setting, limit_s)
    except ModelError as problem:
        return Performed(None, Ending.REFUSED, found.start, str(problem), 0, None, None, None, 0.0)
