"""Closer looks at the last step of a live page's run, where a singular position may have been passed or may be near."""

from __future__ import annotations

from math import inf

from grashof.integrate.approach import BEGIN, OVERSHOT
from grashof.integrate.kernel import Kernel
from grashof.integrate.lanes.sides import judge, judge_distance
from grashof.integrate.step import Step
from grashof.integrate.values import Array, Value
from grashof.live.track import REMEMBERED, TrackSpace, begin_kernel
from grashof.singular.passages import INSIDE
from grashof.singular.sides import SIGN, STRAIGHT
from grashof.singular.start_branches import NEARBY

HALVINGS, THIRDS = 40, 60
"""How often intervals are narrowed in which a distance, or the slowest position, is searched for."""


def closer_looks_ir(space: TrackSpace) -> str:
    """The code of all functions."""
    parts = [_look_closely_ir, _compare_ir, _find_change_ir, _speed_at_ir, _find_turn_ir]
    return "".join(part(space) for part in [*parts, _find_distance_ir, _find_approach_ir])


def _look_closely_ir(space: TrackSpace) -> str:
    """`look_closely(track)`: clears `event` and `fallen` if the last step neither passed a singular position nor
    comes near one."""
    k, track, c = begin_kernel("look_closely", space)
    c.found = 0
    with k.when(~c.event.equals(0)):
        track.call("find_change")
        with k.when(c.found.equals(0)):
            track.call("find_turn")
    with k.when(~c.fallen.equals(0) & c.found.equals(0)):
        track.call("find_approach")
    with k.when(c.found.equals(0)):
        c.event, c.fallen, c.usual = 0, 0, c.size
    return k.text()


def _compare_ir(space: TrackSpace) -> str:
    """`compare(track, left, right)`: judges the gradients at two times of the last step (see `singular.sides`)."""
    k, track, _ = begin_kernel("compare", space)
    last, times = track.last, (k.number("left"), k.number("right"))
    for time, gradients in zip(times, last.gradients, strict=False):
        track.look_inside(time)
        last.call("gradients", last.inside, gradients)
    judge(k, last, last.gradients[0], last.gradients[1])
    return k.text()


def _find_change_ir(space: TrackSpace) -> str:
    """`find_change(track)`: whether the determinant still has another sign if the last step is divided where it
    changes."""
    k, track, c = begin_kernel("find_change", space)
    begin, end = track.last.start[0], track.last.end[0]
    left, right, number = k.local(begin), k.local(end), k.local(begin)
    track.call("compare", begin, end)
    with k.when(track.last.margins[STRAIGHT] > 0.0):
        k.exit()
    for _ in range(2):
        first, width = left.value, (right.value - left.value) / float(INSIDE)
        number.value, c.found = k.constant(0.0), 0
        for _ in k.count(k.constant(INSIDE, "i64")):
            with k.when(c.found.equals(0)):
                left.value = first + number.value * width
                right.value = first + (number.value + 1.0) * width
                track.call("compare", left.value, right.value)
                with k.when(~(track.last.margins[SIGN] > 0.0)):
                    c.found = 1
            number.value += 1.0
        with k.when(c.found.equals(0)):
            k.exit()
    return k.text()


def _square(k: Kernel, step: Step, x: Array) -> Value:
    """Σ v²."""
    v = x.at(1 + step.sizes.of_v.start)
    return k.fold(step.sizes.nv, [k.constant(0.0)], lambda i, so_far: [so_far[0] + v[i] * v[i]], lanes=1)[0]


def _speed_at_ir(space: TrackSpace) -> str:
    """`speed_at(track, time)`: Σ v² at a time within the last step."""
    k, track, c = begin_kernel("speed_at", space)
    track.look_inside(k.number("time"))
    c.value = _square(k, track.last, track.last.inside)
    return k.text()


def _find_turn_ir(space: TrackSpace) -> str:
    """`find_turn(track)`: whether the motion slows down and speeds up again inside the last step, next to a singular
    position."""
    k, track, c = begin_kernel("find_turn", space)
    last = track.last
    left, right = k.local(last.start[0]), k.local(last.end[0])
    for _ in k.count(k.constant(THIRDS, "i64")):
        third = (right.value - left.value) / 3.0
        one, other = left.value + third, right.value - third
        track.call("speed_at", one)
        first = c.value
        track.call("speed_at", other)
        slower = first < c.value
        left.value, right.value = k.choose(slower, left.value, one), k.choose(slower, other, right.value)
    track.call("speed_at", 0.5 * (left.value + right.value))
    with k.when(c.value <= k.math("minnum", _square(k, last, last.start), _square(k, last, last.end))):
        last.call("gradients", last.inside, last.gradients[0])
        judge_distance(k, last, last.gradients[0], k.constant(NEARBY))
        with k.when(~(last.margins[0] > 0.0)):
            c.found = 1
    return k.text()


def _find_distance_ir(space: TrackSpace) -> str:
    """`find_distance(track, row)`: the least singular value of the rows at one of the states remembered, each of
    unit length, but for those that others imply."""
    k, track, c = begin_kernel("find_distance", space)
    row, last = k.number("row", "i64"), track.last
    last.call("gradients", track.states.at(row * space.point), last.gradients[0])
    low, high = k.local(k.constant(0.0)), k.local(k.constant(1.0))
    for _ in k.count(k.constant(HALVINGS, "i64")):
        middle = 0.5 * (low.value + high.value)
        judge_distance(k, last, last.gradients[0], middle)
        beyond = last.margins[0] > 0.0
        low.value, high.value = k.choose(beyond, middle, low.value), k.choose(beyond, high.value, middle)
    c.value = low.value
    return k.text()


def _find_approach_ir(space: TrackSpace) -> str:
    """`find_approach(track)`: whether the last states come nearer and nearer to a singular position (see
    `integrate.approach`)."""
    k, track, c = begin_kernel("find_approach", space)
    zero = k.constant(0, "i64")
    row, left, passed, far = k.local(c.newest), k.local(c.remembered), k.local(zero), k.local(k.constant(0.0))
    nearest = k.local(k.constant(inf))
    track.call("find_distance", c.newest)
    far.value = c.value
    with k.when(~(far.value < BEGIN[0])):
        k.exit()
    with k.forever():
        with k.when(~(left.value > 1)):
            k.exit()
        row.value = k.choose(row.value > 0, row.value - 1, zero + (REMEMBERED - 1))
        left.value -= 1
        track.call("find_distance", row.value)
        with k.when(c.value < far.value):  # the last of the steps have gone too far
            with k.when(~(passed.value < OVERSHOT) | (nearest.value < inf)):
                k.exit()
            far.value = c.value
            passed.value += 1
            k.again()
        with k.when(~(c.value > far.value) | ~(far.value < BEGIN[0])):
            k.exit()
        nearest.value = k.math("minnum", nearest.value, far.value)
        far.value = c.value
        with k.when(nearest.value < 0.5 * far.value):
            c.found = 1
            k.exit()
    return k.text()
