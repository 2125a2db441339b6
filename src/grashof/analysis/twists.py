"""What joints hold and what they leave, at one position: the rank of all joint equations, found joint by joint.

A twist is (v, ℓω): the velocity of a body where it passes a given point, and its angular velocity times the mechanism's
length ℓ, so that all is in m/s. It has six components in world axes in space, and three (v_x, v_y, ℓω) in the plane.

    C_j t = 0       joint j holds the relative twist t of its bodies, taken at the joint: the rows of C_j are orthonormal,
                    and their number is the joint's number of equations
    t = S_j u_j     what it leaves: C_j S_j = 0, with as many rates u_j as the joint has freedoms

Joints that make a tree of the bodies are independent, and the rates of the tree move every body:

    t_body = Σ S_i u_i   over the joints i on the way from the ground (a body that floats has all its freedoms as rates)

A joint that closes a loop asks C_j (t_b − t_a) = D_j u = 0. Rows of D_j in the span of rows of earlier joints repeat them.
Natural coordinates are read for where the bodies are, and for nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from grashof.analysis.loops import SpanningTree, outward, spanning_tree
from grashof.model.bodies import GROUND
from grashof.model.couplings import CouplingBase
from grashof.model.fields import Fields, Scalars, Vector, body_of
from grashof.model.joints import Joint
from grashof.model.model import Model
from grashof.scalar.jet import Jet
from grashof.system.coordinates import Frame
from grashof.system.system import System

RANK = 1e-8
"""Singular values below this fraction count as zero."""


@dataclass(frozen=True)
class Hold:
    """What a joint holds and leaves of the motion of body b against body a.

    place    where it acts, m
    holds    C, orthonormal rows on relative twists at `place`, (equations, 3 or 6)
    leaves   S, orthonormal relative twists at `place`, (3 or 6, freedoms)
    """

    a: str
    b: str
    place: np.ndarray
    holds: np.ndarray
    leaves: np.ndarray


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
        return _size(self.dimension) * (len(self.bodies) - 1)

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
        return np.asarray(move_twists(self.center - hold.place, self.length) @ hold.leaves)


def motions(system: System, time: float, q: np.ndarray) -> Motions:
    """Ranks of the joint equations at coordinates q that close the mechanism.

    An equation whose part outside the span of earlier ones is below RANK (times the size of the joint's equations, or of a
    unit equation if that is more) repeats them.
    """
    joints = {joint.name: joint for joint in system.model.joints}
    values = [float(x) for x in q]
    places = {name: _place(frame, values) for name, frame in system.frames.items()}
    holds = {name: _hold_of_joint(system, places, joints[name]) for name in outward(system.model)}
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
        row = _row_of_coupling(system, places, bodies, center, time, coupling)
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


def move_twists(offset: np.ndarray, length: float) -> np.ndarray:
    """Takes twists at a point P to P + offset: v + ω × offset, (3, 3) or (6, 6)."""
    x = np.asarray(offset, float) / length
    if len(x) == 2:
        return np.array([[1.0, 0.0, -x[1]], [0.0, 1.0, x[0]], [0.0, 0.0, 1.0]])
    moved = np.eye(6)
    moved[:3, 3:] = [[0.0, x[2], -x[1]], [-x[2], 0.0, x[0]], [x[1], -x[0], 0.0]]
    return moved


def _size(dimension: int) -> int:
    return 3 if dimension == 2 else 6


def _moved(system: System, tree: SpanningTree, holds: dict[str, Hold], center: np.ndarray) -> dict[str, np.ndarray]:
    """Twists of the bodies at `center` as maps of the rates of the joints in the tree; a body that floats has all its own."""
    size = _size(system.dimension)
    left = []
    for tie in tree.ties:
        if tie.joint is None:
            left.append(np.eye(size))
            continue
        hold = holds[tie.joint]
        sign = 1.0 if tie.body == hold.b else -1.0
        left.append(sign * move_twists(center - hold.place, system.length) @ hold.leaves)
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
    there: np.ndarray = hold.holds @ move_twists(hold.place - center, length) @ (bodies[hold.b] - bodies[hold.a])
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


# -- joints and couplings


@dataclass(frozen=True)
class _Place:
    """Where a body is: it has its point `origin_local` at `origin`, and `axes` turn its own directions into the world's."""

    origin: np.ndarray
    origin_local: np.ndarray
    axes: np.ndarray

    def point(self, local: Vector) -> np.ndarray:
        there: np.ndarray = self.origin + self.axes @ (np.asarray(local) - self.origin_local)
        return there


