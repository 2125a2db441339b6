"""The way from a position of a mechanism to one at rest.

The mechanism is let go as in honey: it follows its forces without gaining speed, M q̇ ~ Q − Jᵀ λ. Each step is one of Newton's method held
back by a multiple of the mass (pseudo-transient continuation, Kelley and Keyes, 1998),

    (μ ZᵀMZ + ZᵀKZ) p = ZᵀQ,        δq = Z p,        then all loops are closed again,

with μ so large that it does not lead uphill, and zero in the end, where the iteration is Newton's own.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grashof.analysis.closing import Positions, close, is_closed
from grashof.errors import ModelError
from grashof.questions.equations import Array, Equations, FullState
from grashof.questions.linearised import LinearisedMotion, linearise

MOST = 1000
"""Steps that are tried."""

LONGEST = 0.2
"""The longest step, in lengths of the mechanism: natural coordinates are linear, rotations are not."""

SLOW = 1e-3
"""μ below this part of the largest ω² is zero: what is left is Newton's method."""

SINGULAR = 1e-12
"""Directions whose stiffness is a smaller fraction of the largest have none: no step is made along them."""

SETTLED = 1e-11
"""A Newton step shorter than this many lengths of the mechanism is the last."""

TINY = 1e-6
"""The work on a step shorter than this many lengths of the mechanism is lost in round-off."""

BALANCED = 1e-9
"""Forces are balanced if what is left is a smaller fraction of those that act."""


class Descent:
    """A position on its way to rest.

    point         where it is now
    multipliers   λ that bear as much of the forces there as they can, N
    rest          what they cannot bear, (n,), N
    acting        the largest force seen so far, N
    taken         steps made so far
    """

    def __init__(self, equations: Equations, start: FullState) -> None:
        self.equations = equations
        self.length = equations.system.length
        self.acting = max((abs(x) for x in equations.system.gravity.terms.values()), default=0.0)
        self.taken = 0
        self._arrive(replace(start, q=close(equations.positions(start.t, start.turns), start.q)[0]))

    @property
    def positions(self) -> Positions:
        """The constraint rows here."""
        return self.equations.positions(self.point.t, self.point.turns)

    @property
    def unbalanced(self) -> float:
        """The largest force that nothing balances, N."""
        return float(np.max(np.abs(self.rest), initial=0.0))

    def settle(self) -> None:
        """Goes downhill until all forces are balanced; raises ModelError where no rest is found."""
        held = 0.0  # μ
        for _ in range(MOST):
            linear = self._linearised()
            lowest, highest = _curvatures(linear)
            step, left = self._towards_rest(linear, max(held, -2.0 * lowest))
            if self._is_rest(step, left):
                return
            slow = SLOW * max(highest, -lowest)
            if _size(step) > SETTLED * self.length and self._go(step, downhill=True):
                held = 0.25 * held if held > slow else 0.0
            else:
                # where nothing is stiff, the mass alone makes a step of the longest length
                push = np.linalg.solve(linear.mass, linear.directions.T @ self.rest)
                held = max(4.0 * held, slow, float(np.linalg.norm(push)) / (LONGEST * self.length))
        raise self._refusal()

    def solve(self) -> None:
        """Goes to a position at rest by Newton's method, be it stable or not; raises ModelError where none is found."""
        for _ in range(MOST):
            step, left = self._towards_rest(self._linearised(), 0.0)
            if self._is_rest(step, left):
                return
            if not any(self._go(0.5**k * step, downhill=False) for k in range(10)):
                break
        raise self._refusal()

    def _is_rest(self, step: Array, left: Array) -> bool:
        """Whether the position is at rest: what a step would balance is round-off of positions, what it would not is round-off of forces."""
        return _size(step) <= SETTLED * self.length and _size(left) <= BALANCED * self.acting

    def _arrive(self, point: FullState) -> None:
        """Balances the forces at a new point."""
        self.point = replace(point, turns=self.equations.turns(point.q, point.turns))
        self.multipliers, self.rest = self.equations.balance(point.t, point.q, self.point.turns)
        self.forces = self.rest + self.equations.jacobian(point.t, point.q, self.point.turns).T @ self.multipliers
        self.acting = max(self.acting, float(np.max(np.abs(self.forces), initial=0.0)))

    def _linearised(self) -> LinearisedMotion:
        return linearise(self.equations, self.point.at_rest(self.multipliers))

    def _towards_rest(self, linear: LinearisedMotion, held: float) -> tuple[Array, Array]:
        """Newton's step, held back by μ, and not longer than LONGEST; and the forces that it leaves, since nothing is stiff there, N."""
        matrix, right = held * linear.mass + linear.stiffness, linear.directions.T @ self.rest
        p = np.linalg.lstsq(matrix, right, rcond=SINGULAR)[0]
        step, left = linear.directions @ p, linear.directions @ (right - matrix @ p)
        return step * min(1.0, LONGEST * self.length / max(_size(step), 1e-300)), left

    def _go(self, step: Array, downhill: bool) -> bool:
        """Goes there if forces do work on the way, or else only if they are better balanced there."""
        before, forces, unbalanced, acting = self.point, self.forces, float(np.linalg.norm(self.rest)), self.acting
        positions = self.positions
        q, _, error = close(positions, before.q + step)
        if is_closed(positions, error):
            self._arrive(replace(before, q=q))
            work = float((forces + self.forces) @ (q - before.q))
            better = float(np.linalg.norm(self.rest)) < unbalanced
            if work > 0.0 if downhill and _size(step) > TINY * self.length else better:
                self.taken += 1
                return True
        self._arrive(before)
        self.acting = acting
        return False

    def _refusal(self) -> ModelError:
        name, label = self.equations.system.model.name, self.equations.system.labels[int(np.argmax(np.abs(self.rest)))]
        return ModelError(
            f"Mechanism '{name}': no position at rest was found near its start. After {self.taken} steps {self.unbalanced:.3g} N "
            f"of {self.acting:.3g} N are not balanced, most along {label}. It may have none, as what falls or is driven on has; else "
            "start nearer to it."
        )


def _curvatures(linear: LinearisedMotion) -> tuple[float, float]:
    """The smallest and the largest ω² of the symmetric part of the stiffness, 1/s²."""
    if not len(linear.mass):
        return 0.0, 0.0
    half = np.linalg.inv(np.linalg.cholesky(linear.mass))
    values = np.linalg.eigvalsh(half @ (0.5 * (linear.stiffness + linear.stiffness.T)) @ half.T)
    return float(values[0]), float(values[-1])


def _size(step: Array) -> float:
    return float(np.max(np.abs(step), initial=0.0))
