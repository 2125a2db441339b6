"""The relative coordinates and velocities that belong to natural ones.

The nodes of a joint lead from one body to the next. Its turns follow from the rotation D between the two,

    D = A Rot(z, θ) C    or    D = A Rot(z, θ₁) B Rot(z, θ₂) C    or    D = A R(π) C

where A, B and C are rotations between the axes of nodes; and its slides, which are at right angles to each other, from
the displacement that remains. Rates follow in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from grashof.formulation.natural.coordinates import Frame
from grashof.formulation.natural.turning import angular_velocity
from grashof.formulation.relative.kinematics import Kinematics, NodeMotion
from grashof.formulation.relative.placement import moved, place_node
from grashof.formulation.relative.tree import Node
from grashof.formulation.relative.vectors import (
    EYE,
    ZERO,
    Column,
    Square,
    add,
    apply,
    apply_transposed,
    in_space,
    multiply,
    quaternion_of,
    scale,
    subtract,
    transpose,
    vector_product,
)
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, atan2, cos, sin, sqrt, where
from grashof.scalar.jet import Jet

if TYPE_CHECKING:
    from grashof.formulation.relative.equations import Relative


def own_coordinates(relative: Relative, x: Sequence[Scalar]) -> list[Scalar]:
    """q and v, given [t, y] in natural coordinates."""
    _, q, v, _ = relative.natural.layout.split(x)
    positions, velocities = relative_coordinates(relative, q, v)
    return [*positions, *velocities]


def relative_coordinates(relative: Relative, q: Sequence[Scalar], v: Sequence[Scalar]) -> tuple[Column, Column]:
    """The coordinates and velocities of a tree, given natural ones; angles are within ±π."""
    tree, system = relative.tree, relative.natural.system
    count = len(tree.nodes)
    motions: list[Column] = [[0.0]] * count
    rates: list[Column] = [[0.0] * (3 if node.kind == "ball" else 1) for node in tree.nodes]
    placements = [place_node(node, [1.0, 0.0, 0.0, 0.0]) for node in tree.nodes]
    here = Kinematics(tree, placements, rates)
    known = {-1}
    for tie in tree.ties:
        place = tree.bodies[tie.body]
        chain = _chain(relative, place.node, known)
        if chain:
            known.update(chain)
            there = _node_of_body(system.frames[tie.body], q, v, place.axes, place.origin)
            found = _find_motions(relative, chain, here[tree.nodes[chain[0]].parent], there)
            for k, motion, rate in zip(chain, *found, strict=True):
                motions[k], rates[k], placements[k] = motion, rate, place_node(tree.nodes[k], motion)
    return relative.coordinates.pack(motions, rates)


def _chain(relative: Relative, last: int, known: set[int]) -> list[int]:
    """The nodes that lead to a node from those that are known."""
    found: list[int] = []
    while last not in known:
        found.append(last)
        last = relative.tree.nodes[last].parent
    return found[::-1]


def _node_of_body(frame: Frame, q: Sequence[Scalar], v: Sequence[Scalar], axes: Square, origin: Column) -> NodeMotion:
    """The node that carries a body with these axes and this origin, from the natural coordinates of the body."""
    jets = [[Jet(f.at(q), f.rate(v), 0.0) for f in forms] for forms in frame.directions]
    local = [in_space(d) for d in frame.directions_local.tolist()]
    world = [in_space([x.value for x in d]) for d in jets]
    if len(frame.origin) == 2:  # in the plane, one direction and the normal
        spin = [0.0, 0.0, vector_product(world[0], in_space([x.first for x in jets[0]]))[2] / dot(world[0], world[0])]
        local, world = [local[0], [0.0, 0.0, 1.0]], [world[0], [0.0, 0.0, 1.0]]
    else:
        spin = angular_velocity(jets)
        local, world = _completed(local), _completed(world)
    rotation = multiply(multiply(_triad(world), transpose(_triad(local))), transpose(axes))
    base = in_space([form.at(q) for form in frame.origin])
    speed = in_space([form.rate(v) for form in frame.origin])
    arm = apply(rotation, add(origin, apply(axes, in_space(frame.origin_local))))  # from the node to that point
    place, velocity = subtract(base, arm), subtract(speed, vector_product(spin, arm))
    return NodeMotion(rotation, place, spin, velocity, ZERO, ZERO)


def _completed(directions: Sequence[Column]) -> list[Column]:
    """At least two directions: those that natural coordinates leave open, such as one across a slender bar, are
    chosen."""
    if not directions:
        return list(EYE)
    if len(directions) > 1:
        return list(directions)
    (first,) = directions
    best, *others = (vector_product(first, axis) for axis in EYE)
    for other in others:
        longer = dot(other, other) - dot(best, best)
        best = [where(longer, x, y) for x, y in zip(other, best, strict=True)]
    return [first, best]


def _triad(directions: Sequence[Column]) -> Square:
    """Orthonormal axes, as columns: the first along the first direction, the second in the plane of the first two."""
    first, second = directions[:2]
    x = scale(1.0 / sqrt(dot(first, first)), first)
    rest = subtract(second, scale(dot(second, x), x))
    y = scale(1.0 / sqrt(dot(rest, rest)), rest)
    return transpose([x, y, vector_product(x, y)])


def _find_motions(
    relative: Relative, chain: Sequence[int], base: NodeMotion, there: NodeMotion
) -> tuple[list[Column], list[Column]]:
    """The motions and rates of the nodes of a chain, which lead from a node to another."""
    nodes = [relative.tree.nodes[k] for k in chain]
    turning = [i for i, node in enumerate(nodes) if node.kind != "slide"]
    motions: list[Column] = [[0.0]] * len(nodes)
    between = multiply(transpose(base.rotation), there.rotation)
    parts = [EYE]  # rotations before, between and after the nodes that turn
    for node in nodes:
        parts[-1] = multiply(parts[-1], node.rotation)
        if node.kind != "slide":
            parts.append(EYE)
    inner = multiply(multiply(transpose(parts[0]), between), transpose(parts[-1]))
    if len(turning) == 1 and nodes[turning[0]].kind == "ball":
        motions[turning[0]] = quaternion_of(inner)
    elif len(turning) == 1:
        motions[turning[0]] = [_angle(inner)]
    elif turning:
        axis, image = [row[2] for row in parts[1]], [row[2] for row in inner]
        first = atan2(image[1] * axis[0] - image[0] * axis[1], image[0] * axis[0] + image[1] * axis[1])
        c, s = cos(first), sin(first)
        back: Square = [[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]
        motions[turning[0]] = [first]
        motions[turning[1]] = [_angle(multiply(transpose(parts[1]), multiply(back, inner)))]
    return motions, _find_slides(nodes, motions, base, there)


def _angle(turn: Square) -> Scalar:
    """The angle of a rotation about z."""
    return atan2(turn[1][0] - turn[0][1], turn[0][0] + turn[1][1])


def _find_slides(nodes: Sequence[Node], motions: list[Column], base: NodeMotion, there: NodeMotion) -> list[Column]:
    """Enters the motions of slides, and returns the rates of all nodes, in a chain whose turns are known."""
    left = apply_transposed(base.rotation, subtract(there.origin, base.origin))
    carried = vector_product(base.spin, subtract(there.origin, base.origin))
    leaving = apply_transposed(base.rotation, subtract(subtract(there.velocity, base.velocity), carried))
    spin = apply_transposed(base.rotation, subtract(there.spin, base.spin))
    axes, turned = [], EYE
    for node, motion in zip(nodes, motions, strict=True):
        left = subtract(left, apply(turned, node.shift))
        turned = multiply(turned, transpose(place_node(node, motion).turn))
        axes.append(turned)
    steps: list[Column] = []
    for k, node in enumerate(nodes):
        steps.append(list(ZERO))
        if node.kind == "slide":
            along = [row[2] for row in axes[k]]
            motions[k] = [dot(along, left)]
            steps[k] = scale(motions[k][0], along)
    rates: list[Column] = []
    for k, node in enumerate(nodes):
        own = apply_transposed(axes[k], spin)
        rates.append(own if node.kind == "ball" else [own[2] if node.kind == "turn" else 0.0])
        if node.kind != "slide":  # what slides after a turn is carried along by it
            turning = apply(axes[k], moved(node.kind, rates[k])[0])
            ahead = add(ZERO, *steps[k + 1 :])
            leaving = subtract(leaving, vector_product(turning, ahead))
    for k, node in enumerate(nodes):
        if node.kind == "slide":
            rates[k] = [dot([row[2] for row in axes[k]], leaving)]
    return rates
