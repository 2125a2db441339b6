"""A mechanism as a tree of nodes, each of which turns or slides against its parent.

A joint is a chain of nodes, one for each of its elementary motions; the last one carries the body, the others have no
mass. Bodies that are welded together share a node. A body without a joint has three slides and a ball (in the plane two
slides and a turn) against the ground.

The axes of a node are fixed in it, with its axis along z and its origin on the axis:

    R = R_parent T Rot(z, θ)    p = p_parent + R_parent r              a turn by θ
    R = R_parent T              p = p_parent + R_parent (r + s T e_z)  a slide by s
    R = R_parent T R(π)         p = p_parent + R_parent r              a ball with the unit quaternion π

All motions are those of body b against body a of the joint: if the tree passes through it from b to a, the axis is
reversed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from grashof.formulation.relative.vectors import (
    EYE,
    ZERO,
    Column,
    Square,
    add,
    apply,
    in_space,
    multiply,
    scale,
    symmetric,
    transpose,
    vector_product,
)
from grashof.model.bodies import GROUND, Body
from grashof.model.fields import Vector, dot, perpendicular, unit
from grashof.model.joints import Joint
from grashof.model.loops import SpanningTree, Tie, spanning_tree
from grashof.model.model import Model
from grashof.scalar.functions import Scalar

Kind = Literal["turn", "slide", "ball"]


@dataclass(frozen=True)
class Node:
    """A part of the tree that moves against its parent.

    parent    its index, less than that of the node; −1: the ground
    rotation  T: the axes of the node, as columns, in those of its parent, before its motion
    shift     r: its origin in the axes of its parent, before its motion, m
    joint     whose motion it is; None for a body without a joint
    mass      m, kg;  moment: m c, kg m;  inertia: about the origin, kg m²; of the bodies that it carries, in its axes
    rotor     an inertia along its own motion only, of an inerter: kg m² for a turn, kg for a slide; None without one
    prop      the same for a ball, kg m² (see `props`)
    """

    parent: int
    kind: Kind
    rotation: Square
    shift: Column
    joint: str | None = None
    mass: float = 0.0
    moment: Column = field(default_factory=lambda: list(ZERO))
    inertia: Square = field(default_factory=lambda: [list(ZERO) for _ in range(3)])
    rotor: Scalar | None = None
    prop: Square | None = None

    def carrying(self, body: Body, place: Attachment, dimension: int) -> Node:
        """The node with the mass of a body."""
        center = add(place.origin, apply(place.axes, in_space(body.mass_center(dimension))))
        about_center = _inertia(body, dimension)
        turned = multiply(multiply(place.axes, about_center), transpose(place.axes))
        square = dot(center, center)

        def entry(i: int, j: int) -> Scalar:
            around = (square if i == j else 0.0) - center[i] * center[j]
            return self.inertia[i][j] + turned[i][j] + body.mass * around

        mass, moment = self.mass + body.mass, add(self.moment, scale(body.mass, center))
        return replace(self, mass=mass, moment=moment, inertia=symmetric(entry))


def _inertia(body: Body, dimension: int) -> Square:
    """The inertia of a body about its centre of mass, in its axes; in the plane only that about z counts."""
    if dimension == 3:
        rows: Square = body.inertia_matrix.tolist()
        return rows
    return [list(ZERO), list(ZERO), [0.0, 0.0, body.planar_inertia]]


@dataclass(frozen=True)
class Attachment:
    """A body on a node: its axes, as columns, and its origin, m, in the axes of the node."""

    node: int
    axes: Square
    origin: Column

    def place(self, local: Vector) -> Column:
        """A place of the body in the axes of the node, m."""
        return add(self.origin, apply(self.axes, in_space(local)))

    def direction(self, local: Vector) -> Column:
        """A direction of the body in the axes of the node."""
        return apply(self.axes, in_space(local))


@dataclass(frozen=True, eq=False)
class Tree:
    """The nodes of a mechanism, parents first, and the bodies that they carry, including the ground.

    zeros     for each joint in the tree, the orientation of body b against body a at which its motions are zero
    closing   the joints that are not in the tree
    """

    nodes: tuple[Node, ...]
    bodies: Mapping[str, Attachment]
    ties: tuple[Tie, ...]
    zeros: Mapping[str, Square]
    closing: tuple[str, ...]


def make_tree(model: Model) -> Tree:
    """The tree of a mechanism, in which each body has few joints between it and the ground; of a loop, the joint with
    the fewest equations is left out."""
    loose = {joint.name for joint in model.joints if joint.motions is None}
    found = spanning_tree(model, loose)
    if any(name not in loose for name in found.closing):
        found = spanning_tree(model, loose, lambda joint: -joint.independent_equations(model.dimension))
    return grow_tree(model, found)


def grow_tree(model: Model, found: SpanningTree) -> Tree:
    """The nodes along a spanning tree."""
    nodes: list[Node] = []
    bodies = {GROUND: Attachment(-1, EYE, ZERO)}
    zeros: dict[str, Square] = {}
    joints, given = model.joints_by_name, {body.name: body for body in model.bodies}
    for tie in found.ties:
        base = bodies[tie.base]
        if tie.joint is None:
            place = _hang_freely(nodes, given[tie.body], model.dimension)
        else:
            joint = joints[tie.joint]
            zeros[joint.name] = zero_orientation(joint, model.dimension)
            place = hang(nodes, base, joint, zeros[joint.name], model, reverse=joint.bodies[0] == tie.body)
        bodies[tie.body] = place
        if place.node >= 0:
            nodes[place.node] = nodes[place.node].carrying(given[tie.body], place, model.dimension)
    return Tree(tuple(nodes), bodies, found.ties, zeros, found.closing)


def _hang_freely(nodes: list[Node], body: Body, dimension: int) -> Attachment:
    """Nodes of a body without a joint: it turns about its centre of mass, which then moves as the forces alone say."""
    for k in range(dimension):
        rotation = _axes_along([1.0 if i == k else 0.0 for i in range(3)])
        before = -1 if k == 0 else len(nodes) - 1
        # each slide's own axes are turned back, so that the next one begins with those of the ground
        back = EYE if k == 0 else transpose(_axes_along([1.0 if i == k - 1 else 0.0 for i in range(3)]))
        nodes.append(Node(before, "slide", multiply(back, rotation), list(ZERO)))
    last = transpose(_axes_along([1.0 if i == dimension - 1 else 0.0 for i in range(3)]))
    nodes.append(Node(len(nodes) - 1, "turn" if dimension == 2 else "ball", last, list(ZERO)))
    return Attachment(len(nodes) - 1, EYE, scale(-1.0, in_space(body.mass_center(dimension))))


def hang(nodes: list[Node], base: Attachment, joint: Joint, zero: Square, model: Model, *, reverse: bool) -> Attachment:
    """Nodes of the motions of a joint, on which the other body hangs on its base."""
    points = [model.points[joint.a], model.points[joint.b]]
    here, there = points[::-1] if reverse else points
    # the axes of the joint, those of body a at zero motion, in the axes of the present node
    axes = multiply(base.axes, transpose(zero) if reverse else EYE)
    node, shift = base.node, base.place(here)
    motions = joint.motions or ()
    for motion in motions[::-1] if reverse else motions:
        along = [0.0, 0.0, 1.0]
        if motion.axis_a or motion.axis_b:
            along = in_space(motion.axis_a) if motion.axis_a else apply(zero, in_space(motion.axis_b or ()))
        own = EYE if motion.kind == "ball" else _axes_along(scale(-1.0, along) if reverse else along)
        nodes.append(Node(node, motion.kind, multiply(axes, own), shift, joint.name))
        node, shift, axes = len(nodes) - 1, list(ZERO), transpose(own)
    turned = axes if reverse else multiply(axes, zero)
    return Attachment(node, turned, add(shift, scale(-1.0, apply(turned, in_space(there)))))


def _axes_along(axis: Sequence[float]) -> Square:
    """Axes, as columns, of which z points along a unit vector."""
    x = _across(tuple(axis))
    return transpose([list(x), vector_product(list(axis), list(x)), list(axis)])


def _across(axis: Vector) -> Vector:
    """A unit vector at right angles to an axis: one of the directions x, y, z if possible."""
    for k in (0, 1, 2):
        if axis[k] == 0.0:
            return tuple(1.0 if i == k else 0.0 for i in range(3))
    return perpendicular(axis)


def zero_orientation(joint: Joint, dimension: int) -> Square:
    """The axes of body b, as columns, in those of body a, where the motions of a joint are zero.

    Directions that coincide in the joint do so there; a universal joint's second axis is perpendicular to the first.
    """
    given = {name: direction for name, direction in joint.directions() if direction}
    pairs = [(given.get(f"{x}_a"), given.get(f"{x}_b")) for x in ("axis", "normal")]
    known = [(in_space(a), in_space(b)) for a, b in pairs if a and b]
    if not known:
        return EYE
    (a, b), *rest = known
    if not joint.directions_coincide:
        a = list(_across(tuple(a)))
    if dimension == 2:
        sides = ([0.0, 0.0, 1.0], [0.0, 0.0, 1.0])
    elif rest:
        sides = tuple(list(unit(tuple(vector_product(x, y)))) for x, y in zip((a, b), rest[0], strict=True))  # type: ignore[assignment]
    else:
        sides = list(_across(tuple(a))), list(_across(tuple(b)))
    frames = [transpose([x, side, vector_product(x, side)]) for x, side in zip((a, b), sides, strict=True)]
    return multiply(frames[0], transpose(frames[1]))
