"""Joints with dry friction: what happens when one of them comes to rest, or can stick no more.

At every such event all joints that are at rest are considered together. Let a₀ be the accelerations along them without
their friction, and W those by unit efforts along them. Their friction p solves

    min ½ pᵀ W p + a₀ᵀ p    where    |pᵢ| ≤ Fᵢ

which is Gauss's principle with friction (J. J. Moreau, 1966): aᵢ = (a₀ + W p)ᵢ is zero where |pᵢ| < Fᵢ, and it is
against pᵢ where |pᵢ| = Fᵢ. W is symmetric and positive semidefinite, so the accelerations are unique; p is not where
loops make joints redundant. A joint that sticks may bear more friction than one that slips: those that begin to slip
do so with the smaller limit, until no more of them do.
"""

from __future__ import annotations

import ctypes
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.common.errors import ModelError
from grashof.formulation.natural.grips import GripState
from grashof.formulation.natural.impact import response
from grashof.formulation.natural.resting import TINY
from grashof.formulation.protocol import Formulation
from grashof.integrate import Change
from grashof.scalar.functions import Scalar
from grashof.tape import Library, Tape, trace
from grashof.tape.arrays import address

Array = NDArray[np.float64]

NEAR = 10.0
"""A joint is at rest if its rate is no more than this many times one that is round-off."""

BEYOND = 0.5
"""What sticks may bear this many times a force that is round-off in addition to its limit: fewer than once, at which it
can bear no more, so that it does not stick again."""

NOTHING, STILL = 0.01, 1e-9
"""Accelerations by less than this fraction of such a force are zero; and so are those of joints that rows or others
hold, below this fraction of the largest one."""

DEPENDENT = 1e-9
"""A joint is held by others if its response to an effort falls to this fraction while these stick."""

ROUNDS = 100
"""More rounds per joint than the search for the friction takes."""


def gripping_tapes(formulation: Formulation) -> dict[str, Tape]:
    """The functions that dry friction needs: the numbers of the joints, and the response to efforts along them."""
    size, names = 1 + formulation.layout.size, [grip.measure for grip in formulation.model.grips]

    def along(x: list[Scalar], _: list[Scalar], weights: list[Scalar]) -> list[Scalar]:
        return formulation.impacts.answer(x, list(zip(names, weights, strict=True)))

    return {
        "grips": trace(lambda x, _: formulation.grips.look(x), size, 0),
        "pull": trace(along, size, 0, len(names)),
    }


@dataclass(frozen=True, eq=False)
class _Rest:
    """The joints at rest, where they have no friction.

    which       their numbers
    gradients   G of their rates, (k, nv);  responses: the changes of the velocities by unit impulses, (k, nv)
    matrix      W
    starts      a₀
    movable     whether rows let them move
    """

    which: list[int]
    gradients: Array
    responses: Array
    matrix: Array
    starts: Array
    movable: NDArray[np.bool_]


