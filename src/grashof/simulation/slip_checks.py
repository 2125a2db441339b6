"""Whether the equations for velocities became dependent during a run.

Let R be the rows of unit length that are independent at the start, first those of positions, then those for velocities
only. While none of them becomes a combination of the others, the determinant of R(t) R(t′)ᵀ is positive for close times
t and t′. Where it is negative, and that of the rows of positions alone is not, the rows for velocities have passed a
singular position: the forces that they exert may grow beyond all bounds there.
"""

from __future__ import annotations

import numpy as np

from grashof.formulation.natural.closing import DEPENDENT
from grashof.formulation.natural.equations import Dynamics
from grashof.motion.trajectory import Trajectory
from grashof.singular.scaled_constraints import independent_rows

PARTS = 16
"""Into how many parts a step is divided if its ends are on different sides: it may only have turned far."""


def times_of_dependence(run: Trajectory) -> np.ndarray:
    """The ends of those steps of a run in which rows for velocities only passed a singular position, s."""
    dynamics, steps = run.program.dynamics, run.steps
    if not dynamics.slips.count or len(steps.t) < 2:
        return np.zeros(0)
    rows = _unit_rows(dynamics, steps.t, steps.y)
    held = dynamics.rows.count
    first = _independent(rows[0, :held], np.zeros((0, rows.shape[2])))
    further = held + _independent(rows[0, held:], rows[0, first])
    found = []
    for k in np.flatnonzero(_changes_side(rows, first, further)).tolist():
        between = Trajectory(run.program, steps, np.linspace(steps.t[k], steps.t[k + 1], PARTS + 1))
        if np.any(_changes_side(_unit_rows(dynamics, between.t, between.y), first, further)):
            found.append(steps.t[k + 1])
    return np.array(found)


def _unit_rows(dynamics: Dynamics, t: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The rows of positions and of velocities with unit length, (times, rows, n)."""
    layout, patterns = dynamics.layout, (*dynamics.rows.pattern, *dynamics.slips.pattern)
    turns = dynamics.rows.turns(list(y[:, layout.of_e].T))
    with np.errstate(all="ignore"):
        entries = iter(dynamics.velocity_rows.jacobian(t, list(y[:, layout.of_q].T), turns, ()))
        rows = np.zeros((len(t), len(patterns), dynamics.n))
        for k, columns in enumerate(patterns):
            for a in columns:
                rows[:, k, a] = next(entries)
        sizes = np.linalg.norm(rows, axis=2, keepdims=True)
    return np.asarray(rows / np.where(sizes > 0.0, sizes, 1.0))


def _independent(rows: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Indices of rows that are independent of each other and of others."""
    basis = np.linalg.qr(others.T)[0]
    rest = rows - (rows @ basis) @ basis.T
    return independent_rows(rest, int(np.sum(np.linalg.svd(rest, compute_uv=False) > DEPENDENT)))


def _changes_side(rows: np.ndarray, first: np.ndarray, further: np.ndarray) -> np.ndarray:
    """Between which consecutive positions the sign of the determinant differs from that of the first rows alone, or it
    vanishes at one of them."""
    some = rows[:, [*first, *further]]
    own = some @ some.swapaxes(1, 2)
    at_each, between = (_last_factor(x, len(first)) for x in (own, some[1:] @ some[:-1].swapaxes(1, 2)))
    vanishing = DEPENDENT**2 * np.max(at_each, initial=0.0)
    return np.asarray((between <= 0.0) | (at_each[1:] <= vanishing) | (at_each[:-1] <= vanishing))


def _last_factor(products: np.ndarray, count: int) -> np.ndarray:
    """The determinants of matrices, divided by those of their first rows and columns."""
    alone = np.linalg.det(products[:, :count, :count])
    return np.asarray(np.linalg.det(products) / np.where(alone == 0.0, np.inf, alone))
