"""Forces that depend on the forces transmitted by joints at the same instant: friction with a coefficient.

Let N_j be the magnitude of the force that joint j transmits. It is the norm of some multipliers (see
`JointBase.bearing`), and the generalized forces are linear in it:

    M a + Jᵀ λ = Q + Σ_j N_j u_j        N_i = |λ_i|        λ_i the multipliers of joint i

The solutions for Q and for each u_j give λ_i = b_i + Σ_j N_j B_ij, and Newton's method solves N_i = |b_i + Σ_j N_j
B_ij|, with one unknown for each such joint. If the largest eigenvalue ρ of the matrix |B_ij| is below 1, the right-hand
side is a contraction, so that there is exactly one solution. Otherwise there may be none or several (jamming; P.
Painlevé, Leçons sur le frottement, 1895).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from grashof.formulation.natural.kkt import Kkt
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, sqrt

ITERATIONS = 6
"""Iterations of Newton's method. Each squares the error, which starts below ρ: six reduce it from 0.9 to 1e-3, and
from 0.5 to below round-off."""

TINY = 1e-200
"""N²; avoids a division by zero where a joint transmits no force."""

Rows = Sequence[Sequence[int]]
"""For each joint, the rows whose multipliers are the force that it transmits."""


@dataclass(frozen=True)
class Bearing:
    """The solution (a, λ), and the quantities it was computed from.

    sizes      N_j, N
    constant   b, by joint
    slopes     B[i][j], by joint and joint
    """

    solution: list[Scalar]
    sizes: list[Scalar]
    constant: list[list[Scalar]]
    slopes: list[list[list[Scalar]]]

    def residual(self) -> np.ndarray:
        """The difference between the sizes and the norms of the multipliers, relative to the largest; (times,)."""
        found = [_size(x) for x in _multipliers(self.constant, self.slopes, self.sizes)]
        missed = [np.abs(x - n) for x, n in zip(found, self.sizes, strict=True)]
        return np.asarray(np.max(missed, axis=0) / np.maximum(np.max(np.abs(found), axis=0), TINY))

    def contraction(self) -> np.ndarray:
        """ρ, (times,); infinite where it is NaN."""
        rows = [[_size(x) for x in row] for row in self.slopes]
        matrices = np.moveaxis(np.array(np.broadcast_arrays(*(x for row in rows for x in row)), float), 0, -1)
        square = matrices.reshape(*matrices.shape[:-1], len(rows), len(rows))
        finite = np.isfinite(square).all(axis=(-2, -1))
        sizes = np.abs(np.linalg.eigvals(np.where(finite[..., None, None], square, 0.0)))
        return np.where(finite, np.max(sizes, axis=-1), np.inf)


def solve_bearings(
    kkt: Kkt,
    jacobian: Sequence[Scalar],
    factors: Sequence[Scalar],
    right: Sequence[Scalar],
    units: Sequence[Sequence[Scalar]],
    rows: Rows,
    refinements: int,
) -> Bearing:
    """The solution with friction.

    right   the right-hand side without friction
    units   u_j, the generalized forces if joint j transmits 1 N
    """
    base = kkt.solve_refined(jacobian, factors, right, refinements)
    still: list[Scalar] = [0.0] * kkt.m
    answers = [kkt.solve_refined(jacobian, factors, [*unit, *still], refinements) for unit in units]
    constant = [[base[kkt.n + k] for k in own] for own in rows]
    slopes = [[[answer[kkt.n + k] for k in own] for answer in answers] for own in rows]
    sizes = find_sizes(constant, slopes)
    solution = list(base)
    for size, answer in zip(sizes, answers, strict=True):
        solution = [x + size * dx for x, dx in zip(solution, answer, strict=True)]
    return Bearing(solution, sizes, constant, slopes)


def find_sizes(constant: list[list[Scalar]], slopes: list[list[list[Scalar]]]) -> list[Scalar]:
    """N_j with N_i = |b_i + Σ_j N_j B_ij|, given b and B (see `Bearing`)."""
    found = [_size(x) for x in constant]
    for _ in range(ITERATIONS):
        found = _newton_step(constant, slopes, found)
    return found


def sizes(multipliers: Sequence[Scalar], rows: Mapping[str, Sequence[int]]) -> dict[str, Scalar]:
    """The magnitudes of the forces that joints transmit, N, from all multipliers."""
    return {name: _size([multipliers[k] for k in own]) for name, own in rows.items()}


def _multipliers(
    constant: list[list[Scalar]], slopes: list[list[list[Scalar]]], sizes: list[Scalar]
) -> list[list[Scalar]]:
    """λ_i = b_i + Σ_j N_j B_ij"""
    found = []
    for b, row in zip(constant, slopes, strict=True):
        for size, slope in zip(sizes, row, strict=True):
            b = [x + size * dx for x, dx in zip(b, slope, strict=True)]
        found.append(b)
    return found


def _newton_step(constant: list[list[Scalar]], slopes: list[list[list[Scalar]]], sizes: list[Scalar]) -> list[Scalar]:
    """One iteration of Newton's method."""
    rest, matrix = [], []
    for i, (x, row) in enumerate(zip(_multipliers(constant, slopes, sizes), slopes, strict=True)):
        found = _size(x)
        over = 1.0 / found
        matrix.append([(1.0 if i == j else 0.0) - dot(x, slope) * over for j, slope in enumerate(row)])
        rest.append(found - sizes[i])
    return [n + dn for n, dn in zip(sizes, _solve_small(matrix, rest), strict=True)]


def _solve_small(matrix: list[list[Scalar]], right: list[Scalar]) -> list[Scalar]:
    """The solution by elimination without pivoting: where ρ is small, the diagonal dominates."""
    a, b = [list(row) for row in matrix], list(right)
    for k in range(len(b)):
        over = 1.0 / a[k][k]
        for i in range(k + 1, len(b)):
            factor = a[i][k] * over
            a[i] = [x - factor * y for x, y in zip(a[i], a[k], strict=True)]
            b[i] = b[i] - factor * b[k]
    for k in reversed(range(len(b))):
        for j in range(k + 1, len(b)):
            b[k] = b[k] - a[k][j] * b[j]
        b[k] = b[k] / a[k][k]
    return b


def _size(x: Sequence[Scalar]) -> Scalar:
    return sqrt(dot(x, x) + TINY)
