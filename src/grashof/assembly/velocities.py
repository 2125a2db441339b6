"""Velocities at the start: those of least kinetic energy with J v = −Φ_t and the needed rates; then the wanted rates
are met as far as possible."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
    needs = [need for need, _, _ in needed]
    _check_rates(velocities, missed, np.abs(product(rows[:k], v) - rates[:k]), needs, np.abs(rates[:k]), v)
    return v, float(np.max(missed, initial=0.0))


def _check_rates(
    velocities: Velocities,
    missed: np.ndarray,
    missed_needs: np.ndarray,
    needs: list[Condition],
    needed: np.ndarray,
    v: np.ndarray,
) -> None:
    dynamics = velocities.dynamics
    system = dynamics.system
    speed = max([float(np.max(np.abs(v), initial=0.0)), float(np.max(missed, initial=0.0)), *needed, 1e-300])
    unmet = max(np.max(missed_needs, initial=0.0) / 1e-8, np.max(missed, initial=0.0) / CLOSED**0.5) > speed
    if unmet and (against := motor_against_need(system.model)):
        raise ModelError(f"Mechanism '{system.model.name}': {against}")
    if np.max(missed_needs, initial=0.0) > 1e-8 * speed:
        worst = needs[int(np.argmax(missed_needs))]
        asked, missing = (
            _requested_rates(worst),
            "" if worst.rate is None else f" (off by {np.max(missed_needs):.3g} at best)",
        )
        raise ModelError(
            f"Mechanism '{system.model.name}': the needed {asked}, contradicts the joints, the motors or "
            f"another needed rate{missing}. Remove one of them."
        )
    if np.max(missed, initial=0.0) > CLOSED**0.5 * speed:  # near singular positions q is not known more accurately
        off = f"the velocities are inconsistent by {np.max(missed):.3g} m/s at best"
        if not system.driving:
            reason = (
                "it starts so close to a singular position that its velocities cannot be determined. Start a "
                "little farther away from it."
            )
        elif velocities.can_move_undriven:
            reason = (
                f"{_motors(dynamics)} cannot move it together with the joints: {off}. Remove one of the motors or "
                "change its law."
            )
        else:
            reason = (
                f"{_motors(dynamics)} cannot move it: even without motors, the joints leave it no freedom here "
                f"({off}). Remove a joint, or use joints with more freedoms."
            )
        raise ModelError(f"Mechanism '{system.model.name}': {reason}")


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
    rest = np.abs(velocities.row_rates(a) - gamma)
    if np.max(rest, initial=0.0) > 1e-6 * max(float(np.max(np.abs(gamma))), 1e-300):
        raise ModelError(
            f"Mechanism '{dynamics.model.name}': {_motors(dynamics)} require accelerations that contradict each other; "
            "remove one or change its law."
        )


def _motors(dynamics: Dynamics) -> str:
    names = [f"'{row.owner}'" for row in dynamics.system.driving]
    return ("the motor " if len(names) == 1 else "the motors ") + " and ".join(names)