@dataclass(eq=False)
class Gripping:
    """The joints of a mechanism that stick by dry friction.

    first   the number of the first trigger of those that end a slip; those that end a stick follow
    """

    formulation: Formulation
    library: Library
    coefficients: Array
    first: int

    def __post_init__(self) -> None:
        self.layout, self.grips = self.formulation.layout, self.formulation.model.grips
        self._look_at = self.library.function("grips", None, *[ctypes.c_void_p] * 3)
        self._pull = self.library.function("pull", None, *[ctypes.c_void_p] * 4)
        others = len(self.layout.rubbing) - len(self.grips)
        self._slips = slice(self.layout.of_slipping.start + others, self.layout.of_slipping.stop)
        self._sticks = slice(self.layout.of_sticking.start + others, self.layout.of_sticking.stop)

    def begin(self, time: float, state: Array) -> Array:
        """The state at the start of a run, in which it is decided what sticks."""
        return self._decide(time, state)[0]

    def settle(self, time: float, state: Array, stopped: int = -1) -> Change:
        """What a run does where a joint has come to rest, is not held by others any more, or can stick no more.

        stopped   its number in the first two cases
        """
        after, names = self._decide(time, state, stopped)
        count = len(self.grips)
        return Change(after, tuple(names), dict.fromkeys(range(self.first, self.first + 2 * count), 1.0))

    # -- inside

    def _decide(self, time: float, state: Array, stopped: int = -1) -> tuple[Array, list[str]]:
        """The state in which each joint sticks or slips, and the names of what changed."""
        before = self._look(time, state)[0]
        rates = [now.rate for now in before]
        free = state.copy()
        free[self._sticks] = 0.0
        free[self._slips] = np.sign(rates)
        slow = [now.slow for now in self._look(time, free)[0]]
        sticks = state[self._sticks]
        leaves = {stopped} if stopped >= 0 and sticks[stopped] else set()
        which = [
            k
            for k, (rate, small) in enumerate(zip(rates, slow, strict=True))
            if k not in leaves and (k == stopped or sticks[k] or abs(rate) <= NEAR * small)
        ]
        after = free.copy()
        if which:
            after[self._slips.start + np.array(which)] = 0.0
            self._hold(time, after, which, np.array([before[k].small for k in which]))
        names = []
        for k, grip in enumerate(self.grips):
            stuck, sticks_now = bool(state[self._sticks][k]), bool(after[self._sticks][k])
            turned = not (stuck or sticks_now) and state[self._slips][k] * after[self._slips][k] < 0.0
            if stuck != sticks_now or turned:
                names.append(f"{grip.name} {'stick' if sticks_now else 'slip'}")
        return after, names

    def _hold(self, time: float, state: Array, which: list[int], least: Array) -> None:
        """Decides on the joints at rest, in a state in which these have no friction.

        least   forces that were round-off in the state before, for those that stuck
        """
        now, fastest = self._look(time, state)
        rest = self._rest(time, state, which, now)
        small = np.minimum(least, [now[k].small for k in which])
        sliding, sticking = (np.array([getattr(now[k], x) for k in which]) for x in ("sliding", "sticking"))
        still = STILL * (
            fastest * np.sum(np.abs(rest.gradients), axis=1) + np.abs(rest.matrix) @ np.maximum(sliding, sticking)
        )
        begun = np.zeros(len(which), bool)
        while True:
            limits = np.where(begun, sliding, sticking) + BEYOND * small
            found, held, slips = Box(rest.matrix, rest.starts, limits, small, rest.movable, still).solve()
            more = slips & ~begun & (sticking > sliding)
            if not more.any():
                break
            begun |= more
        ways = np.where(slips, -np.sign(found), 0.0)
        shares = np.where(sliding > 0.0, -found, 0.0) / np.where(sliding > 0.0, sliding, 1.0)
        places = np.array(which)
        state[self._slips.start + places] = np.where(slips, ways, np.where(held, 0.0, shares))
        state[self._sticks.start + places] = np.where(slips, 0.0, np.where(held, 1.0, 2.0))
        self._stop(state, rest)

    def _stop(self, state: Array, rest: _Rest) -> None:
        """Sets the rates of the joints at rest, which are round-off, to zero."""
        part = independent(rest.matrix, rest.movable)
        if part:
            for _ in range(2):
                v = state[self.layout.of_v]
                pushes = np.linalg.solve(rest.matrix[np.ix_(part, part)], -(rest.gradients[part] @ v))
                state[self.layout.of_v] = v + rest.responses[part].T @ pushes

    def _rest(self, time: float, state: Array, which: list[int], now: list[GripState]) -> _Rest:
        x, velocities = np.concatenate([[time], state]), self.layout.nv
        gradients, responses, movable = [], [], []
        found = np.empty(2 * velocities + 1 + self.formulation.impacts.rows)
        for k in which:
            weights = np.zeros(len(self.grips))
            weights[k] = 1.0
            self._pull(address(x), address(self.coefficients), address(weights), address(found))
            one = response(found.copy(), velocities)
            gradients.append(one.gradient)
            responses.append(one.x)
            movable.append(one.movable)
        g, r = np.array(gradients), np.array(responses)
        matrix = g @ r.T
        matrix = 0.5 * (matrix + matrix.T)
        return _Rest(which, g, r, matrix, np.array([now[k].acceleration for k in which]), np.array(movable))

    def _look(self, time: float, state: Array) -> tuple[list[GripState], float]:
        """The joints at a state, and the largest acceleration of any velocity."""
        count, width = len(self.grips), len(GripState._fields)
        x, found = np.concatenate([[time], state]), np.empty(count * width + self.layout.nv)
        self._look_at(address(x), address(self.coefficients), address(found))
        if not np.isfinite(found).all():
            raise ModelError(
                f"The accelerations are not finite at t = {time:.6g} s, where it has to be decided which joints stick."
            )
        states = [GripState(*row) for row in found[: count * width].reshape(count, width).tolist()]
        return states, float(np.max(np.abs(found[count * width :]), initial=0.0))


