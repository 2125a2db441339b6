"""What happens between two steps: events, laws and couplings are enclosed along the motion.

An integrator sees a mechanism only at the stages of its steps. What happens between them for a short time, such as the
contact with a thin peg or a narrow lobe of a cam, can be missed by all of them. Functions that could hide such things
are therefore enclosed over all steps:

- coordinates of points and arrows, and measures that are as smooth as these, are interpolated in each step by the
  quintic through value, rate and second derivative at both ends. Its control points bound it and its derivatives; a
  margin covers the error of the interpolation;
- the rates of functions along the motion follow from these ranges by interval arithmetic. With the values at both ends
  they bound the functions;
- where that does not decide, the step is divided, and the motion is sampled there.

Three questions are asked. *Signs*: may an event, a stop, or a switch in a law have changed its sign twice without being
noticed? *Laws*: does the coefficient of a force change faster than the stages of a step can notice? *Couplings*: does
the step, whose ends satisfy a coupling, violate it in between? The answers are times at which steps have to end.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Any

import numpy as np

from grashof.changes.enclosures import Array
from grashof.changes.kinks import find_kinks
from grashof.changes.unseen_features import UnseenFeatures
from grashof.changes.unseen_signs import Sample, UnseenSigns
from grashof.changes.watched_motion import Extent, Functions, WatchedMotion
from grashof.formulation.layout import Layout
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.resting import TINY
from grashof.model import laws
from grashof.model.events import STICK, Event
from grashof.model.measures import MeasureBase
from grashof.model.state import RATE
from grashof.scalar.functions import Scalar
from grashof.scalar.jet import Jet
from grashof.tape import Tape, trace
from grashof.tape.tape import live

DEGREE = 4
"""Polynomials of quantities up to this degree have no features that are shorter than those of the quantities
themselves."""


@dataclass(frozen=True, eq=False)
class Finding:
    """What was found in some steps.

    stops       times at which steps have to end, up to the first one that may change the motion
    undecided   a time near which the question remained open
    """

    stops: tuple[float, ...] = ()
    undecided: float | None = None


@dataclass
class TracedState:
    """The state of a mechanism as laws and events see it, whose quantities are inputs of a tape."""

    time: Scalar
    known: Mapping[str, Jet]
    tables: Mapping[str, Callable[[Scalar], Scalar]]

    def measure(self, name: str) -> Jet:
        """A quantity and its rate."""
        return self.known[name]


@dataclass(frozen=True, eq=False)
class Between:
    """What is examined between the steps of a mechanism: signs, then laws and couplings."""

    motion: WatchedMotion
    signs: UnseenSigns
    features: UnseenFeatures

    def look(self, t: Array, y: Array, rates: Array, sample: Sample, known: Sequence[Array], extent: Extent) -> Finding:
        """Examines the steps between the times t, with states y and rates [a, ė] there.

        known   for each event the times at which its sign is known to change
        """
        rows = self.motion.see(t, np.arange(len(t)), y, rates)
        extent.include(rows)
        extent.speed = max(extent.speed, float(np.max(np.abs(y[:, self.motion.dynamics.layout.of_v]), initial=0.0)))
        changed, doubt = self.signs.look(rows, y, sample, known, extent) if self.motion.signs.count else ([], None)
        passed, other = self.features.look(rows, extent) if self.motion.laws.count else ([], None)
        found = sorted([*changed, *((time, True) for time in passed)])
        until = next((time for time, acts in found if acts), np.inf)
        stops = [time for time, _ in found if time <= until or (time in passed and until in passed)]
        return Finding(tuple(stops), min([x for x in (doubt, other) if x is not None], default=None))


@lru_cache(maxsize=32)
def make_between(dynamics: Dynamics, events: tuple[Event, ...]) -> Between | None:
    """What has to be examined between the steps of a run with these events; None if there is nothing."""
    system, model, layout = dynamics.system, dynamics.model, dynamics.layout
    continuous = [force for force in model.forces if force.period is None]
    ruled = [(force, law) for force in continuous for law in force.laws() if isinstance(law, str)]
    texts = [name for event in events for name in event.expression.quantities]
    texts += [name for force, law in ruled for name in laws.quantities([law], force.name, force.parameters)]
    measures: dict[str, MeasureBase | None] = {}
    for name in (text.removesuffix(RATE) for text in texts):
        measures[name] = None if name in model.force_states else model.quantities[name]
    measures |= {x.name: x for row in system.couplings for x in row.measures}
    varied = {coupling: coupling.measures(model.quantities) for coupling in model.velocity_couplings}
    measures |= {x.name: x for tied in varied.values() for x in tied}

    def state(x: list[Scalar]) -> Any:
        known = {name: Jet(x[1 + 2 * k], x[2 + 2 * k], 0.0) for k, name in enumerate(measures)}
        return TracedState(x[0], known, model.tables_by_name)

    def functions(x: list[Scalar]) -> list[Scalar]:
        motion = state(x)
        coupled = [
            row.coupling.equation([motion.measure(m.name).value for m in row.measures], motion.time)
            for row in system.couplings
        ]
        for coupling, tied in varied.items():
            coupled += coupling.rate_factors([motion.measure(m.name).value for m in tied], motion.time)
        return [*(force.now(law, motion) for force, law in ruled), *coupled]

    size = 1 + 2 * len(measures)
    every = trace(functions, size)
    degrees, called = _degrees(every), _depends_on(every, "call")
    examined = [degrees[k] > DEGREE and not called[k] for k in every.outputs]
    chosen = tuple(k for k, is_examined in zip(every.outputs, examined, strict=True) if is_examined)
    rules = live(Tape(every.sizes, every.words, every.constants, every.lists, chosen, every.blocks))
    kinks = find_kinks(rules)
    switches = [switch for switch in kinks.in_motion if not switch.whole]

    def signs(x: list[Scalar]) -> list[Scalar]:
        motion, switched = state(x), kinks.tape.evaluate(x) if switches else []
        margins = [event.margin(motion) for event in events]
        return margins + [switched[a] - (0.0 if b is None else switched[b]) for a, b, _ in switches]

    if not events and not chosen:
        return None
    resting = tuple(_place_of_rest(event, layout) for event in events)
    acting = tuple(event.does != "record" for event in events)
    count = sum(examined[: len(ruled)])
    looked_up = _depends_on(rules, "interval")

    def chosen_functions(x: list[Scalar]) -> list[Scalar]:
        return [value for value, is_examined in zip(functions(x), examined, strict=True) if is_examined]

    motion = WatchedMotion(
        dynamics,
        measures,
        Functions(trace(signs, size), signs if any(event.expression.tables for event in events) else None),
        Functions(rules, chosen_functions if any(looked_up) else None),
    )
    slips = _typical_slips(dynamics) if dynamics.model.grips else {}
    sticking = tuple(slips.get(event.name, 0.0) for event in events)
    return Between(motion, UnseenSigns(motion, resting, acting, sticking), UnseenFeatures(motion, count))


def _typical_slips(dynamics: Dynamics) -> dict[str, float]:
    """The rates of joints with dry friction after falling through the mechanism's length, by the name of the event."""
    model, length = dynamics.model, dynamics.length
    fall = sqrt(2.0 * sqrt(sum(x * x for x in model.gravity)) * length) or TINY
    units = {"rad": fall / length, "m": fall}
    return {f"{grip.name} {STICK}": units[model.quantities[grip.measure].unit] for grip in model.grips}


