"""What is checked at all steps of a run, computed by machine code where there is some, otherwise over arrays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import isfinite

import numpy as np

from grashof.branch.equations import Branch
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.state import SystemState
from grashof.formulation.natural.winding import nearest_turn
from grashof.integrate.steps import column_ranges
from grashof.quantities.snapshot import CoordinateSnapshot, closed_works
from grashof.scalar.functions import Scalar, absolute, cos, maximum, minimum
from grashof.tape import Library, Tape, trace
from grashof.tape.arrays import over_rows

Array = np.ndarray

CERTAIN = 1.0
"""Whole turns of an angle in the plane are certain if it changes within each step as its rates at both ends suggest,
up to this, rad."""


@dataclass(frozen=True, eq=False)
class Examination:
    """A run at m rows.

    columns   kinetic energies, J; the least cos(θ − f) of the angles that motors prescribe as f; the largest violation
              of the joints, where relations of the branch take their place, m; the sum of all measures and their rates;
              potential energies, J, and the works that have closed forms, up to constants, J, (m, 5 + closed)
    works     the other works of forces, motors and bounces, up to constants, J, (m, works)
    """

    columns: Array
    works: Array

    @property
    def kinetic(self) -> Array:
        """Kinetic energies, J, (m,)."""
        return self.columns[:, 0]

    @cached_property
    def ranges(self) -> tuple[Array, Array]:
        """The least and the largest number of each column."""
        return column_ranges(self.columns)

    @property
    def finite(self) -> bool:
        """Whether all measures and their rates are finite."""
        low, high = self.ranges
        return isfinite(low[3]) and isfinite(high[3])

    @property
    def energies(self) -> Array:
        """Kinetic and potential energies minus all works, up to a constant, J, (m,)."""
        total = self.columns[:, 0] + self.columns[:, 4]
        for works in (self.columns[:, 5:], self.works):
            total = total - np.add.reduce(works, axis=1) if works.shape[1] else total
        return np.asarray(total)

    def is_met(self, misfit: float) -> bool:
        """Whether angles are where motors prescribe them, and joints are violated by no more than this, m."""
        low, high = self.ranges
        return bool(low[1] >= 0.0 and high[2] <= misfit)

    def unmet(self, misfit: float) -> Array:
        """At which rows that is not so, (m,)."""
        return np.asarray((self.columns[:, 1] < 0.0) | (self.columns[:, 2] > misfit))


class Examiner:
    """Examines the runs of a mechanism: by functions of its library or, if that lacks them, over arrays."""

    def __init__(self, dynamics: Dynamics, branch: Branch | None, library: Library | None = None) -> None:
        self.dynamics, self.branch, self.library = dynamics, branch, library

    @cached_property
    def angles(self) -> tuple[str, ...]:
        """Angles along which forces act, but whose whole turns are not among the states."""
        system = self.dynamics.system
        measures, tracked = system.model.all_measures, system.tracked
        names = (name for force in system.model.forces for name in force.targets() if name not in tracked)
        return tuple(dict.fromkeys(name for name in names if name in measures and measures[name].winds))

    def tapes(self) -> dict[str, Tape]:
        """The functions of x = [t, y], and of the angles, as tapes."""
        size, count = 1 + self.dynamics.layout.size, len(self.angles)
        found = {"examine": trace(self._examined, size, count)}
        if count:
            found["turned"] = trace(self._turned, size, 0)
        return found

    def __call__(self, t: Array, y: Array, start: Mapping[str, float], follow: Callable[[str], Array]) -> Examination:
        """The run with states y at times t.

        start    the angles at the first row
        follow   gives an angle at all rows, with its whole turns, where these are not obvious
        """
        x, angles = np.column_stack([t, y]), np.empty((len(t), len(self.angles)))
        if self.angles:
            turned = self._rows("turned", x, angles[:, :0], 2 * len(self.angles))
            for k, name in enumerate(self.angles):
                wound = self._wound(start.get(name), t, turned[:, 2 * k], turned[:, 2 * k + 1])
                angles[:, k] = follow(name) if wound is None else wound
        columns = self._rows("examine", x, angles, 5 + self._closed)
        return Examination(columns, y[:, self.dynamics.layout.of_works])

    def _rows(self, name: str, x: Array, c: Array, outputs: int) -> Array:
        """One of the functions at rows of x and c, (rows, outputs)."""
        if self._is_native:
            assert self.library is not None
            return over_rows(self.library.address(name), x, c, outputs)
        function = self._examined if name == "examine" else self._turned
        found = np.empty((len(x), outputs))
        with np.errstate(all="ignore"):
            for k, column in enumerate(function(list(x.T), list(c.T))):
                found[:, k] = column
        return found

    def _wound(self, start: float | None, t: Array, angle: Array, rate: Array) -> Array | None:
        """An angle with its whole turns, given within ±π; None if these are not certain."""
        if start is None or self.dynamics.model.dimension == 3:
            return None
        expected = 0.5 * (t[1:] - t[:-1]) * (rate[1:] + rate[:-1])
        turned = nearest_turn(angle[1:] - angle[:-1], expected)
        if not np.abs(turned - expected).max(initial=0.0) < CERTAIN:
            return None
        return start + np.concatenate([[0.0], turned.cumsum()])

    @cached_property
    def _is_native(self) -> bool:
        return self.library is not None and self.library.has("examine")

    @cached_property
    def _closed(self) -> int:
        """Number of works that have closed forms."""
        system = self.dynamics.system
        q = [1.0 + 0.1 * i for i in range(system.n)]
        rough = SystemState(system, 0.0, q, [0.0] * system.n, dict.fromkeys(system.model.all_measures, 0.0))
        return len(closed_works(system.model, rough))

    def _examined(self, x: Sequence[Scalar], angles: Sequence[Scalar]) -> list[Scalar]:
        """The kinetic energy, what is held, the misfit, a sum of all measures and their rates, the potential energy,
        and the works with closed forms."""
        model, state = self.dynamics.model, self.dynamics.state(x)
        t, q, _, e = self.dynamics.layout.split(x)
        state = replace(state, turns={**state.turns, **dict(zip(self.angles, angles, strict=True))})
        now = CoordinateSnapshot(model, self.dynamics, state, e, lambda: ())
        finite: Scalar = 0.0
        for measure in model.measures:
            if not measure.winds:  # angles may be undefined
                jet = state.measure(measure.name)
                finite = finite + jet.value + jet.first
        works = [work.value for work in closed_works(model, state).values()]
        return [now.kinetic, held(self.dynamics, t, q), self._misfit(q), finite, now.potential, *works]

    def _turned(self, x: Sequence[Scalar], _: Sequence[Scalar]) -> list[Scalar]:
        """The angles within ±π, each followed by its rate."""
        t, q, v, _ = self.dynamics.layout.split(x)
        state = SystemState(self.dynamics.system, t, q, v)
        jets = [state.measure(name) for name in self.angles]
        return [x for jet in jets for x in (jet.value, jet.first)]

    def _misfit(self, q: Sequence[Scalar]) -> Scalar:
        """The largest violation of the joints' own equations on their branch, m."""
        most: Scalar = 0.0
        for x in self.branch.residuals.at(q) if self.branch else ():
            most = maximum(most, absolute(x))
        return most


def held(dynamics: Dynamics, t: Scalar, q: Sequence[Scalar]) -> Scalar:
    """The least cos(θ − f) of the angles that motors prescribe as f: 1 unless one of them slipped."""
    system, least = dynamics.system, 1.0
    motion = SystemState(system, t, q, [0.0] * system.n)
    for motor in system.model.motors:
        if system.model.quantities[motor.target].winds and not motor.integrates:
            least = minimum(least, cos(motion.measure(motor.target).value - motor.value(t)))
    return least
