"""Derivatives of the outputs of a run with respect to numbers of the mechanism.

The mechanism is simulated twice with derivatives, at two tolerances, from which their errors are estimated; once by
`simulate`, with all its checks; and a few times with values close to the given ones, along one random direction. The
differences between these last runs are independent of the derivatives and must agree with them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.common.status import Code, Status
from grashof.model.given import Number
from grashof.model.mechanism import Mechanism, as_model
from grashof.model.model import Model
from grashof.model.parameters import check_changeable, numbers
from grashof.motion.trajectory import Trajectory
from grashof.program import build
from grashof.quantities.catalog import catalog_of
from grashof.sensitivity.agreement import contradicted_outputs, end_difference, uncertain
from grashof.sensitivity.estimate import estimate_outputs
from grashof.sensitivity.nearness import nearly_happened
from grashof.sensitivity.reductions import check_times, quantities_of, single
from grashof.sensitivity.result import Sensitivities
from grashof.sensitivity.runs import Runs
from grashof.simulation.options import MOST_STEPS, TOLERANCE, Options
from grashof.simulation.simulate import simulate
from grashof.simulation.task import prepare
from grashof.sweeps.outputs import Output


@one_thread()
def sensitivities(
    mechanism: Mechanism | Model,
    wrt: Sequence[str],
    of: Sequence[str],
    *,
    t_end: Number,
    tol: float = TOLERANCE,
    method: str = "auto",
    max_steps: int = MOST_STEPS,
) -> Sensitivities:
    """Computes outputs of a run and their derivatives with respect to numbers of the mechanism, in SI units, with
    estimated errors.

    wrt     numbers by their paths, such as "crank.length", "spring.stiffness" or "start.crank.angle.rate", and declared
            parameters by their names
    of      outputs: "crank.angle" (at the end), "crank.angle at 0.5", "max rod.end.y", "min …", "mean …", "time of max
            …"
    tol     as in `simulate`; also applies to derivatives, relative to the combined effect of all numbers on an output

    The status or `doubts` report derivatives that are unknown or cannot be trusted: an event changes the motion, the
    motion is undecided, the mechanism cannot be assembled with nearby values, or differences between nearby runs
    contradict them.

    >>> m = Mechanism("pendulum", gravity=(0, -9.81))
    >>> rod = m.bar("rod", length=1.0, mass=1.0)
    >>> _ = m.revolute(m.ground.at(0, 0), rod.start)
    >>> m.need(rod.angle, value=0.0)
    >>> found = sensitivities(m, wrt=["rod.length", "rod.mass"], of=["max rod.angle.rate"], t_end=3.0)
    >>> found.ok, bool(abs(found["max rod.angle.rate", "rod.mass"]) < 1e-6)
    (True, True)
    """
    outputs = [single(text) for text in of]
    if not outputs or not wrt:
        raise ModelError("Give at least one output (of) and one number (wrt).")
    model = as_model(mechanism)

    def prepare_runs(formulation: str) -> Runs:
        names, observe = tuple(dict.fromkeys(wrt)), quantities_of(outputs)
        program = build(model, numbers=names, observe=observe, formulation=formulation)
        return Runs(program.opened, prepare(program, t_end, Options(tol=tol, method=method, max_steps=max_steps)))

    runs = prepare_runs("auto")
    opened, task = runs.opened, runs.task
    check_changeable(model, opened.names)
    check_times(outputs, opened.time, task.t_end)
    # built anew from the description: an independent check of the code over open numbers
    run = simulate(model, task.t_end, tol=task.tol, method=method, times=2, max_steps=max_steps)
    if opened.equations.relative is not None and run.program.relative is None:
        runs = prepare_runs("natural")  # loops come near a singular position
    catalog = catalog_of(model)
    units = {str(output): output.unit(lambda name: catalog[name].unit) for output in outputs}
    return _find_derivatives(runs, outputs, run, units | {name: numbers(model)[name].unit for name in opened.names})


def _smooth(run: Trajectory) -> Status:
    """The status of a run; doubtful if an event changed the motion."""
    status = run.status
    if status.ended is Code.EVENT:
        return replace(
            status,
            doubt=status.doubt or Code.NOT_SMOOTH,
            where=f"{status.where} Derivatives do not account for a change of its time.",
        )
    for event in run.events:
        if event.changes:
            where = f"Event '{event.name}' changed the motion."
            return replace(status, doubt=status.doubt or Code.NOT_SMOOTH, time=event.time, where=where)
    return status


def _find_derivatives(
    runs: Runs, outputs: Sequence[Output], run: Trajectory, units: Mapping[str, str]
) -> Sensitivities:
    """The derivatives as far as they are known, and reasons to doubt them."""
    status, names, opened = _smooth(run), tuple(map(str, outputs)), runs.opened
    if status.ok and not runs.starts.at(opened.nominal).placed:
        status = replace(
            status, doubt=Code.NOT_SMOOTH, where="The change of the start with the numbers could not be followed."
        )
    found = estimate_outputs(runs, outputs) if status.ok else None
    if status.ok:
        problem = "The run with derivatives does not reach its end." if found is None else end_difference(runs, run)
        status = replace(status, doubt=Code.INACCURATE, where=problem) if problem else status
    if found is None or not status.ok:
        none, nothing = np.full(len(names), np.nan), np.full((len(names), len(opened.names)), np.nan)
        return Sensitivities(names, opened.names, none, none, nothing, nothing, opened.nominal, units, status, {})
    doubts = {name: doubt for name, doubt in zip(names, found.doubts, strict=True) if doubt}
    doubts |= uncertain(runs, outputs, found) | contradicted_outputs(runs, outputs, found)
    event = nearly_happened(run)
    doubts |= dict.fromkeys(names, event) if event else {}
    return Sensitivities(
        names,
        opened.names,
        found.values,
        found.value_errors,
        found.slopes,
        found.slope_errors,
        opened.nominal,
        units,
        status,
        doubts,
    )
