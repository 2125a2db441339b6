"""The search for a position at rest from a given position.

The mechanism moves as in a very viscous fluid: it follows its forces without gaining speed, M q̇ ~ Q − Jᵀ λ. Each step
is a Newton step damped by a multiple of the mass matrix (pseudo-transient continuation, Kelley and Keyes, 1998),

    (μ ZᵀMZ + ZᵀKZ) p = ZᵀQ,        δq = Z p,        after which all loops are closed again,

with μ large enough that the step leads downhill, and zero in the end, where the iteration becomes Newton's method.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import Positions, close, is_closed
from grashof.questions.equations import Array, FullState, QuestionEquations
from grashof.questions.linearised import LinearisedMotion, linearise

MOST = 1000
"""Largest number of steps."""

LONGEST = 0.2
"""The longest step, in lengths of the mechanism: natural coordinates are linear, rotations are not."""

SLOW = 1e-3
"""μ below this fraction of the largest ω² is set to zero, which leaves Newton's method."""

SINGULAR = 1e-12
"""Directions whose stiffness is a smaller fraction of the largest count as having none: no step is made along them."""

SETTLED = 1e-11
"""A Newton step shorter than this many lengths of the mechanism is the last."""

TINY = 1e-6
"""The work on a step shorter than this many lengths of the mechanism is lost in round-off."""

BALANCED = 1e-9
"""Forces are balanced if the remainder is a smaller fraction of the acting forces."""


class Descent:
    """The search, step by step.

    point         the present position
    multipliers   λ that balance the forces there as far as possible, N
    rest          the unbalanced remainder, (n,), N
    acting        the largest force seen so far, N
    taken         steps made so far
    """

    def __init__(self, equations: QuestionEquations, start: FullState) -> None:
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
    def largest_unbalanced_force(self) -> float:
        """The largest unbalanced force, N."""
        return float(np.max(np.abs(self.rest), initial=0.0))

    def settle(self) -> None:
        """Goes downhill until all forces are balanced; raises ModelError if no position at rest is found."""
        held = 0.0  # μ
        for _ in range(MOST):
            linear = self._linearise()
            lowest, highest = _curvatures(linear)
            step, left = self._towards_rest(linear, max(held, -2.0 * lowest))
            if self._is_rest(step, left):
                return
            slow = SLOW * max(highest, -lowest)
            if _size(step) > SETTLED * self.length and self._go(step, downhill=True):
                held = 0.25 * held if held > slow else 0.0
            else:
                # without any stiffness, the mass alone determines a step of the longest length
                push = np.linalg.solve(linear.mass, linear.directions.T @ self.rest)
                held = max(4.0 * held, slow, float(np.linalg.norm(push)) / (LONGEST * self.length))
        raise self._refusal()

    def solve(self) -> None:
        """Goes to a position at rest, stable or not, by Newton's method; raises ModelError if none is found."""
        for _ in range(MOST):
            step, left = self._towards_rest(self._linearise(), 0.0)
            if self._is_rest(step, left):
                return
            if not any(self._go(0.5**k * step, downhill=False) for k in range(10)):
                break
        raise self._refusal()

    def _is_rest(self, step: Array, left: Array) -> bool:
        """Whether the position is at rest: the next step and the forces that it would leave are both within rounding
        errors."""
        return _size(step) <= SETTLED * self.length and _size(left) <= BALANCED * self.acting

    def _arrive(self, point: FullState) -> None:
        """Balances the forces at a new point."""
        self.point = replace(point, turns=self.equations.turns(point.q, point.turns))
        self.multipliers, self.rest = self.equations.balance(point.t, point.q, self.point.turns)
        self.forces = self.rest + self.equations.jacobian(point.t, point.q, self.point.turns).T @ self.multipliers
        self.acting = max(self.acting, float(np.max(np.abs(self.forces), initial=0.0)))

    def _linearise(self) -> LinearisedMotion:
        return linearise(self.equations, self.point.at_rest(self.multipliers))

    def _towards_rest(self, linear: LinearisedMotion, held: float) -> tuple[Array, Array]:
        """Newton's step, damped by μ and not longer than LONGEST; and the forces that it leaves in directions
        without stiffness, N."""
        matrix, right = held * linear.mass + linear.stiffness, linear.directions.T @ self.rest
        p = np.linalg.lstsq(matrix, right, rcond=SINGULAR)[0]
        step, left = linear.directions @ p, linear.directions @ (right - matrix @ p)
        return step * min(1.0, LONGEST * self.length / max(_size(step), 1e-300)), left

    def _go(self, step: Array, downhill: bool) -> bool:
        """Makes the step if the forces do work along it or, for tiny steps and uphill, if they are better balanced
        after it."""
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
            f"Mechanism '{name}': no equilibrium was found near its start. After {self.taken} steps "
            f"{self.largest_unbalanced_force:.3g} N of {self.acting:.3g} N are not balanced, mostly along {label}. It "
            "may have none, for example if it falls freely or is driven continuously; otherwise start nearer to it."
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
