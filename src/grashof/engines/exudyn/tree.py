"""Open trees of revolute and prismatic joints in Exudyn: ObjectKinematicTree, in minimal coordinates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grashof.engines.exudyn.translated import Translated
from grashof.engines.joint_loads import JointLoads
from grashof.model.bodies import GROUND
from grashof.model.fields import body_of, perpendicular
from grashof.model.forces import Force
from grashof.model.forces.base import ForceElement
from grashof.situation import Freedom, Situation
from grashof.situation.motion import Motion
from grashof.situation.tree import coordinate_of, start_rates, tree_motion


@dataclass
class Tree(Translated):
    """One link for each degree of freedom, which moves along or about its own z axis; the last link before a body
    carries the mass of that body."""

    explicit = True
    planar = False
    links: dict[str, int] = field(default_factory=dict)
    frames: dict[str, tuple[np.ndarray, np.ndarray]] = field(
        default_factory=dict
    )  # of the links, in the world at the start

    @staticmethod
    def suits(situation: Situation) -> bool:
        """Whether there are no loops and no motors, and every body is attached by revolute and prismatic freedoms
        only."""
        hung = all(link.freedoms and _elementary(link.freedoms) for link in situation.tree)
        return hung and not situation.closures and not situation.model.motors

    def add_bodies(self) -> None:
        s, items, exudyn = self.situation, self.items, self.exudyn
        self.frames[GROUND], self.links[GROUND] = (np.zeros(3), np.eye(3)), -1
        self.columns: list[int] = []  # the first coordinate of each link of the situation's tree
        kinds: list[Any] = []
        parents, turns, offsets = [], [], []
        for link in s.tree:
            self.columns.append(len(kinds))
            (origin, axes), parent = self.frames[link.parent], self.links[link.parent]
            for freedom in link.freedoms:
                there = freedom.through if freedom.kind == "turn" else s.pose(link.body)[0]
                turned = _frame(freedom.axis)
                kinds.append(exudyn.JointType.RevoluteZ if freedom.kind == "turn" else exudyn.JointType.PrismaticZ)
                parents.append(parent)
                turns.append(axes.T @ turned)
                offsets.append(axes.T @ (there - origin))
                origin, axes, parent = there, turned, len(kinds) - 1
            self.frames[link.body], self.links[link.body] = (origin, axes), parent
        n = len(kinds)
        masses, centers, inertias = np.zeros(n), np.zeros((n, 3)), np.zeros((n, 3, 3))
        for k, (name, inertia) in enumerate(zip(s.bodies, s.positive_inertias(), strict=True)):
            i, (origin, axes) = self.links[name], self.frames[name]
            turn = axes.T @ s.rotations[k]
            masses[i], inertias[i] = s.masses[k], turn @ inertia @ turn.T
            centers[i] = axes.T @ (s.positions[k] - origin) + turn @ s.centers[k]
        node = self.system.AddNode(
            items.NodeGenericODE2(
                referenceCoordinates=np.zeros(n),
                initialCoordinates=np.zeros(n),
                initialCoordinates_t=np.concatenate([start_rates(s, link, link.freedoms) for link in s.tree]),
                numberOfODE2Coordinates=n,
            )
        )
        self.tree = self.system.AddObject(
            items.ObjectKinematicTree(
                nodeNumber=node,
                jointTypes=kinds,
                linkParents=parents,
                jointTransformations=exudyn.Matrix3DList(turns),
                jointOffsets=exudyn.Vector3DList(offsets),
                linkInertiasCOM=exudyn.Matrix3DList(list(inertias)),
                linkCOMs=exudyn.Vector3DList(list(centers)),
                linkMasses=masses,
                gravity=s.gravity,
                **self._efforts(n),
            )
        )

    def _efforts(self, n: int) -> dict[str, Any]:
        """Adds torques and torsion springs on coordinates, and a Python function for the forces for which Exudyn has
        no element."""
        forces, stiffness, damping = np.zeros((3, n))
        for force in self.situation.model.forces:
            if (column := self._coordinate(force)) is None:
                continue
            k, sign, element = column
            if element.kind == "drive":
                forces[k] += sign * force.number(force.laws()[0])
            else:
                # the angle is its start and ±q: −k (start ± q − rest) − c (± q̇)
                spring, neutral, damper = map(force.number, force.laws())
                stiffness[k] += spring
                damping[k] += damper
                forces[k] += sign * spring * (neutral - self.situation.assembly.angles[element.measure])
        found: dict[str, Any] = {"jointForceVector": forces}
        if stiffness.any() or damping.any():
            found |= {"jointPControlVector": stiffness, "jointDControlVector": damping}
            found |= {"jointPositionOffsetVector": np.zeros(n), "jointVelocityOffsetVector": np.zeros(n)}
        rest = tuple(force for force in self.situation.original.forces if not self._native(force))
        if rest:
            layout = {
                link.body: [(first + i, first + i) for i in range(len(link.freedoms))]
                for link, first in zip(self.situation.tree, self.columns, strict=True)
            }
            loads = JointLoads(self.situation, layout, n, n, rest)
            self.computed.append(loads)
            found["forceUserFunction"] = lambda system, t, number, q, q_t: loads(t, q, q_t)
        return found

    def _coordinate(self, force: Force) -> tuple[int, float, ForceElement] | None:
        """The coordinate on which a torque or torsion spring acts, and its sign."""
        element = force.element()
        if element is None or not element.measure or force.varies:
            return None
        found = coordinate_of(self.situation, self.situation.model.quantities[element.measure])
        return None if found is None else (self.columns[found.link] + found.freedom, found.sign, element)

    def _native(self, force: Force) -> bool:
        return _along_points(force) or self._coordinate(force) is not None

    def add_joints(self) -> None:
        """Nothing to add: the joints are part of the tree."""

    def add_force(self, force: Force) -> None:
        if _along_points(force):
            super().add_force(force)

    def flat(self, vector: np.ndarray) -> np.ndarray:
        return vector

    def local(self, body: str, direction: np.ndarray) -> np.ndarray:
        turned: np.ndarray = self.frames[body][1].T @ direction
        return turned

    def center(self, body: str) -> np.ndarray:
        return self.frames[body][0]

    def point_marker(self, reference: str) -> Any:
        return self.frame_marker(body_of(reference), self.offset(reference), np.eye(3))

    def frame_marker(self, body: str, offset: np.ndarray, axes: np.ndarray) -> Any:
        if body == GROUND:
            return super().frame_marker(body, offset, axes)
        place = np.eye(4)
        place[:3, :3], place[:3, 3] = axes, offset
        return self.system.AddMarker(
            self.items.MarkerKinematicTreeRigid(objectNumber=self.tree, linkNumber=self.links[body], localHT=place)
        )

    def motion(self, times: np.ndarray, q: np.ndarray, v: np.ndarray) -> Motion:
        return tree_motion(self.situation, times, q, v, [link.freedoms for link in self.situation.tree])


def _along_points(force: Force) -> bool:
    """Whether Exudyn has an element for this force that acts between points of bodies."""
    element = force.element()
    return element is not None and element.kind in ("spring", "load") and not force.varies


def _elementary(freedoms: tuple[Freedom, ...]) -> bool:
    return all(freedom.kind in ("turn", "slide") for freedom in freedoms)


def _frame(axis: np.ndarray) -> np.ndarray:
    """A rotation matrix whose z axis is the given axis."""
    x = np.array(perpendicular(tuple(axis)))
    return np.column_stack([x, np.cross(axis, x), axis])
