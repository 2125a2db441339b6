"""Starts at singular positions: several branches of motion meet there, and the velocities have to select one.

At a singular position there are combinations w of the equations with wᵀ J = 0 that do not exist at nearby positions.
More velocities then satisfy J v = −Φ_t than belong to a motion: an acceleration with J a = γ(v) exists only under the
second-order condition

    wᵀ γ(v) = 0      for every such w,

which is quadratic in v; its solutions are the tangents of the branches (Müller, Multibody System Dynamics 8, 2002).
Near such a v it is linear: among the u with J u = 0, those with wᵀ J̇(v) u = 0 follow the branch of v, and the others
depart from it.
"""

from __future__ import annotations

import numpy as np

from grashof.common.errors import ModelError
from grashof.common.wording import SHOWN, some
from grashof.formulation.natural.closing import CLOSED, DEPENDENT, LARGEST, Positions, close, freedom_nearby, is_closed
from grashof.formulation.natural.equations import UNHELD, Dynamics
from grashof.formulation.protocol import Formulation
from grashof.scalar.jet import Jet

AT_REST = 1e-12
"""Speeds below this, in lengths of the mechanism per second, count as rest."""

NEAR = 0.03
"""A position is nearly singular if the smallest singular value of the rows, scaled to unit length, is below this."""

NEARBY, ROUGHLY = 10.0 * UNHELD, 0.25
"""A turning point is not near a singular position if the smallest singular value exceeds the first number plus the
second number times the distance to the nearest step, relative to the mechanism's length: its place was estimated
with constant accelerations."""

AHEAD = 0.01
"""How far ahead to look along the velocities, relative to the mechanism's length."""

ADMISSIBLE = 10.0 * CLOSED**0.5
"""Largest admissible wᵀ γ, relative to speed²/length: along singular directions positions are known only to √CLOSED,
and this is ten times that."""


MANY_ROWS, SQUARED = 32, 1e-3
"""Singular values of at least this many rows, if they exceed the second number, are the roots of the eigenvalues of
J Jᵀ, which takes less than half the time. An eigenvalue has an error of about 1e-16 per row, hence its root σ one of
1e-16/2σ per row: 1e-11 at most."""


def freedom_along(positions: Positions, q: np.ndarray, v: np.ndarray) -> int:
    """Degrees of freedom of the motion that begins at q with velocities v; raises ModelError if they do not
    determine a motion."""
    dependencies = positions.dependencies(q)
    freedom, nearby = positions.freedom(q), _freedom_around(positions, q, dependencies)
    if freedom == nearby:
        return freedom
    degrees = "1 degree" if freedom == 1 else f"{freedom} degrees"
    start = (
        f"Mechanism '{positions.dynamics.model.name}' starts exactly at a singular position: "
        f"it has {degrees} of freedom there and {nearby} nearby"
    )
    rates = "a rate" if freedom == 1 else f"the rates of {freedom} quantities"
    advice = f"Need {rates} consistent with one branch of motion, or start slightly away from this position."
    if nearby == 0 and not positions.dynamics.system.driving:
        advice = (
            "It can begin to move, but no other position near this one satisfies its joints: it is a "
            "structure, and no rate makes it move. "
            "Make a link slightly longer if it is to move; fix its bodies to the ground if it is not."
        )
    if np.max(np.abs(v)) > AT_REST * positions.length:
        there, ahead = position_ahead(positions, q, v)
        contradiction = _contradiction(positions, q, v, dependencies)
        if contradiction or not is_closed(there, float(np.max(np.abs(there.errors(ahead))))):
            reason = contradiction or "no position was found along them"
            raise ModelError(f"{start}, and no motion has the given initial velocities: {reason}. {advice}")
        freedom -= _parting(positions, q, v, dependencies, clock=1.0)
        nearby = _freedom_around(there, ahead, there.dependencies(ahead))
    if freedom > nearby:
        directions = "1 direction" if freedom == nearby + 1 else f"{freedom - nearby} directions"
        raise ModelError(f"{start}, so its motion is not determined in {directions}. {advice}")
    return freedom


def position_ahead(positions: Positions, q: np.ndarray, v: np.ndarray) -> tuple[Positions, np.ndarray]:
    """The equations a little later, and the position reached by then with velocities v, which must not be zero."""
    step = AHEAD * positions.length / float(np.max(np.abs(v)))
    there = Positions(positions.dynamics, positions.time + step, turns=positions.turns)
    return there, close(there, q + step * v)[0]


def least_singular_values(dynamics: Formulation, t: np.ndarray, q: np.ndarray, redundant: int) -> np.ndarray:
    """The smallest singular values at positions q (k, n) and times t (k,), for rows of unit length, not counting those
    of `redundant` rows.

    1 if there are too many rows to compute them.
    """
    count = dynamics.rows.count
    if not redundant < count <= LARGEST:
        return np.ones(len(q))
    rows, least = _unit_rows(dynamics, t, q), np.zeros(len(q))
    if count >= MANY_ROWS:
        squares = np.linalg.eigvalsh(rows @ rows.swapaxes(1, 2))[:, redundant]
        least = np.sqrt(np.maximum(squares, 0.0))
    small = least < SQUARED
    least[small] = np.linalg.svd(rows[small], compute_uv=False)[:, count - redundant - 1]
    return least


