"""A mechanism made ready to be handed to any engine: in space, with its consistent start and a tree of joints.

Most engines only support motion in space, and need a tree of joints with the loops closed by constraints. Here a planar
mechanism gets its twin in the plane z = 0 (pins become revolutes about z), Grashof's assembly gives every body's pose
and velocity, and each body is hung on its parent by elementary freedoms: turns, slides, balls.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from grashof.assembly.assemble import Assembly
from grashof.assembly.assembled_model import AssembledModel, assemble_with_start
from grashof.common.blas import one_thread
from grashof.common.errors import ModelError
from grashof.formulation.natural.system import System
from grashof.model.bodies import GROUND, Body
from grashof.model.fields import Scalars, Vector, body_of
from grashof.model.joints import Joint
from grashof.model.loops import SpanningTree, spanning_tree
from grashof.model.measures import Measure
from grashof.model.model import Model
from grashof.model.motions import ElementaryMotion
from grashof.program import Program
from grashof.program.builder import build_assembled
from grashof.simulation.simulate import integrate
from grashof.situation.motion import motion_of
from grashof.situation.twin import in_space

IN_SPACE = "Planar mechanisms move in the plane z = 0 of space."
MADE_POSITIVE = "1e-6 of m ℓ² is added to the inertia about axes that have none, such as a slender bar's own."
"""The note of engines that need positive inertias."""


@dataclass(frozen=True)
class Freedom:
    """One elementary motion of a body against its parent, after the ones before it.

    axis     of a turn or a slide, unit vector in world axes at the start
    through  the centre of a turn, ball or free motion, in world axes at the start, m
    """

    kind: Literal["turn", "slide", "ball", "free"]
    axis: np.ndarray
    through: np.ndarray


@dataclass(frozen=True)
class Link:
    """A body hung on its parent (earlier in the tree, or the ground): by a joint, or freely if `joint` is None.

    No freedoms at all is a weld.
    """

    body: str
    parent: str
    joint: Joint | None
    freedoms: tuple[Freedom, ...]


@dataclass(frozen=True, eq=False)
class Situation:
    """A mechanism at its start, in space. B bodies in the order of `bodies`; SI units, world axes.

    assembled   the mechanism as it was described, its equations and its start
    bodies      names, without the ground
    masses      (B,);  centers (B, 3) in body axes;  inertias (B, 3, 3) about the centre of mass, in body axes, as
                described: a slender bar in space has none about its own axis, a planar body has its I_z about all three
    positions, rotations, velocities, spins     as in `Motion`, at the start
    cut         joints that are not in the tree, whatever their kind

    The spatial twin and the tree are computed when an engine needs them; a joint of unknown kind is refused then.
    """

    assembled: AssembledModel
    bodies: tuple[str, ...]
    masses: np.ndarray
    centers: np.ndarray
    inertias: np.ndarray
    positions: np.ndarray
    rotations: np.ndarray
    velocities: np.ndarray
    spins: np.ndarray
    cut: frozenset[str] = frozenset()

    @property
    def original(self) -> Model:
        """The mechanism as it was described."""
        return self.assembled.model

    @property
    def system(self) -> System:
        """Its natural coordinates."""
        return self.assembled.system

    @property
    def assembly(self) -> Assembly:
        """Time, angles with their whole turns, and how the start was found."""
        return self.assembled.assembly

    @cached_property
    def model(self) -> Model:
        """The mechanism in space: itself, or a planar one's twin (all measures declared; user forces unchanged)."""
        return in_space(self.original)

    @cached_property
    def _hanging(self) -> SpanningTree:
        loose = (joint.name for joint in self.original.joints if not can_carry(joint))
        return spanning_tree(self.original, {*loose, *self.cut}, _ease_of_closing)

    @cached_property
    def tree(self) -> tuple[Link, ...]:
        """Every body once, near the ground first. Joints that are hard to close a loop with are in it, rods between
        points and points on lines never."""
        joints = {joint.name: joint for joint in self.model.joints}
        links = ((tie.body, tie.base, None if tie.joint is None else joints[tie.joint]) for tie in self._hanging.ties)
        return tuple(Link(body, base, joint, self.freedoms(body, joint)) for body, base, joint in links)

    @cached_property
    def closures(self) -> tuple[Joint, ...]:
        """The joints that are not in the tree."""
        return tuple(joint for joint in self.model.joints if joint.name in self._hanging.closing)

    @cached_property
    def normal(self) -> np.ndarray | None:
        """The normal of the plane in which all bodies move whatever acts on them, or None."""
        if self.original.dimension == 2:
            return np.array([0.0, 0.0, 1.0])
        joints = {joint.name: joint for joint in self.original.joints}
        return _common_normal(self, [None if tie.joint is None else joints[tie.joint] for tie in self._hanging.ties])

    @property
    def time(self) -> float:
        """The start time, s."""
        return self.assembly.time

    @property
    def planar(self) -> bool:
        """Whether all bodies move parallel to one plane, whatever acts on them."""
        return self.normal is not None

    @property
    def gravity(self) -> np.ndarray:
        """(3,), m/s²"""
        return np.array(self.model.gravity or (0.0, 0.0, 0.0))

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The index of each body in the arrays."""
        return {name: k for k, name in enumerate(self.bodies)}

    @cached_property
    def program(self) -> Program:
        """The mechanism compiled by Grashof."""
        return build_assembled(self.assembled)

    def constant_steps(self, t_end: float, coarser: int = 0) -> list[float]:
        """Step sizes for methods with a constant step, from coarse to fine, in s; every fourth is half as large.

        The first is the mean step of Grashof's method at tolerance 1e-4 until t_end: the time scale of the motion. For
        methods of high order, `coarser` larger steps come before it.
        """
        steps = integrate(self.program, t_end, tol=1e-4)
        simple = (steps.status.time - self.time) / max(steps.counters.steps, 1)
        return [simple * 2.0 ** (-0.25 * k) for k in range(-coarser, 27)]

    def cut_at(self, joints: Collection[str]) -> Situation:
        """The same, with a tree that does not contain these joints."""
        return replace(self, cut=frozenset(joints))

    def pose(self, body: str) -> tuple[np.ndarray, np.ndarray]:
        """Origin and rotation of a body, or of the ground, at the start."""
        if body == GROUND:
            return np.zeros(3), np.eye(3)
        k = self.index[body]
        return self.positions[k], self.rotations[k]

    def place(self, reference: str) -> np.ndarray:
        """Where the point `body.point` is at the start."""
        origin, axes = self.pose(body_of(reference))
        place: np.ndarray = origin + axes @ np.array(self.model.points[reference])
        return place

    def heading(self, body: str, direction: Vector) -> np.ndarray:
        """A body's direction in world axes at the start."""
        heading: np.ndarray = self.pose(body)[1] @ np.array(direction)
        return heading

    def coaxial(self, measure: Measure) -> bool:
        """Whether a measure is an angle about an axis that is permanently fixed in both its bodies."""
        if measure.motion is None or measure.motion.kind != "turn":
            return False
        axes = [] if self.normal is None else [self.normal]
        for joint in self.model.joints:
            if joint.axle and set(joint.bodies) == set(measure.bodies):
                axes.append(self.axis_of(joint.axle, *joint.bodies))
        return any(parallel(self.axis_of(measure.motion, *measure.bodies), axis) for axis in axes)

    def axis_of(self, motion: ElementaryMotion, a: str, b: str) -> np.ndarray:
        """The axis of a motion of body b relative to body a, in world axes at the start; zero if it has none."""
        for body, axis in ((a, motion.axis_a), (b, motion.axis_b)):
            if axis is not None:
                return self.heading(body, axis)
        return np.zeros(3)

    def freedoms(self, body: str, joint: Joint | None) -> tuple[Freedom, ...]:
        """The freedoms of a body relative to the other body of its joint; a weld has none."""
        zero, (x, y, z) = np.zeros(3), np.eye(3)
        if joint is None:
            origin = self.pose(body)[0]
            if self.original.dimension == 2:
                return Freedom("slide", x, zero), Freedom("slide", y, zero), Freedom("turn", z, origin)
            return (Freedom("free", zero, origin),)
        if joint.motions is None:
            raise ModelError(f"Joint '{joint.name}': a joint of its type cannot be translated for other engines.")
        here = self.place(joint.b)
        found = tuple(
            Freedom(motion.kind, self.axis_of(motion, *joint.bodies), zero if motion.kind == "slide" else here)
            for motion in joint.motions
        )
        return found if joint.lower_pair or body == joint.bodies[1] else found[::-1]

    def positive_inertias(self, share: float = 1e-6) -> np.ndarray:
        """The inertias with `share` of m ℓ² about axes that have none (ℓ the mechanism's length), (B, 3, 3).

        Engines need them positive definite. It changes nothing where the body cannot turn about that axis, as in planar
        motion.
        """
        values, axes = np.linalg.eigh(self.inertias)
        scale = (self.masses * self.system.length**2)[:, None]
        raised = np.where(values < 1e-12 * scale, share * scale, values)
        inertias: np.ndarray = np.einsum("bik,bk,bjk->bij", axes, raised, axes)
        return np.where((raised == values).all(axis=1)[:, None, None], self.inertias, inertias)


