"""Impacts with friction, as problems of impulses alone.

With the impulses Λ = (Λ_n, Λ_t) of all contacts that touch, the velocities γ = (γ_n, γ_t) there change by

    γ⁺ = γ⁻ + W Λ,        W = G M⁻¹ Gᵀ

as far as joints allow. Newton's law of restitution with Coulomb's law for the impulses (J. J. Moreau, 1988; Ch.
Glocker, Dynamik von Starrkörpersystemen mit Reibung und Stößen, 1995) asks of each of them

    0 ≤ Λ_n ⊥ γ_n⁺ + e γ_n⁻ ≥ 0,        |Λ_t| ≤ μ Λ_n,  Λ_t = −μ Λ_n sign(γ_t⁺) where it slips at the end.

Poisson's law follows a single contact through the impact (E. J. Routh, 1877; Y. Wang, M. T. Mason, J. Appl. Mech. 59,
1992): with the normal impulse p as time, dΛ_t = −μ sign(γ_t) dp while it slips; it may come to stick, or reverse. The
compression ends where γ_n = 0, at p_c, and the impact at p = (1 + e) p_c.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

SMALL = 1e-9
"""Velocities and impulses below this fraction of the largest ones are zero."""

APART = 1e-6
"""Solutions differ if their velocities differ by more than this fraction of the largest one."""

DEPENDENT = 1e-9
"""Rows depend on each other if the smallest eigenvalue of their W, scaled to a unit diagonal, is below this."""

ROUNDS = 2000
"""Largest number of turns in a sequence of single impacts."""

PHASES = 20
"""More phases than an impact at a single contact has."""


def newton_impacts(w: Array, before: Array, mu: Sequence[float], restitution: Sequence[float]) -> list[Array]:
    """All impulses (Λ_n, Λ_t for each contact) that satisfy Newton's and Coulomb's laws, with different velocities
    after them.

    w        W, (2k, 2k): rows n and t for each contact
    before   γ⁻, (2k,)
    """
    speed = float(np.max(np.abs(before), initial=0.0))
    found: list[Array] = []
    for kinds in product(*(("slips +", "slips -", "sticks", "leaves") if x else ("touches", "leaves") for x in mu)):
        impulses = _impulses(w, before, mu, restitution, kinds)
        if impulses is None or not _obeys(w, before, mu, restitution, kinds, impulses, SMALL * speed):
            continue
        after = w @ impulses
        if all(np.max(np.abs(after - w @ other)) > APART * speed for other in found):
            found.append(impulses)
    return found


def _impulses(
    w: Array, before: Array, mu: Sequence[float], restitution: Sequence[float], kinds: Sequence[str]
) -> Array | None:
    """The impulses if every contact does what it is assumed to do; None if they are not determined."""
    columns, rows, right = [], [], []
    for i, kind in enumerate(kinds):
        n, t = 2 * i, 2 * i + 1
        if kind == "leaves":
            continue
        column = np.zeros(len(before))
        column[n] = 1.0
        if kind.startswith("slips"):
            column[t] = -_sign(kind) * mu[i]
        columns.append(column)
        rows.append(n)
        right.append(-restitution[i] * min(before[n], 0.0) - before[n])
        if kind == "sticks":
            columns.append(np.eye(len(before))[t])
            rows.append(t)
            right.append(-before[t])
    if not columns:
        return np.zeros(len(before))
    basis = np.array(columns).T
    matrix, wanted = w[rows] @ basis, np.array(right)
    unknown = np.linalg.lstsq(matrix, wanted, rcond=SMALL)[0]
    missed = np.max(np.abs(matrix @ unknown - wanted))
    return basis @ unknown if missed <= SMALL * np.max(np.abs(before)) else None


def _obeys(
    w: Array,
    before: Array,
    mu: Sequence[float],
    restitution: Sequence[float],
    kinds: Sequence[str],
    impulses: Array,
    small: float,
) -> bool:
    """Whether impulses satisfy the inequalities."""
    after, tiny = before + w @ impulses, SMALL * float(np.max(np.abs(impulses), initial=0.0))
    for i, kind in enumerate(kinds):
        n, t = 2 * i, 2 * i + 1
        if kind == "leaves":
            if after[n] < -restitution[i] * min(before[n], 0.0) - small:
                return False
        elif (
            impulses[n] < -tiny
            or (kind == "sticks" and abs(impulses[t]) > mu[i] * impulses[n] + tiny)
            or (kind.startswith("slips") and _sign(kind) * after[t] < -small)
        ):
            return False
    return True


def _sign(kind: str) -> float:
    return 1.0 if kind.endswith("+") else -1.0


def poisson_impact(w: Array, before: Array, mu: float, restitution: float) -> Array | None:
    """The impulses (Λ_n, Λ_t) of a single contact by Poisson's law; None if the contact never opens."""
    end = np.inf
    impulses, velocity = np.zeros(2), np.array(before)
    speed = float(np.max(np.abs(before)))
    for _ in range(PHASES):
        slips = abs(velocity[1]) > SMALL * speed
        share = _friction_share(w, mu, float(np.sign(velocity[1])) if slips else 0.0)
        rate = w @ np.array([1.0, share])
        steps = [end - impulses[0]]
        if end == np.inf and rate[0] > 0.0:
            steps.append(-velocity[0] / rate[0])
        if slips and velocity[1] * rate[1] < 0.0:
            steps.append(-velocity[1] / rate[1])
        step = min(steps)
        if step == np.inf:
            return None
        impulses += step * np.array([1.0, share])
        velocity = before + w @ impulses
        if end == np.inf and velocity[0] >= -SMALL * speed:
            end = (1.0 + restitution) * impulses[0]
        if impulses[0] >= end:
            return impulses
    return None


