"""Turns the events of a description into what a run watches: functions as machine code, and the reactions to them."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache, partial

import numpy as np

from grashof.common.errors import ModelError
from grashof.formulation.protocol import Formulation
from grashof.integrate import Change, Trigger, Watch
from grashof.integrate.events import Beginning, Reaction
from grashof.model.events import Event
from grashof.program import Program
from grashof.scalar.functions import Scalar, where
from grashof.simulation.bounces import FASTEST, SLOWEST, Bounce, Contacts, bounces, tapes
from grashof.simulation.gripping import Gripping, gripping_tapes
from grashof.simulation.rubbing import Rubbing, rubbing_margins, rubbing_tape
from grashof.tape import Library, emit, trace

NEAR = 1e-9
"""A start is at a limit if its distance from it is at most this, m or rad, relative to the mechanism's length if
that is larger."""


def make_watch(program: Program, events: Sequence[Event], most: int, tol: float) -> Watch | None:
    """What a run of a program at a tolerance watches for these events, at most `most` of which may change the run;
    None if there are no events."""
    if not events:
        return None
    _check_turns(program, events)
    library = _margins(program.formulation, tuple(events))
    function = library.function("events", None, *[ctypes.c_void_p] * 3)
    triggers = [_trigger(program, event) for event in events]
    if program.dynamics.limits:
        contacts = Contacts(program.formulation, library, program.integrator.coefficients)
        slow = min(max(tol, SLOWEST), FASTEST)
        for which, event in enumerate(bounces(program.dynamics)):
            place, release = events.index(event), len(triggers)
            bounce = Bounce(contacts, event, which, place, release, slow)
            contacts.bounces.append(bounce)
            near = NEAR * max(1.0, program.system.length)
            triggers[place] = replace(triggers[place], reaction=bounce, returns=True, near=near, settles=True)
            triggers.append(Trigger(f"{event.name} release", -1, reaction=bounce.let_go))
        if program.model.rubs:
            triggers = _rubbing_triggers(contacts, library, triggers)
    begin = None
    if program.model.grips:
        triggers, begin = _with_grips(program, library, triggers)
    return Watch(function, library.address("events"), tuple(triggers), most, begin)


@lru_cache(maxsize=32)
def _margins(dynamics: Formulation, events: tuple[Event, ...]) -> Library:
    """The margins of events as machine code, then those of limits against which something rests, and what bounces
    need."""
    layout, names = dynamics.layout, dynamics.model.bouncing

    def margins(x: list[Scalar], _: list[Scalar]) -> list[Scalar]:
        motion = dynamics.state(x)
        # those of friction are among the last ones
        found = [1.0 if event.sticks else event.margin(motion) for event in events]
        for name in names:
            side, place = motion.resting[name], [event.name for event in events].index(name)
            found[place] = where(side * side, side, found[place])  # a measure at rest does not bounce
        found += dynamics.impacts.pressing(x)[len(names) :] if names else []
        found += rubbing_margins(dynamics.natural, x) if dynamics.model.rubs else []
        return found + (dynamics.grips.margins(x) if dynamics.model.grips else [])

    more = tapes(dynamics) if names else {}
    if dynamics.model.rubs:
        more |= rubbing_tape(dynamics.natural)
    if dynamics.model.grips:
        more |= gripping_tapes(dynamics)
    return Library(emit({"events": trace(margins, 1 + layout.size, 0), **more}))


def _rubbing_triggers(contacts: Contacts, library: Library, triggers: list[Trigger]) -> list[Trigger]:
    """The triggers, if some contacts have friction: all of them react together; then those that end a slip or a
    stick."""
    rubbing, rubs = Rubbing(contacts, library, len(triggers)), contacts.dynamics.model.rubs
    found = [*triggers]
    for bounce in contacts.bounces:
        found[bounce.trigger] = replace(found[bounce.trigger], reaction=partial(rubbing.settle, hit=bounce.which))
        found[bounce.release] = replace(found[bounce.release], reaction=partial(rubbing.settle, leaves=bounce.which))
    found += [Trigger(f"{x.event} stop", -1, reaction=partial(rubbing.settle, stopped=k)) for k, x in enumerate(rubs)]
    found += [Trigger(f"{x.event} slip", -1, reaction=partial(rubbing.settle, begins=k)) for k, x in enumerate(rubs)]
    return found


def _with_grips(program: Program, library: Library, triggers: list[Trigger]) -> tuple[list[Trigger], Beginning]:
    """The triggers, and those that end a slip or a stick of joints with dry friction; and what decides on these at the
    start."""
    gripping = Gripping(program.formulation, library, program.integrator.coefficients, len(triggers))
    grips = program.model.grips
    found = [Trigger(f"{x.name} stick", -1, reaction=partial(gripping.settle, stopped=k)) for k, x in enumerate(grips)]
    found += [Trigger(f"{x.name} slip", -1, reaction=gripping.settle) for x in grips]
    return [*triggers, *found], gripping.begin


def _trigger(program: Program, event: Event) -> Trigger:
    return Trigger(event.name, event.way, event.is_condition and event.stops, _reaction(program, event))


def _reaction(program: Program, event: Event) -> Reaction | None:
    layout = program.formulation.layout
    if event.stops:
        return lambda time, state: None
    if event.restarts:
        return lambda time, state: Change(state)
    if event.switches:
        name, on = event.switches
        return _setting(layout.of_switches.start + layout.switches.index(name), lambda before: 1.0 if on else 0.0)
    if event.resets in layout.integrals:
        return _setting(layout.of_integrals.start + layout.integrals.index(event.resets), lambda before: 0.0)
    if event.resets:
        turn = 2.0 * math.pi
        angle = layout.of_angles.start + layout.angles.index(event.resets)
        return _setting(angle, lambda before: before - turn * round(before / turn))
    return None


def _setting(place: int, value: Callable[[float], float]) -> Reaction:
    """A reaction that changes one number of the state."""

    def reaction(time: float, state: np.ndarray) -> Change:
        after = state.copy()
        after[place] = value(float(state[place]))
        return Change(after)

    return reaction


def _check_turns(program: Program, events: Sequence[Event]) -> None:
    """Checks that the angles in events are tracked from the start, so that their whole turns are known."""
    measures, tracked = program.model.all_measures, program.system.tracked
    for event in events:
        for name in event.tracked():
            if name in measures and measures[name].winds and name not in tracked:
                raise ModelError(
                    f"Event '{event.name}' depends on the whole turns of '{name}', which this program does not count; "
                    "simulate the mechanism itself, or add the event to it before building the program."
                )
