"""Random positions on the branch of motion through a given one, for small pieces of a mechanism and many positions at once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from grashof.system.forms import Form, Quadratic
from grashof.system.presolve import Row
from grashof.system.system import System

Array = np.ndarray

STRIDE = 0.12
"""How far to the next position, in units of the mechanism's length."""

TURN = 0.3
"""How much a walk turns at random at each stride, relative to its direction."""

REGULAR = 1e-5
"""Smallest singular value of independent rows, relative to the largest: anything less is too near a singular position."""

NEARER = 0.1
"""A walk ends where the smallest singular value is this part of what it was at the start."""

CAREFUL = 0.25
"""Careful walkers shorten their strides where the smallest singular value is less than this part of the largest: in four-bars
that is about the sine of the angle to lying flat."""

CLOSE, ROUGHLY = 3e-14, 1e-4
"""Rows hold when they miss by less than this fraction of the length: the second where they need not be exact."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Some of the coordinates, where they are, and the rows among them as matrices:

    Φ = L q + l + Σ w (F q + f)(G q + g)

    weights: (rows, products), w where the product belongs to the row
    """

    columns: list[int]
    rows: list[Row]
    here: Array
    length: float
    linear: Array
    constant: Array
    first: Array
    first_constant: Array
    second: Array
    second_constant: Array
    weights: Array

    def values(self, q: Array) -> Array:
        """Φ at positions (k, n)."""
        f, g = q @ self.first.T + self.first_constant, q @ self.second.T + self.second_constant
        return np.asarray(q @ self.linear.T + self.constant + (f * g) @ self.weights.T)

    def gradients(self, q: Array) -> Array:
        """J at positions (k, n): (k, rows, n)."""
        f, g = q @ self.first.T + self.first_constant, q @ self.second.T + self.second_constant
        return np.asarray(
            self.linear + (self.weights * g[:, None, :]) @ self.first + (self.weights * f[:, None, :]) @ self.second
        )

    def extended(self, rows: list[Row]) -> Piece:
        """The piece with more rows."""
        return _piece(self.columns, [*self.rows, *rows], self.here, self.length)

    def rank(self) -> int:
        """How many rows are independent here."""
        sizes = np.linalg.svd(self.gradients(self.here[None])[0], compute_uv=False)
        return int(np.sum(sizes > REGULAR * np.max(sizes, initial=0.0)))

    def close(self, points: Array) -> tuple[Array, Array]:
        """The points moved on the rows by Gauss–Newton steps of least length, and by how much they still miss them, m."""
        for _ in range(12):
            errors = self.values(points)
            if np.max(np.abs(errors), initial=0.0) < 0.1 * CLOSE * self.length:
                break
            gradients = self.gradients(points)
            normal = gradients @ gradients.transpose(0, 2, 1)
            normal += 1e-13 * np.max(np.abs(normal), axis=(1, 2), keepdims=True) * np.eye(normal.shape[1])
            points = points - (gradients.transpose(0, 2, 1) @ np.linalg.solve(normal, errors[..., None]))[..., 0]
        return points, np.max(np.abs(self.values(points)), axis=1)

    def walk(
        self,
        rng: np.random.Generator,
        walkers: int,
        strides: int,
        through: Piece | None = None,
        *,
        careful: bool = False,
    ) -> Array:
        """Positions that so many walkers meet on their ways from here, where these are regular: (positions, n).

        Each keeps its direction in the main, and stops near a singular position, unless `through` has rows that are regular
        there; they need not be exact. Careful walkers make strides too short to step over one, on to another branch.
        """
        rank = self.rank()
        places = np.repeat(self.here[None], walkers, axis=0)
        ahead = rng.normal(size=places.shape)
        smallest, free = self._ways(places, rank)
        least, met = NEARER * smallest[0], []
        for _ in range(strides):
            # never straight on: rotations about a few fixed axes would not show what rotations can do
            turn = rng.normal(size=ahead.shape) * np.max(np.abs(ahead), axis=1, keepdims=True)
            ahead = (free.transpose(0, 2, 1) @ (free @ (ahead + TURN * turn)[..., None]))[..., 0]
            largest = np.max(np.abs(ahead), axis=1, keepdims=True)
            if not (free.size and np.all(largest > 0.0)):
                break
            steps = STRIDE * self.length * rng.uniform(0.3, 1.0, (len(places), 1))
            if careful:
                sizes = np.linalg.norm(self.gradients(places), 2, axis=(1, 2))
                steps *= np.minimum(1.0, smallest / (CAREFUL * sizes))[:, None]
            aim = places + ahead * steps / largest
            moved, missed = self.close(aim)
            smallest, free = self._ways(moved, rank)
            singular = smallest < least
            there = ~singular & (missed < CLOSE * self.length)
            if through is not None:
                moved[singular], missed = through.close(aim[singular])
                _, free[singular] = through._ways(moved[singular], rank)
                there[singular] = missed < ROUGHLY * self.length
                # on another branch the joints' rows hold, and the others do not
                there &= np.max(np.abs(through.values(moved)), axis=1) < ROUGHLY * self.length
            met.append(moved[there & ~singular])
            places, ahead, free, smallest = moved[there], (moved - places)[there], free[there], smallest[there]
            if not len(places):
                break
        return np.concatenate(met) if met else np.empty((0, len(self.here)))

    def _ways(self, points: Array, rank: int) -> tuple[Array, Array]:
        """The smallest singular value of the independent rows, and the directions that the rows leave free."""
        _, sizes, directions = np.linalg.svd(self.gradients(points))
        smallest = sizes[:, rank - 1] if rank else np.ones(len(points))
        return smallest, directions[:, rank:]


