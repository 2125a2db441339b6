"""Forces that depend on the forces transmitted by joints at the same instant: friction with a coefficient.

Let N_j be the magnitude of the force that joint j transmits. It is the norm of some multipliers (see
`JointBase.bearing`), and the generalized forces are linear in it:

    M a + Jᵀ λ = Q + Σ_j N_j u_j        N_i = |λ_i|        λ_i the multipliers of joint i

The solutions for Q and for each u_j give λ_i = b_i + Σ_j N_j B_ij, and Newton's method solves N_i = |b_i + Σ_j N_j
B_ij|, with one unknown for each such joint. What rests against a limit is pushed with N_i = −λ_i instead. If the
largest eigenvalue ρ of the matrix |B_ij| is below 1, the right-hand side is a contraction, so that there is exactly one
solution. Otherwise there may be none or several (jamming; P. Painlevé, Leçons sur le frottement, 1895).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

import numpy as np

from grashof.formulation.natural.kkt import Kkt
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, absolute, maximum, minimum, sqrt

ITERATIONS = 6
"""Iterations of Newton's method. Each squares the error, which starts below ρ: six reduce it from 0.9 to 1e-3, and
from 0.5 to below round-off."""

SOLVED = 1e-9
"""The reactions from which friction is computed must agree with those that result from it, relative to the largest
one."""

TINY = 1e-200
"""N²; avoids a division by zero where a joint transmits no force."""


class Transmitted(NamedTuple):
    """The rows whose multipliers are the force that a joint transmits; or, if it only `pushes`, the row whose
    multiplier is minus the force of a limit against which something rests."""

    rows: tuple[int, ...]
    pushes: bool = False


Rows = Sequence[Transmitted]
"""For each joint."""


@dataclass(frozen=True)
class Bearing:
    """The solution (a, λ), and the quantities it was computed from.

    rows       the multipliers of each joint
    sizes      N_j, N
    constant   b, by joint
    slopes     B[i][j], by joint and joint
    """

    solution: list[Scalar]
    rows: Rows
    sizes: list[Scalar]
    constant: list[list[Scalar]]
    slopes: list[list[list[Scalar]]]

    def residual(self) -> np.ndarray:
        """The difference between the sizes and the norms of the multipliers, relative to the largest; (times,)."""
        multipliers = _multipliers(self.constant, self.slopes, self.sizes)
        found = [_size(x, row.pushes) for x, row in zip(multipliers, self.rows, strict=True)]
        missed = [np.abs(x - n) for x, n in zip(found, self.sizes, strict=True)]
        return np.asarray(np.max(missed, axis=0) / np.maximum(np.max(np.abs(found), axis=0), TINY))

    def contraction(self) -> np.ndarray:
        """ρ, (times,); infinite where it is NaN. If all of them are pushed by limits: 0 where 1 + B is a P-matrix, so
        that the forces and whether they last are unique; otherwise infinite."""
        if all(row.pushes for row in self.rows):
            return self._uniqueness()
        rows = [[_size(x, pushes=False) for x in row] for row in self.slopes]
        matrices = np.moveaxis(np.array(np.broadcast_arrays(*(x for row in rows for x in row)), float), 0, -1)
        square = matrices.reshape(*matrices.shape[:-1], len(rows), len(rows))
        finite = np.isfinite(square).all(axis=(-2, -1))
        sizes = np.abs(np.linalg.eigvals(np.where(finite[..., None, None], square, 0.0)))
        return np.where(finite, np.max(sizes, axis=-1), np.inf)

    def margin(self) -> Scalar:
        """Positive only if there is exactly one solution, and it is accurate; over traced scalars, where no limit
        pushes. There is one if ‖|B|¹⁶‖ < 1, with the largest sum of a row as the norm: that is at least ρ¹⁶."""
        rows = [[_size(x, pushes=False) for x in row] for row in self.slopes]
        found = _multipliers(self.constant, self.slopes, self.sizes)
        largest = TINY
        missed: Scalar = 0.0
        for multipliers, size in zip(found, self.sizes, strict=True):
            own = _size(multipliers, pushes=False)
            largest, missed = maximum(largest, own), maximum(missed, absolute(own - size))
        for _ in range(4 if len(rows) > 1 else 0):
            rows = [
                [sum((row[k] * rows[k][j] for k in range(len(rows))), 0.0) for j in range(len(rows))] for row in rows
            ]
        bound: Scalar = 0.0
        for row in rows:
            bound = maximum(bound, sum(row, 0.0))
        return minimum(1.0 - bound, SOLVED * largest - missed)

    def _uniqueness(self) -> np.ndarray:
        """0 where all principal minors of 1 + B are positive, otherwise infinite; (times,)."""
        count = len(self.rows)
        entries = np.broadcast_arrays(*(np.asarray(x[0], float) for row in self.slopes for x in row))
        matrices = np.moveaxis(np.array(entries), 0, -1).reshape(*entries[0].shape, count, count) + np.eye(count)
        least = np.full(matrices.shape[:-2], np.inf)
        for size in range(1, count + 1):
            for chosen in combinations(range(count), size):
                minor = np.linalg.det(matrices[..., chosen, :][..., chosen])
                least = np.minimum(least, np.where(np.isfinite(minor), minor, -np.inf))
        return np.where(least > 0.0, 0.0, np.inf)


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
    constant = [[base[kkt.n + k] for k in own.rows] for own in rows]
    slopes = [[[answer[kkt.n + k] for k in own.rows] for answer in answers] for own in rows]
    sizes = find_sizes(constant, slopes, [own.pushes for own in rows])
    solution = list(base)
    for size, answer in zip(sizes, answers, strict=True):
        solution = [x + size * dx for x, dx in zip(solution, answer, strict=True)]
    return Bearing(solution, rows, sizes, constant, slopes)


def find_sizes(
    constant: list[list[Scalar]], slopes: list[list[list[Scalar]]], pushes: Sequence[bool] = ()
) -> list[Scalar]:
    """N_j with N_i = |b_i + Σ_j N_j B_ij|, given b and B (see `Bearing`), and which of them are pushed by limits."""
    pushed = list(pushes) or [False] * len(constant)
    found = [_size(x, own) for x, own in zip(constant, pushed, strict=True)]
    for _ in range(ITERATIONS):
        found = _newton_step(constant, slopes, pushed, found)
    return found


def sizes(multipliers: Sequence[Scalar], rows: Mapping[str, Transmitted]) -> dict[str, Scalar]:
    """The magnitudes of the forces that joints transmit, N, from all multipliers."""
    return {name: _size([multipliers[k] for k in own.rows], own.pushes) for name, own in rows.items()}


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


def _newton_step(
    constant: list[list[Scalar]], slopes: list[list[list[Scalar]]], pushes: Sequence[bool], sizes: list[Scalar]
) -> list[Scalar]:
    """One iteration of Newton's method."""
    rest: list[Scalar] = []
    matrix: list[list[Scalar]] = []
    for i, (x, row) in enumerate(zip(_multipliers(constant, slopes, sizes), slopes, strict=True)):
        found = _size(x, pushes[i])
        if pushes[i]:
            matrix.append([(1.0 if i == j else 0.0) + slope[0] for j, slope in enumerate(row)])
            rest.append(found - sizes[i])
            continue
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


def _size(x: Sequence[Scalar], pushes: bool) -> Scalar:
    return -x[0] if pushes else sqrt(dot(x, x) + TINY)
