"""Linear relations that hold everywhere on the branch where the mechanism starts.

The positions that satisfy all joints are an algebraic set, and where it is regular one irreducible part of it, the *branch*,
passes. A motion is analytic and never leaves its branch, not even through a singular position, where branches cross. Some
branches lie in a flat subspace: a four-bar with equal opposite sides that starts as a parallelogram has two sides parallel for
ever. Such relations are not consequences of the joints (the crossed four-bar has the same joints), but they are true of the motion.
Put in, they remove coordinates and equations, and with them the redundancy and the singular positions where branches cross.

They are found as in numerical algebraic geometry (Sommese and Wampler, 2005): a linear function that vanishes at random positions
of an irreducible set vanishes on it. Random positions are reached from the start along the free directions and by Newton's
method; positions that strayed to another branch can only hide relations, never make one up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from grashof.system.forms import Form, Quadratic
from grashof.system.presolve import Row
from grashof.system.system import System, restrict

Array = np.ndarray

PIECES = (16, 80)
"""Coordinates looked at together, at least: what holds for a piece holds for the whole, and small pieces are soon done."""

REACH = 0.25
"""How far the random positions are from the start, in units of the mechanism's length, times a number below one."""

STRIDES = 6
"""Steps of half a REACH, forwards and backwards, to the far positions where relations have to hold, too."""

EXACT = 1e-11
"""A relation misses by less than this fraction of the distances moved, everywhere."""

CURVED = 1e-4
"""What is no relation misses by more than this. Between the two lies what a nearly flat curve would show: it is left alone."""

REGULAR = 1e-5
"""Smallest singular value of the independent rows at the start, relative to the largest: else it is too near a singular position."""

NEARER = 0.1
"""The way to the far positions ends where the smallest singular value is this part of what it is at the start."""

CLOSE = 3e-14
"""Rows hold at a random position when they miss by less than this fraction of the length."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Quadratic rows as matrices, for many positions at once: Φ = L q + l + Σ w (F q + f)(G q + g)."""

    linear: Array
    constant: Array
    first: Array
    first_constant: Array
    second: Array
    second_constant: Array
    weights: Array
    """(rows, products): w where the product belongs to the row."""

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


def make_rows(rows: list[Row], columns: list[int]) -> Rows:
    """Rows in some of the coordinates; all that occur in them have to be among these."""
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
    return Rows(*matrix(linear), *matrix([f for _, f, _ in products]), *matrix([g for _, _, g in products]), weights)


@dataclass(frozen=True, eq=False)
class Branch:
    """The mechanism on the branch of its start.

    joints       as the joints alone describe it
    system       with the relations put in
    left         which coordinates these leave
    coordinates  all of the joints' coordinates, in terms of those that are left
    """

    joints: System
    system: System
    left: tuple[int, ...]
    coordinates: tuple[Form, ...]

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """What was put in, in words: each coordinate that is gone."""
        labels, left = self.joints.labels, set(self.left)
        return tuple(
            f"{labels[i]} = {_in_words(form, self.system.labels)}"
            for i, form in enumerate(self.coordinates)
            if i not in left
        )

    def misfit(self, q: Array) -> Array:
        """By how much the joints' own equations are missed at positions (times, n) of the branch, m: the largest of them."""
        columns = list(q.T)
        places = [form.at(columns) for form in self.coordinates]
        largest = np.zeros(len(q))
        for row in self.joints.rows:
            np.maximum(largest, np.abs(row.expression.at(places)), out=largest)
        return largest


def find_branch(system: System, q: Array) -> Branch:
    """Puts in all relations that hold on the branch of the regular position q.

    Motors are no part of it: a relation of the joints holds wherever motors take them.
    """
    joints = system
    left = list(range(system.n))
    coordinates = [Form({i: 1.0}) for i in left]
    for size in PIECES:
        while found := [form for piece in _pieces(system, size) for form in _relations(system, q[left], *piece)]:
            system, kept, steps = restrict(system, found)
            left = [left[i] for i in kept]
            coordinates = [form.substitute(dict(enumerate(steps))) for form in coordinates]
    return Branch(joints, system, tuple(left), tuple(coordinates))


def _in_words(form: Form, labels: Sequence[str]) -> str:
    parts = [("" if abs(x) == 1.0 else f"{abs(x):.6g} ") + labels[i] for i, x in form.terms.items()]
    signs = ["−" if x < 0.0 else "+" for x in form.terms.values()]
    if form.constant or not parts:
        parts.append(f"{abs(form.constant):.6g} m")
        signs.append("−" if form.constant < 0.0 else "+")
    text = " ".join(f"{sign} {part}" for sign, part in zip(signs, parts, strict=True))
    return text.removeprefix("+ ")


def _pieces(system: System, size: int) -> Iterator[tuple[list[int], list[Row]]]:
    """Coordinates and the rows among them: everything if it is small, else neighbourhoods that overlap."""
    touching: list[list[int]] = [[] for _ in range(system.n)]
    columns = [sorted(row.expression.gradient([1.0] * system.n)) for row in system.rows]
    for k, row in enumerate(columns):
        for a in row:
            touching[a].append(k)
    seen: set[int] = set()
    for seed in range(system.n):
        if seed in seen:
            continue
        piece, queue = {seed}, [seed]
        while queue and len(piece) < size:
            for k in touching[queue.pop(0)]:
                new = [a for a in columns[k] if a not in piece]
                piece.update(new)
                queue += new
        inside = sorted({k for a in piece for k in touching[a] if piece.issuperset(columns[k])})
        seen |= piece
        if inside:
            yield sorted(piece), [system.rows[k] for k in inside]


