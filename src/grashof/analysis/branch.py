"""Equations that hold along the motion beyond those of the joints: those of the branch where the mechanism starts.

The positions that satisfy all joints are an algebraic set, and where it is regular one irreducible part of it, the *branch*,
passes. A motion is analytic and never leaves its branch, not even through a singular position, where branches cross. The joints'
equations are those of all branches, and lose rank where these cross; the equations of one branch need not.

- Some branches lie in a flat subspace: a four-bar with equal opposite sides that starts as a parallelogram has two sides parallel for
  ever. Such *linear relations* take coordinates and rows away, and redundancy and singular positions with them.
- A crossed four-bar of the same bars and a kite satisfy *quadratic* equations of their own. With one of them added, the position
  where branches cross is a position like others, at the price of a redundant row.

They are found as in numerical algebraic geometry (Sommese and Wampler, 2005): what vanishes at random positions of an irreducible
set vanishes on it. Everything found holds at the start, and is kept only if it leaves as many degrees of freedom as the joints do; positions
that strayed to another branch hide equations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from grashof.analysis.sampling import Piece, pieces
from grashof.system.forms import Expression, Form, monomials
from grashof.system.presolve import BRANCH, Row
from grashof.system.system import System, restrict

Array = np.ndarray

SIZES = (16, 0, 80)
"""Coordinates looked at together, at least (see `pieces`): what holds for a piece holds for the whole, and small ones are soon done."""

STRIDES = 8
"""Strides of a walk, about the mechanism's length in all: a stretch that is not flat shows that it is not."""

EXACT, CURVED = 1e-11, 1e-4
"""A linear relation misses by less than the first, relative to the distances moved, and what is none by more than the second. Between
the two lies what a nearly flat stretch shows: then nothing is concluded."""

FEW = 6
"""Coordinates of a piece whose quadratic equations are looked for: 28 monomials."""

CANDIDATES = 8
"""Combinations of the quadratic equations that are tried: the one that leaves the rows farthest from singular is taken."""

WALKERS, WAYS = 4, (16, 64)
"""Walks on which a quadratic equation is found anew, and how many strides they take: each longer, with what was found before."""

EXACT_QUADRIC, CURVED_QUADRIC = 1e-12, 1e-9
"""The same for quadratic equations: what vanishes does so to round-off, about 1e-14, and on a stretch monomials are nearly dependent, in
small pieces to about 1e-9. Singular values fall steadily on a short one, so that a gap alone says nothing."""


@dataclass(frozen=True, eq=False)
class Branch:
    """The mechanism on the branch of its start.

    joints       as the joints alone describe it
    system       with linear relations put in and quadratic equations added
    left         which coordinates the relations leave
    coordinates  all of the joints' coordinates, in terms of those that are left
    """

    joints: System
    system: System
    left: tuple[int, ...]
    coordinates: tuple[Form, ...]

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The linear relations in words: each coordinate that is gone."""
        labels, left = self.joints.labels, set(self.left)
        return tuple(
            f"{labels[i]} = {_in_words(form, self.system.labels)}"
            for i, form in enumerate(self.coordinates)
            if i not in left
        )

    @property
    def added(self) -> int:
        """How many quadratic equations were added."""
        return sum(row.owner == BRANCH for row in self.system.rows)

    def places(self, q: Array) -> Array:
        """The joints' coordinates (…, all) where those that are left are q (…, n)."""
        columns = np.moveaxis(q, -1, 0)
        found = [np.broadcast_to(np.asarray(form.at(columns), float), q.shape[:-1]) for form in self.coordinates]
        return np.stack(found, axis=-1)

    def misfit(self, q: Array) -> Array:
        """By how much the joints' own equations are missed at positions (times, n) of the branch, m: the largest of them."""
        places = list(self.places(q).T)
        largest = np.zeros(len(q))
        for row in self.joints.rows:
            np.maximum(largest, np.abs(row.expression.at(places)), out=largest)
        return largest


def find_branch(system: System, q: Array) -> Branch | None:
    """Everything of that kind that is found on the branch of the regular position q; None if there is nothing.

    Motors are no part of it: what holds for the joints holds wherever motors take them.
    """
    joints = system
    left = list(range(system.n))
    coordinates = [Form({i: 1.0}) for i in left]
    done: set[tuple[int, ...]] = set()
    for size in SIZES:
        while found := [form for piece in pieces(system, q[left], size, done) for form in _relations(piece)]:
            system, kept, steps = restrict(system, found)
            left = [left[i] for i in kept]
            coordinates = [form.substitute(dict(enumerate(steps))) for form in coordinates]
            done.clear()
    added = [
        row for piece in pieces(system, q[left], 0, set()) if len(piece.columns) <= FEW for row in _quadrics(piece)
    ]
    if not added and len(left) == joints.n:
        return None
    return Branch(joints, replace(system, rows=(*system.rows, *added)), tuple(left), tuple(coordinates))


def _in_words(form: Form, labels: Sequence[str]) -> str:
    parts = [("" if abs(x) == 1.0 else f"{abs(x):.6g} ") + labels[i] for i, x in form.terms.items()]
    signs = ["−" if x < 0.0 else "+" for x in form.terms.values()]
    if form.constant or not parts:
        parts.append(f"{abs(form.constant):.6g} m")
        signs.append("−" if form.constant < 0.0 else "+")
    text = " ".join(f"{sign} {part}" for sign, part in zip(signs, parts, strict=True))
    return text.removeprefix("+ ")


def _spread(points: Array) -> tuple[Array, Array]:
    """Singular values of many points (points, n) as a matrix, and all n right singular vectors."""
    _, sizes, directions = np.linalg.svd(np.linalg.qr(points, mode="r"))
    return sizes, directions


