"""The time at which a motor reaches the limit of what the joints allow.

A mechanism that is driven by motors moves along q(t). Where a motor drives it to a dead centre, this curve turns back
in time: there is no position for later times, and speeds grow like 1/√(t* − t). At such a fold the rows are satisfied,
a combination λ of them loses its gradient with respect to q, but not that with respect to time:

    Φ(t, q) = 0,    J(t, q)ᵀ λ = 0,    |λ| = 1,    λᵀ Φ_t ≠ 0        for t, q and λ

which Newton's method solves from a position nearby. To second order, the positions near the fold satisfy

    ½ dᵀ H d + λᵀ Φ_t (t − t*) = 0,    d = q − q*,    H = λᵀ Φ_qq

so that the mechanism cannot pass if H, restricted to the directions with J d = 0, has the sign of λᵀ Φ_t. If the
position from which the fold was found satisfies this equation approximately, it is on the curve that leads to the fold.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from grashof.common.wording import join_words, quote_first
from grashof.formulation.natural.equations import Dynamics
from grashof.singular.scaled_constraints import CONVERGED, ITERATIONS, LONGEST, Scaled, least_squares_step

Array = NDArray[np.float64]

LIKE = 0.3
"""How well the position from which the fold was found has to satisfy the second-order equation, relative to the
terms of that equation."""

FLAT = 1e-6
"""Curvatures below this fraction of the largest are ignored: they belong to freedoms that the motor does not drive."""

FREE = 1e-6
"""Singular values of J below this belong to directions in which the mechanism can move at the fold."""

LEAST, SATISFIED = 1e-10, 1e-5
"""The terms of the second-order equation must exceed the first number, relative to the mechanism's length, and the
rows must be satisfied to the second number times these terms: at a fold only round-off is left of them, at a
narrowly missed singular position the distance by which it is missed."""

DRIVES = 0.3
"""A driving row is named if its contribution to λᵀ Φ_t is at least this fraction of the largest one."""


TURN_BACK = "Let the motor turn back before this position, or choose lengths with which the mechanism reaches farther."
"""The advice given where a motor cannot go on."""


@dataclass(frozen=True, eq=False)
class Fold:
    """The last position that a mechanism can reach: its time, s, its coordinates, m, a sentence about it, and
    advice."""

    time: float
    q: Array
    sentence: str
    advice: str = TURN_BACK


def fold_near(
    dynamics: Dynamics,
    t: float,
    q: Array,
    guess: tuple[float, Array],
    *,
    redundant: int,
    rate: float,
    turns: Array | None,
    forward: float = 1.0,
) -> Fold | None:
    """The fold to which the motion through q at time t leads; None if none is found, or if it is not certain that the
    motion ends there.

    guess       a time and a position near the fold
    redundant   number of rows that other rows imply at every position; that many are left out
    rate        how fast motors move the mechanism, in lengths of the mechanism per second
    turns       tracked angles, if rows may depend on their whole turns
    forward     −1 if the run goes backwards in time
    """
    n, length = dynamics.n, dynamics.length
    system = Scaled.around(dynamics, t, q, redundant, rate, turns)
    x = np.append(guess[1] / length, (guess[0] - t) / system.clock)
    weights = system.first_weights(x)
    for _ in range(ITERATIONS):
        errors, slopes, curvature = system.at(x, weights)
        m = len(slopes)
        matrix = np.zeros((m + n + 1, n + 1 + m))
        matrix[:m, : n + 1], matrix[m:-1, : n + 1] = slopes, curvature[:n]
        matrix[m:-1, n + 1 :], matrix[-1, n + 1 :] = slopes[:, :n].T, weights
        right = -np.concatenate([errors, slopes[:, :n].T @ weights, [0.5 * (weights @ weights - 1.0)]])
        if not np.all(np.isfinite(matrix)):
            return None
        step = least_squares_step(matrix, right)
        moved = float(np.max(np.abs(step)))
        step *= min(1.0, LONGEST / max(moved, 1e-300))
        x, weights = x + step[: n + 1], weights + step[n + 1 :]
        if moved < CONVERGED:
            break
    else:
        return None
    before = np.append(q / length, 0.0) - x
    if not before[n] * forward < 0.0:
        return None  # it is in the past
    slopes = system.slopes(x)
    u, s, vt = np.linalg.svd(slopes[:, :n])
    rank = int(np.sum(s > FREE))
    # if several combinations lose their gradients at once, as in symmetric linkages, the one with the largest pull of
    # the motors
    weights = u[:, rank:] @ (u[:, rank:].T @ slopes[:, n])
    size = float(np.linalg.norm(weights))
    if not size > 0.0:
        return None
    weights /= size
    errors, curvature = system.errors(x), system.curvature(x, weights)[:n, :n]
    pulls = slopes[:, n] * weights
    pull = float(np.sum(pulls))
    # next to a singular position that is narrowly missed there is no fold, but the rows are nearly satisfied
    along = abs(pull * before[n])
    if not (along > LEAST and float(np.max(np.abs(errors))) < SATISFIED * along):
        return None
    if not _turns_back(vt[rank:], curvature, pull * forward):
        return None
    across = 0.5 * float(before[:n] @ curvature @ before[:n])
    if not abs(across + pull * before[n]) <= LIKE * along:
        return None
    time, place = system.located(x)
    driving = system.chosen[np.abs(pulls) > DRIVES * np.max(np.abs(pulls))]
    return Fold(time, place, _in_words(system, time, [int(k) for k in driving]))


def _turns_back(free: Array, curvature: Array, pull: float) -> bool:
    """Whether there is no position beyond the fold: all curvatures along free directions are zero or have the sign
    of the pull."""
    curvatures = np.sign(pull) * np.linalg.eigvalsh(free @ curvature @ free.T)
    largest = float(np.max(np.abs(curvatures), initial=0.0))
    return largest > 0.0 and bool(np.all(curvatures > -FLAT * largest))


def _in_words(system: Scaled, time: float, driving: Sequence[int]) -> str:
    """A sentence that names the motors that cannot go on, and the values of their quantities there."""
    model = system.dynamics.model
    motors, owners = {motor.name: motor for motor in model.motors}, system.dynamics.system.owners
    names = list(dict.fromkeys(owners[k] for k in driving))
    limits = []
    for motor in (motors[name] for name in names if name in motors):
        measure = model.quantities.get(motor.target)
        if measure is None:
            continue
        turns = system.turns_at(time) if motor.integrates and system.turns is not None else None
        so_far = None if turns is None else turns[system.dynamics.system.tracked.index(motor.target)]
        limits.append(f"{motor.target} = {float(motor.value(time, so_far)):.6g} {measure.unit}")
    kind = "motor" if all(name in motors for name in names) else "coupling"
    one = len(names) == 1
    subject = (
        f"{kind.capitalize()}{'' if one else 's'} {quote_first([name.removeprefix('motor ') for name in names])} "
        f"{'reaches' if one else 'reach'} a dead centre at t = {time:.9g} s"
    )
    return f"{subject}{', ' + join_words(limits) if limits else ''}: the joints allow no position beyond it."
