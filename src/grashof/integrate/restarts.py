"""How a run goes on after a stop, an event, or where it is stuck: the same for single runs, for runs in lanes and for
those of pages.

weigh(control, work)            the weights of coordinates, velocities and works
limit(control, work)            the longest step, or the fixed one, of a stretch
carry_on(work, time)            the state behind a stop
rescale(control, work)          a larger scale of speed for a run that is stuck
"""

from __future__ import annotations

from math import inf

from grashof.integrate.control import ERROR, RUNNING, Control
from grashof.integrate.controller import weigh
from grashof.integrate.kernel import Kernel
from grashof.integrate.methods import Method
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Record, Value

FASTER = 10.0
"""A run that is stuck continues if the mechanism may become this many times faster than its speed scale."""


ALMOST_ONE = 1.0 - 1e-12
"""A fixed step is as long as the given one where that divides a stretch up to this factor."""


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


def limit_ir(space: Workspace) -> str:
    """`limit(control, work)`"""
    k = space.kernel("limit")
    c = k.record("control", Control)
    limit_stretch(c, Step(k, space, k.array("work")))
    return k.text()


def limit_stretch(c: Record, step: Step) -> None:
    """Sets the longest step, or the fixed one, for the stretch from the start of the next step to t_end."""
    k = step.kernel
    length = k.math("fabs", c.t_end - step.start[0])
    if step.method.adaptive:
        c.longest = k.math("minnum", c.widest, length / c.parts)
        return
    steps = length / c.widest * ALMOST_ONE
    whole = k.real(k.integer(steps))
    c.longest = k.constant(inf)
    c.size = length / (c.parts * k.math("maxnum", k.choose(whole < steps, whole + 1.0, whole), 1.0))


def carry_on_ir(space: Workspace) -> str:
    """`carry_on(work, time)`"""
    k = space.kernel("carry_on")
    work, time = k.array("work"), k.number("time")
    carry_on(Step(k, space, work), time)
    return k.text()


def carry_on(step: Step, time: Value) -> None:
    """Moves the start of the next step from a stop to a time behind it: the motion goes on in between, and thousands
    of kinks would add up. Its rates are the mean of those on both sides; one that is not finite counts as zero."""
    k = step.kernel
    before, after = step.slopes[:2]
    (q0, r0), (q1, r1) = step.parts(step.start), step.parts(step.trial)
    v0 = r0.at(step.sizes.own)
    with k.when(~time.equals(step.start[0])):
        later = time - step.start[0]
        step.evaluate(step.start, before)
        k.copy(step.start.at(1), step.trial.at(1), step.sizes.size)
        step.trial[0] = time
        step.evaluate(step.trial, after)
        wide = k.splat(later)
        for i in k.each(step.sizes.direct):
            q1[i] = q0[i] + wide * _finite(k, v0[i])
        for i in k.each(step.sizes.rates):
            r1[i] = r0[i] + wide * _finite(k, 0.5 * (before[i] + after[i]))
        k.copy(step.trial, step.start, 1 + step.sizes.size)


def _finite(k: Kernel, x: Value) -> Value:
    """A number, or zero if it is not finite."""
    return k.choose((0.0 * x).equals(0.0), x, k.constant(0.0, x.type))


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
