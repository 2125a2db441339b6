"""How the equations of motion depend explicitly on time: kinks, pulses, and rates of change.

An integrator sees forces and laws only at the stages of its steps. While a mechanism is at rest it takes long steps,
and could pass over shorter pulses. Before a run, the generalized forces Q(t, q, v) and the motors' functions with their
derivatives are therefore examined as functions of time alone, at a few fixed states:

- where a function changes its expression (`where`, `absolute`, `sign`, `minimum`, `maximum`, `floor`, the next piece of
  a table) at a time that does not depend on the motion, a step has to end: these times are found to the last bit;
- where it changes within a small part of the run, steps have to end on both sides of the change;
- where it could do so unnoticed between the times at which it is sampled, according to the ranges of its expressions,
  it is sampled more densely;
- elsewhere no step may be much longer than the time in which it changes by its whole range.

Expressions that change with the motion are examined after a run: a step in which two of them change is divided.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from grashof.changes.fast_changes import SUDDEN, edges, unseen_changes, values_at
from grashof.changes.kinks import APART, Kinks, Stop, find_kinks, merge_stops
from grashof.common.errors import ModelError
from grashof.formulation.natural.equations import Dynamics
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.tape import Tape, trace

Array = NDArray[np.float64]

GRID = 4097
"""Number of times at which functions of time are sampled."""

STATES = 3
"""Number of fixed states at which they are sampled: the start, and random ones near it."""

PACE = 4.0
"""No step is longer than this multiple of the time in which a function would change by its range at its steepest
rate."""

SHORTEST = 1e-3
"""Steps of this fraction of the run are always allowed: faster changes are treated as sudden ones."""

CONTINUOUS = 1e-9
"""The laws of motors may not jump in position or velocity by more than this, relative to the largest value."""


@dataclass(frozen=True)
class Pace:
    """How the explicit dependence on time limits the steps of a run.

    stops    the last time before and the first time after each kink or sudden change, s, sorted
    longest  the longest step allowed, s
    eventful times at which forces are largest, s
    """

    stops: tuple[Stop, ...] = ()
    longest: float = np.inf
    eventful: tuple[float, ...] = ()


@dataclass(frozen=True, eq=False)
class Clock:
    """The functions of time in a mechanism's equations of motion.

    efforts   [t, q, v, e] → generalized forces, then the equations of motors with their first and second derivatives at
              fixed positions
    """

    dynamics: Dynamics
    efforts: Tape

    @cached_property
    def kinks(self) -> Kinks:
        """The switches between expressions in these functions."""
        return find_kinks(self.efforts)

    def pace(self, begin: float, end: float, y: Array) -> Pace:
        """The limits on the steps of a run that starts from the state y. Raises an error for motors whose law jumps."""
        grid = np.linspace(begin, end, GRID)
        kinks = self.kinks.between(grid)
        self._refuse_jumps(kinks, begin, end)
        sudden, longest, eventful = np.zeros(GRID - 1, bool), np.inf, {begin}
        known = np.zeros(GRID - 1, bool)
        known[np.clip(np.searchsorted(grid, [left for left, _ in kinks], side="right") - 1, 0, GRID - 2)] = True
        for values in self._histories(grid, y):
            span = float(np.ptp(values))
            eventful.add(float(grid[int(np.argmax(np.abs(values)))]))
            change = np.abs(np.diff(values))
            change[known] = 0.0
            sudden |= change > SUDDEN * span
            steepest = float(np.max(change, where=change <= SUDDEN * span, initial=0.0))
            if steepest > 0.0:
                longest = min(longest, PACE * span / steepest * (grid[1] - grid[0]))
        hidden = unseen_changes(self.efforts, grid, y, kinks)
        eventful |= {0.5 * (left + right) for left, right in pairwise(hidden)}
        steep = [float(grid[k]) for k in edges(sudden)]
        stops = merge_stops([*kinks, *((t, t) for t in (*steep, *hidden))], begin, end)
        return Pace(tuple(stops), max(longest, SHORTEST * (end - begin)), tuple(sorted(eventful)))

    def _histories(self, grid: Array, y: Array) -> Iterator[Array]:
        """Those of the efforts that depend on time alone, at some states."""
        rng = np.random.default_rng(0)
        layout, length = self.dynamics.layout, self.dynamics.length
        speed = float(np.max(np.abs(y[layout.of_v]), initial=0.0))
        scale = np.ones(layout.size)
        scale[layout.of_q] = 0.1 * length
        scale[layout.of_v] = max(speed, length / (grid[-1] - grid[0]))
        for k in range(STATES):
            state = y + (scale * rng.normal(size=len(y)) if k else 0.0)
            moving = values_at(self.efforts, grid, state)
            largest = max((float(np.max(np.abs(values))) for values in moving), default=0.0)
            yield from (values for values in moving if np.ptp(values) > 1e-9 * largest)

    def _refuse_jumps(self, kinks: Sequence[Stop], begin: float, end: float) -> None:
        """Raises an error if a motor's law or its rate jumps at one of these times of a run."""
        scale = max(abs(begin), abs(end))
        for coupling in self.dynamics.model.velocity_couplings:
            for left, right in kinks:
                old, new = (sum(coupling.laws(t)) for t in (left, right))
                if abs(new - old) > CONTINUOUS * max(abs(new), abs(old), 1.0):
                    raise ModelError(
                        f"The ratio of coupling '{coupling.name}' jumps at t = {right:.6g} s, which would require an "
                        "infinite torque. Write a law that is continuous."
                    )
        for motor in self.dynamics.system.driving:
            for left, right in kinks:
                clear = APART * math.ulp(max(abs(left), abs(right), 1e-16 * scale))
                times = max(left - clear, begin), min(right + clear, end)
                sides = (motor.coupling.laws(Jet(t, 1.0, 0.0)) for t in times)
                for laws in zip(*sides, strict=True):
                    before, after = (law if isinstance(law, Jet) else Jet(law, 0.0, 0.0) for law in laws)
                    for jump, size, what in (
                        (after.value - before.value, max(abs(after.value), abs(before.value)), "jumps"),
                        (
                            after.first - before.first,
                            max(abs(after.first), abs(before.first)),
                            "has a jump in its rate",
                        ),
                    ):
                        if abs(jump) > CONTINUOUS * max(size, 1.0):
                            raise ModelError(
                                f"The law of motor '{motor.owner}' {what} at t = {right:.6g} s, which would require an "
                                "infinite force. Write a law whose value and rate are continuous; its second "
                                "derivative may jump."
                            )


