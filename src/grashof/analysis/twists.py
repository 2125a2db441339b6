"""What joints hold and what they leave, at one position: the rank of all joint equations, found joint by joint.

Twists and what a joint holds of them are explained in `holds`.

    C_j t = 0       joint j holds the relative twist t of its bodies, taken at the joint: the rows of C_j are orthonormal,
                    and their number is the joint's number of equations
    t = S_j u_j     what it leaves: C_j S_j = 0, with as many rates u_j as the joint has freedoms

Joints that make a tree of the bodies are independent, and the rates of the tree move every body:

    t_body = Σ S_i u_i   over the joints i on the way from the ground (a body that floats has all its freedoms as rates)

A joint that closes a loop asks C_j (t_b − t_a) = D_j u = 0. Rows of D_j in the span of rows of earlier joints repeat them.
Natural coordinates are read for where the bodies are, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from grashof.analysis.holds import RANK, Hold, TwistFields, carry, components, hold_of, rates_of
from grashof.analysis.loops import SpanningTree, outward, spanning_tree
from grashof.dynamics.rigid import RigidFields
from grashof.model.bodies import GROUND
from grashof.model.couplings import CouplingBase
from grashof.system.system import System


@dataclass(frozen=True, eq=False)
class Motions:
    """What the mechanism can do at one position.

    center    the point at which the twists of bodies are taken, m
    holds     by joint, in the order in which they are put together
    bodies    t_body = bodies[name] u, (3 or 6, rates)
    repeated  by joint: what it holds that earlier joints hold already, orthonormal rows at the joint's place
    joint_basis, coupling_basis   orthonormal rows: the span of the D_j, and what couplings add to it, motors last
    coupled   freedoms that couplings take which are no motors
    idle_couplings  couplings and motors that joints and earlier ones determine already
    weakest   the smallest part of a unit equation that was new and not round-off; near RANK the rank is in doubt
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

    @property
    def freedoms(self) -> int:
        """Three for each body in the plane, six in space."""
        return components(self.dimension) * (len(self.bodies) - 1)

    @property
    def equations(self) -> int:
        """Independent equations of each joint, summed over the joints."""
        return sum(len(hold.holds) for hold in self.holds.values())

    @property
    def redundant(self) -> int:
        """Joint equations that repeat others."""
        return sum(len(rows) for rows in self.repeated.values())

    @property
    def rank(self) -> int:
        """Independent joint equations."""
        return self.equations - self.redundant

    @property
    def driven(self) -> int:
        """Freedoms that motors take."""
        return len(self.coupling_basis) - self.coupled

    @property
    def left(self) -> int:
        """Freedoms that joints, couplings and motors leave, idle spins among them."""
        return self.freedoms - self.rank - len(self.coupling_basis)

    @cached_property
    def free(self) -> np.ndarray:
        """The twists of all bodies, one below the other, that joints and couplings leave: (bodies × 3 or 6, left)."""
        held = np.vstack([self.joint_basis, self.coupling_basis])
        left = np.linalg.qr(held.T, mode="complete")[0][:, len(held) :]
        return np.asarray(np.vstack([twists @ left for name, twists in self.bodies.items() if name != GROUND]))

    def left_at_center(self, joint: str) -> np.ndarray:
        """S_j with its twists taken at `center`."""
        hold = self.holds[joint]
        return np.asarray(carry(self.center - hold.place, self.length) @ hold.leaves)


def motions(system: System, time: float, q: np.ndarray) -> Motions:
    """Ranks of the joint equations at coordinates q that close the mechanism.

    An equation whose part outside the span of earlier ones is below RANK (times the size of the joint's equations, or of a
    unit equation if that is more) repeats them.
    """
    joints = {joint.name: joint for joint in system.model.joints}
    still = [0.0] * system.n
    rigid = RigidFields(system, q.tolist(), still, still)
    holds = {name: hold_of(joints[name], rigid, 1).at(0) for name in outward(system.model)}
    center = np.mean([hold.place for hold in holds.values()], axis=0) if holds else np.zeros(system.dimension)
    tree = spanning_tree(system.model)
    bodies = _moved(system, tree, holds, center)
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
    for coupling in sorted(system.model.all_couplings, key=lambda coupling: coupling.timed):
        row = _row_of_coupling(rigid, bodies, center, time, coupling)
        if not np.any(row) or len(span.add(row)):
            idle.append(coupling.name)
        elif not coupling.timed:
            coupled += 1
    return Motions(
        dimension=system.dimension,
        center=center,
        length=system.length,
        holds=holds,
        bodies=bodies,
        repeated=repeated,
        joint_basis=span.basis[:joint_rank],
        coupling_basis=span.basis[joint_rank:],
        coupled=coupled,
        idle_couplings=tuple(idle),
        weakest=span.weakest,
    )


def _moved(system: System, tree: SpanningTree, holds: dict[str, Hold], center: np.ndarray) -> dict[str, np.ndarray]:
    """Twists of the bodies at `center` as maps of the rates of the joints in the tree; a body that floats has all its own."""
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
    """D = C (t_b − t_a), with the twists taken from `center` to where the joint is."""
    there: np.ndarray = hold.holds @ carry(hold.place - center, length) @ (bodies[hold.b] - bodies[hold.a])
    return there


class _Span:
    """A growing orthonormal basis of rows."""

    def __init__(self, columns: int) -> None:
        self.basis = np.zeros((0, columns))
        self.weakest = 1.0

    def add(self, rows: np.ndarray) -> np.ndarray:
        """Takes in what is new in the rows; gives the combinations of them (orthonormal) in which nothing is.

        Gram–Schmidt, twice, so that a row in the span leaves round-off only; then the singular values of what is left.
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
        if u.shape[0] > u.shape[1]:  # more rows than columns: the rest of the left basis is old too
            old = np.linalg.svd(rest)[0][:, new:]
        return np.asarray(old.T)


# -- groups

GroupKind = Literal["fixed", "translations", "one axis", "planar", "parallel axes", "spherical", "general"]


@dataclass(frozen=True)
class Group:
    """A group of displacements: what bodies do that are joined by these joints, at this position and at any other.

    dimension  of the group (Hervé, 1978): 3 for planar and spherical motions, 4 for turns about parallel axes with any
               translation, fewer where there is less, all (3 in the plane, 6 in space) where there is no group
    mark       the direction of all axes; for spherical motions the point at rest, m; else nothing
    """

    kind: GroupKind
    dimension: int
    mark: tuple[float, ...] = ()


def group_of(here: Motions, joints: Sequence[str]) -> Group:
    """The smallest of these groups that has in it all that the joints leave."""
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
    """(v, ℓω) as vectors of space, (3, twists) each."""
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
    """The rate of a coupling's equation for unit rates of the tree, as one row of unit length; zero if nothing moves it."""
    quantities = rigid.system.model.quantities
    row = np.zeros((1, bodies[GROUND].shape[1]))
    for body in dict.fromkeys(body for measure in coupling.measures(quantities) for body in measure.bodies):
        if body != GROUND:
            error = coupling.error(quantities, TwistFields(rigid, body, center[None]), time)
            row += rates_of(error, center[None]) @ bodies[body]
    size = float(np.linalg.norm(row))
    return row / size if size > RANK else np.zeros_like(row)
