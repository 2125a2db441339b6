"""Random positions on the branch through a given position, for small pieces of a mechanism and many positions at
once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.formulation.natural.forms import Form, Quadratic
from grashof.formulation.natural.presolve import Row
from grashof.formulation.natural.system import System

Array = np.ndarray

EPS = float(np.finfo(float).eps)

STRIDES = 8
"""Number of strides of a walk, which is then about as long as the mechanism: long enough to show that a stretch is
not flat."""

STRIDE = 0.12
"""Distance to the next position, in lengths of the mechanism."""

TURN = 0.3
"""How much a walk changes its direction at random at each stride, relative to its direction."""

REGULAR = 1e-5
"""Smallest singular value of independent rows, relative to the largest: with a smaller one a position is too near a
singular one."""

NEARER = 0.1
"""A walk ends where the smallest singular value is below this fraction of its value at the start."""

CAREFUL = 0.25
"""Careful walkers shorten their strides where the smallest singular value is below this fraction of the largest: in
a four-bar this is about the sine of its angle from the flattened position."""

CLOSE, ROUGHLY = 3e-14, 1e-4
"""Rows are satisfied if their violation is below this fraction of the length; the second number is used where they
need not be exact."""

FEWEST = 8
"""Largest number of coordinates with which a single row is examined by itself."""

HUB = 64
"""Largest number of rows that may share a coordinate for it to define a neighbourhood: a coordinate shared by more
rows is near everything."""


@dataclass(frozen=True, eq=False)
class Piece:
    """Some of the coordinates, their values, and the rows among them as matrices:

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

    @cached_property
    def closed(self) -> float:
        """The permitted violation of rows, m: larger where large numbers cancel in them."""
        q = np.abs(self.here)
        f = q @ np.abs(self.first.T) + np.abs(self.first_constant)
        g = q @ np.abs(self.second.T) + np.abs(self.second_constant)
        sizes = q @ np.abs(self.linear.T) + np.abs(self.constant) + (f * g) @ np.abs(self.weights.T)
        return max(CLOSE * self.length, 4.0 * EPS * float(np.max(sizes)))

    def extended(self, rows: list[Row]) -> Piece:
        """The piece with additional rows."""
        return _piece(self.columns, [*self.rows, *rows], self.here, self.length)

    def rank(self) -> int:
        """Number of independent rows here."""
        sizes = np.linalg.svd(self.gradients(self.here[None])[0], compute_uv=False)
        return int(np.sum(sizes > REGULAR * np.max(sizes, initial=0.0)))

    def close(self, points: Array, reach: float = 1.0) -> tuple[Array, Array]:
        """The points moved onto the rows by Gauss–Newton steps of least length, and their remaining violations, m.

        A point that would move farther than `reach` lengths does not converge: it stays where it is, with an infinite
        violation.
        """
        begin, lost = points, np.zeros(len(points), bool)
        for _ in range(12):
            errors = self.values(points)
            if np.max(np.abs(errors), initial=0.0) < 0.1 * self.closed:
                break
            gradients = self.gradients(points)
            normal = gradients @ gradients.transpose(0, 2, 1)
            largest = np.max(np.abs(normal), axis=(1, 2), keepdims=True)
            normal += np.where(largest > 0.0, 1e-13 * largest, 1.0) * np.eye(normal.shape[1])
            points = points - (gradients.transpose(0, 2, 1) @ np.linalg.solve(normal, errors[..., None]))[..., 0]
            lost |= ~(np.max(np.abs(points - begin), axis=1) < reach * self.length)
            points = np.where(lost[:, None], begin, points)
        return points, np.where(lost, np.inf, np.max(np.abs(self.values(points)), axis=1))

    def walk(
        self,
        rng: np.random.Generator,
        walkers: int,
        strides: int,
        through: Piece | None = None,
        *,
        careful: bool = False,
        reach: float = 1.0,
    ) -> tuple[Array, Array]:
        """Regular positions on random walks from here, (positions, n), and for each of them an orthonormal basis of the
        directions in which it can move, (positions, n − rank, n).

        Each walk roughly keeps its direction, and stops near a singular position, unless `through` contains rows that
        are regular there; these need not be exact. Careful walkers make strides that are too short to step over a
        singular position to another branch. `reach` multiplies the length of the strides.
        """
        rank = self.rank()
        places = np.repeat(self.here[None], walkers, axis=0)
        ahead = rng.normal(size=places.shape)
        smallest, free = self._ways(places, rank)
        least = NEARER * smallest[0]
        met, moves = [np.empty((0, places.shape[1]))], [np.empty((0, *free.shape[1:]))]
        for _ in range(strides):
            # never straight on: rotations about a few fixed axes would not show everything that rotations can do
            turn = rng.normal(size=ahead.shape) * np.max(np.abs(ahead), axis=1, keepdims=True)
            ahead = (free.transpose(0, 2, 1) @ (free @ (ahead + TURN * turn)[..., None]))[..., 0]
            largest = np.max(np.abs(ahead), axis=1, keepdims=True)
            if not (free.size and np.all(largest > 0.0)):
                break
            steps = reach * STRIDE * self.length * rng.uniform(0.3, 1.0, (len(places), 1))
            if careful:
                sizes = np.linalg.norm(self.gradients(places), 2, axis=(1, 2))
                steps *= np.minimum(1.0, smallest / (CAREFUL * sizes))[:, None]
            aim = places + ahead * steps / largest
            moved, missed = self.close(aim, reach)
            smallest, free = self._ways(moved, rank)
            singular = smallest < least
            there = ~singular & (missed < self.closed)
            if through is not None:
                moved[singular], missed = through.close(aim[singular])
                _, free[singular] = through._ways(moved[singular], rank)
                there[singular] = missed < ROUGHLY * self.length
                # on another branch the joints' rows hold, but the others do not
                there &= np.max(np.abs(through.values(moved)), axis=1) < ROUGHLY * self.length
            met.append(moved[there & ~singular])
            moves.append(free[there & ~singular])
            places, ahead, free, smallest = moved[there], (moved - places)[there], free[there], smallest[there]
            if not len(places):
                break
        return np.concatenate(met), np.concatenate(moves)

    def _ways(self, points: Array, rank: int) -> tuple[Array, Array]:
        """The smallest singular value of the independent rows, and the directions that the rows leave free."""
        _, sizes, directions = np.linalg.svd(self.gradients(points))
        smallest = sizes[:, rank - 1] if rank else np.ones(len(points))
        return smallest, directions[:, rank:]