@dataclass(frozen=True)
class StartFields:
    """The points and directions of a situation's bodies at the start."""

    situation: Situation
    dimension = 3
    length = 1.0

    def point(self, reference: str) -> Scalars:
        """Where a point is, in m."""
        return list(self.situation.place(reference).tolist())

    def arrow(self, body: str, direction: Vector) -> Scalars:
        """A body's direction in world axes."""
        return list(self.situation.heading(body, direction).tolist())


def parallel(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether two unit vectors are along one line."""
    return bool(np.linalg.norm(np.cross(a, b)) <= 1e-9)


@one_thread()
def situation(model: Model) -> Situation:
    """Assembles a mechanism and describes it for engines."""
    assembled = assemble_with_start(model)
    model, system, assembly = assembled.model, assembled.system, assembled.assembly
    start = motion_of(system, np.array([assembly.time]), assembly.q[None], assembly.v[None])
    names = tuple(body.name for body in model.bodies)
    return Situation(
        assembled=assembled,
        bodies=names,
        masses=np.array([body.mass for body in model.bodies]),
        centers=np.array([(*body.mass_center(model.dimension), 0.0)[:3] for body in model.bodies]),
        inertias=np.array([_inertia(body, model.dimension) for body in model.bodies]),
        positions=start.positions[0],
        rotations=start.rotations[0],
        velocities=start.velocities[0],
        spins=start.spins[0],
    )


def _inertia(body: Body, dimension: int) -> np.ndarray:
    return body.planar_inertia * np.eye(3) if dimension == 2 else body.inertia_matrix


def _common_normal(bare: Situation, joints: list[Joint | None]) -> np.ndarray | None:
    """The direction about which all joints of the tree turn and at right angles to which they slide, if there is
    one."""
    turns: list[np.ndarray] = []
    slides: list[np.ndarray] = []
    for joint in joints:
        if joint is None or joint.motions is None or any(motion.kind == "ball" for motion in joint.motions):
            return None
        for motion in joint.motions:
            (turns if motion.kind == "turn" else slides).append(bare.axis_of(motion, *joint.bodies))
    if not turns or not all(parallel(turns[0], axis) for axis in turns):
        return None
    return None if any(abs(turns[0] @ axis) > 1e-9 for axis in slides) else turns[0]


def can_carry(joint: Joint) -> bool:
    """Whether a body can hang on this joint in a tree: it is a chain of turns and slides, or a ball alone."""
    return joint.motions is not None and (len(joint.motions) < 2 or all(x.kind != "ball" for x in joint.motions))


def closes_easily(joint: Joint) -> bool:
    """Whether every engine can close a loop with this joint: a pin, a ball or a weld."""
    return joint.points_meet and joint.lower_pair


def _ease_of_closing(joint: Joint) -> int:
    """Where there is a choice, loops are cut at the joints for which this is largest: at balls first."""
    return closes_easily(joint) + any(motion.kind == "ball" for motion in joint.motions or ())
