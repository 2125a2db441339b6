"""Planar motion in Exudyn: RigidBody2D and its joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.exudyn.translated import Separate
from grashof.model.bodies import GROUND
from grashof.model.couplings import Motor
from grashof.model.fields import perpendicular
from grashof.model.joints import Joint
from grashof.situation import Situation
from grashof.situation.motion import Motion
from grashof.situation.rotations import turns


@dataclass
class Planar(Separate):
    """Bodies with two displacements and an angle that is zero at the start; Exudyn's world frame is the plane of
    motion."""

    planar = True

    @staticmethod
    def suits(situation: Situation) -> bool:
        """Whether all bodies move in one plane and all joints have a planar counterpart in Exudyn."""
        return situation.planar and all(joint.rod is not None or _fits(joint) for joint in situation.model.joints)

    def __post_init__(self) -> None:
        assert self.situation.normal is not None
        normal = self.situation.normal
        first = np.array(perpendicular(tuple(normal)))
        self.plane = np.array([first, np.cross(normal, first), normal])  # rows: Exudyn's axes in our world

    def flat(self, vector: np.ndarray) -> np.ndarray:
        turned: np.ndarray = self.plane @ vector
        return turned

    def local(self, body: str, direction: np.ndarray) -> np.ndarray:
        return self.flat(direction)

    def add_body(self, k: int) -> tuple[Any, Any]:
        s, items = self.situation, self.items
        normal, axes = self.plane[2], s.rotations[k]
        place = self.flat(self.center(s.bodies[k]))
        speed = self.flat(s.velocities[k] + np.cross(s.spins[k], axes @ s.centers[k]))
        inertia = float(normal @ axes @ s.inertias[k] @ axes.T @ normal)
        node = self.system.AddNode(
            items.NodeRigidBody2D(
                referenceCoordinates=[*place[:2], 0.0], initialVelocities=[*speed[:2], float(normal @ s.spins[k])]
            )
        )
        return node, self.system.AddObject(
            items.ObjectRigidBody2D(mass=float(s.masses[k]), inertia=inertia, nodeNumber=node)
        )

    def add_joint(self, joint: Joint) -> None:
        items, add = self.items, self.system.AddObject
        body_a, body_b = joint.bodies
        slides = [motion for motion in joint.motions or () if motion.kind == "slide"]
        ends = (joint.a, joint.b)
        if joint.rod is not None:
            markers = [self.point_marker(end) for end in ends]
            add(items.ObjectConnectorDistance(markerNumbers=markers, distance=joint.rod))
        elif slides:
            # (P_a − P_b) · n of marker 1, so the line's body comes second
            markers = [
                self.frame_marker(b, self.offset(r), np.eye(3)) for b, r in ((body_b, joint.b), (body_a, joint.a))
            ]
            along = self.local(body_a, self.situation.axis_of(slides[0], body_a, body_b))
            add(
                items.ObjectJointPrismatic2D(
                    markerNumbers=markers,
                    axisMarker0=along,
                    normalMarker1=np.cross([0.0, 0.0, 1.0], along),
                    constrainRotation=joint.motions == tuple(slides),
                )
            )
        else:
            add(items.ObjectJointRevolute2D(markerNumbers=[self.point_marker(end) for end in ends]))
        if joint.motions == ():
            add(items.ObjectConnectorCoordinate(markerNumbers=[self._turn_marker(body_a), self._turn_marker(body_b)]))

    def add_motor(self, motor: Motor) -> None:
        angle = self.situation.model.all_measures[motor.target]
        assert angle.motion is not None
        sign = float(np.sign(self.plane[2] @ self.situation.axis_of(angle.motion, *angle.bodies)))
        before = motor.value(self.situation.time)

        def advance(system: Any, t: float, number: int, offset: float) -> float:
            return sign * float(motor.value(t) - before)

        self.system.AddObject(
            self.items.ObjectConnectorCoordinate(
                markerNumbers=[self._turn_marker(body) for body in angle.bodies], offsetUserFunction=advance
            )
        )

    def _turn_marker(self, body: str) -> Any:
        node = self.nodes[body] if body != GROUND else self.system.AddNode(self.items.NodePointGround())
        coordinate = 2 if body != GROUND else 0
        return self.system.AddMarker(self.items.MarkerNodeCoordinate(nodeNumber=node, coordinate=coordinate))

    def motion(self, times: np.ndarray, q: np.ndarray, v: np.ndarray) -> Motion:
        s, count, n = self.situation, len(times), len(self.situation.bodies)
        q, v = q.reshape(count, n, 3), v.reshape(count, n, 3)
        rotations = turns(self.plane[2], q[..., 2].ravel()).reshape(count, n, 3, 3) @ s.rotations
        arms = np.einsum("tbij,bj->tbi", rotations, s.centers)
        spins = v[..., 2:] * self.plane[2]
        centers = np.array([self.center(name) for name in s.bodies]) + q[..., :2] @ self.plane[:2]
        return Motion(times, centers - arms, rotations, v[..., :2] @ self.plane[:2] - np.cross(spins, arms), spins)


def _fits(joint: Joint) -> bool:
    """Whether a joint that keeps its bodies in the plane has a counterpart there: one slide at most, and not along the
    axis of a turn."""
    kinds = [motion.kind for motion in joint.motions or ()]
    slides = kinds.count("slide")
    return joint.motions is not None and slides <= 1 and len(kinds) - slides <= 1 and not (slides and joint.axle)
