"""One run of a live page, as native code: the time loop with its stops, restarts, rescaling and closer looks.

    start_track(track, x, direction, tolerance, mass, scale, parts)    begins at a state [t, q, v, e]
    drive(track, to)                                                   whole steps, until a time is reached or passed,
                                                                       or until there is trouble
    locate(track, time, x)                                             the state at a time within the last step

It takes whole steps, at most one beyond the time that is asked for. All checks of runs in lanes are made
(`integrate.lanes.sides`), with a closer look where they are not certain. Where a singular position may have been
passed, the step is taken again with finer tolerances, and if that does not help the run stops.
"""

from __future__ import annotations

from ctypes import c_double, c_int64, sizeof
from dataclasses import dataclass, field
from functools import cached_property
from math import inf

from grashof.changes.kinks import APART, MOSTLY
from grashof.integrate.approach import BEGIN, OVERSHOT
from grashof.integrate.control import STUCK
from grashof.integrate.kernel import Kernel, offsets, table
from grashof.integrate.lanes.control import LaneControl
from grashof.integrate.lanes.sides import judge, judge_distance
from grashof.integrate.restarts import rescale_ir, restart
from grashof.integrate.step import Step, Workspace
from grashof.integrate.values import Array, Record, Value
from grashof.singular.passages import INSIDE
from grashof.singular.sides import SIGN, STRAIGHT
from grashof.singular.start_branches import NEARBY

MOST_STEPS = 200_000
"""Largest number of steps that are attempted in one call, so that a page does not stand still."""

FINER, RETRIES = 1e-2, 2
"""How much finer steps are made where a check does not pass, and how often."""

REMEMBERED = 60
"""Number of states before the present one that are examined where a singular position may be near."""

FAR = 1e9
"""A time after all others, s."""

ROOM = 64
"""Largest number of stops at the same time, beside those of laws of time."""

ROUNDING = 2.0**-52

CAUSES = ("SUCCESS", "STEP_TOO_SMALL", "NOT_FINITE", "CONSTRAINTS_UNMET", "TOO_MANY_STEPS", "ATTENTION")
"""The codes of trouble; those of rejected steps are numbered as in `integrate.control`."""

TOO_MANY_STEPS, ATTENTION = 4, 5

HALVINGS, THIRDS = 40, 60
"""How often intervals are narrowed in which a distance, or the slowest position, is searched for."""


class TrackControl(LaneControl):
    """State of a run between two steps."""

    _fields_ = (  # type: ignore[assignment]  # they come behind those of runs in lanes
        ("direction", c_double),  # 1 towards later times, -1 towards earlier ones
        ("widest", c_double),  # longest step allowed anywhere, s
        ("parts", c_double),  # smallest number of steps between two stops
        ("trouble", c_int64),  # why the run does not go on, see CAUSES
        ("stepped", c_int64),  # 1 if `past` is the last step
        ("stops", c_int64),  # number of stops ahead
        ("retries", c_int64),
        ("remembered", c_int64),  # number of states remembered
        ("newest", c_int64),  # where the last of them is
        ("found", c_int64),  # result of a search: 1 if there is what was searched for
        ("value", c_double),  # result of a search
        ("first", c_double),  # times of the first change of an expression in a step, and of the last one, s
        ("last", c_double),
        ("before", c_double),  # times around the first change behind the beginning of the step, s
        ("behind", c_double),
    )


@dataclass(frozen=True)
class TrackSpace:
    """The layout of a run in memory, and its settings.

    work       the layout of the workspaces: of the next step, and of the last one
    length     the mechanism's length, m
    weights    weights of the extra states that are not works
    span       duration of a run, s
    longest    longest step, s
    finest     smallest tolerance of steps
    attentive  whether singular positions are searched for
    stops      times at which steps must end, each with the time at which the motion continues
    switches   number of conditions on which forces and laws change expressions
    looked     number of times within a step at which these are evaluated as well
    """

    work: Workspace
    length: float
    weights: list[float]
    span: float
    longest: float
    finest: float
    attentive: bool
    stops: list[tuple[float, float]] = field(default_factory=list)
    switches: int = 0
    looked: int = 0

    @property
    def point(self) -> int:
        """Number of components of x = [t, q, v, e]."""
        return 1 + self.work.sizes.size

    @cached_property
    def places(self) -> dict[str, int]:
        """Offsets of the control, the workspaces, the states remembered, the stops ahead (the next one last), and
        the positions of the switches."""
        return offsets(
            {
                "control": sizeof(TrackControl) // 8,
                "work": self.work.places["all"],
                "past": self.work.places["all"],
                "states": REMEMBERED * self.point,
                "stops": 2 * (len(self.stops) + ROOM),
                "seen": (self.looked + 2) * self.switches,
                "probe": self.switches,
            }
        )

    def text(self) -> str:
        """The code of all functions."""
        parts = [_start_track_ir, _restart_track_ir, _drive_ir, _locate_ir, _back_ir, _retry_ir]
        if self.work.gradients:
            parts += [_look_closely_ir, _compare_ir, _find_change_ir, _speed_at_ir, _find_turn_ir]
            parts += [_find_distance_ir, _find_approach_ir]
        if self.switches:
            parts += [_divide_ir, _find_switching_ir]
        stops = table("stops", [x for stop in self.stops for x in stop])
        return stops + rescale_ir(self.work) + "".join(part(self) for part in parts)


