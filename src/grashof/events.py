"""From described events to what a run watches: machine code, and what is done."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

import numpy as np

from grashof.dynamics.equations import Dynamics
from grashof.dynamics.impact import impact
from grashof.errors import ModelError
from grashof.integrate import Trigger, Watch
from grashof.integrate.events import Reaction
from grashof.model.events import Event
from grashof.model.measures import Angle
from grashof.program import Program
from grashof.scalar.functions import Scalar
from grashof.tape import Library, emit, trace


def make_watch(program: Program, events: Sequence[Event], most: int) -> Watch | None:
    """What a run of a program watches for these events, of which so many, at most, may change the run; None if there are none."""
    if not events:
        return None
    _check_turns(program, events)
    library = _margins(program.dynamics, tuple(events))
    function = library.function("events", None, *[ctypes.c_void_p] * 3)
    return Watch(function, library.address("events"), tuple(_trigger(program, event) for event in events), most)


@lru_cache(maxsize=32)
def _margins(dynamics: Dynamics, events: tuple[Event, ...]) -> Library:
    """The margins of events as machine code."""
    layout = dynamics.layout

    def margins(x: list[Scalar], _: list[Scalar]) -> list[Scalar]:
        motion = dynamics.motion(*layout.split(x))
        return [event.margin(motion) for event in events]

    return Library(emit({"events": trace(margins, 1 + layout.size, 0)}))


def _trigger(program: Program, event: Event) -> Trigger:
    level, returns = event.is_condition and event.stops, event.bounces is not None
    return Trigger(event.name, event.way, level, _reaction(program, event), returns)


def _reaction(program: Program, event: Event) -> Reaction | None:
    layout = program.dynamics.layout
    if event.stops:
        return lambda time, state: None
    if event.restarts:
        return lambda time, state: state
    if event.switches:
        name, on = event.switches
        return _setting(layout.of_switches.start + layout.switches.index(name), lambda before: 1.0 if on else 0.0)
    if event.resets in layout.integrals:
        return _setting(layout.of_integrals.start + layout.integrals.index(event.resets), lambda before: 0.0)
    if event.resets:
        turn = 2.0 * math.pi
        angle = layout.of_angles.start + layout.angles.index(event.resets)
        return _setting(angle, lambda before: before - turn * round(before / turn))
    return partial(_bounced, program, event, event.bounces) if event.bounces is not None else None


def _setting(place: int, value: Callable[[float], float]) -> Reaction:
    """Changes one number of the state."""

    def reaction(time: float, state: np.ndarray) -> np.ndarray:
        after = state.copy()
        after[place] = value(float(state[place]))
        return after

    return reaction


def _bounced(program: Program, event: Event, restitution: float, time: float, state: np.ndarray) -> np.ndarray:
    """The state after an impact on the quantity of an event; what is lost is the work of the event, what motors add is theirs."""
    dynamics, layout = program.dynamics, program.dynamics.layout
    q, v, e = (state[part] for part in (layout.of_q, layout.of_v, layout.of_e))
    turns = dynamics.turns(e.tolist())
    gradient = np.zeros(dynamics.n)
    for i, x in dynamics.motion(time, q.tolist(), v.tolist(), e.tolist()).gradient(event.quantity, [1.0]).items():
        gradient[i] = x
    towards = -1.0 if float(np.sum(gradient * v)) > 0.0 else 1.0  # the side that it came from is the free one
    found = impact(dynamics, time, q, v, towards * gradient, restitution, turns=turns)
    if found is None:
        raise ModelError(
            f"Event '{event.name}': '{event.quantity}' cannot bounce at t = {time:.6g} s, because joints and motors hold it; let the event stop the run."
        )
    after = state.copy()
    after[layout.of_v] = found.v
    works = after[layout.of_works]
    works[layout.works.index(event.name)] += found.work
    slip = dynamics.slip(time, q.tolist(), turns)
    for k, row in enumerate(dynamics.system.couplings, start=len(dynamics.system.rows)):
        if row.timed:
            works[layout.works.index(row.owner)] += found.multipliers[k] * slip[k]
    return after


def _check_turns(program: Program, events: Sequence[Event]) -> None:
    """Angles must be followed from the start for their whole turns to be known."""
    measures, tracked = program.model.all_measures, program.system.tracked
    for event in events:
        for name in event.tracked():
            if isinstance(measures.get(name), Angle) and name not in tracked:
                raise ModelError(
                    f"Event '{event.name}' depends on the whole turns of '{name}', which this program does not follow; simulate the mechanism "
                    "itself, or add the event to it before it is built."
                )
