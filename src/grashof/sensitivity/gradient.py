"""The cost of a run and its gradient, from derivatives propagated with the run or from a backward run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.program.native import Native
from grashof.scalar.functions import Scalar
from grashof.sensitivity.adjoint import Adjoint
from grashof.sensitivity.motion import MotionWithDerivatives, columns
from grashof.sensitivity.reductions import reduce_output
from grashof.sensitivity.runs import Runs
from grashof.sensitivity.start import StartWithDerivatives
from grashof.sweeps.outputs import At, History, Output
from grashof.tape import Tape, trace
from grashof.tape.differentiate import pull

Array = np.ndarray


@dataclass(frozen=True, eq=False)
class CostOfRun:
    """A cost as a function of outputs of the run and of the numbers p.

    tape    (outputs, p) → cost
    asked   the outputs
    times   the times at which it reads quantities along the run, s
    """

    runs: Runs
    tape: Tape
    asked: tuple[Output, ...]
    times: Array

    @cached_property
    def stops(self) -> list[float]:
        """All times at which steps must end, s."""
        more = [x.time for x in self.asked if isinstance(x, At) and x.time is not None]
        found: list[float] = np.unique([*self.times, *more]).tolist()
        return found

    def value(self, motion: MotionWithDerivatives, p: Array) -> float:
        """The cost alone."""
        return self._costs(self._looked(motion)[0], p)[0]

    def forward(self, motion: MotionWithDerivatives, p: Array) -> tuple[float, Array]:
        """The cost and its gradient, from a run with derivatives."""
        values, slopes = self._looked(motion)
        value, weights = self._costs(values, p)
        return value, weights[: len(values)] @ slopes + weights[len(values) :]

    def backward(self, start: StartWithDerivatives, motion: MotionWithDerivatives, p: Array) -> tuple[float, Array]:
        """The cost and its gradient, from a run without derivatives."""
        seen = [(t, self.runs.place(x)) for x in self.asked for t in self._times_of(x, motion)]
        times, which = np.array([t for t, _ in seen]), np.array([k for _, k in seen], int)
        rows = np.searchsorted(motion.steps.t, times)
        observed = motion.at(motion.steps.t)
        value, weights = self._costs(observed.values[rows, which].tolist(), p)
        inner, direct = weights[: len(rows)], weights[len(rows) :]
        # the weight of each quantity in each row
        table = np.zeros(observed.values.shape)
        np.add.at(table, (rows, which), inner)
        works = list(motion.works)
        table[0, works] -= np.sum(table[:, works], axis=0)  # works are measured from the start
        used = np.unique([*rows, 0] if works else rows)
        states, c_direct = self._pulled(motion, used, table[used])
        weighed = dict(zip(used.tolist(), states, strict=True))
        gradient = self._adjoint.gradient(motion.steps, start.c, weighed, motion.settings.stops)
        total: Array = start.y_slopes @ gradient.start + start.c_slopes @ (gradient.coefficients + c_direct) + direct
        return value, total

    def _looked(self, motion: MotionWithDerivatives) -> tuple[list[float], Array]:
        """The values that the cost reads, and their derivatives."""
        samples = motion.at(self.times)
        values: list[float] = []
        slopes = [np.empty((0, motion.tangent.directions))]
        for output in self.asked:
            place = self.runs.place(output)
            if isinstance(output, History):
                values += samples.values[:, place].tolist()
                slopes.append(samples.slopes[:, :, place])
            else:
                found = reduce_output(output, place, motion)
                values.append(found.value)
                slopes.append(found.slopes[None])
        return values, np.concatenate(slopes)

    def _pulled(self, motion: MotionWithDerivatives, rows: Array, table: Array) -> tuple[Array, Array]:
        """Converts weights of quantities (rows, K) to weights of states (rows, size) and of coefficients (C,)."""
        observe, t, y = motion.observe, motion.steps.t[rows], motion.steps.y[rows]
        weights = [*table.T, *[0.0] * (len(observe.outputs) - table.shape[1])]
        with np.errstate(all="ignore"):
            _, found = pull(observe, [t, *y.T, *motion.c.tolist()], weights, range(1, observe.inputs))
        full = columns(found, t)
        return full[:, : y.shape[1]], np.sum(full[:, y.shape[1] :], axis=0)

    def _times_of(self, output: Output, motion: MotionWithDerivatives) -> Array:
        """The times at which an output is read."""
        if isinstance(output, History):
            return self.times
        assert isinstance(output, At)
        return motion.steps.t[-1:] if output.time is None else np.array([output.time])

    def _costs(self, values: Sequence[float], p: Array) -> tuple[float, Array]:
        """The cost and its derivatives with respect to the values it reads, then with respect to p."""
        found = self._native.rows("cost", np.array([values]), p[None])[0]
        return float(found[0]), found[1:]

    @cached_property
    def _native(self) -> Native:
        def function(x: list[Scalar], p: list[Scalar]) -> list[Scalar]:
            (value,), slopes = pull(self.tape, [*x, *p], [1.0], range(self.tape.inputs))
            return [value, *slopes]

        return Native({"cost": trace(function, *self.tape.sizes)})

    @cached_property
    def _adjoint(self) -> Adjoint:
        return Adjoint(self.runs.equations, self.runs.method.method)