def _relations(system: System, q: Array, columns: list[int], rows: list[Row]) -> list[Form]:
    """Forms that vanish on the branch, in some of the coordinates."""
    here, equations = q[columns], make_rows(rows, columns)
    n, length = len(columns), system.length
    rng = np.random.default_rng(1)
    _, sizes, directions = np.linalg.svd(equations.gradients(here[None])[0])
    rank = int(np.sum(sizes > REGULAR * sizes[0])) if sizes.size else 0
    free = directions[rank:]
    if not len(free):
        return []
    count = min(2 * len(free) + 6, n + 2)
    while True:
        points = _closed(equations, here + _wishes(rng, count, free, REACH * length), length)
        _, sizes, directions = np.linalg.svd(points - here)
        flat = int(np.sum(sizes > EXACT * sizes[0])) if len(points) else n
        if flat < len(points) or count >= n + 2:
            break
        count = min(2 * count, n + 2)
    if flat >= n or sizes[flat - 1] < CURVED * sizes[0]:
        return []
    away = _far(equations, here, rng.normal(size=n), rank, length) - here
    if np.max(np.abs(away @ directions[flat:].T), initial=0.0) > EXACT * max(np.max(np.abs(away), initial=0.0), length):
        return []
    return _forms(directions[:flat], here, columns, length)


def _far(equations: Rows, here: Array, wish: Array, rank: int, length: float) -> Array:
    """Positions on the way from here in a direction and its opposite, as far as they stay regular."""
    far = []
    for sense in (1.0, -1.0):
        place, ahead, least = here, sense * wish, 0.0
        for _ in range(STRIDES):
            _, sizes, directions = np.linalg.svd(equations.gradients(place[None])[0])
            least = least or NEARER * sizes[rank - 1]
            if sizes[rank - 1] < least:
                break
            ahead = directions[rank:].T @ (directions[rank:] @ ahead)
            closed = _closed(equations, (place + ahead * (0.5 * REACH * length / np.max(np.abs(ahead))))[None], length)
            if not len(closed):
                break
            ahead, place = closed[0] - place, closed[0]
            far.append(place)
    return np.array(far).reshape(-1, len(here))


def _wishes(rng: np.random.Generator, count: int, free: Array, reach: float) -> Array:
    """Random steps along the free directions."""
    steps = rng.normal(size=(count, len(free))) @ free
    return np.asarray(
        steps * (reach * rng.uniform(0.3, 1.0, (count, 1)) / np.max(np.abs(steps), axis=1, keepdims=True))
    )


def _closed(equations: Rows, points: Array, length: float) -> Array:
    """The points moved on the rows by Gauss–Newton steps of least length; without those that do not get there."""
    for _ in range(12):
        errors = equations.values(points)
        if np.max(np.abs(errors)) < 0.1 * CLOSE * length:
            break
        gradients = equations.gradients(points)
        normal = gradients @ gradients.transpose(0, 2, 1)
        normal += 1e-13 * np.max(np.abs(normal), axis=(1, 2), keepdims=True) * np.eye(normal.shape[1])
        points = points - (gradients.transpose(0, 2, 1) @ np.linalg.solve(normal, errors[..., None]))[..., 0]
    return np.asarray(points[np.max(np.abs(equations.values(points)), axis=1) < CLOSE * length])


def _forms(span: Array, here: Array, columns: list[int], length: float) -> list[Form]:
    """The relations of a subspace, each solved for one coordinate: q_d − Σ c q_i = const."""
    basis = span.copy()
    independent: list[int] = []
    for k in range(len(basis)):
        # Gauss–Jordan elimination; of columns that would do, the first
        sizes = np.max(np.abs(basis[k:]), axis=0)
        column = int(np.argmax(sizes > 0.3 * np.max(sizes)))
        row = k + int(np.argmax(np.abs(basis[k:, column])))
        basis[[k, row]] = basis[[row, k]]
        basis[k] /= basis[k, column]
        others = np.arange(len(basis)) != k
        basis[others] -= np.outer(basis[others, column], basis[k])
        independent.append(column)
    forms = []
    for d in range(len(columns)):
        if d in independent:
            continue
        terms = {columns[i]: _cleaned(-basis[k, d]) for k, i in enumerate(independent)} | {columns[d]: 1.0}
        terms = {a: x for a, x in terms.items() if x != 0.0}
        place = {a: here[columns.index(a)] for a in terms}
        constant = -sum(x * place[a] for a, x in terms.items())
        forms.append(Form(terms, constant if abs(constant) > EXACT * length else 0.0))
    return forms


def _cleaned(x: float) -> float:
    """Without what round-off adds to a whole number."""
    return float(round(x)) if abs(x - round(x)) < 10.0 * EXACT else float(x)
