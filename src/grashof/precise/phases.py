"""Motions with rigid contacts and dry friction in decimal arithmetic of any precision, phase by phase.

In a phase every contact is open, slips in one direction, or sticks, and the equations of motion are smooth
(`touching`). A phase ends where a gap g, a force N, a slip velocity s or what friction could still bear, μ N ∓ T, falls
to zero. Contacts that close are hit (`blows`); then every closed contact opens, slips or sticks as the accelerations
permit. Bounces slower than a given speed are left out: what is lost has the order of that speed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from itertools import product
from typing import Any, Protocol

from grashof.precise.blows import (
    BACKWARD,
    FORWARD,
    OPENS,
    SIGNS,
    STICKS,
    Contacts,
    DependentError,
    Kinds,
    Row,
    dot,
    impact,
)
from grashof.precise.extrapolation import Done, Slope, State, extrapolate
from grashof.precise.pins import ZERO
from grashof.precise.taylor import Constant, Expansion, Series, SlopeOfSeries, sum_at
from grashof.precise.touching import Equations, accelerations, responses

THEN = {"push": OPENS, "hold +": BACKWARD, "hold -": FORWARD}
"""What a contact does when a margin has fallen to zero, if it can."""

GRID = 4
"""Places within a step at which margins are looked at; between them, they must not change sign twice, except a gap."""
HALVINGS = 200
"""More than the halvings of a step that its precision permits."""
FEW = 400
"""More than the steps of the search for a root."""


class Arc(Protocol):
    """A solution of the smooth equations from a state on."""

    @property
    def reach(self) -> Decimal:
        """How far it goes, s."""

    def at(self, time: Decimal) -> State:
        """The state after some time."""


Describe = Callable[[Row], Equations]
Follow = Callable[[Any, int], Callable[[State], Arc]]
"""Given f and the number of components of y: the solution of ẏ = f(y) from a state on."""


@dataclass
class Phases:
    """A motion with contacts.

    longest   the longest step, s
    small     velocities that are this small are zero, m/s
    slight    accelerations and forces that are this small are zero, m/s² and N
    near      gaps that are this small are closed, m
    exact     how exactly events are located, s
    events    when each phase began, and what each contact does in it
    """

    describe: Describe
    follow: Follow
    contacts: Contacts
    longest: Decimal
    small: Decimal
    slight: Decimal
    near: Decimal
    exact: Decimal
    events: list[tuple[Decimal, Kinds]] = field(default_factory=list)
    _solvers: dict[Kinds, Callable[[State], Arc]] = field(default_factory=dict)

    def states(self, start: State, times: Sequence[Decimal], done: Done = lambda part: None) -> list[State]:
        """The states at the times, which begin at zero or later and do not decrease."""
        touches = self.describe(start).touches
        closed = [abs(touch.gap) <= self.near for touch in touches]
        state, kinds = self._settle(start, closed, [False] * len(closed), {})
        self.events.append((ZERO, kinds))
        now, found = ZERO, list[State]()
        while len(found) < len(times):
            arc = self._arc(state, kinds)
            reach = min(arc.reach, self.longest)
            event = self._first_event(arc, reach, state, kinds)
            end = reach if event is None else event[0]
            while len(found) < len(times) and times[len(found)] <= now + end:
                found.append(arc.at(times[len(found)] - now))
            state, now = arc.at(end), now + end
            done(min(1.0, float(now / times[-1])) if times[-1] else 1.0)
            if event is not None:
                margins = self._margins(state, kinds)
                near = max(self.near, abs(margins.get((event[1], "gap"), ZERO)))
                closed = [margins.get((i, "gap"), ZERO) <= near for i in range(len(kinds))]
                ended = [key for key, value in margins.items() if value <= self._zero(key[1])]
                wanted = {i: THEN[name] for i, name in ended if name in THEN}
                state, kinds = self._settle(state, closed, [kind != OPENS for kind in kinds], wanted)
                self.events.append((now, kinds))
        return found

    # -- smooth motion

    def _arc(self, state: State, kinds: Kinds) -> Arc:
        if kinds not in self._solvers:
            self._solvers[kinds] = self.follow(lambda y: self._slope(y, kinds), len(state))
        return self._solvers[kinds](state)

    def _slope(self, y: Row, kinds: Kinds) -> Row:
        found = self.describe(y)
        a, _ = accelerations(found, kinds, self.contacts.mu)
        return [*found.rates, *a]

    def _margins(self, state: State, kinds: Kinds) -> dict[tuple[int, str], Decimal]:
        """What is positive while the phase lasts, and the rates of gaps."""
        found = self.describe(state)
        u = state[len(found.rates) :]
        _, forces = accelerations(found, kinds, self.contacts.mu)
        margins = dict[tuple[int, str], Decimal]()
        for i, (touch, kind) in enumerate(zip(found.touches, kinds, strict=True)):
            if kind == OPENS:
                margins[i, "gap"], margins[i, "rate"] = touch.gap, dot(touch.normal, u)
                continue
            push, along = forces[i]
            margins[i, "push"] = push
            if kind == STICKS:
                limit = self.contacts.mu[i] * push
                margins[i, "hold +"], margins[i, "hold -"] = limit - along, limit + along
            else:
                margins[i, "slip"] = SIGNS[kind] * dot(touch.slide, u)
        return margins

    # -- events

    def _first_event(self, arc: Arc, reach: Decimal, start: State, kinds: Kinds) -> tuple[Decimal, int, str] | None:
        """When, at which contact, and which margin ends the phase within a step; None if nothing does."""
        before, at = self._margins(start, kinds), ZERO
        for k in range(1, GRID + 1):
            there = reach * k / GRID
            after = self._margins(arc.at(there), kinds)
            found = []
            for (i, margin), value in after.items():
                if margin == "rate":
                    continue
                begins, end = before[i, margin], there
                if value >= 0 and margin == "gap" and before[i, "rate"] < -self.small and after[i, "rate"] > 0:
                    end, _ = self._root(arc, kinds, (i, "rate"), at, there, -1)
                    value = self._margins(arc.at(end), kinds)[i, "gap"]
                if value < 0:
                    low = (
                        self._positive(arc, kinds, (i, margin), end) if begins <= self._zero(margin) and not at else at
                    )
                    found.append((self._root(arc, kinds, (i, margin), low, end, 1)[1], i, margin))
            if found:
                return min(found)
            before, at = after, there
        return None

    def _zero(self, margin: str) -> Decimal:
        return self.slight if margin in THEN else self.small

    def _positive(self, arc: Arc, kinds: Kinds, key: tuple[int, str], end: Decimal) -> Decimal:
        """A time before `end` at which a margin that begins at zero is positive."""
        for _ in range(HALVINGS):
            end /= 2
            if self._margins(arc.at(end), kinds)[key] > 0:
                return end
        raise ArithmeticError(f"contact {key[0]}: its {key[1]} does not grow from zero")

    def _root(
        self, arc: Arc, kinds: Kinds, key: tuple[int, str], a: Decimal, b: Decimal, sign: int
    ) -> tuple[Decimal, Decimal]:
        """Times on both sides of the zero of a margin between a and b, in this order, where it is positive and negative
        times `sign`; regula falsi, in which the end that stays counts half (Illinois)."""
        fa, fb = (sign * self._margins(arc.at(x), kinds)[key] for x in (a, b))
        for _ in range(FEW):
            if abs(b - a) <= self.exact or not fb:
                return a, b
            middle = b - fb * (b - a) / (fb - fa)
            f = sign * self._margins(arc.at(middle), kinds)[key]
            if abs(middle - b) <= self.exact and (f > 0) != (fb > 0):
                return (middle, b) if f > 0 else (b, middle)
            if (f > 0) != (fb > 0):
                a, fa = b, fb
            else:
                fa /= 2
            b, fb = middle, f
        raise ArithmeticError(f"contact {key[0]}: the zero of its {key[1]} was not found")

    # -- what happens at events

    def _settle(
        self, state: State, closed: Sequence[bool], rests: Sequence[bool], wanted: dict[int, str]
    ) -> tuple[State, Kinds]:
        """The state after the impacts of closed contacts, and what each contact does from then on."""
        found = self.describe(state)
        u, count = state[len(found.rates) :], len(found.rates)
        rates = [[dot(row, u) for row in (touch.normal, touch.slide)] for touch in found.touches]
        if any(shut and rate[0] < -self.small for shut, rate in zip(closed, rates, strict=True)):
            response, w = responses(found)
            impulses = impact(w, [x for rate in rates for x in rate], closed, rests, self.contacts, self.small)
            u = [x + dot(column, impulses) for x, column in zip(u, zip(*response, strict=True), strict=True)]
            state = [*state[:count], *u]
            found = self.describe(state)
            rates = [[dot(row, u) for row in (touch.normal, touch.slide)] for touch in found.touches]
        return state, self._kinds(found, rates, closed, wanted)

    def _kinds(self, found: Equations, rates: Sequence[Row], closed: Sequence[bool], wanted: dict[int, str]) -> Kinds:
        """What each contact does from here on."""
        options = list[Kinds]()
        for i, (shut, (normal, slide)) in enumerate(zip(closed, rates, strict=True)):
            if not shut or normal > self.small:
                options.append((OPENS,))
            elif abs(slide) > self.small:
                options.append((FORWARD if slide > 0 else BACKWARD, OPENS))
            else:
                options.append((STICKS, FORWARD, BACKWARD, OPENS))
            if i in wanted:
                options[i] = (wanted[i], *(kind for kind in options[i] if kind not in (wanted[i], STICKS)))
        held = [len(x) > 1 for x in options]
        for kinds in product(*options):
            try:
                a, forces = accelerations(found, kinds, self.contacts.mu)
            except DependentError:  # contacts of one body cannot all stick by themselves
                continue
            if self._agrees(found, kinds, held, rates, a, forces):
                return kinds
        raise ArithmeticError("no motion agrees with the laws of contact")

    def _agrees(
        self, found: Equations, kinds: Kinds, held: Sequence[bool], rates: Sequence[Row], a: Row, forces: Sequence[Row]
    ) -> bool:
        """Whether accelerations and forces satisfy the inequalities of the kinds."""
        for i, (touch, kind) in enumerate(zip(found.touches, kinds, strict=True)):
            if not held[i]:
                continue
            push, along = forces[i]
            leaving = dot(touch.normal, a) + touch.normal_bias
            slipping = dot(touch.slide, a) + touch.slide_bias
            if kind == OPENS:
                margin = leaving
            elif kind == STICKS:
                margin = min(push, self.contacts.mu[i] * push - abs(along))
            else:
                starts = abs(rates[i][1]) <= self.small
                margin = min(push, SIGNS[kind] * slipping) if starts else push
            if margin < -self.slight:
                return False
        return True


# -- two ways to solve the smooth equations


@dataclass(frozen=True)
class _Polynomials:
    series: Sequence[Sequence[Decimal]]
    reach: Decimal

    def at(self, time: Decimal) -> State:
        return [sum_at(c, time) for c in self.series]


def by_series(order: int) -> Follow:
    """By Taylor series, in the precision of the context."""

    def follow(slope: SlopeOfSeries, size: int) -> Callable[[State], Arc]:
        expand = Expansion(lambda y: [x if isinstance(x, Series) else Constant(x) for x in slope(y)], size, order)
        return lambda state: _Polynomials(*expand(state))

    return follow


@dataclass(frozen=True)
class _Extrapolated:
    slope: Slope
    start: State
    reach: Decimal
    tolerance: Decimal
    lines: int

    def at(self, time: Decimal) -> State:
        state, _ = extrapolate(self.slope, self.start, time, self.tolerance, self.lines)
        if state is None:
            raise ArithmeticError("a part of a step is not as smooth as the whole")
        return state


def by_extrapolation(digits: int, longest: Decimal) -> Follow:
    """By extrapolation (Gragg, Bulirsch, Stoer), with steps up to the longest and local errors of 10^−digits."""
    tolerance = Decimal(10) ** -digits

    def follow(slope: Slope, size: int) -> Callable[[State], Arc]:
        def arc(state: State) -> Arc:
            step = longest
            while extrapolate(slope, state, step, tolerance, digits)[0] is None:
                step /= 2
            return _Extrapolated(slope, state, step, tolerance, 2 * digits)

        return arc

    return follow
