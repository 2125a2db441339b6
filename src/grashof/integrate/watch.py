"""Events as native code: whether a watched function may have changed its sign within a step.

The functions g_i(t, q, v, e) are evaluated at the ends of each accepted step and at some points between, on the quintic
through the ends (see `dense`) or by the method's own polynomial (see `inner`), which needs no evaluation of the
derivative. The loop returns to Python, which examines the step (see `events`), if

- the sign of a g_i, positive or not, differs at any of these points from the one it had; or
- g_i comes so near to zero that it may change its sign twice between two points: a parabola through three points,
  spaced evenly, falls below the least of them by no more than an eighth of its second difference, which is no more than
  twice the largest first difference. Half of the latter leaves a margin of two. Where the least value is at an end, and
  a parabola leaves or reaches that end with at least half the mean slope, it does not come nearer to zero, as in the
  steps before and after an impact; or
- its sign is not known yet (0).
"""

from __future__ import annotations

from itertools import pairwise
from math import inf

from grashof.integrate.control import Control
from grashof.integrate.dense import through_ends
from grashof.integrate.step import WATCHED, Step, Workspace
from grashof.integrate.values import Value

TOUCH = 0.5
"""A function is examined closely where it is nearer to zero than this multiple of the largest difference between
neighbouring values."""


def watch_ir(space: Workspace) -> str:
    """`watch(control, h, work)`: sets `control.event` if the step from start to end has to be examined."""
    k = space.kernel("watch", internal=True)
    c, h = k.record("control", Control), k.number("h")
    work = k.array("work")
    step = Step(k, space, work)
    if not step.inner:
        through_ends(k, step, h, step.slopes[0], step.slopes[-1])
    step.watch(step.start, 0)
    for j in range(1, WATCHED + 1):
        theta = k.constant(j / (WATCHED + 1))
        step.trial[0] = step.start[0] + theta * h
        k.call("interpolate", h, theta, work)
        step.watch(step.trial, j)
    step.watch(step.end, WATCHED + 1)

    def update(i: Value, so_far: list[Value]) -> list[Value]:
        side = step.sides[i]
        values = [side * row[i] for row in step.watched]
        steepest = k.constant(0.0)
        for before, value in pairwise(values):
            steepest = k.math("maxnum", steepest, k.math("fabs", value - before))
        near = TOUCH * steepest

        def end(first: Value, second: Value, third: Value) -> Value:
            away = (second > first) & (4.0 * second - third - 3.0 * first > second - first)
            return k.choose(away, first, first - near)

        least = k.math("minnum", end(*values[:3]), end(*values[:-4:-1]))
        for value in values[1:-1]:
            least = k.math("minnum", least, value - near)
        return [k.math("minnum", so_far[0], least)]

    (nearest,) = k.fold(space.events, [k.constant(inf)], update, lanes=1)
    with k.when(~(nearest > 0.0)):
        c.event = 1
    return k.text()
