"""A cost of a run as a function of numbers of the mechanism, with its gradient, as optimisers take it."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from grashof.errors import ModelError
from grashof.model.given import Number, number
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.parameters import check_numbers, numbers
from grashof.opened import open_program
from grashof.opened.native import Native
from grashof.scalar.functions import Scalar
from grashof.sensitivity.adjoint import Adjoint
from grashof.sensitivity.motion import Motion, columns
from grashof.sensitivity.reductions import asked, reduced, single
from grashof.sensitivity.start import Start
from grashof.sensitivity.study import Study
from grashof.simulation import TOLERANCE
from grashof.sweeps.outputs import At, History, Output
from grashof.tape import Tape, TraceError, trace
from grashof.tape.differentiate import pull
from grashof.tape.node import Recorder
from grashof.task import prepare

Array = np.ndarray

FORWARD = 4
"""Up to so many numbers derivatives are carried along with the run; for more, one run backwards is faster."""


class Seen:
    """A run as a cost sees it: `run["rod.end.x"]` are the values of a quantity at the times `run.t`, `run["max rod.end.x"]` and `run["rod.end.x at 0.5"]` are single
    numbers, and `run["crank.length"]` is the value of one of the numbers that are varied. All of them are traced: use operators and functions of NumPy or Grashof."""

    def __init__(self, t: Array, look: Callable[[str], Scalar]) -> None:
        self.t, self._look = t, look

    def __getitem__(self, name: str) -> Scalar:
        return self._look(name)


Cost = Callable[[Seen], Scalar]


@dataclass(eq=False)
class Objective:
    """`fun(x)` gives the cost at values x of the numbers, and its gradient: pass it to `scipy.optimize.minimize(fun, fun.x0, jac=True, bounds=fun.bounds)`.

    Where the mechanism cannot be assembled, or the run does not get to its end, there is no exception: the cost is `failed`, with the gradient zero, if that
    was given. If not, it is ten times the largest cost seen and more, f = 10 max(|f|, 1) (1 + |z|²), where z is the way from the last values with which
    there was a run, in units of the sizes of the numbers; with the gradient of that, so that a search turns back. `fun.status` is a sentence that
    says what happened in the last call, and `fun.failures` counts.

    names         the numbers
    x0            their values in the mechanism
    evaluations   how often it was called
    """

    model: Model
    study: Study
    cost: Tape
    asked: tuple[Output, ...]
    times: Array
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
    def names(self) -> tuple[str, ...]:
        return self.study.opened.names

    @property
    def x0(self) -> Array:
        return self.study.opened.nominal.copy()

    def __call__(self, x: Array) -> tuple[float, Array]:
        self.evaluations += 1
        p = np.array(x, float)
        if p.shape != (len(self.names),):
            raise ModelError(f"The objective takes {len(self.names)} numbers, not an array of shape {p.shape}.")
        try:
            check_numbers(self.model, dict(zip(self.names, p.tolist(), strict=True)))
        except ModelError as problem:
            return self._failed(p, str(problem))
        start = self.study.starts.at(p)
        if not start.placed:
            return self._failed(p, "With these numbers the mechanism cannot be assembled on its branch.")
        run = self.study.plain if self.backward else self.study.moved
        motion = run(start, self.tol, tuple(float(t) for t in self._times))
        self.status = str(motion.steps.status)
        if not motion.steps.status.ok:
            return self._failed(p, self.status)
        value, gradient = self._backward(start, motion, p) if self.backward else self._forward(motion, p)
        if not math.isfinite(value) or not np.all(np.isfinite(gradient)):
            return self._failed(p, "The cost or its gradient is not a finite number.")
        self._largest, self._last = max(self._largest, abs(value)), p
        return value, gradient

    def _failed(self, p: Array, status: str) -> tuple[float, Array]:
        """What the cost is where there is no run."""
        self.status = status
        self.failures += 1
        if self.failed is not None:
            return self.failed, np.zeros(len(p))
        scales = self.study.opened.structure.scales
        way = np.nan_to_num((p - (self.x0 if self._last is None else self._last)) / scales)
        large = 10.0 * self._largest
        return large * (1.0 + float(way @ way)), 2.0 * large * way / scales

    @cached_property
    def _times(self) -> Array:
        """All times at which steps end."""
        more = [x.time for x in self.asked if isinstance(x, At) and x.time is not None]
        return np.unique([*self.times, *more])

    @cached_property
    def _native(self) -> Native:
        def function(x: list[Scalar], p: list[Scalar]) -> list[Scalar]:
            (value,), slopes = pull(self.cost, [*x, *p], [1.0], range(self.cost.inputs))
            return [value, *slopes]

        return Native({"cost": trace(function, *self.cost.sizes)})

    @cached_property
    def _adjoint(self) -> Adjoint:
        return Adjoint(self.study.equations, self.study.task.choose(self.tol).method)

    def _forward(self, motion: Motion, p: Array) -> tuple[float, Array]:
        samples = motion.at(self.times)
        values, slopes = [], []
        for output in self.asked:
            place = self._place(output)
            if isinstance(output, History):
                values += samples.values[:, place].tolist()
                slopes += list(samples.slopes[:, :, place])
            else:
                found = reduced(output, place, motion)
                values.append(found.value)
                slopes.append(found.slopes)
        value, weights = self._costs(values, p)
        return value, weights[: len(values)] @ np.reshape(slopes, (len(values), len(p))) + weights[len(values) :]

    def _backward(self, start: Start, motion: Motion, p: Array) -> tuple[float, Array]:
        places = np.array([self._place(output) for output in self.asked], int)
        times = np.concatenate([self.times if isinstance(x, History) else [self._at(x, motion)] for x in self.asked])
        which = np.concatenate(
            [
                np.full(len(self.times) if isinstance(x, History) else 1, k)
                for k, x in zip(places, self.asked, strict=True)
            ]
        )
        rows = np.searchsorted(motion.steps.t, times)
        observed = motion.at(motion.steps.t)
        value, weights = self._costs(observed.values[rows, which].tolist(), p)
        inner, direct = weights[: len(rows)], weights[len(rows) :]
        # what each quantity weighs in each row
        table = np.zeros(observed.values.shape)
        np.add.at(table, (rows, which), inner)
        used = np.unique(rows)
        states, c_direct = self._pulled(motion, used, table[used])
        weighed = dict(zip(used.tolist(), states, strict=True))
        gradient = self._adjoint.gradient(motion.steps, start.c, weighed, motion.settings.stops)
        total: Array = start.y_slopes @ gradient.start + start.c_slopes @ (gradient.coefficients + c_direct) + direct
        return value, total

    def _pulled(self, motion: Motion, rows: Array, table: Array) -> tuple[Array, Array]:
        """Weights of quantities (rows, K) as weights of states (rows, size) and of coefficients (C,)."""
        observe, t, y = motion.observe, motion.steps.t[rows], motion.steps.y[rows]
        weights = [*table.T, *[0.0] * (len(observe.outputs) - table.shape[1])]
        with np.errstate(all="ignore"):
            _, found = pull(observe, [t, *y.T, *motion.c.tolist()], weights, range(1, observe.inputs))
        full = columns(found, t)
        return full[:, : y.shape[1]], np.sum(full[:, y.shape[1] :], axis=0)

    def _at(self, output: Output, motion: Motion) -> float:
        assert isinstance(output, At)
        return float(motion.steps.t[-1]) if output.time is None else output.time

    def _place(self, output: Output) -> int:
        (quantity,) = output.quantities(None)
        return self.study.opened.observes.index(quantity)

    def _costs(self, values: Sequence[float], p: Array) -> tuple[float, Array]:
        """The cost and its slopes with respect to what it is made of, then with respect to p."""
        found = self._native.rows("cost", np.array([values]), p[None])[0]
        return float(found[0]), found[1:]


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
    max_steps: int = 1_000_000,
) -> Objective:
    """A cost of the run to t_end as a function of numbers of the mechanism, with its gradient (see `Objective`).

    parameters  numbers by their paths, such as "crank.length", and declared parameters by their names
    cost        an output such as "max rod.end.y", or a function of a run (see `Seen`) that gives one number: it is called once, and traced
    times       s, or how many evenly spaced ones: when a cost sees quantities
    gradient    "forward": derivatives are carried along with the run; "backward": one run backwards for all numbers; "auto" chooses
    failed      what the cost is where there is no run, such as math.inf for optimisers that know it; else it is large (see `Objective`)

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
                f"Event '{event.name}' changes the motion ('{event.does}'), and the derivatives of an objective do not know how; take it away."
            )
    if gradient not in ("auto", "forward", "backward"):
        raise ModelError(f"The gradient is asked for by '{gradient}'; it must be 'auto', 'forward' or 'backward'.")
    names = tuple(dict.fromkeys(parameters))
    if not names:
        raise ModelError("An objective needs at least one number to vary.")
    seen: Cost = cost if callable(cost) else lambda run: run[str(single(cost))]
    begin, end = model.start.time, number("The end time", t_end, "s")
    wanted = np.linspace(begin, end, times) if isinstance(times, int) else np.array(times, float)
    if wanted.ndim != 1 or not np.all(np.diff(np.concatenate([[begin], wanted, [end]])) >= 0.0):
        raise ModelError(f"The times of an objective must be sorted and between {begin:g} s and {end:g} s.")
    outputs = _asked(seen, names, wanted)
    opened = open_program(
        model, names, list(dict.fromkeys(x for output in outputs.values() for x in output.quantities(None)))
    )
    task = prepare(opened.program, end, tol, method, None, None, max_steps)
    possible = all(isinstance(output, History | At) for output in outputs.values())
    if gradient == "backward" and not possible:
        raise ModelError("Extremes and means cannot be differentiated backwards; leave gradient='auto'.")
    backward = gradient == "backward" or (gradient == "auto" and possible and len(names) > FORWARD)
    return Objective(
        model,
        Study(opened, task),
        _traced(seen, outputs, names, wanted),
        tuple(outputs.values()),
        wanted,
        task.tol,
        backward,
        failed,
        [(numbers(model)[name].lower, numbers(model)[name].upper) for name in names],
    )


