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

from grashof.integrate.control import STUCK
from grashof.integrate.kernel import table
from grashof.integrate.restarts import carry_on, limit_stretch, rescale_ir, restart
from grashof.integrate.values import Array
from grashof.live.closer_looks import closer_looks_ir
from grashof.live.switches import switches_ir
from grashof.live.track import ATTENTION, FAR, TOO_MANY_STEPS, TrackSpace, begin_kernel

MOST_STEPS = 200_000
"""Largest number of steps that are attempted in one call, so that a page does not stand still."""

FINER, RETRIES = 1e-2, 2
"""How much finer steps are made where a check does not pass, and how often."""


def track_ir(space: TrackSpace) -> str:
    """The code of all functions."""
    parts = [_start_track_ir, _restart_track_ir, _drive_ir, _locate_ir, _back_ir, _retry_ir]
    if space.work.gradients:
        parts.append(closer_looks_ir)
    if space.switches:
        parts.append(switches_ir)
    stops = table("stops", [x for stop in space.stops for x in stop])
    return stops + rescale_ir(space.work) + "".join(part(space) for part in parts)


def _start_track_ir(space: TrackSpace) -> str:
    """`start_track(track, x, direction, tolerance, mass, scale, parts)`: begins at x. The longest steps are
    multiplied by a scale, and between two stops there are some steps at least, so that two runs with different
    numbers never take the same steps."""
    k, track, c = begin_kernel("start_track", space)
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
    k, track, c = begin_kernel("restart_track", space)
    restart(c, space.work.method)
    c.event, c.t_end, c.stepped = 0, c.direction * FAR, 0
    with k.when(c.stops > 0):
        c.t_end = track.stops.at(c.stops * 2)[-2]
    limit_stretch(c, track.step)
    k.call("begin", c, track.work)
    return k.text()


def _drive_ir(space: TrackSpace) -> str:
    """`drive(track, to)`: steps until a time is reached or passed; `trouble` says why not, if it cannot be."""
    k, track, c = begin_kernel("drive", space)
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
            carry_on(track.step, track.stops.at(c.stops * 2)[1])
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
            if space.signs:
                track.call("search")
                with k.when(c.found.equals(1)):
                    k.again()
            c.retries = 0
    return k.text()


def _locate_ir(space: TrackSpace) -> str:
    """`locate(track, time, x)`: the state at a time within the last step, put on the constraints."""
    k, track, c = begin_kernel("locate", space)
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
    k, track, c = begin_kernel("back", space)
    with k.when(c.stepped.equals(1)):
        track.return_to_start()
    return k.text()


def _retry_ir(space: TrackSpace) -> str:
    """`retry(track)`: back, with finer steps unless they are the finest."""
    k, track, c = begin_kernel("retry", space)
    finer = FINER * c.tolerance
    with k.when(~(finer < space.finest)):
        c.tolerance = finer
        for i in k.each(len(space.weights)):
            track.others[i] = track.others[i] / FINER
    track.call("back")
    return k.text()