def bodies(system: System, q: Array) -> Iterator[Piece]:
    """In space, pieces of the rows among the coordinates of one body, if these are few and express more than a free
    rotation of that body."""
    if system.dimension == 2:
        return  # a body has one row
    columns, touching = _places(system)
    for part in dict.fromkeys(map(tuple, columns)):
        inside = {k for a in part for k in touching[a] if set(part).issuperset(columns[k])} if len(part) <= 9 else ()
        if len(inside) > 1 and not _turns(len(part), len(inside), system.dimension):
            yield _piece(list(part), [system.rows[k] for k in sorted(inside)], q[list(part)], system.length)


def pieces(system: System, q: Array, size: int) -> Iterator[Piece]:
    """Parts of a system with about this many coordinates, such that each row is in one of them; if `size` is 0, one
    part for the coordinates of each row.

    Open chains are not included. Rows with more than twice as many coordinates are left out.
    """
    columns, touching = _places(system)
    covered: set[int] = set()
    for seed, found in enumerate(columns):
        if seed in covered or len(found) > 2 * max(size, FEWEST):
            continue
        inside = _neighbourhood(columns, touching, seed, size)
        covered |= inside if size else {k for k in inside if columns[k] == found}
        looped = _rows_of_loops(system, sorted(inside))
        if looped:
            part = sorted({a for k in looped for a in columns[k]})
            yield _piece(part, [system.rows[k] for k in looped], q[part], system.length)