def _place_of_rest(event: Event, layout: Layout) -> int:
    """Where it is in the state that the quantity of an event is at rest; −1 if it is not held there."""
    place = -1
    if event.name in layout.resting:
        place = layout.of_resting.start + layout.resting.index(event.name)
    if event.sticks:
        place = layout.of_sticking.start + layout.rubbing.index(event.name.removesuffix(f" {STICK}"))
    return place


def _depends_on(tape: Tape, what: str) -> list[bool]:
    """Which values of a tape depend on an operation of this kind."""
    found: list[bool] = []
    for operation, *operands in tape.statements:
        simple = operation not in ("input", "constant", "call", "result")
        found.append(operation == what or (simple and any(found[k] for k in operands)))
    return found


def _degrees(tape: Tape) -> list[float]:
    """The degree of each value of a tape as a polynomial of quantities of the motion; infinite if it is not one."""
    found: list[float] = []
    for operation, *operands in tape.statements:
        if operation == "input":
            found.append(1.0 if operands[0] else 0.0)
        elif operation == "constant":
            found.append(0.0)
        elif operation in ("call", "result"):
            found.append(np.inf)
        elif operation in ("add", "subtract", "negate"):
            found.append(max(found[k] for k in operands))
        elif operation == "multiply":
            found.append(found[operands[0]] + found[operands[1]])
        elif operation == "divide" and found[operands[1]] == 0.0:
            found.append(found[operands[0]])
        else:
            found.append(0.0 if all(found[k] == 0.0 for k in operands) else np.inf)
    return found
