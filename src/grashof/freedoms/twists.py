"""The twists that joints constrain and those that they leave free at one position: the rank of all joint equations,
found joint by joint.

Twists and the constraints on them are explained in `joint_twists`.

    C_j t = 0       joint j constrains the relative twist t of its bodies, taken at the joint: the rows of C_j are
                    orthonormal, and their number is the joint's number of equations
    t = S_j u_j     what it leaves free: C_j S_j = 0, with as many rates u_j as the joint has freedoms

The joints of a spanning tree of the bodies are independent, and their rates move every body:

    t_body = Σ S_i u_i   over the joints i on the path from the ground (a floating body has all its freedoms as rates)

A joint that closes a loop requires C_j (t_b − t_a) = D_j u = 0. Rows of D_j in the span of the rows of earlier joints
are redundant. The natural coordinates serve only to find where the bodies are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from grashof.formulation.natural.rigid import RigidFields
from grashof.formulation.natural.slips import Slipping
from grashof.formulation.natural.system import System
from grashof.freedoms.joint_twists import RANK, Hold, TwistFields, carry, components, hold_of, rates_of, slips_of
from grashof.model.bodies import GROUND
from grashof.model.couplings import CouplingBase
from grashof.model.loops import SpanningTree, outward, spanning_tree


@dataclass(frozen=True, eq=False)
class Motions:
    """The possible motions of a mechanism at one position.

    center    the point at which the twists of bodies are taken, m
    holds     the constraints by joint, in the order in which the mechanism is assembled
    bodies    t_body = bodies[name] u, (3 or 6, rates)
    repeated  by joint: the constraints that earlier joints impose already, as orthonormal rows at the joint's place
    joint_basis, coupling_basis   orthonormal rows: the span of the D_j, and what couplings add to it, motors last
    coupled   number of freedoms removed by couplings that are not motors
    idle_couplings  couplings and motors whose equations follow from joints and earlier couplings
    weakest   the smallest part of a unit equation that was counted as independent; if it is near RANK, the rank is in
              doubt
    slip_rank   number of equations for velocities only that are independent of all others
    """

    dimension: int
    center: np.ndarray
    length: float
    holds: dict[str, Hold]
    bodies: dict[str, np.ndarray]
    repeated: dict[str, np.ndarray]
    joint_basis: np.ndarray
    coupling_basis: np.ndarray
    coupled: int
    idle_couplings: tuple[str, ...]
    weakest: float
    slip_rank: int

    @property
    def freedoms(self) -> int:
        """Three for each body in the plane, six in space."""
        return components(self.dimension) * (len(self.bodies) - 1)

    @property
    def equations(self) -> int:
        """Number of equations of all joints; those of each joint are independent of each other."""
        return sum(len(hold.holds) for hold in self.holds.values())

    @property
    def redundant(self) -> int:
        """Number of redundant joint equations."""
        return sum(len(rows) for rows in self.repeated.values())

    @property
    def rank(self) -> int:
        """Number of independent joint equations."""
        return self.equations - self.redundant

    @property
    def driven(self) -> int:
        """Number of freedoms driven by motors."""
        return len(self.coupling_basis) - self.coupled

    @property
    def left(self) -> int:
        """Number of freedoms that joints, couplings and motors leave, including idle spins."""
        return self.freedoms - self.rank - len(self.coupling_basis)

    @cached_property
    def free(self) -> np.ndarray:
        """The twists of all bodies, one below the other, that joints and couplings leave free: (bodies × 3 or 6,
        left)."""
        held = np.vstack([self.joint_basis, self.coupling_basis])
        left = np.linalg.qr(held.T, mode="complete")[0][:, len(held) :]
        return np.asarray(np.vstack([twists @ left for name, twists in self.bodies.items() if name != GROUND]))

    def left_at_center(self, joint: str) -> np.ndarray:
        """S_j with its twists taken at `center`."""
        hold = self.holds[joint]
        return np.asarray(carry(self.center - hold.place, self.length) @ hold.leaves)


def motions(system: System, time: float, q: np.ndarray) -> Motions:
    """The ranks of the joint equations at coordinates q, at which all loops are closed.

    An equation is redundant if its part outside the span of earlier ones is below RANK (times the size of the joint's
    equations, or of a unit equation if that is larger).
    """
    joints = {joint.name: joint for joint in system.model.joints}
    still = [0.0] * system.n
    rigid = RigidFields(system, q.tolist(), still, still)
    holds = {name: hold_of(joints[name], rigid, 1).at(0) for name in outward(system.model)}
    center = np.mean([hold.place for hold in holds.values()], axis=0) if holds else np.zeros(system.dimension)
    tree = spanning_tree(system.model)
    bodies = _body_twists(system, tree, holds, center)
    rates = bodies[GROUND].shape[1]

    span = _Span(rates)
    repeated = {}
    for name in tree.closing:
        rows = _rows(holds[name], bodies, center, system.length)
        old = span.add(rows)
        if len(old):
            repeated[name] = old @ holds[name].holds
    joint_rank = len(span.basis)
    idle: list[str] = []
    coupled = 0
    tied = [coupling for coupling in system.model.own_couplings if not coupling.for_velocities]
    for coupling in sorted(tied, key=lambda coupling: coupling.timed):
        row = _row_of_coupling(rigid, bodies, center, time, coupling)
        if not np.any(row) or len(span.add(row)):
            idle.append(coupling.name)
        elif not coupling.timed:
            coupled += 1
    basis, weakest = span.basis, span.weakest
    for source in dict.fromkeys(row.source for row in system.slips):
        span.add(_rows_of_slips(rigid, bodies, center, time, source))
    return Motions(
        dimension=system.dimension,
        center=center,
        length=system.length,
        holds=holds,
        bodies=bodies,
        repeated=repeated,
        joint_basis=basis[:joint_rank],
        coupling_basis=basis[joint_rank:],
        coupled=coupled,
        idle_couplings=tuple(idle),
        weakest=weakest,
        slip_rank=len(span.basis) - len(basis),
    )


def _body_twists(
    system: System, tree: SpanningTree, holds: dict[str, Hold], center: np.ndarray
) -> dict[str, np.ndarray]:
    """The twists of the bodies at `center` as maps of the rates of the joints in the tree; a floating body has rates
    of its own."""
    size = components(system.dimension)
    left = []
    for tie in tree.ties:
        if tie.joint is None:
            left.append(np.eye(size))
            continue
        hold = holds[tie.joint]
        sign = 1.0 if tie.body == hold.b else -1.0
        left.append(sign * carry(center - hold.place, system.length) @ hold.leaves)
    rates = sum(twists.shape[1] for twists in left)
    bodies = {GROUND: np.zeros((size, rates))}
    first = 0
    for tie, own in zip(tree.ties, left, strict=True):
        twists = bodies[tie.base].copy()
        twists[:, first : first + own.shape[1]] = own
        bodies[tie.body] = twists
        first += own.shape[1]
    return bodies


def _rows(hold: Hold, bodies: dict[str, np.ndarray], center: np.ndarray, length: float) -> np.ndarray:
    """D = C (t_b − t_a), with the twists transferred from `center` to the joint."""
    there: np.ndarray = hold.holds @ carry(hold.place - center, length) @ (bodies[hold.b] - bodies[hold.a])
    return there


class _Span:
    """A growing orthonormal basis of rows."""

    def __init__(self, columns: int) -> None:
        self.basis = np.zeros((0, columns))
        self.weakest = 1.0

    def add(self, rows: np.ndarray) -> np.ndarray:
        """Adds the part of the rows that is new to the basis; returns the orthonormal combinations of the rows in which
        nothing is new.

        Gram–Schmidt is applied twice, so that only round-off remains of a row in the span; then the singular values of
        the remainder decide.
        """
        scale = max(1.0, float(np.linalg.norm(rows)))
        rest = rows
        for _ in range(2):
            rest = rest - (rest @ self.basis.T) @ self.basis
        u, s, vt = np.linalg.svd(rest, full_matrices=False)
        new = int(np.sum(s > RANK * scale))
        if new:
            self.weakest = min(self.weakest, float(s[new - 1]) / scale)
            self.basis = np.vstack([self.basis, vt[:new]])
        old = u[:, new:]
        if u.shape[0] > u.shape[1]:  # more rows than columns: the rest of the left basis is not new either
            old = np.linalg.svd(rest)[0][:, new:]
        return np.asarray(old.T)


# -- groups

GroupKind = Literal["fixed", "translations", "one axis", "planar", "parallel axes", "spherical", "general"]


@dataclass(frozen=True)
class Group:
    """A group of displacements: the relative motions of bodies connected by certain joints, at this position and at any
    other.

    dimension  of the group (Hervé, 1978): 3 for planar and spherical motions, 4 for rotations about parallel axes with
               any translation (Schoenflies motions), fewer for subgroups, and the full dimension (3 in the plane, 6 in
               space) if there is no smaller group
    mark       the direction of all axes, or the fixed point of spherical motions, m; otherwise empty
    """

    kind: GroupKind
    dimension: int
    mark: tuple[float, ...] = ()


def group_of(here: Motions, joints: Sequence[str]) -> Group:
    """The smallest of these groups that contains all motions that the joints leave free."""
    twists = np.hstack([here.left_at_center(joint) for joint in joints])
    slides, turns = _in_space(twists)
    size = max(1.0, float(np.max(np.abs(twists), initial=0.0)))
    if twists.size == 0:
        return Group("fixed", 0)
    directions, strengths, _ = np.linalg.svd(turns)
    turning = int(np.sum(strengths > RANK * size))
    if turning == 0:
        return Group("translations", int(np.linalg.matrix_rank(slides, tol=RANK * size)))
    if turning > 1:
        point = _resting(slides, turns, size)
        if point is None:
            return Group("general", len(twists))
        return Group("spherical", 3, tuple(here.center + here.length * point))
    axis = directions[:, 0] * np.sign(directions[np.argmax(np.abs(directions[:, 0])), 0])
    along = axis @ slides
    if _resting(slides - np.outer(axis, along), turns, size) is not None:
        return Group("one axis", int(np.linalg.matrix_rank(twists, tol=RANK * size)), tuple(axis))
    if np.max(np.abs(along)) <= RANK * size:
        return Group("planar", 3, tuple(axis))
    return Group("parallel axes", 4, tuple(axis))


def _in_space(twists: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(v, ℓω) as vectors in space, (3, twists) each."""
    if len(twists) == 6:
        return twists[:3], twists[3:]
    none = np.zeros((1, twists.shape[1]))
    return np.vstack([twists[:2], none]), np.vstack([none, none, twists[2:]])


