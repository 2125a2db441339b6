"""Motion in space in Exudyn: RigidBody with Euler parameters, JointGeneric."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from grashof.engines.exudyn.translated import Separate
from grashof.model.couplings import Motor
from grashof.model.fields import Vector, cross, perpendicular
from grashof.model.joints import Joint
from grashof.situation import Situation
from grashof.situation.motion import Motion
from grashof.situation.rotations import matrices, quaternion_rates, quaternions_of


@dataclass
class Spatial(Separate):
    """Bodies with Euler parameters, in the same world frame as the mechanism."""

    planar = False

    @staticmethod
    def suits(situation: Situation) -> bool:
        """Always true: every mechanism can be modelled in space."""
        return True

    def flat(self, vector: np.ndarray) -> np.ndarray:
        return vector

    def local(self, body: str, direction: np.ndarray) -> np.ndarray:
        turned: np.ndarray = self.situation.pose(body)[1].T @ direction
        return turned

    def add_body(self, k: int) -> tuple[Any, Any]:
        s, items = self.situation, self.items
        axes, spin = s.rotations[k], s.spins[k]
        attitude = quaternions_of(axes[None])[0]
        speed = s.velocities[k] + np.cross(spin, axes @ s.centers[k])
        node = self.system.AddNode(
            items.NodeRigidBodyEP(
                referenceCoordinates=[*self.center(s.bodies[k]), *attitude],
                initialVelocities=[*speed, *quaternion_rates(attitude, spin)],
            )
        )
        i = s.positive_inertias()[k]
        moments = [i[0, 0], i[1, 1], i[2, 2], i[1, 2], i[0, 2], i[0, 1]]
        return node, self.system.AddObject(
            items.ObjectRigidBody(mass=float(s.masses[k]), inertia=moments, nodeNumber=node)
        )

    def add_joint(self, joint: Joint) -> None:
        if joint.rod is not None:
            markers = [self.point_marker(joint.a), self.point_marker(joint.b)]
            self.system.AddObject(self.items.ObjectConnectorDistance(markerNumbers=markers, distance=joint.rod))
            return
        body_a, body_b = joint.bodies
        frame_a, frame_b = _frames(joint)
        # JointGeneric measures translations along the axes of its first marker, a's: the line or plane is fixed there
        markers = [
            self.frame_marker(body_a, self.offset(joint.a), frame_a),
            self.frame_marker(body_b, self.offset(joint.b), frame_b),
        ]
        self.system.AddObject(self.items.ObjectJointGeneric(markerNumbers=markers, constrainedAxes=_locked_axes(joint)))

    def add_motor(self, motor: Motor) -> None:
        angle = self.situation.model.all_measures[motor.target]
        assert angle.motion is not None
        items, before = self.items, motor.value(self.situation.time)
        turns = self.system.AddNode(items.NodeGenericData(initialCoordinates=[0.0], numberOfDataCoordinates=1))

        def advance(system: Any, t: float, number: int, offset: float) -> float:
            return float(motor.value(t) - before)

        markers = []
        reference, body = angle.bodies
        axis = self.situation.axis_of(angle.motion, reference, body)
        ground = self.system.AddNode(items.NodePointGround())
        markers.append(self.system.AddMarker(items.MarkerNodeCoordinate(nodeNumber=ground, coordinate=0)))
        markers.append(
            self.system.AddMarker(
                items.MarkerBodiesRelativeRotationCoordinate(
                    bodyNumbers=[self.objects[reference], self.objects[body]],
                    nodeNumber=turns,
                    axis0=self.local(reference, axis),
                )
            )
        )
        self.system.AddObject(items.ObjectConnectorCoordinate(markerNumbers=markers, offsetUserFunction=advance))

    def motion(self, times: np.ndarray, q: np.ndarray, v: np.ndarray) -> Motion:
        s, count, n = self.situation, len(times), len(self.situation.bodies)
        q, v = q.reshape(count, n, 7), v.reshape(count, n, 7)
        p = q[..., 3:] + quaternions_of(s.rotations)
        size = np.linalg.norm(p, axis=-1, keepdims=True)
        p, dp = p / size, v[..., 3:] / size
        w, u = p[..., :1], p[..., 1:]
        spins = 2.0 * (w * dp[..., 1:] - dp[..., :1] * u + np.cross(u, dp[..., 1:]))
        rotations = matrices(p)
        arms = np.einsum("tbij,bj->tbi", rotations, s.centers)
        centers = np.array([self.center(name) for name in s.bodies]) + q[..., :3]
        return Motion(times, centers - arms, rotations, v[..., :3] - np.cross(spins, arms), spins)


def _locked_axes(joint: Joint) -> list[int]:
    """The translations along and rotations about the joint's x, y, z that JointGeneric locks; z is the axis or
    normal."""
    kinds = [motion.kind for motion in joint.motions or ()]
    slides, turns = kinds.count("slide"), kinds.count("turn")
    if "ball" in kinds:
        return [1, 1, 1, 0, 0, 0]
    moved = {0: [1, 1, 1], 1: [1, 1, 0], 2: [0, 0, 1]}[slides]
    turned = {0: [1, 1, 1], 1: [1, 1, 0], 2: [0, 0, 1]}[turns]
    return moved + turned


def _frames(joint: Joint) -> tuple[np.ndarray, np.ndarray]:
    """The axes of the joint in those of each body, as columns x, y, z."""
    given = dict(joint.directions())

    def along_z(z: Vector, x: Vector | None = None) -> np.ndarray:
        first = perpendicular(z) if x is None else x
        return np.array([first, cross(z, first), z]).T

    if not given:
        return np.eye(3), np.eye(3)
    if not joint.directions_coincide:
        # the arms of a cross; a locked rotation about z alone is x_a · y_b = 0
        x, y = given["axis_a"], given["axis_b"]
        arm_b = np.array([cross(y, perpendicular(y)), y, perpendicular(y)]).T
        return along_z(perpendicular(x), x), arm_b
    frames = (
        along_z(given[f"axis_{side}"], given.get(f"normal_{side}"))
        if f"axis_{side}" in given
        else along_z(given[f"normal_{side}"])
        for side in "ab"
    )
    frame_a, frame_b = frames
    return frame_a, frame_b
