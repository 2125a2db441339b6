"""Friction that is proportional to the forces which joints of a tree transmit (see `natural.bearings`).

The force on a body by the joint on which it hangs accelerates this body with everything beyond it, together with all
other forces on these,

    F = Σ m (a − g) − Σ F_other

where the others include those of rows. A joint that closes a loop transmits the force of its own rows. The components
of F along the first equations of the joint are their multipliers in natural coordinates, up to the sign of all of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from grashof.formulation.natural.bearings import Bearing, find_sizes
from grashof.formulation.natural.forms import Form, as_expression
from grashof.formulation.relative.closures import PlaceFields
from grashof.formulation.relative.kinematics import Efforts, Kinematics
from grashof.formulation.relative.placement import Wrench
from grashof.formulation.relative.rows import RowsPlace
from grashof.formulation.relative.tree import Attachment
from grashof.formulation.relative.vectors import ZERO, Column, add, apply, apply_transposed, in_space, scale, subtract
from grashof.model.fields import dot
from grashof.scalar.dual import Dual
from grashof.scalar.functions import Scalar

if TYPE_CHECKING:
    from grashof.formulation.relative.articulated import Response
    from grashof.formulation.relative.equations import Relative
    from grashof.formulation.relative.state import RelativeState

Forces = dict[int, Column]
"""Forces on nodes, by their index, in the axes of the ground, N."""


@dataclass(frozen=True)
class TreeBearing:
    """A joint on whose transmitted force others depend.

    base         its body a
    directions   of the force, in the axes of a
    part         the nodes that hang on it; none if it closes a loop
    """

    joint: str
    base: Attachment
    directions: tuple[Column, ...]
    part: tuple[int, ...]


@dataclass(frozen=True)
class Solution:
    """The accelerations of the joints (see `Response`), λ of the rows, and the sizes of the forces that joints
    transmit; `margin` is positive only where these are unique and accurate. Where no force depends on them, `response`
    is that of the tree."""

    accelerations: list[list[Scalar]]
    multipliers: list[Scalar]
    bearings: dict[str, Scalar]
    margin: Scalar = 1.0
    response: Response | None = None

    def plus(self, factor: Scalar, other: Solution) -> Solution:
        """The sum with a multiple of another solution."""
        pairs = zip(self.accelerations, other.accelerations, strict=True)
        found = [add(own, scale(factor, more)) for own, more in pairs]
        return Solution(found, add(self.multipliers, scale(factor, other.multipliers)), self.bearings)


def find_bearings(relative: Relative) -> tuple[TreeBearing, ...]:
    """The joints on whose transmitted forces other forces depend."""
    model, tree = relative.model, relative.tree
    found = []
    for name in model.bearings:
        joint = model.joints_by_name[name]
        fields = PlaceFields(model, joint, relative.length)
        rows = [as_expression(x) for x in joint.equations(fields)][: joint.bearing(model.dimension)]
        place = tuple(in_space(model.points[joint.b])), True
        first = 3 * fields.parts.index(place)
        directions = []
        for row in rows:
            assert isinstance(row, Form)
            directions.append([row.terms.get(first + i, 0.0) for i in range(3)])
        child = [tie.body for tie in tree.ties if tie.joint == name]
        part = _hanging_on(relative, tree.bodies[child[0]].node) if child else ()
        found.append(TreeBearing(name, tree.bodies[joint.bodies[0]], tuple(directions), part))
    return tuple(found)


def _hanging_on(relative: Relative, node: int) -> tuple[int, ...]:
    found = {node}
    for k, other in enumerate(relative.tree.nodes):
        if other.parent in found:
            found.add(k)
    return tuple(sorted(found))


def solve_with_bearings(relative: Relative, state: RelativeState) -> Solution:
    """The accelerations with friction that is proportional to transmitted forces."""
    place, names = relative.place(state), relative.model.bearings
    tree = relative.constrained(place)
    none = dict.fromkeys(names, 0.0)
    motion, gravity = state.kinematics, in_space(relative.model.gravity or (0.0, 0.0, 0.0))
    wrenches, efforts = relative.loads(replace(state, bearings=none))
    found, multipliers = tree.solve(
        lambda given: tree.articulated.accelerations(motion.rates, gravity, wrenches, efforts, given),
        relative.tree_rows.bias(place),
    )
    base = Solution(found.accelerations, multipliers, none)
    moving = Kinematics(motion.tree, motion.placements, motion.rates, base.accelerations)
    constant = _multipliers(relative, place, moving, base.multipliers, wrenches, gravity)
    answers, columns = [], []
    still = [[0.0] * len(own) for own in motion.rates]
    for name in names:
        # not by the difference for 1 N, as in natural coordinates
        pushed, along = relative.loads(replace(state, bearings=none | {name: Dual(0.0, 1.0)}), slope=True)
        total = _joined(motion.joint_efforts(pushed), along)
        right = [0.0] * relative.tree_rows.count
        found, multipliers = tree.solve(partial(tree.articulated.responses, total), right)
        answer = Solution(found.accelerations, multipliers, {})
        answers.append(answer)
        moving = Kinematics(motion.tree, motion.placements, still, answer.accelerations)
        columns.append(_multipliers(relative, place, moving, answer.multipliers, pushed, ZERO))
    slopes = [list(row) for row in zip(*columns, strict=True)]
    sizes = find_sizes(constant, slopes)
    for size, answer in zip(sizes, answers, strict=True):
        base = base.plus(size, answer)
    margin = Bearing([], (), sizes, constant, slopes).margin()
    return replace(base, bearings=dict(zip(names, sizes, strict=True)), margin=margin)


def _joined(one: Efforts, other: Efforts) -> Efforts:
    found = dict(one)
    for k, x in other.items():
        found[k] = add(found[k], x) if k in found else x
    return found


def _multipliers(
    relative: Relative,
    place: RowsPlace,
    motion: Kinematics,
    multipliers: Sequence[Scalar],
    wrenches: Mapping[int, Wrench],
    gravity: Sequence[Scalar],
) -> list[list[Scalar]]:
    """The components of the force that each of the joints transmits, N."""
    closing = dict(
        zip((x.joint for x in relative.closures), _closing_forces(relative, place, multipliers), strict=True)
    )
    others = _forces_on_nodes(relative, place, motion, multipliers, wrenches, closing)
    found = []
    for bearing in relative.bearings:
        axes = motion[bearing.base.node].carried(bearing.base.axes, bearing.base.origin).rotation
        if bearing.part:
            total = list(ZERO)
            for k in bearing.part:
                node, moving = relative.tree.nodes[k], motion[k]
                needed = scale(node.mass, subtract(moving.acceleration, gravity))
                total = subtract(add(total, needed, moving.direction(node.moment)[2]), others.get(k, ZERO))
            force = apply_transposed(axes, total)
        else:
            force = closing[bearing.joint]
        found.append([dot(direction, force) for direction in bearing.directions])
    return found


def _closing_forces(relative: Relative, place: RowsPlace, multipliers: Sequence[Scalar]) -> list[Column]:
    """The forces on the bodies b of joints that close loops, in the axes of their bodies a."""
    found, first = [], 0
    for closed in place.closed:
        count = len(closed.closure.rows)
        found.append(closed.force([-x for x in multipliers[first : first + count]]))
        first += count
    return found


def _forces_on_nodes(
    relative: Relative,
    place: RowsPlace,
    motion: Kinematics,
    multipliers: Sequence[Scalar],
    wrenches: Mapping[int, Wrench],
    closing: Mapping[str, Column],
) -> Forces:
    """All forces on nodes but gravity and those of joints in the tree."""
    rows = relative.tree_rows
    pulls = rows.wrenches(place, [-x for x in multipliers])
    found: Forces = {}
    for given in (wrenches, pulls):
        for k, (_, force) in given.items():
            found[k] = add(found.get(k, ZERO), apply(motion[k].rotation, force))
    for closure in relative.closures:
        force = apply(motion[closure.a.node].carried(closure.a.axes, closure.a.origin).rotation, closing[closure.joint])
        for node, sign in ((closure.a.node, -1.0), (closure.b.node, 1.0)):
            if node >= 0:
                found[node] = add(found.get(node, ZERO), scale(sign, force))
    return found
