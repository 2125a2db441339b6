"""Where the nodes of a tree are, and how they move, in the axes of the ground."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from grashof.formulation.relative.placement import Placement, Wrench, along, moved
from grashof.formulation.relative.tree import Attachment, Tree
from grashof.formulation.relative.vectors import (
    EYE,
    ZERO,
    Column,
    Square,
    add,
    apply,
    apply_transposed,
    multiply,
    subtract,
    transpose,
    vector_product,
)
from grashof.scalar.functions import Scalar


@dataclass(frozen=True)
class NodeMotion:
    """A node in the axes of the ground.

    rotation   its axes as columns;  origin: m
    spin       ω, rad/s;  velocity: of the origin, m/s
    turning    ω̇, rad/s²;  acceleration: of the origin, m/s²
    """

    rotation: Square
    origin: Column
    spin: Column
    velocity: Column
    turning: Column
    acceleration: Column

    def place(self, local: Column) -> tuple[Column, Column, Column]:
        """Position, velocity and acceleration of a place in its axes."""
        arm = apply(self.rotation, local)
        rate, bent = self._carried(arm)
        return add(self.origin, arm), add(self.velocity, rate), add(self.acceleration, bent)

    def direction(self, local: Column) -> tuple[Column, Column, Column]:
        """A vector in its axes, with its first and second derivative."""
        arm = apply(self.rotation, local)
        return arm, *self._carried(arm)

    def carried(self, axes: Square, origin: Column) -> NodeMotion:
        """What is fixed in it: these axes and this origin, in its own axes."""
        moving = self.place(origin)
        return NodeMotion(multiply(self.rotation, axes), moving[0], self.spin, moving[1], self.turning, moving[2])

    def _carried(self, arm: Column) -> tuple[Column, Column]:
        rate = vector_product(self.spin, arm)
        return rate, add(vector_product(self.turning, arm), vector_product(self.spin, rate))


def seen_from(base: NodeMotion, body: NodeMotion) -> NodeMotion:
    """The motion of something in the axes of something else that moves."""
    spin, arm = base.spin, subtract(body.origin, base.origin)
    turned = subtract(body.spin, spin)
    carried = vector_product(spin, arm)
    leaving = subtract(subtract(body.velocity, base.velocity), carried)
    twice = vector_product(spin, leaving)  # Coriolis
    pulled = add(vector_product(base.turning, arm), vector_product(spin, carried), twice, twice)
    turning = subtract(subtract(body.turning, base.turning), vector_product(spin, turned))
    pushed = subtract(subtract(body.acceleration, base.acceleration), pulled)
    vectors = (apply_transposed(base.rotation, x) for x in (arm, turned, leaving, turning, pushed))
    return NodeMotion(multiply(transpose(base.rotation), body.rotation), *vectors)


Efforts = dict[int, list[Scalar]]
"""For some nodes, an effort along each of its motions; or a row's entries of J for its velocities."""

GROUNDED = NodeMotion(EYE, ZERO, ZERO, ZERO, ZERO, ZERO)


class Kinematics:
    """The motion of a tree; that of a node is computed when it is first needed.

    rates           as in `Articulated.accelerations`
    accelerations   of the joints; none: zero
    base            the node in whose axes everything is seen; −1: the ground
    """

    def __init__(
        self,
        tree: Tree,
        placements: Sequence[Placement],
        rates: Sequence[Sequence[Scalar]],
        accelerations: Sequence[Sequence[Scalar]] = (),
        base: int = -1,
    ) -> None:
        self.tree, self.placements, self.rates, self.base = tree, placements, rates, base
        self.accelerations = accelerations or [[0.0] * len(x) for x in rates]
        self._known: dict[int, NodeMotion] = {base: GROUNDED}

    def seen_from(self, base: int) -> Kinematics:
        """The motion of what hangs on a node, in the axes of this node, as if it were at rest."""
        if base == self.base:
            return self
        return Kinematics(self.tree, self.placements, self.rates, self.accelerations, base)

    def __getitem__(self, k: int) -> NodeMotion:
        missing = []
        while k not in self._known:
            missing.append(k)
            k = self.tree.nodes[k].parent
        for j in reversed(missing):
            self._known[j] = self._next(self._known[self.tree.nodes[j].parent], j)
            k = j
        return self._known[k]

    def body(self, place: Attachment) -> NodeMotion:
        """The node that carries a body."""
        return self[place.node]

    def joint_efforts(self, wrenches: Mapping[int, Wrench]) -> Efforts:
        """The efforts along the motions of the nodes that do the same work as wrenches on nodes."""
        total, found = dict(wrenches), Efforts()
        waiting = [-k for k in total]
        heapq.heapify(waiting)
        while waiting:  # from the leaves to the root
            k = -heapq.heappop(waiting)
            node, place = self.tree.nodes[k], self.placements[k]
            found[k] = along(node.kind, total[k])
            if node.parent == self.base:
                continue
            pull = apply_transposed(place.turn, total[k][1])
            moment = add(apply_transposed(place.turn, total[k][0]), vector_product(place.shift, pull))
            before = total.get(node.parent)
            if before is None:
                total[node.parent] = moment, pull
                heapq.heappush(waiting, -node.parent)
            else:
                total[node.parent] = add(before[0], moment), add(before[1], pull)
        return found

    def _next(self, parent: NodeMotion, k: int) -> NodeMotion:
        kind, place = self.tree.nodes[k].kind, self.placements[k]
        rotation = multiply(parent.rotation, transpose(place.turn))
        origin, velocity, acceleration = parent.place(place.shift)
        turned, slid = (apply(rotation, x) for x in moved(kind, self.rates[k]))
        spun, pushed = (apply(rotation, x) for x in moved(kind, self.accelerations[k]))
        spin = add(parent.spin, turned)
        turning = add(parent.turning, vector_product(parent.spin, turned), spun)
        if kind == "slide":
            velocity = add(velocity, slid)
            twice = vector_product(parent.spin, slid)  # Coriolis
            acceleration = add(acceleration, twice, twice, pushed)
        return NodeMotion(rotation, origin, spin, velocity, turning, acceleration)
