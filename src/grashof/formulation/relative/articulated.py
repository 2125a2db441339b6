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

from grashof.formulation.relative.inertias import Freed, Inertia, free, hang_on, own_inertia, yielding
from grashof.formulation.relative.placement import Placement, Wrench, along, moved
from grashof.formulation.relative.tree import Node, Tree
from grashof.formulation.relative.vectors import (
    ZERO,
    Column,
    add,
    apply,
    apply_transposed,
    scale,
    subtract,
    vector_product,
)
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, absolute

NONE: Wrench = (ZERO, ZERO)


@dataclass(frozen=True)
class Response:
    """The accelerations of the joints: θ̈, s̈, or the angular acceleration of a ball against its parent, in the axes of
    the node; and the further efforts along the motions of the nodes whose accelerations are given, or that stick, by
    their index, with the sizes of what these balance in nodes that stick."""

    accelerations: list[list[Scalar]]
    efforts: dict[int, Scalar]
    sizes: dict[int, Scalar]


class Articulated:
    """A tree at a position, prepared for any velocities and forces.

    The accelerations of some nodes may be given; the efforts that they take then follow (hybrid dynamics, Featherstone
    2008, section 9.2).

    placements   of the nodes against their parents
    given        turns and slides whose accelerations are given
    shares       of turns and slides that may stick, by their index: 1, or 0 while they do and have no acceleration
    """

    def __init__(
        self,
        tree: Tree,
        placements: Sequence[Placement],
        given: Collection[int] = (),
        shares: Mapping[int, Scalar] | None = None,
    ) -> None:
        self.nodes, self.placements, self.given = tree.nodes, placements, frozenset(given)
        self.shares = shares or {}
        inertias = [own_inertia(node) for node in self.nodes]
        freed: list[Freed] = []
        self._left: list[Inertia] = []  # of each node, without what its joint yields to
        for k in reversed(range(len(self.nodes))):
            node = self.nodes[k]
            share = self.shares.get(k, 1.0)
            joint = free(node, inertias[k], share)
            left = inertias[k] if k in self.given else yielding(node, inertias[k], joint, share)
            freed.append(joint)
            self._left.append(left)
            if node.parent >= 0:
                hang_on(inertias[node.parent], left, placements[k])
        freed.reverse()
        self._left.reverse()
        self._freed = freed

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
        sizes: dict[int, Scalar] = {}
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
            if k in self.shares:
                efforts[k] = (self.shares[k] - 1.0) * right[0]
                sizes[k] = absolute(driving[k][0]) + absolute(driving[k][0] - right[0])
            own = joint.solve(right)
            found.append(own)
            more = moved(node.kind, own)
            motions.append((add(turning, more[0]), add(moving, more[1])))
        return Response(found, efforts, sizes)


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
