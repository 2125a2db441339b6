"""Whether a mechanism that comes near a singular position can reach it.

At a critical point some combination λ of the rows has no gradient: Jᵀ λ = 0. If all rows vanish there, the point is a
node of the constraint set, where branches cross. If they do not, but λᵀ Φ = g, then the branch is a hyperbola that
turns away at a distance of about √g and misses the singular position. From a distance both look alike; the gap g
distinguishes them. The critical point nearest to a position solves

    Φ(x) = g λ,    J(x)ᵀ λ = 0,    |λ| = 1        for x, λ and g

with rows of unit length, where x is q and, if there are motors, time. It is found by Newton's method with least-squares
steps, because critical points of a mechanism with several degrees of freedom are not isolated.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.formulation.natural.equations import Dynamics
from grashof.singular.curve_motion import CurveMotion
from grashof.singular.curves import Continuation, Unknown, continuation
from grashof.singular.folds import Fold, fold_near
from grashof.singular.passages import Passages
from grashof.singular.scaled_constraints import CONVERGED, ITERATIONS, LONGEST, Scaled, least_squares_step
from grashof.tape import Library

Array = NDArray[np.float64]

NODE = 1e-13
"""Gaps up to this fraction of the mechanism's length are round-off: the critical point is then a node."""

REACH = 50.0
"""A critical point is near if no coordinate differs from it by more than this many lengths times the smallest
singular value."""


FREE = 1e-6
"""Singular values of the rows below this belong to directions in which the mechanism can move at a critical point."""

DISTINCT = 1e-4
"""Branches cross at an angle if −det H exceeds this fraction of |H|²; where they touch, det H is zero."""


@dataclass(frozen=True, eq=False)
class Critical:
    """A critical point: its time, its coordinates, m, and the violation of the rows there, m.

    simple   whether branches that meet there cross at an angle, so that their velocities differ
    """

    time: float
    q: Array
    gap: float
    simple: bool


class Surroundings(Passages):
    """The constraints around the states y = [q, v, …] of a run in natural coordinates (see `Passages`)."""

    def __init__(self, dynamics: Dynamics, redundant: int, library: Library | None = None) -> None:
        super().__init__(dynamics, redundant, library)
        self.dynamics = dynamics

    def critical_point(self, t: float, y: Array, ahead: float) -> Critical | None:
        """The critical point near a state, if any, which the state reaches after a time `ahead` if it continues at
        its present rate."""
        length = self.dynamics.length
        q, v = y[self.dynamics.layout.of_q], y[self.dynamics.layout.of_v]
        rate = float(np.max(np.abs(v))) / length if self.driven else 0.0
        reach = REACH * length * float(self.distances(np.array([t]), y[None])[0])
        for later in (ahead, 0.0):
            place = q + later * v
            found = critical_point(
                self.dynamics,
                t + later,
                place,
                redundant=self.redundant,
                rate=rate,
                turns=y[self.dynamics.layout.of_angles],
            )
            if found is not None and float(np.max(np.abs(found.q - place))) <= reach:
                return found
        return None

    def continuation(self, t: float, y: Array, forward: float) -> Continuation | None:
        """The configuration curve through the singular position ahead of a state; None if there is none. Raises
        `Unknown` if it is not certain, or if more than the forces along it and the other constraints determines the
        motion."""
        layout = self.dynamics.layout
        found = continuation(
            self.dynamics, t, y[layout.of_q], y[layout.of_v], forward, self.redundant, y[layout.of_angles]
        )
        if found is not None and (self.dynamics.bearings or np.any(y[layout.of_resting])):
            raise Unknown
        return found

    def motion_along(self, curve: Continuation) -> CurveMotion:
        """The equations of motion on a configuration curve."""
        return CurveMotion(self.dynamics, curve)

    def fold(self, t: float, y: Array, left: float) -> Fold | None:
        """The fold near a state, if any, beyond which motors cannot drive the mechanism.

        left   the time after which the distance from singular would vanish if it kept falling at its present rate; as
               it falls like √(t* − t), t* is reached after half of that
        """
        system, layout = self.dynamics.system, self.dynamics.layout
        q, v = y[layout.of_q], y[layout.of_v]
        speed = float(np.max(np.abs(v), initial=0.0))
        if not self.driven or not speed > 0.0:
            return None
        for guess in ((t + 0.5 * left, q + left * v), (t, q)):
            found = fold_near(
                self.dynamics,
                t,
                q,
                guess,
                redundant=self.redundant,
                rate=speed / system.length,
                turns=y[layout.of_angles],
                forward=float(np.sign(left)),
            )
            if found is not None:
                return found
        return None


def critical_point(
    dynamics: Dynamics, t: float, q: Array, *, redundant: int, rate: float, turns: Array | None = None
) -> Critical | None:
    """The critical point to which Newton's method converges from q at time t; None if it does not converge.

    redundant   number of rows that other rows imply at every position; that many are left out
    rate        how fast motors move the mechanism, in lengths of the mechanism per second; 0 without motors
    turns       tracked angles, if rows may depend on their whole turns
    """
    system = Scaled.around(dynamics, t, q, redundant, rate, turns)
    x = np.zeros(system.size)
    x[: dynamics.n] = q / dynamics.length
    weights, gap = system.first_weights(x), 0.0
    for _ in range(ITERATIONS):
        errors, slopes, curvature = system.at(x, weights)
        m, size = slopes.shape
        matrix = np.zeros((m + size + 1, size + m + 1))
        matrix[:m, :size], matrix[:m, size:-1], matrix[:m, -1] = slopes, -gap * np.eye(m), -weights
        matrix[m:-1, :size], matrix[m:-1, size:-1] = curvature, slopes.T
        matrix[-1, size:-1] = weights
        right = np.concatenate([gap * weights - errors, -slopes.T @ weights, [0.5 * (1.0 - weights @ weights)]])
        if not np.all(np.isfinite(matrix)):
            return None
        step = least_squares_step(matrix, right)
        moved = float(np.max(np.abs(step[:-1])))
        step *= min(1.0, LONGEST / max(moved, 1e-300))
        x, weights, gap = x + step[:size], weights + step[size:-1], gap + float(step[-1])
        if moved < CONVERGED:
            time, place = system.located(x)
            return Critical(time, place, abs(gap) * dynamics.length, _is_simple(*system.at(x, weights)[1:]))
    return None


def _is_simple(slopes: Array, curvature: Array) -> bool:
    """Whether two branches that meet at a critical point have different tangents there: the roots of dᵀ H d = 0
    among the free directions d."""
    _, s, vt = np.linalg.svd(slopes)
    free = vt[int(np.sum(s > FREE)) :]
    form = free @ curvature @ free.T
    if len(free) != 2:
        return True
    return bool(form[0, 1] * form[1, 0] - form[0, 0] * form[1, 1] > DISTINCT * float(np.sum(form * form)))