class Track:
    """A run inside a kernel."""

    def __init__(self, k: Kernel, space: TrackSpace, place: Array) -> None:
        self.kernel, self.space, self.place = k, space, place
        self.control = Record(k, place.place, TrackControl)
        self.work, self.past, self.states, self.stops, self.seen, self.probe = (
            place.at(space.places[name]) for name in ("work", "past", "states", "stops", "seen", "probe")
        )
        self.step, self.last = Step(k, space.work, self.work), Step(k, space.work, self.past)

    @property
    def others(self) -> Array:
        """The weights of extra states."""
        return self.step.weights.at(self.space.work.sizes.of_a.stop)

    @property
    def time(self) -> Value:
        """The time that was reached, s."""
        return self.step.start[0]

    def call(self, name: str, *arguments: Value | Array) -> None:
        """Calls one of the functions of this module."""
        self.kernel.call(name, self.place, *arguments)

    def look_inside(self, time: Value) -> None:
        """Computes the state at a time within the last step, `last.inside`."""
        self.kernel.call("inside", self.control, self.past, time)

    def push_stop(self, left: Value, right: Value) -> None:
        """Makes a time the next stop."""
        c, top = self.control, self.stops.at(self.control.stops * 2)
        top[0], top[1] = left, right
        c.stops += 1

    def forget(self) -> None:
        """Forgets the newest of the states remembered."""
        k, c = self.kernel, self.control
        with k.when(c.remembered > 0):
            c.remembered -= 1
            c.newest = k.choose(c.newest > 0, c.newest - 1, k.constant(REMEMBERED - 1, "i64"))

    def remember(self) -> None:
        """Remembers the present state."""
        k, c = self.kernel, self.control
        following = c.newest + 1
        c.newest = k.choose(following < REMEMBERED, following, k.constant(0, "i64"))
        c.remembered = k.choose(c.remembered < REMEMBERED, c.remembered + 1, c.remembered)
        k.copy(self.step.start, self.states.at(c.newest * self.space.point), self.space.point)

    def return_to_start(self) -> None:
        """Goes back to the beginning of the last step."""
        self.forget()
        self.kernel.copy(self.last.start, self.step.start, self.space.point)
        self.call("restart_track")


def _begin(name: str, space: TrackSpace) -> tuple[Kernel, Track, Record]:
    """A function whose first argument is a run."""
    k = space.work.kernel(name)
    track = Track(k, space, k.array("track"))
    return k, track, track.control


def _start_track_ir(space: TrackSpace) -> str:
    """`start_track(track, x, direction, tolerance, mass, scale, parts)`: begins at x. The longest steps are
    multiplied by a scale, and between two stops there are some steps at least, so that two runs with different
    numbers never take the same steps."""
    k, track, c = _begin("start_track", space)
    x, direction, tolerance = k.array("x"), k.number("direction"), k.number("tolerance")
    mass, scale, parts = k.number("mass"), k.number("scale"), k.number("parts")
    functions = space.work.places["functions"], space.work.places["start"]
    for i in k.each(space.places["work"]):
        track.place[i] = 0.0
    for work in (track.work, track.past):
        for i in k.each(space.work.places["all"] - functions[1]):
            work.at(functions[1])[i] = 0.0
    c.span, c.length, c.mass, c.tolerance = space.span, space.length, mass, tolerance
    c.widest, c.parts, c.direction = scale * min(space.longest, FAR), parts, direction
    sizes = space.work.sizes
    c.controlled = sizes.nq + sizes.nv + sizes.works + sum(weight != 0.0 for weight in space.weights)
    c.attentive = int(space.attentive)
    for number, weight in enumerate(space.weights):
        track.others[number] = weight / tolerance
    k.copy(x, track.step.start, space.point)
    forwards, stops, count = direction > 0.0, Array(k, "@stops"), len(space.stops)
    for i in k.count(k.constant(count, "i64")):
        stop = stops.at(2 * k.choose(forwards, (count - 1) - i, i))
        left, right = k.choose(forwards, stop[0], stop[1]), k.choose(forwards, stop[1], stop[0])
        with k.when((left - x[0]) * direction > 0.0):
            track.push_stop(left, right)
    track.call("restart_track")
    return k.text()


def _restart_track_ir(space: TrackSpace) -> str:
    """`restart_track(track)`: goes on from the start of the next step, as a run that begins does, to the next stop."""
    k, track, c = _begin("restart_track", space)
    restart(c, space.work.method)
    c.event, c.t_end, c.stepped = 0, c.direction * FAR, 0
    with k.when(c.stops > 0):
        c.t_end = track.stops.at(c.stops * 2)[-2]
    c.longest = k.math("minnum", c.widest, k.math("fabs", c.t_end - track.time) / c.parts)
    k.call("begin", c, track.work)
    return k.text()


