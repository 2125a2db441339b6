"""The path of a mechanism with one degree of freedom: all positions that it can reach without being disassembled.

The path is a curve Φ(q) = 0 in the space of coordinates. It is followed along its tangent, J τ = 0, |τ| = 1, in steps
so short that the tangent hardly rotates, until it returns to its start. If a singular value of [J; τᵀ] has changed its
sign in a step, the step has either crossed a singular position, where paths intersect, or reached another path that
passes nearby: smaller steps distinguish the two.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import close, is_closed
from grashof.questions.equations import Array, QuestionEquations, turned_over

LONGEST = 0.1
"""Longest step, in lengths of the mechanism."""

TURN = 0.03
"""Largest distance of a position from its prediction, as a fraction of the step: half the angle by which the tangent
rotates."""

SMALLEST = 1e-9
"""Shortest step, in lengths of the mechanism."""

MOST = 20_000
"""Largest number of steps."""

FAR = 50.0
"""A mechanism that moves this many lengths away from its start is assumed to go on forever."""

SETTLED = 1e-12
"""An extreme value is located once the rate is a smaller fraction of the neighbouring rates; the value itself is
then exact to rounding."""

Reading = Callable[[Array, Array, Array], tuple[float, float]]
"""From q, turns and τ: a quantity and its rate along the path."""


@dataclass(frozen=True, eq=False)
class Way:
    """Positions along the path; if it is closed, the last equals the first.

    s          arc length, (k,), m
    q, along   coordinates and unit tangents, (k, n)
    turns      tracked angles with whole turns, (k, …)
    closed     whether it returns to its start; if not, it continues beyond its ends
    singular   rows of `q` after which a singular position was passed
    """

    equations: QuestionEquations
    time: float
    s: Array
    q: Array
    along: Array
    turns: Array
    closed: bool
    singular: tuple[int, ...]

    def between(self, k: int, part: float) -> tuple[Array, Array, Array]:
        """q, turns and τ at a fraction, 0 to 1, of step k."""
        h = self.s[k + 1] - self.s[k]
        p, r = part, 1.0 - part
        cubic = r * r * (1.0 + 2.0 * p) * self.q[k] + p * p * (1.0 + 2.0 * r) * self.q[k + 1]
        cubic = cubic + h * p * r * (r * self.along[k] - p * self.along[k + 1])
        turns = self.equations.turns(cubic, self.turns[k])
        q = close(self.equations.positions(self.time, turns), cubic)[0]
        turns = self.equations.turns(q, turns)
        return q, turns, tangent(self.equations, self.time, q, turns, self.q[k + 1] - self.q[k])

    def extremes(self, reading: Reading) -> list[tuple[int, float, float]]:
        """Where a quantity has a maximum or minimum: (step, fraction of it, value), exact to rounding."""
        rates = [reading(*row)[1] for row in zip(self.q, self.turns, self.along, strict=True)]
        found = []
        for k in range(len(self.s) - 1):
            before, after = rates[k], rates[k + 1]
            if before == 0.0 or before * after < 0.0:
                part = 0.0 if before == 0.0 else self._zero(reading, k, before, after)
                found.append((k, part, reading(*self.between(k, part))[0]))
        return found

    def _zero(self, reading: Reading, k: int, first: float, last: float) -> float:
        """Where the rate vanishes in a step: regula falsi with the Illinois modification."""
        a, b, low, high = 0.0, 1.0, first, last
        for _ in range(60):
            part = (a * high - b * low) / (high - low)
            rate = reading(*self.between(k, part))[1]
            if rate * high < 0.0:
                a, low = b, high
            else:
                low *= 0.5
            b, high = part, rate
            if abs(rate) <= SETTLED * max(abs(first), abs(last)) or abs(b - a) < SETTLED:
                break
        return b


def tangent(equations: QuestionEquations, time: float, q: Array, turns: Array, towards: Array | None) -> Array:
    """τ: the direction in which the mechanism can move, chosen nearest to a given one."""
    free = equations.freedoms(time, q, turns)
    if towards is None:
        return free[:, 0]
    direction = free @ (free.T @ towards)
    return np.asarray(direction / np.linalg.norm(direction))


def follow(equations: QuestionEquations, time: float, q: Array, turns: Array) -> Way:
    """The path through a position; one that is not closed is followed in both directions."""
    there = _Follower(equations, time, q, turns, tangent(equations, time, q, turns, None))
    there.run()
    if there.closed:
        return there.way()
    back = _Follower(equations, time, q, turns, -there.along[0])
    back.run()
    return there.join(back)


class _Follower:
    """Follows the path in one direction, step by step."""

    def __init__(self, equations: QuestionEquations, time: float, q: Array, turns: Array, along: Array) -> None:
        self.equations, self.time = equations, time
        self.length = equations.system.length
        self.s, self.q, self.along, self.turns = [0.0], [q], [along], [turns]
        self.closed = False
        self.singular: list[int] = []

    def run(self) -> None:
        """Steps until the path is closed or leads far away."""
        h, longest = 0.1 * LONGEST * self.length, LONGEST * self.length
        crossing: tuple[int, float, Array, Array, Array] | None = None
        while len(self.s) < MOST:
            if len(self.s) > 4 and self._comes_back(h):
                return
            new = self._step(h)
            if new is not None and self._turned_over(*new):
                crossing = crossing or (len(self.s), h, *new)
                new = None
            if new is not None:
                self._append(h, *new)
                if crossing is not None and self.s[-1] > self.s[crossing[0] - 1] + crossing[1]:
                    crossing = None
                if np.max(np.abs(new[0] - self.q[0])) > FAR * self.length:
                    return
                h = min(1.3 * h, longest)
            elif h > SMALLEST * self.length:
                h *= 0.5
            elif crossing is None:
                raise ModelError(
                    f"Mechanism '{self.equations.system.model.name}': its motion cannot be followed beyond a singular "
                    f"position {self.s[-1]:.3g} m from the start. Start elsewhere, or change a length slightly."
                )
            else:
                # smaller steps meet it as well, so the path passes through the singular position and continues smoothly
                # beyond it
                count, h, q, turns, along = crossing
                for rows in (self.s, self.q, self.along, self.turns):
                    del rows[count:]
                self.singular.append(count - 1)
                self._append(h, q, turns, along)
                crossing = None
        raise ModelError(
            f"Mechanism '{self.equations.system.model.name}': its motion did not return to its start within "
            f"{MOST} steps; it may be endless."
        )

    def _append(self, h: float, q: Array, turns: Array, along: Array) -> None:
        self.s.append(self.s[-1] + h)
        self.q.append(q)
        self.turns.append(turns)
        self.along.append(along)

    def _step(self, h: float) -> tuple[Array, Array, Array] | None:
        """q, turns and τ after a step; None if it is too long."""
        q, along = self.q[-1], self.along[-1]
        guess = q + h * along
        positions = self.equations.positions(self.time, self.turns[-1])
        new, _, error = close(positions, guess, most=20)
        if not is_closed(positions, error) or np.linalg.norm(new - guess) > TURN * h:
            return None
        turns = self.equations.turns(new, self.turns[-1])
        free = self.equations.freedoms(self.time, new, turns)
        if free.shape[1] > 1:  # it is at a singular position, within rounding
            return None
        ahead = free[:, 0] if free[:, 0] @ along > 0.0 else -free[:, 0]
        if ahead @ along < 1.0 - 4.0 * TURN * TURN:
            return None
        return new, turns, ahead

    def _turned_over(self, q: Array, turns: Array, along: Array) -> bool:
        before = np.vstack([self.equations.unit_rows(self.time, self.q[-1], self.turns[-1]), self.along[-1]])
        after = np.vstack([self.equations.unit_rows(self.time, q, turns), along])
        return turned_over(before, after)

    def _comes_back(self, h: float) -> bool:
        """Makes the next step if it leads back to the start; returns whether it does."""
        q, along, first = self.q[-1], self.along[-1], self.q[0]
        size = float((first - q) @ along)
        if not 0.0 < size <= 1.5 * h or np.linalg.norm(first - q) > 1.5 * h or along @ self.along[0] < 0.9:
            return False
        for _ in range(5):
            new = self._step(size)
            if new is None:
                return False
            if np.max(np.abs(new[0] - first)) < 1e-7 * self.length:
                self._append(size, first, new[1], self.along[0])
                self.closed = True
                return True
            size += float((first - new[0]) @ new[2])
        return False

    def way(self) -> Way:
        """The path that was followed."""
        rows = [np.array(x) for x in (self.s, self.q, self.along, self.turns)]
        return Way(self.equations, self.time, rows[0], rows[1], rows[2], rows[3], self.closed, tuple(self.singular))

    def join(self, back: _Follower) -> Way:
        """This path joined to the one that was followed in the opposite direction."""
        count = len(back.s) - 1
        whole = _Follower(self.equations, self.time, self.q[0], self.turns[0], self.along[0])
        whole.s = [-s for s in back.s[:0:-1]] + self.s
        whole.q = back.q[:0:-1] + self.q
        whole.along = [-x for x in back.along[:0:-1]] + self.along
        whole.turns = back.turns[:0:-1] + self.turns
        whole.singular = sorted([count - 1 - k for k in back.singular] + [count + k for k in self.singular])
        return whole.way()