def _resting(slides: np.ndarray, turns: np.ndarray, size: float) -> np.ndarray | None:
    """The point ρ (in lengths ℓ) that all the twists leave at rest, v + ℓω × ρ = 0, if there is one."""
    matrix = np.vstack([[[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]] for x, y, z in turns.T])
    right = -slides.T.ravel()
    point: np.ndarray = np.linalg.lstsq(matrix, right, rcond=RANK)[0]
    missed = float(np.max(np.abs(matrix @ point - right)))
    return point if missed <= RANK * size else None


def _row_of_coupling(
    rigid: RigidFields, bodies: dict[str, np.ndarray], center: np.ndarray, time: float, coupling: CouplingBase
) -> np.ndarray:
    """The rate of a coupling's equation for unit rates of the tree, as a row of unit length; zero if nothing changes
    it."""
    quantities = rigid.system.model.quantities
    row = np.zeros((1, bodies[GROUND].shape[1]))
    for body in dict.fromkeys(body for measure in coupling.measures(quantities) for body in measure.bodies):
        if body != GROUND:
            error = coupling.error(quantities, TwistFields(rigid, body, center[None]), time)
            row += rates_of(error, center[None]) @ bodies[body]
    size = float(np.linalg.norm(row))
    return row / size if size > RANK else np.zeros_like(row)


def _rows_of_slips(
    rigid: RigidFields, bodies: dict[str, np.ndarray], center: np.ndarray, time: float, source: Slipping
) -> np.ndarray:
    """The velocities that a joint or coupling prevents without restricting positions, for unit rates of the tree."""
    rows: np.ndarray | float = 0.0
    for body in bodies:
        if body != GROUND:
            rows = rows + np.vstack(slips_of(source, rigid, body, center[None], time)) @ bodies[body]
    return np.asarray(rows)
