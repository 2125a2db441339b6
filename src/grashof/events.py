"""From described events to what a run watches: machine code, and what is done."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from grashof.dynamics.equations import Dynamics
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
    function = library.function("events", None, ctypes.c_void_p, ctypes.c_void_p)
    return Watch(function, library.address("events"), tuple(_trigger(event) for event in events), most)


@lru_cache(maxsize=32)
def _margins(dynamics: Dynamics, events: tuple[Event, ...]) -> Library:
    """The margins of events as machine code."""
    layout = dynamics.layout

    def margins(x: list[Scalar]) -> list[Scalar]:
        motion = dynamics.motion(*layout.split(x))
        return [event.margin(motion) for event in events]

    return Library(emit({"events": trace(margins, 1 + layout.size)}))


def _trigger(event: Event) -> Trigger:
    return Trigger(event.name, event.way, event.is_condition and event.stops, _reaction(event))


def _reaction(event: Event) -> Reaction | None:
    return _stop if event.stops else None


def _stop(time: float, state: np.ndarray) -> None:
    """Ends the run."""


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
