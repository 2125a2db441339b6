"""The inertia of a node together with everything that hangs on it, which is free to move in its joints:

    n = I ω̇ + H a        f = Hᵀ ω̇ + M a

with the angular acceleration ω̇ of the node, the acceleration a of its origin, the moment n about it and the force f.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grashof.formulation.relative.placement import Placement, Wrench
from grashof.formulation.relative.tree import Node
from grashof.formulation.relative.vectors import ZERO, Square, add, crossing, multiply, scale, symmetric, transpose
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar


@dataclass
class Inertia:
    """I, H and M of a node with everything that hangs on it."""

    turning: Square
    mixed: Square
    moving: Square


@dataclass(frozen=True)
class Freed:
    """How the joint of a node moves under a force: the columns of the inertia along its motion, (n, f) for each of
    these, and the factors of the matrix between force and acceleration along it."""

    columns: list[Wrench]
    factors: tuple[Scalar, ...]

    def solve(self, right: Sequence[Scalar]) -> list[Scalar]:
        """The acceleration of the joint, from the force along its motion."""
        if len(right) == 1:
            return [right[0] * self.factors[0]]
        a, b, c, first, second, third = self.factors
        x, y, z = right
        y = y - a * x
        z = z - b * x - c * y
        z = z * third
        y = y * second - c * z
        return [x * first - a * y - b * z, y, z]


def _with_rotor(node: Node, inertia: Scalar) -> Scalar:
    """An inertia along the motion of a node, with its rotor."""
    return inertia if node.rotor is None else inertia + node.rotor


def free(node: Node, inertia: Inertia, share: Scalar = 1.0) -> Freed:
    """How the joint of a node moves.

    share   1, or 0 for a turn or slide that sticks: it yields to no force
    """
    i, h, m = inertia.turning, inertia.mixed, inertia.moving
    if node.kind == "turn":
        return Freed([([row[2] for row in i], list(h[2]))], (share / _with_rotor(node, i[2][2]),))
    if node.kind == "slide":
        return Freed([([row[2] for row in h], [row[2] for row in m])], (share / _with_rotor(node, m[2][2]),))
    columns = [([row[k] for row in i], list(h[k])) for k in range(3)]
    if node.prop is not None:
        i = [add(row, more) for row, more in zip(i, node.prop, strict=True)]
    first = 1.0 / i[0][0]  # L D Lᵀ of the inertia about the ball
    a, b = i[1][0] * first, i[2][0] * first
    second = 1.0 / (i[1][1] - a * i[1][0])
    rest = i[2][1] - a * i[2][0]
    c = rest * second
    return Freed(columns, (a, b, c, first, second, 1.0 / (i[2][2] - b * i[2][0] - c * rest)))


def own_inertia(node: Node) -> Inertia:
    x, y, z = node.moment
    mixed: Square = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
    moving: Square = [[node.mass if i == j else 0.0 for j in range(3)] for i in range(3)]
    return Inertia([list(row) for row in node.inertia], mixed, moving)


def yielding(node: Node, inertia: Inertia, joint: Freed, share: Scalar = 1.0) -> Inertia:
    """The inertia that a node shows to its parent, whose joint yields (see `free` for its share)."""
    i, h, m = inertia.turning, inertia.mixed, inertia.moving
    if node.kind == "ball":  # the moment about a ball is zero, whatever the accelerations
        yields = [joint.solve(row) for row in transpose(h)]  # I⁻¹ H, column by column
        moving = symmetric(lambda a, b: m[a][b] - dot([row[a] for row in h], yields[b]))
        return Inertia([list(ZERO) for _ in range(3)], [list(ZERO) for _ in range(3)], moving)
    ((n, f),), (inverse,) = joint.columns, joint.factors
    shares_n, shares_f = scale(inverse, n), scale(inverse, f)
    # without a rotor nothing is left along the motion itself
    turn, slide = (node.kind == kind and node.rotor is None for kind in ("turn", "slide"))
    left = 1.0 - share
    return Inertia(
        symmetric(lambda a, b: left * i[a][b] if turn and 2 in (a, b) else i[a][b] - shares_n[a] * n[b]),
        [
            [
                left * h[a][b] if (turn and a == 2) or (slide and b == 2) else h[a][b] - shares_n[a] * f[b]
                for b in range(3)
            ]
            for a in range(3)
        ],
        symmetric(lambda a, b: left * m[a][b] if slide and 2 in (a, b) else m[a][b] - shares_f[a] * f[b]),
    )


def hang_on(parent: Inertia, child: Inertia, place: Placement) -> None:
    """Adds the inertia of a child to that of its parent, in the axes of the parent and about its origin."""
    i, m = (_turned(x, place.turn, mirror=True) for x in (child.turning, child.moving))
    h, r = _turned(child.mixed, place.turn, mirror=False), place.shift
    mixed = [[x + y for x, y in zip(a, b, strict=True)] for a, b in zip(h, crossing(r, m), strict=True)]
    about, across = crossing(r, transpose(mixed)), crossing(r, transpose(h))
    turning, before = parent.turning, parent.mixed
    parent.turning = symmetric(lambda a, b: turning[a][b] + i[a][b] + across[b][a] + about[a][b])
    parent.mixed = [[x + y for x, y in zip(a, b, strict=True)] for a, b in zip(before, mixed, strict=True)]
    moving = parent.moving
    parent.moving = symmetric(lambda a, b: moving[a][b] + m[a][b])


def _turned(matrix: Square, turn: Square, *, mirror: bool) -> Square:
    """Eᵀ A E, which is symmetric if `mirror`."""
    half = transpose(multiply(matrix, turn))  # the columns of A E, as rows
    columns = transpose(turn)
    if mirror:
        return symmetric(lambda a, b: dot(columns[a], half[b]))
    return [[dot(column, x) for x in half] for column in columns]