def _drive_ir(space: TrackSpace) -> str:
    """`drive(track, to)`: steps until a time is reached or passed; `trouble` says why not, if it cannot be."""
    k, track, c = _begin("drive", space)
    to = k.number("to")
    left = k.local(k.constant(MOST_STEPS, "i64"))
    c.trouble, c.retries = 0, 0
    with k.forever():
        with k.when(~((to - track.time) * c.direction > 0.0)):
            k.exit()
        with k.when(left.value.equals(0)):
            c.trouble = TOO_MANY_STEPS
            k.exit()
        left.value -= 1
        with k.when(track.time.equals(c.t_end)):
            c.stops -= 1
            track.step.start[0] = track.stops.at(c.stops * 2)[1]
            track.call("restart_track")
            k.again()
        steps = c.steps
        c.pause = c.tried + 1
        k.call("advance", c, track.work, track.past)
        taken = c.steps > steps
        with k.when(c.state.equals(STUCK)):
            k.call("rescale", c, track.work)
            with k.when(c.state.equals(STUCK)):
                c.trouble = c.cause
                k.exit()
            track.call("restart_track")
            k.again()
        with k.when(taken):
            c.stepped = 1
            track.remember()
        with k.when(~c.fallen.equals(0)):
            k.call("look", c, track.work)
        if space.work.gradients:
            with k.when(~(c.fallen | c.event).equals(0)):
                track.call("look_closely")
        with k.when(~(c.fallen | c.event).equals(0)):
            with k.when(~(c.retries < RETRIES)):
                track.call("back")
                c.trouble = ATTENTION
                k.exit()
            c.retries += 1
            track.call("retry")
            k.again()
        with k.when(taken):
            if space.switches:
                track.call("divide")
                with k.when(c.found.equals(1)):
                    k.again()
            c.retries = 0
    return k.text()


def _locate_ir(space: TrackSpace) -> str:
    """`locate(track, time, x)`: the state at a time within the last step, put on the constraints."""
    k, track, c = _begin("locate", space)
    time, x = k.number("time"), k.array("x")
    for known, here in (
        (track.step.start, time.equals(track.time) | c.stepped.equals(0)),
        (track.last.start, time.equals(track.last.start[0])),
    ):
        with k.when(here):
            k.copy(known, x, space.point)
            k.exit()
    track.look_inside(time)
    k.copy(track.last.inside, x, space.point)
    return k.text()


def _back_ir(space: TrackSpace) -> str:
    """`back(track)`: to the beginning of the last step."""
    k, track, c = _begin("back", space)
    with k.when(c.stepped.equals(1)):
        track.return_to_start()
    return k.text()


def _retry_ir(space: TrackSpace) -> str:
    """`retry(track)`: back, with finer steps unless they are the finest."""
    k, track, c = _begin("retry", space)
    finer = FINER * c.tolerance
    with k.when(~(finer < space.finest)):
        c.tolerance = finer
        for i in k.each(len(space.weights)):
            track.others[i] = track.others[i] / FINER
    track.call("back")
    return k.text()


# -- singular positions


def _look_closely_ir(space: TrackSpace) -> str:
    """`look_closely(track)`: clears `event` and `fallen` if the last step neither passed a singular position nor
    comes near one."""
    k, track, c = _begin("look_closely", space)
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
    k, track, _ = _begin("compare", space)
    last, times = track.last, (k.number("left"), k.number("right"))
    for time, gradients in zip(times, last.gradients, strict=False):
        track.look_inside(time)
        last.call("gradients", last.inside, gradients)
    judge(k, last, last.gradients[0], last.gradients[1])
    return k.text()


def _find_change_ir(space: TrackSpace) -> str:
    """`find_change(track)`: whether the determinant still has another sign if the last step is divided where it
    changes."""
    k, track, c = _begin("find_change", space)
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
    k, track, c = _begin("speed_at", space)
    track.look_inside(k.number("time"))
    c.value = _square(k, track.last, track.last.inside)
    return k.text()


def _find_turn_ir(space: TrackSpace) -> str:
    """`find_turn(track)`: whether the motion slows down and speeds up again inside the last step, next to a singular
    position."""
    k, track, c = _begin("find_turn", space)
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
    k, track, c = _begin("find_distance", space)
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
    k, track, c = _begin("find_approach", space)
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


# -- switches


def _evaluate_switches(track: Track, x: Array, positions: Array) -> None:
    track.kernel.call("switches", x, track.past.address(track.space.work.address_of("coefficients")), positions)


def _divide_ir(space: TrackSpace) -> str:
    """`divide(track)`: takes the last step again, to a stop inside it, if expressions change more than once in it:
    what acts only in between may have been missed (see `changes.kinks`)."""
    k, track, c = _begin("divide", space)
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
    k, track, c = _begin("find_switching", space)
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
