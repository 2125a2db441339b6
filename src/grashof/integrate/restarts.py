"""How a run goes on after a stop, an event, or where it is stuck: the same for single runs, for runs in lanes and for
those of pages.

weigh(control, work)      the weights of coordinates, velocities and works
rescale(control, work)    a larger scale of speed for a run that is stuck
"""

from __future__ import annotations

from math import inf

from grashof.integrate.control import ERROR, RUNNING, Control
from grashof.integrate.controller import weigh
from grashof.integrate.methods import Method
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Record

FASTER = 10.0
"""A run that is stuck continues if the mechanism may become this many times faster than its speed scale."""


def restart(control: Control | Record, method: Method, state: int = RUNNING) -> None:
    """Forgets the sizes of the last steps, as a run that begins does; `control` may be that of a run, or of a
    kernel."""
    control.state, control.hold, control.usual, control.fallen = state, 0, 0.0, 0
    if method.adaptive:
        control.size = 0.0


def weigh_ir(space: Workspace) -> str:
    """`weigh(control, work)`"""
    k = space.kernel("weigh")
    c = k.record("control", Control)
    weigh(k, c, Step(k, space, k.array("work")))
    return k.text()


def rescale_ir(space: Workspace) -> str:
    """`rescale(control, work)`: restarts a run that is stuck with a larger speed scale, if one that began at rest may
    have underestimated it.

    With the accelerations of the last attempt the mechanism reaches the speed √(length·a) within its own length.
    """
    k = space.kernel("rescale")
    c = k.record("control", Control)
    step, sizes = Step(k, space, k.array("work")), space.sizes
    if space.method.adaptive:
        with k.when(c.cause.equals(ERROR)):
            steepest = k.constant(0.0)
            for slope in step.slopes[:-1]:
                steepest = k.largest(slope.at(sizes.own), sizes.nv, steepest)
            speed = k.math("sqrt", c.length * steepest)
            with k.when((FASTER * c.speed < speed) & (speed < inf)):
                c.speed, c.energy = speed, k.math("maxnum", c.energy, c.mass * speed * speed)
                weigh(k, c, step)
                restart(c, space.method)
    return k.text()