def _places(system: System) -> tuple[list[list[int]], list[list[int]]]:
    """The coordinates of each row, and the rows of each coordinate."""
    columns = [sorted(_columns(row)) for row in system.rows]
    touching: list[list[int]] = [[] for _ in range(system.n)]
    for k, found in enumerate(columns):
        for a in found:
            touching[a].append(k)
    return columns, touching


def _columns(row: Row) -> set[int]:
    """The coordinates of a row."""
    x = row.expression
    if isinstance(x, Form):
        return set(x.terms)
    return set(x.linear.terms).union(*(f.terms.keys() | g.terms.keys() for _, f, g in x.products))


def _neighbourhood(columns: list[list[int]], touching: list[list[int]], seed: int, size: int) -> set[int]:
    """The rows around a given one: first those that add the fewest new coordinates, which close loops."""
    members, inside = set(columns[seed]), {seed}
    border: dict[int, None] = {}
    new = columns[seed]
    while True:
        for a in new:
            # the rows of a coordinate that is shared by many are reached through their other coordinates
            if len(touching[a]) <= HUB or len(columns[seed]) == 1:
                border.update(dict.fromkeys(k for k in touching[a] if k not in inside))
        best = min(border, key=lambda k: sum(a not in members for a in columns[k]), default=-1)
        new = [a for a in columns[best] if a not in members] if border else []
        if not border or (new and (len(members) >= size or len(members) + len(new) > 2 * size)):
            return inside
        del border[best]
        inside.add(best)
        members.update(new)


def _rows_of_loops(system: System, rows: list[int]) -> list[int]:
    """These rows without those of bodies at the ends of open chains, removed one after another; none if only those of
    one body remain.

    A body at such an end has points or directions of its own, more coordinates than rows, and is attached to one other
    body or point: it can move regardless of the others, and contains no information about them.
    """
    groups = {k: {system.groups[a] for a in _columns(system.rows[k])} for k in rows}
    owners = {k: system.rows[k].owner for k in rows}
    coordinates = Counter(system.groups)
    changed = True
    while changed:
        owned: dict[str, set[int]] = {}
        users: dict[int, set[str]] = {}
        for k, found in groups.items():
            owned.setdefault(owners[k], set()).update(found)
            for group in found:
                users.setdefault(group, set()).add(owners[k])
        changed = False
        for owner, found in owned.items():
            others = {group for group in found if len(users[group]) > 1}
            around = set.intersection(*(users[group] for group in others)) - {owner} if others else set()
            own = found - others
            if own:
                held = [k for k in groups if owners[k] == owner and groups[k] & own]
                size = sum(coordinates[group] for group in own)
                hangs = len(others) == 1 or around or (not others and _turns(size, len(held), system.dimension))
                if size > len(held) and hangs:
                    groups = {k: found for k, found in groups.items() if k not in held}
                    changed = True
            elif (
                around and system.dimension == 3
            ):  # its rows are among the points and directions of another body, and belong to that body
                other = min(around)
                owners = {k: other if name == owner else name for k, name in owners.items()}
                changed = True
            if changed:
                break
    return list(groups) if len({system.rows[k].owner for k in groups}) > 1 else []


def _turns(coordinates: int, rows: int, dimension: int) -> bool:
    """Whether this many rows can be those of a body that rotates freely: in space k directions have 3 k coordinates
    and k (k + 1)/2 rows."""
    directions = coordinates // 3
    return 2 * rows <= directions * (directions + 1) if dimension == 3 else rows == 1


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


def spread(vectors: Array) -> tuple[Array, Array]:
    """The singular values of many vectors (…, n) as a matrix, and all n right singular vectors."""
    _, sizes, directions = np.linalg.svd(np.linalg.qr(vectors.reshape(-1, vectors.shape[-1]), mode="r"))
    return sizes, directions
