"""The result of a run: its accepted steps, the work it took, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from grashof.common.errors import ModelError
from grashof.common.status import Status
from grashof.integrate.collocation import Crossing
from grashof.integrate.events import Occurrence
from grashof.integrate.inner import StepRecords
from grashof.integrate.methods import Choice
from grashof.integrate.methods.dop853 import DOP853

Vector = NDArray[np.float64]

DEFAULT = Choice(DOP853, "the default")


@dataclass(frozen=True)
class Counters:
    """The work that a run took. Later sampling is not counted."""

    steps: int
    """Accepted steps: the rows of the result except the first."""
    rejected_error: int
    """Steps retried because the estimated error was too large."""
    rejected_not_finite: int
    """Steps retried because a stage, the new state or its derivative was not finite."""
    rejected_constraints: int
    """Steps retried because the projection did not meet the constraints."""
    evaluations: int
    """Calls of `derivative`. With S stages: S per accepted step, S − 1 or S per rejected one, 1 at the start, 1 to
    choose a first step; and those of crossings."""
    projections: int
    """Calls of `project`: one per accepted step, one per rejected step if the error estimate needs the end of the
    step; and those of crossings."""

    @property
    def rejected(self) -> int:
        """Steps retried for any reason."""
        return self.rejected_error + self.rejected_not_finite + self.rejected_constraints


@dataclass(frozen=True)
class Steps:
    """The accepted steps of a run; the first row is the start. Check `status` before assuming that the run is
    complete."""

    t: Vector  # (m+1,) s
    y: Vector  # (m+1, 2n+k) = [q, v, e]
    status: Status
    counters: Counters
    cpu_s: float
    """CPU time of this process from the first evaluation to the last step, including the pauses but not the checks
    of the steps, s."""
    method: Choice = DEFAULT
    crossings: tuple[Crossing, ...] = ()
    """The steps that lead across singular positions."""
    undecided: float | None = None
    """When the mechanism first passed a singular position so narrowly that its motion is uncertain, s."""
    occurrences: tuple[Occurrence, ...] = ()
    """The events that happened."""
    compile_s: float = 0.0
    """Wall time spent on compiling the method for mechanisms of this size, s; zero if that had been done before."""
    angles: Mapping[str, float] | None = None
    """Angles at the first row including whole turns, rad, if that row is not the start of the mechanism."""
    companion: Companion | None = None
    """A second run of the same mechanism, and its estimate of the error of this one."""
    bound: float | None = None
    """The intended bound on the error of positions, relative to the mechanism's length, while the error itself is
    not known."""
    extract: Extract | None = None
    """What is kept of a run whose steps are discarded: t and y are then the states at these times, and those of the
    last steps."""
    own: Vector | None = None
    """The states at the last of the times in the coordinates in which the run was made, if these are not natural
    coordinates: at all times, unless steps were discarded."""

    records: StepRecords | None = None
    """What is recorded of the steps besides their ends; None if nothing is."""

    @property
    def made(self) -> StepRecords:
        """How each step was made, and what is recorded of it."""
        if self.records is not None:
            return self.records
        return StepRecords((self.method.method,), np.zeros(len(self.t), np.int8), np.zeros((len(self.t), 0)))

    def but(self, **changes: Any) -> Steps:
        """These steps with other values of some fields, but not of their states."""
        found = object.__new__(Steps)
        vars(found).update(vars(self), **changes)  # with what is known already
        return found

    @cached_property
    def ranges(self) -> tuple[Vector, Vector]:
        """The least and the largest value of each state."""
        return column_ranges(self.y)

    @property
    def rows(self) -> Vector:
        """The states at the last times in the coordinates in which the run was made."""
        return self.y if self.own is None else self.own


class Checks(Protocol):
    """The findings of the checks at all steps (see `trust`)."""

    def verdict(self, status: Status) -> tuple[Status, tuple[float, Vector]]:
        """The status of a run after its checks, and the time and state at which a problem shows."""


@dataclass(frozen=True, eq=False)
class Extract:
    """The motion at given times, and the quantities for which all steps are needed.

    t, y, rates  times, states and derivatives [a, ė]
    angles       angles that are not states, including whole turns, by name
    undefined    sentences about those that are undefined at some time of the run
    speed        the largest |v_i| at all steps, m/s
    kinetic      the largest kinetic energy, J
    work         the largest |work|, J
    checks       None if the steps were not checked
    """

    t: Vector
    y: Vector
    rates: Vector
    angles: Mapping[str, Vector]
    undefined: Mapping[str, str]
    speed: float
    kinetic: float
    work: float
    checks: Checks | None = None

    def rows(self, times: Vector) -> NDArray[np.int64]:
        """The rows at the given times; raises ModelError for times that are not included."""
        rows = np.minimum(np.searchsorted(self.t, times), len(self.t) - 1)
        if not np.array_equal(self.t[rows], times):
            raise ModelError(
                "The steps of this run were not kept, and so its motion is known only at the times that were asked "
                "for; give these times to simulate, or keep the steps (keep_steps=True)."
            )
        return rows


@dataclass(frozen=True)
class Companion:
    """A coarser run that estimates the error of a finer one: the estimate is their difference multiplied by a
    factor."""

    steps: Steps
    share: float
    error: float
    """The largest estimated error of the finer run, relative to length, largest speed and energy scale of the
    motion; angles in rad."""

    def scaled(self, share: float) -> Companion:
        """With another factor."""
        return Companion(self.steps, share, share / self.share * self.error)


def column_ranges(rows: Vector) -> tuple[Vector, Vector]:
    """The least and the largest number of each column."""
    columns = np.ascontiguousarray(rows.T)  # which NumPy reduces in half the time
    return np.minimum.reduce(columns, axis=1), np.maximum.reduce(columns, axis=1)


def comparable(a: Steps, b: Steps, times: Vector) -> NDArray[np.bool_]:
    """At which of these times both runs are still in progress and have been changed by the same number of events."""
    forward = 1.0 if a.t[-1] >= a.t[0] else -1.0
    both = forward * times <= min(forward * a.t[-1], forward * b.t[-1])
    if a.occurrences or b.occurrences:
        changes = [[forward * x.time for x in run.occurrences if x.changes] for run in (a, b)]
        before, after = (np.searchsorted(x, forward * times, side="right") for x in changes)
        both &= before == after
    return np.asarray(both)
