"""Observation of runs in lanes at given times: a function of time, state and coefficients is evaluated.

At the end of a step this uses its state; inside, the dense output projected onto the constraints (see
`integrate.dense`).
"""

from __future__ import annotations

from math import sqrt

from grashof.integrate.dense import SHORT, build
from grashof.integrate.kernel import Kernel
from grashof.integrate.lanes.control import LaneControl, LaneJob
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Array, Record, Value
from grashof.tape.lanes import ONE

NODES = (0.5 - 0.25 * sqrt(2.0), 0.5, 0.5 + 0.25 * sqrt(2.0), 1.0)
"""Where runs that are traced are observed in each step: with its start these are the extremes of the Chebyshev
polynomial of degree 4."""


def observe_ir(space: Workspace) -> str:
    """`observe(control, work, h, t, job, outputs)`: observes the runs that are watched, whose steps end at t, at all
    times that are due."""
    k = space.kernel("observe", internal=True)
    c, work = k.record("control", LaneControl), k.array("work")
    h, t = k.number("h"), k.number("t")
    job, outputs = k.array("job"), k.array("outputs")
    step = Step(k, space, work)

    with k.when(c.watched.equals(1)):
        with k.when(~c.due.equals(t)):
            trust(k, c, step, work, h)
        with k.forever():
            due = ~((c.due - t) * h > 0.0) & c.watched.equals(1)
            with k.when(~k.any(due)):
                c.watched = 0
                k.exit()
            with k.when(due):
                with k.when(~c.due.equals(t)):
                    place(k, c, step, work, h, c.due)
                with k.when(c.due.equals(t)):
                    k.copy(step.end, step.inside, 1 + space.sizes.size)
                step.call("observe", step.inside, outputs)
                c.watched = 2
            k.call("deliver", c, job)
    return k.text()


def observe_start(k: Kernel, c: Record, step: Step, job: Array, outputs: Array) -> None:
    """Observes runs at their start, if that is due."""
    with k.when(c.due.equals(step.start[0])):
        k.copy(step.start, step.inside, 1 + step.sizes.size)
        step.call("observe", step.inside, outputs)
        c.watched = 2
        k.call("deliver", c, job)
        c.watched = 0


def trust(k: Kernel, c: Record, step: Step, work: Array, h: Value) -> None:
    """Builds the polynomials of the step and determines whether they may be used, unless the method knows the motion
    inside itself."""
    if step.inner:
        c.trusted = 1
        return
    k.copy(step.slopes[0], step.known[0], step.sizes.rates)
    k.copy(step.slopes[-1], step.known[1], step.sizes.rates)
    settled = build(k, step, work, h) & ~(h * h < (SHORT * SHORT) * (c.span * c.span))
    c.trusted = k.choose(settled, k.constant(1, k.whole), k.constant(0, k.whole))


def place(k: Kernel, c: Record, step: Step, work: Array, h: Value, time: Value) -> None:
    """Writes the state at a time inside the step, projected onto the constraints, to `step.inside`."""
    begun, point = step.start[0], 1 + step.sizes.size
    untrusted = c.trusted.equals(0)
    if not step.inner:
        with k.when(untrusted):
            k.call("stages", time - begun, work)
            k.copy(step.trial, step.inside, point)
    k.call("interpolate", h, (time - begun) / h, work)
    if not step.inner:
        with k.when(untrusted):
            k.copy(step.inside, step.trial, point)
    step.trial[0] = time
    step.project(step.inside)


def trace_ir(space: Workspace) -> str:
    """`trace(control, work, h, job, outputs)`: observes the runs that are traced at the NODES of their step."""
    k = space.kernel("trace", internal=True)
    c, work, h = k.record("control", LaneControl), k.array("work"), k.number("h")
    job, outputs = k.array("job"), k.array("outputs")
    step = Step(k, space, work)
    with k.when(c.traced.equals(2)):
        trust(k, c, step, work, h)
        for node in NODES:
            if node < 1.0:
                place(k, c, step, work, h, step.start[0] + k.constant(node) * h)
            else:
                k.copy(step.end, step.inside, 1 + space.sizes.size)
            step.call("observe", step.inside, outputs)
            c.traced = 3
            k.call("record", c, work, job)
        c.traced = 1
    return k.text()


def record_ir(space: Workspace) -> str:
    """`record(control, work, job)`: appends the values observed at a node to the records."""
    k = Kernel("record", 1, internal=True)
    lanes = (space.runs or ONE).count
    control, work, job = k.record("control", LaneControl, lanes), k.array("work"), k.record("job", LaneJob)
    outputs, inside = job.array("lane_outputs_at"), work.at(lanes * space.places["inside"])
    for lane in k.count(k.constant(lanes, "i64")):
        c = control.at(lane)
        with k.when(c.traced.equals(3)):
            c.traced = 2
            target = job.array("records_at").at(job.recorded * (job.outputs + 2))
            target[0], target[1] = c.row, inside.at(lane)[0]
            for j in k.count(job.outputs):
                target.at(2)[j] = outputs.at(lane)[j * lanes]
            job.recorded += 1
    with k.when(~(job.recorded + lanes * len(NODES) <= job.capacity)):
        for lane in k.count(k.constant(lanes, "i64")):
            control.at(lane).filled = 1
    return k.text()


def deliver_ir(space: Workspace) -> str:
    """`deliver(control, job)`: copies the observed values to their place among the results."""
    k = Kernel("deliver", 1, internal=True)
    lanes = (space.runs or ONE).count
    control, job = k.record("control", LaneControl, lanes), k.record("job", LaneJob)
    outputs, times = job.array("lane_outputs_at"), job.array("times_at")
    for lane in k.count(k.constant(lanes, "i64")):
        c = control.at(lane)
        with k.when(c.watched.equals(2)):
            c.watched = 1
            number = c.observed
            target = job.array("observed_at").at((c.row * job.times + number) * job.outputs)
            for j in k.count(job.outputs):
                target[j] = outputs.at(lane)[j * lanes]
            after = number + 1
            c.observed, c.due = after, job.never
            with k.when(after < job.times):
                c.due = times[after]
    return k.text()