@dataclass(frozen=True, eq=False)
class Box:
    """min ½ pᵀ W p + a₀ᵀ p where |p| ≤ limits: the friction of joints at rest.

    small     forces that are round-off
    movable   whether rows let the joints move; where they do not, friction is without effect
    still     accelerations that are zero there, and where others hold a joint
    """

    matrix: Array
    starts: Array
    limits: Array
    small: Array
    movable: NDArray[np.bool_]
    still: Array

    def solve(self) -> tuple[Array, NDArray[np.bool_], NDArray[np.bool_]]:
        """p, which joints are held by their own friction, and which begin to slip. The others are held by these.

        A joint whose acceleration is not zero is stopped by its own friction, while those that hold theirs keep them at
        zero; friction that reaches its limit stays there. The function decreases with each round.
        """
        count, limits = len(self.starts), self.limits
        found, held = np.zeros(count), np.zeros(count, bool)
        for _ in range(ROUNDS * (count + 1)):
            a, others, yields, nothing = self._accelerations(found, held)
            wrong = ((a > nothing) & (found > -limits)) | ((a < -nothing) & (found < limits))
            wrong &= ~held
            if not wrong.any():
                break
            k = int(np.argmax(np.where(wrong, np.abs(a) / np.maximum(nothing, TINY), 0.0)))
            along = np.zeros(count)
            along[k] = -math.copysign(1.0, a[k])
            along[held] = along[k] * others[:, k]
            room = np.where(along > 0.0, limits - found, limits + found)
            with np.errstate(all="ignore"):
                steps = np.where(along != 0.0, np.maximum(room, 0.0) / np.abs(along), math.inf)
            step = abs(a[k]) / yields[k] if yields[k] > 0.0 else math.inf
            first = int(np.argmin(steps))
            if steps[first] <= step:
                found = found + steps[first] * along
                found[first] = math.copysign(limits[first], along[first])
                held[first] = False
            else:
                found = found + step * along
                held[k] = True
        else:
            raise ModelError(
                "The search for the joints that stick did not end; give their friction a positive slip_speed, or a "
                "different size."
            )
        slips = ~held & (np.abs(a) > nothing)
        for k in np.argsort(-np.diag(self.matrix), kind="stable").tolist():  # what is at rest sticks on its own
            if not (held[k] or slips[k]):
                held[k] = self._accelerations(found, held)[2][k] > 0.0
        return found, held, slips

    def _accelerations(self, found: Array, held: NDArray[np.bool_]) -> tuple[Array, Array, Array, Array]:
        """The accelerations; how the friction of joints that are held changes with that of each joint; how far this one
        then yields, zero if others hold it; and accelerations that are zero."""
        w = self.matrix
        own = np.diag(w)
        others: Array = np.zeros((0, len(w)))
        if held.any():
            others = np.asarray(np.linalg.solve(w[np.ix_(held, held)], -w[held]), float)
        yields = own + np.sum(w[held] * others, axis=0)
        yields = np.where(self.movable & (yields > DEPENDENT * own), yields, 0.0)
        nothing = np.where(yields > 0.0, NOTHING * self.small * yields, self.still)
        return self.starts + w @ found, others, yields, nothing


def independent(matrix: Array, movable: NDArray[np.bool_]) -> list[int]:
    """Joints whose responses are linearly independent, of which all others are combinations."""
    count = len(matrix)
    nothing = np.zeros(count)
    held = Box(matrix, nothing, nothing, nothing, movable, nothing).solve()[1]
    found: list[int] = np.flatnonzero(held).tolist()
    return found
