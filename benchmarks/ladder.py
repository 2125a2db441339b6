"""The tolerance at which a contestant is measured: the loosest that passes the rule, provided that everything finer
passes, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

PER_DECADE, DECADES = 3, 10

LADDER: tuple[float, ...] = tuple(
    float(f"{10 ** (-k / PER_DECADE):.3g}") for k in range(PER_DECADE, PER_DECADE * DECADES + 1)
)
"""Tolerances from 1e-1 down to 1e-10."""


@dataclass(frozen=True)
class LadderRun:
    """One integration at a tolerance.

    message      why it did not reach the end; empty if it did
    error        largest |error| by the problem's rule, J; None if it did not reach the end
    final        the problem's final quantities
    """

    tol: float
    message: str
    error: float | None
    steps: int
    rejected: int
    evaluations: int
    final: dict[str, float]


class Contestant(Protocol):
    """Something that integrates a problem: Grashof, or a program for this problem alone."""

    @property
    def name(self) -> str: ...

    def run(self, tol: float) -> LadderRun:
        """Integrate once, and judge."""

    def cpu(self, tol: float, samples: int) -> list[float]:
        """Process CPU seconds of the integration, measured `samples` times."""


@dataclass(frozen=True)
class Climb:
    """The runs from the finest tolerance up to the first that fails the rule, finest first."""

    runs: tuple[LadderRun, ...]
    bound: float

    @property
    def loosest(self) -> LadderRun | None:
        """The last one that passes; None if the finest does not."""
        passing = [run for run in self.runs if passes(run, self.bound)]
        return passing[-1] if passing else None


def passes(run: LadderRun, bound: float) -> bool:
    """Whether the run is complete and passes the rule."""
    return run.error is not None and run.error <= bound


def climb(run: Callable[[float], LadderRun], bound: float, ladder: Sequence[float] = LADDER) -> Climb:
    """Runs from the finest tolerance to coarser ones, until one does not pass."""
    runs = []
    for tol in sorted(ladder):
        runs.append(run(tol))
        if not passes(runs[-1], bound):
            break
    return Climb(tuple(runs), bound)
