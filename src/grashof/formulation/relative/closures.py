"""Joints that close loops, as rows over a tree.

A joint that is not in the tree restricts the place of its body b in the axes of its body a. Its equations are those in
natural coordinates, written in u, the components of points and directions of b in these axes, in which they are linear
(that of a rod is quadratic). Only the nodes between the two bodies move u: everything is seen from the last node on
which both of them hang.

Some equations imply others wherever the joint is closed: two unit vectors coincide if two of their components do.
Others hold at every position of the tree, such as those across the plane of a planar loop in space. Combinations of
them with constant factors are left out. What then remains dependent, as in Bennett's linkage, is left to ε (see
`constrained`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from math import sqrt

import numpy as np

from grashof.formulation.natural.forms import Expression, Form, Gradient, as_expression, curvature_of
from grashof.formulation.relative.kinematics import Efforts, Kinematics, NodeMotion, seen_from
from grashof.formulation.relative.placement import Wrench, place_node
from grashof.formulation.relative.tree import Attachment, Node, Tree, hang, zero_orientation
from grashof.formulation.relative.vectors import (
    EYE,
    ZERO,
    Column,
    add,
    apply,
    apply_transposed,
    in_space,
    scale,
    subtract,
    vector_product,
)
from grashof.model.fields import Vector, body_of
from grashof.model.joints import Joint
from grashof.model.model import Model
from grashof.scalar.functions import Scalar
from grashof.tape.open import value_of

SAMPLES = 4
"""Number of random positions at which combinations of equations must have no gradient to be left out."""

VANISHING = 1e-9
"""A gradient that is smaller than this fraction of the largest one is zero."""

Part = tuple[tuple[float, ...], bool]
"""A vector in the axes of body b, and whether it is a point, m, or a direction."""


@dataclass(frozen=True)
class Closure:
    """A joint that closes a loop.

    a, b    its bodies on the tree;  base: the last node on which both hang
    parts   the points and directions of b; the components of each are consecutive entries of u
    rows    its equations over u, m
    factors   of the joint's own equations in each of these; empty if they are these themselves
    """

    joint: str
    a: Attachment
    b: Attachment
    base: int
    parts: tuple[Part, ...]
    rows: tuple[Expression, ...]
    factors: tuple[tuple[float, ...], ...] = ()

    def combine(self, factors: Sequence[Sequence[float]]) -> Closure:
        """The closure with combinations of its equations."""
        found = []
        for combination in factors:
            total: Expression = Form()
            for x, row in zip(combination, self.rows, strict=True):
                if x:
                    total = total + row * x
            found.append(total)
        own = [tuple(x) for x in factors]
        if self.factors:
            columns = list(zip(*self.factors, strict=True))
            own = [tuple(sum(x * y for x, y in zip(row, column, strict=True)) for column in columns) for row in own]
        return replace(self, rows=tuple(found), factors=tuple(own))

    def seen(self, motion: Kinematics) -> SeenClosure:
        """The closure at a motion of the tree."""
        return SeenClosure(self, motion.seen_from(self.base))


class SeenClosure:
    """A closure at a motion of its loop.

    place   of b in the axes of a
    u       with its rate, and with its second derivative for zero accelerations of the joints
    """

    def __init__(self, closure: Closure, motion: Kinematics) -> None:
        self.closure, self.motion = closure, motion
        self._base = motion[closure.a.node].carried(closure.a.axes, closure.a.origin)
        self._body = motion[closure.b.node].carried(closure.b.axes, closure.b.origin)
        self.place = seen_from(self._base, self._body)
        self.u = _components(closure.parts, self.place)

    def violation(self) -> list[Scalar]:
        """Φ, m."""
        return [row.at(self.u[0]) for row in self.closure.rows]

    def bias(self) -> list[Scalar]:
        """γ, m/s²."""
        found: list[Scalar] = []
        for row in self.closure.rows:
            total: Scalar = -curvature_of(row, self.u[1])
            for i, x in row.gradient(self.u[0]).items():
                total = total - x * self.u[2][i]
            found.append(total)
        return found

    def jacobian(self) -> list[Efforts]:
        """J, row by row."""
        return [self._along_joints(row.gradient(self.u[0])) for row in self.closure.rows]

    def force(self, factors: Sequence[Scalar]) -> Column:
        """The force on b of these factors times the gradients of the rows, in the axes of a, N."""
        total = list(ZERO)
        for factor, row in zip(factors, self.closure.rows, strict=True):
            total = add(total, scale(factor, _wrench(self.closure.parts, self.place, row.gradient(self.u[0]))[1]))
        return total

    def _along_joints(self, gradient: Gradient) -> Efforts:
        """The efforts along the motions of the nodes of a generalised force along u: a force on b, and its reaction
        on a."""
        closure, motion = self.closure, self.motion
        moment, pull = (apply(self._base.rotation, x) for x in _wrench(closure.parts, self.place, gradient))
        wrenches: dict[int, Wrench] = {}
        for node, sign in ((closure.a.node, -1.0), (closure.b.node, 1.0)):
            if node != closure.base:
                arm = subtract(self._body.origin, motion[node].origin)
                turned = add(moment, vector_product(arm, pull))
                n, f = (scale(sign, apply_transposed(motion[node].rotation, x)) for x in (turned, pull))
                wrenches[node] = n, f
        return motion.joint_efforts(wrenches)


def _components(parts: Sequence[Part], place: NodeMotion) -> tuple[Column, Column, Column]:
    """u, its rate and its second derivative."""
    found: tuple[Column, Column, Column] = ([], [], [])
    for vector, is_point in parts:
        moving = place.place(list(vector)) if is_point else place.direction(list(vector))
        for column, x in zip(found, moving, strict=True):
            column += x
    return found


def _wrench(parts: Sequence[Part], place: NodeMotion, gradient: Gradient) -> Wrench:
    """A generalised force along u, as a moment about the origin of b and a force, in the axes of a."""
    moment, pull = list(ZERO), list(ZERO)
    for k, (vector, is_point) in enumerate(parts):
        force = [gradient.get(3 * k + i, 0.0) for i in range(3)]
        if any(3 * k + i in gradient for i in range(3)):
            moment = add(moment, vector_product(apply(place.rotation, list(vector)), force))
            pull = add(pull, force) if is_point else pull
    return moment, pull


@dataclass
class PlaceFields:
    """The bodies of a joint, in the axes of a: as numbers for a, as forms in u for b (see `model.fields.Fields`)."""

    model: Model
    joint: Joint
    length: float
    parts: list[Part] = field(default_factory=list)

    @property
    def dimension(self) -> int:
        """2 in the plane, 3 in space."""
        return self.model.dimension

    def point(self, reference: str) -> list[Form]:
        """A point, m."""
        return self._vector(body_of(reference), self.model.points[reference], 1.0, is_point=True)

    def arrow(self, body: str, direction: Vector) -> list[Form]:
        """A direction scaled to length ℓ, m."""
        return self._vector(body, direction, self.length, is_point=False)

    def _vector(self, body: str, local: Vector, size: float, *, is_point: bool) -> list[Form]:
        if body == self.joint.bodies[0]:
            return [Form({}, size * x) for x in local]
        part = tuple(in_space(list(local))), is_point
        known = [([value_of(x) for x in vector], is_known) for vector, is_known in self.parts]
        this = [value_of(x) for x in part[0]], is_point
        if this not in known:
            self.parts.append(part)
        first = 3 * (known.index(this) if this in known else len(known))
        return [Form({first + i: size}) for i in range(self.dimension)]


def find_closures(
    model: Model, tree: Tree, length: Scalar, known: Sequence[Closure] | None = None
) -> tuple[Closure, ...]:
    """The joints that close loops. Their number of rows shows whether they can be used (see `is_complete`).

    known   the same joints for other numbers of the mechanism, if their equations are combined in the same way
    """
    combined = None if known is None else {closure.joint: closure.factors for closure in known}
    found = []
    for name in tree.closing:
        joint = model.joints_by_name[name]
        if not joint.independent_equations(model.dimension) or (combined is not None and name not in combined):
            continue
        fields = PlaceFields(model, joint, length)
        rows = tuple(as_expression(x) for x in joint.equations(fields))
        a, b = (tree.bodies[body] for body in joint.bodies)
        closure = Closure(name, a, b, common_node(tree.nodes, a.node, b.node), tuple(fields.parts), rows)
        found.append(_independent(closure, joint, model) if combined is None else closure.combine(combined[name]))
    return tuple(found)


def is_complete(closure: Closure, model: Model) -> bool:
    """Whether the rows of a joint are as many as it has independent equations."""
    return len(closure.rows) == model.joints_by_name[closure.joint].independent_equations(model.dimension)


def common_node(nodes: Sequence[Node], a: int, b: int) -> int:
    """The last node on which two nodes hang, or one of these; −1 for the ground."""
    while a != b:  # parents come before their children
        a, b = (nodes[a].parent, b) if a > b else (a, nodes[b].parent)
    return a


def _independent(closure: Closure, joint: Joint, model: Model) -> Closure:
    """The closure with equations that do not imply each other where the joint is closed."""
    if joint.motions is None:
        return closure
    nodes: list[Node] = []
    ground = Attachment(-1, EYE, list(ZERO))
    place = hang(nodes, ground, joint, zero_orientation(joint, model.dimension), model, reverse=False)
    tree = Tree(tuple(nodes), {}, (), {}, ())
    rng = np.random.default_rng(1)
    columns: list[list[float]] = []
    for _ in range(SAMPLES):
        motions = [rng.uniform(-2.0, 2.0, 4 if node.kind == "ball" else 1).tolist() for node in nodes]
        placements = [place_node(node, x) for node, x in zip(nodes, motions, strict=True)]
        still = [[0.0] * (3 if node.kind == "ball" else 1) for node in nodes]
        body = Kinematics(tree, placements, still)[place.node].carried(place.axes, place.origin)
        u = _components(closure.parts, body)[0]
        wrenches = [_wrench(closure.parts, body, row.gradient(u)) for row in closure.rows]
        columns += [list(column) for column in zip(*([*n, *f] for n, f in wrenches), strict=True)]
    return closure.combine(spanning_directions(columns))


def without_identities(closures: Sequence[Closure], positions: Sequence[Kinematics]) -> tuple[Closure, ...]:
    """The closures without equations that hold at every position of the tree, of which some are given."""
    found = []
    for closure in closures:
        columns: list[list[float]] = []
        for motion in positions:
            rows = closure.seen(motion).jacobian()
            keys = sorted({(k, i) for row in rows for k, own in row.items() for i in range(len(own))})
            columns += [[row[k][i] if k in row else 0.0 for row in rows] for k, i in keys]
        found.append(closure.combine(spanning_directions(columns)))
    return tuple(closure for closure in found if closure.rows)


def spanning_directions(columns: Sequence[Sequence[float]]) -> list[list[float]]:
    """Orthonormal vectors that span the given ones, each along what is longest after the previous ones (Gram–Schmidt
    with pivoting). By plain arithmetic, whose digits are the same on every processor."""
    left = [[float(x) for x in column] for column in columns]
    found: list[list[float]] = []
    largest = max((_norm(column) for column in left), default=0.0)
    while left:
        best = max(left, key=_norm)
        size = _norm(best)
        if not size > VANISHING * largest:
            break
        along = [x / size for x in best]
        along = [float(round(x)) if abs(x - round(x)) < 1e-14 else x for x in along]
        found.append(along)
        left = [_without(column, along) for column in left]
    return found


def _norm(column: Sequence[float]) -> float:
    return sqrt(sum(x * x for x in column))


def _without(column: Sequence[float], along: Sequence[float]) -> list[float]:
    share = sum(x * y for x, y in zip(column, along, strict=True))
    return [x - share * y for x, y in zip(column, along, strict=True)]
