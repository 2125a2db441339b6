"""The relative coordinates of a tree as components of a state.

All of them are in metres, so that errors of positions are judged alike: an angle θ is the coordinate ℓ θ, with the
mechanism's length ℓ, and a unit quaternion π the four coordinates ℓ π. Their rates are the velocities; those of a
quaternion follow from the angular velocity ω in the axes of the node,

    π̇ = ½ π ∘ ω        π̈ = ½ π ∘ ω̇ − ¼ |ω|² π

so that q̇ = v holds for all coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from grashof.formulation.relative.tree import Tree
from grashof.formulation.relative.vectors import add, scale, subtract, vector_product
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, sqrt


@dataclass(frozen=True, eq=False)
class TreeCoordinates:
    """Which coordinates belong to which node.

    length   ℓ, m
    """

    tree: Tree
    length: float

    @cached_property
    def places(self) -> tuple[slice, ...]:
        """For each node, its coordinates."""
        found, first = [], 0
        for node in self.tree.nodes:
            count = 4 if node.kind == "ball" else 1
            found.append(slice(first, first + count))
            first += count
        return tuple(found)

    @property
    def count(self) -> int:
        """Number of coordinates."""
        return self.places[-1].stop if self.places else 0

    @property
    def freedom(self) -> int:
        """Number of degrees of freedom of the tree."""
        return sum(3 if node.kind == "ball" else 1 for node in self.tree.nodes)

    def motions(self, q: Sequence[Scalar]) -> list[list[Scalar]]:
        """The angle, distance or quaternion of each node; a quaternion may have any length."""
        return [
            list(q[place]) if node.kind != "turn" else scale(1.0 / self.length, q[place])
            for node, place in zip(self.tree.nodes, self.places, strict=True)
        ]

    def rates(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> list[list[Scalar]]:
        """θ̇, ṡ, or the angular velocity of a ball in the axes of the node: ω = 2 π̄ ∘ π̇ / |π|²."""
        found = []
        for node, place in zip(self.tree.nodes, self.places, strict=True):
            if node.kind == "ball":
                (w, *x), (u, *y) = q[place], v[place]
                across = add(scale(w, y), scale(-u, x), vector_product(y, x))
                found.append(scale(2.0 / dot(q[place], q[place]), across))
            else:
                found.append(list(v[place]) if node.kind == "slide" else scale(1.0 / self.length, v[place]))
        return found

    def accelerations(
        self, q: Sequence[Scalar], rates: Sequence[Sequence[Scalar]], found: Sequence[Sequence[Scalar]]
    ) -> list[Scalar]:
        """v̇, from the accelerations of the nodes."""
        total: list[Scalar] = []
        for node, place, own, bent in zip(self.tree.nodes, self.places, rates, found, strict=True):
            if node.kind == "ball":
                w, *x = q[place]
                shrink = -0.25 * dot(own, own)
                total.append(shrink * w - 0.5 * dot(x, bent))
                total += add(scale(shrink, x), scale(0.5, add(scale(w, bent), vector_product(x, bent))))
            else:
                total += bent if node.kind == "slide" else scale(self.length, bent)
        return total

    def node_accelerations(self, q: Sequence[Scalar], a: Sequence[Scalar]) -> list[list[Scalar]]:
        """The accelerations of the nodes, from v̇: with π̈ as above, ω̇ = 2 π̄ ∘ π̈ / |π|²."""
        return self.rates(q, a)

    def pack(
        self, motions: Sequence[Sequence[Scalar]], rates: Sequence[Sequence[Scalar]]
    ) -> tuple[list[Scalar], list[Scalar]]:
        """q and v, from the motions and rates of the nodes; quaternions are unit quaternions here."""
        q: list[Scalar] = []
        v: list[Scalar] = []
        for node, motion, rate in zip(self.tree.nodes, motions, rates, strict=True):
            own = rate
            if node.kind == "ball":
                w, *x = motion
                own = [-0.5 * dot(x, rate), *scale(0.5, add(scale(w, rate), vector_product(x, rate)))]
            factor = 1.0 if node.kind == "slide" else self.length
            q, v = q + scale(factor, motion), v + scale(factor, own)
        return q, v

    def normalise(self, q: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[list[Scalar], list[Scalar]]:
        """q and v with quaternions of length ℓ, and rates at right angles to them."""
        positions, velocities = list(q), list(v)
        for node, place in zip(self.tree.nodes, self.places, strict=True):
            if node.kind == "ball":
                square = dot(q[place], q[place])
                factor = self.length / sqrt(square)
                outward = dot(q[place], v[place]) / square
                positions[place] = scale(factor, q[place])
                velocities[place] = scale(factor, subtract(v[place], scale(outward, q[place])))
        return positions, velocities

    def loads(self, q: Sequence[Scalar], efforts: Sequence[Sequence[Scalar]]) -> list[Scalar]:
        """∂W/∂q of efforts along the motions of the nodes: torques, forces, and moments about balls."""
        total: list[Scalar] = []
        for node, place, own in zip(self.tree.nodes, self.places, efforts, strict=True):
            if node.kind == "ball":
                w, *x = q[place]
                twice = 2.0 / dot(q[place], q[place])
                total.append(-twice * dot(x, own))
                total += scale(twice, add(scale(w, own), vector_product(x, own)))
            else:
                total += own if node.kind == "slide" else scale(1.0 / self.length, own)
        return total
