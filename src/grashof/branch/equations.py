"""Equations that hold along the motion in addition to those of the joints: those of the branch on which the mechanism
starts.

The positions that satisfy all joints are an algebraic set. Through a regular position passes exactly one of its
irreducible components, the *branch*. A motion is analytic and never leaves its branch, not even at a singular position,
where branches cross. The equations of the joints describe all branches and lose rank where these cross; the equations
of a single branch need not.

- Some branches lie in a flat subspace: in a four-bar with equal opposite sides that starts as a parallelogram, opposite
  sides always remain parallel. Such *linear relations* eliminate coordinates and rows, and with them redundancy and
  singular positions.
- A crossed four-bar with the same lengths and a kite satisfy *quadratic* equations of their own. With one of them
  added, the position where branches cross is no longer singular, at the price of a redundant row.

The equations are found as in numerical algebraic geometry (Sommese and Wampler, 2005): what vanishes at random
positions of an irreducible set vanishes on all of it. Everything found holds at the start, and is used only if it
leaves the number of degrees of freedom unchanged. If some of the positions are on another branch by mistake, equations
may be missed, but no wrong ones are found.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import msgspec
import numpy as np

from grashof.branch.quadrics import FEW, quadrics_of
from grashof.branch.relations import relations_of, rest
from grashof.branch.sampling import Array, Piece, bodies, pieces
from grashof.formulation.natural.closing import Positions, close
from grashof.formulation.natural.equations import make_dynamics
from grashof.formulation.natural.forms import Form, Quadratic
from grashof.formulation.natural.presolve import BRANCH, Row, presolve
from grashof.formulation.natural.residuals import Residuals
from grashof.formulation.natural.system import System, restrict

SIZES = (16, 80)
"""Smallest numbers of coordinates examined together (see `pieces`): what holds for a piece holds for the whole, and
small pieces take little time."""

AWAY, HOLDS = 0.1, 1e-12
"""At a position of the branch that is this far away, in lengths of the mechanism, the joints' own equations may be
violated by this fraction of the distance (in large mechanisms, of the largest coordinate), which allows for
round-off."""

NOT_EXACT = "Equations that seemed to hold along the motion are not used, because they do not hold to round-off."

FAILED = "The search for equations that hold along the motion failed"

Linear = tuple[float, dict[int, float]]
"""A form as plain data: its constant and its terms."""


class BranchEquation(msgspec.Struct, frozen=True):
    """linear + Σ w f g = 0 as plain data; if it is linear, it determines a coordinate."""

    linear: Linear
    products: tuple[tuple[float, Linear, Linear], ...] = ()
    gives: int = -1

    @classmethod
    def of(cls, row: Row) -> BranchEquation:
        """The equation of a row."""
        x = row.expression
        if isinstance(x, Form):
            return cls(_plain(x), (), row.gives)
        return cls(_plain(x.linear), tuple((float(w), _plain(f), _plain(g)) for w, f, g in x.products))

    @property
    def row(self) -> Row:
        """The equation as a row of the branch."""
        linear = _form(self.linear)
        products = [(w, _form(f), _form(g)) for w, f, g in self.products]
        return Row(Quadratic(products, linear) if products else linear, BRANCH, self.gives)


class Findings(msgspec.Struct, frozen=True):
    """What holds on a branch in addition to the joints' equations, as plain data.

    relations  each expresses one of the joints' coordinates in terms of the remaining ones
    quadrics   equations in the remaining coordinates
    remark     a sentence about the search; usually empty
    """

    relations: tuple[BranchEquation, ...] = ()
    quadrics: tuple[BranchEquation, ...] = ()
    remark: str = ""

    def __bool__(self) -> bool:
        return bool(self.relations or self.quadrics)


@dataclass(frozen=True, eq=False)
class Branch:
    """The mechanism on the branch on which it starts.

    joints       the system as described by the joints alone
    system       the system after substituting linear relations and adding quadratic equations
    left         which coordinates remain
    coordinates  all of the joints' coordinates in terms of the remaining ones
    """

    joints: System
    system: System
    left: tuple[int, ...]
    coordinates: tuple[Form, ...]

    @cached_property
    def relations(self) -> tuple[str, ...]:
        """The linear relations in words, one for each eliminated coordinate."""
        labels, left = self.joints.labels, set(self.left)
        return tuple(
            f"{labels[i]} = {_in_words(form, self.system.labels)}"
            for i, form in enumerate(self.coordinates)
            if i not in left
        )

    @property
    def added(self) -> int:
        """Number of quadratic equations that were added."""
        return sum(row.owner == BRANCH for row in self.system.rows)

    def places(self, q: Array) -> Array:
        """The joints' coordinates (…, all), given the remaining ones, q (…, n)."""
        columns = np.moveaxis(q, -1, 0)
        found = [np.broadcast_to(np.asarray(form.at(columns), float), q.shape[:-1]) for form in self.coordinates]
        return np.stack(found, axis=-1)

    def misfit(self, q: Array) -> Array:
        """The largest violation of the joints' own equations at positions (times, n) of the branch, m."""
        return self.residuals.largest(q)

    @cached_property
    def residuals(self) -> Residuals:
        """The joints' own equations on the branch."""
        return Residuals([row.expression for row in self.joints.rows], self.coordinates)


