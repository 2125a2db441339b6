"""Steps of a live page's run that are divided where forces and laws change expressions.

A step has to end

- between two changes in it: what acts only in between may have been missed (see `changes.kinks`);
- where a value whose sign decides, such as the distance from a thin peg, comes nearer to zero, passes it and returns,
  between two times at which it was looked at. The value is followed to where it turns back, if it may get that far. A
  value that turns several times between two of these times can still be missed.
"""

from __future__ import annotations

from grashof.changes.kinks import APART, MOSTLY
from grashof.integrate.values import Array, Value
from grashof.live.track import ROOM, Track, TrackSpace, begin_kernel

ROUNDING = 2.0**-52

NEXT = 1e-4
"""The fraction of a step next to either end at which values are looked at as well, which tells where they go there."""

FARTHER = 2.0
"""A value is taken to get at most this much farther than in a straight line from where it was looked at."""

THIRDS = 80
"""How often an interval is narrowed in which a value turns back."""


def switches_ir(space: TrackSpace) -> str:
    """The code of all functions."""
    parts = [_divide_ir, _find_switching_ir, *([_search_ir, _find_touch_ir] if space.signs else [])]
    return "".join(part(space) for part in parts)


def _evaluate_switches(track: Track, x: Array, positions: Array) -> None:
    track.kernel.call("switches", x, track.past.address(track.space.work.address_of("coefficients")), positions)


def _evaluate_signs(track: Track, x: Array, values: Array) -> None:
    track.kernel.call("indicators", x, track.past.address(track.space.work.address_of("coefficients")), values)


def _divide_ir(space: TrackSpace) -> str:
    """`divide(track)`: takes the last step again, to a stop inside it, if expressions change more than once in it:
    what acts only in between may have been missed (see `changes.kinks`). It also finds the values for `search`."""
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
        if space.signs:  # in the order of `_fractions`
            _evaluate_signs(track, x, track.signs.at(space.signs * (number + (number > 0) + (number == parts))))

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


def _fractions(space: TrackSpace) -> list[float]:
    """The fractions of a step at which signs are looked at."""
    parts = space.looked + 1
    return [0.0, NEXT, *(number / parts for number in range(1, parts)), 1.0 - NEXT, 1.0]


def _search_ir(space: TrackSpace) -> str:
    """`search(track)`: takes the last step again, to a stop where a value has the other sign for a short time only."""
    k, track, c = begin_kernel("search", space)
    last, count, at = track.last, space.signs, _fractions(space)
    begin, end = last.start[0], last.end[0]
    c.found = 0
    for number in (1, len(at) - 2):  # the others are known from `divide`
        track.look_inside(begin + at[number] * (end - begin))
        _evaluate_signs(track, last.inside, track.signs.at(number * count))
    for number, (left, middle, right) in enumerate(zip(at, at[1:], at[2:], strict=False)):
        for i in k.count(k.constant(count, "i64")):
            a, b, d = (track.signs.at((number + j) * count)[i] for j in range(3))
            side = k.math("copysign", 1.0, b)
            down, up = side * (a - b), side * (d - b)
            far = k.math(
                "maxnum", ((right - middle) / (middle - left)) * down, ((middle - left) / (right - middle)) * up
            )
            near = (side * b < FARTHER * far) & ~(down < 0.0) & ~(up < 0.0) & (side * b > 0.0)
            with k.when(near & c.found.equals(0)):
                c.first, c.last = begin + left * (end - begin), begin + right * (end - begin)
                track.call("find_touch", i)
    clear = _clearance(track)
    inside = ((c.first - begin - clear) * c.direction > 0.0) & ((end - clear - c.first) * c.direction > 0.0)
    room = c.stops < len(space.stops) + ROOM
    with k.when(c.found.equals(1) & ~(inside & room)):
        c.found = 0
    with k.when(c.found.equals(1)):
        track.push_stop(c.first, c.first)
        track.return_to_start()
    return k.text()


def _find_touch_ir(space: TrackSpace) -> str:
    """`find_touch(track, sign)`: `found` and the time `first` at which a value has the other sign between `first` and
    `last`, if it has where it turns back."""
    k, track, c = begin_kernel("find_touch", space)
    sign = k.number("sign", "i64")
    side = k.math("copysign", 1.0, track.signs[sign])
    left, right = k.local(c.first), k.local(c.last)
    values = [k.local(k.constant(0.0)) for _ in range(2)]
    for _ in k.count(k.constant(THIRDS, "i64")):
        width = right.value - left.value
        times = [left.value + width / 3.0, right.value - width / 3.0]
        for time, value in zip(times, values, strict=True):
            track.look_inside(time)
            _evaluate_signs(track, track.last.inside, track.probe)
            value.value = side * track.probe[sign]
            with k.when(value.value < 0.0):
                c.first, c.found = time, 1
                k.exit()
        nearer = values[0].value < values[1].value
        left.value, right.value = k.choose(nearer, left.value, times[0]), k.choose(nearer, times[1], right.value)
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
