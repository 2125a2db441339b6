"""Many runs in a few lanes, as native code: a lane whose run has ended takes the next one, until none is left."""

from __future__ import annotations

from grashof.integrate.control import ARRIVED, RUNNING, Control
from grashof.integrate.kernel import Kernel
from grashof.integrate.lanes.control import COUNTERS, NOBODY, RESUMING, WAITING, Ended, LaneControl, LaneJob
from grashof.integrate.restarts import restart
from grashof.integrate.step import Workspace
from grashof.integrate.values import Array, Record, Value
from grashof.tape.lanes import ONE


def queue_ir(space: Workspace) -> str:
    """`run(job, control, work)`: all runs of a job."""
    k = Kernel("run", 1)
    lanes = (space.runs or ONE).count
    job, control, work = k.record("job", LaneJob), k.record("control", LaneControl, lanes), k.array("work")
    with k.forever():
        job.busy = 0
        for lane in k.count(k.constant(lanes, "i64")):
            c = control.at(lane)
            with k.when(~c.row.equals(NOBODY) & c.state.equals(ARRIVED) & (c.stop + 1 < job.stops)):
                _pass_stop(space, job, c)
            with k.when(~c.row.equals(NOBODY)), k.when(_has_ended(c)):
                _hand_over(k, space, job, c, work.at(lane), lanes)
                c.row, c.state = NOBODY, ARRIVED  # a lane without a run stays still
            with k.when(c.row.equals(NOBODY)), k.when(job.next < job.rows):
                _take(k, space, job, c, work.at(lane), lanes, lane)
            with k.when(~c.row.equals(NOBODY)):
                job.busy += 1
        with k.when(job.busy.equals(0)):
            k.exit()
        outputs = job.array("lane_outputs_at")
        k.call("begin", control, work, job, outputs)
        k.call("advance", control, work, job, outputs)
        k.call("look", control, work)
        with k.when(control.filled.equals(1)):
            k.exit()
    return k.text()


def _pass_stop(space: Workspace, job: Record, c: Record) -> None:
    """Restarts a run after a time at which steps had to end; see `Run`."""
    stops, stop = job.array("stops_at"), c.stop
    c.behind_stop = stops[stop * 2 + 1]
    c.t_end, c.stop = stops[stop * 2 + 2], stop + 1
    c.steps += 1
    restart(c, space.method, RESUMING)


def _has_ended(c: Record) -> Value:
    return (~c.state.equals(RUNNING) & ~c.state.equals(RESUMING)) | ~(c.tried < c.pause) | _needs_attention(c)


def _needs_attention(c: Record) -> Value:
    return ~(c.fallen | c.event).equals(0)


def _hand_over(k: Kernel, space: Workspace, job: Record, c: Record, work: Array, lanes: int) -> None:
    """Copies the results of a run to its row."""
    row = c.row
    attention, steps, arrived = (k.constant(x, "i64") for x in (Ended.ATTENTION, Ended.TOO_MANY_STEPS, Ended.ARRIVED))
    at_end = k.choose(c.state.equals(ARRIVED), arrived, k.choose(c.state.equals(RUNNING), steps, attention))
    job.array("codes_at")[row] = k.choose(_needs_attention(c), attention, at_end)
    counters = job.array("counters_at").at(row * len(COUNTERS))
    for number, name in enumerate(COUNTERS):
        counters[number] = getattr(c, name)
    ends, start = job.array("ends_at").at(row * (1 + space.sizes.size)), work.at(lanes * space.places["start"])
    for i in k.each(1 + space.sizes.size):
        ends[i] = start[i * lanes]


def _take(k: Kernel, space: Workspace, job: Record, c: Record, work: Array, lanes: int, lane: Value) -> None:
    """Assigns the next run to a lane."""
    row = job.next
    job.next = row + 1
    common = Record(k, job.control.text, Control)
    for name, *_ in Control._fields_:
        setattr(c, name, getattr(common, name))
    scales = job.array("scales_at").at(row * 3)
    c.length, c.speed, c.mass = scales[0], scales[1], scales[2]
    c.state, c.row, c.stop, c.observed, c.watched, c.due = WAITING, row, 0, 0, 0, job.never
    c.t_end, c.clear = job.array("stops_at")[0], 0.0
    c.traced, c.filled = job.traced, 0
    with k.when(~job.times.equals(0)):
        c.due = job.array("times_at")[0]
    start, states = work.at(lanes * space.places["start"]), job.array("starts_at").at(row * space.sizes.size)
    start[0] = job.start
    for i in k.each(space.sizes.size):
        start.at(lanes)[i * lanes] = states[i]
    coefficients = job.array("coefficients_at").at(row * job.coefficients)
    for j in k.count(job.coefficients):
        job.array("lane_coefficients_at").at(lane)[j * lanes] = coefficients[j]
