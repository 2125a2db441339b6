"""Velocities at the start: those of least kinetic energy with J v = −Φ_t and the needed rates; then the wanted rates
are met as far as possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from grashof.assembly.contradictions import Contradiction, find_contradiction
from grashof.common.errors import ModelError
from grashof.formulation.natural.closing import CLOSED
from grashof.formulation.natural.equations import Dynamics
from grashof.formulation.natural.velocities import Velocities
from grashof.model.contradictions import motor_against_need
from grashof.model.start import Condition
from grashof.scalar.algebra import product, solve_symmetric

HELD, IMPROVES, MOST = 1e-12, 0.9, 100
"""If the joints do not hold to the first number, relative to the largest speed, the velocities at the start are
improved as long as each round leaves at most the second number of the error; and the largest number of rounds. Near
singular positions, the error of the velocities is that of J v divided by the smallest singular value."""


def starting_velocities(
    dynamics: Dynamics, time: float, q: np.ndarray, turns: Sequence[float] = ()
) -> tuple[np.ndarray, float]:
    """v, and the largest error of J v = −Φ_t (m/s)."""
    start = dynamics.model.start
    velocities = Velocities(dynamics, time, q, turns)
    v = velocities.solve(np.zeros(dynamics.n), -velocities.slip)

    needed = [(need, *row) for need in start.needs for row in velocities.rate_rows(need)]
    wants = [(want, *row) for want in start.wants for row in velocities.rate_rows(want)]
    rows = np.array([row for _, row, _ in (*needed, *wants)]).reshape(-1, dynamics.n)
    rates = np.array([rate for _, _, rate in (*needed, *wants)], float)
    # the motion of least energy for each needed or wanted rate
    moves = velocities.solve(rows.T, np.zeros((len(velocities.slip), len(rows))))
    gains = product(rows, moves)
    k = len(needed)
    effort = solve_symmetric(gains[:k, :k], rates[:k] - product(rows[:k], v), 1e-10)
    v = v + product(moves[:, :k], effort)
    if wants:
        # wants may change only what the needs leave free
        share = solve_symmetric(gains[:k, :k], gains[:k, k:], 1e-10)
        left = moves[:, k:] - product(moves[:, :k], share)
        effort = solve_symmetric(product(rows[k:], left), rates[k:] - product(rows[k:], v), 1e-10)
        v = v + product(left, effort)

    def improved(v: np.ndarray) -> np.ndarray:
        change = velocities.solve(np.zeros(dynamics.n), -(velocities.row_rates(v) + velocities.slip))
        effort = solve_symmetric(gains[:k, :k], rates[:k] - product(rows[:k], v + change), 1e-10)
        return np.asarray(v + change + product(moves[:, :k], effort))

    missed = np.abs(velocities.row_rates(v) + velocities.slip)
    worst = float(np.max(missed, initial=0.0))
    for _ in range(MOST if worst > HELD * float(np.max(np.abs(v), initial=0.0)) else 0):
        better = improved(v)
        then = np.abs(velocities.row_rates(better) + velocities.slip)
        if not float(np.max(then)) <= IMPROVES * worst:
            break
        v, missed, worst = better, then, float(np.max(then))
    _check_rates(velocities, missed, np.abs(product(rows[:k], v) - rates[:k]), needed, v)
    return v, float(np.max(missed, initial=0.0))


def _check_rates(
    velocities: Velocities,
    missed: np.ndarray,
    missed_needs: np.ndarray,
    needed: Sequence[tuple[Condition, np.ndarray, float]],
    v: np.ndarray,
) -> None:
    model = velocities.dynamics.model
    asked = [abs(rate) for _, _, rate in needed]
    speed = max([float(np.max(np.abs(v), initial=0.0)), float(np.max(missed, initial=0.0)), *asked, 1e-300])
    off, off_needs = float(np.max(missed, initial=0.0)), float(np.max(missed_needs, initial=0.0))
    # near singular positions q is not known more accurately
    if not (off_needs > 1e-8 * speed or off > CLOSED**0.5 * speed):
        return
    reason = motor_against_need(model)
    found = None if reason else find_contradiction(velocities, -velocities.slip, needed)
    if found and found.needs:
        reason = _refuse_need(found, off_needs)
    elif found:
        reason = _refuse_motors(found, f"the velocities are inconsistent by {off:.3g} m/s at best")
    raise ModelError(
        f"Mechanism '{model.name}': "
        + (
            reason
            or "it starts so close to a singular position that its velocities cannot be determined. Start a little "
            "farther away from it."
        )
    )


def _refuse_need(found: Contradiction, off: float) -> str:
    need = found.needs[0]
    asked = f"the needed {_requested_rates(need)}, cannot be met"
    if found.blocked:
        return f"{asked}: {found.standstill}. Change a ratio, or remove one of them."
    others = found.parts(leave_out=need)
    if others == "the joints":
        return f"{asked}: at this position it contradicts the joints. Remove the need, or start elsewhere."
    missing = "" if need.rate is None else f" (off by {off:.3g} at best)"
    which = "them" if found.couplings or found.motors else "the needs"
    return f"{asked}: it contradicts {others}{missing}. Remove one of {which}."


def _refuse_motors(found: Contradiction, inconsistent: str) -> str:
    motors = Contradiction([], found.motors).parts()
    if found.blocked:
        return f"{motors} cannot move it: {found.standstill}. Change a ratio, or remove one of the couplings."
    if len(found.motors) > 1:
        together = Contradiction(found.couplings, []).parts()
        return (
            f"{motors} cannot move it together with {together}: {inconsistent}. Remove one of the motors or change its "
            "law."
        )
    if found.couplings:
        return f"{found.parts()} contradict each other: {inconsistent}. Remove one of them, or change its law."
    return (
        f"{motors} cannot move it: even without motors, the joints leave it no freedom here ({inconsistent}). Remove a "
        "joint, or use joints with more freedoms."
    )


def _requested_rates(need: Condition) -> str:
    if need.rate is not None:
        return f"rate of '{need.quantity}', {need.rate:g}"
    omega = ", ".join(f"{x:g}" for x in need.angular_velocity)
    return f"angular velocity of '{need.quantity}', ({omega}) rad/s in the axes of the {need.axes}"


def check_accelerations(
    dynamics: Dynamics, time: float, q: np.ndarray, v: np.ndarray, turns: Sequence[float] = ()
) -> None:
    """Redundant rows must also agree at the acceleration level: two motors may start alike and differ immediately
    afterwards."""
    if not dynamics.system.driving:
        return
    velocities = Velocities(dynamics, time, q, turns)
    gamma = np.array(dynamics.velocity_rows.bias(time, velocities.q, v.tolist(), turns, ()), float)
    a = velocities.solve(np.zeros(dynamics.n), gamma)
    off = float(np.max(np.abs(velocities.row_rates(a) - gamma), initial=0.0))
    if off > 1e-6 * max(float(np.max(np.abs(gamma))), 1e-300):
        found = find_contradiction(velocities, gamma) or Contradiction([], [x.owner for x in dynamics.system.driving])
        reason = _refuse_motors(found, f"the accelerations are inconsistent by {off:.3g} m/s² at best")
        raise ModelError(f"Mechanism '{dynamics.model.name}': {reason}")
