"""The time loop for several runs at once: that of single runs (see `integrate.loop`), whose numbers have a lane for
each run.

All lanes attempt one step in every iteration. Those whose step is rejected retry in the next iteration, while the
others continue. The loop returns as soon as any run has ended, so that its lane can be given to another one (see
`queue`).
"""

from __future__ import annotations

from grashof.integrate.control import RUNNING
from grashof.integrate.controller import weigh
from grashof.integrate.kernel import Kernel
from grashof.integrate.lanes import sides
from grashof.integrate.lanes.control import RESUMING, WAITING, LaneControl
from grashof.integrate.lanes.observing import observe_start
from grashof.integrate.loop import first_size, first_slope, take_steps
from grashof.integrate.restarts import carry_on, limit_stretch
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Record, Value

SLOWEST = 1e-12
"""The smallest speed scale, in lengths per second."""


def begin_ir(space: Workspace) -> str:
    """`begin(control, work, job, outputs)`: begins the waiting runs."""
    k = space.kernel("begin")
    c = k.record("control", LaneControl)
    step = Step(k, space, k.array("work"))
    job, outputs = k.array("job"), k.array("outputs")
    with k.when(c.state.equals(WAITING) | c.state.equals(RESUMING)):
        with k.when(c.state.equals(RESUMING)):
            carry_on(step, c.behind_stop)
        limit_stretch(c, step)
        first_slope(c, step)
        with k.when(c.state.equals(WAITING)):
            find_scales(k, c, step)
            observe_start(k, c, step, job, outputs)
        first_size(k, c, step)
        sides.check_start(step)
        c.state = RUNNING
    return k.text()


def advance_ir(space: Workspace) -> str:
    """`advance(control, work, job, outputs)`: steps until any of the runs has ended or needs attention."""
    k = space.kernel("advance")
    c = k.record("control", LaneControl)
    work, job, outputs = k.array("work"), k.array("job"), k.array("outputs")
    step = Step(k, space, work)

    def made(h: Value, t: Value) -> None:
        sides.check(k, c, step, work, h)
        with k.when(~((c.due - t) * h > 0.0)):
            c.watched = 1
            k.call("observe", c, work, h, t, job, outputs)
        with k.when(c.traced.equals(1)):
            c.traced = 2
            k.call("trace", c, work, h, job, outputs)

    def taken(h: Value, t: Value) -> None:
        sides.keep(k, step)

    def ready() -> None:
        with k.when(c.filled.equals(1)):
            k.exit()

    take_steps(k, c, step, work, made, taken, ready)
    return k.text()


def find_scales(k: Kernel, c: Record, step: Step) -> None:
    """Sets the speed scale, if none is given, to the speed at the start or, from rest, to that after falling through
    the mechanism's own length; and sets all weights."""
    sizes = step.sizes
    v, a = (vector.at(sizes.own) for vector in (step.parts(step.start)[1], step.slopes[0]))
    fastest, steepest = k.largest(v, sizes.nv), k.largest(a, sizes.nv)
    falling = k.math("sqrt", c.length * steepest)
    speed = k.math("maxnum", k.math("maxnum", fastest, falling), SLOWEST * c.length)
    c.speed = k.choose(c.speed.equals(0.0), speed, c.speed)
    c.energy = c.mass * c.speed * c.speed
    weigh(k, c, step)
