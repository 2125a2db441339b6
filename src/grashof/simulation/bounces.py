"""What happens when a measure reaches a value at which it bounces: it turns back, or rests there until it is pulled
away."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from grashof.common.errors import ModelError
from grashof.formulation.natural.impact import Impact, Response, response
from grashof.formulation.natural.resting import STICKS, unit
from grashof.formulation.protocol import Formulation
from grashof.integrate import Change
from grashof.model.events import Event
from grashof.scalar.functions import Scalar
from grashof.tape import Library, Tape, trace
from grashof.tape.arrays import address

SLOWEST, FASTEST = 1e-7, 1e-6
"""A measure comes to rest when its rebounds have become slower than the tolerance of the run, within these bounds,
relative to the speed after falling through the mechanism's length. The rebounds are then at most 1e-12 of that
length high. Below the lower bound, round-off of positions would show."""


ROUND_OFF = 1e-13
"""Round-off of measures, relative to the mechanism's length or 1 rad."""


TOUCHING = 1e-12
"""Stops are hit at once if no measure is farther from its limit than this, relative to the mechanism's length: the
order of the impacts is then round-off."""

PRESSED = 1e-9
"""What rests is pressed against its limit if the acceleration times the mechanism's length exceeds this fraction of
the squared speed of an impact."""

SEQUENCE, SAME = 400, 1e-6
"""Largest number of rounds in a sequence of impacts; sequences end alike if no velocity differs by more than the
second number, relative to the largest one."""


def tapes(dynamics: Formulation) -> dict[str, Tape]:
    """The functions that bounces need, as tapes: the response to a unit impulse along one of the measures, or along
    the slide of one with friction, and the forces that press against limits."""
    events, size = bounces(dynamics), 1 + dynamics.layout.size

    names = [event.quantity for event in events] + [rub.slide for rub in dynamics.model.rubs]

    def along(x: list[Scalar], _: list[Scalar], weights: list[Scalar]) -> list[Scalar]:
        return dynamics.impacts.answer(x, list(zip(names, weights, strict=True)))

    return {
        "answer": trace(along, size, 0, len(names)),
        "pressing": trace(lambda x, _: dynamics.impacts.pressing(x), size, 0),
    }


def bounces(dynamics: Formulation) -> list[Event]:
    """The events at which measures of a mechanism bounce."""
    return [event for event in dynamics.model.all_events if event.bounces is not None]


class Contacts:
    """The native functions of bounces, at given states."""

    def __init__(self, dynamics: Formulation, library: Library, coefficients: np.ndarray) -> None:
        self.dynamics, self.coefficients = dynamics, coefficients
        self._answer = library.function("answer", None, *[ctypes.c_void_p] * 4)
        self._pressing = library.function("pressing", None, *[ctypes.c_void_p] * 3)
        self.count, self.rows = len(dynamics.natural.limits), dynamics.impacts.rows
        self.bounces: list[Bounce] = []

    def response(self, time: float, state: np.ndarray, which: int, side: float) -> Response:
        """The response to a unit impulse along a measure, upwards if `side` is 1, downwards if it is −1."""
        velocities = self.dynamics.layout.nv
        weights, found = np.zeros(self.count + len(self.dynamics.model.rubs)), np.empty(2 * velocities + 1 + self.rows)
        weights[which] = side
        self._call(self._answer, np.concatenate([[time], state]), self.coefficients, weights, found)
        return response(found, velocities)

    @property
    def first_limit(self) -> int:
        """The number of the first row of a limit."""
        return self.rows - self.count

    def gaps(self, time: float, state: np.ndarray) -> list[float]:
        """How far the measures are from their limits, m."""
        return self.dynamics.impacts.gaps([time, *state.tolist()])

    def driving_slips(self, time: float, state: np.ndarray) -> list[tuple[str, int, float]]:
        """The couplings that depend on time: name, number of the row, and Φ_t, m/s."""
        return self.dynamics.impacts.driving_slips([time, *state.tolist()])

    def pressed(self, time: float, state: np.ndarray, which: int) -> tuple[float, bool]:
        """The force that presses against a limit, N along its row, and whether what rests against it stays there."""
        found = np.empty(2 * self.count)
        self._call(self._pressing, np.concatenate([[time], state]), self.coefficients, found)
        return float(found[which]), bool(found[self.count + which] > 0.0)

    def _call(self, function: Any, *arrays: np.ndarray) -> None:
        function(*(address(array) for array in arrays))