def are_farther(dynamics: Dynamics, t: np.ndarray, q: np.ndarray, redundant: int, distances: np.ndarray) -> np.ndarray:
    """Whether the smallest singular values exceed `distances` (k,). If all do, J Jᵀ − d² has Cholesky factors, which is
    faster to find out than the values themselves."""
    count = dynamics.rows.count
    if len(q) and redundant == 0 < count <= LARGEST:
        rows = _unit_rows(dynamics, t, q)
        try:
            np.linalg.cholesky(rows @ rows.swapaxes(1, 2) - np.square(distances)[:, None, None] * np.eye(count))
        except np.linalg.LinAlgError:
            pass
        else:
            return np.ones(len(q), bool)
    return least_singular_values(dynamics, t, q, redundant) > distances


def _unit_rows(dynamics: Formulation, t: np.ndarray, q: np.ndarray) -> np.ndarray:
    """J with rows of unit length, (k, rows, n)."""
    rows = dynamics.jacobians(t, q)
    sizes = np.linalg.norm(rows, axis=2, keepdims=True)
    return np.asarray(rows / np.where(sizes > 0.0, sizes, 1.0))


def near_singular(positions: Positions, q: np.ndarray, redundant: int) -> str:
    """A sentence about the singular position at or near q, if there is one; `redundant` rows are redundant
    everywhere."""
    if positions.dynamics.rows.count > LARGEST:
        return ""  # the singular values of so many rows would take longer than the run
    rows = positions.unit_rows(q)[0]
    u, s, _ = np.linalg.svd(rows)
    small = int(np.sum(s < NEAR)) + max(0, len(rows) - len(s)) - redundant
    if small <= 0:
        return ""
    first = len(rows) - redundant - small
    shares = np.max(np.abs(u[:, first : first + small]), axis=1)
    system = positions.dynamics.system
    owners = system.owners
    names = list(dict.fromkeys(owners[k] for k in np.argsort(-shares, kind="stable") if shares[k] > 0.1))
    shown = some(names, SHOWN)
    more = "1 more degree" if small == 1 else f"{small} more degrees"
    return (
        f"It is near a singular position, at which the equations of {shown} become dependent and leave {more} of "
        f"freedom (smallest singular value: {s[min(first, len(s) - 1)]:.1e})."
    )


def _freedom_around(positions: Positions, q: np.ndarray, dependencies: np.ndarray) -> int:
    """Degrees of freedom near q: at positions found there, or according to the second-order condition if that gives
    fewer.

    If a mechanism can only begin to move (an infinitesimal motion), no nearby position is found.
    """
    nearby = freedom_nearby(positions, q)
    if nearby and len(dependencies):
        any_way = positions.free_part(q, np.random.default_rng(1).normal(size=positions.dynamics.n))
        parting = _parting(positions, q, any_way, dependencies, clock=0.0)
        nearby = min(nearby, positions.freedom(q) - parting)
    return nearby


def _contradiction(positions: Positions, q: np.ndarray, v: np.ndarray, dependencies: np.ndarray) -> str:
    """How v contradicts the second-order condition, as a sentence; empty if it does not."""
    system = positions.dynamics.system
    missed = dependencies @ np.array(
        positions.dynamics.rows.bias(positions.time, q.tolist(), v.tolist(), positions.turns), float
    )
    if np.max(np.abs(missed)) <= ADMISSIBLE * float(np.max(np.abs(v))) ** 2 / positions.length:
        return ""
    owners = system.owners
    shares = np.abs(missed @ dependencies)
    names = dict.fromkeys(owners[k] for k in np.argsort(-shares) if shares[k] > 0.1 * np.max(shares))
    told = ", ".join([*names][:SHOWN]) + (" and others" if len(names) > SHOWN else "")
    return f"for any accelerations, the equations of {told} would be violated by {np.linalg.norm(missed):.3g} m/s²"


def _parting(positions: Positions, q: np.ndarray, v: np.ndarray, dependencies: np.ndarray, clock: float) -> int:
    """The number of directions with J u = 0 in which motions depart from v: the rank of wᵀ J̇ on these directions.

    clock: the rate of time, 0 if all motors are stopped.
    """
    dynamics = positions.dynamics
    scale = positions.length / float(np.max(np.abs(v)))
    moving = [Jet(x, rate, 0.0) for x, rate in zip(q.tolist(), (scale * v).tolist(), strict=True)]
    jacobian = dynamics.rows.jacobian(Jet(positions.time, scale * clock, 0.0), moving, positions.turns)
    changes = np.zeros((len(dynamics.rows.pattern), dynamics.n))
    for line, row in zip(changes, dynamics.rows.by_row(jacobian), strict=True):
        for a, x in row.items():
            line[a] = x.first if isinstance(x, Jet) else 0.0
    parting = positions.free_part(q, (dependencies @ changes).T)
    return int(np.sum(np.linalg.svd(parting, compute_uv=False) > DEPENDENT))