def make_clock(dynamics: Dynamics) -> Clock | None:
    """The clock of a mechanism; None if its equations of motion do not depend explicitly on time and have no kinks."""
    if not (dynamics.system.driving or dynamics.model.all_forces or dynamics.model.velocity_couplings):
        return None
    clock = Clock(dynamics, trace(lambda x: efforts(dynamics, x), 1 + dynamics.layout.size))
    return clock if 0 in clock.efforts.reads or clock.kinks.in_motion else None


def efforts(dynamics: Dynamics, x: Sequence[Scalar]) -> list[Scalar]:
    """Generalized forces, then the equations of motors with their first and second derivatives at fixed positions, then
    ratios that vary."""
    t, q, _, e = dynamics.layout.split(x)
    motion = dynamics.state(x)
    # transmitted forces change with the motion; with 1 N, everything in friction that depends on time shows
    motion = replace(motion, bearings=dict.fromkeys(dynamics.bearings, 1.0))
    driven = [row.in_time(t, q, dynamics.rows.turns(e)) for row in dynamics.system.driving]
    varied = [law for row in dynamics.system.slips for law in row.laws(t, q, dynamics.rows.turns(e))]
    laws = [*(x for row in driven for x in (row.value, row.first, row.second)), *(x.value for x in varied)]
    return [*dynamics.forces(motion), *laws]