def _place(frame: Frame, q: Sequence[float]) -> _Place:
    """Reads a body off the coordinates; a spin that they do not have is left out of `axes`."""
    origin = np.array([form.at(q) for form in frame.origin])
    there = np.array([[form.at(q) for form in direction] for direction in frame.directions]).reshape(-1, len(origin))
    local = np.asarray(frame.directions_local)
    if len(origin) == 2:
        quarter = np.array([[0.0, 1.0], [-1.0, 0.0]])
        there, local = np.vstack([there, there @ quarter]), np.vstack([local, local @ quarter])
    return _Place(origin, np.asarray(frame.origin_local), there.T @ np.linalg.pinv(local.T))


@dataclass(frozen=True)
class _TwistFields:
    """Fields in which one body moves with each of the unit twists at `center`, and all others stand still."""

    model: Model
    length: float
    places: dict[str, _Place]
    moving: str
    center: np.ndarray

    @property
    def dimension(self) -> int:
        return self.model.dimension

    def point(self, reference: str) -> Scalars:
        body = body_of(reference)
        where = self.places[body].point(self.model.points[reference])
        if body != self.moving:
            return list(where)
        velocity = move_twists(where - self.center, self.length)[: self.dimension]
        return [Jet(x, rate, 0.0) for x, rate in zip(where, velocity, strict=True)]

    def arrow(self, body: str, direction: Vector) -> Scalars:
        drawn = self.length * (self.places[body].axes @ np.asarray(direction))
        if body != self.moving:
            return list(drawn)
        velocity = move_twists(drawn, self.length)[: self.dimension]
        velocity[:, : self.dimension] = 0.0  # a direction turns; it does not move along
        return [Jet(x, rate, 0.0) for x, rate in zip(drawn, velocity, strict=True)]


def _hold_of_joint(system: System, places: dict[str, _Place], joint: Joint) -> Hold:
    return _hold(system, places, joint.bodies, joint.b, joint.equations)


def _row_of_coupling(
    system: System,
    places: dict[str, _Place],
    bodies: dict[str, np.ndarray],
    center: np.ndarray,
    time: float,
    coupling: CouplingBase,
) -> np.ndarray:
    """The rate of a coupling's equation for unit rates of the tree, as one row of unit length; zero if nothing moves it."""
    quantities = system.model.quantities
    row = np.zeros((1, bodies[GROUND].shape[1]))
    for body in dict.fromkeys(body for measure in coupling.measures(quantities) for body in measure.bodies):
        fields = _TwistFields(system.model, system.length, places, body, center)
        error = coupling.error(quantities, fields, time)
        if body != GROUND and isinstance(error, Jet):
            row += error.first @ bodies[body]
    size = float(np.linalg.norm(row))
    return row / size if size > RANK else np.zeros_like(row)


def _hold(
    system: System,
    places: dict[str, _Place],
    bodies: tuple[str, str],
    point: str | None,
    equations: Callable[[Fields], Scalars],
) -> Hold:
    """The rates of the equations for unit twists of body b, a standing still: their row space and its complement."""
    b = places[bodies[1]]
    center = b.origin if point is None else b.point(system.model.points[point])
    rows = equations(_TwistFields(system.model, system.length, places, bodies[1], center))
    size = _size(system.dimension)
    rates = np.array([row.first if isinstance(row, Jet) else np.zeros(size) for row in rows])
    _, s, vt = np.linalg.svd(rates)
    rank = int(np.sum(s > RANK * max(1.0, float(s[0]))))
    return Hold(*bodies, center, vt[:rank], vt[rank:].T)
