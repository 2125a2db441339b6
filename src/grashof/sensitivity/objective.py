"""A cost of a run as a function of numbers of the mechanism, with its gradient, for optimisers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

import numpy as np

from grashof.common.errors import ModelError
from grashof.integrate import Explicit
from grashof.model.given import Number, number
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.parameters import check_changeable, check_numbers, numbers
from grashof.program import build
from grashof.sensitivity.agreement import DIFFERENCES, contradictions
from grashof.sensitivity.costs import Cost, asked_by, trace_cost
from grashof.sensitivity.estimate import Estimate
from grashof.sensitivity.gradient import CostOfRun
from grashof.sensitivity.motion import MotionWithDerivatives
from grashof.sensitivity.reductions import check_times, quantities_of, single
from grashof.sensitivity.runs import Runs
from grashof.sensitivity.start import StartWithDerivatives
from grashof.simulation.options import MOST_STEPS, TOLERANCE, Options
from grashof.simulation.task import prepare
from grashof.sweeps.outputs import At, History

Array = np.ndarray

CLOSE = 1e-3
"""Allowed relative error of a gradient when it is compared with differences."""

FORWARD, FORWARD_IMPLICIT = 2, 1
"""For up to this many numbers the derivatives are propagated forwards with the run, with explicit and with implicit
methods; for more numbers, one backward run is faster (docs/measurements.md)."""


@dataclass(frozen=True)
class _Made:
    """A run, from where it began, and the cost that reads it."""

    cost: CostOfRun
    start: StartWithDerivatives
    motion: MotionWithDerivatives


@dataclass(eq=False)
class Objective:
    """`fun(x)` returns the cost at values x of the numbers, and its gradient: pass it to `scipy.optimize.minimize(fun,
    fun.x0, jac=True, bounds=fun.bounds)`.

    If the mechanism cannot be assembled, or the run does not reach its end, no exception is raised. If `failed` was
    given, it is the cost, with a zero gradient. Otherwise the cost is a penalty above all costs seen so far, f = 10
    max(|f|, 1) (1 + |z|²), where z is the distance from the last values with a successful run, in units of the
    magnitudes of the numbers; its gradient leads the search back. `fun.status` describes the outcome of the last call,
    and `fun.failures` counts the failures.

    in_natural    the cost in natural coordinates, for runs that come near singular positions of loops; None if runs are
                  not made in relative ones
    names         the numbers
    x0            their values in the mechanism
    evaluations   number of calls
    """

    model: Model
    cost: CostOfRun
    in_natural: Callable[[], CostOfRun] | None
    tol: float
    backward: bool
    failed: float | None
    bounds: list[tuple[float | None, float | None]]
    evaluations: int = field(default=0, init=False)
    failures: int = field(default=0, init=False)
    status: str = field(default="", init=False)
    _largest: float = field(default=1.0, init=False)
    _last: Array | None = field(default=None, init=False)

    @property
    def runs(self) -> Runs:
        """Runs of the mechanism for given values of the numbers."""
        return self.cost.runs

    @property
    def names(self) -> tuple[str, ...]:
        return self.runs.opened.names

    @property
    def x0(self) -> Array:
        return self.runs.opened.nominal.copy()

    def __call__(self, x: Array) -> tuple[float, Array]:
        self.evaluations += 1
        p = np.array(x, float)
        if p.shape != (len(self.names),):
            raise ModelError(f"The objective takes {len(self.names)} numbers, not an array of shape {p.shape}.")
        found = self._found(p)
        if isinstance(found, str):
            return self._failed(p, found)
        self._largest, self._last = max(self._largest, abs(found[0])), p
        return found

    def _found(self, p: Array) -> tuple[float, Array] | str:
        """The cost and its gradient, or the reason why there is none."""
        try:
            check_numbers(self.model, dict(zip(self.names, p.tolist(), strict=True)))
        except ModelError as problem:
            return str(problem)
        start = self.runs.starts.at(p)
        if not start.placed:
            return "With these numbers the mechanism cannot be assembled on its branch."
        made = self._run(p, self.tol, start, plain=self.backward)
        cost, motion = made.cost, made.motion
        self.status = str(motion.steps.status)
        if not motion.steps.status.ok:
            return self.status
        if not cost.runs.adds_up(motion, self.tol):
            return "The energy balance is violated: the run cannot be trusted."
        value, gradient = cost.backward(made.start, motion, p) if self.backward else cost.forward(motion, p)
        if not math.isfinite(value) or not np.all(np.isfinite(gradient)):
            return "The cost or its gradient is not a finite number."
        return value, gradient

    def _run(self, p: Array, tol: float, start: StartWithDerivatives, *, plain: bool) -> _Made:
        """The run from a start; in natural coordinates if relative ones may not lead through all of it."""

        def run_of(cost: CostOfRun, start: StartWithDerivatives) -> _Made:
            return _Made(cost, start, (cost.runs.plain if plain else cost.runs.moved)(start, tol, cost.stops))

        made = run_of(self.cost, start)
        if self.in_natural is None or (made.motion.steps.status.ok and self.runs.stay_aside(made.motion)):
            return made
        other = self.in_natural()
        return run_of(other, other.runs.starts.at(p))

    def _failed(self, p: Array, status: str) -> tuple[float, Array]:
        """The cost if the run fails."""
        self.status = status
        self.failures += 1
        if self.failed is not None:
            return self.failed, np.zeros(len(p))
        scales = self.runs.opened.scales
        way = np.nan_to_num((p - (self.x0 if self._last is None else self._last)) / scales)
        large = 10.0 * self._largest
        return large * (1.0 + float(way @ way)), 2.0 * large * way / scales

    def check(self, x: Array | None = None) -> str:
        """Compares the gradient at x (`x0` by default) with the costs of nearby runs.

        Returns a sentence that describes the contradiction; it is empty if they agree, or if the run at x fails.
        A contradiction means that the cost has no gradient there, or that the jump of a force contributes to it.
        """
        p = self.x0 if x is None else np.array(x, float)
        here = self._found(p)
        if isinstance(here, str):
            return ""
        (value, gradient), scales = here, self.runs.opened.scales
        size = max(abs(value), float(np.abs(gradient) @ scales))
        values, slopes, errors, sizes = (np.array([x]) for x in (value, gradient, CLOSE * np.abs(gradient), size))
        found = Estimate(values, slopes, 0.0 * values, errors, sizes, ("",))
        noise = np.array([10.0 * DIFFERENCES * self.tol * size])
        return contradictions(lambda moved: self._value_at(p + moved), scales, found, noise)[0]

    def _value_at(self, p: Array) -> Array | None:
        """The cost with a smaller tolerance, (1,)."""
        start = self.runs.starts.at(p)
        if not start.placed:
            return None
        made = self._run(p, DIFFERENCES * self.tol, start, plain=True)
        return np.array([made.cost.value(made.motion, p)]) if made.motion.steps.status.ok else None


def objective(
    mechanism: Mechanism | Model,
    parameters: Sequence[str],
    cost: str | Cost,
    *,
    t_end: Number,
    times: Sequence[float] | Array | int = 101,
    tol: float = TOLERANCE,
    method: str = "auto",
    gradient: str = "auto",
    failed: float | None = None,
    check: bool = True,
    max_steps: int = MOST_STEPS,
) -> Objective:
    """A cost of the run to t_end as a function of numbers of the mechanism, with its gradient (see `Objective`).

    parameters  numbers by their paths, such as "crank.length", and declared parameters by their names
    cost        an output such as "max rod.end.y", or a function of a run (see `costs.SeenValues`) that returns one
                number; it is traced when the objective is made
    times       times in s at which a cost function receives the quantities, or the number of evenly spaced times
    gradient    "forward": derivatives are propagated with the run; "backward": one backward run for all numbers; "auto"
                chooses
    failed      the cost if the run fails, such as math.inf for optimisers that accept it; by default a penalty
                (see `Objective`)
    check       whether to compare the gradient with finite differences once, at the mechanism's own numbers

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> m.need(rod.angle, value=-1.0)
    >>> fun = objective(m, ["rod.length"], lambda run: np.sum((run["rod.angle"] + 1.5) ** 2), t_end=1.0)
    >>> value, slopes = fun(fun.x0)
    >>> ahead, behind = fun(fun.x0 + 1e-4)[0], fun(fun.x0 - 1e-4)[0]
    >>> bool(abs((ahead - behind) / 2e-4 - slopes[0]) < 1e-3 * abs(slopes[0]))
    True
    """
    model = as_model(mechanism)
    for event in model.all_events:
        if event.does != "record" and not event.restarts:
            raise ModelError(
                f"Event '{event.name}' changes the motion ('{event.does}'), which the derivatives of an "
                "objective cannot take into account; remove it."
            )
    if gradient not in ("auto", "forward", "backward"):
        raise ModelError(f"gradient is '{gradient}'; it must be 'auto', 'forward' or 'backward'.")
    names = tuple(dict.fromkeys(parameters))
    if not names:
        raise ModelError("An objective needs at least one number to vary.")
    seen: Cost = cost if callable(cost) else lambda run: run[str(single(cost))]
    begin, end = model.start.time, number("The end time", t_end, "s")
    wanted = np.linspace(begin, end, times) if isinstance(times, int | np.integer) else np.array(times, float)
    if wanted.ndim != 1 or not np.all(np.diff(np.concatenate([[begin], wanted, [end]])) >= 0.0):
        raise ModelError(f"The times of an objective must be sorted and between {begin:g} s and {end:g} s.")
    outputs = asked_by(seen, names, wanted)
    check_times(outputs.values(), begin, end)
    options = Options(tol=tol, method=method, max_steps=max_steps)

    def runs_in(formulation: str) -> Runs:
        program = build(model, numbers=names, observe=quantities_of(outputs.values()), formulation=formulation)
        return Runs(program.opened, prepare(program, end, options))

    runs = runs_in("auto")
    check_changeable(model, names)
    possible = all(isinstance(output, History | At) for output in outputs.values())
    if gradient == "backward" and not possible:
        raise ModelError("Extremes and means cannot be differentiated backwards; use gradient='auto' or 'forward'.")
    few = FORWARD if isinstance(runs.task.choose().method, Explicit) else FORWARD_IMPLICIT
    backward = gradient == "backward" or (gradient == "auto" and possible and len(names) > few)
    cost_of_run = CostOfRun(runs, trace_cost(seen, outputs, names, wanted), tuple(outputs.values()), wanted)

    @cache
    def in_natural() -> CostOfRun:
        return replace(cost_of_run, runs=runs_in("natural"))

    made = Objective(
        model,
        cost_of_run,
        in_natural if runs.task.program.tentative else None,
        runs.task.tol,
        backward,
        failed,
        [(numbers(model)[name].lower, numbers(model)[name].upper) for name in names],
    )
    problem = made.check() if check else ""
    if problem:
        raise ModelError(
            f"The gradient of the cost of mechanism '{model.name}' is contradicted: {problem} Smooth the jump, or "
            "leave out the number that moves it; check=False uses the gradient without this check."
        )
    return made
