"""Motions that no mass resists: those of links without mass in a loop, or the rotation of a slender bar about its own
axis.

The articulated-body algorithm divides by the inertia of each motion. A motion whose rate is w u and that has none is
given one,

    M' = M + r wᵀ w

If no natural coordinate changes with it, as with the rotation of a slender bar, where what hangs on it stays in place,
nothing acts on it, and all else is as before. Otherwise it is determined by rows, and what the added inertia takes is
given back with one further unknown μ:

    M' u̇ + Jᵀ λ + wᵀ μ = Q        J u̇ = γ        w u̇ + μ/r = 0

After λ this leaves a negative definite matrix for μ, as long as the rows together with the masses determine the motion
(see `constrained`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grashof.formulation.relative.closures import spanning_directions
from grashof.formulation.relative.inertias import Inertia, free, hang_on, own_inertia, yielding
from grashof.formulation.relative.placement import Placement
from grashof.formulation.relative.tree import Node
from grashof.formulation.relative.vectors import EYE, Column, Square, add, scale
from grashof.model.fields import dot
from grashof.scalar.functions import Scalar
from grashof.tape.open import value_of

LOOSE, NOTHING = 1e-11, 1e-15
"""No mass resists a motion whose inertia is less than the first fraction of that of its node about or along all axes,
or than the second one of a typical inertia of the mechanism: the rest is round-off."""


@dataclass(frozen=True)
class Prop:
    """An inertia that is added to a motion.

    node    whose motion it is
    row     w over the rates of the node: 1 for a slide, m for a turn or a ball
    mass    r, kg
    tied    whether it is determined by rows: natural coordinates change with the motion
    """

    node: int
    row: Column
    mass: Scalar
    tied: bool = True


def find_props(
    nodes: Sequence[Node], positions: Sequence[Sequence[Placement]], length: float, mass: Scalar
) -> tuple[Prop, ...]:
    """The inertias that a tree needs, decided at some random positions.

    mass   a typical one, kg
    """
    found: list[Prop] = []
    trees = [[own_inertia(node) for node in nodes] for _ in positions]
    for k in reversed(range(len(nodes))):
        node = nodes[k]
        typical = mass if node.kind == "slide" else mass * (length * length)
        directions = _loose_directions(node, [inertias[k] for inertias in trees], NOTHING * typical)
        own = [Prop(k, scale(_unit(node, length), x), mass) for x in directions]
        node = propped(node, own)
        for inertias, placements in zip(trees, positions, strict=True):
            if node.parent >= 0:
                hang_on(inertias[node.parent], yielding(node, inertias[k], free(node, inertias[k])), placements[k])
        found += own
    return tuple(found)


def _unit(node: Node, length: float) -> float:
    return 1.0 if node.kind == "slide" else length


def split_props(props: Sequence[Prop], shown: Callable[[Prop], Sequence[float]]) -> tuple[Prop, ...]:
    """The same inertias, along directions of which natural coordinates change with all or with none.

    shown   how natural coordinates change with a motion at some positions, by numbers that are zero if they do not
    """
    found: list[Prop] = []
    for k in dict.fromkeys(prop.node for prop in props):
        own = [prop for prop in props if prop.node == k]
        changes = [list(x) for x in zip(*(shown(prop) for prop in own), strict=True)]
        tied = spanning_directions(changes) if any(any(x) for x in changes) else []
        unseen = [[1.0 if i == j else 0.0 for j in range(len(own))] for i in range(len(own))]
        free_ones = spanning_directions([_without(x, tied) for x in unseen])[: len(own) - len(tied)]
        for mixtures, are_tied in ((tied, True), (free_ones, False)):
            for mixture in mixtures:
                rows = [scale(factor, prop.row) for factor, prop in zip(mixture, own, strict=True)]
                found.append(Prop(k, add(*rows), own[0].mass, are_tied))
    return tuple(found)


def propped(node: Node, props: Sequence[Prop]) -> Node:
    """A node with the inertias that are added to its motion."""
    for prop in props:
        if node.kind == "ball":
            added = [[prop.mass * (x * y) for y in prop.row] for x in prop.row]
            before = node.prop or [[0.0] * 3 for _ in range(3)]
            node = replace(node, prop=[add(x, y) for x, y in zip(before, added, strict=True)])
        else:
            more = prop.mass * (prop.row[0] * prop.row[0])
            node = replace(node, rotor=more if node.rotor is None else node.rotor + more)
    return node


def _loose_directions(node: Node, inertias: Sequence[Inertia], least: Scalar) -> list[Column]:
    """The directions of the motion of a node that no mass resists at some of the positions."""
    blocks = [x.moving if node.kind == "slide" else x.turning for x in inertias]
    if node.kind != "ball":
        loose = any(_is_loose(block, block[2][2], node.rotor, least) for block in blocks)
        return [[1.0]] if loose else []
    missing = [_null_directions(block, least) for block in blocks]
    if not any(missing):
        return []
    everywhere = _null_directions([row for block in blocks for row in block], least)
    return everywhere if all(len(x) == len(everywhere) for x in missing) else [list(x) for x in EYE]


def _is_loose(block: Square, own: Scalar, rotor: Scalar | None, least: Scalar) -> bool:
    if rotor is not None:
        own = own + rotor
    whole = block[0][0] + block[1][1] + block[2][2]
    return not (own > LOOSE * whole and own > least)


def _null_directions(rows: Square, least: Scalar) -> list[Column]:
    """Directions that are at right angles to all rows of positive semidefinite matrices."""
    large = [[float(value_of(x)) for x in row] for row in rows if any(abs(x) > least for x in row)]
    known = spanning_directions(large)
    rest = [_without(list(x), known) for x in EYE]
    return spanning_directions(rest)[: 3 - len(known)]


def _without(column: Column, known: Sequence[Sequence[float]]) -> Column:
    for along in known:
        column = add(column, scale(-dot(along, column), list(along)))
    return column