def make_branch(joints: System, findings: Findings) -> Branch:
    """The joints' system with the findings applied to it."""
    system, left, coordinates = restrict(joints, [equation.row for equation in findings.relations])
    added = [equation.row for equation in findings.quadrics]
    return Branch(joints, replace(system, rows=(*system.rows, *added)), tuple(left), tuple(coordinates))


def search(joints: System, q: Array) -> tuple[Findings, Branch | None]:
    """The equations found on the branch of the regular position q, and the branch; None if there are none.

    Motors and couplings are not considered: what holds for the joints holds wherever these move them. A mechanism can
    be simulated without these equations, so a failure of the search is never a reason to refuse it.
    """
    try:
        with np.errstate(all="ignore"):
            findings = _search(joints, q)
            branch = make_branch(joints, findings) if findings else None
            if branch is None or _holds(branch, q):
                return findings, branch
    except Exception as problem:
        reason = " ".join(str(problem).split()) or type(problem).__name__
        return Findings(remark=f"{FAILED}: {reason}"), None
    return Findings(remark=NOT_EXACT), None


def _search(joints: System, q: Array) -> Findings:
    system, left = joints, list(range(joints.n))
    coordinates = [Form({i: 1.0}) for i in left]
    relations: list[Row] = []
    done: set[tuple[int, ...]] = set()
    for size in (1, *SIZES):
        while found := [form for piece in _new(system, q, left, size, done) for form in relations_of(piece)]:
            relations = _join_relations(system, found, left, coordinates, q)
            system, left, coordinates = restrict(joints, relations)
    small = (piece for piece in pieces(system, q[left], 0) if len(piece.columns) <= FEW)
    quadrics = [row for piece in small for row in quadrics_of(piece)]
    return Findings(tuple(map(BranchEquation.of, relations)), tuple(map(BranchEquation.of, quadrics)))


def _join_relations(system: System, found: list[Form], left: list[int], coordinates: list[Form], q: Array) -> list[Row]:
    """Everything that is known about the joints' coordinates, as rows that express each eliminated one in terms of the
    remaining ones.

    Constants are chosen such that all rows hold exactly at q, whatever round-off has accumulated.
    """
    by = presolve([*system.rows, *(Row(form, BRANCH) for form in found)], system.length).eliminated
    rows = []
    for i, form in enumerate(coordinates):
        terms = {left[a]: x for a, x in form.substitute(by).terms.items()}
        if terms != {i: 1.0}:
            constant = rest(float(q[i]), [(x, float(q[a])) for a, x in terms.items()])
            rows.append(Row(Form({a: -x for a, x in terms.items()} | {i: 1.0}, -constant), BRANCH, i))
    return rows


def _new(system: System, q: Array, left: list[int], size: int, done: set[tuple[int, ...]]) -> Iterator[Piece]:
    """Pieces of about this many coordinates and rows that were not examined before; single bodies if `size` is 1."""
    for piece in bodies(system, q[left]) if size == 1 else pieces(system, q[left], size):
        name = (len(piece.rows), *(left[a] for a in piece.columns))
        if name not in done:
            done.add(name)
            yield piece


def _holds(branch: Branch, q: Array) -> bool:
    """Whether the joints' own equations hold where those of the branch do: at q, and at a position some distance
    away."""
    here = q[list(branch.left)]
    positions = Positions(make_dynamics(replace(branch.system, couplings=())), 0.0)
    way = positions.free_part(here, np.random.default_rng(1).normal(size=len(here)))
    largest = float(np.max(np.abs(way), initial=0.0))
    there = close(positions, here + way * (AWAY * positions.length / largest if largest else 0.0))[0]
    size = max(positions.length, float(np.max(np.abs(q), initial=0.0)))
    return bool(np.max(branch.misfit(np.array([here, there]))) <= HOLDS * AWAY * size)


def _in_words(form: Form, labels: Sequence[str]) -> str:
    parts = [("" if abs(x) == 1.0 else f"{abs(x):.6g} ") + labels[i] for i, x in form.terms.items()]
    signs = ["−" if x < 0.0 else "+" for x in form.terms.values()]
    if form.constant or not parts:
        parts.append(f"{abs(form.constant):.6g} m")
        signs.append("−" if form.constant < 0.0 else "+")
    text = " ".join(f"{sign} {part}" for sign, part in zip(signs, parts, strict=True))
    return text.removeprefix("+ ")


def _plain(form: Form) -> Linear:
    return float(form.constant), {a: float(x) for a, x in form.terms.items()}


def _form(linear: Linear) -> Form:
    return Form(linear[1], linear[0])
