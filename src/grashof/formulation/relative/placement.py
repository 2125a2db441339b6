"""Where a node is against its parent, and what moves it there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grashof.formulation.relative.tree import Node
from grashof.formulation.relative.vectors import ZERO, Column, Square, add, multiply, scale, transpose
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar, cos, sin

Wrench = tuple[Column, Column]
"""A moment about the origin of a node, and a force, in its axes."""


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