def _friction_share(w: Array, mu: float, slip: float) -> float:
    """dΛ_t/dp of a contact that slips in a direction; if it does not slip, of one that sticks if it can, or else begins
    to slip."""
    if slip:
        return -mu * slip
    sticking = -w[1, 0] / w[1, 1]
    return float(np.clip(sticking, -mu, mu))


def impact_sequence(
    w: Array, before: Array, mu: Sequence[float], restitution: Sequence[float], order: Sequence[int]
) -> Array | None:
    """The impulses of single impacts, in turn at each contact of an order that is approached, until none is; None if
    they do not end. The contacts that are not in the order rest, and take part in every impact.

    Two corners of a slender body hit each other's velocities back, so that the velocities of both fade like a
    geometric sequence, whose sum is known once its ratio is.
    """
    rests = [i for i in range(len(mu)) if i not in order]
    small = SMALL**2 * float(np.max(np.abs(before)))
    total, last, velocity = np.zeros(len(before)), np.zeros(len(before)), np.array(before)
    for _ in range(ROUNDS):
        turn = np.zeros(len(before))
        for i in order:
            if velocity[2 * i] >= -small:
                continue
            chosen = [i, *rests]
            rows = [row for k in chosen for row in (2 * k, 2 * k + 1)]
            found = newton_impacts(
                w[np.ix_(rows, rows)], velocity[rows], [mu[k] for k in chosen], [restitution[k] for k in chosen]
            )
            if len(found) != 1:
                return None
            turn[rows] += found[0]
            velocity = velocity + w[:, rows] @ found[0]
        total = total + turn
        size = float(np.max(np.abs(turn)))
        if not size:
            return total
        ratio = float(turn @ last) / float(last @ last) if last.any() else 1.0
        if 0.0 < ratio < 1.0 and np.max(np.abs(turn - ratio * last)) <= SMALL * size:
            rest = turn * (ratio / (1.0 - ratio))
            after = velocity + w @ rest
            if np.all(after[1::2] * velocity[1::2] >= 0.0):  # every contact slips in its direction to the end
                return total + rest
        last = turn
    return None


def dependent(w: Array, rows: Sequence[int]) -> bool:
    """Whether some of these rows depend on each other."""
    if not rows:
        return False
    part = w[np.ix_(rows, rows)]
    size = np.sqrt(np.maximum(np.diag(part), 1e-300))
    return bool(np.linalg.eigvalsh(part / np.outer(size, size))[0] < DEPENDENT)