# -- linear


def _relations(piece: Piece) -> list[Form]:
    """Forms that vanish on the branch, in the coordinates of a piece."""
    n = len(piece.columns)
    rng = np.random.default_rng(1)
    free = n - piece.rank()
    walkers = 2 + free
    while True:
        away = piece.walk(rng, walkers, STRIDES) - piece.here
        if not len(away):
            return []
        sizes, directions = _spread(away)
        flat = int(np.sum(sizes > EXACT * sizes[0]))
        if flat < len(away) or len(away) > n:
            break
        walkers *= 2
    if flat >= n or sizes[flat - 1] < CURVED * sizes[0]:
        return []
    # on longer ways they have to hold, too, and are known to more digits
    farther = np.concatenate([away, piece.walk(rng, walkers, 2 * STRIDES) - piece.here])
    if np.max(np.abs(farther @ directions[flat:].T)) > 10.0 * EXACT * sizes[0]:
        return []
    return _forms(_spread(farther)[1][:flat], piece)


def _forms(span: Array, piece: Piece) -> list[Form]:
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
    for d in set(range(len(piece.columns))) - set(independent):
        factors = {i: _cleaned(basis[k, d]) for k, i in enumerate(independent)}
        constant = float(piece.here[d] - sum(x * piece.here[i] for i, x in factors.items()))
        terms = {piece.columns[i]: -x for i, x in factors.items() if x} | {piece.columns[d]: 1.0}
        forms.append(Form(terms, -constant if abs(constant) > EXACT * piece.length else 0.0))
    return forms


def _cleaned(x: float) -> float:
    """Without what round-off adds to a whole number."""
    return float(round(x)) if abs(x - round(x)) < 10.0 * EXACT else float(x)


# -- quadratic


def _quadrics(piece: Piece) -> list[Row]:
    """A row that holds on the branch and is no combination of the piece's own, if there is one.

    Found on a stretch, it leads on through the position where branches cross, and is found anew on the longer way.
    """
    rng = np.random.default_rng(1)
    enough = (len(piece.columns) + 2) ** 2
    points = np.concatenate([piece.here[None], piece.walk(rng, enough // STRIDES + 2, STRIDES)])
    if len(points) < enough:  # ways are short near a singular position
        points = np.concatenate([points, piece.walk(rng, 2 * enough, STRIDES)])
    found = _vanishing(piece, points, rng)
    if not found:  # unless they stepped over a singular position
        points = np.concatenate([piece.here[None], piece.walk(rng, enough, 2 * STRIDES, careful=True)])
        found = _vanishing(piece, points, rng)
    for strides in WAYS:
        if found:
            points = np.concatenate([points, piece.walk(rng, WALKERS, strides, piece.extended(found))])
            found = _vanishing(piece, points, rng)
    return found


def _vanishing(piece: Piece, points: Array, rng: np.random.Generator) -> list[Row]:
    """The row, if there is one that vanishes at the points."""
    n = len(piece.columns)
    pairs = [(i, j) for i in range(n) for j in range(i, n)]
    z = (points - piece.here) / piece.length
    table = np.hstack([np.ones((len(z), 1)), z, np.stack([z[:, i] * z[:, j] for i, j in pairs], axis=1)])
    count = table.shape[1]
    if len(table) < count:
        return []
    scales = np.max(np.abs(table), axis=0)
    sizes, directions = _spread(table / scales)
    curved = int(np.sum(sizes > EXACT_QUADRIC * sizes[0]))
    own = np.linalg.qr(np.array([_coefficients(row, piece, pairs) for row in piece.rows]).T)[0]
    new = count - curved - own.shape[1]
    if new <= 0 or sizes[curved - 1] < CURVED_QUADRIC * sizes[0]:
        return []
    vanishing = (directions[curved:] / scales).T
    beyond = np.linalg.svd(vanishing - own @ (own.T @ vanishing))[0][:, :new]
    candidates = [_row(beyond @ weights, piece, pairs) for weights in rng.normal(size=(CANDIDATES, new))]
    rank = piece.rank()

    def regularity(row: Row) -> float:
        gradients = piece.extended([row]).gradients(points)
        return float(np.min(np.linalg.svd(gradients, compute_uv=False)[:, rank - 1]))

    return [max(candidates, key=regularity)]


def _coefficients(row: Row, piece: Piece, pairs: list[tuple[int, int]]) -> list[float]:
    """Of a row as a polynomial in z = (q − here)/ℓ: the constant, then of z_i, then of the products."""
    places = {a: Form({i: piece.length}, x) for i, (a, x) in enumerate(zip(piece.columns, piece.here, strict=True))}
    found = monomials(row.expression.substitute(places))
    return [
        found.get((), 0.0),
        *(found.get((i,), 0.0) for i in range(len(places))),
        *(found.get(p, 0.0) for p in pairs),
    ]


def _row(coefficients: Array, piece: Piece, pairs: list[tuple[int, int]]) -> Row:
    """The row with these coefficients of its polynomial in z; gradients are about one."""
    n = len(piece.columns)
    z = [Form({a: 1.0 / piece.length}, -x / piece.length) for a, x in zip(piece.columns, piece.here, strict=True)]
    scale = piece.length / float(np.max(np.abs(coefficients)))
    total: Expression = Form()
    for i in range(n):
        terms: dict[int, float] = {}
        constant = coefficients[1 + i]
        for (first, second), x in zip(pairs, coefficients[1 + n :], strict=True):
            if first == i:
                terms[piece.columns[second]] = scale / piece.length * x
                constant -= x * piece.here[second] / piece.length
        total = total + z[i] * Form(terms, scale * constant)
    return Row(total, BRANCH)
