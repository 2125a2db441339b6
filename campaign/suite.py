"""A suite: numbered mechanisms of several families, each run several times and judged by the suite's own knowledge
of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from time import process_time

import numpy as np

from campaign.case import KnownMotion, judge_case
from campaign.energy_integral import NotJudged
from campaign.engine import RunSettings
from campaign.judge import Verdict

Rng = np.random.Generator

TOLERANCES = tuple(10.0**-k for k in range(2, 11))
METHODS = {"auto": 0.4, "dop853": 0.1, "verner9": 0.1, "bs5": 0.15, "dopri5": 0.1, "rk4": 0.15}
"""The probabilities with which methods are drawn."""

MOST_FIXED_STEPS = 50_000
"""A run that would need more fixed steps than this uses `auto` instead."""

FRESH = 1_000_000
"""The first mechanism of the fresh set: no mechanism from here on is used to correct the engine. Each release takes
a new range."""

ATTEMPTS = 100
"""Number of attempts to draw a mechanism before giving up."""


class Suite(ABC):
    """Numbered mechanisms, all of which can be run again by their number alone.

    name         its name on the command line
    mechanisms   how many are run by default
    runs         of one mechanism: seed K is run K mod `runs` of mechanism K div `runs`
    families     in the order in which they are shown
    uncounted    families that are shown, but whose runs are not counted as bad
    """

    name: str
    mechanisms: int
    runs: int
    families: tuple[str, ...]
    uncounted: tuple[str, ...] = ()

    @abstractmethod
    def family_of(self, mechanism: int) -> str:
        """The family a mechanism is drawn from."""

    @abstractmethod
    def tolerance(self, seed: int) -> float:
        """The tolerance of a run."""

    @abstractmethod
    def run(self, mechanism: int, seeds: Sequence[int]) -> list[Verdict]:
        """Runs and judges a mechanism; starts that cannot be judged are left out."""


@dataclass(eq=False)
class Cases(Suite):
    """A suite of cases, each run at every tolerance.

    draws    family → (how many in a round, how one is drawn)
    factor   a run is wrong if its error exceeds this many tolerances
    methods  the probabilities with which methods are drawn
    """

    name: str
    draws: Mapping[str, tuple[int, Callable[[Rng], KnownMotion]]]
    mechanisms: int = 340
    factor: float = 1000.0
    uncounted: tuple[str, ...] = ()
    methods: Mapping[str, float] = field(default_factory=lambda: METHODS)
    runs: int = field(default=len(TOLERANCES), init=False)

    def __post_init__(self) -> None:
        self.families = tuple(self.draws)
        most = max(count for count, _ in self.draws.values())
        self._rota = [name for k in range(most) for name, (count, _) in self.draws.items() if k < count]

    def family_of(self, mechanism: int) -> str:
        return self._rota[mechanism % len(self._rota)]

    def tolerance(self, seed: int) -> float:
        return TOLERANCES[seed % len(TOLERANCES)]

    def run(self, mechanism: int, seeds: Sequence[int]) -> list[Verdict]:
        case = self.drawn(mechanism)
        verdicts = []
        for seed in seeds:
            task = draw_task(seed, self.tolerance(seed), case.end, case.moment, self.methods)
            verdicts.append(timed(partial(judge_case, seed, self.family_of(mechanism), case, task, self.factor)))
        return verdicts

    def drawn(self, mechanism: int) -> KnownMotion:
        """The case of this number."""
        rng = np.random.default_rng([mechanism, *self.name.encode()])
        draw = self.draws[self.family_of(mechanism)][1]
        for _ in range(ATTEMPTS):
            try:
                return draw(rng)
            except NotJudged:
                continue
        raise NotJudged(f"No draw of mechanism {mechanism} of '{self.name}' can be judged.")


def timed(judge: Callable[[], Verdict]) -> Verdict:
    """A verdict with the processor time that it took."""
    clock = process_time()
    verdict = judge()
    return replace(verdict, seconds=process_time() - clock)


def draw_task(seed: int, tol: float, end: float, moment: float, methods: Mapping[str, float] = METHODS) -> RunSettings:
    """The settings of the run with this seed.

    A fixed step is drawn to suit a fourth-order method: the time in which the motion changes by its own size, times the
    fourth root of the tolerance, times 0.03 to 0.15.
    """
    rng = np.random.default_rng([seed, 0])
    method = str(rng.choice([*methods], p=[*methods.values()]))
    step = float(rng.uniform(0.03, 0.15) * tol**0.25 * moment)
    if method != "rk4":
        return RunSettings(tol, method)
    return RunSettings(tol, method, step) if end < MOST_FIXED_STEPS * step else RunSettings(tol)
