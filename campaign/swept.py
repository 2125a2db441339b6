"""Sweeps as cases: a mechanism, the numbers of its rows, and the correct outputs of each row."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import numpy as np

from campaign.energy_integral import NotJudged
from campaign.engine import RunSettings
from campaign.judge import Fate, Verdict
from campaign.structure import Array
from campaign.suite import ATTEMPTS, Rng, Suite
from grashof.common.errors import ModelError
from grashof.model.mechanism import Mechanism
from grashof.model.model import Model
from grashof.sweeps.run import sweep

TOLERANCES = (1e-2, 1e-4, 1e-6, 1e-8)
ROWS = 10
"""Rows of a sweep."""

REFINED, CLIMBED = 60, 12
"""Golden sections of an interval in which an extreme lies, and how many of the highest points of a grid are
examined."""

Value = tuple[float, float, float]
"""The smallest and the largest correct value of an output, which are equal if it is known exactly, and the unit in
which errors are measured."""


@dataclass(frozen=True)
class SweptMechanism:
    """A mechanism whose numbers vary.

    what      in a few words, for lists
    vary      values of the numbers, ROWS each
    judge     the correct outputs of a row, by its numbers and tolerance; None if the row has no motion
    engine    of the sweep
    """

    what: str
    model: Mechanism | Model
    vary: Mapping[str, Array]
    end: float
    outputs: Sequence[str]
    judge: Callable[[Mapping[str, float], float], Mapping[str, Value] | None]
    engine: str = "compiled"


@dataclass(eq=False)
class SweptCases(Suite):
    """A suite of sweeps: a run is a row.

    draws    family → how a mechanism is drawn
    factor   a row is wrong if the error of an output exceeds this many tolerances
    """

    name: str
    draws: Mapping[str, Callable[[Rng], SweptMechanism]]
    mechanisms: int = 300
    factor: float = 30.0
    runs: int = field(default=ROWS, init=False)

    def __post_init__(self) -> None:
        self.families = tuple(self.draws)

    def family_of(self, mechanism: int) -> str:
        return self.families[mechanism % len(self.families)]

    def tolerance(self, seed: int) -> float:
        return TOLERANCES[(seed // self.runs // len(self.families)) % len(TOLERANCES)]

    def drawn(self, mechanism: int) -> SweptMechanism:
        """The mechanism of this number."""
        rng = np.random.default_rng([mechanism, *self.name.encode()])
        for _ in range(ATTEMPTS):
            try:
                return self.draws[self.family_of(mechanism)](rng)
            except NotJudged:
                continue
        raise NotJudged(f"No draw of mechanism {mechanism} of '{self.name}' can be judged.")

    def run(self, mechanism: int, seeds: Sequence[int]) -> list[Verdict]:
        case, rows = self.drawn(mechanism), [seed % self.runs for seed in seeds]
        task = RunSettings(self.tolerance(seeds[0]))
        blank = [Verdict(seed, self.family_of(mechanism), case.what, task, Fate.CRASHED) for seed in seeds]
        vary = {path: values[rows] for path, values in case.vary.items()}
        try:
            table = sweep(
                case.model, vary, case.end, outputs=case.outputs, sample="zip", tol=task.tol, engine=case.engine
            )
        except Exception as problem:  # whatever it is, it is a finding
            words = f"{type(problem).__name__}: {problem}"
            outcome = Fate.STOPPED if isinstance(problem, ModelError) else Fate.CRASHED
            return [replace(verdict, outcome=outcome, message=words) for verdict in blank]
        verdicts = []
        for k, verdict in enumerate(blank):
            if not table.ok[k]:
                verdicts.append(replace(verdict, outcome=Fate.STOPPED, message=str(table.status[k])))
                continue
            correct = case.judge({path: float(values[k]) for path, values in vary.items()}, task.tol)
            if correct is None:
                verdicts.append(replace(verdict, outcome=Fate.WRONG, message="there is no such motion"))
                continue
            found = {name: float(table[name][k]) for name in case.outputs}
            away = {name: _outside(found[name], *correct[name]) for name in case.outputs}
            worst = max(away, key=lambda name: away[name] if np.isfinite(away[name]) else np.inf)
            outcome = Fate.RIGHT if away[worst] <= self.factor * task.tol else Fate.WRONG
            outcome = outcome if all(map(np.isfinite, found.values())) else Fate.NOT_FINITE
            told = "" if outcome is Fate.RIGHT else f"{worst}: {found[worst]!r}, not {correct[worst]}"
            verdicts.append(
                replace(verdict, outcome=outcome, error=away[worst], energy=0.0, aim=task.tol, message=told)
            )
        return verdicts


def _outside(value: float, low: float, high: float, scale: float) -> float:
    """How far a value is outside its bounds, in units of the scale."""
    return max(low - value, value - high, 0.0) / scale


Course = Sequence[tuple[float, float, Callable[[Array], Array]]]
"""A quantity over a run: smooth functions of time, each from its begin to its end."""


def reduce_course(course: Course, kind: str, fine: int = 4000) -> float:
    """The maximum (max), minimum (min), largest magnitude (peak) or mean of a quantity, from a fine grid and by
    search around its highest points."""
    if kind == "mean":
        nodes, weights = np.polynomial.legendre.leggauss(8)
        total, span = 0.0, course[-1][1] - course[0][0]
        for begin, end, x in course:
            edges = np.linspace(begin, end, fine // 4 + 1)
            middle, half = 0.5 * (edges[1:] + edges[:-1]), 0.5 * np.diff(edges)
            values = x((middle[:, None] + half[:, None] * nodes).ravel()).reshape(len(middle), -1)
            total += float(np.sum(half * (values @ weights)))
        return total / span
    if kind == "min":
        return -reduce_course([(a, b, partial(_negated, x)) for a, b, x in course], "max", fine)
    if kind == "peak":
        return max(reduce_course(course, "max", fine), -reduce_course(course, "min", fine))
    found = []
    for begin, end, x in course:
        grid = np.linspace(begin, end, fine + 1)
        values = np.concatenate([[-np.inf], x(grid), [-np.inf]])
        peaks = np.flatnonzero((values[1:-1] >= values[:-2]) & (values[1:-1] >= values[2:]))
        for k in peaks[np.argsort(-values[1 + peaks], kind="stable")][:CLIMBED]:
            found.append(_climb(x, grid[max(k - 1, 0)], grid[min(k + 1, fine)]))
    return max(found)


def _negated(x: Callable[[Array], Array], t: Array) -> Array:
    return -x(t)


def _climb(x: Callable[[Array], Array], low: float, high: float) -> float:
    """The largest value in an interval with one maximum, by golden sections."""
    ratio = 0.5 * (np.sqrt(5.0) - 1.0)
    for _ in range(REFINED):
        a, b = high - ratio * (high - low), low + ratio * (high - low)
        left, right = x(np.array([a, b]))
        low, high = (low, b) if left >= right else (a, high)
    return float(np.max(x(np.array([low, 0.5 * (low + high), high]))))
