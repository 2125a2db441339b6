"""Steps of a live page's run that are divided where forces and laws change expressions."""

from __future__ import annotations

from grashof.changes.kinks import APART, MOSTLY
from grashof.integrate.values import Array, Value
from grashof.live.track import ROOM, Track, TrackSpace, begin_kernel

ROUNDING = 2.0**-52


def switches_ir(space: TrackSpace) -> str:
    """The code of all functions."""
    return _divide_ir(space) + _find_switching_ir(space)


def _evaluate_switches(track: Track, x: Array, positions: Array) -> None:
    track.kernel.call("switches", x, track.past.address(track.space.work.address_of("coefficients")), positions)


def _divide_ir(space: TrackSpace) -> str:
    """`divide(track)`: takes the last step again, to a stop inside it, if expressions change more than once in it:
    what acts only in between may have been missed (see `changes.kinks`)."""
    k, track, c = begin_kernel("divide", space)
    last, count, parts = track.last, space.switches, space.looked + 1
    begin, end = last.start[0], last.end[0]
    h = end - begin
    c.found = 0
    for number in range(parts + 1):
        if 0 < number < parts:
            track.look_inside(begin + h * (number / parts))
        x = last.start if number == 0 else last.end if number == parts else last.inside
        _evaluate_switches(track, x, track.seen.at(number * count))

    def change_of(i: Value) -> Value:
        return k.math("fabs", track.seen.at(count)[i] - track.seen[i])

    (changes,) = k.fold(parts * count, [k.constant(0.0)], lambda i, so_far: [so_far[0] + change_of(i)], lanes=1)
    with k.when(changes <= 1.0):
        k.exit()
    c.first, c.last, c.before, c.behind = end, begin, end, end
    for i in k.count(k.constant(parts * count, "i64")):
        with k.when(change_of(i) > 0.0):
            track.call("find_switching", i)
    clear = _clearance(track)
    apart = k.math("fabs", c.last - c.first)
    inside = (end - (c.behind + clear)) * c.direction > 0.0
    room = c.stops < len(space.stops) + ROOM
    with k.when((k.math("fabs", clear) < apart) & (apart < MOSTLY * k.math("fabs", h)) & inside & room):
        track.push_stop(c.before - clear, c.behind + clear)
        track.return_to_start()
        c.found = 1
    return k.text()


def _clearance(track: Track) -> Value:
    """The distance of a stop from a change, s."""
    k, c = track.kernel, track.control
    largest = k.math("maxnum", k.math("fabs", track.last.start[0]), k.math("fabs", track.last.end[0]))
    return (APART * ROUNDING) * largest * c.direction


def _find_switching_ir(space: TrackSpace) -> str:
    """`find_switching(track, number)`: the neighbouring times between which a switch first changes in one of the
    parts of the last step."""
    k, track, c = begin_kernel("find_switching", space)
    number, begin, end = k.number("number", "i64"), track.last.start[0], track.last.end[0]
    part = number / space.switches
    switch = number - part * space.switches
    width = (end - begin) / float(space.looked + 1)
    left, right = k.local(begin + k.real(part) * width), k.local(begin + k.real(part + 1) * width)
    with k.forever():
        middle = 0.5 * (left.value + right.value)
        between = ((middle - left.value) * c.direction > 0.0) & ((right.value - middle) * c.direction > 0.0)
        with k.when(~between):
            with k.when((left.value - c.first) * c.direction < 0.0):
                c.first = left.value
            with k.when((right.value - c.last) * c.direction > 0.0):
                c.last = right.value
            ahead = (left.value - _clearance(track) - begin) * c.direction > 0.0
            with k.when(ahead & ((left.value - c.before) * c.direction < 0.0)):
                c.before, c.behind = left.value, right.value
            k.exit()
        track.look_inside(middle)
        _evaluate_switches(track, track.last.inside, track.probe)
        same = track.probe[switch].equals(track.seen[number])
        left.value, right.value = k.choose(same, middle, left.value), k.choose(same, right.value, middle)
    return k.text()
