"""The iteration of implicit formulations: Newton steps until the positions no longer change."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from grashof.lab.equations import FormulationFailed, LabEquations

CLOSE = 1e-10
"""A change of positions below which an iteration ends, in lengths of the mechanism. Newton's method converges
quadratically, so what is left is rounding."""

MOST = 20
"""Iterations that a step may take; Newton's method needs two to four."""


def iterate(eq: LabEquations, improve: Callable[[], np.ndarray], what: str = "Newton's method") -> None:
    """Calls `improve`, which changes its unknowns and returns the change of positions, until that is small."""
    for _ in range(MOST):
        change = float(np.max(np.abs(improve()), initial=0.0))
        if change <= CLOSE * eq.length:
            return
        if not np.isfinite(change):
            break
    raise FormulationFailed(f"{what} did not converge in {MOST} iterations. Try a smaller step.")


def saddle(upper: np.ndarray, jacobian: np.ndarray) -> np.ndarray:
    """[[A, Jᵀ], [J, 0]], (n + m, n + m)."""
    m = len(jacobian)
    return np.block([[upper, jacobian.T], [jacobian, np.zeros((m, m))]])