def _output(text: str) -> Output:
    """What a cost asks for: a quantity alone is meant along the run."""
    return single(text) if asked(text) else History(text)


def _asked(cost: Cost, names: Sequence[str], times: Array) -> dict[str, Output]:
    """What a cost looks at."""
    found: dict[str, Output] = {}
    recorder = Recorder()

    def look(text: str) -> Scalar:
        if text in names:
            return recorder.inputs(1)[0]
        found[text] = _output(text)
        if not isinstance(found[text], History):
            return recorder.inputs(1)[0]
        return np.array(recorder.inputs(len(times)), dtype=object)

    _called(cost, Seen(times, look))
    return found


def _traced(cost: Cost, outputs: Mapping[str, Output], names: Sequence[str], times: Array) -> Tape:
    """The cost as a tape of what it looks at, and of the numbers that are varied."""
    sizes = {text: len(times) if isinstance(output, History) else 1 for text, output in outputs.items()}

    def function(x: list[Scalar], p: list[Scalar]) -> list[Scalar]:
        seen: dict[str, Scalar] = dict(zip(names, p, strict=True))
        rest = iter(x)
        for text, size in sizes.items():
            values = [next(rest) for _ in range(size)]
            seen[text] = np.array(values, dtype=object) if isinstance(outputs[text], History) else values[0]
        return [_called(cost, Seen(times, seen.__getitem__))]

    return trace(function, sum(sizes.values()), len(names))


def _called(cost: Cost, run: Seen) -> Scalar:
    try:
        value = cost(run)
    except (TraceError, TypeError) as problem:
        raise ModelError(
            f"The cost cannot be differentiated: {problem}. Use operators and functions of NumPy or Grashof, and no `if` on values."
        ) from problem
    return value.item() if getattr(value, "shape", None) == () and hasattr(value, "item") else value