def pieces(system: System, q: Array, size: int, done: set[tuple[int, ...]]) -> Iterator[Piece]:
    """Neighbourhoods of at least so many coordinates, or all there are, that cover the system; for 0, those of its rows.

    Without those that are done, to which they are added.
    """
    touching: list[list[int]] = [[] for _ in range(system.n)]
    columns = [sorted(row.expression.gradient([1.0] * system.n)) for row in system.rows]
    for k, row in enumerate(columns):
        for a in row:
            touching[a].append(k)
    chosen = (
        dict.fromkeys(map(tuple, columns)) if size == 0 else dict.fromkeys(_neighbourhoods(columns, touching, size))
    )
    for piece in chosen:
        if piece in done:
            continue
        done.add(piece)
        members = set(piece)
        inside = sorted({k for a in piece for k in touching[a] if members.issuperset(columns[k])})
        if len(inside) > (size == 0):  # a row alone says nothing new
            yield _piece(list(piece), [system.rows[k] for k in inside], q[list(piece)], system.length)


def _neighbourhoods(columns: list[list[int]], touching: list[list[int]], size: int) -> Iterator[tuple[int, ...]]:
    seen: set[int] = set()
    for seed in range(len(touching)):
        if seed in seen:
            continue
        piece, queue = {seed}, [seed]
        while queue and len(piece) < size:
            for k in touching[queue.pop(0)]:
                new = [a for a in columns[k] if a not in piece]
                piece.update(new)
                queue += new
        seen |= piece
        yield tuple(sorted(piece))


def _piece(columns: list[int], rows: list[Row], here: Array, length: float) -> Piece:
    place = {a: i for i, a in enumerate(columns)}

    def matrix(forms: list[Form]) -> tuple[Array, Array]:
        filled = np.zeros((len(forms), len(columns)))
        for line, form in zip(filled, forms, strict=True):
            for a, x in form.terms.items():
                line[place[a]] = x
        return filled, np.array([form.constant for form in forms])

    linear: list[Form] = []
    products: list[tuple[float, Form, Form]] = []
    owners: list[int] = []
    for k, row in enumerate(rows):
        expression = row.expression
        if isinstance(expression, Quadratic):
            linear.append(expression.linear)
            products += expression.products
            owners += [k] * len(expression.products)
        else:
            linear.append(expression)
    weights = np.zeros((len(rows), len(products)))
    weights[owners, range(len(products))] = [w for w, _, _ in products]
    first, second = matrix([f for _, f, _ in products]), matrix([g for _, _, g in products])
    return Piece(columns, rows, here, length, *matrix(linear), *first, *second, weights)
