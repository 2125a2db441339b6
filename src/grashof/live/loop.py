"""The time loop of a live mechanism: that of runs in lanes (see `integrate.lanes`) with a single lane, which also
keeps its last step.

    begin(control, work)               computes the derivative at the start, scales, and the size of the first step
    advance(control, work, past)       takes steps until `pause`, until something needs attention, or until it is stuck
    look(control, work)                clears `fallen` if no singular position is near
    inside(control, past, time)        computes the state at a time within the last step

`work` and `past` are workspaces. The latter holds the last accepted step: both of its ends, the slopes there, and what
is known of the motion inside (see `integrate.inner`).
"""

from __future__ import annotations

from grashof.integrate.control import RUNNING
from grashof.integrate.dense import interpolate_ir, solve_ir
from grashof.integrate.kernel import declarations
from grashof.integrate.lanes import sides
from grashof.integrate.lanes.control import LaneControl
from grashof.integrate.lanes.loop import find_scales
from grashof.integrate.lanes.observing import place, trust
from grashof.integrate.lanes.sides import examine_ir, look_ir
from grashof.integrate.loop import first_size, first_slope, take_steps
from grashof.integrate.step import Step, Workspace, stages_ir
from grashof.integrate.values import Value


def loop_ir(space: Workspace) -> str:
    """The code of all functions of the loop, which call those of the mechanism by name."""
    parts = [stages_ir, interpolate_ir, solve_ir, look_ir, _begin_ir, _advance_ir, _inside_ir]
    parts += [examine_ir] if space.gradients else []
    return declarations() + "".join(part(space) for part in parts)


def _begin_ir(space: Workspace) -> str:
    k = space.kernel("begin")
    c = k.record("control", LaneControl)
    step = Step(k, space, k.array("work"))
    first_slope(c, step)
    find_scales(k, c, step)
    first_size(k, c, step)
    sides.check_start(step)
    c.state = RUNNING
    return k.text()


def _advance_ir(space: Workspace) -> str:
    k = space.kernel("advance")
    c = k.record("control", LaneControl)
    work, past = k.array("work"), k.array("past")
    step, last = Step(k, space, work), Step(k, space, past)
    point = 1 + space.sizes.size

    def check_sides(h: Value, _: Value) -> None:
        sides.check(k, c, step, work, h)
        k.copy(step.start, last.start, point)
        k.copy(step.end, last.end, point)
        for z, kept in zip(step.inner, last.inner, strict=True):
            k.copy(z, kept, space.sizes.size)
        k.copy(step.slopes[0], last.slopes[0], space.sizes.rates)
        k.copy(step.slopes[-1], last.slopes[-1], space.sizes.rates)
        c.watched = 0

    def keep_sides(_: Value, __: Value) -> None:
        sides.keep(k, step)

    take_steps(k, c, step, work, check_sides, keep_sides)
    return k.text()


def _inside_ir(space: Workspace) -> str:
    """The interpolating polynomials are computed once per step; `watched` records whether this has been done."""
    k = space.kernel("inside")
    c, past, time = k.record("control", LaneControl), k.array("past"), k.number("time")
    last = Step(k, space, past)
    h = last.end[0] - last.start[0]
    with k.when(c.watched.equals(0)):
        trust(k, c, last, past, h)
        c.watched = 1
    place(k, c, last, past, h, time)
    return k.text()
