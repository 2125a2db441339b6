"""The articulated-body algorithm (Featherstone, Rigid Body Dynamics Algorithms, 2008, table 7.1), over any scalars.

The motion of a node is given by its angular velocity ω and the velocity v of its origin, both in its own axes, and so
are its accelerations; a force on it by its moment n about the origin and its force f. The inertia of a node together
with everything that hangs on it, free to move in its joints, maps accelerations to forces,

    n = I ω̇ + H a + n₀        f = Hᵀ ω̇ + M a + f₀

and is found from the leaves of the tree to its root. The accelerations of the joints follow from the root to the
leaves. Both take a time proportional to the number of nodes.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from grashof.formulation.relative.tree import Node, Tree
from grashof.formulation.relative.vectors import (
    ZERO,
    Column,
    Square,
    add,
    apply,
    apply_transposed,
    crossing,
    multiply,
    scale,
    subtract,
    symmetric,
    transpose,
    vector_product,
)
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, cos, maximum, sin

Wrench = tuple[Column, Column]
"""A moment about the origin of a node, and a force, in its axes."""

NONE: Wrench = (ZERO, ZERO)


@dataclass(frozen=True)
class Placement:
    """A node against its parent.

    turn    E: from the axes of the parent to those of the node
    shift   the origin of the node, in the axes of the parent, m
    """

    turn: Square
    shift: Column


def place_node(node: Node, coordinate: Sequence[Scalar]) -> Placement:
    """Where the coordinates of a node bring it: an angle, a distance, or a quaternion of any length."""
    back = transpose(node.rotation)
    if node.kind == "slide":
        return Placement(back, add(node.shift, scale(coordinate[0], [row[2] for row in node.rotation])))
    if node.kind == "ball":
        return Placement(multiply(transpose(turn_by(coordinate)), back), node.shift)
    c, s = cos(coordinate[0]), sin(coordinate[0])
    x, y, z = back
    first = [c * a + s * b for a, b in zip(x, y, strict=True)]
    second = [c * b - s * a for a, b in zip(x, y, strict=True)]
    return Placement([first, second, list(z)], node.shift)


def turn_by(quaternion: Sequence[Scalar]) -> Square:
    """The rotation matrix of a quaternion w, x, y, z of any length but zero."""
    w, x, y, z = quaternion
    twice = 2.0 / dot(quaternion, quaternion)
    xx, yy, zz, xy, xz, yz = x * x, y * y, z * z, x * y, x * z, y * z
    wx, wy, wz = w * x, w * y, w * z
    return [
        [1.0 - twice * (yy + zz), twice * (xy - wz), twice * (xz + wy)],
        [twice * (xy + wz), 1.0 - twice * (xx + zz), twice * (yz - wx)],
        [twice * (xz - wy), twice * (yz + wx), 1.0 - twice * (xx + yy)],
    ]


@dataclass
class _Inertia:
    """I, H and M of a node with everything that hangs on it."""

    turning: Square
    mixed: Square
    moving: Square


@dataclass(frozen=True)
class _Freed:
    """How the joint of a node moves under a force: the columns of the inertia along its motion, (n, f) for each of
    these, and the factors of the matrix between force and acceleration along it."""

    columns: list[Wrench]
    factors: tuple[Scalar, ...]

    def resistance(self, node: Node, inertia: _Inertia) -> Scalar:
        """The least inertia along its motion, as a fraction."""
        whole = inertia.moving if node.kind == "slide" else inertia.turning
        largest = self.factors[0] if len(self.factors) == 1 else maximum(maximum(*self.factors[3:5]), self.factors[5])
        return 1.0 / (largest * _with_rotor(node, whole[0][0] + whole[1][1] + whole[2][2]))

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


def _free(node: Node, inertia: _Inertia) -> _Freed:
    i, h, m = inertia.turning, inertia.mixed, inertia.moving
    if node.kind == "turn":
        return _Freed([([row[2] for row in i], list(h[2]))], (1.0 / _with_rotor(node, i[2][2]),))
    if node.kind == "slide":
        return _Freed([([row[2] for row in h], [row[2] for row in m])], (1.0 / _with_rotor(node, m[2][2]),))
    columns = [([row[k] for row in i], list(h[k])) for k in range(3)]
    first = 1.0 / i[0][0]  # L D Lᵀ of the inertia about the ball
    a, b = i[1][0] * first, i[2][0] * first
    second = 1.0 / (i[1][1] - a * i[1][0])
    rest = i[2][1] - a * i[2][0]
    c = rest * second
    return _Freed(columns, (a, b, c, first, second, 1.0 / (i[2][2] - b * i[2][0] - c * rest)))


def along(kind: str, wrench: Wrench) -> list[Scalar]:
    """The force along the motion of a joint, of a wrench on its node."""
    moment, force = wrench
    return list(moment) if kind == "ball" else [moment[2] if kind == "turn" else force[2]]


def moved(kind: str, rates: Sequence[Scalar]) -> Wrench:
    """The angular velocity and velocity of a node against its parent, from the rates of its joint."""
    if kind == "ball":
        return list(rates), list(ZERO)
    one: Column = [0.0, 0.0, rates[0]]
    return (one, list(ZERO)) if kind == "turn" else (list(ZERO), one)


@dataclass(frozen=True)
class Response:
    """The accelerations of the joints: θ̈, s̈, or the angular acceleration of a ball against its parent, in the axes of
    the node; and the further efforts along the motions of the nodes whose accelerations are given, by their index."""

    accelerations: list[list[Scalar]]
    efforts: dict[int, Scalar]


class Articulated:
    """A tree at a position, prepared for any velocities and forces.

    The accelerations of some nodes may be given; the efforts that they take then follow (hybrid dynamics, Featherstone
    2008, section 9.2).

    placements   of the nodes against their parents
    given        turns and slides whose accelerations are given
    """

    def __init__(self, tree: Tree, placements: Sequence[Placement], given: Collection[int] = ()) -> None:
        self.nodes, self.placements, self.given = tree.nodes, placements, frozenset(given)
        inertias = [_own_inertia(node) for node in self.nodes]
        freed: list[_Freed] = []
        self._left: list[_Inertia] = []  # of each node, without what its joint yields to
        for k in reversed(range(len(self.nodes))):
            node = self.nodes[k]
            joint = _free(node, inertias[k])
            left = inertias[k] if k in self.given else _yielding(node, inertias[k], joint)
            freed.append(joint)
            self._left.append(left)
            if node.parent >= 0:
                _hang_on(inertias[node.parent], left, placements[k])
        freed.reverse()
        self._left.reverse()
        self._freed, self._inertias = freed, inertias

    @property
    def resistances(self) -> list[Scalar]:
        """The least inertia along the motion of each node, as a fraction of the sum of those about or along three
        axes."""
        parts = zip(self._freed, self.nodes, self._inertias, strict=True)
        return [joint.resistance(node, inertia) for joint, node, inertia in parts]

    def accelerations(
        self,
        rates: Sequence[Sequence[Scalar]],
        gravity: Sequence[Scalar],
        wrenches: Mapping[int, Wrench],
        efforts: Mapping[int, Sequence[Scalar]],
        given: Mapping[int, Scalar] | None = None,
    ) -> Response:
        """The accelerations of the joints.

        rates      θ̇, ṡ, or the angular velocity of a ball against its parent, in the axes of the node
        gravity    in the axes of the ground, m/s²
        wrenches   on nodes, by their index, in their axes
        efforts    along the motions of joints, by the index of the node: torques, forces
        given      the accelerations that are given, by the index of the node
        """
        twists = self._twists(rates)
        forces = [_resistance(node, *twist) for node, twist in zip(self.nodes, twists, strict=True)]
        for k, (moment, force) in wrenches.items():
            forces[k] = subtract(forces[k][0], moment), subtract(forces[k][1], force)
        turning = [_bent(node.kind, twist, own) for node, twist, own in zip(self.nodes, twists, rates, strict=True)]
        return self._solve(forces, efforts, turning, [-x for x in gravity], given or {})

    def responses(self, efforts: Mapping[int, Sequence[Scalar]], given: Mapping[int, Scalar] | None = None) -> Response:
        """The accelerations of the joints by efforts along their motions and by given accelerations alone, from rest;
        and so the changes of their rates by impulses."""
        count = len(self.nodes)
        return self._solve([NONE] * count, efforts, [NONE] * count, ZERO, given or {})

    def _twists(self, rates: Sequence[Sequence[Scalar]]) -> list[Wrench]:
        """ω and v of each node, in its axes."""
        found: list[Wrench] = []
        for node, place, own in zip(self.nodes, self.placements, rates, strict=True):
            turning, moving = moved(node.kind, own)
            if node.parent >= 0:
                spin, speed = found[node.parent]
                turning = add(apply(place.turn, spin), turning)
                moving = add(apply(place.turn, add(speed, vector_product(spin, place.shift))), moving)
            found.append((turning, moving))
        return found

    def _solve(
        self,
        forces: Sequence[Wrench],
        efforts: Mapping[int, Sequence[Scalar]],
        bias: Sequence[Wrench],
        ground: Sequence[Scalar],
        known: Mapping[int, Scalar],
    ) -> Response:
        """The accelerations of the joints.

        forces   n₀ and f₀ of the nodes alone
        bias     ω̇ and a of each node against its parent, for zero accelerations of the joints
        ground   the acceleration of the ground, in its axes
        known    the accelerations that are given; zero unless they are
        """
        total, bias = list(forces), list(bias)
        for k, x in known.items():
            turning, moving = moved(self.nodes[k].kind, [x])
            bias[k] = add(bias[k][0], turning), add(bias[k][1], moving)
        driving: list[list[Scalar]] = [[]] * len(self.nodes)
        for k in reversed(range(len(self.nodes))):
            node, place, joint, left = self.nodes[k], self.placements[k], self._freed[k], self._left[k]
            held = along(node.kind, total[k])
            given = efforts.get(k, [0.0] * len(held))
            driving[k] = [x - y for x, y in zip(given, held, strict=True)]
            if node.parent < 0:
                continue
            turning, moving = bias[k]
            moment = add(total[k][0], apply(left.turning, turning), apply(left.mixed, moving))
            force = add(total[k][1], apply_transposed(left.mixed, turning), apply(left.moving, moving))
            yielded = [] if k in self.given else zip(joint.solve(driving[k]), joint.columns, strict=True)
            for x, (n, f) in yielded:
                moment, force = add(moment, scale(x, n)), add(force, scale(x, f))
            pull = apply_transposed(place.turn, force)
            torque = add(apply_transposed(place.turn, moment), vector_product(place.shift, pull))
            before = total[node.parent]
            total[node.parent] = add(before[0], torque), add(before[1], pull)
        return self._descend(driving, bias, ground, known)

    def _descend(
        self,
        driving: Sequence[Sequence[Scalar]],
        bias: Sequence[Wrench],
        ground: Sequence[Scalar],
        known: Mapping[int, Scalar],
    ) -> Response:
        """From the root to the leaves."""
        found: list[list[Scalar]] = []
        efforts: dict[int, Scalar] = {}
        motions: list[Wrench] = []
        for k, (node, place, joint) in enumerate(zip(self.nodes, self.placements, self._freed, strict=True)):
            spin, moving = (ZERO, ground) if node.parent < 0 else motions[node.parent]
            turning = add(apply(place.turn, spin), bias[k][0])
            moving = add(apply(place.turn, add(moving, vector_product(spin, place.shift))), bias[k][1])
            right = [
                x - (dot(n, turning) + dot(f, moving)) for x, (n, f) in zip(driving[k], joint.columns, strict=True)
            ]
            if k in self.given:
                efforts[k] = -right[0] if node.rotor is None else node.rotor * known.get(k, 0.0) - right[0]
                found.append([known.get(k, 0.0)])
                motions.append((turning, moving))
                continue
            own = joint.solve(right)
            found.append(own)
            more = moved(node.kind, own)
            motions.append((add(turning, more[0]), add(moving, more[1])))
        return Response(found, efforts)


def _own_inertia(node: Node) -> _Inertia:
    x, y, z = node.moment
    mixed: Square = [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]]
    moving: Square = [[node.mass if i == j else 0.0 for j in range(3)] for i in range(3)]
    return _Inertia([list(row) for row in node.inertia], mixed, moving)


def _resistance(node: Node, spin: Column, speed: Column) -> Wrench:
    """n₀ and f₀ of a node alone: the rates of its momenta for zero accelerations (ω̇, v̇ in its axes)."""
    momentum = subtract(scale(node.mass, speed), vector_product(node.moment, spin))
    angular = add(apply(node.inertia, spin), vector_product(node.moment, speed))
    moment = add(vector_product(spin, angular), vector_product(speed, momentum))
    return moment, vector_product(spin, momentum)


def _bent(kind: str, twist: Wrench, rates: Sequence[Scalar]) -> Wrench:
    """The accelerations of a node against its parent for zero accelerations of its joint, in its turning axes."""
    spin, speed = twist
    turning, moving = moved(kind, rates)
    bent = vector_product(speed, turning) if kind != "slide" else vector_product(spin, moving)
    return vector_product(spin, turning), bent


def _yielding(node: Node, inertia: _Inertia, joint: _Freed) -> _Inertia:
    """The inertia that a node shows to its parent, whose joint yields."""
    i, h, m = inertia.turning, inertia.mixed, inertia.moving
    if node.kind == "ball":  # the moment about a ball is zero, whatever the accelerations
        yields = [joint.solve(row) for row in transpose(h)]  # I⁻¹ H, column by column
        moving = symmetric(lambda a, b: m[a][b] - dot([row[a] for row in h], yields[b]))
        return _Inertia([list(ZERO) for _ in range(3)], [list(ZERO) for _ in range(3)], moving)
    ((n, f),), (inverse,) = joint.columns, joint.factors
    shares_n, shares_f = scale(inverse, n), scale(inverse, f)
    # without a rotor nothing is left along the motion itself
    turn, slide = (node.kind == kind and node.rotor is None for kind in ("turn", "slide"))
    return _Inertia(
        symmetric(lambda a, b: 0.0 if turn and 2 in (a, b) else i[a][b] - shares_n[a] * n[b]),
        [
            [0.0 if (turn and a == 2) or (slide and b == 2) else h[a][b] - shares_n[a] * f[b] for b in range(3)]
            for a in range(3)
        ],
        symmetric(lambda a, b: 0.0 if slide and 2 in (a, b) else m[a][b] - shares_f[a] * f[b]),
    )


def _hang_on(parent: _Inertia, child: _Inertia, place: Placement) -> None:
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