@dataclass(frozen=True, eq=False)
class Bounce:
    """The reaction to a bounce.

    which      its index among the bounces of the mechanism
    trigger    its index among all triggers
    release    the index of the trigger that releases what rests
    slow       rebounds slower than this come to rest, relative to the speed after falling through the mechanism's
               length
    """

    contacts: Contacts
    event: Event
    which: int
    trigger: int
    release: int
    slow: float

    @property
    def dynamics(self) -> Formulation:
        """The dynamics of the mechanism."""
        return self.contacts.dynamics

    @cached_property
    def restitution(self) -> float:
        """The coefficient of restitution, e."""
        return self.event.bounces or 0.0

    def __call__(self, time: float, state: np.ndarray) -> Change:
        """The state after the bounce. The energy lost counts as work of the event, the energy added by motors as
        theirs."""
        change = self._react(time, state)
        if self.contacts.count == 1:
            return change
        return replace(change, law=self._law(time, state, change.state[self.dynamics.layout.of_v]))

    def _react(self, time: float, state: np.ndarray) -> Change:
        side = self.free_side(time, state)
        state, found, hit, left = self._struck(time, state, side)
        if hit is None:  # limits against which others rest hold this measure, too, until something changes
            return Change(state, left, {self.trigger: side}, {self.trigger: math.inf})
        away = float(np.sum(found.gradient * state[self.dynamics.layout.of_v]))
        after = away if away > 0.0 else -self.restitution * away
        stays = self._at_rest(found, state, side, time)
        pressed, holds = self.contacts.pressed(time, stays, self.which)
        back = pressed * self._unit * found.yields  # acceleration back to the limit, m/s² or rad/s²
        if holds and after <= self.slow * math.sqrt(2.0 * self._scale * max(back, 0.0)):
            return Change(stays, (*left, f"{self.event.name} rest"), {self.release: 1.0})
        sides, sure = {self.trigger: side}, {self.trigger: self._sure(after, back)}
        if not away < 0.0:  # it already moves away
            return Change(state, left, sides, sure)
        return Change(self._after(state, hit, time), (*left, self.event.name), sides, sure)

    def _sure(self, speed: float, back: float) -> float:
        """How long the measure certainly stays on its side, s, if it leaves with a speed and is accelerated back:
        until its distance exceeds round-off, but at most a quarter of the rebound."""
        way = ROUND_OFF * self._scale
        times = [math.sqrt(2.0 * way / abs(back))] if back else []
        times += [way / speed] if speed else []
        times += [0.5 * speed / back] if back > 0.0 else []
        return min(times, default=0.0)

    def free_side(self, time: float, state: np.ndarray) -> float:
        """1 if the measure is free above its limit, −1 if below; if both are possible, the side from which it came."""
        if self.event.way:
            return float(-self.event.way)
        upward = self.contacts.response(time, state, self.which, 1.0)
        return -1.0 if float(np.sum(upward.gradient * state[self.dynamics.layout.of_v])) > 0.0 else 1.0

    def _law(self, time: float, state: np.ndarray, after: np.ndarray) -> str:
        """What decides on the velocities after this impact, if others happen at once: "order" if sequences of single
        impacts end differently in different orders, or differently from this impact, which keeps what rests in contact,
        although nothing presses it there; "law" if something does; empty if all agree.
        """
        dynamics, layout = self.dynamics, self.dynamics.layout
        resting = state[layout.of_resting]
        gaps = [abs(gap) for gap in self.contacts.gaps(time, state)]
        near = [bounce for bounce in self.contacts.bounces if gaps[bounce.which] <= TOUCHING * dynamics.length]
        if len(near) < 2:
            return ""
        free = state.copy()
        free[layout.of_resting] = 0.0
        before, pairs, pressed = state[layout.of_v], [], True
        speed = float(np.max(np.abs(before)))
        for bounce in near:
            rests = float(resting[bounce.which])
            found = self.contacts.response(time, free, bounce.which, rests or bounce.free_side(time, free))
            pairs.append((found, bounce.restitution))
            back = self.contacts.pressed(time, state, bounce.which)[0] * found.yields  # m/s²
            pressed &= not rests or back * dynamics.length > PRESSED * speed * speed
        forth, reverse = _sequence(pairs, before), _sequence(pairs[::-1], before)
        small = SAME * speed
        if float(np.max(np.abs(forth - reverse))) > small:
            return "order"
        kept = np.any(resting != 0.0) and float(np.max(np.abs(forth - _sequence(pairs, after)))) > small
        return ("law" if pressed else "order") if kept else ""

    def _struck(
        self, time: float, state: np.ndarray, side: float
    ) -> tuple[np.ndarray, Response, Impact | None, tuple[str, ...]]:
        """The impact, and the state before it without the limits that would have to pull: these are released and named.

        The impact is None if the measure cannot move because of what rests; then nothing happens.
        """
        layout = self.dynamics.layout
        state, left = state.copy(), list[str]()
        while True:
            found = self.contacts.response(time, state, self.which, side)
            hit = found.impact(state[layout.of_v], self.restitution)
            if hit is None:
                self._check_rests(time, state)
                return state, found, None, tuple(left)
            pulled = np.where(state[layout.of_resting] != 0.0, hit.multipliers[self.contacts.first_limit :], 0.0)
            last = int(np.argmax(pulled))
            if not pulled[last] > STICKS * (float(np.sum(np.abs(hit.multipliers))) + hit.impulse / self._unit):
                return state, found, hit, tuple(left)
            state[layout.of_resting.start + last] = 0.0
            left.append(f"{layout.resting[last]} release")

    def _at_rest(self, found: Response, state: np.ndarray, side: float, time: float) -> np.ndarray:
        """The state if the measure rests from here on."""
        layout = self.dynamics.layout
        hit = found.impact(state[layout.of_v], 0.0)
        stays = state.copy() if hit is None else self._after(state, hit, time)
        stays[layout.of_resting.start + self.which] = side
        return stays

    def _check_rests(self, time: float, state: np.ndarray) -> None:
        """Raises an error for a measure that cannot move although nothing rests."""
        if not np.any(state[self.dynamics.layout.of_resting]):
            raise ModelError(
                f"Event '{self.event.name}': '{self.event.quantity}' cannot bounce at t = {time:.6g} s, because joints "
                "and motors hold it; let the event stop the run."
            )

    def _after(self, state: np.ndarray, hit: Impact, time: float) -> np.ndarray:
        layout = self.dynamics.layout
        after = state.copy()
        after[layout.of_v] = hit.v
        works = after[layout.of_works]
        works[layout.works.index(self.event.name)] += hit.work
        if hit.impulse:
            for owner, k, slip in self.contacts.driving_slips(time, state):
                works[layout.works.index(owner)] += hit.multipliers[k] * slip
        return after

    def let_go(self, time: float, state: np.ndarray) -> Change:
        """The reaction at the time from which on what rests would have to be pulled to stay."""
        after = state.copy()
        after[self.dynamics.layout.of_resting.start + self.which] = 0.0
        return Change(after, sides={self.trigger: 0.0, self.release: 1.0})

    @cached_property
    def _unit(self) -> float:
        return unit(self.dynamics.model.quantities[self.event.quantity], self.dynamics.length)

    @property
    def _scale(self) -> float:
        """The mechanism's length, m, or 1 rad."""
        return self.dynamics.length / self._unit


def _sequence(pairs: Sequence[tuple[Response, float]], v: np.ndarray) -> np.ndarray:
    """The velocities after single impacts at limits, in turn at each one that is approached, until none is."""
    small = ROUND_OFF * float(np.max(np.abs(v)))
    for _ in range(SEQUENCE):
        before = v
        for found, restitution in pairs:
            if float(np.sum(found.gradient * v)) < -small and (hit := found.impact(v, restitution)) is not None:
                v = hit.v
        if v is before:
            break
    return v
