"""Quantities along a run, with their derivatives with respect to parameters."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from grashof.integrate import Integrator, Settings, Steps
from grashof.integrate.lanes.observing import NODES
from grashof.quantities.energy_balance import CHECKED
from grashof.sensitivity.tangent import Tangent
from grashof.tape import Tape
from grashof.tape.differentiate import push

Array = np.ndarray

PARTS = (0.0, *NODES[:-1])
"""Where a step is divided, as fractions of its length: at the nodes at which sweeps observe their runs."""


@dataclass(frozen=True, eq=False)
class MotionSamples:
    """K quantities at m times: values and rates of change in time, (m, K), and the derivatives of both with respect
    to P parameters, (m, P, K)."""

    t: Array
    values: Array
    rates: Array
    slopes: Array
    rate_slopes: Array


@dataclass(frozen=True, eq=False)
class MotionWithDerivatives:
    """A run of a time loop that also integrates derivatives.

    settings  settings of the integration
    observe   tape (x, c) → values of K quantities, then their rates, and more (see `program.observe`)
    works     which of the quantities are works; they are observed up to a constant, which makes them zero at the start
    c         coefficients (C,); c_slopes are their derivatives with respect to the parameters, (P, C)
    """

    tangent: Tangent
    integrator: Integrator
    steps: Steps
    settings: Settings
    observe: Tape
    works: tuple[int, ...]
    c: Array
    c_slopes: Array
    _exact: dict[float, MotionSamples] = field(default_factory=dict, init=False)

    @cached_property
    def grid(self) -> Array:
        """Times from which extremes and means are computed: each step is divided into PARTS."""
        t = np.unique(self.steps.t)
        return np.append((t[:-1, None] + np.array(PARTS) * np.diff(t)[:, None]).ravel(), t[-1])

    @cached_property
    def on_grid(self) -> MotionSamples:
        """All quantities at the times of the grid."""
        return self.at(self.grid)

    def at(self, times: Array) -> MotionSamples:
        """All quantities at sorted times; between steps from the dense output."""
        return self._observed(times, self.integrator.sample(self.steps, times)[0])

    def exactly_at(self, time: float) -> MotionSamples:
        """All quantities at one time, reached by steps from the last state before it.

        This is more accurate than the dense output.
        """
        if time not in self._exact:
            self._exact[time] = self._reached(time)
        return self._exact[time]

    def _reached(self, time: float) -> MotionSamples:
        row = max(0, int(np.searchsorted(self.steps.t, time, side="right")) - 1)
        begin, state = float(self.steps.t[row]), self.steps.y[row]
        if begin < time:
            state = self.integrator.collect(state, begin, time, replace(self.settings, stops=())).y[-1]
        return self._observed(np.array([time]), state[None])

    @cached_property
    def _begun(self) -> MotionSamples:
        """All quantities at the start, where the constants of the works are not yet subtracted."""
        return self._seen(self.steps.t[:1], self.steps.y[:1])

    def _observed(self, times: Array, states: Array) -> MotionSamples:
        found, works = self._seen(times, states), list(self.works)
        if works:
            found.values[:, works] -= self._begun.values[:, works]
            found.slopes[:, :, works] -= self._begun.slopes[:, :, works]
        return found

    def _seen(self, times: Array, states: Array) -> MotionSamples:
        y, s = self.tangent.split(states)
        x = [times, *y.T, *self.c.tolist()]
        first = 1 + y.shape[1]
        directions = [
            dict(enumerate(s[:, k].T, start=1)) | dict(enumerate(self.c_slopes[k].tolist(), start=first))
            for k in range(self.tangent.directions)
        ]
        with np.errstate(all="ignore"):
            found, slopes = push(self.observe, x, directions)
        count = (len(found) - CHECKED) // 2
        values = columns(found, times)
        derivatives = np.empty((len(times), len(slopes), len(found)))
        for k, row in enumerate(slopes):
            derivatives[:, k] = columns(row, times)
        return MotionSamples(
            times,
            values[:, :count],
            values[:, count : 2 * count],
            derivatives[:, :, :count],
            derivatives[:, :, count : 2 * count],
        )


def columns(rows: list[Array | float], times: Array) -> Array:
    """Rows of values at m times, or of constants, as columns (m, rows)."""
    found = np.empty((len(times), len(rows)))
    for k, row in enumerate(rows):
        found[:, k] = row
    return found
